//! The types of values in a graph: dtype and shape, as far as they are known. All other modules use them.

mod shape;
mod sizes;

pub use shape::{Dim, Shape, TensorType};
