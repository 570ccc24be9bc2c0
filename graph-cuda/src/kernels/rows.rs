//! Row programs: functions of elements and of reductions over their row, such as softmax and layer normalization, as one kernel. A team of threads
//! shares a row. Each thread keeps its elements of the row in registers from one reduction to the next, so memory is read and written once. Rows that
//! are too long for that are read again for each reduction.

mod again;
mod held;
mod launch;
mod step;
#[cfg(test)]
mod testing;

use graph_kernels::{DType, ElementOp, ReduceOp};

use super::Description;
use super::chain::{Access, Addresses, Step, at_once, coordinates};
use super::combine::{add, combination, combined_as, convert, mean, neutral};
use crate::ptx::{self, Code, Operand, Reg, Width};
pub use launch::Row;
pub use step::RowStep;

/// The threads of a block whose teams are parts of a warp.
const THREADS: u32 = 256;
const WARP: u32 = 32;
/// How many neighbours a thread loads at a time, if they are contiguous.
const LANES: usize = 4;

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
pub struct RowProgram {
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
struct Registers {
    out: Reg,
    rows: Reg,
    length: Reg,
    operands: Addresses,
    dims: Vec<Reg>,
    /// The number of this thread in its team.
    member: Reg,
    /// Shared memory for the sums of warps, and the place of this thread's warp and the one that this thread reads.
    shared: Option<(Reg, Reg)>,
}

/// A row in a kernel.
struct CurrentRow {
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

impl RowProgram {
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
        registers: &Registers,
        current: &CurrentRow,
        operand: usize,
        position: Reg,
    ) -> Reg {
        match (current.starts[operand], self.spreads[operand]) {
            (None, _) => code.add(current.first, position),
            (Some(start), Spread::Contiguous) => code.add(start, position),
            (Some(start), _) => {
                let inner = [position];
                let inner = &inner[..self.reduced];
                let addresses = &registers.operands;
                let index = addresses.along(code, operand, self.kept, inner, Some(start));
                index.unwrap_or(start)
            }
        }
    }

    /// The elements of an operand in some groups, or the one for the row.
    fn operand(
        &self,
        code: &mut Code,
        registers: &Registers,
        current: &CurrentRow,
        operand: usize,
        groups: &[Group],
    ) -> Vec<Reg> {
        let addresses = &registers.operands;
        if self.spreads[operand] == Spread::Uniform {
            let start = current.starts[operand];
            return vec![addresses.load(code, operand, current.row, start)];
        }
        let mut values = Vec::new();
        for group in groups {
            let index = self.element_index(code, registers, current, operand, group.position);
            if self.operands[operand].1 == Access::Position {
                values.push(addresses.load(code, operand, index, Some(index)));
            } else {
                let dtype = self.operands[operand].0;
                values.extend(addresses.neighbours(code, dtype, operand, index, self.lanes));
            }
        }
        values
    }

    /// The values of a step that is no reduction.
    fn step(
        &self,
        code: &mut Code,
        (registers, current, groups): (&Registers, &CurrentRow, &[Group]),
        step: &Step,
        varies: bool,
        values: &Values,
    ) -> Vec<Reg> {
        match step {
            Step::Operand(i) => self.operand(code, registers, current, *i, groups),
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
    fn across_team(
        &self,
        code: &mut Code,
        registers: &Registers,
        op: ElementOp,
        dtype: DType,
        sum: Reg,
    ) {
        let halves = |code: &mut Code, threads: u32| {
            let mut mask = threads / 2;
            while mask > 0 {
                let other = code.of_neighbour(sum, mask);
                add(code, op, dtype, sum, other);
                mask /= 2;
            }
        };
        halves(code, self.team.min(WARP));
        let Some((own, read)) = registers.shared else {
            return;
        };
        // The sums of the reduction before may still be read.
        code.barrier();
        let lane = code.op(
            Width::Word,
            "and.b32",
            &[registers.member.into(), Operand::Int(i64::from(WARP) - 1)],
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
        registers: &Registers,
        (op, dtype): (ReduceOp, DType),
        sum: Reg,
    ) -> Reg {
        let wide = combined_as(op, dtype);
        self.across_team(code, registers, combination(op), wide, sum);
        let value = match op {
            ReduceOp::Mean => mean(code, wide, sum, registers.length).unwrap_or(sum),
            _ => sum,
        };
        convert(code, wide, dtype, value).unwrap_or(value)
    }

    /// Stores the result's elements of some groups.
    fn store(
        &self,
        code: &mut Code,
        (registers, current, groups): (&Registers, &CurrentRow, &[Group]),
        values: &[Reg],
    ) {
        let target = self.operands.len() - 1;
        for (i, group) in groups.iter().enumerate() {
            let values: Vec<Reg> = (0..self.lanes)
                .map(|lane| at(values, i * self.lanes + lane))
                .collect();
            let write = |code: &mut Code| {
                let index = self.element_index(code, registers, current, target, group.position);
                let address = code.element_address(registers.out, index, self.dtype);
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
            match (current.exists, group.inside) {
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
    fn store_one(&self, code: &mut Code, registers: &Registers, current: &CurrentRow, value: Reg) {
        let mut writes = code.compare("eq", registers.member, 0);
        if let Some(exists) = current.exists {
            let both = [writes.into(), exists.into()];
            writes = code.op(Width::Predicate, "and.pred", &both);
        }
        code.when(writes, |code| {
            code.store(self.dtype, registers.out, current.row, value);
        });
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

impl Description for RowProgram {
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
        let operands = Addresses::parameters(code, &self.operands, rank, index);
        let axes = if operands.need_coordinates() { rank } else { 0 };
        let dims: Vec<Reg> = (0..axes).map(|_| code.number(index)).collect();
        let thread = code.special("%tid.x");
        let in_team = [thread.into(), Operand::Int(i64::from(self.team) - 1)];
        let member = code.op(Width::Word, "and.b32", &in_team);
        let registers = Registers {
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
        code.count_up(base, registers.rows, step, |code| {
            let current = self.current_row(code, &registers, base, team, teams > 1);
            match self.held {
                0 => self.run_again(code, &registers, &current),
                _ => self.run_held(code, &registers, &current),
            }
        });
    }
}

impl RowProgram {
    /// The row of this thread's team. A team beyond the last row computes the last one again.
    fn current_row(
        &self,
        code: &mut Code,
        registers: &Registers,
        base: Reg,
        team: Reg,
        many: bool,
    ) -> CurrentRow {
        let mut row = base;
        let mut exists = None;
        if many {
            let own = code.add(base, team);
            exists = Some(code.compare("lt", own, registers.rows));
            let last = code.sub(registers.rows, 1);
            let min = if self.wide { "min.u64" } else { "min.u32" };
            row = code.op(self.index(), min, &[own.into(), last.into()]);
        }
        let outer = match registers.operands.need_coordinates() {
            true => coordinates(code, row, &registers.dims[..self.kept]),
            false => Vec::new(),
        };
        let starts = (0..self.operands.len())
            .map(|operand| registers.operands.along(code, operand, 0, &outer, None))
            .collect();
        CurrentRow {
            row,
            first: code.mul(row, registers.length),
            starts,
            exists,
        }
    }
}
