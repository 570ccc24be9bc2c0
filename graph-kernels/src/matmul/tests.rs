//! Products compared with plain sums, over sizes around those of tiles, panels and blocks.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::parallel::on_threads;
use crate::simd::{Level, with_level};
use crate::{ElementOp, Operand, Program, ReduceOp, Step, StepOp, Width, cast};

/// Small whole numbers, whose products and sums are exact in every dtype.
fn whole<T: Number>(shape: &[usize], seed: usize) -> Array {
    let value = |n: usize| T::from_usize((n * 7 + seed) * 31 % 5);
    Array::new(shape, (0..shape.iter().product()).map(value).collect())
}

/// A matrix product by its definition; both operands have the same batch.
pub(crate) fn by_definition<T: Number>(a: &Array, b: &Array, ta: bool, tb: bool) -> Vec<T> {
    let product = Product::new(a.shape(), b.shape(), [ta, tb]).unwrap();
    let [la, lb] = product.layouts;
    let ((m, k), (_, n)) = (la.read(), lb.read());
    let (x, y) = (a.values::<T>().unwrap(), b.values::<T>().unwrap());
    let at = |layout: Layout, i: usize, j: usize| match layout.transposed {
        true => j * layout.columns + i,
        false => i * layout.columns + j,
    };
    let mut out = Vec::new();
    for (x, y) in (0..a.shape()[0]).map(|z| (&x[z * m * k..], &y[z * k * n..])) {
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let products = (0..k).map(|p| x[at(la, i, p)].mul(y[at(lb, p, j)]));
            out.push(products.fold(T::ZERO, T::add));
        }
    }
    out
}

/// Compares the product of `[batch, m, k]` and `[batch, k, n]` with the definition on every level.
fn check<T: Number>(batch: usize, (m, k, n): (usize, usize, usize), ta: bool, tb: bool) {
    let a = whole::<T>(&if ta { [batch, k, m] } else { [batch, m, k] }, 1);
    let b = whole::<T>(&if tb { [batch, n, k] } else { [batch, k, n] }, 2);
    let expected = by_definition::<T>(&a, &b, ta, tb);
    for level in Level::supported() {
        let mut out = Array::scalar(7f64);
        with_level(level, || matmul(&a, &b, ta, tb, &mut out).unwrap());
        assert_eq!(out.shape(), [batch, m, n]);
        let same = out.values::<T>().unwrap() == expected;
        assert!(
            same,
            "{} {batch} {m} {k} {n} {ta} {tb} {}",
            T::DTYPE,
            level.name()
        );
    }
}

#[test]
fn sizes_at_the_edges_of_tiles_panels_and_blocks() {
    let sizes = [
        1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 33, 48, 63, 64, 65, 100, 130,
    ];
    for (n, size) in sizes.into_iter().enumerate() {
        let other = sizes[(n + 5) % sizes.len()];
        let (ta, tb) = (n % 2 == 0, n % 3 == 0);
        check::<f32>(1, (size, other, 3), ta, tb);
        check::<f32>(1, (6, 5, size), ta, tb);
        check::<f32>(2, (other, 7, size), tb, ta);
        check::<f64>(1, (other, size, size), ta, tb);
        check::<i32>(1, (size, 3, other), ta, tb);
    }
    check::<f32>(1, (2, 1, 12), false, true);
    // More than one block of products, of columns, and of rows.
    check::<f32>(1, (5, 600, 20), false, false);
    check::<f32>(1, (140, 3, 2100), true, true);
    check::<f32>(1, (40, 700, 10), true, false);
    check::<f64>(1, (20, 300, 40), false, true);
    check::<u8>(3, (20, 300, 33), false, false);
    check::<i8>(2, (20, 30, 33), true, false);
    check::<u16>(1, (20, 300, 33), false, true);
    check::<i16>(1, (3, 30, 33), false, false);
    check::<i64>(9, (3, 3, 3), false, true);
    check::<crate::f16>(2, (5, 20, 9), false, true);
    check::<crate::bf16>(1, (6, 4, 5), true, false);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_product_is_the_definitions(
        batch in 1usize..4, m in 0usize..40, k in 0usize..40, n in 0usize..90, ta: bool, tb: bool,
    ) {
        check::<f32>(batch, (m, k, n), ta, tb);
        check::<i32>(batch, (m, k, n), ta, tb);
    }
}

#[test]
fn one_operand_of_a_batch_is_repeated() {
    let (a, b) = (whole::<f32>(&[3, 1, 4, 5], 1), whole::<f32>(&[2, 5, 6], 2));
    let mut out = Array::default();
    matmul(&a, &b, false, false, &mut out).unwrap();
    assert_eq!(out.shape(), [3, 2, 4, 6]);
    for (z, y, product) in out
        .values::<f32>()
        .unwrap()
        .chunks(24)
        .enumerate()
        .map(|(i, product)| (i / 2, i % 2, product))
    {
        let part = |x: &Array, at: usize, shape: &[usize]| {
            let len = shape.iter().product::<usize>();
            Array::new(
                shape,
                x.values::<f32>().unwrap()[at * len..][..len].to_vec(),
            )
        };
        let (a, b) = (part(&a, z, &[1, 4, 5]), part(&b, y, &[1, 5, 6]));
        assert_eq!(product, by_definition::<f32>(&a, &b, false, false));
    }
}

#[test]
fn the_bits_are_the_same_for_any_number_of_threads() {
    let fractions = |shape: &[usize]| {
        let len = shape.iter().product::<usize>();
        Array::new(
            shape,
            (0..len).map(|n| 1.0 / (n % 1013 + 3) as f32).collect(),
        )
    };
    let shapes: [[&[usize]; 2]; 5] = [
        [&[100, 260], &[260, 200]],
        [&[100, 20], &[20, 2100]],
        [&[1, 1000], &[1000, 1000]],
        [&[1000, 300], &[300, 1]],
        [&[20, 64, 70], &[20, 70, 64]],
    ];
    for [a, b] in shapes {
        let (a, b) = (fractions(a), fractions(b));
        let product = |threads| {
            let mut out = Array::default();
            on_threads(threads, || matmul(&a, &b, false, false, &mut out).unwrap());
            out
        };
        let one = product(1);
        assert!([2, 3].into_iter().all(|threads| product(threads) == one));
    }
}

#[test]
fn a_row_has_the_bits_that_it_has_among_others() {
    fn check<T: Number>((k, n): (usize, usize)) {
        let fractions = |shape: [usize; 2], seed: usize| {
            let value = |i: usize| T::from_usize((i * 7919 + seed) % 1013).div(T::from_usize(97));
            Array::new(&shape, (0..shape[0] * shape[1]).map(value).collect())
        };
        let (a, b) = (fractions([6, k], 1), fractions([k, n], 2));
        for level in Level::supported() {
            let product = |a: &Array| {
                let mut out = Array::default();
                with_level(level, || matmul(a, &b, false, false, &mut out).unwrap());
                out.values::<T>().unwrap().to_vec()
            };
            let together = product(&a);
            for (i, row) in a.values::<T>().unwrap().chunks(k).enumerate() {
                let alone = product(&Array::new(&[1, k], row.to_vec()));
                let among = &together[i * n..][..n];
                assert!(alone == among, "{} {k} {n} {}", T::DTYPE, level.name());
            }
        }
    }
    // Up to several blocks of products, of matrices in and beyond the nearest cache.
    for size in [
        (1, 1),
        (5, 3),
        (64, 64),
        (63, 100),
        (320, 1),
        (321, 40),
        (700, 70),
        (1000, 500),
    ] {
        check::<f32>(size);
        check::<f64>(size);
    }
}

fn step(op: impl Into<StepOp>, operands: &[Operand]) -> Step {
    Step {
        op: op.into(),
        operands: operands.into(),
    }
}

/// `relu(product + bias) * product`
fn program(dtype: DType) -> Program {
    let steps = [
        step(ElementOp::Add, &[Operand::Input(0), Operand::Input(1)]),
        step(ElementOp::Relu, &[Operand::Step(0)]),
        step(ElementOp::Mul, &[Operand::Step(1), Operand::Input(0)]),
    ];
    Program::new(&[dtype; 2], &steps).unwrap()
}

#[test]
fn a_program_behind_a_product_gives_what_it_gives_alone() {
    let shapes: [([&[usize]; 2], &[usize]); 8] = [
        ([&[70, 600], &[600, 30]], &[30]),
        ([&[20, 10], &[10, 2100]], &[20, 1]),
        ([&[3, 5, 6], &[3, 6, 7]], &[3, 5, 7]),
        ([&[9, 40, 6], &[1, 6, 90]], &[90]),
        ([&[1, 64], &[64, 64]], &[]),
        ([&[64, 64], &[64, 1]], &[1]),
        ([&[2, 3, 0], &[0, 4]], &[4]),
        // The result is larger than the product.
        ([&[2, 3], &[3, 4]], &[5, 2, 4]),
    ];
    for ([a, b], bias) in shapes {
        for dtype in [
            DType::F32,
            DType::I32,
            DType::F16,
            DType::U8,
            DType::I16,
            DType::U64,
        ] {
            let of_dtype = |shape: &[usize], seed| {
                let mut array = Array::default();
                cast(&whole::<f32>(shape, seed), dtype, &mut array).unwrap();
                array
            };
            let (a, b, bias) = (of_dtype(a, 1), of_dtype(b, 2), of_dtype(bias, 3));
            let program = program(dtype);
            let (mut product, mut expected) = (Array::default(), Array::default());
            matmul(&a, &b, false, false, &mut product).unwrap();
            program
                .run(&[Some(&product), Some(&bias)], &mut expected)
                .unwrap();
            for threads in [1, 3] {
                let mut out = Array::default();
                let run = || {
                    matmul_then(
                        [&a, &b],
                        [false; 2],
                        Behind::program(&program, &[None, Some(&bias)]),
                        &mut out,
                    )
                };
                on_threads(threads, run).unwrap();
                assert_eq!(out, expected);
            }
        }
    }
}

#[test]
fn a_program_of_rows_behind_a_product_has_whole_rows() {
    // The product minus the mean of its row.
    let steps = [
        step(StepOp::Reduce(ReduceOp::Mean), &[Operand::Input(0)]),
        step(ElementOp::Sub, &[Operand::Input(0), Operand::Step(0)]),
    ];
    let program = Program::of_rows(&[(DType::F32, Width::Row)], &steps).unwrap();
    for n in [30, 2100] {
        let (a, b) = (whole::<f32>(&[70, 300], 1), whole::<f32>(&[300, n], 2));
        let (mut product, mut expected, mut out) = Default::default();
        matmul(&a, &b, false, false, &mut product).unwrap();
        program.run(&[Some(&product)], &mut expected).unwrap();
        matmul_then(
            [&a, &b],
            [false; 2],
            Behind::program(&program, &[None]),
            &mut out,
        )
        .unwrap();
        assert_eq!(out, expected);
    }
}

/// Numbers whose sums and products are rounded, differently in every order.
pub(crate) fn uneven(dtype: DType, shape: &[usize], seed: usize) -> Array {
    let value = |n: usize| ((n * 7919 + seed * 104_729) % 1000) as f64 / 7.0 - 70.0;
    let values = (0..shape.iter().product()).map(value).collect::<Vec<f64>>();
    let mut array = Array::default();
    cast(&Array::new(shape, values), dtype, &mut array).unwrap();
    array
}

#[test]
fn sums_before_a_program_have_the_bits_of_steps() {
    // Whole tiles and parts of tiles, several blocks of products, a batch, vectors, and empty sums.
    let shapes: [[&[usize]; 2]; 9] = [
        [&[32, 64], &[64, 256]],
        [&[70, 700], &[700, 100]],
        [&[10, 10], &[10, 40]],
        [&[20, 10], &[10, 2100]],
        [&[3, 5, 6], &[3, 6, 7]],
        [&[4, 9, 40], &[40, 90]],
        [&[1, 64], &[64, 64]],
        [&[64, 64], &[64, 1]],
        [&[2, 0], &[0, 4]],
    ];
    let sums = [
        step(ElementOp::Add, &[Operand::Input(0), Operand::Input(1)]),
        step(ElementOp::Add, &[Operand::Input(2), Operand::Step(0)]),
        step(ElementOp::Add, &[Operand::Step(1), Operand::Input(3)]),
    ];
    let rest = [
        step(ElementOp::Mul, &[Operand::Input(0), Operand::Input(4)]),
        step(ElementOp::Maximum, &[Operand::Step(0), Operand::Input(0)]),
    ];
    let after = [
        step(ElementOp::Mul, &[Operand::Step(2), Operand::Input(4)]),
        step(ElementOp::Maximum, &[Operand::Step(3), Operand::Step(2)]),
    ];
    for ([a, b], dtype) in shapes
        .into_iter()
        .flat_map(|shapes| [DType::F32, DType::F64, DType::I32].map(|dtype| (shapes, dtype)))
    {
        let (a, b) = (uneven(dtype, a, 1), uneven(dtype, b, 2));
        let product = || {
            let mut product = Array::default();
            matmul(&a, &b, false, false, &mut product).unwrap();
            product
        };
        let shape = product().shape().to_vec();
        let row = [*shape.last().unwrap()];
        // One element of a sequence is added, at a position.
        let sequence = [&[3], &shape[..]].concat();
        let [whole, row, sequence, factor] =
            [&shape[..], &row, &sequence, &[1]].map(|shape| uneven(dtype, shape, 3));
        let position = Array::scalar(1i32);
        let inputs = [
            None,
            Some(&whole),
            Some(&row),
            Some(&sequence),
            Some(&factor),
            Some(&position),
        ];
        let types = [(dtype, Width::Row); 5];
        for (after, behind) in [(&after[..], &rest[..]), (&[], &[])] {
            let alone = Program::of_rows(&types, &[&sums, after].concat()).unwrap();
            let behind = Program::behind_sums(&types, behind, &[1, 2, 3]).unwrap();
            let [alone, behind] = [alone, behind].map(|program| program.with_row(3, 1, false));
            for level in Level::supported() {
                let check = || {
                    let mut expected = product();
                    alone.run(&inputs, &mut expected).unwrap();
                    for threads in [1, 3] {
                        let mut out = Array::default();
                        let behind = Behind::program(&behind, &inputs);
                        let run = || matmul_then([&a, &b], [false; 2], behind, &mut out);
                        on_threads(threads, run).unwrap();
                        assert_eq!(
                            out,
                            expected,
                            "{dtype} {shape:?} {threads} {}",
                            level.name()
                        );
                    }
                };
                with_level(level, check).unwrap();
            }
        }
    }
}

#[test]
fn what_is_no_part_of_a_product_is_not_added_to_it() {
    let types = [(DType::F32, Width::Row); 2];
    let program = Program::behind_sums(&types, &[], &[1]).unwrap();
    let (a, b) = (whole::<f32>(&[6, 3], 1), whole::<f32>(&[3, 6], 2));
    let mut out = Array::default();
    for shape in [&[6, 1][..], &[1], &[2, 6, 6]] {
        let other = whole::<f32>(shape, 3);
        let result = matmul_then(
            [&a, &b],
            [false; 2],
            Behind::program(&program, &[None, Some(&other)]),
            &mut out,
        );
        assert!(result.is_err(), "{shape:?}");
    }
    let row = whole::<f32>(&[6], 3);
    let result = program.run(&[Some(&row), Some(&row)], &mut out);
    assert_eq!(
        result.unwrap_err().to_string(),
        "a program with inputs that a product adds runs behind a product only"
    );
    for dtypes in [[DType::F32, DType::F64], [DType::F16; 2]] {
        let types = dtypes.map(|dtype| (dtype, Width::Row));
        assert!(Program::behind_sums(&types, &[], &[1]).is_err());
    }
    assert!(Program::behind_sums(&types, &[], &[2]).is_err());
}

#[test]
fn a_result_too_large_for_memory_is_an_error() {
    let (a, b) = (
        Array::zeros(crate::DType::F32, &[1 << 40, 0]),
        Array::zeros(crate::DType::F32, &[0, 1 << 40]),
    );
    assert!(matmul(&a, &b, false, false, &mut Array::default()).is_err());
}

/// Products with right operands that are packed once have the bits of others: read across or not, of one block of columns and of several, at
/// any level, also one at which they weren't packed.
#[test]
fn operands_that_are_packed_once_change_no_bit() {
    let shapes: [[&[usize]; 2]; 6] = [
        [&[5, 700], &[700, 100]],
        [&[70, 64], &[64, 300]],
        [&[9, 10], &[10, 2100]],
        [&[3, 4, 400], &[400, 33]],
        [&[1, 64], &[64, 64]],
        [&[20, 8], &[8, 16]],
    ];
    for ([a, b], dtype) in shapes
        .into_iter()
        .flat_map(|shapes| [DType::F32, DType::F64, DType::I32, DType::F16].map(|d| (shapes, d)))
    {
        for transposed in [false, true] {
            let a = uneven(dtype, a, 1);
            let b = match transposed {
                true => uneven(dtype, &[b[1], b[0]], 2),
                false => uneven(dtype, b, 2),
            };
            let packed = Packed::new(Arc::new(b));
            let behind = Behind {
                packed: Some(&packed),
                ..Behind::default()
            };
            // The array is packed at the highest level.
            for level in Level::supported().collect::<Vec<_>>().into_iter().rev() {
                let check = || {
                    let (mut expected, mut out) = (Array::default(), Array::default());
                    matmul(&a, packed.array(), false, transposed, &mut expected).unwrap();
                    let operands = [&a, packed.array()];
                    matmul_then(operands, [false, transposed], behind, &mut out).unwrap();
                    assert_eq!(out, expected, "{dtype} {:?} {}", a.shape(), level.name());
                };
                with_level(level, check).unwrap();
            }
        }
    }
}

#[test]
fn another_array_than_the_packed_one_is_multiplied_as_it_is() {
    let (a, b) = (whole::<f32>(&[9, 300], 1), whole::<f32>(&[300, 70], 2));
    let packed = Packed::new(Arc::new(b));
    let behind = Behind {
        packed: Some(&packed),
        ..Behind::default()
    };
    let mut out = Array::default();
    assert_eq!(packed.bytes(), 0);
    matmul_then([&a, packed.array()], [false; 2], behind, &mut out).unwrap();
    assert!(packed.bytes() >= 300 * 70 * 4);
    let (other, mut expected) = (whole::<f32>(&[300, 70], 3), Array::default());
    matmul(&a, &other, false, false, &mut expected).unwrap();
    matmul_then([&a, &other], [false; 2], behind, &mut out).unwrap();
    assert_eq!(out, expected);
}
