//! The oracle: the results of TensorFlow and JAX for the ops of the op table and for their gradients, over all dtypes and unusual shapes.
//!
//! `scripts/oracle/record.py` recorded them, and `record` reads the record; `draw` makes the same operands, `run` runs the op eagerly and in an
//! optimized graph, `compare` with `bounds` decides what is close enough, and `differences` lists the intended differences.
//! `ORACLE_OP=name` compares only one op.

mod bits;
mod bounds;
mod compare;
mod differences;
mod draw;
mod record;
mod run;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use differences::{DIFFERENCES, NOT_ASKED, What};
use graph_runtime::{device, ops};
use graph_tests_device::{gpu, vault};
use record::Case;
use run::{Found, Use};

/// Every n-th case also runs in a graph.
const IN_GRAPHS: usize = 8;

/// Every n-th case also runs on another device. The number has no factor in common with the order of the cases.
const ON_ANOTHER_DEVICE: usize = 11;

/// Compares results with the record, and notes which differences occur.
#[derive(Default)]
struct Comparison {
    failures: Vec<String>,
    differing: BTreeSet<usize>,
    /// The largest distance of the results and gradients of each op.
    most: BTreeMap<String, f64>,
}

impl Comparison {
    fn add(&mut self, case: &Case, found: &Found) {
        let result = bounds::result(case);
        self.check(case, What::Result, result, |bound| {
            compare::compare(&found.result, &case.out, bound)
        });
        for (ours, recorded) in found.gradients.iter().zip(case.gradients()) {
            let scale = recorded.map_or(0.0, |(_, scale)| scale);
            self.check(
                case,
                What::Gradient,
                bounds::gradient(case, scale),
                |bound| {
                    match (ours, recorded) {
                        (Some(ours), Some((recorded, _))) => {
                            compare::compare(ours, recorded, bound)
                        }
                        // JAX returns zeros if there is no gradient.
                        (None, Some((recorded, _))) if recorded.is_zero() => Ok(0.0),
                        (None, Some(_)) => Err("there is none".to_owned()),
                        (Some(_), None) => Err("there is one".to_owned()),
                        (None, None) => Ok(0.0),
                    }
                },
            );
        }
    }

    /// Compares within the bound; if this fails, compares in the ways that the intended differences allow.
    fn check(
        &mut self,
        case: &Case,
        what: What,
        bound: compare::Bound,
        compare: impl Fn(compare::Bound) -> Result<f64, String>,
    ) {
        let fault = match compare(bound) {
            Ok(off) => {
                let of = format!("{what:?} of {} {}", case.op, case.out.dtype);
                let most = self.most.entry(of).or_default();
                *most = most.max(off);
                return;
            }
            Err(fault) => fault,
        };
        let zeros_are_one = compare::Bound {
            zeros_are_one: true,
            ..bound
        };
        let excused = differences::covering(case).find(|(_, row)| match row.what {
            What::SignOfZero => compare(zeros_are_one).is_ok(),
            other => other == what,
        });
        match excused {
            Some((n, _)) => drop(self.differing.insert(n)),
            None => self
                .failures
                .push(format!("{}: {what:?}: {fault}", case.text())),
        }
    }
}

/// The selected cases.
fn cases() -> Vec<Case> {
    let only = std::env::var("ORACLE_OP").ok();
    let mut cases = record::cases();
    cases.retain(|case| only.as_ref().is_none_or(|op| *op == case.op));
    cases
}

fn panicked<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    let result = catch_unwind(AssertUnwindSafe(run));
    result.map_err(|panic| format!("panic: {:?}", panic.downcast_ref::<String>()))
}

/// Every n-th case also runs on an emulated GPU.
const ON_A_GPU: usize = 7;

#[test]
fn ops_give_what_tensorflow_and_jax_give() {
    compare_with_record(&cases(), |case| Use::new(case).eagerly());
}

#[test]
fn a_gpu_gives_what_tensorflow_and_jax_give() {
    let step = std::env::var("ORACLE_STEP").map_or(ON_A_GPU, |step| step.parse().unwrap());
    let some = cases().into_iter().step_by(step);
    let some: Vec<Case> = some.filter(|case| !depends_on_order(case)).collect();
    compare_with_record(&some, |case| {
        let _scope = device::scope(gpu());
        Use::new(case).eagerly()
    });
}

/// Whether the result depends on the order in which a GPU combines numbers, which is another one: sums and products of huge, infinite and tiny numbers,
/// and a product of a thousand numbers, whose gradient rounds as often.
fn depends_on_order(case: &Case) -> bool {
    let text = case.text();
    match case.op.as_str() {
        "reduce_sum" | "reduce_mean" => text.contains("Special"),
        "reduce_prod" => text.contains("Special") || text.contains("[1031]"),
        _ => false,
    }
}

/// Compares results with the record. If all cases are given, each intended difference must occur.
fn compare_with_record(cases: &[Case], run: impl Fn(&Case) -> Found) {
    let mut comparison = Comparison::default();
    for case in cases {
        match panicked(|| run(case)) {
            Ok(found) => comparison.add(case, &found),
            Err(panic) => comparison
                .failures
                .push(format!("{}: {panic}", case.text())),
        }
    }
    for (what, most) in comparison.most.iter().filter(|(_, most)| **most > 0.0) {
        println!("{most:5.1} ulps at most: {what}");
    }
    let failures = &comparison.failures;
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
    if cases.len() < self::cases().len() {
        return;
    }
    let gone = DIFFERENCES.iter().enumerate();
    let gone = gone.filter(|(n, row)| {
        !comparison.differing.contains(n)
            && cases.iter().any(|case| row.ops.contains(&case.op.as_str()))
    });
    let gone: Vec<&str> = gone.map(|(_, row)| row.why).collect();
    assert!(gone.is_empty(), "nothing is otherwise any more: {gone:?}");
}

/// Checks that every n-th case gives the same bits in the other ways as eagerly on the CPU.
fn same_to_the_last_bit(step: usize, others: impl Fn(&Case) -> Vec<Found>) {
    let mut failures = Vec::new();
    for case in cases().iter().step_by(step) {
        match panicked(|| (Use::new(case).eagerly(), others(case))) {
            Ok((eager, others)) if others.iter().all(|found| found.same_as(&eager)) => {}
            Ok(_) => failures.push(case.text()),
            Err(panic) => failures.push(format!("{}: {panic}", case.text())),
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn graphs_give_the_same_to_the_last_bit() {
    same_to_the_last_bit(IN_GRAPHS, |case| vec![Use::new(case).traced()]);
}

#[test]
fn another_device_gives_the_same_to_the_last_bit() {
    same_to_the_last_bit(ON_ANOTHER_DEVICE, |case| {
        let _scope = device::scope(vault());
        let found = vec![Use::new(case).eagerly(), Use::new(case).traced()];
        assert_eq!(device::current(), vault());
        found
    });
}

#[test]
fn every_op_is_asked_for_or_not_for_a_reason() {
    let mut known: BTreeSet<String> = record::cases().into_iter().map(|case| case.op).collect();
    for (name, _) in NOT_ASKED {
        assert!(known.insert((*name).to_owned()), "{name} is asked for");
    }
    let ops: BTreeSet<String> = ops::all().map(|op| op.name.to_owned()).collect();
    assert_eq!(ops, known);
}

/// As the README says, denormals are preserved here, but flushed to zero by TensorFlow.
#[test]
fn denormals_are_zeros_to_the_others_only() {
    let cases = record::cases().into_iter().filter(|case| case.op == "mul");
    let ours = cases.map(|case| Use::new(&case).eagerly());
    assert!(
        ours.into_iter()
            .any(|found| bits::has_denormals(&found.result))
    );
}
