//! Checks that arbitrary bytes cause nothing but errors in the text parser, the verifier, the passes and the plan. The fuzz targets of
//! `fuzz/` and a test over damaged texts call these functions.

use graph_runtime::graph::{Graph, Node, Op, Shape, ValueId, verify};
use graph_runtime::load_from_bytes;
use graph_runtime::passes::{Options, optimize_with};
use graph_runtime::plan::Plan;

/// Graph texts to start from. They contain every form of node.
pub const CORPUS: &[&str] = &[
    include_str!("../../fuzz/corpus/graph_text/control_flow.txt"),
    include_str!("../../fuzz/corpus/graph_text/fusions.txt"),
    include_str!("../../fuzz/corpus/graph_text/primitives.txt"),
    include_str!("../../fuzz/corpus/graph_text/variables.txt"),
];

/// Larger graphs are only parsed and printed, because the time of the later steps grows with the size.
const MAX_NODES: usize = 2000;

/// Reads bytes as graph text. A text that parses must print as itself, and its graph must be optimized and planned without a panic.
///
/// # Panics
/// If a check fails: that is an error in the project.
pub fn text(bytes: &[u8]) {
    let Ok(graph) = String::from_utf8_lossy(bytes).parse::<Graph>() else {
        return;
    };
    let printed = graph.to_text();
    let again: Graph = printed.parse().unwrap_or_else(|e| panic!("{e}\n{printed}"));
    assert_eq!(again.to_text(), printed);
    carry_on(graph);
}

/// Reads bytes as a file of functions: if they don't begin as one, as its text or its signatures. What loads must be saved again to a file that loads.
///
/// # Panics
/// If a check fails: that is an error in the project.
pub fn saved_file(bytes: &[u8]) {
    for file in [
        bytes.to_vec(),
        around("graph.text", bytes),
        around("graph.functions", bytes),
    ] {
        if let Ok(functions) = load_from_bytes(&file) {
            let again = functions
                .to_bytes()
                .unwrap_or_else(|e| panic!("{e}\n{functions:?}"));
            let again = load_from_bytes(&again).unwrap_or_else(|e| panic!("{e}\n{functions:?}"));
            assert_eq!(format!("{again:?}"), format!("{functions:?}"));
        }
    }
}

/// The signature of a function `f` of one tensor.
const ONE_FUNCTION: &str = r#"{"functions":[{"name":"f","function":"f","graph":"f","parameters":[["x","tensor"]],"results":"tensor","variables":[]}],"variables":[],"strings":[]}"#;

/// A file with these bytes as one of the texts in its metadata.
fn around(key: &str, bytes: &[u8]) -> Vec<u8> {
    let mut texts = [
        ("graph.version", "1".to_owned()),
        (
            "graph.text",
            "fn f(x: int32[?]) -> int32[?] { y = neg(x) : int32[?] return y }".to_owned(),
        ),
        ("graph.functions", ONE_FUNCTION.to_owned()),
    ];
    for (own, text) in &mut texts {
        if own == &key {
            *text = String::from_utf8_lossy(bytes).into_owned();
        }
    }
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c < ' ' => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    let quoted = |text: String| text.chars().map(escaped).collect::<String>();
    let texts = texts.map(|(key, text)| format!("\"{key}\":\"{}\"", quoted(text)));
    let header = format!("{{\"__metadata__\":{{{}}}}}", texts.join(","));
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat()
}

/// Damages a graph of the corpus as the bytes say. If the verifier accepts it, it must be optimized and planned without a panic.
///
/// # Panics
/// If a check fails: that is an error in the project.
pub fn graph(bytes: &[u8]) {
    let Some((first, damages)) = bytes.split_first() else {
        return;
    };
    let text = CORPUS[usize::from(*first) % CORPUS.len()];
    let mut graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    for damage in damages.chunks_exact(4).take(8) {
        self::damage(&mut graph, [damage[0], damage[1], damage[2], damage[3]]);
    }
    // A graph that the verifier rejects is printed, too.
    drop((graph.to_string(), verify(&graph).is_ok()));
    if verify(&graph).is_ok() {
        carry_on(graph);
    }
}

/// Runs every step of compilation. The graph isn't run, because that may take forever.
fn carry_on(mut graph: Graph) {
    if size(&graph) > MAX_NODES {
        return;
    }
    drop(graph.to_dot());
    optimize_with(&mut graph, &Options::default());
    verify(&graph).unwrap_or_else(|e| panic!("{e}\n{graph}"));
    drop(Plan::new(&graph));
}

/// The number of nodes of a graph with all its calls inlined.
fn size(graph: &Graph) -> usize {
    let inside = |node: &Node| match &node.op {
        Op::Call { graph, .. } => size(graph),
        op => op
            .subgraphs()
            .into_iter()
            .map(size)
            .fold(0, usize::saturating_add),
    };
    let sizes = graph
        .nodes
        .iter()
        .map(|node| inside(node).saturating_add(1));
    sizes.fold(0, usize::saturating_add)
}

/// Changes one thing; the bytes choose the part of the graph and the change.
fn damage(graph: &mut Graph, [what, node, position, value]: [u8; 4]) {
    let value = ValueId(u32::from(value) % (graph.values.len() as u32 + 2));
    let at = |len: usize, byte: u8| usize::from(byte).checked_rem(len);
    if what % 8 == 0 {
        if let Some(i) = at(graph.values.len(), position) {
            graph.values[i].ty.shape = Shape::known(&[usize::from(node) % 4]);
        }
        return;
    }
    let Some(i) = at(graph.nodes.len(), node) else {
        return;
    };
    if what % 8 == 1 {
        let other = usize::from(position) % graph.nodes.len();
        return graph.nodes.swap(i, other);
    }
    let node = &mut graph.nodes[i];
    let inside = node
        .op
        .subgraphs_mut()
        .into_iter()
        .nth(usize::from(what / 8 % 2));
    if let (2 | 3, Some(subgraph)) = (what % 8, inside) {
        return damage(subgraph, [what / 16, position, value.0 as u8, what]);
    }
    let list = match what % 8 {
        4 => &mut node.outputs,
        5 => &mut graph.outputs,
        6 => &mut graph.inputs,
        _ => &mut node.inputs,
    };
    match at(list.len(), position) {
        Some(i) if what < 128 => list[i] = value,
        Some(i) => drop(list.remove(i)),
        None => list.push(value),
    }
}
