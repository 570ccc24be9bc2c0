//! Functions of the library. A function takes the graph's inputs, then the handles of the variables that it uses.

use graph_ir::error::{Error, Location, Result};
use graph_ir::graph::SharedGraph;

use super::body::{Body, Source, Tensor, ValueInfo};
use super::graphs;
use super::names::argument_name;
use super::writer::Writer;
use crate::tensorflow::attributes;
use crate::tensorflow::proto::function_def::{ArgAttrEntry, ArgAttrs};
use crate::tensorflow::proto::op_def::ArgDef;
use crate::tensorflow::proto::{FunctionDef, OpDef};

/// The deepest nesting of functions. TensorFlow itself instantiates functions recursively.
const MAX_DEPTH: usize = 200;

/// A function to write.
pub(crate) struct Function<'a> {
    pub graph: &'a SharedGraph,
    /// The beginning of its name.
    pub hint: String,
    pub inputs: &'a [ValueInfo],
    /// The variables that are its last arguments: positions in the graph's table.
    pub variables: Vec<usize>,
    /// Whether the graph has a table of its own; otherwise it uses that of the body.
    pub is_called: bool,
    /// The number of the graph's outputs after which the function returns its own arguments, from that position on.
    pub returned: usize,
}

impl<'a> Function<'a> {
    /// A branch, or a part of a loop, which uses these variables of the body.
    pub fn subgraph(
        graph: &'a SharedGraph,
        hint: &str,
        inputs: &'a [ValueInfo],
        variables: &[usize],
    ) -> Function<'a> {
        Function {
            graph,
            hint: hint.to_owned(),
            inputs,
            variables: variables.to_vec(),
            is_called: false,
            returned: usize::MAX,
        }
    }

    /// A graph with a table of variables of its own.
    pub fn called(graph: &'a SharedGraph, name: &str, inputs: &'a [ValueInfo]) -> Function<'a> {
        Function {
            variables: (0..graph.variables.len()).collect(),
            is_called: true,
            ..Function::subgraph(
                graph,
                &format!("__inference_{}", argument_name(name)),
                inputs,
                &[],
            )
        }
    }

    fn variable_infos(&self, w: &Writer) -> Vec<ValueInfo> {
        let info = |id: &usize| match self.is_called {
            true => self
                .graph
                .variables
                .get(*id)
                .map(|value| ValueInfo::variable(value.ty.clone())),
            false => w
                .body
                .variables
                .get(*id)?
                .as_ref()
                .map(|handle| handle.info.clone()),
        };
        self.variables.iter().filter_map(info).collect()
    }
}

/// Writes a function into the library, unless it is there, and returns its name.
pub(crate) fn write(
    w: &mut Writer,
    function: &Function<'_>,
    location: &Location,
) -> Result<String> {
    if let Some(name) = w
        .library
        .written(function.graph, &function.hint, &function.variables)
    {
        return Ok(name.to_owned());
    }
    w.depth += 1;
    if w.depth > MAX_DEPTH {
        let text =
            format!("subgraphs nested more than {MAX_DEPTH} deep can't be written for TensorFlow");
        return Err(Error::trace(text, location.clone()));
    }
    let variables = function.variable_infos(w);
    let table = match function.is_called {
        true => function.graph.variables.len(),
        false => w.body.variables.len(),
    };
    let inner = Body {
        is_function: true,
        variables: vec![None; table],
        ..Body::default()
    };
    let outer = std::mem::replace(&mut w.body, inner);
    let definition = define(w, function, variables);
    w.body = outer;
    w.depth -= 1;
    Ok(w.library.add_for(
        function.graph,
        &function.hint,
        &function.variables,
        definition?,
    ))
}

fn define(
    w: &mut Writer,
    function: &Function<'_>,
    variables: Vec<ValueInfo>,
) -> Result<FunctionDef> {
    let mut definition = FunctionDef::default();
    let mut signature = OpDef::default();
    let graph = function.graph;
    let own = graph.inputs.iter().zip(function.inputs).map(|(id, info)| {
        let name = graph.values[id.index()].name.as_deref();
        (name.unwrap_or("arg"), info.clone(), name.is_some())
    });
    let own: Vec<(&str, ValueInfo, bool)> = own.collect();
    let mut arguments = Vec::new();
    for (name, info, is_named) in own {
        if is_named {
            definition.arg_attr.push(user_name(arguments.len(), name));
        }
        arguments.push(argument(w, &mut signature, name, info));
    }
    for (id, info) in function.variables.iter().zip(variables) {
        let name = match function.is_called {
            true => graph
                .variables
                .get(*id)
                .and_then(|value| value.name.as_deref()),
            false => None,
        };
        let handle = argument(w, &mut signature, name.unwrap_or("variable"), info);
        w.body.variables[*id] = Some(handle.clone());
        arguments.push(handle);
    }
    let mut outputs = graphs::write(
        w,
        graph,
        arguments.iter().take(graph.inputs.len()).cloned().collect(),
    )?;
    outputs.extend(arguments.into_iter().skip(function.returned));
    for output in &outputs {
        result(w, &mut signature, &mut definition, output);
    }
    if let Some(last) = w.body.effects.last() {
        signature.is_stateful = true;
        signature.control_output.push(last.to_owned());
        definition
            .control_ret
            .insert(last.to_owned(), last.to_owned());
    }
    definition.signature = Some(signature);
    definition.node_def = std::mem::take(&mut w.body.nodes);
    Ok(definition)
}

/// The attribute that keeps the name of a parameter as the user wrote it.
fn user_name(position: usize, name: &str) -> ArgAttrEntry {
    ArgAttrEntry {
        key: Some(position as u32),
        value: Some(ArgAttrs {
            attr: [("_user_specified_name".to_owned(), attributes::text(name))].into(),
        }),
    }
}

/// Adds an argument.
fn argument(w: &mut Writer, signature: &mut OpDef, name: &str, info: ValueInfo) -> Tensor {
    let name = w.body.names.unique(&argument_name(name));
    signature.input_arg.push(ArgDef {
        name: name.clone(),
        r#type: info.data_type() as i32,
        ..ArgDef::default()
    });
    Tensor {
        source: Source::Input(name.into()),
        info,
    }
}

/// Adds a result.
fn result(w: &mut Writer, signature: &mut OpDef, definition: &mut FunctionDef, output: &Tensor) {
    let name = match signature.output_arg.len() {
        0 => "identity".to_owned(),
        n => format!("identity_{n}"),
    };
    let source = w.reference(output, "Const");
    definition.ret.insert(name.clone(), source);
    signature.output_arg.push(ArgDef {
        name,
        r#type: output.info.data_type() as i32,
        ..ArgDef::default()
    });
}
