//! The graph: typed values, nodes with closed subgraphs, a verifier, a text form and Graphviz DOT.
//! Tracing builds graphs, passes optimize them, and a plan is compiled from them.

mod dot;
mod flow;
pub mod fusion;
mod ir;
mod message;
mod op;
mod shared;
mod summary;
mod text;
mod verifier;

pub use crate::print::PrintTo;
pub use crate::steps;
pub use crate::types::{Dim, Shape, TensorType};
pub use flow::Flow;
pub use ir::{Derivation, Graph, Node, Value, ValueId, VariableId};
pub use message::{Message, Print, SUMMARIZE};
pub use op::{IterationStep, Op};
pub use shared::SharedGraph;
pub use summary::{Summary, SummaryKind};
pub use text::{ParseError, library};
pub(crate) use text::{fingerprint, same_bits, values_text};
pub(crate) use verifier::verify_nodes;
pub use verifier::{VerifyError, Violation, verify};
