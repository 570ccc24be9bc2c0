//! "tf.function and AutoGraph in TensorFlow 2.0". (Keras layers, variables and the training loop are in the modules about these
//! subjects; a variable is a `&mut Tensor` here.)

use graph_runtime::Argument;
use graph_runtime::prelude::*;

use crate::{eagerly, host_print, in_each_way, prints, traced};

#[graph_fn]
fn simple_nn_layer(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    matmul(x, y).relu()
}

#[test]
fn simple_nn_layer_of_two_matrices() {
    let x = tensor([[1.0, -2.0, 3.0], [0.5, 0.0, -1.0], [2.0, 2.0, 2.0]]);
    let y = tensor([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [-1.0, 1.0, 0.0]]);
    in_each_way(|| {
        let out = simple_nn_layer(x.clone(), y.clone());
        assert_eq!(
            out.to_string(),
            "[[0.  1.  0. ]\n [1.5 0.  1. ]\n [0.  4.  6. ]]"
        );
    });
}

fn linear_layer(x: Tensor<i32>) -> Tensor<i32> {
    2 * x + 1
}

#[graph_fn]
fn deep_net(x: Tensor<i32>) -> Tensor<i32> {
    linear_layer(x).relu()
}

#[test]
fn deep_net_of_a_vector() {
    in_each_way(|| assert_eq!(deep_net(tensor([1, 2, 3])).to_string(), "[3 5 7]"));
}

#[graph_fn]
fn square_if_positive(x: Tensor<i32>) -> Tensor<i32> {
    let mut x = x;
    if x > 0 {
        x = x * x;
    } else {
        x = 0;
    }
    x
}

#[test]
fn square_if_positive_of_either_sign() {
    in_each_way(|| {
        assert_eq!(square_if_positive(tensor(2)).item(), 4);
        assert_eq!(square_if_positive(tensor(-2)).item(), 0);
    });
}

#[graph_fn]
fn sum_even(items: Tensor<i32>) -> Tensor<i32> {
    let mut s = tensor(0);
    for c in items {
        if c % 2 > 0 {
            host_print(format!("{c}"));
            continue;
        }
        s += c;
    }
    s
}

#[test]
fn sum_even_of_a_vector() {
    let items = || tensor([10, 12, 15, 20]);
    let (host, _) = traced(|| prints(|| assert_eq!(sum_even(items()).item(), 42)));
    // The document prints: Tensor("TensorArrayV2Read/TensorListGetItem:0", shape=(), dtype=int32).
    assert_eq!(host, ["Tensor(symbolic, shape=[], dtype=int32)"]);
    let (host, _) = eagerly(|| prints(|| assert_eq!(sum_even(items()).item(), 42)));
    assert_eq!(host, ["15"]);
    assert!(sum_even::to_code().contains("for_stmt"));
}

#[graph_fn]
fn fizzbuzz(n: Tensor<i32>) {
    for i in 0..n {
        if i % 3 == 0 {
            graph_print!("Fizz");
        } else if i % 5 == 0 {
            graph_print!("Buzz");
        } else {
            graph_print!("{}", i);
        }
    }
}

#[test]
fn fizzbuzz_prints() {
    let lines = [
        "Fizz", "1", "2", "Fizz", "4", "Buzz", "Fizz", "7", "8", "Fizz", "Buzz", "11", "Fizz",
        "13", "14",
    ];
    in_each_way(|| assert_eq!(prints(|| fizzbuzz(tensor(15))).1, lines));
}

struct CustomModel;

impl CustomModel {
    #[graph_fn]
    pub fn call(&self, input_data: Tensor<i32>) -> Tensor<i32> {
        if input_data.mean() > 0 {
            input_data
        } else {
            input_data.floor_div(2)
        }
    }
}

#[test]
fn a_method_of_a_model() {
    let model = CustomModel;
    in_each_way(|| {
        assert_eq!(model.call(tensor([-2, -4])).to_string(), "[-1 -2]");
        assert_eq!(model.call(tensor([2, 5])).to_string(), "[2 5]");
    });
    assert_eq!(CustomModel::call_function().trace_count(), 1);
    assert!(CustomModel::call_to_code().contains("if_stmt"));
}

#[graph_fn]
fn find_next_odd(v: &mut Tensor<i32>) {
    *v += 1;
    if *v % 2 == 0 {
        *v += 1;
    }
}

#[test]
fn find_next_odd_writes_its_argument() {
    in_each_way(|| {
        let mut v = tensor(5);
        find_next_odd(&mut v);
        assert_eq!(v.item(), 7);
        find_next_odd(&mut v);
        assert_eq!(v.item(), 9);
    });
}

#[graph_fn]
fn debugged(x: Tensor<i32>) -> Tensor<i32> {
    let mut x = x;
    if x > 0 {
        // Eagerly a breakpoint could be set here, and the values would be known.
        host_print(format!("{x}"));
        x = x + 1;
    }
    x
}

#[test]
fn values_are_seen_eagerly() {
    let (host, _) = eagerly(|| prints(|| assert_eq!(debugged(tensor(1)).item(), 2)));
    assert_eq!(host, ["1"]);
}

const SQUARED: &str = "[-5 -4 -3 -2 -1  0  1  4  9 16]";

#[graph_fn]
fn square_if_positive_naive(x: Tensor<i32>) -> Tensor<i32> {
    let mut result = TensorArray::new(x.dim(0));
    for i in 0..x.size() {
        if x[i] > 0 {
            result = result.write(&i, x[i].pow(2));
        } else {
            result = result.write(&i, x[i]);
        }
    }
    result.stack()
}

#[graph_fn]
fn square_if_positive_vectorized(x: Tensor<i32>) -> Tensor<i32> {
    select(x > 0, x.pow(2), x)
}

#[test]
fn squares_one_by_one_and_at_once() {
    in_each_way(|| {
        assert_eq!(
            square_if_positive_naive(range(-5, 5, 1)).to_string(),
            SQUARED
        );
        assert_eq!(
            square_if_positive_vectorized(range(-5, 5, 1)).to_string(),
            SQUARED
        );
    });
}

#[graph_fn]
fn f() {
    host_print("Tracing!");
    graph_print!("Executing");
}

#[test]
fn traced_once_executed_every_time() {
    traced(|| {
        let (host, graph) = prints(f);
        assert_eq!(
            (host, graph),
            (vec!["Tracing!".to_string()], vec!["Executing".to_string()])
        );
        let (host, graph) = prints(f);
        assert_eq!((host, graph), (vec![], vec!["Executing".to_string()]));
    });
}

#[graph_fn]
fn f_of_a_rust_value(n: i32) {
    host_print(format!("{n} Tracing!"));
    graph_print!("{} Executing", n);
}

#[test]
fn traced_once_for_each_rust_value() {
    let (host, graph) = traced(|| prints(|| [1, 1, 2, 2].map(f_of_a_rust_value)));
    assert_eq!(host, ["1 Tracing!", "2 Tracing!"]);
    assert_eq!(
        graph,
        ["1 Executing", "1 Executing", "2 Executing", "2 Executing"]
    );
}

#[graph_fn]
fn f_of_a_tensor(x: Tensor<i32>) {
    host_print(format!("{} Tracing!", x.shape()));
    graph_print!("{x} Executing");
}

#[test]
fn traced_once_for_each_shape() {
    let (host, graph) = traced(|| {
        prints(|| {
            f_of_a_tensor(tensor([1]));
            f_of_a_tensor(tensor([2]));
            f_of_a_tensor(tensor([1, 2]));
            f_of_a_tensor(tensor([3, 4]));
        })
    });
    assert_eq!(host, ["[1] Tracing!", "[2] Tracing!"]);
    assert_eq!(
        graph,
        [
            "[1] Executing",
            "[2] Executing",
            "[1 2] Executing",
            "[3 4] Executing"
        ]
    );
}

/// In Python a nested function is a new function at each call of the outer one, and is traced each time; in Rust it is
/// one function.
#[test]
fn a_function_defined_in_a_function_is_one_function() {
    fn outer() {
        #[graph_fn]
        fn f() {
            host_print("Tracing!");
            graph_print!("Executing");
        }
        f();
    }
    let (host, graph) = traced(|| {
        prints(|| {
            outer();
            outer();
        })
    });
    assert_eq!(
        (host, graph),
        (
            vec!["Tracing!".to_string()],
            vec!["Executing".to_string(); 2]
        )
    );
}

/// If a graph function calls another, the inner one is traced while the outer one is.
#[graph_fn]
fn outer_of(x: impl Argument + Into<Tensor<i32>>) -> Tensor<i32> {
    host_print("outer");
    inner_of(x.into()) + 1
}

#[graph_fn]
fn inner_of(x: Tensor<i32>) -> Tensor<i32> {
    host_print("inner");
    x * 2
}

#[test]
fn inner_functions_trace_inside_outer_ones() {
    traced(|| {
        let (host, _) = prints(|| assert_eq!(outer_of(tensor(2)).item(), 5));
        assert_eq!(host, ["outer", "inner"]);
        // The inner trace serves calls from another trace and from outside.
        let (host, _) = prints(|| assert_eq!(outer_of(7).item() + inner_of(tensor(1)).item(), 17));
        assert_eq!(host, ["outer"]);
    });
}
