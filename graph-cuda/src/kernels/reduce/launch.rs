//! Launches of reductions: who reduces a row, and into how many parts long rows are cut.

use graph_kernels::{DType, ElementOp, ReduceOp};

use super::{Reduce, THREADS, Way};
use crate::driver::{Buffer, Failed, Fault, Launch};
use crate::kernels::chain::{Chain, Input, Step, Walk, can_fail};
use crate::kernels::combine::{combination, combined_as};
use crate::kernels::{Kernels, Row, RowStep, Target, View};

/// Rows up to this length are reduced by one thread each.
const SHORT: usize = 64;
/// From this many results on, threads have rows of their own if elements of different rows are neighbours.
const SIDE_BY_SIDE: usize = 32;
/// Rows from this length on are cut into parts if there are few of them.
const LONG: usize = 16384;
/// How many blocks a multiprocessor should get.
const BLOCKS: usize = 16;

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
