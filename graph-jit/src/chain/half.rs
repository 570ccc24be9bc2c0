//! Chains over `float64` with `int32` among them, such as a count of steps beside what is calculated. Each lane has 64 bits, and an integer lies
//! in the lower half of its lane; what is in the upper half doesn't matter. So masks fit both, and the code is that of numbers of one size, but
//! for loads and stores of halves.

use graph_kernels::codegen::{ChainSource, LaneOp, LaneProgram, LaneStep, LaneType};
use smallvec::SmallVec;

/// The bits of a half.
const HALF: u8 = 32;

/// A chain with 64 bits in each lane, if it mixes sizes. `None` if a step can't be done on halves.
pub fn widened(source: &ChainSource) -> Option<ChainSource> {
    let mut source = source.clone();
    let has = |ty| source.program.steps.iter().any(|step| step.ty == ty);
    let mixes = has(LaneType::F64) && has(LaneType::I32);
    if mixes {
        let mut widener = Widener::default();
        for step in &source.program.steps {
            let place = widener.step(step)?;
            widener.places.push(place);
        }
        let results = source.program.results.iter();
        source.program = LaneProgram {
            results: results.map(|n| widener.places[*n]).collect(),
            steps: widener.steps,
        };
    }
    Some(source)
}

#[derive(Default)]
struct Widener {
    steps: Vec<LaneStep>,
    /// The places of the steps of the chain.
    places: Vec<usize>,
}

impl Widener {
    fn push(&mut self, op: LaneOp, ty: LaneType, operands: &[usize]) -> usize {
        self.steps.push(LaneStep {
            op,
            ty,
            operands: SmallVec::from_slice(operands),
        });
        self.steps.len() - 1
    }

    fn step(&mut self, step: &LaneStep) -> Option<usize> {
        let operands = step.operands.iter().map(|n| self.places[*n]);
        let operands: SmallVec<[usize; 3]> = operands.collect();
        if step.ty != LaneType::I32 {
            return Some(self.push(step.op, step.ty, &operands));
        }
        let ty = LaneType::I64;
        Some(match step.op {
            // In the upper halves, where only the numbers count.
            LaneOp::Compare(_) => {
                let operands: Vec<usize> = operands
                    .iter()
                    .map(|n| self.push(LaneOp::ShiftLeft(HALF), ty, &[*n]))
                    .collect();
                self.push(step.op, ty, &operands)
            }
            LaneOp::ShiftRight(_) => {
                let half = self.push(LaneOp::Number(u32::MAX.into()), ty, &[]);
                let alone = self.push(LaneOp::And, ty, &[operands[0], half]);
                self.push(step.op, ty, &[alone])
            }
            LaneOp::Input(_)
            | LaneOp::Number(_)
            | LaneOp::Carried(_)
            | LaneOp::Select
            | LaneOp::Add
            | LaneOp::Sub
            | LaneOp::And
            | LaneOp::Or
            | LaneOp::Xor
            | LaneOp::ShiftLeft(_) => self.push(step.op, ty, &operands),
            _ => return None,
        })
    }
}
