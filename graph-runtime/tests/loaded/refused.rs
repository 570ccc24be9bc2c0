//! What refuses a graph, its signature or a call, and with which words.

use graph_runtime::function::{Function, LoadedFunction, ToLoaded};
use graph_runtime::graph::Graph;
use graph_runtime::nn::Dense;
use graph_runtime::prelude::*;

fn add() -> LoadedFunction {
    let graph: Graph = "graph (x: int32[?], y: int32[]) -> int32[?] {
        z = add(x, y) : int32[?]
        return z
    }"
    .parse()
    .unwrap();
    LoadedFunction::new(Function::of_graph("add", graph), vec![]).unwrap()
}

#[track_caller]
fn refused<R: std::fmt::Debug>(result: graph_runtime::Result<R>, reason: &str) {
    let error = result.unwrap_err();
    assert_eq!(
        error.message(),
        format!("Binding inputs to `add` failed due to {reason}")
    );
    assert!(error.location().file.ends_with("refused.rs"), "{error}");
}

#[test]
fn a_call_that_does_not_fit_names_the_parameter() {
    let (add, x, y) = (add(), tensor([1, 2]), tensor(3));
    type T = Tensor<i32>;
    refused(
        add.call::<T>((&x, tensor(3.0f32))),
        "`Can not cast TensorSpec(shape=(), dtype=tf.float32, name=None) to TensorSpec(shape=(), dtype=tf.int32, name=None)` for parameter `y`, which takes int32[], not float32[]",
    );
    refused(
        add.call::<T>((&y, &y)),
        "`Can not cast TensorSpec(shape=(), dtype=tf.int32, name=None) to TensorSpec(shape=(None,), dtype=tf.int32, name=None)` for parameter `x`, which takes int32[?], not int32[]",
    );
    refused(
        add.call::<T>((&x, 3)),
        "`Can not cast 3 to TensorSpec(shape=(), dtype=tf.int32, name=None)` for parameter `y`, which takes a tensor, int32[]",
    );
    refused(add.call::<T>(&x), "`missing a required argument: 'y'`");
    refused(
        add.call::<T>((&x, &y, &y)),
        "`too many positional arguments`",
    );
    refused(
        add.call::<(T, T)>((&x, &y)),
        "its result, TensorSpec(shape=(None,), dtype=tf.int32, name=None), which doesn't fit the type `(graph_runtime::tensor::Tensor<i32>, graph_runtime::tensor::Tensor<i32>)`",
    );
    refused(
        add.call::<Tensor<f32>>((&x, &y)),
        "its result, TensorSpec(shape=(None,), dtype=tf.int32, name=None), which doesn't fit the type `graph_runtime::tensor::Tensor<f32>`",
    );
    refused(
        add.call_named::<T>([("x", (&x).into())]),
        "`missing a required argument: 'y'`",
    );
    refused(
        add.call_named::<T>([("z", (&x).into())]),
        "`got an unexpected keyword argument 'z'`",
    );
    refused(
        add.call_named::<T>([("x", (&x).into()), ("x", (&x).into())]),
        "`multiple values for argument 'x'`",
    );
    refused(
        add.call_flat(&[x.as_any()]).map(|_| ()),
        "the number of tensors, 1 where the graph takes 2: `x`, `y`",
    );
    refused(
        add.call_flat(&[x.as_any(), x.as_any()]).map(|_| ()),
        "`Can not cast TensorSpec(shape=(2,), dtype=tf.int32, name=None) to TensorSpec(shape=(), dtype=tf.int32, name=None)` for parameter `y`, which takes int32[], not int32[2]",
    );
}

#[test]
fn a_call_that_does_not_fit_is_refused_while_tracing() {
    #[graph_fn]
    fn wrong(add: &LoadedFunction, x: Tensor<i32>) -> graph_runtime::Result<Tensor<i32>> {
        let sum = add.call_flat(&[x.as_any(), x.as_any()])?;
        Ok(sum[0].tensor().expect("integers"))
    }
    let error = wrong(&add(), tensor([1, 2])).unwrap_err();
    assert!(error.message().contains("for parameter `y`"), "{error}");
}

#[test]
fn a_signature_must_be_that_of_the_graph() {
    let add = add();
    let mut function = add.function().clone();
    function.parameters.truncate(1);
    let error = LoadedFunction::new(function, vec![]).unwrap_err();
    assert_eq!(
        error.message(),
        "function `add`: 1 inputs in the signature, but 2 in the graph"
    );
    let mut function = add.function().clone();
    function.results = function.parameters[1].spec.clone();
    let error = LoadedFunction::new(function, vec![]).unwrap_err();
    assert_eq!(
        error.message(),
        "function `add`: output `output_0` is int32[] in the signature, but int32[?] in the graph"
    );
    let mut function = add.function().clone();
    let mut graph = Graph::clone(&function.graph);
    graph.nodes[0].inputs[1] = graph.nodes[0].outputs[0];
    function.graph = graph.into();
    let error = LoadedFunction::new(function, vec![]).unwrap_err();
    assert!(
        error.message().starts_with("function `add`: node 0 (add)"),
        "{error}"
    );
}

#[test]
fn a_bound_argument_must_be_what_was_traced() {
    #[graph_fn]
    fn predict(model: &Dense, x: Tensor<f32>) -> Tensor<f32> {
        model.call(x)
    }
    let (model, other) = (Dense::new(2, 3), Dense::new(3, 3));
    let concrete = predict::concrete(&model, TensorSpec::of_any_rank()).unwrap();
    let error = concrete.bind(&other).unwrap_err();
    assert!(
        error.message().contains(
            "this isn't what the function was traced for as `model`, Struct[Literal[\"Dense\"]"
        ),
        "{error}"
    );
    let error = concrete.bind(()).unwrap_err();
    assert_eq!(
        error.message(),
        "Binding the variables of `predict` failed: 0 values for the 1 parameters with variables: `model`"
    );
    assert!(concrete.to_loaded().unwrap().call_flat(&[]).is_err());
}
