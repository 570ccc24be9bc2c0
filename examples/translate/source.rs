//! A model as a module of Rust: its weights as a struct, and its graph as a function.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use graph_runtime::graph::TensorType;
use graph_runtime::nn::{FileError, Module, Parameter};
use graph_runtime::prelude::*;
use graph_runtime::{Array, LoadedFunction};

use super::expressions::Text;
use super::literals::element;
use super::names::Names;
use super::statements::{Writer, tuple};

/// A translated model.
pub struct Translated {
    /// The module.
    pub source: String,
    weights: Vec<Field>,
}

/// A field of the struct of weights.
struct Field {
    name: String,
    value: Parameter,
    is_trained: bool,
}

/// Translates a model whose weights are variables.
///
/// # Errors
/// If the model has an op that isn't translated; the message names it.
pub fn translate(model: &LoadedFunction) -> Result<Translated, String> {
    let graph = model.graph();
    let mut names = Names::default();
    let function = names.fresh(model.name());
    let parameters = model.parameters().iter();
    let parameters: Vec<String> = parameters.map(|p| names.fresh(&p.name)).collect();
    let mut fields: Vec<Field> = Module::parameters(model)
        .into_iter()
        .map(|value| Field {
            name: names.fresh(value.name()),
            value,
            is_trained: true,
        })
        .collect();
    let variables = fields.iter().map(|field| field.name.clone()).collect();
    let mut writer = Writer::new(variables, names);
    let inputs: Vec<Text> = parameters.iter().map(|name| Text::variable(name)).collect();
    let outputs = writer.graph(graph, &inputs)?;
    for (name, array) in &writer.constants {
        fields.push(Field {
            name: name.clone(),
            value: constant(array).ok_or("a constant of strings can't be translated yet")?,
            is_trained: false,
        });
    }

    let mut source = format!(
        "//! The model `{}`, translated from ONNX.\n\n",
        model.name()
    );
    let types = graph.types(&graph.inputs);
    let mut taken: Vec<String> = Vec::new();
    if fields.is_empty() {
        source += "use graph_runtime::prelude::*;\n\n";
    } else {
        source += "use std::path::Path;\n\nuse graph_runtime::nn::{FileError, Module};\nuse graph_runtime::prelude::*;\n\n";
        source += &structure(&fields);
        taken.push("weights: &Weights".to_owned());
    }
    let typed = parameters.iter().zip(&types);
    taken.extend(typed.map(|(name, ty)| format!("{name}: {}", tensor_type(ty))));
    let results: Vec<String> = graph
        .types(&graph.outputs)
        .iter()
        .map(tensor_type)
        .collect();
    let (taken, results) = (taken.join(", "), tuple(&results));
    let _ = writeln!(
        source,
        "#[graph_fn]\npub fn {function}({taken}) -> {results} {{"
    );
    for name in &parameters {
        let _ = writeln!(source, "    let {name} = {name}.dynamic();");
    }
    for line in &writer.lines {
        let _ = writeln!(source, "{line}");
    }
    let types = graph.types(&graph.outputs);
    let outputs = outputs
        .iter()
        .zip(&types)
        .map(|(text, ty)| match shape_of(ty) {
            Some(shape) => format!("{}.with_shape::<{shape}>()", text.value),
            None => text.owned.clone(),
        });
    let _ = writeln!(
        source,
        "    {}\n}}",
        tuple(&outputs.collect::<Vec<String>>())
    );
    Ok(Translated {
        source,
        weights: fields,
    })
}

/// A constant as a variable.
fn constant(array: &Array) -> Option<Parameter> {
    macro_rules! of_type {
        ($($type:ty)*) => {
            [$(array.values::<$type>().map(|values| {
                let tensor = Tensor::from_vec(array.shape(), values.to_vec());
                Variable::new(tensor.expect("as many values as the shape has")).parameters().remove(0)
            })),*]
        };
    }
    let found = of_type! { f32 f64 f16 bf16 i8 i16 i32 i64 u8 u16 u32 u64 bool };
    found.into_iter().flatten().next()
}

/// The struct of the weights, and how it is read.
fn structure(fields: &[Field]) -> String {
    let mut text =
        "/// The weights of the model.\n#[derive(Module)]\npub struct Weights {\n".to_owned();
    for field in fields {
        if !field.is_trained {
            text += "    #[module(frozen)]\n";
        }
        let _ = writeln!(
            text,
            "    pub {}: Variable<{}>,",
            field.name,
            element(field.value.dtype())
        );
    }
    text += "}\n\nimpl Weights {\n    /// Reads the weights from a file.\n    ///\n    /// # Errors\n    /// If it isn't the file of this model.\n";
    text += "    pub fn load(path: impl AsRef<Path>) -> Result<Weights, FileError> {\n        let weights = Weights {\n";
    for field in fields {
        let shape = field.value.array().shape().to_vec();
        let _ = writeln!(
            text,
            "            {}: Variable::new(Tensor::zeros({shape:?})),",
            field.name
        );
    }
    text + "        };\n        Module::load(&weights, path)?;\n        Ok(weights)\n    }\n}\n\n"
}

/// The type of a parameter or result.
fn tensor_type(ty: &TensorType) -> String {
    let element = element(ty.dtype);
    match shape_of(ty) {
        Some(shape) => format!("Tensor<{element}, {shape}>"),
        None => format!("Tensor<{element}>"),
    }
}

/// The shape as a type, which can know the sizes of up to six axes.
fn shape_of(ty: &TensorType) -> Option<String> {
    let dims = ty.shape.dims().filter(|dims| dims.len() <= 6)?;
    let sizes = dims
        .iter()
        .map(|size| size.map_or("_".to_owned(), |n| n.to_string()));
    Some(format!(
        "shape![{}]",
        sizes.collect::<Vec<String>>().join(", ")
    ))
}

impl Translated {
    /// Whether the module has a struct of weights.
    pub fn has_weights(&self) -> bool {
        !self.weights.is_empty()
    }

    /// Writes the weights to a file in the safetensors format, under the names of the fields.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn save_weights(&self, path: &Path) -> Result<(), FileError> {
        let fields = self.weights.iter();
        let named: BTreeMap<&str, &Parameter> = fields
            .map(|field| (field.name.as_str(), &field.value))
            .collect();
        named.save(path)
    }
}
