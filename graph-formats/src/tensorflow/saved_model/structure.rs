//! The structure of parameters and results, as TensorFlow describes it.

use graph_ir::types::TensorType;

use crate::tensorflow::error::Result;
use crate::tensorflow::proto::structured_value::Kind;
use crate::tensorflow::proto::{
    DictValue, FunctionSpec, ListValue, NamedTupleValue, NoneValue, PairValue, StructuredValue,
    TensorSpecProto, TupleValue,
};
use crate::tensorflow::types::{data_type, shape_proto, tensor_type};

fn of(kind: Kind) -> StructuredValue {
    StructuredValue { kind: Some(kind) }
}

pub(super) fn none() -> StructuredValue {
    of(Kind::NoneValue(NoneValue {}))
}

pub(super) fn tuple(values: Vec<StructuredValue>) -> StructuredValue {
    of(Kind::TupleValue(TupleValue { values }))
}

/// A dictionary.
pub(super) fn dict(fields: impl IntoIterator<Item = (String, StructuredValue)>) -> StructuredValue {
    of(Kind::DictValue(DictValue {
        fields: fields.into_iter().collect(),
    }))
}

/// A tensor.
pub(super) fn tensor(name: &str, ty: &TensorType) -> StructuredValue {
    of(Kind::TensorSpecValue(TensorSpecProto {
        name: name.to_owned(),
        shape: Some(shape_proto(&ty.shape)),
        dtype: data_type(ty.dtype) as i32,
    }))
}

/// One tensor, or a tuple of several.
pub(super) fn results(types: &[TensorType]) -> StructuredValue {
    match types {
        [one] => tensor("", one),
        many => tuple(many.iter().map(|ty| tensor("", ty)).collect()),
    }
}

/// A function's parameters, by position or only by name.
pub(super) fn function_spec(positional: &[String], keywords: &[String]) -> FunctionSpec {
    let names = |names: &[String]| {
        let values = names
            .iter()
            .map(|name| of(Kind::StringValue(name.clone())))
            .collect();
        of(Kind::ListValue(ListValue { values }))
    };
    let pair = |key: &str, value| PairValue {
        key: key.to_owned(),
        value: Some(value),
    };
    let values = vec![
        pair("args", names(positional)),
        pair("varargs", none()),
        pair("varkw", none()),
        pair("defaults", none()),
        pair("kwonlyargs", names(keywords)),
        pair("kwonlydefaults", none()),
        pair("annotations", dict([])),
    ];
    FunctionSpec {
        fullargspec: Some(of(Kind::NamedTupleValue(NamedTupleValue {
            name: "FullArgSpec".to_owned(),
            values,
        }))),
        is_method: false,
        input_signature: Some(none()),
    }
}

/// The deepest nesting of a structure.
const MAX_DEPTH: usize = 64;

/// The tensors of a structure, in TensorFlow's order, each with its key or name.
pub(super) fn tensors(value: Option<&StructuredValue>) -> Result<Vec<(String, TensorType)>> {
    let mut found = Vec::new();
    collect(value, "", MAX_DEPTH, &mut found)?;
    Ok(found)
}

fn collect(
    value: Option<&StructuredValue>,
    key: &str,
    depth: usize,
    found: &mut Vec<(String, TensorType)>,
) -> Result<()> {
    let (Some(kind), Some(depth)) = (
        value.and_then(|value| value.kind.as_ref()),
        depth.checked_sub(1),
    ) else {
        return Ok(());
    };
    let mut all = |values: &[StructuredValue]| {
        values
            .iter()
            .try_for_each(|value| collect(Some(value), "", depth, found))
    };
    match kind {
        Kind::TensorSpecValue(spec) => {
            let name = if key.is_empty() { &spec.name } else { key };
            found.push((
                name.to_owned(),
                tensor_type(spec.dtype, spec.shape.as_ref())?,
            ));
            Ok(())
        }
        Kind::TupleValue(tuple) => all(&tuple.values),
        Kind::ListValue(list) => all(&list.values),
        Kind::DictValue(dict) => dict
            .fields
            .iter()
            .try_for_each(|(key, value)| collect(Some(value), key, depth, found)),
        Kind::NamedTupleValue(tuple) => {
            let mut values = tuple.values.iter();
            values.try_for_each(|pair| collect(pair.value.as_ref(), &pair.key, depth, found))
        }
        _ => Ok(()),
    }
}
