//! Measures what unknown sizes cost: each workload as one graph for all sizes, compared with the graph that was traced for the given sizes.
//! Prints the ratio of their minimum times, sampled in turns; the results must be the same. Calls that repeat the same sizes run a plan for
//! these sizes. The last column has the ratio for the plan for all sizes, which runs if sizes change from call to call; it excludes the
//! overhead of a call. With names of workloads as arguments, only those are timed.
//!
//! `cargo run --release -p graph-bench --bin unknown-sizes`

use std::hint::black_box;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use graph_bench::workloads::{dense, elementwise, loops, recurrent, rows};
use graph_runtime::device::{Host, Program, Storage};
use graph_runtime::graph::PrintTo;
use graph_runtime::plan::Plan;
use graph_runtime::{Array, Element, prelude::*};

/// The number of samples of each kind, taken in turns.
const ROUNDS: usize = 40;

/// A tensor of numbers around zero.
fn values<T: Element>(shape: &[usize], of: impl Fn(f64) -> T) -> Tensor<T> {
    let len = shape.iter().product();
    let value = |i: usize| of(((i * 7919) % 2003) as f64 / 1000.0 - 1.0);
    Tensor::from_vec(shape, (0..len).map(value).collect()).expect("as many values as the shape has")
}

fn floats(shape: &[usize]) -> Tensor<f32> {
    values(shape, |v| v as f32)
}

fn integers(shape: &[usize]) -> Tensor<i32> {
    values(shape, |v| (v * 1000.0) as i32)
}

/// The number of calls that take about a millisecond.
fn calls(call: &mut impl FnMut()) -> u32 {
    call();
    let once = sample(1, call).max(Duration::from_nanos(50));
    (Duration::from_millis(1).as_nanos() / once.as_nanos()).clamp(1, 100_000) as u32
}

fn sample(calls: u32, call: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    (0..calls).for_each(|_| call());
    start.elapsed() / calls
}

/// Samples both in turns. Returns the minimum of each, which other programs disturb least.
fn least(mut a: impl FnMut(), mut b: impl FnMut()) -> (Duration, Duration) {
    let (calls_a, calls_b) = (calls(&mut a), calls(&mut b));
    let samples = (0..ROUNDS).map(|_| (sample(calls_a, &mut a), sample(calls_b, &mut b)));
    samples.fold((Duration::MAX, Duration::MAX), |least, (a, b)| {
        (least.0.min(a), least.1.min(b))
    })
}

/// A host that ignores prints and gives no seeds: no workload prints or draws.
struct Nowhere;

impl Host for Nowhere {
    fn print(&mut self, _: &str, _: &PrintTo) -> io::Result<()> {
        Ok(())
    }

    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        [0, 0]
    }
}

/// The minimum times of the plan for the known sizes and of the plan for all sizes.
fn of_plans(known: &Plan, general: &Plan, inputs: &[Arc<Array>]) -> (Duration, Duration) {
    let inputs: Vec<Storage> = inputs.iter().cloned().map(Storage::from).collect();
    let inputs: Vec<&Storage> = inputs.iter().collect();
    let run = |plan: &Plan| {
        let outputs = plan.run(&inputs, &mut Nowhere);
        drop(black_box(outputs.expect("it ran before")));
    };
    least(|| run(known), || run(general))
}

fn ratio((known, unknown): (Duration, Duration)) -> f64 {
    unknown.as_secs_f64() / known.as_secs_f64()
}

/// Defines the workloads. Each line has a function with the ranks of its parameters, and the arguments.
macro_rules! workloads {
    ($($name:ident: $module:ident::$function:ident, ($($x:ident: $element:ty [$($size:tt),*] = $value:expr),*) -> $result:ty;)*) => {
        $(mod $name {
            use graph_bench::workloads::*;
            use graph_runtime::prelude::*;

            #[graph_fn]
            pub fn for_all_sizes($($x: Tensor<$element, shape![$($size),*]>),*) -> $result {
                $module::$function($($x.dynamic()),*)
            }
        })*

        fn main() {
            let wanted: Vec<String> = std::env::args().skip(1).collect();
            println!("{:<24} {:>12} {:>12} {:>6} {:>10}", "workload", "known", "unknown", "ratio", "all sizes");
            $(if wanted.is_empty() || wanted.iter().any(|name| name == stringify!($name)) {
                $(let $x = $value;)*
                let same = format!("{:?}", $module::$function($($x.clone()),*))
                    == format!("{:?}", $name::for_all_sizes($($x.clone()),*));
                assert!(same, "{} gives something else", stringify!($name));
                let times = least(
                    || drop(black_box($module::$function($($x.clone()),*))),
                    || drop(black_box($name::for_all_sizes($($x.clone()),*))),
                );
                let general = $name::for_all_sizes::function().concrete_functions()[0].clone();
                let known = $module::$function::concrete($($x.clone()),*).expect("it ran before");
                let all_sizes = of_plans(known.plan(), general.plan(), &[$($x.array()),*]);
                let (known, unknown) = (format!("{:.2?}", times.0), format!("{:.2?}", times.1));
                let (ratio, all_sizes) = (ratio(times), ratio(all_sizes));
                println!("{:<24} {known:>12} {unknown:>12} {ratio:>6.2} {all_sizes:>10.2}", stringify!($name));
            })*
        }
    };
}

workloads! {
    chain_1e6: elementwise::chain, (x: f32[_] = floats(&[1_000_000])) -> Tensor<f32>;
    chain_1e3: elementwise::chain, (x: f32[_] = floats(&[1_000])) -> Tensor<f32>;
    collatz_vec: elementwise::collatz, (x: i32[_] = integers(&[1_000_000])) -> Tensor<i32>;
    softmax: rows::softmax, (x: f32[_, _] = floats(&[4096, 1024])) -> Tensor<f32>;
    layer_norm: rows::layer_norm, (x: f32[_, _] = floats(&[4096, 1024]), scale: f32[_] = floats(&[1024]), shift: f32[_] = floats(&[1024]))
        -> Tensor<f32>;
    vectorized: rows::vectorized, (x: f32[_, _] = floats(&[100, 100])) -> Tensor<f32>;
    column_sums: rows::column_sums, (x: f32[_, _] = floats(&[4096, 1024])) -> Tensor<f32>;
    sum: rows::sum, (x: f32[_] = floats(&[10_000_000])) -> Tensor<f32>;
    transpose: rows::transpose, (x: f32[_, _] = floats(&[2048, 2048])) -> Tensor<f32>;
    matmul_64: dense::product, (a: f32[_, _] = floats(&[64, 64]), b: f32[_, _] = floats(&[64, 64])) -> Tensor<f32>;
    matmul_256: dense::product, (a: f32[_, _] = floats(&[256, 256]), b: f32[_, _] = floats(&[256, 256])) -> Tensor<f32>;
    attention: dense::attention, (q: f32[_, _, _, _] = floats(&[8, 8, 256, 64]), k: f32[_, _, _, _] = floats(&[8, 8, 256, 64]),
        v: f32[_, _, _, _] = floats(&[8, 8, 256, 64])) -> Tensor<f32>;
    conv2d: dense::conv2d, (x: f32[_, _, _, _] = floats(&[1, 50, 50, 100]), filters: f32[_, _, _, _] = floats(&[3, 3, 100, 100]),
        bias: f32[_] = floats(&[100])) -> Tensor<f32>;
    sum_even_4: loops::sum_even, (items: i32[_] = integers(&[4])) -> Tensor<i32>;
    for_rows: loops::for_rows, (x: f32[_, _] = floats(&[100, 100])) -> Tensor<f32>;
    rnn_b1: recurrent::rnn, (xs: f32[_, _, _] = floats(&[1000, 1, 64]), h: f32[_, _] = floats(&[1, 64]), w: f32[_, _] = floats(&[64, 64]),
        u: f32[_, _] = floats(&[64, 64]), b: f32[_] = floats(&[64])) -> Tensor<f32>;
    lstm_cell: recurrent::lstm_cell, (x: f32[_, _] = floats(&[10, 10]), h: f32[_, _] = floats(&[10, 10]), c: f32[_, _] = floats(&[10, 10]),
        kernel: f32[_, 40] = floats(&[10, 40]), recurrent: f32[_, 40] = floats(&[10, 40]), bias: f32[40] = floats(&[40]))
        -> (Tensor<f32>, Tensor<f32>);
}
