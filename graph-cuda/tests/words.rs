//! Loops over scalars and small tensors on an emulated driver: each is one kernel, and gives what the CPU gives.

mod common;

use graph_runtime::device;
use graph_runtime::prelude::*;

use common::{alone, gpu, is_real};

/// The text of a value that a function computes on the CPU, or its error.
fn text<T: std::fmt::Debug>(f: impl Fn() -> T) -> String {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)) {
        Ok(value) => format!("{value:?}"),
        Err(error) => match error.downcast_ref::<String>() {
            Some(error) => error.clone(),
            None => "an error that isn't a text".to_owned(),
        },
    }
}

/// Checks that a function gives the same on both devices, in several calls: the third is recorded. Returns the text.
fn same<T: std::fmt::Debug>(f: impl Fn() -> T) -> String {
    let _alone = alone();
    let expected = text(&f);
    let gpu = gpu();
    let before = graph_cuda_fake::control::counts();
    for call in 0..4 {
        let found = text(|| {
            let _scope = device::scope(gpu);
            f()
        });
        assert_eq!(found, expected, "call {call}");
    }
    // The number of turns is one kernel, and the loop is another one.
    let after = graph_cuda_fake::control::counts();
    assert!(is_real() || after.launches - before.launches >= 8);
    expected
}

/// A number that only the GPU knows: few numbers would be added on the host.
fn unknown(n: i32) -> Tensor<i32> {
    tensor((0..64).map(|i| i32::from(i < n)).collect::<Vec<_>>()).sum()
}

#[graph_fn]
fn collatz(n: Tensor<i32>) -> Tensor<i32> {
    let mut n = n;
    let mut count = tensor(0);
    while n != 1 {
        if n % 2 == 0 {
            n = n / 2;
        } else {
            n = n * 3 + 1;
        }
        count += 1;
    }
    count
}

#[test]
fn a_loop_over_scalars_is_one_kernel() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let n = unknown(27);
    assert_eq!(collatz(&n).item(), 111);
    let before = graph_cuda_fake::control::counts();
    let count = collatz(&n);
    let after = graph_cuda_fake::control::counts();
    if !is_real() {
        assert_eq!(after.launches - before.launches, 1);
        assert_eq!(after.downloads - before.downloads, 0);
    }
    assert_eq!(count.item(), 111);
}

#[test]
fn a_loop_over_numbers_that_the_host_knows_stays_there() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let before = graph_cuda_fake::control::counts();
    assert_eq!(collatz(tensor(27)).item(), 111);
    let after = graph_cuda_fake::control::counts();
    assert_eq!(after.launches - before.launches, 0);
}

/// A loop whose state is exchanged in each turn, with a `match` on a tensor.
#[graph_fn]
fn dance(n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let (mut a, mut b, mut c) = (n, n + 1, n + 2);
    for i in 0..n {
        (a, b) = (b, a);
        match i % 4 {
            0 => a += 3,
            1 => (b, c) = (c, b),
            2 => c = a - b,
            _ => {
                if a > c {
                    b = a;
                }
            }
        }
    }
    (a, b, c)
}

#[test]
fn values_are_exchanged_and_matched() {
    for n in [0, 1, 2, 3, 4, 5, 9, 30] {
        same(|| dance(unknown(n)));
    }
}

/// An array with elements of many dtypes is summed in a loop over its positions.
macro_rules! sums {
    ($($name:ident: $T:ty = $values:expr;)*) => {
        $(
            #[graph_fn]
            fn $name(x: Tensor<$T>, n: Tensor<i32>) -> Tensor<$T> {
                let mut best = x[0];
                let mut sum = x[0] - x[0];
                for i in 0..n {
                    let value = x[-1 - i];
                    if value > best {
                        best = value;
                    }
                    sum += value * value + best;
                }
                sum
            }
        )*
        #[test]
        fn each_dtype_is_read_and_moved() {
            $(same(|| $name(tensor($values.map(|v| v as $T).repeat(3)), unknown(12)));)*
        }
    };
}

sums! {
    of_f32: f32 = [0.5f32, -1.25, 3.0, 7.5];
    of_f64: f64 = [0.5f64, -1.25, 3.0, 7.5];
    of_i8: i8 = [5i8, -100, 90, 7];
    of_i16: i16 = [5i16, -100, 30_000, 7];
    of_i32: i32 = [5i32, -100, 2_000_000_000, 7];
    of_i64: i64 = [5i64, -100, 9_000_000_000_000_000_000, 7];
    of_u8: u8 = [5u8, 200, 90, 7];
    of_u16: u16 = [5u16, 60_000, 90, 7];
    of_u32: u32 = [5u32, 4_000_000_000, 90, 7];
    of_u64: u64 = [5u64, u64::MAX, 90, 7];
}

#[graph_fn]
fn halves(n: Tensor<i32>, x: Tensor<f16>) -> Tensor<f16> {
    let mut x = x;
    let mut last = x * f16::from_f32(0.0);
    for _ in 0..n {
        (last, x) = (
            x,
            last * f16::from_f32(0.333) + f16::from_f32(1.1) + x * f16::from_f32(0.1),
        );
    }
    x
}

#[test]
fn small_floats_are_rounded_after_each_op() {
    same(|| halves(unknown(20), tensor(f16::from_f32(0.7))));
}

#[graph_fn]
fn remainders(n: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    let mut i = n;
    while i > -3 {
        sum += 100 % i;
        i -= 1;
    }
    sum
}

#[graph_fn]
fn beyond(x: Tensor<i32>, n: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for i in 0..n {
        sum += x[i];
    }
    sum
}

#[graph_fn]
fn checked(n: Tensor<i32>) -> Tensor<i32> {
    let mut left = n;
    while left != 0 {
        assert!(left > -5, "there are {left} left");
        left -= 2;
    }
    left
}

/// A step that can't be done ends the kernel, also where the loop would never end without it; the error is the CPU's, with the turn of the loop.
#[test]
fn what_fails_ends_the_kernel_and_says_where() {
    let error = same(|| remainders(unknown(7)));
    assert!(
        error.contains("words.rs") && error.contains("iteration 8"),
        "{error}"
    );
    let error = same(|| beyond(tensor([1, 2, 3]), unknown(9)));
    assert!(
        error.contains("words.rs") && error.contains("iteration 4"),
        "{error}"
    );
    let error = same(|| checked(unknown(7)));
    assert!(error.contains("there are -5 left"), "{error}");
    assert_eq!(same(|| checked(unknown(8)).to_vec()), "[0]");
}

/// An orbit of two variables, in steps that become smaller until one is small enough.
#[graph_fn]
fn orbit(n: Tensor<i32>) -> (Tensor<f64>, Tensor<i32>) {
    let mut y = tensor([1.0f64, 0.0]);
    let mut halved = tensor(0);
    for _ in 0..n {
        let mut h = tensor(0.5f64);
        let mut next = y;
        let mut error = tensor(1.0f64);
        while error > 1e-3 {
            let k = y.roll(1, 0) * tensor([1.0, -1.0]);
            let middle = y + k * h * 0.5;
            let k2 = middle.roll(1, 0) * tensor([1.0, -1.0]);
            next = y + k2 * h;
            error = (k2 - k).abs().max() * h;
            h = h * 0.5;
            halved += 1;
        }
        y = next;
    }
    (y, halved)
}

#[test]
fn a_loop_over_small_tensors_is_one_kernel() {
    let (expected, found) = {
        let _alone = alone();
        let expected = orbit(unknown(10));
        let _scope = device::scope(gpu());
        let n = unknown(10);
        orbit(&n);
        let before = graph_cuda_fake::control::counts();
        let found = orbit(&n);
        let after = graph_cuda_fake::control::counts();
        // One kernel is the loop, the other one makes sure that its length isn't negative.
        assert!(is_real() || after.launches - before.launches == 2);
        (expected, found)
    };
    assert_eq!(found.1.item(), expected.1.item());
    for (found, expected) in found.0.to_vec().into_iter().zip(expected.0.to_vec()) {
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }
}
