//! Ops on strings.

use graph_ir::ops::Attrs;
use graph_ir::types::TensorType;
use graph_kernels::DType;

use super::Rules;
use super::common::axis;
use crate::tensorflow::attributes;
use crate::tensorflow::export::body::{Tensor, ValueInfo};
use crate::tensorflow::export::writer::Writer;

pub(super) const RULES: Rules = &[
    ("string_chars", string_chars),
    ("string_upper", |w, x, _, ty| cased(w, "StringUpper", x, ty)),
    ("string_lower", |w, x, _, ty| cased(w, "StringLower", x, ty)),
    ("string_join", string_join),
    ("string_substr", string_substr),
    ("string_reduce_join", string_reduce_join),
    ("string_split", string_split),
    ("as_string", as_string),
];

fn string_chars(
    w: &mut Writer,
    x: &[Tensor],
    _: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let unit = attributes::text("UTF8_CHAR");
    Ok(w.op("StringLength", &[&x[0]])
        .attr("unit", unit)
        .gives(ty.clone()))
}

fn cased(w: &mut Writer, op: &str, x: &[Tensor], ty: &TensorType) -> Result<Tensor, String> {
    let encoding = attributes::text("utf-8");
    Ok(w.op(op, &[&x[0]])
        .attr("encoding", encoding)
        .gives(ty.clone()))
}

fn string_join(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let separator = attributes::text(a.text("separator")?);
    Ok(w.op("StringJoin", &[])
        .list(x)
        .attr("separator", separator)
        .gives(ty.clone()))
}

fn string_substr(
    w: &mut Writer,
    x: &[Tensor],
    _: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let dtype = match x[1].dtype() == x[2].dtype() {
        true => x[1].dtype(),
        false => DType::I64,
    };
    let (position, length) = (w.cast(&x[1], dtype), w.cast(&x[2], dtype));
    Ok(w.op("Substr", &[&x[0], &position, &length])
        .attr("unit", attributes::text("UTF8_CHAR"))
        .gives(ty.clone()))
}

fn string_reduce_join(
    w: &mut Writer,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let along = w.int(axis(&x[0], a.int("axis")?)?);
    let separator = attributes::text(a.text("separator")?);
    Ok(w.op("ReduceJoin", &[&x[0], &along])
        .attr("separator", separator)
        .gives(ty.clone()))
}

/// TensorFlow's op splits a vector of strings; the parts are its second result.
fn string_split(
    w: &mut Writer,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let (axis, separator) = (w.int(0), w.scalar(a.text("separator")?.to_owned()));
    let one = w.op("ExpandDims", &[&x[0], &axis]).of(DType::Str);
    let integers = ValueInfo::tensor(TensorType::scalar(DType::I64));
    let results = [integers.clone(), ValueInfo::tensor(ty.clone()), integers];
    let parts = w.op("StringSplitV2", &[&one, &separator]).give(&results);
    parts
        .into_iter()
        .nth(1)
        .ok_or_else(|| "it has no parts".to_owned())
}

fn as_string(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    if x[0].dtype() == DType::Str {
        return Ok(w.identity(&x[0]));
    }
    let text = w
        .op("AsString", &[&x[0]])
        .attr("precision", attributes::int(a.int("precision")?))
        .attr("scientific", attributes::bool(a.bool("scientific")?))
        .attr("shortest", attributes::bool(a.bool("shortest")?))
        .attr("width", attributes::int(a.int("width")?))
        .attr("fill", attributes::text(a.text("fill")?));
    Ok(text.gives(ty.clone()))
}
