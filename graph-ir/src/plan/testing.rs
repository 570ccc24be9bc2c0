//! Helpers shared by the tests of plans.

use std::io;
use std::sync::Arc;

use graph_kernels::Array;
use graph_kernels::format::{Spec, tf_print};

use super::{InWords, Options, Plan};
use crate::device::{Host, Place, Program, Storage};
use crate::error::Error;
use crate::graph::{Graph, PrintTo, Summary};

/// Random numbers, by a linear congruence modulo 2⁶⁴ (Knuth's MMIX).
pub(super) struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// A host that collects the printed lines and the summaries, and counts the seeds.
#[derive(Default)]
pub(super) struct Lines(pub Vec<String>, i64);

impl Host for Lines {
    fn print(&mut self, text: &str, _: &PrintTo) -> io::Result<()> {
        self.0
            .push(text.strip_suffix('\n').unwrap_or(text).to_owned());
        Ok(())
    }

    fn writes_summaries(&self) -> bool {
        true
    }

    fn write_summary(&mut self, summary: &Summary, value: &Array, step: i64) -> io::Result<()> {
        if summary.tag.is_empty() {
            return Err(io::Error::other("it has no tag"));
        }
        let (kind, tag) = (summary.kind.op_name(), &summary.tag);
        let value = tf_print(value, None, &Spec::default());
        self.0.push(format!("{kind} {tag} at {step}: {value}"));
        Ok(())
    }

    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        self.1 += 1;
        [op_seed.unwrap_or(0), self.1]
    }
}

/// A host with variables, which prints nothing.
pub(super) struct Variables(pub Vec<Place>);

impl Host for Variables {
    fn print(&mut self, _: &str, _: &PrintTo) -> io::Result<()> {
        Ok(())
    }
    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        [0, 0]
    }
    fn variable(&self, position: u32) -> Option<&Place> {
        self.0.get(position as usize)
    }
}

/// Variables of the types that a graph declares, with these values.
pub(super) fn variables(graph: &Graph, values: &[&[f32]]) -> Variables {
    let places = graph
        .variables
        .iter()
        .zip(values)
        .map(|(variable, values)| {
            let array = Arc::new(Array::new(&[values.len()], values.to_vec()));
            Place::new("v", variable.ty.clone(), array).unwrap()
        });
    Variables(places.collect())
}

/// The plan of a graph's text.
pub(super) fn plan(text: &str) -> Plan {
    let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    Plan::new(&graph)
}

/// The plan of a graph's text without word programs: scalars are arrays too.
pub(super) fn plan_of_arrays(text: &str) -> Plan {
    let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let options = Options {
        words: InWords::Nothing,
        ..Options::default()
    };
    Plan::with(&graph, options)
}

/// The outputs and the printed lines of a run.
pub(super) fn run_lines(
    plan: &Plan,
    inputs: Vec<Array>,
) -> Result<(Vec<Arc<Array>>, Vec<String>), Error> {
    let inputs: Vec<Storage> = inputs.into_iter().map(Storage::from).collect();
    let mut host = Lines::default();
    let outputs = plan.run(&inputs.iter().collect::<Vec<_>>(), &mut host)?;
    let outputs = outputs.iter().map(Storage::to_host);
    Ok((outputs.collect::<Result<_, _>>()?, host.0))
}
