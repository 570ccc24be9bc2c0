//! The graph: typed values, nodes with closed subgraphs, a verifier, a text form and Graphviz DOT.
//! Between tracing, which builds graphs, and passes and plan, which shrink and run them.

mod ir;
mod types;

pub use ir::{Graph, Node, Op, Value, ValueId};
pub use types::{Dim, Shape, TensorType};
