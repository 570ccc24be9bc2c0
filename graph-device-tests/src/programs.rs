//! Random graphs, some with branches and loops, as a device's programs.

use std::sync::Arc;

use graph_ir::device::{Device, Program, Storage};
use graph_ir::error::Error;
use graph_ir::graph::Graph;
use graph_ir::passes::{Options, optimize_with};
use graph_kernels::Array;

use crate::compare::same;
use crate::graphs::{self, Random};
use crate::lines::Lines;
use crate::{Report, Suite};

pub(crate) fn check(suite: &Suite, report: &mut Report) {
    for seed in 0..suite.programs {
        // What rounds in another way may take another branch. So graphs for a device that isn't exact have no floats.
        let mut random = match suite.exact {
            true => Random::new(seed),
            false => Random::of_integers(seed),
        };
        let random = graphs::program(&mut random, 1 + seed as usize % 12);
        if !suite.exact && has_floats(&random.graph) {
            continue;
        }
        let mut optimized = random.graph.clone();
        optimize_with(&mut optimized, &Options::default());
        for graph in [&random.graph, &optimized] {
            let program = suite.compiled(graph, report);
            let found = compare(suite, &*program, graph, &random.inputs);
            report.add(&format_args!("the graph of seed {seed}\n{graph}"), found);
        }
    }
}

fn has_floats(graph: &Graph) -> bool {
    let mut values = graph.values.iter();
    let mut subgraphs = graph.nodes.iter().flat_map(|node| node.op.subgraphs());
    values.any(|value| value.ty.dtype.is_float()) || subgraphs.any(has_floats)
}

impl Suite {
    /// The device's program of a graph.
    pub(crate) fn compiled(&self, graph: &Graph, report: &mut Report) -> Arc<dyn Program> {
        if let Err(reason) = self.device.backend().compile(graph, &[]) {
            report.left("a graph", reason);
        }
        self.device.compile(graph, &[])
    }
}

/// How often a program runs: a device may do something else when it has seen a program before, such as record its work and launch it again.
pub(crate) const RUNS: usize = 4;

/// Runs a program a few times, and compares it with that of the CPU.
fn compare(
    suite: &Suite,
    program: &dyn Program,
    graph: &Graph,
    inputs: &[Array],
) -> Result<(), String> {
    let cpu = Device::cpu();
    let expected = run(
        &*cpu.compile(graph, &[]),
        &brought(cpu, inputs)?,
        &mut Lines::none(),
    );
    let inputs = brought(suite.device, inputs)?;
    for number in 1..=RUNS {
        let found = run(program, &inputs, &mut Lines::none());
        let compared = match (&expected, found) {
            (Err(_), Err(_)) => Ok(()),
            (Err(error), Ok(_)) => Err(format!("no error instead of `{error}`")),
            (Ok(_), Err(error)) => Err(format!("the error `{error}`")),
            (Ok(expected), Ok(found)) => {
                let mut pairs = expected.iter().zip(&found);
                pairs.try_for_each(|(expected, found)| same(expected, found))
            }
        };
        compared.map_err(|error| format!("{error} (run {number})"))?;
    }
    Ok(())
}

/// Arrays as values of a device.
///
/// # Errors
/// The message of the device's error.
pub(crate) fn brought(device: Device, arrays: &[Array]) -> Result<Vec<Storage>, String> {
    let values = arrays
        .iter()
        .map(|array| device.bring(&array.clone().into()));
    let values: Result<_, Error> = values.collect();
    values.map_err(|error| error.message().to_owned())
}

/// The results of a run, as arrays of the host.
///
/// # Errors
/// The message of the run's error.
pub(crate) fn run(
    program: &dyn Program,
    inputs: &[Storage],
    host: &mut Lines,
) -> Result<Vec<Array>, String> {
    let inputs: Vec<&Storage> = inputs.iter().collect();
    let outputs = program.run(&inputs, host);
    let arrays = outputs.and_then(|outputs| {
        let arrays = outputs
            .iter()
            .map(|output| Ok(Array::clone(&*output.to_host()?)));
        arrays.collect()
    });
    arrays.map_err(|error| error.message().to_owned())
}
