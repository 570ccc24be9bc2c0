//! What a call costs beside the work, by each way in: nanoseconds, the least of samples taken in turns, and how often the operation
//! alone, called as plain Rust, fits in. `scripts/call_costs.py` compares the same calls with TensorFlow and JAX. With the name of a
//! workload, that one alone is called, to be looked at with a profiler.
//!
//! `cargo run --release -p graph-bench --bin call-overhead`

use std::time::Instant;

use graph_bench::program::Program;
use graph_bench::workloads::call_costs::CALL_COSTS;

/// How many samples of each kind are taken in turns.
const ROUNDS: usize = 40;

/// How many calls a sample has.
const CALLS: u32 = 5_000;

/// The time of a call in nanoseconds.
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
