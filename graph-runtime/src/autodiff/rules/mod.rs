//! The gradient rules, one function each, a file for each family of ops. `table` names
//! the rule of each op. Conventions at kinks are TensorFlow's (`tensorflow/python/ops/*_grad.py`), where it has the op.

mod arithmetic;
mod arrange;
mod array;
mod conv;
mod diagonal;
mod einsum;
mod index;
mod linalg;
mod list;
mod mathematics;
mod moves;
mod parts;
mod reduce;
mod segment;
mod table;

pub(crate) use arithmetic::*;
pub(crate) use arrange::*;
pub(crate) use array::*;
pub(crate) use conv::*;
pub(crate) use diagonal::*;
pub(crate) use einsum::*;
pub(crate) use index::*;
pub(crate) use linalg::*;
pub(crate) use list::*;
pub(crate) use mathematics::*;
pub(crate) use moves::*;
pub(crate) use parts::*;
pub(crate) use reduce::*;
pub(crate) use segment::*;
pub use table::rule;
