//! Every op of the table against cases worked out by hand: the kernel gives the values, and the type rule covers them
//! for operands whose shapes are known, known in part, or unknown. The cases stand behind the ops' rows; here are those of two families of
//! which several files have the rows.

mod order;
mod shape;

use std::collections::BTreeSet;

use graph_kernels::{Array, Buffer, DType, Element};

use super::{Attr, Attrs, Fails, OpDef, all, find};
use super::{
    arithmetic, arrange, compare, conv, diagonal, dynamic, einsum, gather, gradient, index, list,
    mathematics, pad, random, reduce, scatter, segment, source, strings,
};
use crate::types::{Shape, TensorType};

/// What a case expects.
pub(super) enum Expected {
    /// The kernel gives this array; floats may differ in the last digits.
    Value(Array),
    /// The kernel fails with this text.
    RunError(&'static str),
    /// The type rule refuses the operands' types with this text.
    TypeError(&'static str),
}
pub(super) use Expected::{RunError, TypeError, Value};

/// One use of an op.
pub(super) struct Case {
    pub(super) op: &'static OpDef,
    pub(super) attrs: Attrs,
    pub(super) inputs: Vec<Array>,
    pub(super) expected: Expected,
}

/// A case without attributes.
pub(super) fn case(op: &'static OpDef, inputs: impl Into<Vec<Array>>, expected: Expected) -> Case {
    case_with(op, [], inputs, expected)
}

/// A case with attributes, in the order of the op's row.
pub(super) fn case_with<const N: usize>(
    op: &'static OpDef,
    attrs: [Attr; N],
    inputs: impl Into<Vec<Array>>,
    expected: Expected,
) -> Case {
    assert_eq!(op.attrs.len(), N, "attributes of {op:?}");
    let attrs = op.attrs.iter().copied().zip(attrs).collect();
    Case {
        op,
        attrs,
        inputs: inputs.into(),
        expected,
    }
}

/// A vector.
pub(super) fn vector<T: Element, const N: usize>(values: [T; N]) -> Array {
    Array::new(&[N], values.to_vec())
}

/// A matrix.
pub(super) fn matrix<T: Element, const M: usize, const N: usize>(rows: [[T; N]; M]) -> Array {
    Array::new(&[M, N], rows.concat())
}

/// A scalar.
pub(super) fn scalar<T: Element>(value: T) -> Array {
    Array::scalar(value)
}

/// Strings.
pub(super) fn texts<const N: usize>(values: [&str; N]) -> Array {
    vector(values.map(str::to_owned))
}

pub(super) fn ints<const N: usize>(values: [i64; N]) -> Attr {
    Attr::Ints(values.to_vec())
}

fn cases() -> Vec<Case> {
    [
        arithmetic::tests::cases(),
        mathematics::tests::cases(),
        compare::tests::cases(),
        conv::tests::cases(),
        einsum::tests::cases(),
        reduce::tests::cases(),
        shape::cases(),
        index::tests::cases(),
        arrange::tests::cases(),
        diagonal::tests::cases(),
        dynamic::tests::cases(),
        gather::tests::cases(),
        gradient::tests::cases(),
        order::cases(),
        pad::tests::cases(),
        scatter::tests::cases(),
        segment::tests::cases(),
        source::tests::cases(),
        strings::tests::cases(),
        random::tests::cases(),
        list::tests::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b && a.is_sign_negative() == b.is_sign_negative()
        || a.is_nan() && b.is_nan()
        || (a - b).abs() <= tolerance * b.abs()
}

fn same(a: &Array, b: &Array) -> bool {
    let values = match (a.buffer(), b.buffer()) {
        (Buffer::F32(x), Buffer::F32(y)) => x
            .iter()
            .zip(y)
            .all(|(x, y)| close((*x).into(), (*y).into(), 1e-6)),
        (Buffer::F64(x), Buffer::F64(y)) => x.iter().zip(y).all(|(x, y)| close(*x, *y, 1e-14)),
        (x, y) => x == y,
    };
    a.shape() == b.shape() && values
}

/// The operands' types: as they are, with unknown sizes, and with unknown ranks.
fn views(inputs: &[Array]) -> [Vec<TensorType>; 3] {
    let exact: Vec<TensorType> = inputs.iter().map(TensorType::of_array).collect();
    let with = |shape: fn(&Array) -> Shape| {
        inputs
            .iter()
            .map(|x| TensorType::new(x.dtype(), shape(x)))
            .collect()
    };
    [
        exact,
        with(|x| Shape::of(x.shape().iter().map(|_| None))),
        with(|_| Shape::unknown()),
    ]
}

fn check_value(case: &Case, actual: &Array, expected: &Array) {
    assert!(
        same(actual, expected),
        "{:?}{:?}: {actual:?}, not {expected:?}",
        case.op,
        case.attrs
    );
    for types in views(&case.inputs) {
        let inferred = (case.op.infer)(&types, &case.attrs);
        let covered = inferred
            .as_ref()
            .is_ok_and(|ty| ty.covers(&TensorType::of_array(actual)));
        assert!(
            covered,
            "{:?}{:?} of {types:?} is inferred as {inferred:?}, gives {actual:?}",
            case.op, case.attrs
        );
    }
}

#[test]
fn every_case_gives_what_it_should() {
    // One output for all cases, so that each one finds the leftovers of another.
    let mut out = Array::default();
    for case in cases() {
        let operands: Vec<&Array> = case.inputs.iter().collect();
        let [exact, ..] = views(&case.inputs);
        let run = |out: &mut Array| {
            (case.op.kernel)(&operands, &case.attrs, out).map_err(|e| e.to_string())
        };
        match &case.expected {
            Value(expected) => {
                run(&mut out)
                    .unwrap_or_else(|error| panic!("{:?}{:?}: {error}", case.op, case.attrs));
                check_value(&case, &out, expected);
            }
            RunError(text) => assert_eq!(run(&mut out), Err((*text).to_owned()), "{:?}", case.op),
            TypeError(text) => {
                assert_eq!(
                    (case.op.infer)(&exact, &case.attrs),
                    Err((*text).to_owned()),
                    "{:?}",
                    case.op
                );
                assert!(
                    run(&mut out).is_err(),
                    "{:?} refuses what its type rule refuses",
                    case.op
                );
            }
        }
    }
}

#[test]
fn kernels_in_place_do_what_kernels_do() {
    for case in cases() {
        let (Some(in_place), [first, others @ ..]) = (case.op.in_place, &case.inputs[..]) else {
            continue;
        };
        let (mut updated, mut out) = (first.clone(), Array::default());
        let others: Vec<&Array> = others.iter().collect();
        let result = in_place(&mut updated, &others, &case.attrs);
        let operands: Vec<&Array> = case.inputs.iter().collect();
        assert_eq!(
            result,
            (case.op.kernel)(&operands, &case.attrs, &mut out),
            "{:?}",
            case.op
        );
        if result.is_ok() {
            assert!(same(&updated, &out), "{:?}{:?}", case.op, case.attrs);
        }
    }
}

#[test]
fn every_op_has_a_case_that_gives_a_value() {
    let tested: BTreeSet<&str> = cases()
        .iter()
        .filter(|c| matches!(c.expected, Value(_)))
        .map(|c| c.op.name)
        .collect();
    let untested: Vec<&str> = all()
        .map(|op| op.name)
        .filter(|name| !tested.contains(name))
        .collect();
    assert!(untested.is_empty(), "no test of {untested:?}");
}

#[test]
fn every_op_is_found_by_its_name_once() {
    let names: BTreeSet<&str> = all().map(|op| op.name).collect();
    assert_eq!(names.len(), all().count());
    assert!(all().all(|op| find(op.name) == Some(op)));
    assert_eq!(find("no_such_op"), None);
}

#[test]
fn every_op_refuses_a_wrong_number_of_operands_and_missing_attributes() {
    let many: Vec<TensorType> = (0..9).map(|_| TensorType::scalar(DType::Bool)).collect();
    for op in all() {
        assert!((op.infer)(&many, &Attrs::new()).is_err(), "{op:?}");
    }
}

#[test]
fn no_case_makes_an_op_fail_that_is_said_not_to() {
    for case in cases() {
        let RunError(error) = case.expected else {
            continue;
        };
        let [exact, ..] = views(&case.inputs);
        let numbers = exact.iter().all(|ty| ty.dtype != DType::Str);
        let element = (case.op.element)(&case.attrs).filter(|_| numbers);
        let safe = match (element, exact.last()) {
            (Some(element), Some(ty)) => element.is_total(ty.dtype),
            _ => case.op.fails != Fails::OnValues || case.op.reduction.is_some(),
        };
        if safe && !error.ends_with("is too large") {
            let refused = (case.op.infer)(&exact, &case.attrs).is_err();
            assert!(refused, "{:?}{:?} fails", case.op, case.attrs);
        }
    }
}

/// So that a graph read from text fails to parse, and not to run: passes rely on what a type rule accepted.
#[test]
fn every_type_rule_refuses_attributes_of_a_wrong_type() {
    let mut lenient = BTreeSet::new();
    for case in cases().iter().filter(|c| matches!(c.expected, Value(_))) {
        let [exact, ..] = views(&case.inputs);
        for at in 0..case.attrs.len() {
            let mut attrs = case.attrs.clone();
            attrs[at].1 = match attrs[at].1 {
                Attr::Ints(_) => Attr::Text("no".to_owned()),
                _ => ints([0]),
            };
            if (case.op.infer)(&exact, &attrs).is_ok() {
                lenient.insert((case.op.name, attrs[at].0));
            }
        }
    }
    assert!(lenient.is_empty(), "{lenient:?}");
}
