//! The steps of which chains and programs are made: functions of inputs and of each other's values.

use smallvec::SmallVec;

use crate::ReduceOp;
use crate::element::ElementOp;

/// The application of a function in a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The function.
    pub op: StepOp,
    /// The operands of the function.
    pub operands: SmallVec<[Operand; 3]>,
}

/// The work of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepOp {
    /// An elementwise function.
    Element(ElementOp),
    /// A reduction over the last axis, which stays as an axis of size 1.
    Reduce(ReduceOp),
}

impl From<ElementOp> for StepOp {
    fn from(op: ElementOp) -> StepOp {
        StepOp::Element(op)
    }
}

/// A value of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// An input, counted from 0.
    Input(usize),
    /// The value of an earlier step, counted from 0.
    Step(usize),
}
