//! Writes graphs for TensorFlow, with operands and the results that they have here: `scripts/tensorflow_check.py` runs them there and compares.
//! `cargo run -p graph-formats --features saved-model --example tensorflow_out -- FOLDER`

mod op_cases;
mod programs;

use std::path::Path;

use graph_formats::tensorflow::proto::{GraphDef, NodeDef};
use graph_formats::tensorflow::{graph_def, to_bytes};
use graph_ir::device::{Device, Host, Outputs, Storage};
use graph_ir::error::Location;
use graph_ir::executable::Executable;
use graph_ir::graph::{Graph, Op, PrintTo};
use graph_ir::ops::{self, Attrs};
use graph_ir::types::{Shape, TensorType};
use graph_kernels::Array;

type Failure = Box<dyn std::error::Error>;

/// A host that prints.
struct Console;

impl Host for Console {
    fn print(&mut self, text: &str, _: &PrintTo) -> std::io::Result<()> {
        print!("{text}");
        Ok(())
    }

    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        [1, 2]
    }
}

/// The results of a graph.
fn run(graph: &Graph, operands: &[Array]) -> Result<Vec<Array>, Failure> {
    let storages: Vec<Storage> = operands.iter().cloned().map(Storage::from).collect();
    let inputs: Vec<&Storage> = storages.iter().collect();
    let mut outputs = Outputs::new();
    Executable::new(graph.clone()).run_into(Device::cpu(), &inputs, &mut Console, &mut outputs)?;
    let arrays = outputs.iter().map(|output| Ok(Array::clone(&*output.to_host()?)));
    arrays.collect()
}

/// Writes a graph, its operands and its results.
fn write(folder: &Path, name: &str, graph: &Graph, operands: &[Array]) -> Result<(), Failure> {
    let def = graph_def(graph)?;
    let results = run(graph, operands).map_err(|error| format!("{name}: {error}"))?;
    let named = |prefix: &'static str, arrays: Vec<Array>| {
        let node = move |(i, array): (usize, Array)| constant(&format!("{prefix}_{i}"), array);
        arrays.into_iter().enumerate().map(node).collect::<Vec<_>>()
    };
    let mut values = GraphDef::default();
    for node in named("in", operands.to_vec()).into_iter().chain(named("out", results)) {
        values.node.push(node?);
    }
    std::fs::write(folder.join(format!("{name}.pb")), to_bytes(&def))?;
    std::fs::write(folder.join(format!("{name}.values")), to_bytes(&values))?;
    Ok(())
}

/// An array as a node.
fn constant(name: &str, array: Array) -> Result<NodeDef, Failure> {
    let mut graph = Graph::default();
    let ty = TensorType::of_array(&array);
    graph.outputs = graph.add_node(Op::Constant(array.into()), Vec::new(), vec![ty], Location::unknown());
    let mut node = graph_def(&graph)?.node.swap_remove(0);
    node.name = name.to_owned();
    Ok(node)
}

/// A graph of one op. Sizes of its inputs are known, or only their ranks.
fn of_op(name: &str, attrs: &Attrs, operands: &[Array], sizes_are_known: bool) -> Result<Graph, Failure> {
    let op = ops::find(name).ok_or_else(|| format!("no op {name}"))?;
    let mut graph = Graph::default();
    for (i, array) in operands.iter().enumerate() {
        let mut ty = TensorType::of_array(array);
        if !sizes_are_known {
            ty.shape = Shape::of(array.shape().iter().map(|_| None));
        }
        graph.add_input(ty, Some(format!("x{i}").into()));
    }
    let inputs = graph.inputs.clone();
    let ty = (op.infer)(&graph.types(&inputs), attrs)?;
    graph.outputs = graph.add_node(Op::Primitive(op, attrs.clone()), inputs, vec![ty], Location::unknown());
    Ok(graph)
}

fn main() -> Result<(), Failure> {
    let folder = std::env::args().nth(1).ok_or("the folder is missing")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    for (i, (name, attrs, operands)) in op_cases::all().into_iter().enumerate() {
        for (known, kind) in [(true, "known"), (false, "open")] {
            let written = of_op(name, &attrs, &operands, known)
                .and_then(|graph| write(folder, &format!("{name}.{i}.{kind}"), &graph, &operands));
            if let Err(error) = written {
                println!("{name}.{i}.{kind} isn't written: {error}");
            }
        }
    }
    for (name, text, operands) in programs::all() {
        let graph: Graph = text.parse().map_err(|error| format!("{name}: {error}"))?;
        write(folder, name, &graph, &operands)?;
    }
    Ok(())
}
