//! Signatures as JSON. The types of tensors and variables aren't written, since the graph has them. A function is
//! `{"name": "f", "graph": "f#2", "parameters": [["x", "tensor"]], "results": …, "variables": [0]}`, and a type one of
//!
//! - `"tensor"`, `null`, `"opaque"`, `{"variable": 0}`, `{"alias": 0}`, `{"literal": "3"}`;
//! - `{"tuple": […]}`, `{"list": […]}`, `{"dict": [["key", …]]}`, `{"struct": "Point", "fields": [["x", …]]}`.

use std::sync::Arc;

use graph_ir::function::{Function, Parameter};
use graph_ir::graph::{Graph, SharedGraph, TensorType, ValueId};
use graph_ir::types::TypeSpec;

use super::json::Json;

pub(super) fn parameters(function: &Function) -> Json {
    let parameters = function.parameters.iter();
    Json::List(parameters.map(|p| pair(&p.name, &p.spec)).collect())
}

fn pair(name: &str, spec: &TypeSpec) -> Json {
    Json::List(vec![Json::text(name), self::spec(spec)])
}

/// A type as JSON.
pub(super) fn spec(spec: &TypeSpec) -> Json {
    let items = |items: &[TypeSpec]| Json::List(items.iter().map(self::spec).collect());
    let entries = |entries: &[(String, TypeSpec)]| {
        Json::List(
            entries
                .iter()
                .map(|(name, spec)| pair(name, spec))
                .collect(),
        )
    };
    match spec {
        TypeSpec::OfTensor(_) => Json::text("tensor"),
        TypeSpec::OfVariable { index, .. } => Json::object([("variable", Json::number(*index))]),
        TypeSpec::Alias(index) => Json::object([("alias", Json::number(*index))]),
        TypeSpec::Literal(text) => Json::object([("literal", Json::text(text))]),
        TypeSpec::Tuple(parts) => Json::object([("tuple", items(parts))]),
        TypeSpec::List(parts) => Json::object([("list", items(parts))]),
        TypeSpec::Dict(parts) => Json::object([("dict", entries(parts))]),
        TypeSpec::Struct { name, fields } => {
            Json::object([("struct", Json::text(name)), ("fields", entries(fields))])
        }
        TypeSpec::None => Json::Null,
        _ => Json::text("opaque"),
    }
}

/// Reads signatures: the types of tensors and variables are those of the graph.
pub(super) struct Reader<'a> {
    tensors: std::slice::Iter<'a, ValueId>,
    graph: &'a Graph,
}

impl Reader<'_> {
    /// The function with this graph.
    pub fn function(
        name: &str,
        graph: &SharedGraph,
        parameters: &Json,
        results: &Json,
    ) -> Option<Function> {
        let mut reader = Reader {
            tensors: graph.inputs.iter(),
            graph,
        };
        let parameters = parameters.as_list()?.iter().map(|parameter| {
            let (name, spec) = reader.pair(parameter)?;
            Some(Parameter::new(name, spec))
        });
        let parameters = parameters.collect::<Option<_>>()?;
        reader.tensors = graph.outputs.iter();
        Some(Function {
            name: Arc::from(name),
            parameters,
            results: reader.spec(results)?,
            graph: graph.clone(),
        })
    }

    fn pair(&mut self, json: &Json) -> Option<(String, TypeSpec)> {
        match json.as_list()? {
            [name, spec] => Some((name.as_text()?.to_owned(), self.spec(spec)?)),
            _ => None,
        }
    }

    fn tensor(&mut self) -> Option<TensorType> {
        self.tensors
            .next()
            .map(|value| self.graph.ty(*value).clone())
    }

    fn spec(&mut self, json: &Json) -> Option<TypeSpec> {
        if let Json::Null = json {
            return Some(TypeSpec::None);
        }
        if let Some(text) = json.as_text() {
            return match text {
                "tensor" => self.tensor().map(TypeSpec::OfTensor),
                "opaque" => Some(TypeSpec::Opaque),
                _ => None,
            };
        }
        let Json::Object(entries) = json else {
            return None;
        };
        let (kind, value) = entries.first()?;
        let mut list = |json: &Json| -> Option<Vec<TypeSpec>> {
            json.as_list()?.iter().map(|part| self.spec(part)).collect()
        };
        Some(match kind.as_str() {
            "tuple" => TypeSpec::Tuple(list(value)?),
            "list" => TypeSpec::List(list(value)?),
            "dict" => TypeSpec::Dict(self.pairs(value)?),
            "struct" => TypeSpec::Struct {
                name: value.as_text()?.to_owned(),
                fields: self.pairs(json.get("fields")?)?,
            },
            "literal" => TypeSpec::Literal(value.as_text()?.to_owned()),
            "alias" => TypeSpec::Alias(value.as_number()?),
            "variable" => {
                let index = value.as_number()?;
                let ty = self.graph.variables.get(index)?.ty.clone();
                TypeSpec::OfVariable { ty, index }
            }
            _ => return None,
        })
    }

    fn pairs(&mut self, json: &Json) -> Option<Vec<(String, TypeSpec)>> {
        json.as_list()?.iter().map(|part| self.pair(part)).collect()
    }
}
