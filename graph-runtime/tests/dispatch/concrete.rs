//! Concrete functions: made from values or specs, found by subtyping, called, printed and inspected.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use graph_runtime::autodiff::custom_gradient;
use graph_runtime::prelude::*;
use graph_runtime::{GraphState, TraceType};

#[graph_fn]
fn pow(a: Tensor<f32>, b: i32) -> Tensor<f32> {
    a.pow(b as f32)
}

#[test]
fn literals_are_bound() {
    let square = pow::concrete(TensorSpec::of_any_rank(), 2).unwrap();
    assert_eq!(
        square.to_string(),
        "ConcreteFunction Input Parameters:\n  \
           a (POSITIONAL_OR_KEYWORD): TensorSpec(shape=<unknown>, dtype=tf.float32, name=None)\n  \
           b (POSITIONAL_OR_KEYWORD): Literal[2]\n\
         Output Type:\n  TensorSpec(shape=<unknown>, dtype=tf.float32, name=None)\n\
         Captures:\n  None"
    );
    let result: Tensor<f32> = square.call((tensor(10.0f32), 2)).unwrap();
    assert_eq!(result.item(), 100.0);
    let result: Tensor<f32> = square.call(tensor([3.0f32, 4.0])).unwrap();
    assert_eq!(result.to_vec(), [9.0, 16.0]);
    let message =
        |result: graph_runtime::Result<Tensor<f32>>| result.unwrap_err().message().to_owned();
    let begin = "Binding inputs to `pow` failed due to ";
    assert_eq!(
        message(square.call((tensor(10.0f32), 3))),
        format!("{begin}`Can not cast 3 to Literal[2]` for parameter `b`")
    );
    assert_eq!(
        message(square.call(tensor(1))),
        format!(
            "{begin}`Can not cast TensorSpec(shape=(), dtype=tf.int32, name=None) to TensorSpec(shape=<unknown>, dtype=tf.float32, \
             name=None)` for parameter `a`, which takes float32[*], not int32[]"
        )
    );
    assert_eq!(
        message(square.call(())),
        format!("{begin}`missing a required argument: 'a'`")
    );
    assert_eq!(
        message(square.call((tensor(1.0f32), 2, 2))),
        format!("{begin}`too many positional arguments`")
    );
    assert!(
        square
            .call::<Tensor<i32>>(tensor(1.0f32))
            .unwrap_err()
            .message()
            .contains("Tensor<i32>")
    );
}

#[test]
fn what_specs_cover_is_served() {
    #[graph_fn]
    fn rows(x: Tensor<i32>) -> Tensor<i32> {
        x * 2
    }
    let wide = rows::concrete(TensorSpec::new(&[None, None])).unwrap();
    let same = rows::concrete(TensorSpec::new(&[Some(1), None])).unwrap();
    assert!(
        std::sync::Arc::ptr_eq(&wide, &same),
        "the wide one was first"
    );
    assert_eq!(rows(tensor([[1, 2]])).to_vec(), [2, 4]);
    assert_eq!(rows::function().trace_count(), 1);
    assert_eq!(rows(tensor([1, 2])).to_vec(), [2, 4]);
    assert_eq!(rows::function().trace_count(), 2, "another rank");
}

/// Shows which trace served the call, by the number of unknown dimensions with which it was traced.
#[graph_fn]
fn unknown_dimensions(x: Tensor<i32>) -> usize {
    let shape = x.shape();
    shape
        .dims()
        .map_or(9, |dims| dims.iter().filter(|d| d.is_none()).count())
}

#[test]
fn the_most_specific_one_wins() {
    let specs: [&[Option<usize>]; 3] = [&[Some(1), Some(2)], &[Some(1), None], &[None, None]];
    for sizes in specs {
        unknown_dimensions::concrete(TensorSpec::new(sizes)).unwrap();
    }
    unknown_dimensions::concrete(TensorSpec::of_any_rank()).unwrap();
    assert_eq!(unknown_dimensions::function().trace_count(), 4);
    for _ in 0..2 {
        assert_eq!(unknown_dimensions(tensor([[1, 2]])), 0);
        assert_eq!(unknown_dimensions(tensor([[1, 2, 3]])), 1);
        assert_eq!(unknown_dimensions(tensor([[1, 2], [3, 4]])), 2);
        assert_eq!(unknown_dimensions(tensor([1, 2])), 9);
    }
    assert_eq!(unknown_dimensions::function().trace_count(), 4);
}

#[derive(Clone, TraceType, GraphState)]
struct Layer {
    weight: Tensor<f32>,
    bias: Tensor<f32>,
}

#[graph_fn]
fn dense(x: Tensor<f32>, layer: Layer) -> Tensor<f32> {
    x.matmul(layer.weight) + layer.bias
}

#[test]
fn specs_stand_for_tensors_that_are_lent() {
    #[graph_fn]
    fn scaled(x: &Tensor<f32>, w: &Tensor<f32, shape![_, 2]>) -> Tensor<f32> {
        x.matmul(w)
    }
    #[graph_fn]
    fn half<T: Float>(x: &Tensor<T>) -> Tensor<T> {
        x * T::from_f64(0.5)
    }
    let open = TensorSpec::new(&[None, Some(1)]);
    let concrete = scaled::concrete(open, TensorSpec::of_any_rank()).unwrap();
    let text = concrete.graph().to_text();
    assert!(
        text.contains("(x: float32[?,1], w: float32[?,2])"),
        "{text}"
    );
    let y: Tensor<f32> = concrete
        .call((tensor([[2.0f32]]), tensor([[1.0f32, 3.0]])))
        .unwrap();
    assert_eq!(y.to_vec(), [2.0, 6.0]);
    half::concrete(TensorSpec::<f64>::new(&[None])).unwrap();
    half::concrete(&tensor([1.0f32])).unwrap();
    half::concrete(&Variable::new(tensor(1.0f64))).unwrap();
    assert_eq!(half::function().trace_count(), 3);
}

#[test]
fn specs_stand_in_structs_and_collections() {
    let layer = Layer {
        weight: TensorSpec::new(&[Some(2), Some(1)]).placeholder(),
        bias: TensorSpec::new(&[Some(1)]).placeholder(),
    };
    let concrete = dense::concrete(TensorSpec::new(&[None, Some(2)]), layer).unwrap();
    let layer = Layer {
        weight: tensor([[2.0], [3.0]]),
        bias: tensor([0.5]),
    };
    let x = tensor([[1.0, 1.0], [0.0, 1.0]]);
    let y: Tensor<f32> = concrete.call((x.clone(), layer.clone())).unwrap();
    assert_eq!(y.to_vec(), [5.5, 3.5]);
    assert_eq!(dense(x, layer).to_vec(), [5.5, 3.5]);
    assert_eq!(dense::function().trace_count(), 1);

    #[graph_fn]
    fn total(parts: BTreeMap<&str, Tensor<i32>>) -> Tensor<i32> {
        let mut sum = tensor(0);
        for part in parts.values() {
            sum += part.sum();
        }
        sum
    }
    let any = || TensorSpec::new(&[None]).placeholder();
    total::concrete(BTreeMap::from([("a", any()), ("b", any())])).unwrap();
    assert_eq!(
        total(BTreeMap::from([("a", tensor([1, 2])), ("b", tensor([3]))])).item(),
        6
    );
    assert_eq!(total::function().trace_count(), 1);
}

#[test]
fn names_of_specs_are_those_of_the_graph() {
    let spec = TensorSpec::new(&[Some(7)]).named("base");
    let concrete = pow::concrete(spec, 3).unwrap();
    assert!(
        concrete.graph().to_string().contains("base"),
        "{}",
        concrete.graph()
    );
}

type Vector = Tensor<f64>;

/// x³, with a gradient that closes over `x`.
#[graph_fn]
fn cube(x: Vector) -> Vector {
    let around = x.clone();
    custom_gradient(x, |x| {
        (&x * &x * &x, move |dy: Vector| dy * 3.0 * &around * &around)
    })
}

#[test]
fn a_gradient_by_hand_knows_what_a_placeholder_stands_for() {
    let spec = TensorSpec::new(&[None]).placeholder();
    let concrete = cube::concrete(spec).unwrap();
    let y: Vector = concrete.call((tensor([1.0, 2.0]),)).unwrap();
    assert_eq!(y.to_vec(), [1.0, 8.0]);
}

#[test]
fn a_spec_has_no_value() {
    let x: Tensor<i32> = TensorSpec::like(&tensor([1, 2])).placeholder();
    #[graph_fn]
    fn fallible(x: Tensor<i32>) -> graph_runtime::Result<Tensor<i32>> {
        Ok(x + 1)
    }
    let error = fallible(x.clone()).unwrap_err();
    assert!(error.message().contains("only a specification"), "{error}");
    let outside = x;
    #[graph_fn]
    fn captures(
        x: Tensor<i32>,
        other: &dyn Fn() -> Tensor<i32>,
    ) -> graph_runtime::Result<Tensor<i32>> {
        Ok(x + other())
    }
    let error = captures(tensor([1, 2]), &|| outside.clone()).unwrap_err();
    assert!(error.message().contains("only a specification"), "{error}");
}

#[test]
fn flat_calls_take_and_give_tensors() {
    #[graph_fn]
    fn pair(xs: Vec<Tensor<i32>>, n: i32, y: Tensor<i32>) -> (Tensor<i32>, Option<Tensor<i32>>) {
        (xs[0] + xs[1] * n, Some(y))
    }
    let [a, b, y] = [tensor([1]), tensor([2]), tensor(7)];
    let concrete = pair::concrete(vec![a.clone(), b.clone()], 10, y.clone()).unwrap();
    let flat =
        |tensors: &[&Tensor<i32>]| -> graph_runtime::Result<(Tensor<i32>, Option<Tensor<i32>>)> {
            let tensors: Vec<_> = tensors.iter().map(|t| t.as_any()).collect();
            concrete.call_flat(&tensors)
        };
    let (sum, also) = flat(&[&a, &b, &y]).unwrap();
    assert_eq!((sum.to_vec(), also.unwrap().item()), (vec![21], 7));
    assert!(flat(&[&a]).is_err());
    assert!(flat(&[&a, &b, &tensor([1, 2])]).is_err());
    let message = |tensors: &[&Tensor<i32>]| flat(tensors).map(|_| ()).unwrap_err();
    assert_eq!(
        message(&[&a]).message(),
        "Binding inputs to `pair` failed due to the number of tensors, 1 where the graph takes 3: `xs`, `xs`, `y`"
    );
    let error = message(&[&a, &b, &tensor([1, 2])]);
    assert_eq!(
        error.message(),
        "Binding inputs to `pair` failed due to `Can not cast TensorSpec(shape=(2,), dtype=tf.int32, name=None) to \
         TensorSpec(shape=(), dtype=tf.int32, name=None)` for parameter `y`, which takes int32[], not int32[2]"
    );
    assert!(error.location().file.ends_with("concrete.rs"), "{error}");
    let error = concrete.call_flat::<Tensor<i32>>(&[]).unwrap_err();
    assert!(error.message().contains("isn't of type"), "{error}");
    let (sum, y): (Tensor<i32>, Option<Tensor<i32>>) = concrete.call((vec![a, b], 10, y)).unwrap();
    assert_eq!((sum.to_vec(), y.unwrap().item()), (vec![21], 7));
}

#[test]
fn a_concrete_function_can_be_called_in_a_graph() {
    #[graph_fn]
    fn twice(x: Tensor<f32>) -> Tensor<f32> {
        let square = pow::concrete(x.clone(), 2).unwrap();
        let y: Tensor<f32> = square.call(x).unwrap();
        square.call(y).unwrap()
    }
    assert_eq!(twice(tensor([2.0, 3.0])).to_vec(), [16.0, 81.0]);

    #[graph_fn]
    fn square_of(a: Tensor<f32>) -> Tensor<f32> {
        a.square()
    }
    #[graph_fn]
    fn misfit(x: Tensor<f32>, tensors: usize) -> graph_runtime::Result<Tensor<f32>> {
        let square = square_of::concrete(TensorSpec::new(&[Some(2)])).unwrap();
        square.call_flat(&[x.as_any(), x.as_any()][..tensors])
    }
    let error = |x: Tensor<f32>, n: usize| misfit(x, n).unwrap_err().message().to_owned();
    assert!(error(tensor([1.0, 2.0]), 2).contains("2 where the graph takes 1: `a`"));
    assert!(error(tensor([1.0]), 1).contains("Can not cast TensorSpec(shape=(1,)"));
    assert_eq!(misfit(tensor([2.0, 3.0]), 1).unwrap().to_vec(), [4.0, 9.0]);
}

#[test]
fn specs_for_parameters_whose_types_tell_the_shape() {
    #[graph_fn]
    fn columns(x: Tensor<f32, shape![_, 2]>) -> Tensor<f32> {
        x.sum_axis(0).dynamic()
    }
    // Whatever the spec knows about the shape, the trace has the shape of the parameter's type.
    for sizes in [&[None, Some(2)][..], &[Some(3), Some(2)], &[None, None]] {
        let concrete = columns::concrete(TensorSpec::new(sizes)).unwrap();
        let x = tensor([[1.0f32, 2.0], [3.0, 4.0]]);
        let sums: Tensor<f32> = concrete.call(x).unwrap();
        assert_eq!(sums.to_vec(), [4.0, 6.0]);
    }
    columns::concrete(TensorSpec::of_any_rank()).unwrap();
    columns::concrete(tensor([[1.0f32, 2.0]])).unwrap();
    assert_eq!(columns::function().trace_count(), 1);
    let cast = "Can not cast TensorSpec(shape=(None, 3), dtype=tf.float32, name=None) to TensorSpec(shape=(None, 2), \
                dtype=tf.float32, name=None)";
    let error = columns::concrete(TensorSpec::new(&[None, Some(3)])).unwrap_err();
    assert!(error.message().contains(cast), "{error}");
}

#[test]
fn parameters_that_a_call_writes_are_the_functions_own() {
    #[graph_fn]
    fn bump(x: &mut Tensor<i32>) {
        *x += 1;
    }
    let mut x = tensor(1);
    let concrete = bump::concrete(&mut x).unwrap();
    assert!(
        concrete
            .call::<()>(x.clone())
            .unwrap_err()
            .message()
            .contains("`&mut`")
    );
    assert!(concrete.call_flat::<()>(&[x.as_any()]).is_err());
    // `x` is unchanged, although the function was traced with it.
    assert_eq!(x.item(), 1);
}

#[test]
fn what_fails_while_it_is_traced_is_an_error_of_concrete() {
    #[graph_fn]
    fn product(x: Tensor<f32>) -> Tensor<f32> {
        x.matmul(&x)
    }
    #[graph_fn]
    fn fallible(x: Tensor<f32>) -> graph_runtime::Result<Tensor<f32>> {
        Ok(x.matmul(&x))
    }
    let wide = || TensorSpec::new(&[Some(1), Some(3)]);
    for error in [
        product::concrete(wide()).unwrap_err(),
        fallible::concrete(wide()).unwrap_err(),
    ] {
        assert!(error.message().contains("matmul"), "{error}");
        assert!(error.location().file.ends_with("concrete.rs"), "{error}");
    }
    // The failed traces leave nothing behind.
    product::concrete(TensorSpec::new(&[None, None])).unwrap();
    assert_eq!(product(tensor([[3.0]])).to_vec(), [9.0]);
}

#[test]
fn what_has_no_graph_isnt_run_for_one() {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    #[derive(Debug)]
    struct OfRust;
    #[graph_fn]
    fn of_rust(x: &Tensor<f32>) -> OfRust {
        RUNS.fetch_add(x.rank() as u32 + 1, Ordering::SeqCst);
        OfRust
    }
    #[graph_fn]
    fn fails() -> Result<Tensor<f32>, String> {
        Err("by itself".to_owned())
    }
    let error = of_rust::concrete(&tensor(1.0)).unwrap_err();
    assert!(error.message().contains("runs as plain Rust"), "{error}");
    assert_eq!(RUNS.load(Ordering::SeqCst), 0);
    let error = fails::concrete().unwrap_err();
    assert!(error.message().contains("`Err` of its own"), "{error}");
}

/// After a call that failed, the trace around it continues without values, and its error is that of the call.
#[test]
fn a_call_that_fails_is_an_error_of_the_trace_around() {
    #[graph_fn]
    fn product(x: Tensor<f32>) -> (Tensor<f32>, usize) {
        (x.matmul(&x), 2)
    }
    #[graph_fn]
    fn column(x: Tensor<f32, shape![_, 1]>) -> Tensor<f32> {
        x.dynamic()
    }
    static GOES_ON: AtomicU32 = AtomicU32::new(0);
    #[graph_fn]
    fn around(x: Tensor<f32>, which: usize) -> Tensor<f32> {
        let y = match which {
            0 => {
                let (y, n) = product(x.clone());
                y * n as f32
            }
            _ => column(x.clone()),
        };
        GOES_ON.fetch_add(1, Ordering::SeqCst);
        if y.sum() > 0.0 { y } else { x }
    }
    let wide = || TensorSpec::new(&[Some(1), Some(3)]);
    for (which, says) in [(0, "matmul"), (1, "Can not cast")] {
        let error = around::concrete(wide(), which).unwrap_err();
        assert!(error.message().contains(says), "{error}");
        assert!(error.location().file.ends_with("concrete.rs"), "{error}");
    }
    assert_eq!(GOES_ON.load(Ordering::SeqCst), 2);
    assert_eq!(around(tensor([[3.0]]), 0).to_vec(), [18.0]);
}
