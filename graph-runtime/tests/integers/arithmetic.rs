//! Functions of one and two integers, which wrap like Rust's wrapping functions.

use graph_runtime::error::Error;
use graph_runtime::prelude::*;
use graph_runtime::tensor::Signed;

use crate::{Plain, values};

/// Functions of two tensors, and the same functions of two numbers before wrapping.
type Binary<T> = (
    &'static str,
    fn(&Tensor<T>, &Tensor<T>) -> Tensor<T>,
    fn(i128, i128, u32) -> i128,
);

fn arithmetic<T: Plain>() -> Vec<Binary<T>> {
    vec![
        ("add", |x, y| x + y, |x, y, _| x + y),
        ("sub", |x, y| x - y, |x, y, _| x - y),
        ("mul", |x, y| x * y, |x, y, _| x.wrapping_mul(y)),
        (
            "div",
            |x, y| x / one_for_zero(y),
            |x, y, _| x / if y == 0 { 1 } else { y },
        ),
        (
            "rem",
            |x, y| x % one_for_zero(y),
            |x, y, _| x % if y == 0 { 1 } else { y },
        ),
        (
            "floor_div",
            |x, y| x.floor_div(one_for_zero(y)),
            |x, y, _| {
                let y = if y == 0 { 1 } else { y };
                x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0)
            },
        ),
        (
            "floor_mod",
            |x, y| x.floor_mod(one_for_zero(y)),
            |x, y, _| {
                let y = if y == 0 { 1 } else { y };
                let rem = x.rem_euclid(y);
                if y < 0 && rem != 0 { rem + y } else { rem }
            },
        ),
        ("maximum", |x, y| x.maximum(y), |x, y, _| x.max(y)),
        ("minimum", |x, y| x.minimum(y), |x, y, _| x.min(y)),
        (
            "squared",
            |x, y| x.squared_difference(y),
            |x, y, _| (x - y).wrapping_mul(x - y),
        ),
        ("and", |x, y| x & y, |x, y, _| x & y),
        ("or", |x, y| x | y, |x, y, _| x | y),
        ("xor", |x, y| x ^ y, |x, y, _| x ^ y),
        ("not", |x, _| !x, |x, _, _| !x),
        (
            "shl",
            |x, y| x << y,
            |x, y, bits| x << y.clamp(0, i128::from(bits) - 1),
        ),
        (
            "shr",
            |x, y| x >> y,
            |x, y, bits| x >> y.clamp(0, i128::from(bits) - 1),
        ),
        ("abs", |x, _| x.abs(), |x, _, _| x.abs()),
        ("sign", |x, _| x.sign(), |x, _, _| x.signum()),
        ("square", |x, _| x.square(), |x, _, _| x.wrapping_mul(x)),
        ("relu", |x, _| x.relu(), |x, _, _| x.max(0)),
        (
            "clip",
            |x, y| x.clip(T::ONE, y.maximum(T::ONE)),
            |x, y, _| x.clamp(1, y.max(1)),
        ),
        (
            "cube",
            |x, _| x.pow(T::cut(3)),
            |x, _, _| x.wrapping_mul(x).wrapping_mul(x),
        ),
        (
            "chain",
            |x, y| (x + y) * x - y / T::cut(3),
            |x, y, _| (x + y).wrapping_mul(x).wrapping_sub(y / 3),
        ),
        ("select", |x, y| x.lt(y).select(x, y), |x, y, _| x.min(y)),
        (
            "less",
            |x, y| {
                truths(&[
                    x.lt(y),
                    x.le(y),
                    x.gt(y),
                    x.ge(y),
                    x.equal(y),
                    x.not_equal(y),
                ])
            },
            |x, y, _| {
                let truths = [x < y, x <= y, x > y, x >= y, x == y, x != y];
                truths
                    .iter()
                    .fold(0, |sum, truth| sum * 2 + i128::from(*truth))
            },
        ),
    ]
}

fn one_for_zero<T: Plain>(y: &Tensor<T>) -> Tensor<T> {
    y.equal(T::default()).select(T::ONE, y)
}

/// Booleans as the bits of a number.
fn truths<T: Plain>(truths: &[Tensor<bool>]) -> Tensor<T> {
    let bits = truths.iter().map(|truth| truth.cast::<T>());
    let two = T::cut(2);
    bits.reduce(|sum, bit| sum * two + bit)
        .expect("there are truths")
}

#[graph_fn]
fn traced<T: Plain>(x: Tensor<T>, y: Tensor<T>) -> Vec<Tensor<T>> {
    let functions = arithmetic::<T>();
    functions
        .iter()
        .map(|(_, function, _)| function(&x, &y))
        .collect()
}

fn check_arithmetic<T: Plain>() {
    let bits = T::MAX.wide().count_ones() + u32::from(T::MIN.wide() < 0);
    for (len, seed) in [(1, 1), (1, 2), (7, 3), (300, 4), (5000, 5)] {
        let (a, b) = (values::<T>(len, seed), values::<T>(len, seed + 100));
        let of = |values: &[T]| match values {
            [value] => tensor(*value),
            values => tensor(values),
        };
        let (x, y) = (of(&a), of(&b));
        let graph = traced(x.clone(), y.clone());
        for ((name, function, plain), graph) in arithmetic::<T>().into_iter().zip(graph) {
            let places = a.iter().zip(&b);
            let expected: Vec<T> = places
                .map(|(a, b)| T::wrapped(plain(a.wide(), b.wide(), bits)))
                .collect();
            assert_eq!(
                function(&x, &y).to_vec(),
                expected,
                "{name} of {}",
                T::DTYPE
            );
            assert_eq!(
                graph.to_vec(),
                expected,
                "{name} of {} in a graph",
                T::DTYPE
            );
        }
    }
}

#[test]
fn arithmetic_is_plain_rusts_and_wraps() {
    each_integer!(check_arithmetic);
}

#[graph_fn]
fn negated<T: Plain + Signed>(x: Tensor<T>) -> Tensor<T> {
    -x
}

fn check_negation<T: Plain + Signed>() {
    let values = values::<T>(50, 9);
    let expected: Vec<T> = values.iter().map(|v| T::wrapped(-v.wide())).collect();
    assert_eq!(negated(tensor(&values)).to_vec(), expected);
    assert_eq!((-tensor(&values)).to_vec(), expected);
}

#[test]
fn signed_integers_are_negated() {
    check_negation::<i8>();
    check_negation::<i16>();
    check_negation::<i32>();
    check_negation::<i64>();
}

#[graph_fn]
fn quotient<T: Plain>(x: Tensor<T>, y: Tensor<T>) -> Result<Tensor<T>, Error> {
    Ok(x / y)
}

fn check_division_by_zero<T: Plain>() {
    let error = quotient(tensor([T::ONE]), tensor([T::default()])).unwrap_err();
    assert!(
        error.to_string().contains("Integer division by zero"),
        "{error}"
    );
}

#[test]
fn division_by_zero_is_an_error() {
    each_integer!(check_division_by_zero);
}
