//! Runs the work of a long-lived process in many threads: they call graph functions, call some that fail, trace new signatures, make and
//! drop variables, and stop reading datasets in the middle. Each result is checked against plain Rust. Memory must not grow, no thread may
//! hang, and no thread may read a half-written value of a variable.
//!
//! `cargo run --release -p graph-bench --bin soak -- --minutes 60` (`bench/RELIABILITY.md` has its figures). It ends when the time is over
//! and each count of `actions::KINDS` is reached. `--part 0.001` multiplies the counts by that number; `--threads` sets the number of
//! threads (16).

mod actions;
mod shared;
mod watch;

use std::process::ExitCode;
use std::time::Duration;

use lexopt::prelude::*;

use actions::{KINDS, Worker};
use watch::Watch;

/// The command-line arguments.
struct Arguments {
    minutes: f64,
    part: f64,
    threads: usize,
}

fn arguments() -> Result<Arguments, lexopt::Error> {
    let mut found = Arguments {
        minutes: 60.0,
        part: 1.0,
        threads: 16,
    };
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("minutes") => found.minutes = parser.value()?.parse()?,
            Long("part") => found.part = parser.value()?.parse()?,
            Long("threads") => found.threads = parser.value()?.parse()?,
            other => return Err(other.unexpected()),
        }
    }
    Ok(found)
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("error: {error}\n\nUsage: soak [--minutes M] [--part P] [--threads N]");
            return ExitCode::from(2);
        }
    };
    let counts = KINDS.map(|kind| (kind.count as f64 * arguments.part).ceil() as u64);
    let time = Duration::from_secs_f64(arguments.minutes * 60.0);
    let watch = Watch::new(counts, time, arguments.threads);
    let panicked = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.threads)
            .map(|number| {
                let watch = &watch;
                let thread = std::thread::Builder::new().name(format!("worker {number}"));
                let worker = move || Worker::new(number, watch).run();
                thread.spawn_scoped(scope, worker).expect("a thread")
            })
            .collect();
        watch.look_until_all_are_done();
        let ended = workers.into_iter().map(|worker| worker.join());
        ended.filter(Result::is_err).count()
    });
    let lost = shared::lost_additions();
    let grown = watch.report();
    let problems = [
        (panicked > 0).then(|| format!("{panicked} threads panicked")),
        lost.map(|text| format!("updates were lost: {text}")),
        grown.map(|kib| format!("memory grew by {kib} KiB")),
    ];
    let problems: Vec<String> = problems.into_iter().flatten().collect();
    for problem in &problems {
        eprintln!("FAILED: {problem}");
    }
    if !problems.is_empty() {
        return ExitCode::FAILURE;
    }
    println!("nothing failed");
    ExitCode::SUCCESS
}
