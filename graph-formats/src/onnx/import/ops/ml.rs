//! ONNX's domain for classical machine learning.

use graph_kernels::{Array, DType};

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;

pub(crate) const ROWS: &[Row] = &[
    (
        "Binarizer",
        One(|n, g| {
            let x = n.tensor(0)?;
            let threshold = g.like(n.float("threshold")?.unwrap_or(0.0), x)?;
            let above = g.greater(x, threshold)?;
            g.cast(above, g.dtype(x))
        }),
    ),
    (
        "ArrayFeatureExtractor",
        One(|n, g| {
            let (x, at) = (n.tensor(0)?, n.tensor(1)?);
            let at = g.reshape(at, &[-1])?;
            let x = if g.rank(x)? == 1 {
                g.expand_dims(x, 0)?
            } else {
                x
            };
            g.gather(x, at, -1)
        }),
    ),
    (
        "Scaler",
        One(|n, g| {
            let x = n.tensor(0)?;
            let x = g.cast(x, DType::F32)?;
            let list = |g: &mut Build<'_>, name: &str| -> Result<Option<Val>> {
                Ok(n.floats(name)?
                    .map(|v| g.constant(Array::copy_of(&[v.len()], v))))
            };
            let (offset, scale) = (list(g, "offset")?, list(g, "scale")?);
            let x = offset.map_or(Ok(x), |offset| g.sub(x, offset))?;
            scale.map_or(Ok(x), |scale| g.mul(x, scale))
        }),
    ),
    ("LabelEncoder", One(label_encoder)),
    ("Normalizer", One(normalizer)),
];

/// A list of keys or values: the attribute that is given, of those for each type.
fn list(n: &Node<'_>, kind: &str) -> Result<Array> {
    let name = |ty: &str| format!("{kind}_{ty}s");
    if let Some(texts) = n.texts(&name("string"))? {
        return Ok(Array::copy_of(&[texts.len()], &texts));
    }
    if let Some(ints) = n.ints(&name("int64"))? {
        return Ok(Array::copy_of(&[ints.len()], ints));
    }
    if let Some(floats) = n.floats(&name("float"))? {
        return Ok(Array::copy_of(&[floats.len()], floats));
    }
    match n.array(&name("tensor").replace("tensors", "tensor"))? {
        Some(array) => Ok(array),
        None => invalid(format!("the {kind} are missing")),
    }
}

/// The value of each key; another value for what is no key.
fn label_encoder(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    if n.version < 2 {
        return unsupported("version 1");
    }
    let x = n.tensor(0)?;
    let (keys, values) = (list(n, "keys")?, list(n, "values")?);
    if keys.len() != values.len() || keys.rank() != 1 || keys.dtype() != g.dtype(x) {
        return invalid("the keys don't fit the operand or the values");
    }
    let default = default(n, values.dtype())?;
    let (keys, values, default) = (g.constant(keys), g.constant(values), g.constant(default));
    let column = g.expand_dims(x, -1)?;
    let mut same = g.equal(column, keys)?;
    if g.dtype(x).is_float() {
        let (a, b) = (g.is_nan(column)?, g.is_nan(keys)?);
        let both = g.and(a, b)?;
        same = g.or(same, both)?;
    }
    let found = g.any(same, &[-1], false)?;
    let hits = g.cast(same, DType::I64)?;
    let at = g.op(
        &graph_ir::ops::ARGMAX,
        &[hits],
        graph_ir::ops::Attrs::new().with("axis", graph_ir::ops::Attr::Int(-1)),
    )?;
    let value = g.gather(values, at, 0)?;
    g.select(found, value, default)
}

fn default(n: &Node<'_>, dtype: DType) -> Result<Array> {
    let (text, int, float) = (
        n.text("default_string")?,
        n.int("default_int64")?,
        n.float("default_float")?,
    );
    if let Some(array) = n.array("default_tensor")?
        && array.len() == 1
        && array.dtype() == dtype
    {
        return Ok(array.reshaped(&[]));
    }
    match dtype {
        DType::Str => Ok(Array::scalar(text.unwrap_or("_Unused").to_owned())),
        DType::I64 => Ok(Array::scalar(int.unwrap_or(-1))),
        DType::F32 => Ok(Array::scalar(float.unwrap_or(-0.0) as f32)),
        DType::I16 => Ok(Array::scalar(-1i16)),
        other => unsupported(format!("values of {other}")),
    }
}

/// Each row divided by its norm; a row of zeros stays.
fn normalizer(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let x = g.cast(x, DType::F32)?;
    let norm = match n.text("norm")?.unwrap_or("MAX") {
        "MAX" => g.max(x, &[-1], true)?,
        "L1" => {
            let x = g.abs(x)?;
            g.sum(x, &[-1], true)?
        }
        "L2" => {
            let x = g.square(x)?;
            let x = g.sum(x, &[-1], true)?;
            g.sqrt(x)?
        }
        other => return invalid(format!("the norm `{other}`")),
    };
    let (zero, one) = (g.like(0.0, norm)?, g.like(1.0, norm)?);
    let is_zero = g.equal(norm, zero)?;
    let norm = g.select(is_zero, one, norm)?;
    g.div(x, norm)
}
