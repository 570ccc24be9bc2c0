//! The programs of ten thousand seeds: each has the same outcome in all ways of running it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use graph_tests_random::gradients::Compared;
use graph_tests_random::ways::Choice;
use graph_tests_random::{Finding, Report, check};

const SEEDS: u64 = 10_000;

/// The findings and reports of all seeds.
#[derive(Default)]
struct Sum {
    findings: Vec<Finding>,
    reports: Vec<Report>,
}

/// Runs all seeds on as many threads as there are cores.
fn all() -> Sum {
    let (next, sum) = (AtomicU64::new(0), Mutex::new(Sum::default()));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= SEEDS {
                return;
            }
            let outcome = check(&Choice::of_seed(seed));
            let mut sum = sum.lock().expect("nothing panics meanwhile");
            match outcome {
                Ok(report) => sum.reports.push(report),
                Err(finding) => sum.findings.push(*finding),
            }
        }
    };
    std::thread::scope(|threads| {
        (0..cores).for_each(|_| drop(threads.spawn(work)));
    });
    sum.into_inner().expect("nothing panicked")
}

#[test]
fn programs_give_the_same_in_all_ways() {
    let sum = all();
    let shown: Vec<String> = sum
        .findings
        .iter()
        .take(10)
        .map(Finding::to_string)
        .collect();
    let (count, shown) = (sum.findings.len(), shown.join("\n"));
    assert!(sum.findings.is_empty(), "{count} findings:\n{shown}");
    let plain = sum.reports.iter().filter(|r| r.in_plain_rust).count();
    println!("{plain} programs compared with plain Rust");
    assert!(plain > 2_000, "{plain} programs compared with plain Rust");
    let failed = sum.reports.iter().filter(|r| r.fails).count();
    println!("{failed} programs that fail in eager code");
    assert!(failed > 200, "{failed} programs that fail in eager code");
    let gradients = |compared| {
        sum.reports
            .iter()
            .filter(|r| r.gradients == Some(compared))
            .count()
    };
    let compared = gradients(Compared::WithDifferences);
    let all = compared + gradients(Compared::WithEachOther) + gradients(Compared::Nothing);
    println!("{all} gradients, {compared} of them compared with differences");
    assert!(
        all > 2_000 && compared > all / 2,
        "{compared} of {all} gradients"
    );
}
