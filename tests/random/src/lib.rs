//! Random programs over tensors, each run in all ways that there are: what is wrong with the library shows as two ways that don't agree.
//!
//! A seed says everything. `generate` writes the program of a seed over the public API, `interpret` runs it, at once or under a trace, `ways`
//! compares the ways to run it, `reference` them with plain Rust, and `gradients` its gradients. What fails is made small by `shrink` and shown by `print`.

pub mod exact;
pub mod generate;
pub mod gradients;
pub mod interpret;
mod print;
pub mod program;
pub mod random;
mod reference;
pub mod scope;
mod shrink;
pub mod value;
pub mod ways;

use std::fmt;

use gradients::Compared;
use graph_runtime::collect_prints;
use program::Program;
use ways::{About, Choice, Disagreement};

/// How many traces a function keeps: no program comes again, and a new trace looks at all others for one that would do.
const TRACES: usize = 16;

/// What is wrong with a program, as small as it was made.
#[derive(Debug)]
pub struct Finding {
    /// The seed of the program that it was found in.
    pub seed: u64,
    /// What disagrees.
    pub disagreement: Disagreement,
    /// The program.
    pub program: Program,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}: {}", self.seed, self.disagreement.kind)?;
        writeln!(f, "{}", self.program)?;
        writeln!(f, "{}", self.disagreement.details)
    }
}

/// What was compared of a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// Whether plain Rust says the same.
    pub in_plain_rust: bool,
    /// How far its gradients were compared.
    pub gradients: Option<Compared>,
}

/// Runs the program of a seed in the ways that are chosen.
///
/// # Errors
/// What two ways disagree about, in a program made small.
pub fn check(choice: &Choice) -> Result<Report, Box<Finding>> {
    graph_runtime::limit_traces(TRACES);
    let seed = choice.number;
    let differentiates = choice.is_about(About::Gradients);
    let program = generate::program(seed, differentiates);
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
        let outcome = ways::compare(program, choice)?;
        let in_plain_rust = reference::compare(program, &outcome)?;
        let differentiates = choice.is_about(About::Gradients) && gradients::has_any(program);
        let gradients = differentiates.then(|| gradients::compare(program, choice));
        Ok(Report {
            in_plain_rust,
            gradients: gradients.transpose()?,
        })
    };
    // What is printed while gradients are compared says nothing.
    collect_prints(|| choice.at_level(compare)).0
}
