//! The host of a plan that runs outside of a function: it keeps lines, draws seeds, and has the variables of the graph.

use std::io;

use graph_runtime::device::Host;
use graph_runtime::graph::Graph;
use graph_runtime::random::{Global, Rng, with_seed};
use graph_runtime::variable::Place;
use graph_runtime::{Array, PrintTo};

use crate::exact::{Failure, Outcome, Ran};
use crate::program::Program;
use crate::state::{Variable, variable_name};

/// The lines that a run printed, and the variables in the order of the graph's table.
pub struct Table {
    lines: Vec<String>,
    places: Vec<Place>,
}

impl Table {
    /// The variables of a program's graph with their first values. Those among the arguments come first; the others have their names.
    pub fn new(program: &Program, graph: &Graph) -> Table {
        let mut arguments = program.variables.iter().filter(|v| v.is_argument);
        let place = |entry: &graph_runtime::graph::Value| {
            let named = |v: &&Variable| entry.name.as_deref() == Some(&variable_name(v.name));
            let captured = || program.variables.iter().find(named);
            let variable = arguments.next().or_else(captured);
            let variable = variable.expect("the graph has no other variables");
            let start = Array::clone(&variable.start);
            Place::new(variable_name(variable.name), variable.ty(), start)
        };
        let places = graph.variables.iter().map(place);
        Table {
            lines: Vec::new(),
            places: places
                .collect::<Result<_, _>>()
                .expect("values of the type"),
        }
    }

    /// The outcome of a run with these results.
    pub fn outcome(self, program: &Program, results: Result<Vec<Array>, String>) -> Ran {
        let value = |variable: &Variable| {
            let name = variable_name(variable.name);
            let place = self.places.iter().find(|place| **place.name() == *name);
            place.map_or_else(
                || Array::clone(&variable.start),
                |place| Array::clone(&place.read().to_host().expect("it is on the CPU")),
            )
        };
        let variables = program.variables.iter().map(value).collect();
        let lines = self.lines;
        match results {
            Ok(results) => Ok(Outcome {
                results,
                lines,
                variables,
            }),
            Err(message) => Err(Failure {
                message,
                lines,
                variables,
            }),
        }
    }
}

impl Host for Table {
    fn print(&mut self, text: &str, _: &PrintTo) -> io::Result<()> {
        let line = text.strip_suffix('\n').unwrap_or(text);
        self.lines.push(line.to_owned());
        Ok(())
    }

    fn next_seed(&mut self, stream: Option<i64>) -> [i64; 2] {
        let seed = match stream {
            None => Global.next_seed(),
            Some(stream) => with_seed(stream).next_seed(),
        };
        let seed = seed.to_vec();
        [seed[0], seed[1]]
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        self.places.get(position as usize)
    }
}
