//! The graph: typed values, nodes with closed subgraphs, a verifier, a text form and Graphviz DOT.
//! Between tracing, which builds graphs, and passes and plan, which shrink and run them.

mod dot;
pub mod fusion;
mod ir;
mod message;
mod op;
mod shared;
mod sizes;
pub mod steps;
mod text;
mod types;
mod verifier;

pub use ir::{Derivation, Graph, Node, Value, ValueId, VariableId};
pub use message::{Message, Print, PrintTo, SUMMARIZE};
pub use op::{IterationStep, Op};
pub use shared::SharedGraph;
pub use text::ParseError;
pub(crate) use text::{fingerprint, same_bits, values_text};
pub use types::{Dim, Shape, TensorType};
pub use verifier::{VerifyError, Violation, verify};
