//! Narrow products compared with their definition, and with the products of all numbers.

use super::*;
use crate::Array;
use crate::matmul::matmul;
use crate::matmul::tests::by_definition;
use crate::simd::{Level, with_level};

/// Values from `least` to `least + range`, both included.
fn between(shape: &[usize], least: i32, range: u32, seed: usize) -> Array {
    let len = shape.iter().product::<usize>();
    let value = |n: usize| {
        let far = (n + seed).wrapping_mul(2_654_435_761) >> 7;
        let far = [far as u32 % (range + 1), 0, range][n % 5 / 2];
        least.wrapping_add(far as i32)
    };
    Array::new(shape, (0..len).map(value).collect())
}

/// Compares a product with its definition at every level. Returns whether it was one of bytes at the highest.
fn check(
    (m, k, n): (usize, usize, usize),
    transposed: [bool; 2],
    least: [i32; 2],
    range: [u32; 2],
) -> bool {
    let [ta, tb] = transposed;
    let shapes = [
        if ta { [1, k, m] } else { [1, m, k] },
        if tb { [1, n, k] } else { [1, k, n] },
    ];
    let [a, b] = [0, 1].map(|x| between(&shapes[x], least[x], range[x], 3 * x));
    let expected = by_definition::<i32>(&a, &b, ta, tb);
    for level in Level::supported() {
        let mut out = Array::default();
        with_level(level, || matmul(&a, &b, ta, tb, &mut out).unwrap());
        let same = out.values::<i32>().unwrap() == expected;
        assert!(
            same,
            "{m} {k} {n} {transposed:?} {least:?} {range:?} {}",
            level.name()
        );
    }
    let matrix = |x: &'_ Array, rows, columns| {
        let values = x.values::<i32>().unwrap().to_vec();
        (values, rows, columns)
    };
    let (a, b) = (
        matrix(&a, shapes[0][1], shapes[0][2]),
        matrix(&b, shapes[1][1], shapes[1][2]),
    );
    let [a, b] = [(&a, ta), (&b, tb)].map(|((values, rows, columns), transposed)| {
        let matrix = Matrix::new(values, *rows, *columns);
        if transposed { matrix.t() } else { matrix }
    });
    let mut out = vec![0i32; m * n];
    let used = if_narrow(a, b, &mut out, &Finish::NOTHING, 0);
    assert!(
        !used || out == expected,
        "{m} {k} {n} {transposed:?} {least:?} {range:?}"
    );
    used
}

#[test]
fn products_of_bytes_are_those_of_integers() {
    let sizes = [1, 2, 5, 16, 17, 19, 20, 31, 33, 48, 63, 64, 65, 79, 97, 130];
    let least = [
        [-128, -128],
        [0, -128],
        [0, 0],
        [-255, -255],
        [-7, 100],
        [i32::MIN, i32::MAX - 255],
        [1 << 20, -(1 << 30)],
    ];
    for (n, size) in sizes.into_iter().enumerate() {
        let (other, third) = (sizes[(n + 5) % 16], sizes[(n + 11) % 16]);
        for (at, least) in least.into_iter().enumerate() {
            let transposed = [(n + at) % 2 == 0, (n + at) % 3 == 0];
            let used = check((size, other, third), transposed, least, [255, 255]);
            assert_eq!(used, narrow::has_bytes());
        }
    }
    // More than one chunk of rows, and as many products as wrap a sum of 32 bits.
    assert_eq!(
        check((200, 70, 20), [false; 2], [0, -128], [255, 255]),
        narrow::has_bytes()
    );
    assert_eq!(
        check((16, 70_000, 16), [false, true], [0, 0], [255, 255]),
        narrow::has_bytes()
    );
}

#[test]
fn other_products_are_left_to_the_kernel_for_all_integers() {
    for range in [[256, 255], [255, 256], [u32::MAX - 1, 3]] {
        for size in [16, 17, 40] {
            assert!(!check((size, 33, 35), [false; 2], [-100, 5], range));
        }
    }
    with_level(Level::Portable, || {
        assert!(!check((50, 50, 50), [false; 2], [0, 0], [1, 1]));
    });
}

/// Floats that are `bf16`, with exponents from `low` on, zeros among them.
fn halves(len: usize, low: i32, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let value = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let exponent = (low + 127) as u32 + (state >> 8) % 20;
        let bits = state & 0x807F_0000 | exponent << 23;
        if state >> 28 == 0 {
            0.0
        } else {
            f32::from_bits(bits)
        }
    };
    (0..len).map(value).collect()
}

/// Compares a product of `bf16` with that of all floats, bit by bit. Returns whether it was one of `bf16`.
fn check_halves(
    (m, k, n): (usize, usize, usize),
    [ta, tb]: [bool; 2],
    low: [i32; 2],
    change: impl Fn(&mut [f32]),
) -> bool {
    let (mut x, y) = (halves(m * k, low[0], 1), halves(k * n, low[1], 2));
    change(&mut x);
    let a = if ta {
        Matrix::new(&x, k, m).t()
    } else {
        Matrix::new(&x, m, k)
    };
    let b = if tb {
        Matrix::new(&y, n, k).t()
    } else {
        Matrix::new(&y, k, n)
    };
    let (mut out, mut plain) = (vec![7f32; m * n], vec![0f32; m * n]);
    if !if_narrow(a, b, &mut out, &Finish::NOTHING, 0) {
        return false;
    }
    super::super::blocked::product(a, b, None, &mut plain, &Finish::NOTHING, 0);
    let bit = |v: &f32| if v.is_nan() { u32::MAX } else { v.to_bits() };
    let bits = |values: &[f32]| values.iter().map(bit).collect::<Vec<u32>>();
    assert!(bits(&out) == bits(&plain), "{m} {k} {n} {ta} {tb} {low:?}");
    true
}

#[test]
fn products_of_halves_have_the_bits_of_other_floats() {
    let sizes = [16, 17, 19, 32, 33, 63, 64, 65, 70, 130];
    for (at, size) in sizes.into_iter().enumerate() {
        for (n, k) in [16, 17, 33, 255, 320, 321, 333, 700, 1001]
            .into_iter()
            .enumerate()
        {
            let transposed = [(at + n) % 2 == 0, (at + n) % 3 == 0];
            let low = [[-10, -10], [-56, -56], [-112, 0], [60, -100], [107, -110]][n % 5];
            let used = check_halves((size, k, sizes[(at + 3) % 10]), transposed, low, |_| {});
            assert_eq!(used, narrow::has_halves());
        }
    }
}

#[test]
fn floats_that_are_no_halves_or_come_close_to_subnormal_ones_are_left() {
    let sizes = (20, 30, 40);
    let used = |low, change: fn(&mut [f32])| check_halves(sizes, [false; 2], low, change);
    assert_eq!(used([-56, -56], |_| {}), narrow::has_halves());
    assert!(!used([-57, -56], |_| {}));
    assert!(!used([50, 50], |x| x[599] = 1e-40));
    assert!(!used([0, 0], |x| x[599] = 1.001));
    assert!(!used([0, 0], |x| x[0] = 1.001));
    assert_eq!(used([0, 0], |x| x.fill(0.0)), narrow::has_halves());
    assert_eq!(
        used([0, 0], |x| x[599] = f32::INFINITY),
        narrow::has_halves()
    );
}

#[test]
fn small_products_are_not_packed() {
    let used = |(m, k, n): (usize, usize, usize)| {
        let (a, b) = (vec![1i32; m * k], vec![1i32; k * n]);
        let [a, b] = [Matrix::new(&a, m, k), Matrix::new(&b, k, n)];
        product(a, b, &mut vec![0; m * n], &Finish::NOTHING, 0)
    };
    for sizes in [(31, 100, 100), (100, 31, 100), (100, 100, 31), (63, 64, 64)] {
        assert!(!used(sizes), "{sizes:?}");
    }
    assert_eq!(used((64, 64, 64)), narrow::has_bytes());
}
