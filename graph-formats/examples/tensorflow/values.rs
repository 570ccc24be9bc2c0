//! Running graphs, and files of named arrays, which are constants of a graph.

use graph_formats::tensorflow::proto::{GraphDef, NodeDef};
use graph_formats::tensorflow::{graph_def, graph_of};
use graph_ir::device::{Device, Host, Outputs, Place, Storage};
use graph_ir::error::Location;
use graph_ir::executable::Executable;
use graph_ir::graph::{Graph, Op, PrintTo};
use graph_ir::types::TensorType;
use graph_kernels::Array;

use crate::Failure;

/// A host with variables that prints.
pub struct Console<'a>(pub Vec<&'a Place>);

impl Host for Console<'_> {
    fn print(&mut self, text: &str, _: &PrintTo) -> std::io::Result<()> {
        print!("{text}");
        Ok(())
    }

    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        [1, 2]
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        self.0.get(position as usize).copied()
    }
}

/// The results of a graph with these variables.
pub fn run(
    graph: &Graph,
    operands: &[Array],
    variables: Vec<&Place>,
) -> Result<Vec<Array>, Failure> {
    let storages: Vec<Storage> = operands.iter().cloned().map(Storage::from).collect();
    let inputs: Vec<&Storage> = storages.iter().collect();
    let mut outputs = Outputs::new();
    Executable::new(graph.clone()).run_into(
        Device::cpu(),
        &inputs,
        &mut Console(variables),
        &mut outputs,
    )?;
    let arrays = outputs
        .iter()
        .map(|output| Ok(Array::clone(&*output.to_host()?)));
    arrays.collect()
}

/// An array as a node of a graph.
pub fn constant(name: &str, array: Array) -> Result<NodeDef, Failure> {
    let mut graph = Graph::default();
    let ty = TensorType::of_array(&array);
    graph.outputs = graph.add_node(
        Op::Constant(array.into()),
        Vec::new(),
        vec![ty],
        Location::unknown(),
    );
    let mut node = graph_def(&graph)?.node.swap_remove(0);
    node.name = name.to_owned();
    Ok(node)
}

/// The named arrays of a file.
pub fn arrays(file: &GraphDef) -> Result<Vec<(String, Array)>, Failure> {
    let array = |node: &NodeDef| {
        let graph = graph_of(file, &[&node.name])?;
        Ok((
            node.name.clone(),
            run(&graph, &[], Vec::new())?.swap_remove(0),
        ))
    };
    file.node.iter().map(array).collect()
}
