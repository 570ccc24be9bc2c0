//! The documents' programs on control flow and layers: family seeds.

use graph_runtime::prelude::*;
use graph_runtime::tensor::{Number, Window};

use crate::harness::{Script, scripts, trace_log};

type Int = Tensor<i32>;
type Float = Tensor<f32>;

fn a_regular_function(x: Float, y: Float, b: Float) -> Float {
    let x = x.matmul(y);
    x + b
}

#[graph_fn]
fn a_function_that_uses_a_graph(x: Float, y: Float, b: Float) -> Float {
    a_regular_function(x, y, b)
}

fn seed0_regular_and_graph_function(rec: &mut Script) {
    rec.call("regular", &[], |a| {
        a_regular_function(a.next("x"), a.next("y"), a.next("b"))
    });
    rec.call("graph", &[a_function_that_uses_a_graph::function()], |a| {
        a_function_that_uses_a_graph(a.next("x"), a.next("y"), a.next("b"))
    });
}

#[graph_fn]
fn outer_function(x: Float) -> Float {
    let y = tensor([[2.0], [3.0]]);
    let b = tensor(4.0);
    a_regular_function(x, y, b)
}

fn seed0_outer_inner(rec: &mut Script) {
    rec.call("outer", &[outer_function::function()], |a| {
        outer_function(a.next("x"))
    });
}

#[graph_fn]
fn simple_relu(x: Int) -> Int {
    if x > 0 { x } else { 0 }
}

fn seed0_simple_relu(rec: &mut Script) {
    for label in ["first branch", "second branch", "zero"] {
        rec.call(label, &[simple_relu::function()], |a| {
            simple_relu(a.next("x"))
        });
    }
    rec.eagerly(true);
    rec.call("eager returns the literal", &[], |a| {
        simple_relu(a.next("x"))
    });
    rec.eagerly(false);
}

fn unused_return_eager(x: Float) -> Float {
    x.gather(tensor([1]));
    x
}

#[graph_fn]
fn unused_return_graph(x: Float) -> Float {
    x.gather(&tensor([1]));
    x
}

fn seed0_unused_return(rec: &mut Script) {
    rec.call("eager, one element", &[], |a| {
        unused_return_eager(a.next("x"))
    });
    rec.call("eager, two elements", &[], |a| {
        unused_return_eager(a.next("x"))
    });
    rec.call(
        "graph, one element",
        &[unused_return_graph::function()],
        |a| unused_return_graph(a.next("x")),
    );
}

fn power(x: Int, y: usize) -> Int {
    let mut result = eye(3);
    for _ in 0..y {
        result = x.matmul(result);
    }
    result
}

#[graph_fn]
fn power_as_graph(x: Int, y: usize) -> Int {
    power(x, y)
}

// In Python, `y` may be a number or a tensor; in Rust these are two types.
#[graph_fn]
fn power_of_tensor(x: Int, y: Int) -> Int {
    let mut result = eye(3);
    for _ in 0..y {
        result = x.matmul(result);
    }
    result
}

fn seed0_power_python_loop(rec: &mut Script) {
    let f = power_as_graph::function();
    for y in [0, 1, 7, 30] {
        rec.call(&format!("eager {y}"), &[], |a| {
            power(a.next("x"), a.next("y"))
        });
        rec.call(&format!("graph {y}"), &[f], |a| {
            power_as_graph(a.next("x"), a.next("y"))
        });
    }
    rec.call("overflow wraps at 100", &[f], |a| {
        power_as_graph(a.next("x"), a.next("y"))
    });
    rec.call("tensor count", &[f, power_of_tensor::function()], |a| {
        power_of_tensor(a.next("x"), a.next("y"))
    });
}

fn some_costly_computation(x: Float) -> Float {
    let mut aux = eye::<f32>(4);
    let mut result = zeros(&[4]);
    for i in 1..100 {
        aux = x.matmul(aux) / i as f32;
        result += &aux;
    }
    result
}

#[graph_fn]
fn quicker_computation(x: Float) -> Float {
    some_costly_computation(x)
}

fn seed1_costly_computation(rec: &mut Script) {
    rec.call("eager", &[], |a| some_costly_computation(a.next("x")));
    for label in ["graph", "graph zeros"] {
        rec.call(label, &[quicker_computation::function()], |a| {
            quicker_computation(a.next("x"))
        });
    }
}

#[graph_fn]
fn quick_computation(x: Float) -> Float {
    trace_log("Only prints the first time!");
    let mut aux = eye(2);
    let mut result = zeros(&[2]);
    for i in 1..10 {
        aux = x.matmul(aux) / i as f32;
        result = result + aux;
    }
    result
}

#[graph_fn]
fn quick_computation_with_print(x: Float) -> Float {
    graph_print!("Prints every time!");
    let mut aux = eye(2);
    let mut result = zeros(&[2]);
    for i in 1..10 {
        aux = x.matmul(aux) / i as f32;
        result = result + aux;
    }
    result
}

fn seed1_print_versus_tf_print(rec: &mut Script) {
    for label in ["first", "second"] {
        rec.call(label, &[quick_computation::function()], |a| {
            quick_computation(a.next("x"))
        });
    }
    for label in ["first", "second"] {
        rec.call(label, &[quick_computation_with_print::function()], |a| {
            quick_computation_with_print(a.next("x"))
        });
    }
}

#[graph_fn]
fn function_with_for(x: Float) -> Float {
    let mut summ = tensor(0.0);
    for row in x {
        summ = summ + row.mean();
    }
    summ
}

#[graph_fn]
fn vectorized_function(x: Float) -> Float {
    let result = x.mean_axis(0);
    result.sum()
}

fn seed1_for_versus_vectorized(rec: &mut Script) {
    for _ in 0..3 {
        rec.call("for", &[function_with_for::function()], |a| {
            function_with_for(a.next("x"))
        });
        rec.call("vectorized", &[vectorized_function::function()], |a| {
            vectorized_function(a.next("x"))
        });
    }
}

#[graph_fn]
fn graph_matmul() -> Float {
    ones::<f32>(&[100, 100]).matmul(ones::<f32>(&[1, 100]))
}

fn seed1_type_and_shape_errors(rec: &mut Script) {
    let (x, y) = (tensor(1.0f32), tensor(1));
    rec.call("after the cast", &[], |_| {
        graph_print!("{}", x + y.cast::<f32>())
    });
    rec.call("eager matmul", &[], |_| {
        ones::<f32>(&[100, 100]).matmul(ones::<f32>(&[1, 100]))
    });
    rec.call("graph matmul", &[graph_matmul::function()], |_| {
        graph_matmul()
    });
}

#[graph_fn]
fn simple_nn_layer(x: Float, y: Float) -> Float {
    x.matmul(y).relu()
}

fn seed3_simple_nn_layer(rec: &mut Script) {
    for label in ["layer", "layer swapped"] {
        rec.call(label, &[simple_nn_layer::function()], |a| {
            simple_nn_layer(a.next("x"), a.next("y"))
        });
    }
}

fn linear_layer<T: Number + From<u8>>(x: Tensor<T>) -> Tensor<T> {
    x * T::from(2) + T::from(1)
}

#[graph_fn]
fn deep_net<T: Number + From<u8>>(x: Tensor<T>) -> Tensor<T> {
    linear_layer(x).relu()
}

fn seed3_deep_net(rec: &mut Script) {
    for label in ["ints", "negative"] {
        rec.call(label, &[deep_net::function()], |a| {
            deep_net::<i32>(a.tensor("x"))
        });
    }
    rec.call("floats", &[deep_net::function()], |a| {
        deep_net::<f32>(a.tensor("x"))
    });
}

#[graph_fn]
fn square_if_positive(mut x: Int) -> Int {
    if x > 0 {
        x = x * x;
    } else {
        x = 0;
    }
    x
}

fn seed3_square_if_positive(rec: &mut Script) {
    for label in ["2", "-2", "0"] {
        rec.call(label, &[square_if_positive::function()], |a| {
            square_if_positive(a.next("x"))
        });
    }
}

#[graph_fn]
fn sum_even(items: Int) -> Int {
    let mut s = tensor(0);
    for c in items {
        if c.floor_mod(2) > 0 {
            trace_log(format!("{c}"));
            continue;
        }
        s += c;
    }
    s
}

fn seed3_sum_even(rec: &mut Script) {
    for label in ["mixed", "all odd", "negative odd counts as odd"] {
        rec.call(label, &[sum_even::function()], |a| {
            sum_even(a.next("items"))
        });
    }
}

#[graph_fn]
fn fizzbuzz(n: Int) {
    for i in 0..n {
        if i % 3 == 0 {
            graph_print!("Fizz");
        } else if i % 5 == 0 {
            graph_print!("Buzz");
        } else {
            graph_print!("{i}");
        }
    }
}

fn seed3_fizzbuzz(rec: &mut Script) {
    for label in ["15", "0", "1"] {
        rec.call(label, &[fizzbuzz::function()], |a| fizzbuzz(a.next("n")));
    }
}

struct CustomModel;

impl CustomModel {
    #[graph_fn]
    fn call(&self, input_data: Int) -> Int {
        if input_data.mean() > 0 {
            input_data
        } else {
            input_data.floor_div(2)
        }
    }
}

fn seed3_custom_model(rec: &mut Script) {
    let labels = [
        "negative",
        "positive",
        "integer mean of 1/2 is 0",
        "mean truncates to zero",
        "odd negatives floor",
    ];
    for label in labels {
        rec.call(label, &[], |a| CustomModel.call(a.next("input_data")));
    }
}

#[graph_fn]
fn square_if_positive_naive(x: Int) -> Int {
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

fn square_if_positive_vectorized(x: Int) -> Int {
    x.gt(0).select(x.pow(2), &x)
}

#[graph_fn]
fn square_if_positive_vectorized_graph(x: Int) -> Int {
    square_if_positive_vectorized(x)
}

fn seed3_square_batch(rec: &mut Script) {
    let squares = (-5..5).map(|i: i32| if i > 0 { i.pow(2) } else { i });
    rec.value("python", squares.collect::<Vec<_>>());
    rec.call("naive", &[square_if_positive_naive::function()], |a| {
        square_if_positive_naive(a.next("x"))
    });
    rec.call("vectorized", &[], |a| {
        square_if_positive_vectorized(a.next("x"))
    });
    rec.call(
        "vectorized graph",
        &[square_if_positive_vectorized_graph::function()],
        |a| square_if_positive_vectorized_graph(a.next("x")),
    );
}

#[graph_fn]
fn conv_fn(image: Float) -> Float {
    let kernel = range(0.0, 9.0, 1.0).reshape(&[3, 3, 1, 1]) / 9.0;
    image.conv2d(kernel, Window::default()) + 0.5
}

fn seed2_conv_layer(rec: &mut Script) {
    for label in ["zeros", "ramp"] {
        rec.call(label, &[conv_fn::function()], |a| conv_fn(a.next("image")));
    }
}

scripts! {
    seed0_regular_and_graph_function;
    seed0_outer_inner;
    seed0_simple_relu;
    seed0_unused_return;
    seed0_power_python_loop;
    seed1_costly_computation;
    seed1_print_versus_tf_print;
    seed1_for_versus_vectorized;
    seed1_type_and_shape_errors;
    seed2_conv_layer;
    seed3_simple_nn_layer;
    seed3_deep_net;
    seed3_square_if_positive;
    seed3_sum_even;
    seed3_fizzbuzz;
    seed3_custom_model;
    seed3_square_batch;
}
