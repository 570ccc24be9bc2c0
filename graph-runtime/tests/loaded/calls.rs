//! Calls of a function that is made of a graph.

use std::collections::BTreeMap;

use graph_runtime::autodiff::grad;
use graph_runtime::function::{Function, LoadedFunction, Parameter, TypeSpec};
use graph_runtime::graph::{Graph, Shape, TensorType};
use graph_runtime::prelude::*;
use graph_runtime::tensor::AnyTensor;
use graph_runtime::variable::Place;
use graph_runtime::{Array, DType, GraphState, TraceType};

/// `a * x + b` and the sum of `x`, where `a` and `b` are fields of a struct.
fn line() -> LoadedFunction {
    let graph: Graph =
        "graph (a: float32[], b: float32[], x: float32[?]) -> (float32[?], float32[]) {
        %3 = mul(a, x) : float32[?]
        y = add(%3, b) : float32[?]
        s = reduce_sum(x) {axes = [0], keep_dims = false} : float32[]
        return y, s
    }"
        .parse()
        .unwrap();
    let scalar = TypeSpec::OfTensor(TensorType::scalar(DType::F32));
    let vector = TypeSpec::OfTensor(TensorType::new(DType::F32, Shape::of([None])));
    let fields = [("a", scalar.clone()), ("b", scalar.clone())];
    let function = Function {
        name: "line".into(),
        graph: graph.into(),
        parameters: vec![
            Parameter::new("line", TypeSpec::structure("Line", fields)),
            Parameter::new("x", vector.clone()),
        ],
        results: TypeSpec::structure("", [("y", vector), ("sum", scalar)]),
    };
    LoadedFunction::new(function, vec![]).unwrap()
}

#[derive(Clone, GraphState, TraceType)]
struct Line {
    a: Tensor<f32>,
    b: Tensor<f32>,
}

/// A result of the program that calls; the program that made the graph needn't have it.
#[derive(GraphState)]
struct Both {
    y: Tensor<f32>,
    sum: Tensor<f32>,
}

#[test]
fn a_struct_is_given_as_one_or_as_its_fields() {
    let (a, b, x) = (tensor(2.0f32), tensor(1.0f32), tensor([1.0f32, 3.0]));
    let line = line();
    let given = Line {
        a: a.clone(),
        b: b.clone(),
    };
    let (y, sum): (Tensor<f32>, Tensor<f32>) = line.call((given, &x)).unwrap();
    assert_eq!((y.to_vec(), sum.item()), (vec![3.0, 7.0], 4.0));
    let (y, _): (Tensor<f32>, Tensor<f32>) = line.call(((&a, &b), &x)).unwrap();
    assert_eq!(y.to_vec(), [3.0, 7.0]);
}

#[test]
fn a_result_is_a_struct_a_map_a_tuple_or_a_list() {
    let line = line();
    let call = ((tensor(2.0f32), tensor(1.0f32)), tensor([1.0f32, 3.0]));
    let both: Both = line.call(&call).unwrap();
    assert_eq!((both.y.to_vec(), both.sum.item()), (vec![3.0, 7.0], 4.0));
    let map: BTreeMap<String, Tensor<f32>> = line.call(&call).unwrap();
    assert_eq!(
        (map["y"].to_vec(), map["sum"].item()),
        (vec![3.0, 7.0], 4.0)
    );
    let list: Vec<AnyTensor> = line.call(&call).unwrap();
    assert_eq!(list[1].tensor::<f32>().unwrap().item(), 4.0);
}

#[test]
fn tensors_have_names_and_positions() {
    let line = line();
    let paths: Vec<String> = line
        .function()
        .leaves()
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    assert_eq!(paths, ["line.a", "line.b", "x"]);
    let results: Vec<String> = line
        .function()
        .result_names()
        .into_iter()
        .map(|(n, _)| n)
        .collect();
    assert_eq!(results, ["y", "sum"]);
    let (a, b, x) = (tensor(2.0f32), tensor(1.0f32), tensor([1.0f32, 3.0]));
    let named = [
        ("x", (&x).into()),
        ("line.b", (&b).into()),
        ("line.a", (&a).into()),
    ];
    let both: Both = line.call_named(named).unwrap();
    assert_eq!(both.y.to_vec(), [3.0, 7.0]);
    let flat = line
        .call_flat(&[a.as_any(), b.as_any(), x.as_any()])
        .unwrap();
    assert_eq!(flat[0].tensor::<f32>().unwrap().to_vec(), [3.0, 7.0]);
}

#[test]
fn a_graph_function_calls_it_as_a_node() {
    #[graph_fn]
    fn twice(line: &LoadedFunction, x: Tensor<f32>) -> Tensor<f32> {
        let one = tensor(1.0f32);
        let mut x = x;
        for _ in 0..2 {
            let (y, _): (Tensor<f32>, Tensor<f32>) = line.call(((&one + &one, &one), &x)).unwrap();
            x = y;
        }
        x
    }
    let (first, second) = (line(), line());
    assert_eq!(twice(&first, tensor([1.0f32])).to_vec(), [7.0]);
    assert_eq!(twice(&first, tensor([2.0f32])).to_vec(), [11.0]);
    assert_eq!(twice::function().trace_count(), 1);
    assert_eq!(twice(&second, tensor([2.0f32])).to_vec(), [11.0]);
    assert_eq!(twice::function().trace_count(), 2);
    let concrete = &twice::function().concrete_functions()[0];
    assert!(
        concrete.graph().to_string().contains("call line("),
        "{}",
        concrete.graph()
    );
}

#[test]
fn gradients_go_through_it() {
    let line = line();
    let x = tensor([1.0f32, 3.0]);
    let f = |a: &Tensor<f32>| {
        let both: Both = line.call(((a, tensor(1.0f32)), &x)).unwrap();
        (both.y.square() * both.sum).sum()
    };
    // Of the sum of 4 (x a + 1)² it is 8 x (x a + 1), summed: 8 · 3 + 24 · 7 at a = 2.
    assert_eq!(grad(f)(&tensor(2.0f32)).item(), 192.0);
    #[graph_fn]
    fn slope(line: &LoadedFunction, a: Tensor<f32>) -> Tensor<f32> {
        let x = tensor([1.0f32, 3.0]);
        let tape = GradientTape::new();
        tape.watch(&a);
        let both: Both = line.call(((&a, tensor(1.0f32)), &x)).unwrap();
        let y = (both.y.square() * both.sum).sum();
        tape.gradient(&y, &a).unwrap()
    }
    assert_eq!(slope(&line, tensor(2.0f32)).item(), 192.0);
}

#[test]
fn its_variables_change_and_can_be_trained() {
    let graph: Graph = "graph (x: float32[]) with (steps: int32[], w: float32[]) -> float32[] {
        one = constant 1 : int32[]
        n = read_variable steps : int32[]
        m = add(n, one) : int32[]
        assign_variable steps (m)
        v = read_variable w : float32[]
        y = mul(x, v) : float32[]
        return y
    }"
    .parse()
    .unwrap();
    let place = |name: &str, value: Array| {
        let ty = TensorType::of_array(&value);
        std::sync::Arc::new(Place::new(name, ty, value).unwrap())
    };
    let places = vec![
        place("steps", Array::scalar(0i32)),
        place("w", Array::scalar(3.0f32)),
    ];
    let f = LoadedFunction::new(Function::of_graph("f", graph), places).unwrap();
    let tape = GradientTape::new();
    let y: Tensor<f32> = f.call(tensor(5.0f32)).unwrap();
    let read = tape.watched_variables();
    let gradients = tape.gradient(&y, &read);
    assert_eq!(
        (y.item(), gradients[0].tensor::<f32>().unwrap().item()),
        (15.0, 5.0)
    );
    let _: Tensor<f32> = f.call(tensor(5.0f32)).unwrap();
    let steps = f.variables()[0].read().to_host().unwrap();
    assert_eq!(*steps, Array::scalar(2i32));
}

/// A type that knows a shape holds what the graph gives in such a shape; what the graph leaves open is checked when it runs.
#[test]
fn results_may_have_shapes_in_their_types() {
    let (line, a, b) = (line(), tensor(2.0f32), tensor(1.0f32));
    let at = |x: &Tensor<f32>| line.call::<(Tensor<f32, S1<2>>, Tensor<f32, S0>)>(((&a, &b), x));
    let (y, sum) = at(&tensor([1.0, 3.0])).unwrap();
    assert_eq!((y.to_vec(), sum.item()), (vec![3.0, 7.0], 4.0));

    let error = at(&tensor([1.0, 3.0, 5.0])).unwrap_err();
    let text = "its result, TensorSpec(shape=(3,), dtype=tf.float32, name=None), which doesn't fit the type";
    assert!(error.message().contains(text), "{error}");

    let never = line.call::<(Tensor<f32, S2<1, 2>>, Tensor<f32>)>(((&a, &b), tensor([1.0f32])));
    let error = never.err().unwrap();
    assert!(error.message().contains("shape=(None,)"), "{error}");
}

/// In a graph, the check is a node.
#[test]
fn the_shape_of_a_traced_result_is_checked_when_it_runs() {
    #[graph_fn]
    fn first_two(
        line: &LoadedFunction,
        x: Tensor<f32, shape![_]>,
    ) -> graph_runtime::Result<Tensor<f32, S1<2>>> {
        let (y, _): (Tensor<f32, S1<2>>, Tensor<f32>) =
            line.call(((tensor(2.0f32), tensor(1.0f32)), x))?;
        Ok(y)
    }
    let line = line();
    assert_eq!(
        first_two(&line, vec![1.0, 3.0]).unwrap().to_vec(),
        [3.0, 7.0]
    );
    assert!(first_two(&line, vec![1.0, 3.0, 5.0]).is_err());
    assert_eq!(first_two::function().trace_count(), 1);
}
