//! What a caller chooses, and what a graph doesn't say about itself.

use std::ops::RangeInclusive;
use std::sync::Arc;

use graph_kernels::Array;

/// The versions of ONNX's operators that models can be written in.
pub const OPSETS: RangeInclusive<i64> = 18..=21;

/// How a model is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The version of the operators, 18 to 21; by default 20. Strings are joined and compared from 20 on.
    pub opset: i64,
    /// Leaves out what the graph prints and asserts. ONNX has no operator for either, so otherwise they are errors.
    pub drop_prints_and_assertions: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            opset: 20,
            drop_prints_and_assertions: false,
        }
    }
}

/// What a graph doesn't say about itself: names for users, and the values of what it captured.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// The name of the function.
    pub name: String,
    /// Names of the inputs, in order. An input without one has the name of the graph's value, or a number.
    pub inputs: Vec<String>,
    /// Names of the outputs, in order.
    pub outputs: Vec<String>,
    /// The values of the graph's last inputs, which become initializers of the model.
    pub captured: Vec<Arc<Array>>,
    /// The values of the graph's variables, in order. They become initializers; a variable without a value becomes an input.
    pub variables: Vec<Option<Arc<Array>>>,
}
