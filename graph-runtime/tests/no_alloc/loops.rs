//! A warm loop allocates nothing: only the outputs of the run, however many iterations it has.

use std::sync::Arc;

use graph_runtime::Array;
use graph_runtime::device::{Backend, Cpu, Host};
use graph_runtime::graph::Graph;
use graph_runtime::plan::Plan;

use crate::COUNT;

/// A host of programs that neither print nor draw.
struct Silent;

impl Host for Silent {
    fn print(&mut self, line: &str) {
        panic!("printed {line}");
    }
    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        panic!("drew a random number");
    }
}

/// The sum over i < n of i² where i is even, else of i: a loop, a branch, and state that is exchanged.
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
    let input = [Arc::new(Array::scalar(n))];
    let before = COUNT.get();
    let outputs = Cpu
        .run(plan, &input, &mut Silent)
        .expect("the program runs");
    let count = COUNT.get() - before;
    (
        count,
        outputs
            .iter()
            .map(|a| a.values::<i32>().expect("an int32")[0])
            .collect(),
    )
}

/// The program in plain Rust.
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
    let graph: Graph = PROGRAM.parse().expect("the program is a graph");
    let plan = Plan::new(&graph);
    assert_eq!(allocations(&plan, 10).1, expected(10));
    let (count, results) = allocations(&plan, 10_000);
    assert_eq!(results, expected(10_000));
    assert!(count <= 10, "{count} allocations");
}
