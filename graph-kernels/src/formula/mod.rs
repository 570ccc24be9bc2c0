//! Formulas as lists of steps. The formulas of the element table and of `math` are generic over their number type. Run over a [`Symbol`],
//! they don't calculate, but record what they would calculate. So machine code for vectors ([`Codegen`](crate::codegen::Codegen)) is made
//! of the same lines that the kernels are made of, and no function is written twice.
//!
//! A formula that compares numbers branches, as Rust does. It is run once for each outcome of its comparisons ([`ways`]), and the results
//! are merged by selects, as deep in the formula as it goes: of `a / b` and `a / c` the divisors are merged, and there is one division.
//!
//! A function that can't be recorded gives no steps, and a chain with such a function stays with the interpreter.

mod compact;
mod evaluate;
mod recorder;
mod steps;
mod symbol;
mod ways;

pub(crate) use recorder::{RecordedLoop, input, number, push, record, step, unknown};
pub use steps::{Comparison, LaneOp, LaneProgram, LaneStep, LaneType, Rounding};
pub(crate) use symbol::{FormulaValue, Plain, Symbol, Unknown, Word};
pub(crate) use ways::all_ways;
