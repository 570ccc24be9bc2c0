//! What all ways of running a program must do, according to its eager run.
//!
//! A run that succeeds gives the same everywhere. An effect that fails (an assertion, the update of a variable at a wrong position) fails
//! everywhere, with the same message, after the same effects and before the others. An op isn't an effect. Eager code runs it where it stands;
//! a graph runs it if an effect or a result needs its value, and may do so earlier or later than its neighbours. So if an op fails, a graph
//! either fails with the same message, or it gives what it would give whatever the op's value was.

use crate::exact::{Failure, Floats, Outcome, Ran, nearly_same, same, shown};
use crate::program::{Fails, Program};
use crate::ways::{Disagreement, eagerly};

/// What is expected of all ways.
#[derive(Clone, Debug)]
pub enum Expected {
    /// This outcome.
    Outcome(Outcome),
    /// This outcome, or a failure: the program has an op that may fail and calls a function whose values aren't saved for the gradient. Eager
    /// code runs such a call as a graph, which runs the op only if something needs it; so the message to expect isn't known.
    Recomputed(Outcome),
    /// This failure of an effect.
    Effect(Failure),
    /// This failure of an op, or the outcome that doesn't depend on its value.
    Op {
        /// How it fails in eager code.
        failure: Failure,
        /// The outcomes with two values that stand in for that of the op.
        instead: [Outcome; 2],
        /// Whether the program contains a gradient, which eager code computes in another order.
        has_gradient: bool,
    },
}

impl Expected {
    /// What the eager run of a program shows.
    ///
    /// # Errors
    /// If the program fails, though nothing in it may fail.
    pub fn of(program: &Program) -> Result<Expected, Disagreement> {
        let failure = match eagerly(program) {
            Ok(outcome) => {
                let may_fail = program.fails == Some(Fails::Op) && program.body.has_recomputation();
                return Ok(match may_fail {
                    true => Expected::Recomputed(outcome),
                    false => Expected::Outcome(outcome),
                });
            }
            Err(failure) => failure,
        };
        match program.fails {
            None => Err(disagreement("eagerly", "a result", &Err(failure))),
            Some(Fails::Effect) => Ok(Expected::Effect(failure)),
            Some(Fails::Op) => Ok(Expected::Op {
                failure,
                instead: [instead(program, 0)?, instead(program, 1)?],
                has_gradient: program.body.has_gradient(),
            }),
        }
    }

    /// The outcome, if one is expected.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            Expected::Outcome(outcome) | Expected::Recomputed(outcome) => Some(outcome),
            Expected::Effect(_) | Expected::Op { .. } => None,
        }
    }

    /// Compares a way with what is expected.
    ///
    /// # Errors
    /// If it does something else.
    pub fn check(&self, way: &str, ran: &Ran) -> Result<(), Disagreement> {
        self.check_up_to(Floats::Same, way, ran)
    }

    /// Compares a way, in which floats may be rounded in another way, with what is expected.
    ///
    /// # Errors
    /// If it does something else.
    pub fn check_up_to(&self, floats: Floats, way: &str, ran: &Ran) -> Result<(), Disagreement> {
        match self.accepts(ran, floats) {
            true => Ok(()),
            false => Err(disagreement(way, &self.shown(), ran)),
        }
    }

    fn accepts(&self, ran: &Ran, floats: Floats) -> bool {
        match (self, ran) {
            (Expected::Outcome(expected) | Expected::Recomputed(expected), Ok(outcome)) => {
                same(outcome, expected, floats)
            }
            (Expected::Recomputed(_), Err(_)) => true,
            (Expected::Effect(expected), Err(failure)) => failure.is_same(expected, floats),
            (
                Expected::Op {
                    failure: expected,
                    has_gradient,
                    ..
                },
                Err(failure),
            ) => {
                // In a gradient, the op is applied to values and to tangents. Only one of both may be needed.
                let same_line = *has_gradient && failure.line() == expected.line();
                same_line || failure.reason() == expected.reason()
            }
            (
                Expected::Op {
                    instead,
                    has_gradient,
                    ..
                },
                Ok(outcome),
            ) => instead.iter().all(|expected| match has_gradient {
                true => nearly_same(outcome, expected),
                false => same(outcome, expected, floats),
            }),
            _ => false,
        }
    }

    fn shown(&self) -> String {
        match self {
            Expected::Outcome(outcome) | Expected::Recomputed(outcome) => {
                shown(&Ok(outcome.clone()))
            }
            Expected::Effect(failure) => shown(&Err(failure.clone())),
            Expected::Op {
                failure, instead, ..
            } => {
                let failure = shown(&Err(failure.clone()));
                let [a, b] = instead
                    .each_ref()
                    .map(|outcome| shown(&Ok(outcome.clone())));
                format!(
                    "{failure}\n  with one value instead:\n    {a}\n  with another one:\n    {b}"
                )
            }
        }
    }
}

/// The eager outcome with one of the values that stand in for that of the op that fails.
fn instead(program: &Program, which: usize) -> Result<Outcome, Disagreement> {
    let ran = eagerly(&program.without_failures(which));
    ran.map_err(|failure| {
        let way = "eagerly without what may fail";
        disagreement(way, "a result", &Err(failure))
    })
}

/// The disagreement between what is expected and what a way does.
pub fn disagreement(way: &str, expected: &str, ran: &Ran) -> Disagreement {
    let verb = match ran {
        Ok(_) => "differs".to_owned(),
        Err(failure) => format!("fails with \"{}\"", failure.kind()),
    };
    Disagreement {
        kind: format!("{way} {verb}"),
        details: format!("eagerly:\n    {expected}\n{way}:\n    {}", shown(ran)),
    }
}
