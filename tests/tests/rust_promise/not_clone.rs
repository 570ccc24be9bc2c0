//! Operators on values that can't be cloned: an operand is moved, as in plain Rust, and `-x` and `!x` may have any type.

use std::ops::{Add, Mul, Neg, Not};

use graph_runtime::prelude::*;

/// A number that can only be moved.
#[derive(Debug, PartialEq)]
struct Big(i64);

impl Neg for Big {
    type Output = Big;
    fn neg(self) -> Big {
        Big(-self.0)
    }
}

impl Add for Big {
    type Output = Big;
    fn add(self, o: Big) -> Big {
        Big(self.0 + o.0)
    }
}

impl Mul for Big {
    type Output = Big;
    fn mul(self, o: Big) -> Big {
        Big(self.0 * o.0)
    }
}

impl Not for Big {
    type Output = Big;
    fn not(self) -> Big {
        Big(!self.0)
    }
}

/// Two values, added and negated in turn.
#[derive(Debug, PartialEq)]
struct Pair<T>(T, T);

impl<T: Neg> Neg for Pair<T> {
    type Output = Pair<T::Output>;
    #[graph_fn]
    fn neg(self) -> Pair<T::Output> {
        Pair(-self.0, -self.1)
    }
}

impl<T: Not> Not for Pair<T> {
    type Output = Pair<T::Output>;
    #[graph_fn]
    fn not(self) -> Pair<T::Output> {
        Pair(!self.0, !self.1)
    }
}

impl<T: Add> Add for Pair<T> {
    type Output = Pair<T::Output>;
    #[graph_fn]
    fn add(self, o: Pair<T>) -> Pair<T::Output> {
        Pair(self.0 + o.0, self.1 + o.1)
    }
}

#[graph_fn]
fn twice<T: Neg + Clone>(x: T) -> (T::Output, T::Output) {
    (-x.clone(), -x)
}

#[graph_fn]
fn signed<T: Neg<Output = T>>(p: Pair<T>, negative: bool) -> T {
    if negative { -p.0 } else { p.1 }
}

#[graph_fn]
fn nested<T: Mul<Output = T> + Neg<Output = T>>(p: Pair<Pair<T>>) -> T {
    -p.0.0 * p.1.1
}

#[graph_fn]
fn mapped(v: Vec<Pair<Big>>) -> Vec<Big> {
    v.into_iter().map(|p| p.0 + -p.1).collect()
}

/// A tensor behind a reference can be used again, and so can a tensor in a struct that was passed by value.
#[graph_fn]
fn scaled(p: &Pair<Tensor<f32>>, q: Pair<Tensor<f32>>) -> Tensor<f32> {
    if q.0 > 0.0 {
        -p.0 * q.1 + q.1
    } else {
        p.1 - q.1
    }
}

#[graph_fn]
fn sum<T: Add<Output = T>>(values: Vec<T>) -> Option<T> {
    values.into_iter().reduce(|sum, value| sum + value)
}

#[test]
fn what_a_closure_is_given_is_moved() {
    assert_eq!(sum(vec![Big(1), Big(20), Big(3)]), Some(Big(24)));
    assert_eq!(sum(vec![tensor(1), tensor(2)]).map(|t| t.item()), Some(3));
}

#[test]
fn parts_are_moved() {
    assert_eq!(-Pair(Big(1), Big(2)), Pair(Big(-1), Big(-2)));
    assert_eq!(!Pair(Big(1), Big(2)), Pair(Big(!1), Big(!2)));
    assert_eq!(
        Pair(Big(1), Big(2)) + Pair(Big(3), Big(4)),
        Pair(Big(4), Big(6))
    );
    assert_eq!(twice(3), (-3, -3));
    assert_eq!(signed(Pair(Big(1), Big(2)), true), Big(-1));
    assert_eq!(
        nested(Pair(Pair(Big(3), Big(1)), Pair(Big(1), Big(2)))),
        Big(-6)
    );
    assert_eq!(mapped(vec![Pair(Big(3), Big(1))]), [Big(2)]);
}

#[test]
fn parts_of_tensors_stay() {
    let pair = |a, b| Pair(tensor(a), tensor(b));
    assert_eq!(scaled(&pair(2.0, 5.0), pair(1.0, 3.0)).item(), -3.0);
    assert_eq!(scaled(&pair(2.0, 5.0), pair(-1.0, 3.0)).item(), 2.0);
}
