//! A warm loop allocates nothing: a run allocates only its outputs, for any number of iterations.

use std::io;

use graph_runtime::Array;
use graph_runtime::PrintTo;
use graph_runtime::device::{Host, Program, Storage};
use graph_runtime::graph::Graph;
use graph_runtime::plan::Plan;
use graph_runtime::prelude::*;

use crate::{COUNT, alone};

/// A host for programs that neither print nor draw.
struct Silent;

impl Host for Silent {
    fn print(&mut self, text: &str, _: &PrintTo) -> io::Result<()> {
        panic!("printed {text}");
    }
    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        panic!("drew a random number");
    }
}

/// The sum over i < n of i² if i is even, else of i: a loop, a branch, and swapped state.
const PROGRAM: &str = "graph (n: int32[]) -> (int32[], int32[]) {
  zero = constant 0 : int32[]
  i, s, t = while_loop (zero, zero, zero; n) : int32[], int32[], int32[] {
    cond (i: int32[], s: int32[], t: int32[], n: int32[]) { p = less(i, n) : bool[] return p }
    body (i: int32[], s: int32[], t: int32[], n: int32[]) {
      one = constant 1 : int32[]
      two = constant 2 : int32[]
      half = div(i, two) : int32[]
      double = mul(half, two) : int32[]
      odd = less(double, i) : bool[]
      x = cond odd (i) : int32[] {
        then (i: int32[]) { return i }
        else (i: int32[]) { q = mul(i, i) : int32[] return q }
      }
      s2 = add(s, x) : int32[]
      j = add(i, one) : int32[]
      return j, t, s2
    }
  }
  return s, t
}";

fn allocations(plan: &Plan, n: i32) -> (usize, Vec<i32>) {
    let input = [Storage::from(Array::scalar(n))];
    let before = COUNT.get();
    let outputs = plan
        .run(&input.each_ref(), &mut Silent)
        .expect("the program runs");
    let count = COUNT.get() - before;
    (
        count,
        outputs
            .iter()
            .map(|a| a.to_host().unwrap().values::<i32>().expect("an int32")[0])
            .collect(),
    )
}

/// The same program in plain Rust.
fn expected(n: i32) -> Vec<i32> {
    let (mut s, mut t) = (0i32, 0i32);
    for i in 0..n {
        let x = if i % 2 == 1 { i } else { i.wrapping_mul(i) };
        (s, t) = (t, s.wrapping_add(x));
    }
    vec![s, t]
}

#[test]
fn ten_thousand_iterations_allocate_no_more_than_the_outputs() {
    let _alone = alone();
    let graph: Graph = PROGRAM.parse().expect("the program is a graph");
    let plan = Plan::new(&graph);
    assert_eq!(allocations(&plan, 10).1, expected(10));
    // With the feature `jit` this run makes machine code of the loop.
    assert_eq!(allocations(&plan, 20_000).1, expected(20_000));
    let (count, results) = allocations(&plan, 10_000);
    assert_eq!(results, expected(10_000));
    assert!(count <= 10, "{count} allocations");
}

#[graph_fn]
fn recurrent(n: Tensor<i32>, h: Tensor<f32>, w: Tensor<f32>) -> Tensor<f32> {
    let mut h = h;
    for _ in 0..n {
        h = (matmul(h, &w) * 0.5 + 1.0).tanh();
    }
    h
}

#[graph_fn]
fn running(xs: Tensor<f32>) -> Tensor<f32> {
    let mut rows = TensorArray::new(xs.dim(0));
    let mut sum = tensor(0.0);
    let mut i = tensor(0);
    for x in xs {
        sum += x.sum();
        rows = rows.write(&i, &sum);
        i += 1;
    }
    rows.stack()
}

/// The gradients of `n` steps. Their states are on a stack; an output gets the same slot as the stack.
#[graph_fn]
fn stacked(n: Tensor<i32>, h: Tensor<f32>, w: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let tape = GradientTape::new();
    tape.watch(&(&h, &w));
    let mut state = h.clone();
    for _ in 0..n {
        state = matmul(state, &w).tanh();
    }
    let (dh, dw) = tape.gradient(&(state * state).sum(), &(&h, &w));
    (dh.unwrap(), dw.unwrap())
}

/// How often the second of two calls allocates.
fn of_a_call(mut call: impl FnMut()) -> usize {
    call();
    let before = COUNT.get();
    call();
    COUNT.get() - before
}

#[test]
fn chains_and_products_in_a_loop_allocate_nothing() {
    let _alone = alone();
    let (h, w) = (tensor([[1.0f32; 8]]), tensor([[0.25f32; 8]; 8]));
    let of = |n: i32| of_a_call(|| drop(recurrent(tensor(n), h.clone(), w.clone())));
    assert_eq!(of(1000), of(1));
}

#[test]
fn the_stacks_of_a_gradient_stay_for_the_next_call() {
    let _alone = alone();
    let (h, w) = (tensor([[1.0f32; 8]; 8]), tensor([[0.25f32; 8]; 8]));
    let of = |n: i32| {
        let call = || drop(stacked(tensor(n), h.clone(), w.clone()));
        // Slots exchange their buffers, so it takes several runs until each buffer is large enough for the largest value.
        (0..4).for_each(|_| call());
        of_a_call(call)
    };
    assert_eq!([of(10), of(100), of(1000)], [of(1); 3]);
}

#[test]
fn rows_read_and_written_in_a_loop_allocate_nothing() {
    let _alone = alone();
    let of = |n: usize| {
        let xs = zeros::<f32>(&[n, 10]);
        of_a_call(|| drop(running(xs.clone())))
    };
    assert_eq!(of(1000), of(500));
}

#[graph_fn]
fn over_elements(dataset: &Dataset<(Tensor<f32>, Tensor<i32>)>) -> Tensor<f32> {
    let mut sum = tensor(0.0);
    for (x, y) in dataset {
        sum += x.sum() * y.cast::<f32>().sum();
    }
    sum
}

#[test]
fn elements_and_batches_of_a_dataset_allocate_nothing() {
    let _alone = alone();
    let of = |rows: usize, batch: bool| {
        let data = Dataset::from_slices((zeros::<f32>(&[rows, 10]), zeros::<i32>(&[rows])));
        let data = if batch { data.skip(1).batch(4) } else { data };
        of_a_call(|| drop(over_elements(&data)))
    };
    assert_eq!(of(1000, false), of(500, false));
    assert_eq!(of(1000, true), of(500, true));
}
