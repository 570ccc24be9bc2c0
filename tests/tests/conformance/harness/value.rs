//! Values in one form: those of the record, the arguments of Rust functions made of them, and the results of these functions.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use graph_runtime::Element;
use graph_runtime::prelude::*;
use serde::Deserialize;
use serde_json::Value as Json;

/// A value of a program, recorded or ours.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Json")]
pub enum Value {
    /// Python's `None`, Rust's `None` and `()`.
    Nothing,
    /// A plain number, boolean or string.
    Plain(Scalar),
    Tensor(Values),
    /// A tuple or a list.
    Sequence(Vec<Value>),
    Dict(BTreeMap<String, Value>),
}

/// The values of a tensor.
#[derive(Clone, Debug)]
pub struct Values {
    pub dtype: String,
    pub shape: Vec<usize>,
    pub values: Vec<Scalar>,
}

/// One number, boolean or string.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

impl Scalar {
    /// The dtype of the tensor to which a plain value is converted.
    pub fn dtype(&self) -> &'static str {
        match self {
            Scalar::Bool(_) => "bool",
            Scalar::Int(_) => "int32",
            Scalar::Float(_) => "float32",
            Scalar::Text(_) => "string",
        }
    }

    fn of_json(json: &Json, dtype: &str) -> Result<Scalar, String> {
        let float = dtype.starts_with("float");
        match json {
            Json::Bool(value) => Some(Scalar::Bool(*value)),
            Json::Number(value) if float => value.as_f64().map(Scalar::Float),
            Json::Number(value) => value.as_i64().map(Scalar::Int),
            // NaN or an infinity.
            Json::String(text) if float => text.parse().ok().map(Scalar::Float),
            Json::String(text) => Some(Scalar::Text(text.clone())),
            _ => None,
        }
        .ok_or_else(|| format!("{json} is no {dtype}"))
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool(value) => write!(f, "{value}"),
            Scalar::Int(value) => write!(f, "{value}"),
            Scalar::Float(value) => write!(f, "{value:?}"),
            Scalar::Text(value) => write!(f, "{value:?}"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |parts: Vec<String>| parts.join(", ");
        match self {
            Value::Nothing => f.write_str("nothing"),
            Value::Plain(value) => write!(f, "{value}"),
            Value::Tensor(t) => {
                let values = t.values.iter().map(Scalar::to_string).collect();
                write!(f, "{}{:?} {{{}}}", t.dtype, t.shape, list(values))
            }
            Value::Sequence(parts) => {
                let parts = parts.iter().map(Value::to_string).collect();
                write!(f, "({})", list(parts))
            }
            Value::Dict(entries) => {
                let entries = entries.iter().map(|(k, v)| format!("{k}: {v}")).collect();
                write!(f, "{{{}}}", list(entries))
            }
        }
    }
}

impl TryFrom<Json> for Value {
    type Error = String;

    fn try_from(json: Json) -> Result<Value, String> {
        let has = |key| json.get(key);
        if let Some(kind) = has("py") {
            let dtype = match kind.as_str() {
                Some("none") => return Ok(Value::Nothing),
                Some("float") => "float32",
                _ => "",
            };
            return Scalar::of_json(&json["value"], dtype).map(Value::Plain);
        }
        if let (Some(Json::String(dtype)), Some(Json::Array(shape)), Some(Json::Array(values))) =
            (has("dtype"), has("shape"), has("values"))
        {
            return Ok(Value::Tensor(Values {
                dtype: dtype.clone(),
                shape: shape
                    .iter()
                    .filter_map(Json::as_u64)
                    .map(|n| n as usize)
                    .collect(),
                values: values
                    .iter()
                    .map(|v| Scalar::of_json(v, dtype))
                    .collect::<Result<_, _>>()?,
            }));
        }
        if let Some(Json::Array(parts)) = has("tuple").or(has("list")) {
            let parts = parts.iter().cloned().map(Value::try_from);
            return parts.collect::<Result<_, _>>().map(Value::Sequence);
        }
        if let Some(Json::Object(entries)) = has("dict") {
            let entries = entries
                .iter()
                .map(|(k, v)| Ok((k.clone(), v.clone().try_into()?)));
            return entries.collect::<Result<_, String>>().map(Value::Dict);
        }
        if let Some(tensor) = has("variable").or(has("numpy")) {
            return Value::try_from(tensor.clone());
        }
        if let Some(shape) = has("tensorshape") {
            return Ok(Value::Plain(Scalar::Text(shape_text(shape))));
        }
        // Values of other kinds are never compared.
        Ok(Value::Plain(Scalar::Text(json.to_string())))
    }
}

/// A shape in the form of Rust's `Display`.
fn shape_text(shape: &Json) -> String {
    let Some(dims) = shape.as_array() else {
        return "[*]".to_owned();
    };
    let dim = |dim: &Json| dim.as_u64().map_or("?".to_owned(), |n| n.to_string());
    format!("[{}]", dims.iter().map(dim).collect::<Vec<_>>().join(","))
}

/// The element types, and which scalars of the record have them.
pub trait Recorded: Element {
    fn of_scalar(scalar: &Scalar) -> Option<Self>;
    fn to_scalar(&self) -> Scalar;
}

macro_rules! recorded {
    ($($type:ty: $kind:ident($value:ident) => $of:expr, $to:expr;)*) => { $(
        impl Recorded for $type {
            fn of_scalar(scalar: &Scalar) -> Option<Self> {
                match scalar {
                    Scalar::$kind($value) => Some($of),
                    _ => None,
                }
            }
            fn to_scalar(&self) -> Scalar {
                let $value = self;
                Scalar::$kind($to)
            }
        }
    )* };
}
recorded! {
    bool: Bool(v) => *v, *v;
    u8: Int(v) => *v as u8, i64::from(*v);
    i8: Int(v) => *v as i8, i64::from(*v);
    i32: Int(v) => *v as i32, i64::from(*v);
    i64: Int(v) => *v, *v;
    f32: Float(v) => *v as f32, f64::from(*v);
    f64: Float(v) => *v, *v;
    String: Text(v) => v.clone(), v.clone();
}

/// A type that can be made of a recorded value, to pass it to a function.
pub trait FromValue: Sized {
    /// `None` if the recorded value is of another kind.
    fn from_value(value: &Value) -> Option<Self>;
}

impl<T: Recorded> FromValue for Tensor<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Tensor(t) if t.dtype == T::DTYPE.name() => {
                let values: Option<Vec<T>> = t.values.iter().map(T::of_scalar).collect();
                Tensor::from_vec(&t.shape, values?).ok()
            }
            _ => None,
        }
    }
}

macro_rules! plain {
    ($($type:ty),*) => { $(
        impl FromValue for $type {
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    Value::Plain(scalar) => <$type>::of_scalar(scalar),
                    _ => None,
                }
            }
        }

        impl IntoValue for $type {
            fn into_value(self) -> Value {
                Value::Plain(self.to_scalar())
            }
        }
    )* };
}
plain!(bool, i32, f32, String);

impl FromValue for usize {
    fn from_value(value: &Value) -> Option<Self> {
        i32::from_value(value).and_then(|n| usize::try_from(n).ok())
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Nothing => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Sequence(parts) => parts.iter().map(T::from_value).collect(),
            _ => None,
        }
    }
}

impl<A: FromValue, B: FromValue> FromValue for (A, B) {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Sequence(parts) => match &parts[..] {
                [a, b] => Some((A::from_value(a)?, B::from_value(b)?)),
                _ => None,
            },
            _ => None,
        }
    }
}

impl<T: FromValue> FromValue for BTreeMap<String, T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Dict(entries) => {
                let entries = entries
                    .iter()
                    .map(|(key, value)| Some((key.clone(), T::from_value(value)?)));
                entries.collect()
            }
            _ => None,
        }
    }
}

/// The recorded arguments of a call, which are taken one after the other.
#[derive(Default)]
pub struct Arguments {
    pub positional: VecDeque<Value>,
    pub named: BTreeMap<String, Value>,
}

impl Arguments {
    /// The dtype of the next positional argument, which must be a tensor.
    pub fn next_dtype(&self) -> String {
        match self.positional.front() {
            Some(Value::Tensor(tensor)) => tensor.dtype.clone(),
            other => panic!("the record's next argument is no tensor but {other:?}"),
        }
    }

    /// The next argument. `name` is the name of the parameter, for arguments that were passed by keyword.
    pub fn next<T: FromValue>(&mut self, name: &str) -> T {
        let value = self
            .named
            .remove(name)
            .or_else(|| self.positional.pop_front());
        let Some(value) = value else {
            panic!("the record has no argument for `{name}`");
        };
        let Some(argument) = T::from_value(&value) else {
            let expected = std::any::type_name::<T>();
            panic!("the record's `{name}` is {value}, not a {expected}");
        };
        argument
    }

    /// The next argument, a tensor: for a function that also takes a reference to one.
    pub fn tensor<T: Recorded>(&mut self, name: &str) -> Tensor<T> {
        self.next(name)
    }

    /// The next argument, or the default if the record doesn't have it.
    pub fn next_or<T: FromValue>(&mut self, name: &str, default: T) -> T {
        if self.positional.is_empty() && !self.named.contains_key(name) {
            return default;
        }
        self.next(name)
    }

    /// All other positional arguments.
    pub fn rest<T: FromValue>(&mut self) -> Vec<T> {
        (0..self.positional.len()).map(|_| self.next("…")).collect()
    }

    /// All other arguments passed by keyword.
    pub fn named<T: FromValue>(&mut self) -> BTreeMap<String, T> {
        let names: Vec<String> = self.named.keys().cloned().collect();
        names
            .into_iter()
            .map(|name| (name.clone(), self.next(&name)))
            .collect()
    }

    pub fn is_empty(&self) -> bool {
        self.positional.is_empty() && self.named.is_empty()
    }
}

/// The result of a function, in the form of the record.
pub trait IntoValue {
    fn into_value(self) -> Value;
}

impl IntoValue for Value {
    fn into_value(self) -> Value {
        self
    }
}

impl<T: Recorded> IntoValue for Tensor<T> {
    fn into_value(self) -> Value {
        Value::Tensor(Values {
            dtype: T::DTYPE.name().to_owned(),
            shape: self.array().shape().to_vec(),
            values: self.to_vec().iter().map(T::to_scalar).collect(),
        })
    }
}

impl<T: Recorded> IntoValue for &Variable<T> {
    fn into_value(self) -> Value {
        self.read().into_value()
    }
}

impl IntoValue for usize {
    fn into_value(self) -> Value {
        Value::Plain(Scalar::Int(self as i64))
    }
}

impl<T: IntoValue> IntoValue for Option<T> {
    fn into_value(self) -> Value {
        self.map_or(Value::Nothing, T::into_value)
    }
}

impl<T: IntoValue> IntoValue for Vec<T> {
    fn into_value(self) -> Value {
        Value::Sequence(self.into_iter().map(T::into_value).collect())
    }
}

impl<K: ToString, T: IntoValue> IntoValue for BTreeMap<K, T> {
    fn into_value(self) -> Value {
        Value::Dict(
            self.into_iter()
                .map(|(k, v)| (k.to_string(), v.into_value()))
                .collect(),
        )
    }
}

/// If a function returns a `Result`, its error counts like the panic of a function that returns none.
impl<T: IntoValue> IntoValue for Result<T, graph_runtime::Error> {
    fn into_value(self) -> Value {
        self.unwrap_or_else(|error| panic!("{error}")).into_value()
    }
}

impl IntoValue for () {
    fn into_value(self) -> Value {
        Value::Nothing
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => { $(
        impl<$($name: IntoValue),*> IntoValue for ($($name,)*) {
            fn into_value(self) -> Value {
                Value::Sequence(vec![$(self.$index.into_value()),*])
            }
        }
    )* };
}
tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}
