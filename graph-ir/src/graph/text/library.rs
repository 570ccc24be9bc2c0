//! Several graphs in one text, each written once as a function, also those that they call. The text has the lines of the program; the values of
//! large constants are elsewhere. Files of graphs contain such a text.

use std::sync::Arc;

use graph_kernels::Array;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{MAX_DEPTH, MAX_NODES, MAX_VALUES, ParseError, parse, print};
use crate::error::{Error, Location};
use crate::graph::{Graph, IterationStep, Node, Op, SharedGraph};

/// Writes graphs with their names. `number` is asked for the number of each constant of more than 64 values, whose values aren't written. The
/// result is the text, and the label of each graph there: its name, or `name#2` where a graph has that name already.
///
/// # Errors
/// If a graph contains what no text can say: a dataset of Rust code, or graphs that nest or grow beyond what [`read`] accepts. The error names the
/// op and the line.
pub fn write(
    graphs: &[(Arc<str>, SharedGraph)],
    number: &mut (dyn FnMut(&Arc<Array>) -> usize + Send),
) -> Result<(String, Vec<String>), Error> {
    let mut seen = FxHashSet::default();
    for (_, graph) in graphs {
        check(graph, &mut seen)?;
    }
    let mut elsewhere = |array: &Arc<Array>| (array.len() > MAX_VALUES).then(|| number(array));
    print::print_all(graphs, &mut elsewhere)
        .map_err(|_| Error::run("the graphs couldn't be printed", Location::unknown()))
}

/// Reads such a text: all graphs by their labels, verified. `constants` are those whose values are elsewhere, by number.
///
/// # Errors
/// Where the text isn't one, or what is wrong with a graph.
pub fn read(
    text: &str,
    constants: &[Arc<Array>],
) -> Result<FxHashMap<String, SharedGraph>, ParseError> {
    parse::parse_all(text, constants)
}

/// Checks that text can say what is in a graph, and that the text can be read.
fn check(graph: &Graph, seen: &mut FxHashSet<*const Graph>) -> Result<(), Error> {
    if Graph::size_of(&graph.nodes) > MAX_NODES {
        let size = |node: &&Node| node.op.inner().into_iter().map(SharedGraph::size).max();
        let location = graph
            .nodes
            .iter()
            .max_by_key(size)
            .map(|node| node.location.clone());
        let message = format!(
            "a graph of more than {MAX_NODES} nodes, with all calls inlined, can't be saved"
        );
        return Err(Error::trace(
            message,
            location.unwrap_or_else(Location::unknown),
        ));
    }
    let mut pending = vec![graph];
    while let Some(graph) = pending.pop() {
        for node in &graph.nodes {
            if let Err(reason) = check_node(node) {
                let message = format!("`{}` can't be saved: {reason}", node.op.name());
                return Err(Error::trace(message, node.location.clone()));
            }
        }
        let inner = graph.inner().filter(|inner| seen.insert(inner.as_ptr()));
        pending.extend(inner.map(|inner| &**inner));
    }
    Ok(())
}

fn check_node(node: &Node) -> Result<(), String> {
    match &node.op {
        Op::Iteration(IterationStep::Begin(recipe)) => {
            parse::recipe(&recipe.to_string()).map_err(|error| error.message)?;
        }
        Op::Primitive(op, _)
            if !crate::ops::find(op.name).is_some_and(|own| std::ptr::eq(own, *op)) =>
        {
            return Err("it isn't in the op table".to_owned());
        }
        _ => {}
    }
    let mut inner = node.op.inner().into_iter();
    match inner.any(|inner| inner.depth() > MAX_DEPTH) {
        true => Err(format!("graphs nest deeper than {MAX_DEPTH} in it")),
        false => Ok(()),
    }
}
