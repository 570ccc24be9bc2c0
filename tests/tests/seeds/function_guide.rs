//! "Better performance with tf.function". (Gradients and fixed input signatures are in the modules about these subjects.)

use graph_runtime::Argument;
use graph_runtime::prelude::*;
use graph_runtime::tensor::Additive;

use crate::{host_print, in_each_way, prints, traced};

#[graph_fn]
fn add(a: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    a + b
}

#[graph_fn]
fn dense_layer(x: Tensor<f32>, w: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    add(matmul(x, w), b)
}

#[test]
fn a_function_is_used_like_an_operation_and_inside_others() {
    in_each_way(|| {
        assert_eq!(
            add(ones(&[2, 2]), ones(&[2, 2])).to_string(),
            "[[2. 2.]\n [2. 2.]]"
        );
        let dense = dense_layer(ones(&[3, 2]), ones(&[2, 2]), ones(&[2]));
        assert_eq!(dense.to_string(), "[[3. 3.]\n [3. 3.]\n [3. 3.]]");
    });
}

/// One function for all dtypes that can be added; it is traced once for each.
#[graph_fn]
fn double<T: Additive>(a: Tensor<T>) -> Tensor<T> {
    host_print(format!("Tracing with dtype={}", a.dtype()));
    a + a
}

const DOUBLE_SIGNATURES: &str = "\
Input Parameters:
  a (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.int32, name=None)
Output Type:
  TensorSpec(shape=(), dtype=tf.int32, name=None)
Captures:
  None

Input Parameters:
  a (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.float32, name=None)
Output Type:
  TensorSpec(shape=(), dtype=tf.float32, name=None)
Captures:
  None

Input Parameters:
  a (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.string, name=None)
Output Type:
  TensorSpec(shape=(), dtype=tf.string, name=None)
Captures:
  None";

#[test]
fn double_traces_for_each_dtype() {
    let strings = |text: &str| -> Tensor<String> { tensor(text) };
    traced(|| {
        let (host, _) = prints(|| {
            assert_eq!(double(tensor(1)).item(), 2);
            assert_eq!(double::<f32>(tensor(1.1)).item(), 2.2);
            assert_eq!(double(strings("a")).item(), "aa");
        });
        assert_eq!(
            host,
            [
                "Tracing with dtype=int32",
                "Tracing with dtype=float32",
                "Tracing with dtype=string"
            ]
        );
        // This doesn't print 'Tracing with ...'.
        let (host, _) = prints(|| assert_eq!(double(strings("b")).item(), "bb"));
        assert!(host.is_empty());
    });
    assert_eq!(double::function().pretty_signatures(), DOUBLE_SIGNATURES);
    let concrete = double::function().latest().unwrap();
    assert_eq!(
        concrete.signature(),
        "(a: TensorSpec(shape=(), dtype=tf.string, name=None)) -> TensorSpec(shape=(), dtype=tf.string, name=None)"
    );
    // The document lists the nodes: [] -> a, ['a', 'a'] -> add.
    assert!(
        concrete.graph().to_string().contains("add(a, a)"),
        "{}",
        concrete.graph()
    );
}

#[graph_fn]
fn next_collatz(x: Tensor<i32>) -> Tensor<i32> {
    select(x % 2 == 0, x.floor_div(2), 3 * x + 1)
}

#[test]
fn next_collatz_of_each() {
    in_each_way(|| assert_eq!(next_collatz(tensor([1, 2])).to_string(), "[4 1]"));
}

#[graph_fn]
fn g(x: Tensor<i32>) -> Tensor<i32> {
    host_print(format!("Tracing with shape={}", x.shape()));
    x
}

/// If no signature leaves the size open, each size has its own trace.
#[test]
fn sizes_are_traced_one_by_one() {
    traced(|| {
        let (host, _) = prints(|| {
            assert_eq!(g(tensor([1, 2, 3])).to_string(), "[1 2 3]");
            assert_eq!(g(tensor([1, 2, 3, 4, 5])).to_string(), "[1 2 3 4 5]");
            g(tensor([4, 5, 6]));
        });
        assert_eq!(host, ["Tracing with shape=[3]", "Tracing with shape=[5]"]);
    });
}

fn train_one_step() {}

#[graph_fn]
fn train_for(num_steps: i32) {
    host_print(format!("Tracing with num_steps = {num_steps}"));
    graph_print!("Executing with num_steps = {}", num_steps);
    for _ in 0..num_steps {
        train_one_step();
    }
}

#[graph_fn]
fn train_for_tensor(num_steps: Tensor<i32>) {
    host_print("Tracing with num_steps = Tensor");
    graph_print!("Executing with num_steps = {}", num_steps);
    for _ in 0..num_steps {
        train_one_step();
    }
}

#[test]
fn rust_arguments_retrace_and_tensors_do_not() {
    traced(|| {
        let (host, graph) = prints(|| {
            train_for(10);
            train_for(20);
        });
        assert_eq!(
            host,
            ["Tracing with num_steps = 10", "Tracing with num_steps = 20"]
        );
        assert_eq!(
            graph,
            [
                "Executing with num_steps = 10",
                "Executing with num_steps = 20"
            ]
        );
        let (host, graph) = prints(|| {
            train_for_tensor(tensor(10));
            train_for_tensor(tensor(20));
        });
        assert_eq!(host, ["Tracing with num_steps = Tensor"]);
        assert_eq!(
            graph,
            [
                "Executing with num_steps = 10",
                "Executing with num_steps = 20"
            ]
        );
    });
}

/// Two functions never share traces.
#[test]
fn separate_functions_trace_separately() {
    macro_rules! function {
        ($name:ident) => {
            #[graph_fn]
            fn $name() {
                host_print("Tracing!");
                graph_print!("Executing");
            }
        };
    }
    function!(first);
    function!(second);
    let (host, graph) = traced(|| {
        prints(|| {
            first();
            second();
        })
    });
    assert_eq!(
        (host, graph),
        (
            vec!["Tracing!".to_string(); 2],
            vec!["Executing".to_string(); 2]
        )
    );
}

trait Fruit {
    fn flavor(&self) -> Tensor<i32>;
}
struct Apple;
struct Mango;
impl Fruit for Apple {
    fn flavor(&self) -> Tensor<i32> {
        tensor([1, 2])
    }
}
impl Fruit for Mango {
    fn flavor(&self) -> Tensor<i32> {
        tensor([3, 4])
    }
}

#[graph_fn]
fn get_mixed_flavor<A: Fruit, B: Fruit>(fruit_a: A, fruit_b: B) -> Tensor<i32> {
    fruit_a.flavor() + fruit_b.flavor()
}

/// The trace type of a value without fields is its type: a second pair of the same types needs no trace.
#[test]
fn types_decide_about_traces() {
    traced(|| {
        assert_eq!(get_mixed_flavor(Apple, Mango).to_string(), "[4 6]");
        assert_eq!(get_mixed_flavor(Apple, Mango).to_string(), "[4 6]");
        assert_eq!(get_mixed_flavor::function().trace_count(), 1);
        assert_eq!(get_mixed_flavor(Mango, Mango).to_string(), "[6 8]");
        assert_eq!(get_mixed_flavor::function().trace_count(), 2);
    });
}

#[graph_fn]
fn pow(a: Tensor<f32>, b: impl Argument + Into<Tensor<f32>>) -> Tensor<f32> {
    a.pow(b.into())
}

const SQUARE: &str = "\
ConcreteFunction Input Parameters:
  a (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.float32, name=None)
  b (POSITIONAL_OR_KEYWORD): Literal[2]
Output Type:
  TensorSpec(shape=(), dtype=tf.float32, name=None)
Captures:
  None";

#[test]
fn rust_arguments_stay_in_the_signature() {
    assert_eq!(traced(|| pow(tensor(10.0), 2.0).item()), 100.0);
    assert_eq!(pow::function().latest().unwrap().to_string(), SQUARE);
}
