//! Random programs over tensors, each run in all possible ways. An error in the library shows as two ways that disagree.
//!
//! A seed determines everything. `generate` writes the program of a seed over the public API, and `interpret` runs it eagerly or while
//! tracing. `state` has its variables. `ways` compares the ways to run it with what is `expected`, `reference` compares them with plain Rust,
//! and `gradients` compares its gradients. `shrink` makes a failing program smaller, and `print` shows it.

pub mod exact;
pub mod expected;
pub mod generate;
pub mod gradients;
mod host;
pub mod interpret;
mod print;
pub mod program;
pub mod random;
mod reference;
pub mod scope;
mod shrink;
pub mod state;
pub mod value;
pub mod ways;

use std::fmt;

use gradients::Compared;
use graph_runtime::collect_prints;
use program::Program;
use ways::{About, Choice, Disagreement};

/// The number of traces that a function keeps. It is small, because no program runs twice and each new trace is compared with all others.
const TRACES: usize = 16;

/// A disagreement, with a program that was made as small as possible.
#[derive(Debug)]
pub struct Finding {
    /// The seed of the original program.
    pub seed: u64,
    /// The two ways that disagree.
    pub disagreement: Disagreement,
    /// The small program.
    pub program: Program,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}: {}", self.seed, self.disagreement.kind)?;
        writeln!(f, "{}", self.program)?;
        writeln!(f, "{}", self.disagreement.details)
    }
}

/// How far a program was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// Whether it fails in eager code.
    pub fails: bool,
    /// Whether it was compared with plain Rust.
    pub in_plain_rust: bool,
    /// How far its gradients were compared, if they were.
    pub gradients: Option<Compared>,
}

/// Runs the program of a seed in the chosen ways.
///
/// # Errors
/// If two ways disagree: the finding, with a small program.
pub fn check(choice: &Choice) -> Result<Report, Box<Finding>> {
    graph_runtime::limit_traces(TRACES);
    let seed = choice.number;
    let differentiates = choice.is_about(About::Gradients);
    let program = generate::program(seed, differentiates);
    let _reserved = program.draws().then(state::reserve_streams);
    check_program(&program, choice).map_err(|first| {
        let fails = |program: &Program| {
            check_program(program, choice).is_err_and(|error| error.kind == first.kind)
        };
        let program = shrink::shrink(&program, fails);
        let disagreement = check_program(&program, choice).err().unwrap_or(first);
        Box::new(Finding {
            seed,
            disagreement,
            program,
        })
    })
}

fn check_program(program: &Program, choice: &Choice) -> Result<Report, Disagreement> {
    let compare = || {
        let expected = ways::compare(program, choice)?;
        let Some(outcome) = expected.outcome() else {
            return Ok(Report {
                fails: true,
                ..Report::default()
            });
        };
        let in_plain_rust = reference::compare(program, outcome)?;
        let differentiates = choice.is_about(About::Gradients) && gradients::has_any(program);
        let gradients = differentiates.then(|| gradients::compare(program, choice));
        Ok(Report {
            fails: false,
            in_plain_rust,
            gradients: gradients.transpose()?,
        })
    };
    // Prints during the comparison of gradients are dropped.
    collect_prints(|| choice.at_level(compare)).0
}
