//! Loops over scalars by the interpreter of word programs, as machine code, and in plain Rust: microseconds a call, and the ratio of machine
//! code to plain Rust. Each is the least of samples taken in turns.
//!
//! `cargo run --release -p graph-bench --features jit --bin scalar-loops`

use std::hint::black_box;
use std::time::Instant;

use graph_bench::workloads::loops;
use graph_runtime::{prelude::*, use_machine_code};

/// The number of samples of each kind.
const ROUNDS: usize = 300;

/// Calls in one sample.
const CALLS: u32 = 20;

fn fizzbuzz(n: i32) -> (i32, i32, i32) {
    let (mut fizz, mut buzz, mut other) = (0i32, 0i32, 0i32);
    for i in 0..n {
        if i % 3 == 0 {
            fizz = fizz.wrapping_add(1);
        } else if i % 5 == 0 {
            buzz = buzz.wrapping_add(1);
        } else {
            other = other.wrapping_add(i);
        }
    }
    (fizz, buzz, other)
}

fn collatz(mut n: i64) -> i64 {
    let mut steps = 0i64;
    while n != 1 {
        n = if n % 2 == 0 {
            n / 2
        } else {
            n.wrapping_mul(3).wrapping_add(1)
        };
        steps = steps.wrapping_add(1);
    }
    steps
}

fn newton(a: f64) -> (f64, i32) {
    let (mut y, mut n) = (a, 0i32);
    for _ in 0..100 {
        let previous = y;
        y = 0.5 * (y + a / y);
        n = n.wrapping_add(1);
        if (y - previous).abs() <= 1e-12 * y {
            break;
        }
    }
    (y, n)
}

/// The microseconds of a call.
fn time(f: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..CALLS {
        f();
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS)
}

/// Measures a loop as a graph function and in plain Rust. Both have given the same result before.
fn measure(name: &str, graph: &mut dyn FnMut(), plain: &mut dyn FnMut()) {
    use_machine_code(true);
    // Enough iterations that the loop becomes machine code.
    (0..1000).for_each(|_| graph());
    let mut least = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        use_machine_code(false);
        least[0] = least[0].min(time(graph));
        use_machine_code(true);
        least[1] = least[1].min(time(graph));
        least[2] = least[2].min(time(plain));
    }
    let [interpreter, code, rust] = least;
    let ratio = code / rust;
    println!("{name:>10} {interpreter:>12.2} {code:>12.2} {rust:>12.2} {ratio:>8.2}");
}

fn main() {
    println!(
        "{:>10} {:>12} {:>12} {:>12} {:>8}",
        "", "interpreter", "machine code", "plain Rust", "ratio"
    );
    let start = tensor(837_799i64);
    assert_eq!(loops::collatz_steps(&start).item(), collatz(837_799));
    measure(
        "collatz",
        &mut || drop(black_box(loops::collatz_steps(&start))),
        &mut || {
            black_box(collatz(black_box(837_799)));
        },
    );
    let limit = tensor(1000);
    let (fizz, buzz, other) = loops::fizzbuzz(&limit);
    assert_eq!((fizz.item(), buzz.item(), other.item()), fizzbuzz(1000));
    measure(
        "fizzbuzz",
        &mut || drop(black_box(loops::fizzbuzz(&limit))),
        &mut || {
            black_box(fizzbuzz(black_box(1000)));
        },
    );
    let number = 1.3 * 2f64.powi(88);
    let square = tensor(number);
    let (root, steps) = loops::newton_sqrt(&square);
    assert_eq!((root.item(), steps.item()), newton(number));
    measure(
        "newton",
        &mut || drop(black_box(loops::newton_sqrt(&square))),
        &mut || {
            black_box(newton(black_box(number)));
        },
    );
}
