//! The oracle: what TensorFlow and JAX give for the ops of the op table and for their gradients, over all dtypes and odd shapes.
//!
//! `scripts/oracle/record.py` asked them, and `record` reads what they said; `draw` makes the same operands, `run` runs the op eagerly and in an
//! optimized graph, `compare` with `bounds` says what is close enough, and `differences` what we mean to give otherwise.
//! `ORACLE_OP=name` compares one op only.

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
use graph_tests_device::vault;
use record::Case;
use run::{Found, Use};

/// One case out of so many runs in a graph, too.
const IN_GRAPHS: usize = 8;

/// One case out of so many runs on another device, too. It has no factor in common with how cases are ordered.
const ON_ANOTHER_DEVICE: usize = 11;

/// Compares what is found with the record, and notes which differences there are.
#[derive(Default)]
struct Comparison {
    failures: Vec<String>,
    differing: BTreeSet<usize>,
    /// How far results and gradients of an op were off at most.
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
                        // JAX has no other word for a gradient that isn't there.
                        (None, Some((recorded, _))) if recorded.is_zero() => Ok(0.0),
                        (None, Some(_)) => Err("there is none".to_owned()),
                        (Some(_), None) => Err("there is one".to_owned()),
                        (None, None) => Ok(0.0),
                    }
                },
            );
        }
    }

    /// Compares as the rows of the differences allow it where the bound alone refuses.
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

/// The cases that are asked for.
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

#[test]
fn ops_give_what_tensorflow_and_jax_give() {
    let mut comparison = Comparison::default();
    let cases = cases();
    for case in &cases {
        match panicked(|| Use::new(case).eagerly()) {
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
    let gone = DIFFERENCES.iter().enumerate();
    let gone = gone.filter(|(n, row)| {
        !comparison.differing.contains(n)
            && cases.iter().any(|case| row.ops.contains(&case.op.as_str()))
    });
    let gone: Vec<&str> = gone.map(|(_, row)| row.why).collect();
    assert!(gone.is_empty(), "nothing is otherwise any more: {gone:?}");
}

/// One case out of so many gives the same in the other ways as eagerly on the CPU.
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

/// README says that denormals count here, and that they are zeros to TensorFlow.
#[test]
fn denormals_are_zeros_to_the_others_only() {
    let cases = record::cases().into_iter().filter(|case| case.op == "mul");
    let ours = cases.map(|case| Use::new(&case).eagerly());
    assert!(
        ours.into_iter()
            .any(|found| bits::has_denormals(&found.result))
    );
}
