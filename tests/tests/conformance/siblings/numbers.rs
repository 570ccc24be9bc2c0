//! Numbers and strings: families int_division, division_by_zero, overflow, nan, casts, dtypes, pow, non_strict, asserts.

use graph_runtime::prelude::*;
use graph_runtime::tensor::{NumberFormat, string_join};

use crate::harness::functions;

type Int = Tensor<i32>;
type Wide = Tensor<i64>;
type Byte = Tensor<u8>;
type Float = Tensor<f32>;
type Double = Tensor<f64>;
type Bool = Tensor<bool>;
type Text = Tensor<String>;

#[graph_fn]
fn floor_and_truncated_division(a: Int, b: Int) -> (Int, Int, Int, Int, Int, Int) {
    (
        a.floor_div(&b),
        a.floor_mod(&b),
        a / b,
        a % b,
        a.floor_div(&b),
        a.floor_mod(b),
    )
}

#[graph_fn]
fn float_floor_division(a: Float, b: Float) -> (Float, Float, Float, Float) {
    (a.floor_div(&b), a.floor_mod(&b), a / b, a.divide_no_nan(b))
}

#[graph_fn]
fn uint8_division(a: Byte, b: Byte) -> (Byte, Byte, Float) {
    (a.floor_div(&b), a.floor_mod(&b), a.true_div(b))
}

#[graph_fn]
fn float_division_by_zero(a: Float, b: Float) -> (Float, Float, Float, Float) {
    (
        a / b,
        a.divide_no_nan(&b),
        ones_like(&b).divide_no_nan(&b),
        b.reciprocal(),
    )
}

fn ones_like(x: &Float) -> Float {
    x.ones_like()
}

#[graph_fn]
fn guarded_division(a: Int, b: Int) -> Int {
    let safe = (b == 0).select(1, &b);
    (b == 0).select(0, a.floor_div(safe))
}

#[graph_fn]
fn overflow_uint8_wraps(a: Byte, b: Byte) -> (Byte, Byte, Byte, Byte, Byte) {
    (a + b, a - b, a * b, a.square(), a.maximum(b))
}

#[graph_fn]
fn overflow_in_reductions(a: Int) -> (Int, Int, Int, Int, Int) {
    (a.sum(), a.prod(), a.cumsum(0), a.square(), -a)
}

#[graph_fn]
fn overflow_float_to_infinity(a: Float) -> (Float, Float, Float, Bool, Bool) {
    (
        a * 10.0,
        a * a,
        (a * 2.0).sum(),
        (a * 2.0).is_inf(),
        (a * 2.0).is_finite(),
    )
}

#[graph_fn]
fn nan_in_reductions(v: Float) -> (Float, Float, Float, Bool, Bool, Float, Wide) {
    (
        v.sum(),
        v.max(),
        v.min(),
        v.is_nan().any(),
        (v == v).all(),
        v.is_nan().select(0.0, &v),
        v.count_nonzero(),
    )
}

#[graph_fn]
#[allow(clippy::eq_op, clippy::neg_cmp_op_on_partial_ord)]
fn nan_in_conditions(mut x: Float) -> (Int, Float) {
    let mut r = tensor(0);
    if x > 0.0 {
        r += 1;
    }
    if !(x > 0.0) {
        r += 2;
    }
    if x != x {
        r += 4;
    }
    while x < 0.0 {
        r += 8;
        x = -x;
    }
    (r, x)
}

#[graph_fn]
fn cast_between_floats(a: Double) -> (Float, Double, Bool, Double) {
    (a.cast(), a.cast::<f32>().cast(), a.cast(), a.round())
}

#[graph_fn]
fn cast_bools(a: Bool) -> (Int, Double, Byte, Wide) {
    (a.cast(), a.cast(), a.cast(), a.cast::<i64>().sum())
}

#[graph_fn]
fn cast_int64(a: Wide) -> (Int, Float, Byte, Bool) {
    (a.cast(), a.cast(), a.cast(), a.cast())
}

#[graph_fn]
fn strings_to_numbers(a: Text, b: Text) -> (Int, Float, Double, Wide) {
    (a.to_number(), b.to_number(), b.to_number(), a.to_number())
}

#[graph_fn]
fn numbers_to_strings(a: Int, x: Float, t: Bool) -> (Text, Text, Text, Text, Text, Text) {
    let two_digits = NumberFormat {
        precision: Some(2),
        ..Default::default()
    };
    let padded = NumberFormat {
        width: 4,
        fill: Some('0'),
        ..Default::default()
    };
    (
        a.as_string(),
        x.as_string(),
        t.as_string(),
        x.as_string_with(two_digits),
        a.as_string_with(padded),
        a.as_string().as_string(),
    )
}

#[graph_fn]
fn string_parts(a: Text) -> (Text, Int, Text, Text, Text, Bool, Text) {
    (
        a.substr(0, 1),
        a.string_length(),
        a.to_uppercase().to_lowercase(),
        (&a + "  ").strip(),
        string_join([&a, &tensor("!")], ""),
        a == "",
        a.reduce_join("|"),
    )
}

#[graph_fn]
fn half_precision(x: Float) -> (Float, Float, Float, Float, Bool) {
    let h = x.cast::<f16>();
    let w = x.cast::<bf16>();
    (
        (h * h).cast(),
        (w + w).cast(),
        h.sum().cast(),
        w.relu().cast(),
        h > f16::from_f32(0.0),
    )
}

#[graph_fn]
fn pow_float(a: Float, b: Float) -> (Float, Float, Float, Float, Float, Float, Float) {
    (
        a.pow(&b),
        a.pow(2.0),
        a.pow(3.0),
        a.sqrt(),
        (a.abs() + 1.0).rsqrt(),
        b.exp(),
        a.abs().log1p(),
    )
}

#[graph_fn]
fn pow_int_broadcasts(a: Int, k: Int) -> (Int, Int, Int) {
    (a.pow(k), a.pow(2), tensor(2).pow(a.abs()))
}

#[graph_fn]
fn unused_bad_gather(v: Int, i: Int) -> Int {
    let _unused = v[i];
    v.sum()
}

#[graph_fn]
fn asserts_of_tensorflow(x: Int) -> Int {
    assert!(x > 0, "not positive");
    assert!(x < 10, "large");
    x * 2
}

functions! {
    floor_and_truncated_division(a, b);
    float_floor_division(a, b);
    uint8_division(a, b);
    float_division_by_zero(a, b);
    guarded_division(a, b);
    overflow_uint8_wraps(a, b);
    overflow_in_reductions(a);
    overflow_float_to_infinity(a);
    nan_in_reductions(v);
    nan_in_conditions(x);
    cast_between_floats(a);
    cast_bools(a);
    cast_int64(a);
    strings_to_numbers(a, b);
    numbers_to_strings(a, x, t);
    string_parts(a);
    half_precision(x);
    pow_float(a, b);
    pow_int_broadcasts(a, k);
    unused_bad_gather(v, i);
    asserts_of_tensorflow(x);
}
