//! Graphs for TensorFlow, with operands and the results that they have here.

use std::path::Path;

use graph_formats::tensorflow::proto::GraphDef;
use graph_formats::tensorflow::{graph_def, saved_model};
use graph_ir::error::Location;
use graph_ir::graph::{Graph, Op};
use graph_ir::ops::{self, Attrs};
use graph_ir::types::{Shape, TensorType};
use graph_kernels::Array;

use crate::values::{constant, run};
use crate::{Failure, model, op_cases, programs};

/// Writes a graph, its operands and its results.
fn write(folder: &Path, name: &str, graph: &Graph, operands: &[Array]) -> Result<(), Failure> {
    let def = graph_def(graph)?;
    let results = run(graph, operands, Vec::new()).map_err(|error| format!("{name}: {error}"))?;
    let named = |prefix: &'static str, arrays: Vec<Array>| {
        let node = move |(i, array): (usize, Array)| constant(&format!("{prefix}_{i}"), array);
        arrays.into_iter().enumerate().map(node).collect::<Vec<_>>()
    };
    let mut values = GraphDef::default();
    for node in named("in", operands.to_vec())
        .into_iter()
        .chain(named("out", results))
    {
        values.node.push(node?);
    }
    std::fs::write(folder.join(format!("{name}.pb")), def.to_bytes())?;
    std::fs::write(folder.join(format!("{name}.pbtxt")), def.to_string())?;
    std::fs::write(folder.join(format!("{name}.values")), values.to_bytes())?;
    Ok(())
}

/// A graph of one op. Sizes of its inputs are known, or only their ranks.
fn of_op(
    name: &str,
    attrs: &Attrs,
    operands: &[Array],
    sizes_are_known: bool,
) -> Result<Graph, Failure> {
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
    graph.outputs = graph.add_node(
        Op::Primitive(op, attrs.clone()),
        inputs,
        vec![ty],
        Location::unknown(),
    );
    Ok(graph)
}

/// Writes everything.
pub fn all(folder: &Path) -> Result<(), Failure> {
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
    saved_model::save(folder.join("model"), &model::model()?)?;
    Ok(())
}
