//! Models come in: [`Model`] reads a file of ONNX, checks it, and makes a graph of it.
//!
//! - `model`: the signature, the graph, and calls;
//! - `check`: the structure of the file;
//! - `read`, `walk`, `function`: graphs, nodes in order, and calls of functions, whose nodes are read in place;
//! - `weights`: weights as further inputs, so that they can be trained;
//! - `scope`, `value`: what names stand for. Sequences and optional values exist only here: the graph has tensors;
//! - `build`, `terms`, `sizes`, `images`, `partly`, `repeat`: nodes of our graph, by the op table's rules, with small constants computed at once;
//! - `table`, `ops`: the importer of each op;
//! - `tensor`, `types`: constants and types.
//!
//! In ONNX much is an operand that is an attribute here, such as axes. An importer asks for the value of such an operand. If it isn't known,
//! the import ends with [`error::Fault::NeedsValue`], and a call of the model repeats it with the value of the argument that it comes from.

mod build;
mod check;
mod error;
mod function;
mod images;
mod model;
mod node;
mod ops;
mod partly;
mod read;
mod repeat;
mod scope;
mod sizes;
mod table;
mod tensor;
mod terms;
mod types;
mod value;
mod walk;
mod weights;

pub use error::{Error, ErrorKind};
pub use model::{Data, Model};
pub use types::{Parameter, Type};
pub use weights::Weight;
