//! The host of a run: it keeps what is printed, counts the seeds that are drawn, and has the variables.

use std::io;

use graph_ir::device::{Device, Host, Place};
use graph_ir::graph::{Graph, Value};
use graph_ir::print::PrintTo;
use graph_kernels::Array;

/// What a run did besides computing.
pub(crate) struct Lines {
    pub(crate) printed: Vec<String>,
    seeds: i64,
    pub(crate) variables: Vec<Place>,
}

impl Lines {
    /// A host without variables.
    pub(crate) fn none() -> Lines {
        Lines {
            printed: Vec::new(),
            seeds: 0,
            variables: Vec::new(),
        }
    }

    /// A host with these values of a graph's variables, which are on the device.
    ///
    /// # Errors
    /// If the device doesn't take a value.
    pub(crate) fn new(device: Device, graph: &Graph, values: &[Array]) -> Result<Lines, String> {
        let place = |(variable, value): (&Value, &Array)| {
            let value = device.bring(&value.clone().into());
            let value = value.map_err(|error| error.to_string())?;
            Place::new("variable", variable.ty.clone(), value)
        };
        let variables = graph.variables.iter().zip(values);
        Ok(Lines {
            variables: variables.map(place).collect::<Result<_, _>>()?,
            ..Lines::none()
        })
    }
}

impl Host for Lines {
    fn print(&mut self, text: &str, _: &PrintTo) -> io::Result<()> {
        self.printed.push(text.trim_end_matches('\n').to_owned());
        Ok(())
    }

    /// The seed's own number, and how many were drawn so far.
    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        self.seeds += 1;
        [op_seed.unwrap_or(0), self.seeds]
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        self.variables.get(position as usize)
    }
}
