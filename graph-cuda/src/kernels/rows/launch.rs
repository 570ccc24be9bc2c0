//! Launches of row programs: how many threads share a row, and how many elements of it each of them keeps.

use graph_kernels::DType;

use super::{LANES, RowProgram, RowStep, Spread, WARP};
use crate::driver::{Buffer, Failed, Fault, Launch};
use crate::kernels::chain::{Access, Input, Walk};
use crate::kernels::{Description, Kernels, View};

/// How many elements of each operand a thread keeps, at most.
const MOST_HELD: usize = 32;
/// How many elements of all operands a thread keeps, at most.
const MOST_VALUES: usize = 96;
/// From this many rows on, each thread has rows of its own if neighbouring elements belong to different rows.
const MANY: usize = 4096;

/// A row program.
pub struct Row<'a> {
    /// The sizes of the axes: those that count rows, then that of a row, which isn't empty.
    pub dims: &'a [usize],
    /// The dtype of the result.
    pub dtype: DType,
    /// The values; the last one is the result.
    pub steps: Vec<RowStep>,
    /// The operands, with views over all axes.
    pub inputs: &'a [Input<'a>],
    /// Where the elements of the result are; `None` if it has one element for each row, in order.
    pub target: Option<View>,
}

/// How an operand lies along the rows of a walk.
fn spread(walk: &Walk, kept: usize, operand: usize) -> Spread {
    let inner = &walk.views[operand].strides[kept..];
    match walk.accesses[operand] {
        Access::Value | Access::First => Spread::Uniform,
        Access::Same => Spread::Contiguous,
        _ if inner.iter().all(|stride| *stride == 0) => Spread::Uniform,
        Access::Strided if *inner == [1] => Spread::Contiguous,
        _ => Spread::Stepped,
    }
}

/// Whether threads can load neighbours of this operand at once.
fn has_lanes(walk: &Walk, kept: usize, operand: usize) -> bool {
    let lanes = LANES as i64;
    let view = &walk.views[operand];
    match spread(walk, kept, operand) {
        Spread::Uniform => true,
        Spread::Contiguous => {
            let mut outer = view.strides[..kept].iter();
            view.offset % lanes == 0 && outer.all(|stride| stride % lanes == 0)
        }
        Spread::Stepped => false,
    }
}

/// How many threads share a row, and how many groups of neighbours each of them keeps: with few elements beyond the end of a row, and a part of a warp
/// rather than a block.
fn team(rows: usize, length: usize, lanes: usize, varying: usize, across: bool) -> (u32, usize) {
    if across && rows >= MANY {
        return (1, 0);
    }
    let held = |team: usize| length.div_ceil(lanes).div_ceil(team);
    let fits = |team: &usize| {
        let elements = held(*team) * lanes;
        // A block's threads share its registers.
        let values = if *team > 256 { 64 } else { MOST_VALUES };
        elements <= MOST_HELD.min(values / varying.max(1)).max(lanes)
    };
    let cost = |team: &usize| {
        let elements = held(*team) * lanes;
        let is_block = *team > WARP as usize;
        let good = if is_block { 16 } else { LANES };
        let beyond = team * elements - length;
        // An eighth more is no matter.
        (beyond * 8 / length, is_block, elements.abs_diff(good))
    };
    let teams = [1, 2, 4, 8, 16, 32, 128, 256, 512].into_iter();
    match teams.filter(fits).min_by_key(cost) {
        Some(team) => (team as u32, held(team)),
        None => (512, 0),
    }
}

impl Kernels {
    /// Runs a row program.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn rows(&self, out: &Buffer, program: Row<'_>) -> Result<(), Failed> {
        let Row {
            dims,
            dtype,
            steps,
            inputs,
            target,
        } = program;
        let [outer @ .., length] = dims else {
            return Ok(());
        };
        let rows: usize = outer.iter().product();
        if rows == 0 || *length == 0 {
            return Ok(());
        }
        let one_per_row = target.is_none();
        let mut all = inputs.to_vec();
        // The result is walked as an operand is.
        all.extend(target.map(|view| Input::Tensor(dtype, out, view)));
        let walk = Walk::new(dims, outer.len(), &all);
        let reduced = usize::from(*length != 1);
        let kept = walk.dims.len() - reduced;
        let spreads: Vec<Spread> = (0..all.len()).map(|i| spread(&walk, kept, i)).collect();
        let mut operands = 0..all.len();
        let lanes = match length % LANES == 0 && operands.all(|i| has_lanes(&walk, kept, i)) {
            true => LANES,
            false => 1,
        };
        let varying = spreads[..inputs.len()].iter();
        let varying = varying.filter(|spread| **spread != Spread::Uniform);
        let across = walk.goes_across(kept);
        let (team, held) = team(rows, *length, lanes, varying.count(), across);
        let description = RowProgram {
            operands: walk.operands(&all),
            spreads,
            steps,
            dtype,
            one_per_row,
            kept,
            reduced,
            team,
            lanes,
            held,
            full: held * lanes * team as usize == *length,
            wide: walk.wide,
        };
        let mut parameters = vec![out.address(), rows as u64, *length as u64];
        if description.can_fail() {
            parameters.push(Fault::of_thread(self.gpu())?.parameter());
        }
        parameters.extend(all.iter().map(Input::parameter));
        let steps: Vec<u64> = walk.steps().collect();
        if !steps.is_empty() {
            parameters.extend(steps);
            parameters.extend(walk.dims.iter().map(|size| *size as u64));
        }
        let teams = (description.threads() / team) as usize;
        let launch = Launch {
            blocks: (self.blocks(rows.div_ceil(teams), 32), 1),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Rows::write` reads them. The views lie in their tensors' buffers.
        unsafe { self.launch(&description, &launch) }
    }
}
