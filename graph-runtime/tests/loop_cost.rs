//! The cost of an iteration, as an exact number of instructions. If a number rises, a loop became slower; if it
//! falls, lower the number here.

use std::io;

use graph_runtime::PrintTo;
use graph_runtime::device::{Host, Storage};
use graph_runtime::prelude::*;
use graph_runtime::{Array, DType};

struct Silent;

impl Host for Silent {
    fn print(&mut self, text: &str, _: &PrintTo) -> io::Result<()> {
        panic!("printed {text}");
    }
    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        panic!("drew a random number");
    }
}

/// The number of instructions of a run of a function's only trace.
fn instructions(function: &GraphFunction, inputs: &[Array]) -> u64 {
    let concrete = function.latest().expect("the function was called");
    let inputs: Vec<Storage> = inputs.iter().cloned().map(Storage::from).collect();
    let run = concrete
        .plan()
        .run_counting(&inputs.iter().collect::<Vec<_>>(), &mut Silent);
    run.expect("the function runs").1
}

#[graph_fn]
fn collatz_steps(n: Tensor<i64>) -> Tensor<i64> {
    let mut n = n;
    let mut steps = tensor(0);
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
fn collatz() {
    assert_eq!(collatz_steps(tensor(27)).item(), 111);
    let of = |n: i64| instructions(collatz_steps::function(), &[Array::scalar(n)]);
    // 2^k takes k even steps. Each has five instructions: the remainder's test, the half, a jump, the count, and the loop's test.
    assert_eq!(of(1 << 40) - of(1 << 39), 5);
    // 5, 16, …: one odd step more than from 16, with a product and a sum instead of the half and the jump.
    assert_eq!(of(5) - of(16), 5);
}

#[graph_fn]
fn fizzbuzz(n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let mut fizz = tensor(0);
    let mut buzz = tensor(0);
    let mut other = tensor(0);
    for i in 0..n {
        if i % 3 == 0 {
            fizz += 1;
        } else if i % 5 == 0 {
            buzz += 1;
        } else {
            other += i;
        }
    }
    (fizz, buzz, other)
}

#[test]
fn branches_of_numbers() {
    let counts = fizzbuzz(tensor(15));
    // `fizz` counts 3, 6, 9, 12 and 0; `buzz` 5 and 10; the sum is 1 + 2 + 4 + 7 + 8 + 11 + 13 + 14.
    assert_eq!(
        (counts.0.item(), counts.1.item(), counts.2.item()),
        (5, 2, 60)
    );
    let of = |n: i32| instructions(fizzbuzz::function(), &[Array::scalar(n)]);
    assert_eq!(of(3000) - of(1500), 1500 / 15 * FIFTEEN_OF_FIZZBUZZ);
}

/// For fifteen iterations: five have three instructions (the remainder's test, the count, and one that increments the counter, tests it and
/// jumps back), two and eight have four.
const FIFTEEN_OF_FIZZBUZZ: u64 = 55;

#[graph_fn]
fn recurrent(xs: Tensor<f32>, h: Tensor<f32>, w: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    let mut h = h;
    for x in xs {
        h = (matmul(h, &w) + x + b).tanh();
    }
    h
}

/// Its state has more values than those that loops keep in registers.
#[test]
fn a_recurrent_network() {
    let of = |n: usize| {
        let (h, w, b) = (
            zeros::<f32>(&[1, 32]),
            zeros::<f32>(&[32, 32]),
            zeros::<f32>(&[32]),
        );
        let last = recurrent(zeros::<f32>(&[n, 1, 32]), h, w, b);
        assert_eq!(last.to_vec(), [0.0; 32]);
        let shapes: [&[usize]; 4] = [&[n, 1, 32], &[1, 32], &[32, 32], &[32]];
        let inputs = shapes.map(|shape| Array::zeros(DType::F32, shape));
        instructions(recurrent::function(), &inputs)
    };
    assert_eq!(of(20) - of(10), 10 * ITERATION_OF_RECURRENT);
}

/// The product with its chain, which reads the row; the move of its value into the state; a word program of two instructions, for the
/// counter and the loop's test; the jump back if the test holds.
const ITERATION_OF_RECURRENT: u64 = 6;
