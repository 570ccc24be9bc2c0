//! Nodes as statements: a `let` for each, `if` and `while` for branches and loops.

use std::collections::HashMap;

use graph_runtime::Array;
use graph_runtime::graph::{Graph, Node, Op, ValueId};

use super::expressions::{Text, of_op, refused};
use super::names::Names;

/// The most values of a constant that stands in the source.
const SMALL: usize = 16;

/// Writes the statements of a function.
pub struct Writer<'a> {
    /// The lines so far.
    pub lines: Vec<String>,
    pub names: Names,
    /// The names of the graph's variables, by position.
    pub variables: Vec<String>,
    /// Constants that are too large for the source, with their names among the weights.
    pub constants: Vec<(String, &'a Array)>,
    depth: usize,
}

/// The values of a graph that are written so far.
type Values = HashMap<ValueId, Text>;

impl<'a> Writer<'a> {
    pub fn new(variables: Vec<String>, names: Names) -> Writer<'a> {
        Writer {
            lines: Vec::new(),
            names,
            variables,
            constants: Vec::new(),
            depth: 1,
        }
    }

    fn line(&mut self, text: &str) {
        self.lines.push(format!("{:1$}{text}", "", self.depth * 4));
    }

    /// Writes a graph with these inputs; returns its outputs.
    pub fn graph(&mut self, graph: &'a Graph, inputs: &[Text]) -> Result<Vec<Text>, String> {
        let all = vec![true; graph.outputs.len()];
        let outputs = self.graph_for(graph, inputs, &all)?;
        Ok(outputs.into_iter().flatten().collect())
    }

    /// Writes what these of a graph's outputs need, and returns them.
    fn graph_for(
        &mut self,
        graph: &'a Graph,
        inputs: &[Text],
        needed: &[bool],
    ) -> Result<Vec<Option<Text>>, String> {
        let mut values = given(graph, inputs);
        let (nodes, used) = live(graph, needed);
        for node in nodes {
            self.node(node, &mut values, &used)?;
        }
        let outputs = graph.outputs.iter().zip(needed);
        let text = |(id, is_needed): (&ValueId, &bool)| is_needed.then(|| text(&values, *id));
        outputs.map(|output| text(output).transpose()).collect()
    }

    fn node(&mut self, node: &'a Node, values: &mut Values, used: &[bool]) -> Result<(), String> {
        let operands = node.inputs.iter().map(|id| text(values, *id));
        let operands = operands.collect::<Result<Vec<Text>, String>>()?;
        let results = match &node.op {
            Op::Cond {
                then_branch,
                else_branch,
            } => self.branches(&operands, [then_branch, else_branch])?,
            Op::WhileLoop { cond, body } => self.repetition(node, [cond, body], &operands, used)?,
            _ => {
                let expression = self.expression(node, &operands)?;
                match &node.op {
                    Op::Primitive(op, _) => {
                        let name = self.names.fresh(op.name);
                        self.line(&format!("let {name} = {};", expression.owned));
                        vec![Text::variable(&name)]
                    }
                    _ => vec![expression],
                }
            }
        };
        values.extend(node.outputs.iter().copied().zip(results));
        Ok(())
    }

    /// A node without subgraphs.
    fn expression(&mut self, node: &'a Node, operands: &[Text]) -> Result<Text, String> {
        match &node.op {
            Op::Constant(array) => Ok(self.constant(array)),
            Op::Primitive(op, attrs) => of_op(op, attrs, operands),
            Op::ReadVariable(variable) => Ok(Text::weight(&self.variables[variable.index()])),
            other => Err(refused(other.name())),
        }
    }

    fn constant(&mut self, array: &'a Array) -> Text {
        let is_small = array.len() <= SMALL && !array.is_empty();
        if let Some(text) = Some(array).filter(|_| is_small).and_then(Text::constant) {
            return text;
        }
        let name = self.names.fresh("constant");
        self.constants.push((name.clone(), array));
        Text::weight(&name)
    }

    fn branches(
        &mut self,
        operands: &[Text],
        branches: [&'a Graph; 2],
    ) -> Result<Vec<Text>, String> {
        let names: Vec<String> = branches[0]
            .outputs
            .iter()
            .map(|_| self.names.fresh("result"))
            .collect();
        self.line(&format!(
            "let {} = if {} {{",
            tuple(&names),
            operands[0].value
        ));
        for (i, branch) in branches.into_iter().enumerate() {
            if i > 0 {
                self.line("} else {");
            }
            self.depth += 1;
            let outputs = self.graph(branch, &operands[1..])?;
            let outputs: Vec<String> = outputs.into_iter().map(|text| text.owned).collect();
            self.line(&tuple(&outputs));
            self.depth -= 1;
        }
        self.line("};");
        Ok(names.iter().map(|name| Text::variable(name)).collect())
    }

    fn repetition(
        &mut self,
        node: &'a Node,
        [cond, body]: [&'a Graph; 2],
        operands: &[Text],
        used: &[bool],
    ) -> Result<Vec<Text>, String> {
        let count = body.outputs.len();
        let needed = needed_state(cond, body, node.outputs.iter().map(|id| used[id.index()]));
        let state: Vec<Option<String>> = needed
            .iter()
            .map(|is_needed| is_needed.then(|| self.names.fresh("state")))
            .collect();
        for (name, operand) in state.iter().zip(operands) {
            if let Some(name) = name {
                self.line(&format!("let mut {name} = {};", operand.owned));
            }
        }
        let value = |(name, operand): (&Option<String>, &Text)| match name {
            Some(name) => Text::variable(name),
            None => operand.clone(),
        };
        let values: Vec<Text> = state.iter().zip(operands).map(value).collect();
        let inputs = [&values[..], &operands[count..]].concat();
        let condition = self.inlined(cond, &inputs)?;
        self.line(&format!("while {condition} {{"));
        self.depth += 1;
        let next = self.graph_for(body, &inputs, &needed)?;
        let (mut targets, mut changed) = (Vec::new(), Vec::new());
        for (name, next) in state.into_iter().zip(next) {
            if let (Some(name), Some(next)) = (name, next)
                && next.value != name
            {
                targets.push(name);
                changed.push(next.owned);
            }
        }
        self.line(&format!("{} = {};", tuple(&targets), tuple(&changed)));
        self.depth -= 1;
        self.line("}");
        Ok(values)
    }

    /// A graph without control flow as one expression.
    fn inlined(&mut self, graph: &'a Graph, inputs: &[Text]) -> Result<String, String> {
        let mut values = given(graph, inputs);
        for node in live(graph, &[true]).0 {
            let operands = node.inputs.iter().map(|id| text(&values, *id));
            let operands = operands.collect::<Result<Vec<Text>, String>>()?;
            let expression = self.expression(node, &operands)?;
            values.extend(node.outputs.iter().map(|id| (*id, expression.clone())));
        }
        Ok(text(&values, graph.outputs[0])?.value)
    }
}

fn given(graph: &Graph, inputs: &[Text]) -> Values {
    let ids = graph.inputs.iter().copied();
    ids.zip(inputs.iter().cloned()).collect()
}

/// Which parts of a loop's state decide its condition or its used results. A counter of the iterations often does not.
fn needed_state(cond: &Graph, body: &Graph, used: impl Iterator<Item = bool>) -> Vec<bool> {
    let mut needed: Vec<bool> = used.collect();
    let mark = |needed: &mut Vec<bool>, graph: &Graph, outputs: &[bool]| {
        let (_, used) = live(graph, outputs);
        for (is_needed, input) in needed.iter_mut().zip(&graph.inputs) {
            *is_needed |= used[input.index()];
        }
    };
    mark(&mut needed, cond, &[true]);
    loop {
        let before = needed.clone();
        mark(&mut needed, body, &before);
        if needed == before {
            return needed;
        }
    }
}

/// The nodes that these outputs need, in order, and for each value whether it is needed.
fn live<'a>(graph: &'a Graph, outputs: &[bool]) -> (Vec<&'a Node>, Vec<bool>) {
    let mut used: Vec<bool> = vec![false; graph.values.len()];
    for (id, is_needed) in graph.outputs.iter().zip(outputs) {
        used[id.index()] |= is_needed;
    }
    let mut live = Vec::new();
    for node in graph.nodes.iter().rev() {
        if node.outputs.iter().any(|id| used[id.index()]) {
            node.inputs.iter().for_each(|id| used[id.index()] = true);
            live.push(node);
        }
    }
    live.reverse();
    (live, used)
}

fn text(values: &Values, id: ValueId) -> Result<Text, String> {
    values
        .get(&id)
        .cloned()
        .ok_or_else(|| "the graph uses a value before it is defined".to_owned())
}

/// One item, or several as a tuple.
pub fn tuple(items: &[String]) -> String {
    match items {
        [only] => only.clone(),
        items => format!("({})", items.join(", ")),
    }
}
