//! The types of values in a graph: dtype and shape, as far as they are known. All other modules use them.

mod shape;
mod sizes;
mod spec;

pub(crate) use shape::SMALL;
pub use shape::{Dim, Shape, TensorType};
#[doc(hidden)]
pub use sizes::explain_unknown_sizes_by;
pub use spec::TypeSpec;
#[doc(hidden)]
pub use spec::tuple;
