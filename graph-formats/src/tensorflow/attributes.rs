//! The values of attributes, as messages.

use super::proto::attr_value::{ListValue, Value};
use super::proto::{AttrValue, DataType, NameAttrList, TensorProto, TensorShapeProto};

/// An attribute that is a list of dtypes, shapes or numbers.
fn list(list: ListValue) -> AttrValue {
    of(Value::List(list))
}

fn of(value: Value) -> AttrValue {
    AttrValue { value: Some(value) }
}

pub(crate) fn int(n: i64) -> AttrValue {
    of(Value::I(n))
}

pub(crate) fn ints(values: &[i64]) -> AttrValue {
    list(ListValue {
        i: values.to_vec(),
        ..ListValue::default()
    })
}

pub(crate) fn bool(value: bool) -> AttrValue {
    of(Value::B(value))
}

pub(crate) fn text(value: &str) -> AttrValue {
    of(Value::S(value.as_bytes().to_vec()))
}

pub(crate) fn dtype(dtype: DataType) -> AttrValue {
    of(Value::Type(dtype as i32))
}

pub(crate) fn dtypes(dtypes: impl IntoIterator<Item = DataType>) -> AttrValue {
    list(ListValue {
        r#type: dtypes.into_iter().map(|dtype| dtype as i32).collect(),
        ..ListValue::default()
    })
}

pub(crate) fn shape(shape: TensorShapeProto) -> AttrValue {
    of(Value::Shape(shape))
}

pub(crate) fn shapes(shapes: impl IntoIterator<Item = TensorShapeProto>) -> AttrValue {
    list(ListValue {
        shape: shapes.into_iter().collect(),
        ..ListValue::default()
    })
}

pub(crate) fn tensor(tensor: TensorProto) -> AttrValue {
    of(Value::Tensor(tensor))
}

pub(crate) fn func(name: &str) -> AttrValue {
    of(Value::Func(NameAttrList {
        name: name.to_owned(),
        attr: Default::default(),
    }))
}

pub(crate) fn funcs(names: &[String]) -> AttrValue {
    let func = |name: &String| NameAttrList {
        name: name.clone(),
        attr: Default::default(),
    };
    list(ListValue {
        func: names.iter().map(func).collect(),
        ..ListValue::default()
    })
}
