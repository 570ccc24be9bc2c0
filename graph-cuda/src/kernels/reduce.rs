//! Reductions: each result is combined from a row of elements, which a chain computes. Either the threads of a block share a row, or each thread
//! has rows of its own. The order of the combinations is fixed, so runs repeat to the bit.

use graph_kernels::{DType, ElementOp, ReduceOp};

#[cfg(test)]
use super::chain::Access;
use super::chain::{Chain, Input, Places, Step, Walk, can_fail, compute, coordinates};
use super::combine::{self, combination, combined_as, convert, mean, neutral};
use super::map::thread_and_step;
use super::{Description, Kernels, Row, RowStep, Target, View};
use crate::driver::{Buffer, Failed, Fault, Launch};
use crate::ptx::{self, Code, Operand, Reg, Width};

const THREADS: u32 = 256;
/// Rows up to this length are reduced by one thread each.
const SHORT: usize = 64;
/// From this many results on, threads have rows of their own if elements of different rows are neighbours.
const SIDE_BY_SIDE: usize = 32;
/// Rows from this length on are cut into parts if there are few of them.
const LONG: usize = 16384;
/// How many blocks a multiprocessor should get.
const BLOCKS: usize = 16;

/// Who reduces a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Way {
    Block,
    Thread,
}

/// A kernel that reduces rows of elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduce {
    chain: Chain,
    combine: ElementOp,
    /// The dtype in which elements are combined.
    sum: DType,
    /// Whether the result is divided by the length of a row.
    mean: bool,
    /// The dtype of the result.
    result: DType,
    kept: usize,
    reduced: usize,
    way: Way,
    wide: bool,
}

/// The registers that the kernel's parameters are in.
struct Frame {
    out: Reg,
    rows: Reg,
    length: Reg,
    parts: Reg,
    part_length: Reg,
    operands: Places,
    dims: Vec<Reg>,
}

impl Reduce {
    /// The element at a position of a row, as the dtype of the sum.
    fn element(
        &self,
        code: &mut Code,
        frame: &Frame,
        row: Reg,
        starts: &[Option<Reg>],
        position: Reg,
    ) -> Option<Reg> {
        let same = code.mul_add(row, frame.length, position);
        let inner = match frame.operands.need_coordinates() {
            true => coordinates(code, position, &frame.dims[self.kept..]),
            false => Vec::new(),
        };
        let operands: Vec<Reg> = (0..self.chain.operands.len())
            .map(|operand| {
                let start = starts[operand];
                let places = &frame.operands;
                let own = places.along(code, operand, self.kept, &inner, start);
                frame.operands.load(code, operand, same, own)
            })
            .collect();
        let element = compute(code, &self.chain, &operands)?;
        convert(code, self.chain.dtype, self.sum, element)
    }

    /// Combines the elements of this thread: from `first` up to `end`.
    fn combine(
        &self,
        code: &mut Code,
        frame: &Frame,
        row: Reg,
        (first, end, step): (Reg, Reg, Operand),
    ) -> Reg {
        let outer = match frame.operands.need_coordinates() {
            true => coordinates(code, row, &frame.dims[..self.kept]),
            false => Vec::new(),
        };
        let starts: Vec<Option<Reg>> = (0..self.chain.operands.len())
            .map(|operand| frame.operands.along(code, operand, 0, &outer, None))
            .collect();
        let sum = ptx::constant(code, self.sum, neutral(self.combine, self.sum));
        let position = code.copy(first, first.width);
        // Several elements are loaded before the first of them is combined, because loads take long.
        let many = self.at_once();
        let [all, before] = [many, many - 1].map(|count| times(code, step, count, first.width));
        let limit = code.sub(end, before);
        let is_short = code.compare("lt", end, before);
        let nothing = code.copy(0, first.width);
        let select = match first.width {
            Width::Double => "selp.b64",
            _ => "selp.b32",
        };
        let limit = [nothing.into(), limit.into(), is_short.into()];
        let limit = code.op(first.width, select, &limit);
        code.count_up(position, limit, all, |code| {
            let mut at = position;
            let mut elements = Vec::new();
            for i in 0..many {
                if i > 0 {
                    at = code.add(at, step);
                }
                elements.extend(self.element(code, frame, row, &starts, at));
            }
            for element in elements {
                self.add(code, sum, element);
            }
        });
        code.count_up(position, end, step, |code| {
            let element = self.element(code, frame, row, &starts, position);
            if let Some(element) = element {
                self.add(code, sum, element);
            }
        });
        sum
    }

    /// How many elements a thread loads at once.
    fn at_once(&self) -> i64 {
        let mut steps = self.chain.steps.iter();
        match steps.any(|step| matches!(step, Step::Element(..))) {
            true => 4,
            false => 8,
        }
    }

    /// Combines a value with the sum.
    fn add(&self, code: &mut Code, sum: Reg, value: Reg) {
        combine::add(code, self.combine, self.sum, sum, value);
    }

    /// Combines the values of all threads of the block; thread 0 has the result.
    fn across_block(&self, code: &mut Code, sum: Reg) {
        let bytes = self.sum.bytes() as u32;
        let start = code.shared(THREADS * bytes);
        let base = code.shared_address(start);
        let thread = code.special("%tid.x");
        let own = code.mul_add(thread, i64::from(bytes), base);
        // The row before may still be read.
        code.barrier();
        code.store_at("shared", self.sum, own, sum);
        let mut half = THREADS / 2;
        while half > 0 {
            code.barrier();
            let takes_part = code.compare("lt", thread, i64::from(half));
            code.when(takes_part, |code| {
                let other = code.add(own, i64::from(half * bytes));
                let other = code.load_at("shared", self.sum, other);
                self.add(code, sum, other);
                code.store_at("shared", self.sum, own, sum);
            });
            half /= 2;
        }
    }

    fn store(&self, code: &mut Code, frame: &Frame, row: Reg, part: Reg, sum: Reg) {
        let mut value = sum;
        if self.mean {
            value = mean(code, self.sum, sum, frame.length).unwrap_or(sum);
        }
        let value = convert(code, self.sum, self.result, value).unwrap_or(value);
        let at = code.mul_add(row, frame.parts, part);
        code.store(self.result, frame.out, at, value);
    }
}

/// A step, `count` times.
fn times(code: &mut Code, step: Operand, count: i64, width: Width) -> Reg {
    match step {
        Operand::Reg(step) => code.mul(step, count),
        Operand::Int(step) => code.copy(step * count, width),
        _ => unreachable!("a step is an integer"),
    }
}

impl Description for Reduce {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let index = Width::of_indices(self.wide);
        let out = code.address();
        let [rows, length, parts, part_length] = [(); 4].map(|()| code.number(index));
        if self.chain.checks {
            code.fault_parameter();
        }
        let rank = self.kept + self.reduced;
        let operands = Places::parameters(code, &self.chain.operands, rank, index);
        let axes = if operands.need_coordinates() { rank } else { 0 };
        let dims = (0..axes).map(|_| code.number(index)).collect();
        let frame = Frame {
            out,
            rows,
            length,
            parts,
            part_length,
            operands,
            dims,
        };
        let part = code.special("%ctaid.y");
        let part = code.widened(part, index);
        let first = code.mul(part, frame.part_length);
        let end = code.add(first, frame.part_length);
        let min = format!("min.{}", if self.wide { "u64" } else { "u32" });
        let end = code.op(index, &min, &[end.into(), frame.length.into()]);
        match self.way {
            Way::Thread => {
                let (thread, step) = thread_and_step(code, index);
                let row = code.copy(thread, index);
                code.count_up(row, frame.rows, step, |code| {
                    let elements = (first, end, Operand::Int(1));
                    let sum = self.combine(code, &frame, row, elements);
                    self.store(code, &frame, row, part, sum);
                });
            }
            Way::Block => {
                let row = code.special("%ctaid.x");
                let row = code.widened(row, index);
                let row = code.copy(row, index);
                let blocks = code.special("%nctaid.x");
                let blocks = code.widened(blocks, index);
                code.count_up(row, frame.rows, blocks, |code| {
                    let thread = code.special("%tid.x");
                    let wide = code.widened(thread, index);
                    let mine = code.add(first, wide);
                    let elements = (mine, end, Operand::Int(i64::from(THREADS)));
                    let sum = self.combine(code, &frame, row, elements);
                    self.across_block(code, sum);
                    let is_first = code.compare("eq", thread, 0);
                    code.when(is_first, |code| {
                        self.store(code, &frame, row, part, sum);
                    });
                });
            }
        }
    }
}

/// A reduction of a chain's elements.
pub struct Reduction<'a> {
    /// How elements are combined.
    pub op: ReduceOp,
    /// The sizes of the axes: those that the result keeps, then those that are reduced.
    pub dims: &'a [usize],
    /// How many axes the result keeps.
    pub kept: usize,
    /// The dtype of the chain's elements.
    pub dtype: DType,
    /// The chain.
    pub steps: Vec<Step>,
    /// The operands, with views over all axes.
    pub inputs: &'a [Input<'a>],
}

impl Kernels {
    /// Reduces a chain's elements; the result is of the same dtype.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn reduce(&self, out: &Buffer, reduction: Reduction<'_>) -> Result<(), Failed> {
        let Reduction {
            op,
            dims,
            kept,
            dtype,
            steps,
            inputs,
        } = reduction;
        let rows: usize = dims[..kept].iter().product();
        let length: usize = dims[kept..].iter().product();
        if rows == 0 {
            return Ok(());
        }
        let walk = Walk::new(dims, kept, inputs);
        let kept_axes = dims[..kept].iter().filter(|size| **size != 1).count();
        let joined_kept = joined_count(&walk, rows, kept_axes);
        let across = walk.goes_across(joined_kept);
        let reduced = walk.dims.len() - joined_kept;
        if !across && reduced == 1 && (1..LONG).contains(&length) && !can_fail(&steps, inputs) {
            return self.reduce_rows(out, &walk, (op, dtype), steps, inputs);
        }
        let wanted = self.gpu().multiprocessors as usize * BLOCKS;
        let (way, parts) = cut(rows, length, across, wanted);
        let sum = combined_as(op, dtype);
        let description = Reduce {
            chain: Chain {
                operands: walk.operands(inputs),
                checks: can_fail(&steps, inputs),
                steps,
                dtype,
            },
            combine: combination(op),
            sum,
            mean: op == ReduceOp::Mean && parts == 1,
            result: if parts == 1 { dtype } else { sum },
            kept: joined_kept,
            reduced,
            way,
            wide: walk.wide,
        };
        if parts == 1 {
            return self.reduce_parts(out, &description, &walk, inputs, [rows, length, 1]);
        }
        let partial = Buffer::new(self.gpu(), rows * parts * sum.bytes())?;
        let sizes = [rows, length, parts];
        self.reduce_parts(&partial, &description, &walk, inputs, sizes)?;
        let view = View::of(&[rows, parts]);
        let inputs = [Input::Tensor(sum, &partial, view)];
        let walk = Walk::new(&[rows, parts], 1, &inputs);
        let kept = joined_count(&walk, rows, 1);
        // The parts are combined; their number is not what a mean is divided by.
        let combine = Reduce {
            chain: Chain {
                operands: walk.operands(&inputs),
                steps: vec![Step::Operand(0)],
                dtype: sum,
                checks: false,
            },
            combine: combination(op),
            sum,
            mean: false,
            result: sum,
            kept,
            reduced: walk.dims.len() - kept,
            way: Way::Block,
            wide: false,
        };
        if op != ReduceOp::Mean && sum == dtype {
            return self.reduce_parts(out, &combine, &walk, &inputs, [rows, parts, 1]);
        }
        let whole = Buffer::new(self.gpu(), rows * sum.bytes())?;
        self.reduce_parts(&whole, &combine, &walk, &inputs, [rows, parts, 1])?;
        self.finish(out, &whole, (op, sum, dtype), rows, length)
    }

    /// Reduces rows of a chain's elements by a row program.
    fn reduce_rows(
        &self,
        out: &Buffer,
        walk: &Walk,
        (op, dtype): (ReduceOp, DType),
        steps: Vec<Step>,
        inputs: &[Input<'_>],
    ) -> Result<(), Failed> {
        let of = steps.len() - 1;
        let mut steps: Vec<RowStep> = steps.into_iter().map(RowStep::Element).collect();
        steps.push(RowStep::Reduce(op, dtype, of));
        let pairs = inputs.iter().zip(&walk.views);
        let inputs: Vec<Input<'_>> = pairs.map(|(input, view)| input.by(view)).collect();
        let row = Row {
            dims: &walk.dims,
            dtype,
            steps,
            inputs: &inputs,
            target: None,
        };
        self.rows(out, row)
    }

    /// Divides sums by the length of their rows, for a mean, and converts them to the result's dtype.
    fn finish(
        &self,
        out: &Buffer,
        sums: &Buffer,
        (op, sum, dtype): (ReduceOp, DType, DType),
        rows: usize,
        length: usize,
    ) -> Result<(), Failed> {
        let input = Input::Tensor(sum, sums, View::of(&[rows]));
        let mut steps = vec![Step::Operand(0)];
        let mut inputs = vec![input];
        if op == ReduceOp::Mean {
            inputs.push(Input::Value(sum, bits_of_count(sum, length)));
            steps.push(Step::Operand(1));
            steps.push(Step::Element(ElementOp::Div, sum, vec![0, 1]));
        }
        if let (true, Some(op)) = (sum != dtype, ElementOp::conversion(dtype)) {
            steps.push(Step::Element(op, sum, vec![steps.len() - 1]));
        }
        self.map(&Target::Whole(out), &[rows], dtype, steps, &inputs)
    }

    /// Launches a kernel on rows of a length, cut into parts.
    fn reduce_parts(
        &self,
        out: &Buffer,
        description: &Reduce,
        walk: &Walk,
        inputs: &[Input<'_>],
        [rows, length, parts]: [usize; 3],
    ) -> Result<(), Failed> {
        let part_length = length.div_ceil(parts).max(1);
        let mut parameters = vec![out.address()];
        parameters.extend([rows, length, parts, part_length].map(|size| size as u64));
        if description.chain.checks {
            parameters.push(Fault::of_thread(self.gpu())?.parameter());
        }
        parameters.extend(inputs.iter().map(Input::parameter));
        let steps: Vec<u64> = walk.steps().collect();
        if !steps.is_empty() {
            parameters.extend(steps);
            parameters.extend(walk.dims.iter().map(|size| *size as u64));
        }
        let workers = match description.way {
            Way::Thread => rows.div_ceil(THREADS as usize),
            Way::Block => rows,
        };
        let launch = Launch {
            blocks: (self.blocks(workers, 32), parts as u32),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Reduce::write` reads them. The views lie in their tensors' buffers.
        unsafe { self.launch(description, &launch) }
    }
}

/// Who reduces rows, and how many parts of a row are reduced at the same time, so that there are as many blocks as wanted.
fn cut(rows: usize, length: usize, across: bool, wanted: usize) -> (Way, usize) {
    let way = match length <= SHORT || across && rows >= SIDE_BY_SIDE {
        true => Way::Thread,
        false => Way::Block,
    };
    let (workers, least) = match way {
        Way::Thread => (rows.div_ceil(THREADS as usize), SHORT),
        Way::Block => (rows, LONG / 4),
    };
    let parts = (wanted / workers.max(1)).min(length / least);
    (way, parts.max(1))
}

/// How many of the joined axes are kept: as many as make up the rows.
fn joined_count(walk: &Walk, rows: usize, most: usize) -> usize {
    let mut product = 1;
    let mut count = 0;
    while product < rows && count < most {
        product *= walk.dims[count];
        count += 1;
    }
    count
}

/// A count as the bits of an element.
fn bits_of_count(dtype: DType, count: usize) -> u64 {
    match dtype {
        DType::F32 => u64::from((count as f32).to_bits()),
        DType::F64 => (count as f64).to_bits(),
        _ => count as u64,
    }
}

#[cfg(test)]
impl Reduce {
    /// A kernel for each dtype and way.
    pub fn samples() -> Vec<Reduce> {
        let dtypes = [
            DType::F32,
            DType::F64,
            DType::F16,
            DType::BF16,
            DType::I8,
            DType::U64,
        ];
        let sample = |dtype, way, wide| Reduce {
            chain: Chain {
                operands: vec![(dtype, Access::Same), (dtype, Access::Strided)],
                steps: vec![
                    Step::Operand(0),
                    Step::Operand(1),
                    Step::Element(ElementOp::Mul, dtype, vec![0, 1]),
                ],
                dtype,
                checks: false,
            },
            combine: ElementOp::Add,
            sum: combined_as(ReduceOp::Mean, dtype),
            mean: true,
            result: dtype,
            kept: 1,
            reduced: 2,
            way,
            wide,
        };
        let ways = [(Way::Block, false), (Way::Thread, true)];
        let all = dtypes
            .iter()
            .flat_map(|dtype| ways.map(|(way, wide)| sample(*dtype, way, wide)));
        all.collect()
    }
}
