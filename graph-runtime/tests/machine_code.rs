//! Graph functions whose loops become machine code: results, errors and profiles: `cargo test -p graph-runtime --features jit --test machine_code`.

#![cfg(feature = "jit")]

use std::sync::{Mutex, MutexGuard, PoisonError};

use graph_runtime::{Error, debug, prelude::*, use_machine_code};

static SETTING: Mutex<()> = Mutex::new(());

/// Whether there is machine code is a setting of the process, so these tests run one after another.
fn alone() -> MutexGuard<'static, ()> {
    SETTING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// More jumps back than a program makes in the interpreter.
const LONG: i32 = 30_000;

/// Runs a function without and with machine code, and compares.
fn same<R: PartialEq + std::fmt::Debug>(f: impl Fn() -> R) -> R {
    use_machine_code(false);
    let interpreted = f();
    use_machine_code(true);
    // In the first run the loop becomes code.
    assert_eq!([f(), f()], [f(), interpreted]);
    f()
}

#[graph_fn]
fn remainders(n: Tensor<i32>, items: Tensor<i64>) -> Tensor<i64> {
    let mut sum = tensor(0i64);
    for i in 0..n {
        let item = items[i % 7];
        if i % 3 == 0 {
            sum += item;
        } else {
            sum = sum - item / 2;
        }
    }
    sum
}

#[test]
fn a_loop_over_an_array_gives_what_plain_rust_gives() {
    let _alone = alone();
    let items = [5i64, -8, 13, 4, -1, 0, 77];
    let mut sum = 0;
    for i in 0..LONG as usize {
        let item = items[i % 7];
        sum += if i % 3 == 0 { item } else { -(item / 2) };
    }
    let given = same(|| remainders(tensor(LONG), tensor(items)).item());
    assert_eq!(given, sum);
}

#[graph_fn]
fn waves(n: Tensor<i32>, x: Tensor<f32>) -> (Tensor<f32>, Tensor<f64>) {
    let mut y = x.clone();
    let mut far = tensor(1.0f64);
    for i in 0..n {
        y = (y * 1.7 + x).sin() - y.exp() * 0.01;
        if y > 0.5 {
            far = far * 0.99 + y.cast::<f64>().tanh();
        } else {
            far = far - i.cast::<f64>().sqrt() * 1e-3;
        }
    }
    (y, far)
}

#[test]
fn functions_that_are_called_give_the_bits_of_the_interpreter() {
    let _alone = alone();
    let (y, far) = same(|| {
        let (y, far) = waves(tensor(LONG), tensor(0.3f32));
        (y.item().to_bits(), far.item().to_bits())
    });
    assert!(f32::from_bits(y).is_finite() && f64::from_bits(far).is_finite());
}

#[graph_fn]
fn quotients(n: Tensor<i32>, zero_at: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    let mut sum = tensor(0);
    for i in 0..n {
        sum += 1000 / (i - &zero_at);
    }
    Ok(sum)
}

#[test]
fn an_error_names_the_same_line_and_iteration() {
    let _alone = alone();
    let message = same(|| {
        let error = quotients(tensor(LONG), tensor(LONG - 7)).unwrap_err();
        format!("{error}")
    });
    assert!(message.contains("Integer division by zero"), "{message}");
    assert!(message.contains(&format!("{}", LONG - 6)), "{message}");
}

#[graph_fn]
fn collatz(mut n: Tensor<i64>) -> Tensor<i64> {
    let mut steps = tensor(0i64);
    while n != 1 {
        if n % 2 == 0 {
            n = n / 2;
        } else {
            n = 3 * n + 1;
        }
        steps += 1;
    }
    steps
}

#[test]
fn a_profile_shows_what_ran_as_code() {
    let _alone = alone();
    use_machine_code(true);
    let run = || {
        debug::profile(|| (0..30).for_each(|_| assert_eq!(collatz(tensor(837_799i64)).item(), 524)))
    };
    // 10,000 jumps back are made in the 20th call.
    let ((), first) = run();
    let row = &first.functions()[0].rows[0];
    assert_eq!(row.calls, 30);
    assert!((5..15).contains(&row.as_code), "{first}");
    let ((), then) = run();
    let row = &then.functions()[0].rows[0];
    assert_eq!((row.calls, row.as_code), (30, 30));
    assert!(
        then.to_string().contains("machine code in 30 calls"),
        "{then}"
    );
}

#[graph_fn]
fn wave(x: Tensor<f32>) -> Tensor<f32> {
    (x * 2.0 + 1.0).tanh() * x.sigmoid() - (-x * x).exp() + select(x > 0.0, &x, 0.1 * x)
}

#[test]
fn a_chain_gives_the_same_bits_as_code() {
    let _alone = alone();
    let numbers = (0..100_003).map(|n| (n % 1999) as f32 * 0.01 - 10.0);
    let x = Tensor::<f32>::from_vec(&[100_003], numbers.collect()).unwrap();
    let y = same(|| wave(x.clone()).to_vec());
    for n in [0, 1000, 1998, 100_002] {
        let x = f64::from(x.to_vec()[n]);
        let leaky = if x > 0.0 { x } else { 0.1 * x };
        let expected = (2.0 * x + 1.0).tanh() / (1.0 + (-x).exp()) - (-x * x).exp() + leaky;
        assert!(
            (f64::from(y[n]) - expected).abs() < 1e-5,
            "{x}: {} {expected}",
            y[n]
        );
    }
}

#[graph_fn]
fn next(x: Tensor<i32>, divisor: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    Ok(select(x % 2 == 0, x / &divisor, 3 * x + 1))
}

/// Whether chains become code on this machine.
fn has_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && std::env::var_os("GRAPH_SIMD").is_none();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

#[test]
fn a_profile_shows_which_chains_ran_as_code_and_errors_stay() {
    let _alone = alone();
    use_machine_code(true);
    let numbers: Vec<i32> = (0..300_001).map(|n| n * 79 % 100_000 - 50).collect();
    let x = Tensor::<i32>::from_vec(&[300_001], numbers.clone()).unwrap();
    let plain = |x: &i32| if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
    let expected: Vec<i32> = numbers.iter().map(plain).collect();
    let (results, profile) =
        debug::profile(|| [0; 5].map(|_| next(x.clone(), tensor(2)).unwrap().to_vec()));
    assert!(results.iter().all(|result| *result == expected));
    let as_code: u64 = profile.functions()[0]
        .rows
        .iter()
        .map(|row| row.as_code)
        .sum();
    assert_eq!(as_code > 0, has_vectors(), "{profile}");
    // The same function with another divisor, and with one that has no quotients.
    let thirds: Vec<i32> = numbers
        .iter()
        .map(|x| if x % 2 == 0 { x / 3 } else { 3 * x + 1 })
        .collect();
    assert_eq!(next(x.clone(), tensor(3)).unwrap().to_vec(), thirds);
    let message = next(x, tensor(0)).unwrap_err().to_string();
    assert!(message.contains("Integer division by zero"), "{message}");
}

/// Rounds in which each place goes on while it is near, and the two last values of a sequence.
#[graph_fn]
fn rounds(c: Tensor<f32>, n: Tensor<i32>) -> (Tensor<f32>, Tensor<i32>, Tensor<f32>) {
    let (mut z, mut count) = (c.zeros_like(), c.zeros_like().cast::<i32>());
    let (mut last, mut before) = (c.clone(), c.zeros_like());
    for _ in 0..n {
        let near = (&z * &z).le(4.0);
        count += near.cast::<i32>();
        z = select(&near, &z * &z + &c, &z);
        (last, before) = (&last * 0.5 + &before, last);
    }
    (z, count, last - before)
}

#[test]
fn elementwise_loops_over_arrays_give_what_plain_rust_gives() {
    let _alone = alone();
    let c: Vec<f32> = (0..1003).map(|n| n as f32 / 250.0 - 2.0).collect();
    for n in [0, 1, 2, 3, 300] {
        let one = |c: &f32| {
            let (mut z, mut count, mut last, mut before) = (0f32, 0, *c, 0f32);
            for _ in 0..n {
                if z * z <= 4.0 {
                    count += 1;
                    z = z * z + c;
                }
                (last, before) = (last * 0.5 + before, last);
            }
            (z.to_bits(), count, (last - before).to_bits())
        };
        let expected: Vec<(u32, i32, u32)> = c.iter().map(one).collect();
        let given = same(|| {
            let (z, count, last) = rounds(tensor(c.clone()), tensor(n));
            let (z, count, last) = (z.to_vec(), count.to_vec(), last.to_vec());
            let all = z.iter().zip(count).zip(last);
            all.map(|((z, count), last)| (z.to_bits(), count, last.to_bits()))
                .collect::<Vec<_>>()
        });
        assert_eq!(given, expected, "{n}");
    }
}

/// Halves each number until it is small, at most so often, and counts.
#[graph_fn]
fn halvings(x: Tensor<f64>, most: Tensor<i32>) -> (Tensor<f64>, Tensor<i32>) {
    map_fn(
        |x| {
            let (mut x, mut n) = (x, tensor(0));
            while x > 1.0 && n < most {
                if x > 100.0 {
                    x /= 10.0;
                } else {
                    x /= 2.0;
                }
                n += 1;
            }
            (x, n)
        },
        x,
    )
}

#[test]
fn mapped_loops_give_what_plain_rust_gives() {
    let _alone = alone();
    // Lanes that never end by themselves among others, and numbers of lanes that don't fill a vector.
    let value = |n: usize| [0.3, 7.0, f64::NAN, 1e9, f64::INFINITY, -5.0, 120.0][n % 7];
    for count in [8, 9, 100, 3001] {
        let x: Vec<f64> = (0..count).map(value).collect();
        let one = |x: &f64| {
            let (mut x, mut n) = (*x, 0);
            while x > 1.0 && n < 25 {
                x /= if x > 100.0 { 10.0 } else { 2.0 };
                n += 1;
            }
            (x.to_bits(), n)
        };
        let expected: Vec<(u64, i32)> = x.iter().map(one).collect();
        for _ in 0..8 {
            let given = same(|| {
                let (x, n) = halvings(tensor(x.clone()), tensor(25));
                let bits = x.to_vec().into_iter().map(f64::to_bits);
                bits.zip(n.to_vec()).collect::<Vec<_>>()
            });
            assert_eq!(given, expected, "{count}");
        }
    }
}
