//! Row programs: functions of elements and of reductions over their row, such as softmax and layer normalization, as one kernel. A team of threads
//! shares a row. Each thread keeps its elements of the row in registers from one reduction to the next, so memory is read and written once. Rows that
//! are too long for that are read again for each reduction.

mod launch;

use graph_kernels::{DType, ElementOp, ReduceOp};

use super::Description;
use super::chain::{Access, Places, Step, at_once, coordinates};
use super::combine::{add, combination, combined_as, convert, mean, neutral};
use crate::ptx::{self, Code, Operand, Reg, Width};
pub use launch::Row;

/// The threads of a block whose teams are parts of a warp.
const THREADS: u32 = 256;
const WARP: u32 = 32;
/// How many neighbours a thread loads at a time, if they are contiguous.
const LANES: usize = 4;

/// One value of a row program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RowStep {
    /// A value for each element.
    Element(Step),
    /// The reduction of a value over the row. The dtype is that of the value.
    Reduce(ReduceOp, DType, usize),
    /// Reports a fault where a value, which is the same for the whole row, is false.
    Require(usize),
}

impl RowStep {
    /// Whether a GPU has all functions of a row program on operands of these dtypes, and none can fail.
    pub fn are_supported(steps: &[RowStep], operands: &[DType]) -> bool {
        let mut code = Code::new();
        let mut values: Vec<Reg> = Vec::new();
        if !operands.iter().all(|dtype| ptx::is_held(*dtype)) {
            return false;
        }
        for step in steps {
            let value = match step {
                RowStep::Element(Step::Operand(i)) => Some(code.register(ptx::width(operands[*i]))),
                RowStep::Element(Step::Constant(dtype, _)) | RowStep::Reduce(_, dtype, _) => {
                    Some(code.register(ptx::width(*dtype)))
                }
                RowStep::Element(Step::Element(op, dtype, inputs)) => {
                    let inputs: Vec<Reg> = inputs.iter().map(|i| values[*i]).collect();
                    let value = ptx::element(&mut code, *op, *dtype, &inputs);
                    value.filter(|_| !ptx::can_fail(*op, *dtype))
                }
                RowStep::Require(of) => Some(values[*of]),
            };
            let Some(value) = value else { return false };
            values.push(value);
        }
        true
    }
}

/// How an operand lies along a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Spread {
    /// It has one element for a row.
    Uniform,
    /// Neighbours in the row are neighbours in memory.
    Contiguous,
    /// By steps.
    Stepped,
}

/// A kernel that runs a row program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rows {
    /// The operands, and at the end the result if it has elements for a whole row.
    operands: Vec<(DType, Access)>,
    spreads: Vec<Spread>,
    steps: Vec<RowStep>,
    dtype: DType,
    /// Whether the result has one element for a row.
    one_per_row: bool,
    /// How many axes count rows.
    kept: usize,
    /// How many axes count elements of a row: one, or none for rows of one element.
    reduced: usize,
    /// The threads that share a row, a power of two.
    team: u32,
    /// How many neighbours a thread computes at a time.
    lanes: usize,
    /// How many groups of neighbours a thread keeps; 0 if rows are read again.
    held: usize,
    /// Whether these are exactly the elements of a row.
    full: bool,
    wide: bool,
}

/// The registers of a kernel.
struct Frame {
    out: Reg,
    rows: Reg,
    length: Reg,
    operands: Places,
    dims: Vec<Reg>,
    /// The number of this thread in its team.
    member: Reg,
    /// Shared memory for the sums of warps, and the place of this thread's warp and the one that this thread reads.
    shared: Option<(Reg, Reg)>,
}

/// A row in a kernel.
struct Place {
    row: Reg,
    /// The index of the row's first element in a result that lies row by row.
    first: Reg,
    /// The index of the row's first element in operands that are found by steps.
    starts: Vec<Option<Reg>>,
    /// Whether there is such a row; `None` if it is certain.
    exists: Option<Reg>,
}

/// Neighbouring elements of a row.
#[derive(Clone, Copy)]
struct Group {
    position: Reg,
    /// Whether the row has these elements; `None` if it is certain.
    inside: Option<Reg>,
}

/// The values of steps: a register for each element of all groups, or one for the row.
type Values = Vec<Vec<Reg>>;

fn at(values: &[Reg], element: usize) -> Reg {
    values[if values.len() == 1 { 0 } else { element }]
}

impl Rows {
    /// For each step, whether its values differ within a row.
    fn varying(&self) -> Vec<bool> {
        let mut varies: Vec<bool> = Vec::new();
        for step in &self.steps {
            let step = match step {
                RowStep::Element(Step::Operand(i)) => self.spreads[*i] != Spread::Uniform,
                RowStep::Element(Step::Element(_, _, inputs)) => inputs.iter().any(|i| varies[*i]),
                _ => false,
            };
            varies.push(step);
        }
        varies
    }

    fn index(&self) -> Width {
        match self.wide {
            true => Width::Double,
            false => Width::Word,
        }
    }

    /// The index of an operand's element at a position of the row.
    fn element_index(
        &self,
        code: &mut Code,
        frame: &Frame,
        place: &Place,
        operand: usize,
        position: Reg,
    ) -> Reg {
        match (place.starts[operand], self.spreads[operand]) {
            (None, _) => code.add(place.first, position),
            (Some(start), Spread::Contiguous) => code.add(start, position),
            (Some(start), _) => {
                let inner = [position];
                let inner = &inner[..self.reduced];
                let places = &frame.operands;
                let index = places.along(code, operand, self.kept, inner, Some(start));
                index.unwrap_or(start)
            }
        }
    }

    /// The elements of an operand in some groups, or the one for the row.
    fn operand(
        &self,
        code: &mut Code,
        frame: &Frame,
        place: &Place,
        operand: usize,
        groups: &[Group],
    ) -> Vec<Reg> {
        let places = &frame.operands;
        if self.spreads[operand] == Spread::Uniform {
            let start = place.starts[operand];
            return vec![places.load(code, operand, place.row, start)];
        }
        let mut values = Vec::new();
        for group in groups {
            let index = self.element_index(code, frame, place, operand, group.position);
            if self.operands[operand].1 == Access::Position {
                values.push(places.load(code, operand, index, Some(index)));
            } else {
                let dtype = self.operands[operand].0;
                values.extend(places.neighbours(code, dtype, operand, index, self.lanes));
            }
        }
        values
    }

    /// The values of a step that is no reduction.
    fn step(
        &self,
        code: &mut Code,
        (frame, place, groups): (&Frame, &Place, &[Group]),
        step: &Step,
        varies: bool,
        values: &Values,
    ) -> Vec<Reg> {
        match step {
            Step::Operand(i) => self.operand(code, frame, place, *i, groups),
            Step::Constant(dtype, bits) => vec![ptx::constant(code, *dtype, *bits)],
            Step::Element(op, dtype, inputs) => {
                let count = if varies { groups.len() * self.lanes } else { 1 };
                let element = |element| {
                    let inputs: Vec<Reg> =
                        inputs.iter().map(|i| at(&values[*i], element)).collect();
                    // Every function was tried before.
                    ptx::element(code, *op, *dtype, &inputs).unwrap_or(inputs[0])
                };
                (0..count).map(element).collect()
            }
        }
    }

    /// Combines the elements of groups with a sum.
    fn combine(
        &self,
        code: &mut Code,
        (op, dtype): (ReduceOp, DType),
        groups: &[Group],
        values: &[Reg],
        sum: Reg,
    ) {
        let (function, wide) = (combination(op), combined_as(op, dtype));
        for (i, group) in groups.iter().enumerate() {
            for lane in 0..self.lanes {
                let value = at(values, i * self.lanes + lane);
                let mut value = convert(code, dtype, wide, value).unwrap_or(value);
                if let Some(inside) = group.inside {
                    let none = ptx::constant(code, wide, neutral(function, wide));
                    let chosen = [inside, value, none];
                    let chosen = ptx::element(code, ElementOp::Select, wide, &chosen);
                    value = chosen.unwrap_or(value);
                }
                add(code, function, wide, sum, value);
            }
        }
    }

    /// Combines the sums of a team's threads. All of them get the result.
    fn across_team(&self, code: &mut Code, frame: &Frame, op: ElementOp, dtype: DType, sum: Reg) {
        let halves = |code: &mut Code, threads: u32| {
            let mut mask = threads / 2;
            while mask > 0 {
                let other = code.of_neighbour(sum, mask);
                add(code, op, dtype, sum, other);
                mask /= 2;
            }
        };
        halves(code, self.team.min(WARP));
        let Some((own, read)) = frame.shared else {
            return;
        };
        // The sums of the reduction before may still be read.
        code.barrier();
        let lane = code.op(
            Width::Word,
            "and.b32",
            &[frame.member.into(), Operand::Int(i64::from(WARP) - 1)],
        );
        let is_first = code.compare("eq", lane, 0);
        code.when(is_first, |code| {
            code.store_at("shared", dtype, own, sum);
        });
        code.barrier();
        let others = code.load_at("shared", dtype, read);
        code.assign(sum, others);
        halves(code, self.team / WARP);
    }

    /// The result of a reduction, from the sum of all threads.
    fn reduced(
        &self,
        code: &mut Code,
        frame: &Frame,
        (op, dtype): (ReduceOp, DType),
        sum: Reg,
    ) -> Reg {
        let wide = combined_as(op, dtype);
        self.across_team(code, frame, combination(op), wide, sum);
        let value = match op {
            ReduceOp::Mean => mean(code, wide, sum, frame.length).unwrap_or(sum),
            _ => sum,
        };
        convert(code, wide, dtype, value).unwrap_or(value)
    }

    /// Stores the result's elements of some groups.
    fn store(
        &self,
        code: &mut Code,
        (frame, place, groups): (&Frame, &Place, &[Group]),
        values: &[Reg],
    ) {
        let target = self.operands.len() - 1;
        for (i, group) in groups.iter().enumerate() {
            let values: Vec<Reg> = (0..self.lanes)
                .map(|lane| at(values, i * self.lanes + lane))
                .collect();
            let write = |code: &mut Code| {
                let index = self.element_index(code, frame, place, target, group.position);
                let address = code.element_address(frame.out, index, self.dtype);
                if self.lanes == 1 {
                    code.store_at("global", self.dtype, address, values[0]);
                    return;
                }
                let at_once = at_once(self.dtype, self.lanes);
                for (part, values) in values.chunks(at_once).enumerate() {
                    let bytes = (part * at_once * self.dtype.bytes()) as i64;
                    let address = code.add(address, bytes);
                    code.store_many(self.dtype, address, values);
                }
            };
            match (place.exists, group.inside) {
                (None, None) => write(code),
                (Some(holds), None) | (None, Some(holds)) => code.when(holds, write),
                (Some(a), Some(b)) => {
                    let both = code.op(Width::Predicate, "and.pred", &[a.into(), b.into()]);
                    code.when(both, write);
                }
            }
        }
    }

    /// Stores the result of a row.
    fn store_one(&self, code: &mut Code, frame: &Frame, place: &Place, value: Reg) {
        let mut writes = code.compare("eq", frame.member, 0);
        if let Some(exists) = place.exists {
            let both = [writes.into(), exists.into()];
            writes = code.op(Width::Predicate, "and.pred", &both);
        }
        code.when(writes, |code| {
            code.store(self.dtype, frame.out, place.row, value);
        });
    }

    /// The groups of elements that a thread keeps. A group beyond the end of the row reads the row's beginning.
    fn held_groups(&self, code: &mut Code, frame: &Frame) -> Vec<Group> {
        let member = code.widened(frame.member, self.index());
        (0..self.held)
            .map(|group| {
                let number = code.add(member, group as i64 * i64::from(self.team));
                let position = code.mul(number, self.lanes as i64);
                if self.full {
                    let inside = None;
                    return Group { position, inside };
                }
                let inside = code.compare("lt", position, frame.length);
                let zero = code.copy(0, self.index());
                let select = match self.index() {
                    Width::Double => "selp.b64",
                    _ => "selp.b32",
                };
                let safe = [position.into(), zero.into(), inside.into()];
                Group {
                    position: code.op(self.index(), select, &safe),
                    inside: Some(inside),
                }
            })
            .collect()
    }

    /// Runs the program with the elements in registers.
    fn run_held(&self, code: &mut Code, frame: &Frame, place: &Place) {
        let groups = self.held_groups(code, frame);
        let varying = self.varying();
        let mut values: Values = vec![Vec::new(); self.steps.len()];
        for (i, (step, varies)) in self.steps.iter().zip(&varying).enumerate() {
            let context = (frame, place, &groups[..]);
            self.load_inputs(code, context, step, &mut values);
            values[i] = match step {
                // Loaded where it is needed first, so that fewer registers are in use.
                RowStep::Element(Step::Operand(_)) => continue,
                RowStep::Element(step) => self.step(code, context, step, *varies, &values),
                RowStep::Reduce(op, dtype, of) => {
                    let sum = self.start(code, *op, *dtype);
                    self.combine(code, (*op, *dtype), &groups, &values[*of], sum);
                    vec![self.reduced(code, frame, (*op, *dtype), sum)]
                }
                RowStep::Require(of) => self.require(code, &values[*of]),
            };
        }
        let last = values.pop().unwrap_or_default();
        match self.one_per_row {
            true => self.store_one(code, frame, place, last[0]),
            false => self.store(code, (frame, place, &groups), &last),
        }
    }

    /// Loads the operands that a step reads and none before it did.
    fn load_inputs(
        &self,
        code: &mut Code,
        context: (&Frame, &Place, &[Group]),
        step: &RowStep,
        values: &mut Values,
    ) {
        let inputs = match step {
            RowStep::Element(Step::Element(_, _, inputs)) => &inputs[..],
            RowStep::Reduce(_, _, of) | RowStep::Require(of) => std::slice::from_ref(of),
            RowStep::Element(_) => &[],
        };
        for input in inputs {
            if let (true, RowStep::Element(Step::Operand(operand))) =
                (values[*input].is_empty(), &self.steps[*input])
            {
                let (frame, place, groups) = context;
                values[*input] = self.operand(code, frame, place, *operand, groups);
            }
        }
    }

    fn start(&self, code: &mut Code, op: ReduceOp, dtype: DType) -> Reg {
        let wide = combined_as(op, dtype);
        let none = ptx::constant(code, wide, neutral(combination(op), wide));
        code.copy(none, none.width)
    }

    fn require(&self, code: &mut Code, holds: &[Reg]) -> Vec<Reg> {
        let fails = code.op(Width::Predicate, "not.pred", &[holds[0].into()]);
        code.fail_if(fails);
        holds.to_vec()
    }

    /// Runs the program with one walk over the row for each reduction, and one for the result.
    fn run_again(&self, code: &mut Code, frame: &Frame, place: &Place) {
        let varying = self.varying();
        let mut values: Values = Vec::new();
        for (i, (step, varies)) in self.steps.iter().zip(&varying).enumerate() {
            let value = match step {
                // Computed in the walks that need it.
                _ if *varies => Vec::new(),
                RowStep::Element(step) => {
                    self.step(code, (frame, place, &[]), step, false, &values)
                }
                RowStep::Reduce(op, dtype, of) => {
                    let (sum, of) = (self.start(code, *op, *dtype), *of);
                    self.walk(
                        code,
                        (frame, place),
                        &varying,
                        &values,
                        of,
                        |code, group, of| {
                            self.combine(code, (*op, *dtype), &[group], of, sum);
                        },
                    );
                    vec![self.reduced(code, frame, (*op, *dtype), sum)]
                }
                RowStep::Require(of) => self.require(code, &values[*of]),
            };
            values.push(value);
            if i + 1 < self.steps.len() {
                continue;
            }
            if self.one_per_row {
                self.store_one(code, frame, place, values[i][0]);
            } else {
                self.walk(
                    code,
                    (frame, place),
                    &varying,
                    &values,
                    i,
                    |code, group, value| {
                        self.store(code, (frame, place, &[group]), value);
                    },
                );
            }
        }
    }

    /// Walks over the row and computes a step's values, group by group.
    fn walk(
        &self,
        code: &mut Code,
        (frame, place): (&Frame, &Place),
        varying: &[bool],
        known: &Values,
        of: usize,
        then: impl FnOnce(&mut Code, Group, &[Reg]),
    ) {
        let needed = self.needed(varying, of);
        let member = code.widened(frame.member, self.index());
        let first = code.mul(member, self.lanes as i64);
        let position = code.copy(first, first.width);
        let step = i64::from(self.team) * self.lanes as i64;
        code.count_up(position, frame.length, step, |code| {
            let group = Group {
                position,
                inside: None,
            };
            let mut values = known.clone();
            values.resize(self.steps.len(), Vec::new());
            for i in needed {
                if let RowStep::Element(step) = &self.steps[i] {
                    let groups = [group];
                    let context = (frame, place, &groups[..]);
                    values[i] = self.step(code, context, step, true, &values);
                }
            }
            then(code, group, &values[of]);
        });
    }

    /// The steps with values for each element that a step's value depends on, in order.
    fn needed(&self, varying: &[bool], of: usize) -> Vec<usize> {
        let mut needed = vec![false; self.steps.len()];
        needed[of] = varying[of];
        for i in (0..=of).rev().filter(|i| varying[*i]) {
            if let (true, RowStep::Element(Step::Element(_, _, inputs))) =
                (needed[i], &self.steps[i])
            {
                for input in inputs {
                    needed[*input] |= varying[*input];
                }
            }
        }
        (0..needed.len()).filter(|i| needed[*i]).collect()
    }

    /// Whether a row can be wrong.
    fn can_fail(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|step| matches!(step, RowStep::Require(_)))
    }

    /// Shared memory for a team of several warps.
    fn shared(&self, code: &mut Code, member: Reg) -> Option<(Reg, Reg)> {
        let warps = self.team / WARP;
        if warps <= 1 {
            return None;
        }
        // 8 bytes are enough for every dtype.
        let start = code.shared(warps * 8);
        let base = code.shared_address(start);
        let warp = code.div(member, i64::from(WARP));
        let others = [member.into(), Operand::Int(i64::from(warps) - 1)];
        let other = code.op(Width::Word, "and.b32", &others);
        Some((code.mul_add(warp, 8, base), code.mul_add(other, 8, base)))
    }
}

impl Description for Rows {
    fn threads(&self) -> u32 {
        match self.team > WARP {
            true => self.team,
            false => THREADS,
        }
    }

    fn write(&self, code: &mut Code) {
        let index = self.index();
        let out = code.address();
        let [rows, length] = [(); 2].map(|()| code.number(index));
        if self.can_fail() {
            code.fault_parameter();
        }
        let rank = self.kept + self.reduced;
        let operands = Places::parameters(code, &self.operands, rank, index);
        let axes = if operands.need_coordinates() { rank } else { 0 };
        let dims: Vec<Reg> = (0..axes).map(|_| code.number(index)).collect();
        let thread = code.special("%tid.x");
        let in_team = [thread.into(), Operand::Int(i64::from(self.team) - 1)];
        let member = code.op(Width::Word, "and.b32", &in_team);
        let frame = Frame {
            out,
            rows,
            length,
            operands,
            dims,
            member,
            shared: self.shared(code, member),
        };
        let teams = i64::from(self.threads() / self.team);
        let team = code.div(thread, i64::from(self.team));
        let [team, block, blocks] = [team, code.special("%ctaid.x"), code.special("%nctaid.x")]
            .map(|register| code.widened(register, index));
        let base = code.mul(block, teams);
        let base = code.copy(base, index);
        let step = code.mul(blocks, teams);
        // All teams of a block stay together, because threads of a warp exchange values.
        code.count_up(base, frame.rows, step, |code| {
            let place = self.place(code, &frame, base, team, teams > 1);
            match self.held {
                0 => self.run_again(code, &frame, &place),
                _ => self.run_held(code, &frame, &place),
            }
        });
    }
}

impl Rows {
    /// The row of this thread's team. A team beyond the last row computes the last one again.
    fn place(&self, code: &mut Code, frame: &Frame, base: Reg, team: Reg, many: bool) -> Place {
        let mut row = base;
        let mut exists = None;
        if many {
            let own = code.add(base, team);
            exists = Some(code.compare("lt", own, frame.rows));
            let last = code.sub(frame.rows, 1);
            let min = if self.wide { "min.u64" } else { "min.u32" };
            row = code.op(self.index(), min, &[own.into(), last.into()]);
        }
        let outer = match frame.operands.need_coordinates() {
            true => coordinates(code, row, &frame.dims[..self.kept]),
            false => Vec::new(),
        };
        let starts = (0..self.operands.len())
            .map(|operand| frame.operands.along(code, operand, 0, &outer, None))
            .collect();
        Place {
            row,
            first: code.mul(row, frame.length),
            starts,
            exists,
        }
    }
}

#[cfg(test)]
impl Rows {
    /// `(x - mean(x)) * scale / any(x > 0)`-like steps for elements of a dtype, with every kind of reduction.
    pub fn normalization(dtype: DType, team: u32, held: usize, full: bool, lanes: usize) -> Rows {
        let element = |op, dtype, inputs: &[usize]| {
            RowStep::Element(Step::Element(op, dtype, inputs.to_vec()))
        };
        Rows {
            operands: vec![
                (dtype, Access::Same),
                (dtype, Access::Strided),
                (dtype, Access::Same),
            ],
            spreads: vec![Spread::Contiguous, Spread::Contiguous, Spread::Contiguous],
            steps: vec![
                RowStep::Element(Step::Operand(0)),
                RowStep::Element(Step::Operand(1)),
                RowStep::Reduce(ReduceOp::Mean, dtype, 0),
                element(ElementOp::Sub, dtype, &[0, 2]),
                RowStep::Reduce(ReduceOp::Max, dtype, 3),
                element(ElementOp::Less, dtype, &[3, 4]),
                RowStep::Reduce(ReduceOp::Any, DType::Bool, 5),
                RowStep::Require(6),
                element(ElementOp::Mul, dtype, &[3, 1]),
                element(ElementOp::Select, dtype, &[6, 8, 3]),
            ],
            dtype,
            one_per_row: false,
            kept: 1,
            reduced: 1,
            team,
            lanes,
            held,
            full,
            wide: false,
        }
    }
}
