//! The types of values in a graph: dtype and shape, as far as they are known. Everything above speaks of them.

mod shape;
mod sizes;

pub use shape::{Dim, Shape, TensorType};
