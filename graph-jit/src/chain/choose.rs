//! Chooses the instructions for the steps of a program: one for each, or one for a comparison and the select that depends on it.

use graph_kernels::codegen::{Comparison, LaneOp, LaneProgram};
use smallvec::SmallVec;

use super::instructions::{Selected, Vectors, extremes, select};

/// The instruction of a step, and the steps whose values it reads.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub selected: Selected,
    pub operands: SmallVec<[usize; 3]>,
}

/// The instructions of the steps, in order. There is none for an input, for a number, and for a value that nobody reads. `None` if a step
/// can't become an instruction.
pub fn choose(program: &LaneProgram, size: usize, vectors: Vectors) -> Option<Vec<Option<Chosen>>> {
    let mut is_read = vec![false; program.steps.len()];
    program.results.iter().for_each(|n| is_read[*n] = true);
    let mut all = vec![None; program.steps.len()];
    for (n, step) in program.steps.iter().enumerate().rev() {
        if !is_read[n] || matches!(step.op, LaneOp::Input(_) | LaneOp::Number(_)) {
            continue;
        }
        let chosen = match extreme(program, n, vectors) {
            Some(chosen) => chosen,
            None => Chosen {
                selected: select(step, size, vectors)?,
                operands: step.operands.clone(),
            },
        };
        chosen.operands.iter().for_each(|k| is_read[*k] = true);
        all[n] = Some(chosen);
    }
    Some(all)
}

/// The instruction for `a > b ? a : b` or `a < b ? a : b`: of two zeros, and where one is NaN, it gives the second operand, as the select does.
fn extreme(program: &LaneProgram, n: usize, vectors: Vectors) -> Option<Chosen> {
    let step = &program.steps[n];
    let (LaneOp::Select, [mask, a, b]) = (step.op, &step.operands[..]) else {
        return None;
    };
    let mask = &program.steps[*mask];
    let LaneOp::Compare(Comparison::Less) = mask.op else {
        return None;
    };
    let is_less = mask.operands[..] == [*a, *b];
    let is_greater = mask.operands[..] == [*b, *a];
    let [smaller, larger] = extremes(mask.ty, vectors)?;
    let code = match (is_less, is_greater) {
        (true, _) => smaller,
        (_, true) => larger,
        _ => return None,
    };
    Some(Chosen {
        selected: Selected::Two(code, false),
        operands: SmallVec::from_slice(&[*a, *b]),
    })
}
