//! Chooses the instructions for the steps of a program: one for each, or one for a comparison and the select that depends on it.

use graph_kernels::codegen::{Comparison, LaneOp, LaneProgram};
use smallvec::SmallVec;

use super::instructions::{self, Selected, Vectors, extremes, select};

/// The instruction of a step, and the steps whose values it reads.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub selected: Selected,
    pub operands: SmallVec<[usize; 4]>,
}

/// The instructions of the steps, in order. There is none for an input, for a number, and for a value that nobody reads. `None` if a step
/// can't become an instruction.
pub fn choose(program: &LaneProgram, size: usize, vectors: Vectors) -> Option<Vec<Option<Chosen>>> {
    let mut is_read = vec![false; program.steps.len()];
    program.results.iter().for_each(|n| is_read[*n] = true);
    let mut all = vec![None; program.steps.len()];
    for (n, step) in program.steps.iter().enumerate().rev() {
        let of_loop = match step.op {
            LaneOp::Loop(_) => Some(Selected::Loop),
            LaneOp::Carried(_) => Some(Selected::Carried),
            LaneOp::Repeat(_) => Some(Selected::Repeat),
            LaneOp::Times(_) => Some(Selected::Times),
            _ => None,
        };
        if let Some(selected) = of_loop {
            step.operands.iter().for_each(|k| is_read[*k] = true);
            let operands = step.operands.iter().copied().collect();
            all[n] = Some(Chosen { selected, operands });
            continue;
        }
        if !is_read[n] || matches!(step.op, LaneOp::Input(_) | LaneOp::Number(_)) {
            continue;
        }
        let together = extreme(program, n, vectors).or_else(|| choice(program, n, size, vectors));
        let chosen = match together {
            Some(chosen) => chosen,
            None => Chosen {
                selected: select(step, size, vectors)?,
                operands: step.operands.iter().copied().collect(),
            },
        };
        chosen.operands.iter().for_each(|k| is_read[*k] = true);
        all[n] = Some(chosen);
    }
    Some(all)
}

/// The instructions for a comparison and the select by it. A mask that several selects read is compared for each: that takes as long as
/// making a vector of it.
fn choice(program: &LaneProgram, n: usize, size: usize, vectors: Vectors) -> Option<Chosen> {
    let step = &program.steps[n];
    let (LaneOp::Select, [mask, a, b]) = (step.op, &step.operands[..]) else {
        return None;
    };
    let mask = &program.steps[*mask];
    let selected = instructions::choice(mask, size, vectors)?;
    let operands = mask.operands.iter().copied().chain([*a, *b]).collect();
    Some(Chosen { selected, operands })
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
