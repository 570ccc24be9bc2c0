//! Cases of sums of products. The tests of the kernels compare many equations with the definition.

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
    let x = || matrix([[1, 2, 3], [4, 5, 6]]);
    let sum = |equation: &str, inputs: Vec<Array>, expected| {
        case_with(&EINSUM, [Attr::Text(equation.to_owned())], inputs, expected)
    };
    let dot = |a: &[i64], b: &[i64], inputs: [Array; 2], expected| {
        let attrs = [Attr::Ints(a.to_vec()), Attr::Ints(b.to_vec())];
        case_with(&TENSORDOT, attrs, inputs, expected)
    };
    let xxt = || matrix([[14, 32], [32, 77]]);
    vec![
        sum("ij,kj->ik", vec![x(), x()], Value(xxt())),
        sum("ij->j", vec![x()], Value(vector([5, 7, 9]))),
        sum("ij,ij", vec![x(), x()], Value(scalar(91))),
        sum(
            "...i,i->...",
            vec![x(), vector([1, 0, 2])],
            Value(vector([7, 16])),
        ),
        sum(
            "ij,jk->ik",
            vec![x(), x()],
            TypeError("Expected dimension 3 at axis 0 of input 1 but got dimension 2"),
        ),
        sum(
            "ijk->ik",
            vec![x()],
            TypeError("Expected input 0 to have rank 3 but got: 2"),
        ),
        dot(&[1], &[1], [x(), x()], Value(xxt())),
        dot(&[0, 1], &[0, 1], [x(), x()], Value(scalar(91))),
        dot(
            &[0],
            &[1],
            [x(), x()],
            TypeError("Expected dimension 2 at axis 1 of input 1 but got dimension 3"),
        ),
        dot(
            &[0],
            &[],
            [x(), x()],
            TypeError("`tensordot` takes as many axes of both operands, not 1 and 0"),
        ),
    ]
}
