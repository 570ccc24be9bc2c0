//! Graphviz DOT of a graph: nodes as boxes, values as edges, subgraphs as clusters inside their node's cluster.

use std::fmt::Write;

use super::text::values_text;
use crate::graph::{Graph, IterationStep, Node, Op, TensorType, ValueId};
use crate::nesting::with_stack_for;

impl Graph {
    /// The graph in the DOT language, for `dot -Tsvg`. Called graphs are drawn as single nodes.
    pub fn to_dot(&self) -> String {
        let mut dot = Dot {
            text: String::new(),
            next: 0,
            indent: 1,
        };
        dot.text
            .push_str("digraph {\n  node [shape=box, fontname=monospace];\n");
        with_stack_for(self.depth(), || dot.graph(self));
        dot.text.push_str("}\n");
        dot.text
    }
}

struct Dot {
    text: String,
    /// The next free number for a box or cluster.
    next: usize,
    indent: usize,
}

impl Dot {
    fn line(&mut self, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * self.indent);
    }

    fn number(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    /// Draws a box and returns its name.
    fn draw(&mut self, label: &str, style: &str) -> String {
        let name = format!("n{}", self.number());
        self.line(&format!("{name} [label=\"{}\"{style}];", escape(label)));
        name
    }

    fn cluster(&mut self, label: &str, inside: impl FnOnce(&mut Dot)) {
        let number = self.number();
        self.line(&format!("subgraph cluster_{number} {{"));
        self.indent += 1;
        self.line(&format!("label=\"{}\";", escape(label)));
        inside(self);
        self.indent -= 1;
        self.line("}");
    }

    fn graph(&mut self, graph: &Graph) {
        // For each value, the box that its edges start from.
        let mut sources = vec![String::new(); graph.values.len()];
        for input in &graph.inputs {
            let label = match &graph.values[input.index()].name {
                Some(name) => format!("{name}: {}", graph.ty(*input)),
                None => format!("input: {}", graph.ty(*input)),
            };
            sources[input.index()] = self.draw(&label, ", style=rounded");
        }
        for node in &graph.nodes {
            let name = self.node(node);
            self.edges(graph, &sources, &node.inputs, &name);
            for output in &node.outputs {
                sources[output.index()].clone_from(&name);
            }
        }
        let name = self.draw("return", ", style=rounded");
        self.edges(graph, &sources, &graph.outputs, &name);
    }

    fn edges(&mut self, graph: &Graph, sources: &[String], values: &[ValueId], to: &str) {
        for value in values {
            let label = escape(&graph.ty(*value).to_string());
            self.line(&format!(
                "{} -> {to} [label=\"{label}\"];",
                sources[value.index()]
            ));
        }
    }

    fn node(&mut self, node: &Node) -> String {
        let subgraphs = node.op.subgraphs();
        if subgraphs.is_empty() {
            return self.draw(&label(&node.op), "");
        }
        let mut name = String::new();
        self.cluster(node.op.name(), |dot| {
            name = dot.draw(node.op.name(), ", style=bold");
            for (i, subgraph) in subgraphs.into_iter().enumerate() {
                dot.cluster(node.op.subgraph_name(i), |dot| dot.graph(subgraph));
            }
        });
        name
    }
}

/// The text in the box of a node without subgraphs.
fn label(op: &Op) -> String {
    match op {
        Op::Constant(array) if array.rank() == 0 => format!("constant {}", values_text(array)),
        Op::Constant(array) => format!("constant {}", TensorType::of_array(array)),
        Op::Primitive(def, attrs) => {
            let attrs = attrs
                .iter()
                .map(|(name, value)| format!("\n{name} = {value:?}"));
            format!("{}{}", def.name, attrs.collect::<String>())
        }
        Op::Assert(message) => format!("assert\n{}", message.texts.join("…")),
        Op::Call { name, .. } => format!("call {name}"),
        // The box shows the variable's number: a node alone doesn't know the table with the names.
        Op::ReadVariable(id) | Op::AssignVariable(id) => format!("{} {}", op.name(), id.0),
        Op::Iteration(IterationStep::Begin(recipe)) => format!("{}\n{recipe}", op.name()),
        other => other.name().to_owned(),
    }
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
