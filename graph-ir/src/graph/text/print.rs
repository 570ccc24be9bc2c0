//! Writes a graph as text. Names are made unique in each scope, in such a way that parsing and printing a text reproduces it.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::sync::Arc;

use graph_kernels::Array;
use graph_kernels::format::Spec;
use rustc_hash::{FxHashMap, FxHashSet};

use super::array::write_values;
use super::lexer::is_word;
use crate::error::Location;
use crate::graph::{
    Derivation, Graph, IterationStep, Message, Node, Op, Print, PrintTo, SUMMARIZE, SharedGraph,
    Value, ValueId, VariableId,
};
use crate::nesting::with_stack_for;
use crate::ops::Attr;

/// Writes the called graphs, callees first, then the graph itself; with `{:#}`, all values of constants are written.
pub(super) fn print(graph: &Graph, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let whole = f.alternate();
    let text = with_stack_for(graph.depth(), || {
        let mut text = String::new();
        let mut printer = Printer::new(&mut text);
        printer.whole = whole;
        let mut called = Vec::new();
        printer.functions.collect(graph, &mut called);
        printer.functions(&called)?;
        printer.function("graph ", graph)?;
        Ok(text)
    });
    f.write_str(&text?)
}

/// Gives the number of a constant whose values aren't written.
pub(super) type Elsewhere<'a> = dyn FnMut(&Arc<Array>) -> Option<usize> + Send + 'a;

/// Writes graphs, and those that they call, as functions, each once, with the lines of the nodes. `elsewhere` gives the number of a constant whose
/// values aren't written. The result is the text, and the labels of the graphs.
pub(super) fn print_all(
    graphs: &[(Arc<str>, SharedGraph)],
    elsewhere: &mut Elsewhere<'_>,
) -> Result<(String, Vec<String>), fmt::Error> {
    let depths = graphs.iter().map(|(_, graph)| graph.depth());
    with_stack_for(depths.max().unwrap_or(0), || {
        let mut text = String::new();
        let mut printer = Printer::new(&mut text);
        printer.whole = true;
        printer.elsewhere = Some(elsewhere);
        printer.file = Some(Cow::Borrowed(""));
        let mut all = Vec::new();
        for (name, graph) in graphs {
            printer.functions.add(name, graph, &mut all);
        }
        printer.functions(&all)?;
        let labels = &printer.functions.labels;
        let labels = graphs
            .iter()
            .map(|(_, graph)| labels[&graph.as_ptr()].clone())
            .collect();
        Ok((text, labels))
    })
}

/// Writes a text in quotes, and escapes all characters that could end the text or break the line.
pub(crate) fn quote(text: &str, f: &mut dyn Write) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote(text, &mut out).expect("a String takes any text");
    out
}

/// The labels of the called graphs.
#[derive(Default)]
struct Functions {
    labels: FxHashMap<*const Graph, String>,
    /// For each name, the number of graphs that have it so far.
    count: FxHashMap<Arc<str>, usize>,
}

impl Functions {
    /// Labels each graph that is called from `graph` once, and lists them, callees first.
    fn collect(&mut self, graph: &Graph, list: &mut Vec<SharedGraph>) {
        if let Some(Derivation::Custom { gradient, .. }) = &graph.derivation {
            self.add(&Arc::from("gradient"), gradient, list);
        }
        for node in &graph.nodes {
            if let Op::Call {
                name,
                graph: callee,
                ..
            } = &node.op
            {
                self.add(name, callee, list);
            }
            for subgraph in node.op.subgraphs() {
                self.collect(subgraph, list);
            }
        }
    }
}

impl Functions {
    /// Labels a graph and the graphs that it calls.
    fn add(&mut self, name: &Arc<str>, graph: &SharedGraph, list: &mut Vec<SharedGraph>) {
        if self.labels.contains_key(&graph.as_ptr()) {
            return;
        }
        self.collect(graph, list);
        let count = self.count.entry(name.clone()).or_insert(0);
        *count += 1;
        self.labels
            .insert(graph.as_ptr(), label(name, *count as u64));
        list.push(graph.clone());
    }
}

/// The label of the graph with this number among those of this name.
pub(super) fn label(name: &str, number: u64) -> String {
    let word = if is_word(name) {
        name.to_string()
    } else {
        quoted(name)
    };
    match number {
        1 => word,
        number => format!("{word}#{number}"),
    }
}

/// The names of the values, or of the variables, of one graph.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn of(graph: &Graph) -> Names {
        let mut names = vec![String::from("%?"); graph.values.len()];
        let mut taken = FxHashSet::default();
        let defined = graph
            .inputs
            .iter()
            .chain(graph.nodes.iter().flat_map(|n| &n.outputs));
        for (number, value) in defined.enumerate() {
            // An invalid graph must be printable, too: that is when its text is needed.
            let Some(slot) = names.get_mut(value.index()) else {
                continue;
            };
            *slot = match &graph.values[value.index()].name {
                None => format!("%{number}"),
                Some(name) => written(unique(name, &mut taken)),
            };
        }
        Names(names)
    }

    fn of_variables(graph: &Graph) -> Names {
        let mut taken = FxHashSet::default();
        let name = |(number, variable): (usize, &Value)| match &variable.name {
            None => format!("%{number}"),
            Some(name) => written(unique(name, &mut taken)),
        };
        Names(graph.variables.iter().enumerate().map(name).collect())
    }

    fn of_variable(&self, variable: VariableId) -> &str {
        self.0.get(variable.index()).map_or("%?", String::as_str)
    }

    fn of_value(&self, value: ValueId) -> &str {
        self.0.get(value.index()).map_or("%?", String::as_str)
    }

    fn list(&self, values: &[ValueId]) -> String {
        let names: Vec<&str> = values.iter().map(|v| self.of_value(*v)).collect();
        names.join(", ")
    }
}

fn unique(name: &str, taken: &mut FxHashSet<String>) -> String {
    let mut candidate = name.to_owned();
    let mut n = 0;
    while !taken.insert(candidate.clone()) {
        n += 1;
        candidate = format!("{name}_{n}");
    }
    candidate
}

fn written(name: String) -> String {
    if is_word(&name) {
        name
    } else {
        format!("%{}", quoted(&name))
    }
}

struct Printer<'a> {
    /// Whether all values of constants are written.
    whole: bool,
    /// Gives the number of a constant whose values aren't written.
    elsewhere: Option<&'a mut Elsewhere<'a>>,
    /// The file of the last line that was written, if lines are written.
    file: Option<Cow<'static, str>>,
    out: &'a mut String,
    indent: usize,
    functions: Functions,
    /// The names of the variables of the graph being written.
    variables: Names,
}

impl<'a> Printer<'a> {
    fn new(out: &'a mut String) -> Printer<'a> {
        Printer {
            whole: false,
            elsewhere: None,
            file: None,
            out,
            indent: 0,
            functions: Functions::default(),
            variables: Names::default(),
        }
    }

    /// Writes labelled graphs.
    fn functions(&mut self, graphs: &[SharedGraph]) -> fmt::Result {
        for graph in graphs {
            let label = self.functions.labels[&graph.as_ptr()].clone();
            self.function(&format!("fn {label}"), graph)?;
        }
        Ok(())
    }

    /// Writes the line of a node, `@"main.rs":3:5 ` or in the same file `@3:5 `, if lines are written.
    fn location(&mut self, location: &Location, line: &mut String) -> fmt::Result {
        let Some(file) = self.file.as_mut().filter(|_| location.line > 0) else {
            return Ok(());
        };
        line.push('@');
        if *file != location.file {
            file.clone_from(&location.file);
            quote(&location.file, line)?;
            line.push(':');
        }
        write!(line, "{}:{} ", location.line, location.column)
    }

    fn line(&mut self, text: &str) -> fmt::Result {
        writeln!(self.out, "{:width$}{text}", "", width = 2 * self.indent)
    }

    fn function(&mut self, head: &str, graph: &Graph) -> fmt::Result {
        let results: Vec<String> = graph.outputs.iter().map(|v| type_of(graph, *v)).collect();
        let results = match &results[..] {
            [one] => one.clone(),
            many => format!("({})", many.join(", ")),
        };
        self.variables = Names::of_variables(graph);
        let variables = graph.variables.iter().zip(&self.variables.0);
        let variables: Vec<String> = variables
            .map(|(variable, name)| format!("{name}: {}", variable.ty))
            .collect();
        let with = match &variables[..] {
            [] => String::new(),
            list => format!("with ({}) ", list.join(", ")),
        };
        let derivation = match &graph.derivation {
            None => String::new(),
            Some(Derivation::Recompute) => "recompute ".to_owned(),
            Some(Derivation::Custom { gradient, results }) => {
                let label = &self.functions.labels[&gradient.as_ptr()];
                format!("gradient {label} of {results} ")
            }
        };
        self.body(head, &format!("{with}-> {results} {derivation}"), graph)
    }

    /// Writes `head(inputs) result {`, the nodes, `return …`, and `}`.
    fn body(&mut self, head: &str, result: &str, graph: &Graph) -> fmt::Result {
        let names = Names::of(graph);
        let inputs: Vec<String> = graph
            .inputs
            .iter()
            .map(|v| format!("{}: {}", names.of_value(*v), type_of(graph, *v)))
            .collect();
        self.line(&format!("{head}({}) {result}{{", inputs.join(", ")))?;
        self.indent += 1;
        for node in &graph.nodes {
            self.node(graph, &names, node)?;
        }
        let outputs = names.list(&graph.outputs);
        self.line(format!("return {outputs}").trim_end())?;
        self.indent -= 1;
        self.line("}")
    }

    fn node(&mut self, graph: &Graph, names: &Names, node: &Node) -> fmt::Result {
        let mut line = String::new();
        self.location(&node.location, &mut line)?;
        if !node.outputs.is_empty() {
            write!(line, "{} = ", names.list(&node.outputs))?;
        }
        self.operation(names, node, &mut line)?;
        if !node.outputs.is_empty() {
            let types: Vec<String> = node.outputs.iter().map(|v| type_of(graph, *v)).collect();
            write!(line, " : {}", types.join(", "))?;
        }
        if node.flow().is_none() && !node.op.is_chain() {
            return self.line(&line);
        }
        self.line(&format!("{line} {{"))?;
        self.indent += 1;
        for (i, subgraph) in node.op.subgraphs().into_iter().enumerate() {
            self.body(&format!("{} ", node.op.subgraph_name(i)), "", subgraph)?;
        }
        self.indent -= 1;
        self.line("}")
    }

    /// Writes the part between `=` and `:`.
    fn operation(&mut self, names: &Names, node: &Node, line: &mut String) -> fmt::Result {
        let name = node.op.name();
        let operands = names.list(&node.inputs);
        match &node.op {
            Op::Constant(array) => {
                write!(line, "{name} ")?;
                match self.elsewhere.as_mut().and_then(|number| number(array)) {
                    Some(number) => write!(line, "#{number}"),
                    None => write_values(array, self.whole, line),
                }
            }
            Op::Primitive(_, attrs) => {
                write!(line, "{name}({operands})")?;
                write_attrs(attrs, line)
            }
            Op::Print(print) => {
                let parts = message_parts(names, &print.message, &node.inputs);
                write!(line, "{name}({})", parts.join(", "))?;
                write_options(&print_options(print), line)
            }
            Op::Summary(summary) => write!(line, "{name}({}, {operands})", quoted(&summary.tag)),
            Op::NextSeed(seed) => {
                write!(
                    line,
                    "{name}({})",
                    seed.map_or(String::new(), |s| s.to_string())
                )
            }
            Op::Iteration(IterationStep::Begin(recipe)) => {
                write!(line, "{name} {recipe} ({operands})")
            }
            Op::Iteration(_) => write!(line, "{name}({operands})"),
            Op::ReadVariable(id) => write!(line, "{name} {}", self.variables.of_variable(*id)),
            Op::AssignVariable(id) | Op::UpdateVariable { variable: id, .. } => {
                let variable = self.variables.of_variable(*id);
                write!(line, "{name} {variable} ({operands})")
            }
            Op::Assert(message) => {
                let (condition, values) = match node.inputs.split_first() {
                    Some((condition, values)) => (Some(names.of_value(*condition)), values),
                    None => (None, &[][..]),
                };
                let mut parts: Vec<String> = condition.map(str::to_owned).into_iter().collect();
                parts.extend(message_parts(names, message, values));
                write!(line, "{name}({})", parts.join(", "))?;
                write_options(&message_options(message), line)
            }
            Op::Cond { .. } | Op::SwitchCase { .. } => match node.inputs.split_first() {
                Some((first, rest)) => {
                    write!(
                        line,
                        "{name} {} ({})",
                        names.of_value(*first),
                        names.list(rest)
                    )
                }
                None => write!(line, "{name} ()"),
            },
            Op::WhileLoop { .. } => {
                let (state, invariant) = node
                    .inputs
                    .split_at(node.outputs.len().min(node.inputs.len()));
                write!(line, "{name} ({}", names.list(state))?;
                if !invariant.is_empty() {
                    write!(line, "; {}", names.list(invariant))?;
                }
                line.write_char(')')
            }
            Op::Fusion { .. } => write!(line, "{name} ({operands})"),
            Op::Call {
                graph, variables, ..
            } => {
                let label = &self.functions.labels[&graph.as_ptr()];
                write!(line, "{name} {label}({operands})")?;
                let variables = variables.iter().map(|id| self.variables.of_variable(*id));
                match &variables.collect::<Vec<_>>()[..] {
                    [] => Ok(()),
                    list => write!(line, " with ({})", list.join(", ")),
                }
            }
        }
    }
}

fn type_of(graph: &Graph, value: ValueId) -> String {
    graph
        .values
        .get(value.index())
        .map_or_else(|| "?".to_owned(), |v| v.ty.to_string())
}

/// The texts that aren't empty, and the values, in the order in which they are printed.
fn message_parts(names: &Names, message: &Message, values: &[ValueId]) -> Vec<String> {
    let mut parts = Vec::new();
    for (i, text) in message.texts.iter().enumerate() {
        if !text.is_empty() {
            parts.push(quoted(text));
        }
        parts.extend(values.get(i).map(|v| names.of_value(*v).to_owned()));
    }
    parts
}

/// The options of a message that differ from the defaults, as they are written.
fn message_options(message: &Message) -> Vec<(&'static str, String)> {
    let all = message.summarize.map_or(-1, |edge| edge as i64);
    let summarize = (message.summarize != SUMMARIZE).then(|| ("summarize", all.to_string()));
    let bare = (!message.bare.is_empty()).then(|| ("bare", format!("{:?}", message.bare)));
    let spec = |(i, spec): &(usize, Spec)| format!("{i}, {}", quoted(&spec.to_string()));
    let specs: Vec<String> = message.specs.iter().map(spec).collect();
    let specs = (!specs.is_empty()).then(|| ("specs", format!("[{}]", specs.join(", "))));
    summarize.into_iter().chain(bare).chain(specs).collect()
}

/// The options of a print that differ from the defaults.
fn print_options(print: &Print) -> Vec<(&'static str, String)> {
    let mut options = message_options(&print.message);
    if print.end != "\n" {
        options.push(("end", quoted(&print.end)));
    }
    if print.to != PrintTo::Stdout {
        options.push(("to", quoted(&print.to.to_string())));
    }
    options
}

fn write_attrs(attrs: &[(&'static str, Attr)], line: &mut String) -> fmt::Result {
    let texts = attrs.iter().map(|(name, value)| (*name, value.to_string()));
    write_options(&texts.collect::<Vec<_>>(), line)
}

fn write_options(options: &[(&'static str, String)], line: &mut String) -> fmt::Result {
    if options.is_empty() {
        return Ok(());
    }
    let options: Vec<String> = options.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    write!(line, " {{{}}}", options.join(", "))
}

/// As in graph text.
impl fmt::Display for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attr::Int(v) => v.fmt(f),
            Attr::Ints(v) => write!(f, "{v:?}"),
            Attr::Bool(v) => v.fmt(f),
            Attr::Text(v) => f.write_str(&quoted(v)),
            Attr::DType(v) => v.fmt(f),
            Attr::Shape(v) => write!(f, "dims{v}"),
        }
    }
}
