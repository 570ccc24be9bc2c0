//! Random programs of nested loops, branches, switches and prints: the plan, and the plan of the optimized graph, must
//! give what walking the graph gives, value by value and line by line.

use std::fmt::Write;
use std::sync::Arc;

use graph_kernels::Array;

use super::Plan;
use super::testing::Lines;
use crate::device::{Backend, Cpu};
use crate::graph::{Graph, Op, ValueId};
use crate::passes;

/// Writes random programs over `int32` scalars. Loops count to small constants, so all of them end.
struct Writer {
    random: u64,
    text: String,
    /// How many names were used.
    names: usize,
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.random = self
            .random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.random >> 33) as usize % n
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn pick(&mut self, scope: &[String]) -> String {
        let i = self.below(scope.len());
        scope[i].clone()
    }

    fn picks(&mut self, scope: &[String], n: usize) -> Vec<String> {
        (0..n).map(|_| self.pick(scope)).collect()
    }

    /// Statements that add to the scope.
    fn statements(&mut self, scope: &mut Vec<String>, depth: usize) {
        for _ in 0..2 + self.below(4) {
            let kind = self.below(if depth > 0 { 10 } else { 5 });
            let (a, b, name) = (self.pick(scope), self.pick(scope), self.name());
            match kind {
                0..=3 => {
                    let op = ["add", "sub", "mul"][self.below(3)];
                    let _ = writeln!(self.text, "{name} = {op}({a}, {b}) : int32[]");
                    scope.push(name);
                }
                4 if self.below(2) == 0 => {
                    let _ = writeln!(self.text, "print(\"{name} \", {a}, \" \", {b})");
                }
                4 => {
                    let value = self.below(4);
                    let _ = writeln!(self.text, "{name} = constant {value} : int32[]");
                    scope.push(name);
                }
                5 | 6 => self.cond(scope, depth),
                7 => self.switch(scope, depth),
                _ => self.while_loop(scope, depth),
            }
        }
    }

    /// A subgraph over as many inputs as operands that returns `results` values.
    fn subgraph(&mut self, keyword: &str, operands: usize, results: usize, depth: usize) {
        let mut scope: Vec<String> = (0..operands).map(|_| self.name()).collect();
        let _ = writeln!(self.text, "{keyword} ({}) {{", typed(&scope));
        self.statements(&mut scope, depth - 1);
        let results = self.picks(&scope, results);
        let _ = writeln!(self.text, "return {} }}", results.join(", "));
    }

    fn outputs(&mut self, n: usize, head: &str) -> Vec<String> {
        let outputs: Vec<String> = (0..n).map(|_| self.name()).collect();
        let types = vec!["int32[]"; n].join(", ");
        let _ = writeln!(self.text, "{} = {head} : {types} {{", outputs.join(", "));
        outputs
    }

    fn cond(&mut self, scope: &mut Vec<String>, depth: usize) {
        let (a, b, p) = (self.pick(scope), self.pick(scope), self.name());
        let _ = writeln!(self.text, "{p} = less({a}, {b}) : bool[]");
        let (n, results) = (1 + self.below(3), 1 + self.below(3));
        let operands = self.picks(scope, n).join(", ");
        let outputs = self.outputs(results, &format!("cond {p} ({operands})"));
        self.subgraph("then", n, results, depth);
        self.subgraph("else", n, results, depth);
        self.text.push_str("}\n");
        scope.extend(outputs);
    }

    fn switch(&mut self, scope: &mut Vec<String>, depth: usize) {
        let (n, results, index) = (1 + self.below(3), 1 + self.below(2), self.pick(scope));
        let operands = self.picks(scope, n).join(", ");
        let outputs = self.outputs(results, &format!("switch_case {index} ({operands})"));
        for _ in 0..1 + self.below(3) {
            self.subgraph("branch", n, results, depth);
        }
        self.text.push_str("}\n");
        scope.extend(outputs);
    }

    fn while_loop(&mut self, scope: &mut Vec<String>, depth: usize) {
        let (state, invariant) = (1 + self.below(4), self.below(3));
        let (zero, limit, count) = (self.name(), self.name(), self.below(4));
        let _ = writeln!(
            self.text,
            "{zero} = constant 0 : int32[]\n{limit} = constant {count} : int32[]"
        );
        let first = [vec![zero], self.picks(scope, state)].concat().join(", ");
        let fixed = [vec![limit], self.picks(scope, invariant)]
            .concat()
            .join(", ");
        let outputs = self.outputs(1 + state, &format!("while_loop ({first}; {fixed})"));
        let inputs: Vec<String> = (0..2 + state + invariant).map(|_| self.name()).collect();
        let limit = &inputs[1 + state];
        let _ = writeln!(
            self.text,
            "cond ({}) {{ p = less({}, {limit}) : bool[] return p }}",
            typed(&inputs),
            inputs[0]
        );
        let _ = writeln!(self.text, "body ({}) {{", typed(&inputs));
        let mut scope_inside = inputs.clone();
        self.statements(&mut scope_inside, depth - 1);
        let (one, next) = (self.name(), self.name());
        let results = self.picks(&scope_inside, state).join(", ");
        let _ = writeln!(
            self.text,
            "{one} = constant 1 : int32[]\n{next} = add({}, {one}) : int32[]",
            inputs[0]
        );
        let _ = writeln!(self.text, "return {next}, {results} }} }}");
        scope.extend(outputs);
    }
}

fn typed(names: &[String]) -> String {
    names
        .iter()
        .map(|n| format!("{n}: int32[]"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn program(seed: u64) -> String {
    let mut writer = Writer {
        random: seed,
        text: String::new(),
        names: 0,
    };
    let mut scope = vec!["x".to_owned(), "y".to_owned()];
    writer
        .text
        .push_str("graph (x: int32[], y: int32[]) -> (int32[], int32[], int32[]) {\n");
    writer.statements(&mut scope, 3);
    writer.statements(&mut scope, 3);
    let results = writer.picks(&scope, 3).join(", ");
    let _ = writeln!(writer.text, "return {results}\n}}");
    writer.text
}

/// What a graph means, as directly as it can be said.
fn walk(graph: &Graph, inputs: &[Array], lines: &mut Vec<String>) -> Vec<Array> {
    let mut values = vec![Array::default(); graph.values.len()];
    for (id, array) in graph.inputs.iter().zip(inputs) {
        values[id.index()] = array.clone();
    }
    for node in &graph.nodes {
        let operands: Vec<Array> = read(&values, &node.inputs);
        let results = match &node.op {
            Op::Constant(array) => vec![Array::clone(array)],
            Op::Primitive(op, attrs) => {
                let mut out = Array::default();
                (op.kernel)(&operands.iter().collect::<Vec<_>>(), attrs, &mut out).unwrap();
                vec![out]
            }
            Op::Print(texts) => {
                let shown = operands
                    .iter()
                    .map(|a| int(a).to_string())
                    .chain([String::new()]);
                lines.push(
                    texts
                        .iter()
                        .zip(shown)
                        .map(|(text, value)| format!("{text}{value}"))
                        .collect(),
                );
                vec![]
            }
            Op::Cond {
                then_branch,
                else_branch,
            } => {
                let taken = if operands[0].values::<bool>().unwrap()[0] {
                    then_branch
                } else {
                    else_branch
                };
                walk(taken, &operands[1..], lines)
            }
            Op::SwitchCase { branches } => {
                let index = usize::try_from(int(&operands[0])).unwrap_or(usize::MAX);
                walk(
                    branches.get(index).or(branches.last()).unwrap(),
                    &operands[1..],
                    lines,
                )
            }
            Op::WhileLoop { cond, body } => {
                let mut all = operands;
                while walk(cond, &all, lines)[0].values::<bool>().unwrap()[0] {
                    let next = walk(body, &all, lines);
                    all[..next.len()].clone_from_slice(&next);
                }
                all.truncate(node.outputs.len());
                all
            }
            Op::Fusion { body } => walk(body, &operands, lines),
            Op::Assert(_) | Op::Call { .. } => unreachable!("the programs have none"),
        };
        for (id, array) in node.outputs.iter().zip(results) {
            values[id.index()] = array;
        }
    }
    read(&values, &graph.outputs)
}

fn read(values: &[Array], ids: &[ValueId]) -> Vec<Array> {
    ids.iter().map(|v| values[v.index()].clone()).collect()
}

fn int(array: &Array) -> i32 {
    array.values::<i32>().unwrap()[0]
}

fn run(plan: &Plan, inputs: &[Array]) -> (Vec<Array>, Vec<String>) {
    let inputs: Vec<Arc<Array>> = inputs.iter().cloned().map(Arc::new).collect();
    let mut host = Lines::default();
    let outputs = Cpu.run(plan, &inputs, &mut host).unwrap();
    (outputs.iter().map(|a| Array::clone(a)).collect(), host.0)
}

#[test]
fn plans_and_passes_keep_the_meaning_of_random_programs() {
    for seed in 0..100 {
        let text = program(seed);
        let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut optimized = graph.clone();
        passes::optimize_without(&mut optimized, "");
        let plans = [Plan::new(&graph), Plan::new(&optimized)];
        for (x, y) in [(0, 1), (3, -2)] {
            let inputs = [Array::scalar(x), Array::scalar(y)];
            let mut lines = Vec::new();
            let outputs = walk(&graph, &inputs, &mut lines);
            for plan in &plans {
                // The second run meets a used frame.
                for _ in 0..2 {
                    assert_eq!(
                        run(plan, &inputs),
                        (outputs.clone(), lines.clone()),
                        "{seed}:\n{graph}\n{plan}"
                    );
                }
            }
        }
    }
}
