//! Every gradient rule of the op table compared with central differences in `f64`: eagerly, traced with exact shapes, unknown sizes and
//! unknown ranks, and in the body of a `while` loop. For smooth ops, the gradients of the rules are compared, too, and so is forward
//! mode, which uses the same rules. `draw` makes operands away from kinks. The
//! other files say how each op is used; a smooth function of one operand needs no entry. An op with a rule and without a
//! case fails the test, and so does an op without a rule that isn't on the list of such ops.

mod draw;
mod elementwise;
mod forward;
mod indexing;
mod lists;
mod products;
mod reductions;
mod segments;
mod shapes;
mod used;
mod without;

use std::collections::BTreeSet;

use graph_runtime::autodiff::rule;
use graph_runtime::ops;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use draw::Draw;
use used::{Known, Use};

/// Makes a use of an op.
pub type Case = (&'static ops::OpDef, fn(&mut Draw) -> Use);

/// Makes a use of any op.
type AnyUse = Box<dyn Fn(&mut Draw) -> Use>;

/// The uses of all ops: those that are listed, and those of functions that need no entry.
fn cases() -> impl Iterator<Item = (&'static ops::OpDef, AnyUse)> {
    let written: BTreeSet<&str> = written().map(|(op, _)| op.name).collect();
    let others = ops::all().filter(move |op| {
        elementwise::is_of_one(op) && rule(op).is_some() && !written.contains(op.name)
    });
    let others = others.map(|op| {
        let smooth = move |d: &mut Draw| elementwise::smooth(op, d);
        (op, Box::new(smooth) as AnyUse)
    });
    let written = self::written().map(|(op, case)| (op, Box::new(case) as AnyUse));
    written.chain(others)
}

fn written() -> impl Iterator<Item = Case> {
    [
        elementwise::UNARY,
        elementwise::BINARY,
        elementwise::OTHERS,
        indexing::CASES,
        lists::CASES,
        products::CASES,
        reductions::CASES,
        segments::CASES,
        shapes::CASES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// How uses are drawn: the same ones in each run, unless `PROPTEST_RNG_SEED` asks for others.
fn config(cases: u32) -> Config {
    let given = Config::default();
    Config {
        cases,
        rng_seed: match given.rng_seed {
            RngSeed::Random => RngSeed::Fixed(16),
            seed => seed,
        },
        failure_persistence: None,
        ..given
    }
}

/// Checks some uses of each op. `GRADIENT_OP=name` selects one op, `GRADIENT_CASES=n` sets the number of uses.
fn each_use(check: impl Fn(&Use) -> Result<(), String>) {
    let only = std::env::var("GRADIENT_OP").ok();
    let count = std::env::var("GRADIENT_CASES").ok();
    let count = count.map_or(4, |n| n.parse().expect("GRADIENT_CASES is a number"));
    let mut failures = Vec::new();
    for (op, case) in cases().filter(|(op, _)| only.as_deref().is_none_or(|name| name == op.name)) {
        let mut runner = TestRunner::new(config(count));
        let result = runner.run(&any::<u64>(), |seed| {
            let used = case(&mut Draw::new(seed));
            assert_eq!(used.op, op);
            let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&used)));
            let failed = match checked {
                Ok(result) => result.err(),
                Err(panic) => Some(format!("panic: {:?}", panic.downcast_ref::<String>())),
            };
            match failed {
                None => Ok(()),
                Some(text) => Err(proptest::test_runner::TestCaseError::fail(format!(
                    "{text} of {used:?}"
                ))),
            }
        });
        if let Err(error) = result {
            failures.push(format!("{}: {error}", op.name));
        }
    }
    assert!(
        failures.is_empty(),
        "{} ops fail\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn eager_gradients_are_the_differences() {
    each_use(|used| used.compare(&used.eager(), &used.differences(), 1.0));
}

#[test]
fn traced_gradients_are_the_differences() {
    each_use(|used| used.compare(&used.traced(Known::All), &used.differences(), 1.0));
}

#[test]
fn gradients_with_unknown_sizes_are_the_same() {
    each_use(|used| used.compare(&used.traced(Known::Ranks), &used.differences(), 1.0));
}

#[test]
fn gradients_with_unknown_ranks_are_the_same() {
    each_use(|used| match used.needs_ranks {
        true => Ok(()),
        false => used.compare(&used.traced(Known::Nothing), &used.differences(), 1.0),
    });
}

#[test]
fn gradients_in_a_loop_add_up() {
    each_use(|used| used.compare(&used.looped(Known::All), &used.differences(), 3.0));
}

#[test]
fn gradients_in_a_loop_with_unknown_sizes_add_up() {
    each_use(|used| used.compare(&used.looped(Known::Ranks), &used.differences(), 3.0));
}

#[test]
fn second_gradients_are_the_differences_of_the_first() {
    each_use(|used| match used.smooth {
        true => used.compare(&used.second_eager(), &used.second_differences(), 1.0),
        false => Ok(()),
    });
}

#[test]
fn traced_second_gradients_are_the_differences_of_the_first() {
    each_use(|used| match used.smooth {
        true => used.compare(&used.second_traced(), &used.second_differences(), 1.0),
        false => Ok(()),
    });
}

#[test]
fn eager_changes_are_the_differences() {
    each_use(|used| used.compare(&used.forward_eager(), &used.forward_differences(), 1.0));
}

#[test]
fn traced_changes_are_the_differences() {
    for known in [Known::All, Known::Ranks, Known::Nothing] {
        each_use(|used| match known == Known::Nothing && used.needs_ranks {
            true => Ok(()),
            false => {
                let changes = used.forward_traced(known);
                used.compare(&changes, &used.forward_differences(), 1.0)
            }
        });
    }
}

#[test]
fn changes_in_a_loop_add_up() {
    for known in [Known::All, Known::Ranks] {
        each_use(|used| {
            let changes = used.forward_looped(known);
            used.compare(&changes, &used.forward_differences(), 3.0)
        });
    }
}

#[test]
fn eager_gradients_change_by_the_differences() {
    each_use(|used| match used.smooth {
        true => {
            let changes = used.forward_over_reverse_eager();
            used.compare(&changes, &used.gradient_differences(), 1.0)
        }
        false => Ok(()),
    });
}

#[test]
fn traced_gradients_change_by_the_differences() {
    each_use(|used| match used.smooth {
        true => {
            let changes = used.forward_over_reverse_traced();
            used.compare(&changes, &used.gradient_differences(), 1.0)
        }
        false => Ok(()),
    });
}

#[test]
fn linear_ops_are_linear() {
    for (op, case) in cases().filter(|(op, _)| op.linear) {
        for seed in 0..4 {
            let used = case(&mut Draw::new(seed));
            let sum = used.result(&used.directions());
            let change = used.forward_differences().remove(0);
            let result = used.compare(&[change], &[sum], 1.0);
            assert!(result.is_ok(), "{}: {result:?}", op.name);
        }
    }
}

#[test]
fn every_rule_has_a_case() {
    let tested: BTreeSet<&str> = cases().map(|(op, _)| op.name).collect();
    let ruled = ops::all().filter(|op| rule(op).is_some());
    let untested: Vec<&str> = ruled
        .map(|op| op.name)
        .filter(|name| !tested.contains(name))
        .collect();
    assert!(untested.is_empty(), "no case of {untested:?}");
}
