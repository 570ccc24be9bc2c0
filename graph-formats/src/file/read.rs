//! Reads a file. Every byte may be hostile: a length is compared with the bytes that are there before anything is allocated.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use graph_ir::graph::{SharedGraph, TensorType, library};
use graph_kernels::{Array, DType};

use super::container::{self, Container};
use super::json::Json;
use super::write::constant_name;
use super::{
    Contents, FUNCTIONS_KEY, Held, ReadError, StoredVariable, TEXT_KEY, VERSION, VERSION_KEY,
    signature, tensors,
};

/// The contents of a file. All graphs are verified.
///
/// # Errors
/// What is wrong, and where.
pub fn read(bytes: &[u8]) -> Result<Contents, ReadError> {
    let container = container::read(bytes)?;
    let version = metadata(&container, VERSION_KEY)?;
    if version.parse() != Ok(VERSION) {
        let message =
            format!("version {version:?} of the format, but this library reads version {VERSION}");
        return Err(ReadError::new(VERSION_KEY, message));
    }
    let described = Json::read(metadata(&container, FUNCTIONS_KEY)?)
        .map_err(|(at, message)| ReadError::new(format!("{FUNCTIONS_KEY}, byte {at}"), message))?;
    let mut arrays = Arrays {
        shapes: string_shapes(&described)?,
        container: &container,
        used: HashSet::new(),
    };
    let mut constants = Vec::new();
    while container
        .tensors
        .contains_key(&constant_name(constants.len()))
    {
        constants.push(arrays.take(&constant_name(constants.len()))?);
    }
    let names = texts(&described, "variables")?;
    let variables = names.into_iter().map(|name| {
        Ok(StoredVariable {
            value: arrays.take(name)?,
            name: name.to_owned(),
        })
    });
    let variables = variables.collect::<Result<Vec<_>, ReadError>>()?;
    if let Some(unused) = container
        .tensors
        .keys()
        .find(|name| !arrays.used.contains(*name))
    {
        return Err(ReadError::new(
            format!("tensor {unused}"),
            "it belongs to nothing",
        ));
    }
    let text = metadata(&container, TEXT_KEY)?;
    let graphs = library::read(text, &constants).map_err(|error| {
        ReadError::new(
            format!("{TEXT_KEY}:{}:{}", error.line, error.column),
            error.message,
        )
    })?;
    let contents = Contents {
        functions: functions(&described, &graphs)?,
        variables,
    };
    check_variables(&contents)?;
    Ok(contents)
}

fn metadata<'a>(container: &'a Container<'_>, key: &str) -> Result<&'a str, ReadError> {
    let text = container.metadata.get(key);
    text.map(String::as_str).ok_or_else(|| {
        ReadError::new(
            "header",
            format!("no {key:?} in the metadata: a safetensors file, but not of graphs"),
        )
    })
}

fn wrong(message: impl std::fmt::Display) -> ReadError {
    ReadError::new(FUNCTIONS_KEY, message)
}

fn list<'a>(described: &'a Json, key: &str) -> Result<&'a [Json], ReadError> {
    let list = described.get(key).and_then(Json::as_list);
    list.ok_or_else(|| wrong(format!("no list {key:?}")))
}

fn texts<'a>(described: &'a Json, key: &str) -> Result<Vec<&'a str>, ReadError> {
    let texts = list(described, key)?
        .iter()
        .map(Json::as_text)
        .collect::<Option<_>>();
    texts.ok_or_else(|| wrong(format!("{key:?} isn't a list of texts")))
}

/// The shapes of the tensors that hold strings.
fn string_shapes(described: &Json) -> Result<HashMap<&str, Vec<usize>>, ReadError> {
    let entries = list(described, "strings")?
        .iter()
        .map(|json| match json.as_list()? {
            [name, shape] => {
                let shape = shape.as_list()?.iter().map(Json::as_number);
                Some((name.as_text()?, shape.collect::<Option<_>>()?))
            }
            _ => None,
        });
    entries
        .collect::<Option<_>>()
        .ok_or_else(|| wrong("\"strings\" isn't a list of names and shapes"))
}

/// The tensors of a file as arrays.
struct Arrays<'a> {
    container: &'a Container<'a>,
    shapes: HashMap<&'a str, Vec<usize>>,
    used: HashSet<String>,
}

impl Arrays<'_> {
    /// The array of this name, which is taken only once.
    fn take(&mut self, name: &str) -> Result<Arc<Array>, ReadError> {
        let place = || format!("tensor {name}");
        let Some(tensor) = self.container.tensors.get(name) else {
            return Err(ReadError::new(place(), "it isn't in the file"));
        };
        if !self.used.insert(name.to_owned()) {
            return Err(ReadError::new(place(), "it is named twice"));
        }
        let dtype = match self.shapes.get(name) {
            Some(_) => Some(DType::Str),
            None => tensors::dtype_of(&tensor.dtype),
        };
        let Some(dtype) = dtype else {
            return Err(ReadError::new(
                place(),
                format!("the dtype {:?} is unknown", tensor.dtype),
            ));
        };
        let shape = self.shapes.get(name).unwrap_or(&tensor.shape);
        let array = tensors::array(dtype, shape, tensor.bytes);
        array
            .map(Arc::new)
            .map_err(|message| ReadError::new(place(), message))
    }
}

fn functions(
    described: &Json,
    graphs: &rustc_hash::FxHashMap<String, SharedGraph>,
) -> Result<Vec<Held>, ReadError> {
    let mut names = HashSet::new();
    let functions = list(described, "functions")?
        .iter()
        .enumerate()
        .map(|(i, json)| {
            let held = held(json, graphs)
                .ok_or_else(|| wrong(format!("function {i} has no such signature")))?;
            held.function.check().map_err(wrong)?;
            match names.insert(held.name.clone()) {
                true => Ok(held),
                false => Err(wrong(format!("two functions of the name {:?}", held.name))),
            }
        });
    functions.collect()
}

fn held(json: &Json, graphs: &rustc_hash::FxHashMap<String, SharedGraph>) -> Option<Held> {
    let text = |key| json.get(key)?.as_text();
    let graph = graphs.get(text("graph")?)?;
    let variables = json
        .get("variables")?
        .as_list()?
        .iter()
        .map(Json::as_number);
    let (parameters, results) = (json.get("parameters")?, json.get("results")?);
    Some(Held {
        name: text("name")?.to_owned(),
        function: signature::Reader::function(text("function")?, graph, parameters, results)?,
        variables: variables.collect::<Option<_>>()?,
    })
}

/// Checks that each function has its variables, each once, and that their types are the same for all functions and fit their values.
pub(super) fn check_variables(contents: &Contents) -> Result<(), ReadError> {
    let mut types: Vec<Option<&TensorType>> = vec![None; contents.variables.len()];
    for held in &contents.functions {
        let name = &held.name;
        let own = held.function.held_variables();
        if own.len() != held.variables.len() {
            let (given, wanted) = (held.variables.len(), own.len());
            return Err(wrong(format!(
                "function {name:?} has {given} variables, but its graph {wanted}"
            )));
        }
        let mut seen = HashSet::new();
        for (position, value) in held.variables.iter().zip(own) {
            let Some(variable) = contents
                .variables
                .get(*position)
                .filter(|_| seen.insert(position))
            else {
                return Err(wrong(format!(
                    "function {name:?} has no variable {position}, or twice"
                )));
            };
            let known = types[*position].get_or_insert(&value.ty);
            if **known != value.ty {
                return Err(wrong(format!(
                    "the variable {:?} is {known} and, in {name:?}, {}",
                    variable.name, value.ty
                )));
            }
            if !value.ty.accepts(&variable.value) {
                let found = TensorType::of_array(&variable.value);
                return Err(wrong(format!(
                    "the variable {:?} is {}, but its value {found}",
                    variable.name, value.ty
                )));
            }
        }
    }
    match types.iter().position(Option::is_none) {
        Some(unused) => {
            let name = &contents.variables[unused].name;
            Err(wrong(format!(
                "the variable {name:?} belongs to no function"
            )))
        }
        None => Ok(()),
    }
}
