//! Checks of a model's structure before anything is built: names, domains, ops, and functions that call themselves. The import finds the
//! rest, but it doesn't read what a known condition leaves out.

use rustc_hash::{FxHashMap, FxHashSet};

use super::error::{Result, invalid, unsupported};
use super::scope::{FunctionId, Opsets, domain, opsets};
use super::table;
use crate::onnx::proto::{FunctionProto, GraphProto, ModelProto, NodeProto};

/// The newest version of the file format that is known.
const NEWEST_IR: i64 = 14;

/// Checks a model.
pub(crate) fn model(model: &ModelProto) -> Result<()> {
    if !(1..=NEWEST_IR).contains(&model.ir_version) {
        return unsupported(format!(
            "version {} of the file format (1 to {NEWEST_IR} are known)",
            model.ir_version
        ));
    }
    let Some(graph) = &model.graph else {
        return invalid("the model has no graph");
    };
    let functions = functions(model)?;
    let own = opsets(&model.opset_import)?;
    let mut names = Names::new(&functions);
    names.graph(graph, &own)?;
    for function in functions.values() {
        names.function(function)?;
    }
    acyclic(&functions)
}

type Functions<'m> = FxHashMap<FunctionId<'m>, &'m FunctionProto>;

fn functions(model: &ModelProto) -> Result<Functions<'_>> {
    let mut functions = Functions::default();
    for function in &model.functions {
        let id = (
            domain(&function.domain),
            function.name.as_str(),
            function.overload.as_str(),
        );
        if functions.insert(id, function).is_some() {
            return invalid(format!("the function `{}` is defined twice", function.name));
        }
    }
    Ok(functions)
}

/// The names that are defined so far.
struct Names<'m> {
    functions: &'m Functions<'m>,
    scopes: Vec<FxHashSet<&'m str>>,
}

impl<'m> Names<'m> {
    fn new(functions: &'m Functions<'m>) -> Names<'m> {
        Names {
            functions,
            scopes: Vec::new(),
        }
    }

    fn define(&mut self, name: &'m str) -> Result<()> {
        if self.scopes.iter().any(|scope| scope.contains(name)) {
            return invalid(format!("`{}` is defined twice", short(name)));
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name);
        }
        Ok(())
    }

    fn used(&self, name: &str) -> Result<()> {
        if self.scopes.iter().any(|scope| scope.contains(name)) {
            return Ok(());
        }
        invalid(format!(
            "`{}` is not defined before it is used",
            short(name)
        ))
    }

    fn graph(&mut self, graph: &'m GraphProto, opsets: &Opsets) -> Result<()> {
        self.scopes.push(FxHashSet::default());
        let checked = self.graph_within(graph, opsets);
        self.scopes.pop();
        checked
    }

    fn graph_within(&mut self, graph: &'m GraphProto, opsets: &Opsets) -> Result<()> {
        let mut inputs = FxHashSet::default();
        for input in &graph.input {
            self.define(&input.name)?;
            inputs.insert(input.name.as_str());
        }
        let sparse = graph
            .sparse_initializer
            .iter()
            .filter_map(|s| s.values.as_ref());
        let mut initializers = FxHashSet::default();
        for tensor in graph.initializer.iter().chain(sparse) {
            if !initializers.insert(tensor.name.as_str()) {
                return invalid(format!(
                    "the initializer `{}` is defined twice",
                    short(&tensor.name)
                ));
            }
            // An input may have an initializer, its default value.
            if !inputs.contains(tensor.name.as_str()) {
                self.define(&tensor.name)?;
            }
        }
        self.nodes(&graph.node, opsets)?;
        graph
            .output
            .iter()
            .try_for_each(|output| self.used(&output.name))
    }

    fn function(&mut self, function: &'m FunctionProto) -> Result<()> {
        let around = std::mem::take(&mut self.scopes);
        self.scopes.push(FxHashSet::default());
        let checked = self.function_within(function);
        self.scopes = around;
        checked
    }

    fn function_within(&mut self, function: &'m FunctionProto) -> Result<()> {
        let opsets = opsets(&function.opset_import)?;
        function
            .input
            .iter()
            .try_for_each(|name| self.define(name))?;
        self.nodes(&function.node, &opsets)?;
        function.output.iter().try_for_each(|name| self.used(name))
    }

    fn nodes(&mut self, nodes: &'m [NodeProto], opsets: &Opsets) -> Result<()> {
        for (n, node) in nodes.iter().enumerate() {
            let place = format!("{} (node {n})", short(&node.op_type));
            self.node(node, opsets).map_err(|fault| fault.at(&place))?;
        }
        Ok(())
    }

    fn node(&mut self, node: &'m NodeProto, opsets: &Opsets) -> Result<()> {
        self.op(node, opsets)?;
        let inputs = node.input.iter().filter(|name| !name.is_empty());
        inputs.into_iter().try_for_each(|name| self.used(name))?;
        let mut attributes = FxHashSet::default();
        for attribute in &node.attribute {
            if !attributes.insert(attribute.name.as_str()) {
                return invalid(format!(
                    "the attribute `{}` is given twice",
                    short(&attribute.name)
                ));
            }
            if let Some(graph) = &attribute.g {
                self.graph(graph, opsets)?;
            }
        }
        let outputs = node.output.iter().filter(|name| !name.is_empty());
        outputs.into_iter().try_for_each(|name| self.define(name))
    }

    /// The op must be a function of the model, or known in a domain that is imported.
    fn op(&self, node: &NodeProto, opsets: &Opsets) -> Result<()> {
        let domain = domain(&node.domain);
        if self
            .functions
            .contains_key(&(domain, node.op_type.as_str(), node.overload.as_str()))
        {
            return Ok(());
        }
        if !opsets.contains_key(domain) {
            return invalid(format!("the domain `{}` is not imported", short(domain)));
        }
        if table::find(domain, &node.op_type).is_none() {
            let dot = if domain.is_empty() { "" } else { "." };
            return unsupported(format!(
                "the op `{}{dot}{}`",
                short(domain),
                short(&node.op_type)
            ));
        }
        Ok(())
    }
}

/// The beginning of a name, for messages.
fn short(name: &str) -> String {
    name.chars().take(80).collect()
}

/// No function may call itself, also not through others.
fn acyclic(functions: &Functions<'_>) -> Result<()> {
    let mut callers: FxHashMap<FunctionId<'_>, Vec<FunctionId<'_>>> = FxHashMap::default();
    let mut open: FxHashMap<FunctionId<'_>, usize> = FxHashMap::default();
    for (id, function) in functions {
        let mut called = Vec::new();
        calls(&function.node, functions, &mut called);
        open.insert(*id, called.len());
        for callee in called {
            callers.entry(callee).or_default().push(*id);
        }
    }
    // A function whose callees are all done is done; those of a circle never are.
    let leaves = open.iter().filter(|(_, count)| **count == 0);
    let mut done: Vec<FunctionId<'_>> = leaves.map(|(id, _)| *id).collect();
    while let Some(id) = done.pop() {
        open.remove(&id);
        for caller in callers.get(&id).into_iter().flatten() {
            if let Some(count) = open.get_mut(caller) {
                *count -= 1;
                if *count == 0 {
                    done.push(*caller);
                }
            }
        }
    }
    match open.keys().next() {
        None => Ok(()),
        Some((_, name, _)) => invalid(format!("the function `{}` calls itself", short(name))),
    }
}

fn calls<'m>(nodes: &'m [NodeProto], functions: &Functions<'m>, called: &mut Vec<FunctionId<'m>>) {
    for node in nodes {
        let id = (
            domain(&node.domain),
            node.op_type.as_str(),
            node.overload.as_str(),
        );
        if functions.contains_key(&id) {
            called.push(id);
        }
        for graph in node.attribute.iter().filter_map(|a| a.g.as_ref()) {
            calls(&graph.node, functions, called);
        }
    }
}
