//! What stands behind a convolution changes no bit: sums in registers, a program on rows in cache, and filters that are packed once.

use std::sync::Arc;

use super::*;
use crate::matmul::tests::uneven;
use crate::{Behind, ElementOp, Operand, Packed, Program, Step, Width};

fn step(op: ElementOp, operands: &[Operand]) -> Step {
    Step {
        op: op.into(),
        operands: operands.into(),
    }
}

/// Images and filters of every way: one group in parts of sums, of many filters and of few, in several blocks of rows; groups side by side
/// and one by one; a single window; and no channels.
const SIZES: [[[usize; 4]; 2]; 10] = [
    [[1, 5, 9, 60], [2, 3, 60, 17]],
    [[2, 20, 21, 3], [3, 3, 3, 40]],
    [[1, 5, 9, 120], [2, 3, 120, 3]],
    [[2, 7, 6, 8], [1, 1, 8, 2100]],
    [[2, 19, 8, 6], [2, 3, 3, 4]],
    [[1, 19, 7, 36], [3, 3, 1, 36]],
    [[1, 11, 7, 4], [2, 2, 2, 6]],
    [[2, 5, 7, 4], [2, 2, 2, 16]],
    [[1, 1, 1, 8], [1, 1, 8, 20]],
    [[1, 4, 4, 0], [2, 2, 0, 5]],
];

const DTYPES: [DType; 5] = [DType::F32, DType::F64, DType::I32, DType::I64, DType::F16];

/// A result that is made in one pass has the bits of the same steps one after another.
fn check([image, filter]: [[usize; 4]; 2], dtype: DType, window: Window) {
    // A bias and a residual are added to the convolution; then it is multiplied and cut off.
    let sums = [
        step(ElementOp::Add, &[Operand::Input(0), Operand::Input(1)]),
        step(ElementOp::Add, &[Operand::Input(2), Operand::Step(0)]),
    ];
    let after = [
        step(ElementOp::Mul, &[Operand::Step(1), Operand::Input(3)]),
        step(ElementOp::Relu, &[Operand::Step(2)]),
    ];
    let rest = [
        step(ElementOp::Mul, &[Operand::Input(0), Operand::Input(3)]),
        step(ElementOp::Relu, &[Operand::Step(0)]),
    ];
    let (x, f) = (uneven(dtype, &image, 1), uneven(dtype, &filter, 2));
    let mut plain = Array::default();
    conv2d(&x, &f, window, &mut plain).unwrap();
    let row = [1, 1, filter[3]];
    let [bias, residual, factor] =
        [&row[..], plain.shape(), &row[2..]].map(|shape| uneven(dtype, shape, 3));
    let inputs = [None, Some(&bias), Some(&residual), Some(&factor)];
    let types = [(dtype, Width::Row); 4];
    let alone = Program::of_rows(&types, &[&sums[..], &after].concat()).unwrap();
    let mut programs = vec![alone.clone()];
    programs.extend(Program::behind_sums(&types, &rest, &[1, 2]));
    assert_eq!(programs.len(), 1 + usize::from(dtype.is_calculated_with()));
    let packed = Packed::new(Arc::new(f));
    let f = packed.array();
    for level in Level::supported().collect::<Vec<_>>().into_iter().rev() {
        let compare = || {
            let mut expected = Array::default();
            conv2d(&x, f, window, &mut expected).unwrap();
            alone.run(&inputs, &mut expected).unwrap();
            for (program, threads) in programs.iter().zip([3, 1]) {
                for kept in [None, Some(&packed)] {
                    let behind = Behind {
                        program: Some((program, &inputs)),
                        packed: kept,
                    };
                    let mut out = Array::default();
                    let run = || conv2d_then([&x, f], window, behind, &mut out);
                    on_threads(threads, run).unwrap();
                    let case = (dtype, image, filter, window, level.name(), kept.is_some());
                    assert_eq!(out, expected, "{case:?}");
                }
            }
        };
        with_level(level, compare).unwrap();
    }
}

#[test]
fn what_stands_behind_a_convolution_changes_no_bit() {
    for (n, sizes) in SIZES.into_iter().enumerate() {
        for window in windows() {
            check(sizes, DType::F32, window);
        }
        for dtype in DTYPES {
            check(sizes, dtype, windows()[n]);
        }
    }
}

#[test]
fn filters_are_packed_once() {
    let (x, f) = (whole(&[1, 6, 6, 3]), whole(&[3, 3, 3, 20]));
    let packed = Packed::new(Arc::new(f));
    let behind = Behind {
        packed: Some(&packed),
        ..Behind::default()
    };
    let run = || {
        let mut out = Array::default();
        conv2d_then([&x, packed.array()], Window::default(), behind, &mut out).unwrap();
        out
    };
    assert_eq!(packed.bytes(), 0);
    let first = run();
    assert!(packed.bytes() >= 27 * 20 * 4);
    let mut expected = Array::default();
    conv2d(&x, packed.array(), Window::default(), &mut expected).unwrap();
    assert_eq!([first, run()], [expected.clone(), expected]);
}
