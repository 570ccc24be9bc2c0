//! Graphs as models of ONNX, which onnxruntime and other programs run.
//!
//! - `model`: the model around the main graph: inputs, outputs, initializers, functions;
//! - `graphs`: the nodes of a graph; `flow`: `If` and `Loop`; `calls`: functions;
//! - `ops`: the ops of the table, one function for each, in families;
//! - `writer`: nodes before they have names, constants; `tensors`: arrays and types as messages;
//! - `kernels`: which dtypes onnxruntime computes each operator with;
//! - `left`: the ops that ONNX can't say, each with the reason.
//!
//! What is exported how:
//!
//! | here | in ONNX |
//! |---|---|
//! | an op of the table | the operator of the same meaning, or a few of them |
//! | `cond`, `switch_case` | `If`, nested for more than two branches; a branch sees the values around it |
//! | `while_loop` | `Loop`, whose condition is computed before it and at the end of its body |
//! | a called function | a function of the model, in the domain `local` |
//! | a variable | an initializer; its new value, if the graph writes it, is a further output `NAME_new` |
//! | a size that isn't known | a dimension with a name |
//! | the user's line | `doc_string` of each node |
//! | a print, an assertion | an error with op and line, unless [`Options::drop_prints_and_assertions`] leaves them out |
//! | a random seed, an iteration over a dataset | an error with op and line |
//!
//! Every op of numbers is written, but for these, which [`reason`] names:
//!
//! | op | why not |
//! |---|---|
//! | `check_numerics` | ONNX has no operator that ends a run; leave the check out of what is exported |
//! | `solve` | ONNX has no operator that solves linear equations |
//! | `stateless_bits`, `stateless_integers` | the random operators of ONNX can't draw the numbers that follow from a seed |
//! | `stateless_normal`, `stateless_shuffle` | the random operators of ONNX can't draw the numbers that follow from a seed |
//! | `stateless_truncated_normal`, `stateless_uniform` | the random operators of ONNX can't draw the numbers that follow from a seed |
//! | `string_chars`, `string_length` | ONNX has no operator for the length of strings |
//! | `string_lower`, `string_upper` | `StringNormalizer` takes only vectors, and its result depends on a locale |
//! | `string_reduce_join` | ONNX joins strings of two operands, not those of an axis |
//! | `string_strip` | ONNX has no operator that strips strings |
//! | `string_substr` | ONNX has no operator that takes parts of strings |
//! | `as_string` | ONNX doesn't say how a number is written as a string |
//!
//! Some are refused for some operands: `erfc` of `float64`, convolutions of integers, the gradient of a convolution in groups, sorting and
//! padding of strings, and what must know a rank or the size of an image that isn't known. A rank of an input or a result that isn't known
//! is refused as well.
//!
//! Two things are the runtime's choice, because ONNX doesn't define them: which of NaN and a number `ReduceMax`, `Max` and their like
//! return, and the order of NaN in `TopK`. An operator that fails here for a value, such as a position out of bounds, may give any result
//! there.

mod calls;
mod flow;
mod graphs;
mod kernels;
mod left;
mod model;
mod ops;
mod options;
mod tensors;
#[cfg(test)]
mod tests;
mod writer;

use graph_ir::error::Result;
use graph_ir::graph::Graph;

use super::proto::ModelProto;

pub use left::reason;
pub use options::{OPSETS, Options, Signature};
pub use tensors::tensor;

/// A graph, as it was traced, as a model.
///
/// ```
/// use graph_formats::onnx::export::{Options, Signature, export};
/// use graph_ir::graph::Graph;
///
/// let text = "graph (x: float32[?]) -> (float32[?]) { y = mul(x, x) : float32[?] return y }";
/// let graph: Graph = text.parse().unwrap();
/// let model = export(&graph, &Signature::default(), &Options::default()).unwrap();
/// let nodes = &model.graph.as_ref().unwrap().node;
/// assert_eq!((nodes[0].op_type.as_str(), nodes[0].output[0].as_str()), ("Mul", "output"));
/// ```
///
/// # Errors
/// If the graph contains what ONNX can't say. The error names the op, the reason and the user's line.
pub fn export(graph: &Graph, signature: &Signature, options: &Options) -> Result<ModelProto> {
    model::write(graph, signature, options)
}

/// A model as the bytes of its file. The same model gives the same bytes.
pub fn to_bytes(model: &ModelProto) -> Vec<u8> {
    prost::Message::encode_to_vec(model)
}
