//! Arithmetic: families int_division, division_by_zero, overflow, nan, casts, pow, dtypes, non_strict, asserts.
//! Python's `//` and `%` round down and its `/` gives a real number; in Rust these are methods.

use graph_runtime::prelude::*;
use graph_runtime::tensor::{Number, string_join};

use crate::harness::{Script, functions, generic_functions, scripts};

type Int = Tensor<i32>;
type Wide = Tensor<i64>;
type Float = Tensor<f32>;
type Double = Tensor<f64>;
type Bool = Tensor<bool>;
type Text = Tensor<String>;

#[graph_fn]
fn int_true_division_promotes(a: Int, b: Int) -> Double {
    a.true_div(b)
}

#[graph_fn]
fn true_division_by_zero(a: Int, b: Int) -> Double {
    a.true_div(b)
}

#[graph_fn]
fn int64_floor_division(a: Wide, b: Wide) -> (Wide, Wide, Double) {
    (a.floor_div(&b), a.floor_mod(&b), a.true_div(b))
}

#[graph_fn]
fn int_mod_by_zero(a: Wide, b: Wide) -> Wide {
    a.floor_mod(b)
}

#[graph_fn]
fn overflow_int32_wraps(a: Int) -> (Int, Int, Int, Int, Int, Int) {
    (a + 1, a - 1, a * 2, a * a, -a, a.abs())
}

#[graph_fn]
fn overflow_int64_wraps(a: Wide) -> (Wide, Wide, Wide, Wide, Wide) {
    (a + 1, a - 1, a * 2, a * a, -a)
}

#[graph_fn]
fn denormals_flush_to_zero(a: Float) -> (Float, Float, Float, Bool, Bool, Float, Float) {
    (
        a * 10.0,
        a / 10.0,
        a - a / 2.0,
        a == 0.0,
        a > 0.0,
        a.maximum(0.0),
        a * 1e-20,
    )
}

#[graph_fn]
fn nan_comparisons(a: Float, b: Float) -> (Bool, Bool, Bool, Bool, Bool, Bool, Bool) {
    (a < b, a <= b, a > b, a >= b, a == b, a != b, a.is_nan())
}

#[graph_fn]
fn nan_max_min(a: Float, b: Float) -> (Float, Float, Float, Float) {
    (a.maximum(&b), a.minimum(&b), a.relu(), a.clip(0.0, 1.0))
}

#[graph_fn]
fn cast_out_of_range(a: Float) -> (Int, Wide, Int) {
    // TensorFlow's saturate_cast: the largest float that fits an int32.
    let saturated = a.clip(-2147483648.0, 2147483520.0);
    (a.cast(), a.cast(), saturated.cast())
}

#[graph_fn]
fn cast_int_narrowing(a: Int) -> (Tensor<i8>, Tensor<u8>, Wide, Bool, Float) {
    let truth = a.cast::<bool>();
    (a.cast(), a.cast(), a.cast(), truth.clone(), truth.cast())
}

#[graph_fn]
fn true_division_small_ints(a: Tensor<i8>, b: Tensor<i8>) -> Float {
    a.true_div(b)
}

#[graph_fn]
fn pow_int(a: Int, b: Int) -> Int {
    a.pow(b)
}

#[graph_fn]
fn float_literal_precision(a: Float, b: Double) -> (Float, Double, Float, Double, Bool) {
    (a * 0.1, b * 0.1, a + 1e-8, b + 1e-8, a.cast::<f64>() == b)
}

#[graph_fn]
fn string_ops(a: Text, b: Text) -> (Text, Bool, Int, Text, Text, Text) {
    (
        a + b,
        a == b,
        a.string_length(),
        string_join([&a, &b], "-"),
        a.to_uppercase(),
        a.reduce_join(""),
    )
}

#[graph_fn]
fn dtype_generic_clamped_sum<T: Number + graph_runtime::tensor::Signed>(
    v: Tensor<T>,
    cap: Tensor<T>,
) -> (Tensor<T>, Tensor<T>, Tensor<T>, Tensor<T>) {
    let zero = T::default();
    let mut s = v[0] * zero.clone();
    for e in v {
        if e > cap {
            s += &cap;
        } else if e < zero.clone() {
            continue;
        } else {
            s += e;
        }
    }
    let two = ones::<T>(&[]) + T::ONE;
    let three = &two + T::ONE;
    (s.clone(), s.floor_div(two), s.floor_mod(three), -s)
}

#[graph_fn]
fn dtype_generic_while<T: Number>(mut x: Tensor<T>) -> (Tensor<T>, Int) {
    let two = ones::<T>(&[]) + T::ONE;
    let mut k = tensor(0);
    while x >= T::ONE {
        x = x.floor_div(&two);
        k += 1;
    }
    (x, k)
}

#[graph_fn]
fn dtype_float64_precision_loop(step: Double, n: Int) -> (Double, Bool, Float) {
    let mut s = tensor(0.0);
    for _ in 0..n {
        s += &step;
    }
    (s.clone(), s == 1.0, s.cast())
}

#[graph_fn]
fn division_times_zero_is_folded(a: Int, b: Int) -> Int {
    let q = a.floor_div(&b);
    a + b + q * 0
}

#[graph_fn]
fn asserted(x: Int) -> Int {
    assert!(x > 0, "neg");
    x
}

fn python_assert_statement(rec: &mut Script) {
    let f = [asserted::function()];
    rec.call("converted ok", &f, |a| asserted(a.next("x")));
    rec.call("converted bad", &f, |a| asserted(a.next("x")));
}

functions! {
    int_true_division_promotes(a, b);
    true_division_by_zero(a, b);
    int64_floor_division(a, b);
    int_mod_by_zero(a, b);
    overflow_int32_wraps(a);
    overflow_int64_wraps(a);
    denormals_flush_to_zero(a);
    nan_comparisons(a, b);
    nan_max_min(a, b);
    cast_out_of_range(a);
    cast_int_narrowing(a);
    true_division_small_ints(a, b);
    pow_int(a, b);
    float_literal_precision(a, b);
    string_ops(a, b);
    dtype_float64_precision_loop(step, n);
    division_times_zero_is_folded(a, b);
}

generic_functions! {
    dtype_generic_clamped_sum<i32, i64, f32, f64>(v, cap);
    dtype_generic_while<i32, i64, f32, f64>(x);
}

scripts! {
    python_assert_statement;
}
