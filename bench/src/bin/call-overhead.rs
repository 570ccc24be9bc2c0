//! Measures the overhead of a call, for each way to make one. Prints nanoseconds, the minimum of samples taken in turns, and the overhead
//! as a multiple of the operation alone, called as plain Rust. `scripts/call_costs.py` compares the same calls with TensorFlow and JAX.
//! With the name of a workload as an argument, only that one is called, for a profiler.
//!
//! `cargo run --release -p graph-bench --bin call-overhead`

use std::time::Instant;

use graph_bench::program::Program;
use graph_bench::workloads::call_costs::CALL_COSTS;

/// The number of samples of each kind, taken in turns.
const ROUNDS: usize = 40;

/// The number of calls in a sample.
const CALLS: u32 = 5_000;

/// Measures the time of a call in nanoseconds.
fn sample(program: &mut dyn Program) -> f64 {
    let start = Instant::now();
    (0..CALLS).for_each(|_| program.call());
    start.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

fn main() -> Result<(), graph_runtime::Error> {
    let wanted = std::env::args().nth(1);
    let costs = CALL_COSTS.iter();
    let costs: Vec<_> = costs
        .filter(|cost| wanted.as_deref().is_none_or(|name| name == cost.name))
        .collect();
    let programs = costs.iter().map(|cost| (cost.program)());
    let mut programs = programs.collect::<Result<Vec<_>, _>>()?;
    let mut least = vec![f64::INFINITY; programs.len()];
    for _ in 0..ROUNDS {
        for (program, least) in programs.iter_mut().zip(&mut least) {
            *least = least.min(sample(&mut **program));
        }
    }
    println!("{:>8}  {:>8}", "ns", "eager");
    for (cost, time) in costs.iter().zip(&least) {
        println!(
            "{time:8.1}  {:8.2}  {}: {}",
            time / least[0],
            cost.name,
            cost.about
        );
    }
    Ok(())
}
