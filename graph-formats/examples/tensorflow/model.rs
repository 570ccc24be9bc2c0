//! A model with variables, a function of several traces, a training step, control flow and a signature.

use graph_formats::tensorflow::saved_model::{Function, Model, Signature, StoredVariable, Trace};
use graph_ir::graph::{Graph, SharedGraph};
use graph_kernels::Array;

use crate::{Failure, programs};

/// `relu(x · w + b)`.
const CALL: &str =
    "graph (x: float32[?,3]) with (w: float32[3,2], b: float32[2]) -> (float32[?,2]) {
  %1 = read_variable w : float32[3,2]
  %2 = matmul(x, %1) {transpose_a = false, transpose_b = false} : float32[?,2]
  %3 = read_variable b : float32[2]
  %4 = add(%2, %3) : float32[?,2]
  %5 = relu(%4) : float32[?,2]
  return %5
}
";

/// `b` becomes `b - x`, then the function doubles it, and returns it.
const STEP: &str = "graph (x: float32[2]) with (b: float32[2]) -> (float32[2]) {
  %1 = read_variable b : float32[2]
  %2 = sub(%1, x) : float32[2]
  assign_variable b (%2)
  %3 = read_variable b : float32[2]
  %4 = add(%3, %3) : float32[2]
  assign_variable b (%4)
  %5 = read_variable b : float32[2]
  return %5
}
";

fn square(dtype: &str) -> String {
    format!(
        "graph (x: {dtype}[?]) -> ({dtype}[?]) {{\n  %1 = mul(x, x) : {dtype}[?]\n  return %1\n}}\n"
    )
}

fn trace(text: &str, variables: &[usize]) -> Result<Trace, Failure> {
    Ok(Trace {
        graph: SharedGraph::from(text.parse::<Graph>()?),
        variables: variables.to_vec(),
        results: Vec::new(),
    })
}

/// The model.
pub fn model() -> Result<Model, Failure> {
    let call = trace(CALL, &[0, 1])?;
    let function = |name: &str, traces| Function {
        name: name.to_owned(),
        traces,
    };
    Ok(Model {
        variables: vec![
            StoredVariable::new(
                "layers.0.w",
                Array::new(&[3, 2], vec![1f32, -2.0, 0.5, 3.0, -1.0, 0.25]),
            ),
            StoredVariable::new("layers.0.b", Array::new(&[2], vec![0.5f32, -0.5])),
        ],
        functions: vec![
            function("predict", vec![call.clone()]),
            function(
                "square",
                vec![
                    trace(&square("float32"), &[])?,
                    trace(&square("int32"), &[])?,
                ],
            ),
            function("collatz", vec![trace(programs::COLLATZ, &[])?]),
            function("step", vec![trace(STEP, &[1])?]),
        ],
        signatures: vec![Signature {
            name: "serving_default".to_owned(),
            trace: call,
        }],
        refused: Vec::new(),
    })
}
