//! Einstein sums against the sum over all values of all labels.

use proptest::prelude::*;

use super::*;

fn whole(shape: &[usize], seed: usize) -> Array {
    let len = shape.iter().product::<usize>();
    Array::new(
        shape,
        (0..len)
            .map(|n| ((n * 7 + seed) * 31 % 7) as i32 - 3)
            .collect(),
    )
}

/// The definition: for each value of all labels, the product is added to the result.
fn by_definition(equation: &Equation, operands: &[&Array]) -> Array {
    let mut labels: Labels = equation.inputs.iter().flatten().copied().collect();
    labels.sort();
    labels.dedup();
    let size = |label: Label| {
        let sizes = equation
            .inputs
            .iter()
            .zip(operands)
            .flat_map(|(labels, x)| labels.iter().zip(x.shape()));
        sizes
            .filter(|(own, _)| **own == label)
            .map(|(_, n)| *n)
            .max()
            .unwrap_or(1)
    };
    let sizes: Dims = labels.iter().map(|label| size(*label)).collect();
    let at = |own: &[Label], shape: &[usize], values: &[usize]| {
        own.iter().zip(shape).fold(0, |sum, (label, n)| {
            let i = labels.iter().position(|other| other == label).unwrap();
            sum * n + if *n == 1 { 0 } else { values[i] }
        })
    };
    let shape: Dims = equation.output.iter().map(|label| size(*label)).collect();
    let mut out = vec![0; shape.iter().product()];
    for n in 0..sizes.iter().product::<usize>() {
        let mut rest = n;
        let mut values: Dims = sizes
            .iter()
            .rev()
            .map(|size| (rest % size, rest /= size).0)
            .collect();
        values.reverse();
        let factors = equation
            .inputs
            .iter()
            .zip(operands)
            .map(|(own, x)| x.values::<i32>().unwrap()[at(own, x.shape(), &values)]);
        out[at(&equation.output, &shape, &values)] += factors.product::<i32>();
    }
    Array::new(&shape, out)
}

fn check(text: &str, shapes: &[&[usize]]) {
    let operands: Vec<Array> = shapes
        .iter()
        .enumerate()
        .map(|(n, shape)| whole(shape, n))
        .collect();
    let operands: Vec<&Array> = operands.iter().collect();
    let ranks: Vec<usize> = shapes.iter().map(|shape| shape.len()).collect();
    let equation = Equation::new(text, &ranks).unwrap();
    let mut out = Array::scalar(1.5f32);
    einsum(text, &operands, &mut out).unwrap();
    assert_eq!(
        out,
        by_definition(&equation, &operands),
        "{text} {shapes:?}"
    );
}

#[test]
fn sums_of_every_kind() {
    check("ij,jk->ik", &[&[2, 3], &[3, 4]]);
    check("ij,kj->ki", &[&[2, 3], &[4, 3]]);
    check("ji,kj->ik", &[&[3, 2], &[4, 3]]);
    check("ij,ij->", &[&[2, 3], &[2, 3]]);
    check("ij->ji", &[&[2, 3]]);
    check("ii->i", &[&[3, 3]]);
    check("ii", &[&[3, 3]]);
    check("iji->j", &[&[3, 2, 3]]);
    check("i,j->ij", &[&[2], &[3]]);
    check("ij->", &[&[2, 3]]);
    check("ijk->k", &[&[2, 3, 4]]);
    check("bhqd,bhkd->bhqk", &[&[2, 2, 3, 4], &[2, 2, 5, 4]]);
    check("bqhd,bkhd->bhqk", &[&[2, 3, 2, 4], &[2, 5, 2, 4]]);
    check("ij,jk,kl->il", &[&[2, 3], &[3, 4], &[4, 5]]);
    check("i,i,i->", &[&[4], &[4], &[4]]);
    check("i,ij,j->", &[&[2], &[2, 3], &[3]]);
    check("...ij,...jk->...ik", &[&[2, 1, 2, 3], &[4, 3, 2]]);
    check("...ij,jk", &[&[2, 2, 3], &[3, 2]]);
    check("i...,i...->...", &[&[2, 1, 3], &[2, 4, 3]]);
    check("...->", &[&[2, 3]]);
    check("ij,jk->ik", &[&[0, 3], &[3, 2]]);
    check("ij,jk->ik", &[&[2, 0], &[0, 2]]);
    check(",ij->ij", &[&[], &[2, 3]]);
}

proptest! {
    #[test]
    fn any_two_operands(
        left in "[a-d]{0,3}", right in "[a-d]{0,3}", keep in 0u8..16, sizes in prop::array::uniform4(1usize..4),
    ) {
        let output: String = ('a'..='d')
            .enumerate()
            .filter(|(n, c)| keep >> n & 1 == 1 && (left.contains(*c) || right.contains(*c)))
            .map(|(_, c)| c)
            .collect();
        let shape = |text: &str| -> Vec<usize> { text.bytes().map(|c| sizes[usize::from(c - b'a')]).collect() };
        let (a, b) = (shape(&left), shape(&right));
        check(&format!("{left},{right}->{output}"), &[&a, &b]);
        check(&format!("{left},{right}"), &[&a, &b]);
    }
}

#[test]
fn sizes_that_differ_are_an_error() {
    let (a, b) = (whole(&[2, 3], 0), whole(&[2, 3], 1));
    let error = einsum("ij,jk->ik", &[&a, &b], &mut Array::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Expected dimension 3 at axis 0 of input 1 but got dimension 2"
    );
    let bools = Array::new(&[1], vec![true]);
    assert!(einsum("i->", &[&bools], &mut Array::default()).is_err());
    assert!(
        einsum(
            "ij,jk",
            &[&a, &Array::zeros(crate::DType::F32, &[3, 2])],
            &mut Array::default()
        )
        .is_err()
    );
}

#[test]
fn pairs_of_axes_are_summed() {
    let (a, b) = (whole(&[2, 3, 4], 0), whole(&[4, 5, 3], 1));
    let (mut pairs, mut sum) = (Array::default(), Array::default());
    tensordot(&a, &b, [&[1, -1], &[2, 0]], &mut pairs).unwrap();
    einsum("ijk,klj->il", &[&a, &b], &mut sum).unwrap();
    assert_eq!(pairs, sum);
    tensordot(&a, &b, [&[], &[]], &mut pairs).unwrap();
    assert_eq!(pairs.shape(), [2, 3, 4, 4, 5, 3]);
    for axes in [
        [&[1][..], &[]],
        [&[1, 1], &[2, 0]],
        [&[3], &[0]],
        [&[0], &[1]],
    ] {
        assert!(tensordot(&a, &b, axes, &mut pairs).is_err(), "{axes:?}");
    }
    // An axis of size 1 is not broadcast.
    let one = whole(&[1], 0);
    assert!(tensordot(&one, &a, [&[0], &[0]], &mut pairs).is_err());
}
