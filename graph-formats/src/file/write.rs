//! Writes a file.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::Hasher;
use std::sync::Arc;

use graph_ir::error::{Error, Location};
use graph_ir::graph::{SharedGraph, library};
use graph_kernels::{Array, DType};

use super::json::Json;
use super::{
    Contents, FUNCTIONS_KEY, TEXT_KEY, VERSION, VERSION_KEY, container, signature, tensors,
};

/// The bytes of a file with these contents.
///
/// # Errors
/// If a graph has what a file can't hold, such as a dataset of Rust code: the error names the op and the user's line.
pub fn write(contents: &Contents) -> Result<Vec<u8>, Error> {
    check(contents).map_err(|message| Error::trace(message, Location::unknown()))?;
    let mut constants = Constants::default();
    let graphs: Vec<(Arc<str>, SharedGraph)> = contents
        .functions
        .iter()
        .map(|held| (Arc::from(held.name.as_str()), held.function.graph.clone()))
        .collect();
    let (text, labels) = library::write(&graphs, &mut |array| constants.number(array))?;
    let functions = contents.functions.iter().zip(labels).map(|(held, label)| {
        let variables = held.variables.iter().map(|i| Json::number(*i)).collect();
        Json::object([
            ("name", Json::text(&held.name)),
            ("function", Json::text(&*held.function.name)),
            ("graph", Json::text(label)),
            ("parameters", signature::parameters(&held.function)),
            ("results", signature::spec(&held.function.results)),
            ("variables", Json::List(variables)),
        ])
    });
    let names = contents
        .variables
        .iter()
        .map(|variable| Json::text(&variable.name));
    let variables = contents
        .variables
        .iter()
        .map(|variable| (variable.name.clone(), &variable.value));
    let own = (0..).map(constant_name).zip(&constants.all);
    let all: Vec<(String, &Arc<Array>)> = own.chain(variables).collect();
    let strings = all.iter().filter(|(_, array)| array.dtype() == DType::Str);
    let shapes = strings.map(|(name, array)| {
        let shape = array.shape().iter().map(|n| Json::number(*n)).collect();
        Json::List(vec![Json::text(name), Json::List(shape)])
    });
    let mut described = String::new();
    Json::object([
        ("functions", Json::List(functions.collect())),
        ("variables", Json::List(names.collect())),
        ("strings", Json::List(shapes.collect())),
    ])
    .write(&mut described);
    let metadata = [
        (VERSION_KEY, VERSION.to_string()),
        (TEXT_KEY, text),
        (FUNCTIONS_KEY, described),
    ];
    Ok(bytes(&metadata, all))
}

/// Checks what the types don't: names that differ, and variables that fit the graphs.
fn check(contents: &Contents) -> Result<(), String> {
    let mut names = HashSet::new();
    for held in &contents.functions {
        held.function.check()?;
        if !names.insert(&held.name) {
            return Err(format!("two functions of the name `{}`", held.name));
        }
    }
    let mut names = HashSet::new();
    for variable in &contents.variables {
        if is_reserved(&variable.name) || !names.insert(&variable.name) {
            return Err(format!(
                "a variable can't have the name `{}` there",
                variable.name
            ));
        }
    }
    super::read::check_variables(contents).map_err(|error| error.to_string())
}

/// The name of the tensor of a constant.
pub(super) fn constant_name(number: usize) -> String {
    format!("constant.{number}")
}

/// Whether the file has another meaning for a tensor of this name, so that no variable can have it.
pub fn is_reserved(name: &str) -> bool {
    name.starts_with("constant.") || name == "__metadata__"
}

/// The bytes of a file. Larger elements come first, so that each tensor begins at a multiple of its element's size.
fn bytes(metadata: &[(&str, String)], mut all: Vec<(String, &Arc<Array>)>) -> Vec<u8> {
    all.sort_by_key(|(_, array)| std::cmp::Reverse(tensors::element_size(array.dtype())));
    let entries: Vec<container::Entry> = all
        .iter()
        .map(|(name, array)| {
            let length = tensors::length(array);
            let shape = match array.dtype() {
                DType::Str => vec![length],
                _ => array.shape().to_vec(),
            };
            container::Entry {
                name: name.clone(),
                dtype: tensors::name_of(array.dtype()),
                shape,
                length,
            }
        })
        .collect();
    let mut bytes = container::header(metadata, &entries);
    bytes.reserve(entries.iter().map(|entry| entry.length).sum());
    for (_, array) in all {
        tensors::append(array, &mut bytes);
    }
    bytes
}

/// The constants outside of the text. Equal ones are one.
#[derive(Default)]
struct Constants {
    all: Vec<Arc<Array>>,
    /// The numbers of those with this dtype, this shape and this hash of their bytes.
    known: HashMap<(DType, Vec<usize>, u64), Vec<usize>>,
}

impl Constants {
    fn number(&mut self, array: &Arc<Array>) -> usize {
        let bytes_of = |array: &Array| {
            let mut bytes = Vec::with_capacity(tensors::length(array));
            tensors::append(array, &mut bytes);
            bytes
        };
        let bytes = bytes_of(array);
        let mut hasher = DefaultHasher::new();
        hasher.write(&bytes);
        let key = (array.dtype(), array.shape().to_vec(), hasher.finish());
        let known = self.known.entry(key).or_default();
        let is_equal = |number: &&usize| {
            let other = &self.all[**number];
            Arc::ptr_eq(other, array) || bytes_of(other) == bytes
        };
        if let Some(number) = known.iter().find(is_equal) {
            return *number;
        }
        let number = self.all.len();
        known.push(number);
        self.all.push(array.clone());
        number
    }
}
