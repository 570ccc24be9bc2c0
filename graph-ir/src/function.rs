//! `Function`: a graph as a function, without the Rust types of its arguments and results. Importers make it, exporters and files take it, and
//! `graph-runtime` makes it callable.

use std::fmt;
use std::sync::Arc;

use crate::graph::{SharedGraph, TensorType, Value, ValueId, verify};
use crate::types::{TypeSpec, tuple};

/// A graph with a name and the structure of its parameters and results.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The name, for users.
    pub name: Arc<str>,
    /// The graph. Its inputs are the tensors among the parameters, in order. Its table of variables begins with the variables among the
    /// parameters, each once; those that follow belong to the function itself. Its outputs are the tensors of the results.
    pub graph: SharedGraph,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// What it returns.
    pub results: TypeSpec,
}

/// A parameter of a [`Function`].
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name, by which callers may give it.
    pub name: Arc<str>,
    /// What it is.
    pub spec: TypeSpec,
}

impl Parameter {
    /// A parameter from its parts.
    pub fn new(name: impl Into<Arc<str>>, spec: TypeSpec) -> Parameter {
        Parameter {
            name: name.into(),
            spec,
        }
    }
}

impl Function {
    /// A graph as a function: each input is a parameter of the input's name, and the result is the output, or a tuple of the outputs.
    pub fn of_graph(name: impl Into<Arc<str>>, graph: impl Into<SharedGraph>) -> Function {
        let graph = graph.into();
        let spec = |value: &ValueId| TypeSpec::OfTensor(graph.ty(*value).clone());
        let parameter = |(i, input): (usize, &ValueId)| {
            let own = graph.values[input.index()].name.clone();
            Parameter::new(
                own.unwrap_or_else(|| format!("input_{i}").into()),
                spec(input),
            )
        };
        let mut results: Vec<TypeSpec> = graph.outputs.iter().map(spec).collect();
        Function {
            name: name.into(),
            parameters: graph.inputs.iter().enumerate().map(parameter).collect(),
            results: match results.len() {
                0 => TypeSpec::None,
                1 => results.remove(0),
                _ => TypeSpec::Tuple(results),
            },
            graph,
        }
    }

    /// The tensors and variables among the parameters, in order, each with the path to it: `x`, or `at.x` for a field of the parameter `at`.
    pub fn leaves(&self) -> Vec<(String, &TypeSpec)> {
        let parameters = self.parameters.iter();
        parameters.flat_map(|p| p.spec.leaves(&p.name)).collect()
    }

    /// The tensors of the results, each with its name: the path to it, or `output_0` and so on where that has no names.
    pub fn result_names(&self) -> Vec<(String, &TypeSpec)> {
        let named = |(path, spec): (String, _)| match path.as_bytes().first() {
            None => ("output_0".to_owned(), spec),
            Some(b'0'..=b'9') => (format!("output_{path}"), spec),
            Some(_) => (path, spec),
        };
        self.results.leaves("").into_iter().map(named).collect()
    }

    /// The number of variables among the parameters; each counts once.
    pub fn argument_variables(&self) -> usize {
        let leaves = self.leaves().into_iter();
        let indices = leaves.filter_map(|(_, leaf)| match leaf {
            TypeSpec::OfVariable { index, .. } => Some(index + 1),
            _ => None,
        });
        indices.max().unwrap_or(0)
    }

    /// The variables that belong to the function itself.
    pub fn held_variables(&self) -> &[Value] {
        self.graph
            .variables
            .get(self.argument_variables()..)
            .unwrap_or_default()
    }

    /// Checks the graph, and that it is the graph of such a function. All code that takes a function expects this.
    ///
    /// # Errors
    /// What is wrong: with the graph, or with the place where the two differ.
    pub fn check(&self) -> Result<(), String> {
        verify(&self.graph).map_err(|e| format!("function `{}`: {}", self.name, e.message))?;
        self.check_signature()
            .map_err(|message| format!("function `{}`: {message}", self.name))
    }

    fn check_signature(&self) -> Result<(), String> {
        let (mut tensors, mut variables) = (Vec::new(), Vec::new());
        for (path, leaf) in self.leaves() {
            match leaf {
                TypeSpec::OfVariable { ty, index } => {
                    if *index > variables.len() {
                        return Err(format!(
                            "`{path}` is variable {index}, but there are {} before it",
                            variables.len()
                        ));
                    }
                    if *index == variables.len() {
                        variables.push((path, ty));
                    } else if variables[*index].1 != ty {
                        return Err(format!(
                            "`{path}` is the same variable as `{}` but has another type",
                            variables[*index].0
                        ));
                    }
                }
                TypeSpec::OfTensor(ty) => tensors.push((path, ty)),
                _ => {}
            }
        }
        let graph = &self.graph;
        same("input", &tensors, graph.inputs.iter().map(|v| graph.ty(*v)))?;
        let results = self.result_names();
        let mut outputs = Vec::new();
        for (path, leaf) in results {
            match leaf {
                TypeSpec::OfTensor(ty) => outputs.push((path, ty)),
                other => return Err(format!("the result `{path}` can't be a {other}")),
            }
        }
        same(
            "output",
            &outputs,
            graph.outputs.iter().map(|v| graph.ty(*v)),
        )?;
        if graph.variables.len() < variables.len() {
            return Err(format!(
                "{} variables among the parameters, but the graph has {}",
                variables.len(),
                graph.variables.len()
            ));
        }
        let of_graph = graph.variables[..variables.len()].iter().map(|v| &v.ty);
        same("variable", &variables, of_graph)
    }
}

/// Checks that what a signature names has the types that the graph has.
fn same<'a>(
    kind: &str,
    named: &[(String, &TensorType)],
    graph: impl ExactSizeIterator<Item = &'a TensorType>,
) -> Result<(), String> {
    if named.len() != graph.len() {
        return Err(format!(
            "{} {kind}s in the signature, but {} in the graph",
            named.len(),
            graph.len()
        ));
    }
    for ((path, ty), own) in named.iter().zip(graph) {
        if *ty != own {
            return Err(format!(
                "{kind} `{path}` is {ty} in the signature, but {own} in the graph"
            ));
        }
    }
    Ok(())
}

impl fmt::Display for Function {
    /// TensorFlow's `pretty_printed_concrete_signatures` block.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Input Parameters:")?;
        if self.parameters.is_empty() {
            writeln!(f, "  None")?;
        }
        for parameter in &self.parameters {
            writeln!(
                f,
                "  {} (POSITIONAL_OR_KEYWORD): {}",
                parameter.name, parameter.spec
            )?;
        }
        let results = match &self.results {
            TypeSpec::None => "None".to_owned(),
            spec => spec.to_string(),
        };
        writeln!(f, "Output Type:\n  {results}")?;
        write!(f, "Captures:")?;
        if self.held_variables().is_empty() {
            return write!(f, "\n  None");
        }
        for (i, variable) in self.held_variables().iter().enumerate() {
            let (shape, dtype) = (tuple(&variable.ty.shape), variable.ty.dtype);
            let spec = format!("VariableSpec(shape={shape}, dtype=tf.{dtype}, trainable=True)");
            match &variable.name {
                Some(name) => write!(f, "\n  {name}: {spec}")?,
                None => write!(f, "\n  {i}: {spec}")?,
            }
        }
        Ok(())
    }
}
