//! Operations on strings.

use crate::dispatch::{shape_text, typed, undefined};
use crate::element::ElementOp;
use crate::zip::{View, map, zip};
use crate::{Array, DType, Element, KernelError};

/// The functions of the elementwise table that strings have too: the sum joins them, and they can be compared for equality and selected.
pub(crate) fn elementwise(
    op: ElementOp,
    operands: &[&Array],
    out: &mut Array,
) -> Result<(), KernelError> {
    match (op, operands) {
        (ElementOp::Add, [a, b]) => binary(op, a, b, out, |a, b| [a, b].concat()),
        (ElementOp::Equal, [a, b]) => binary(op, a, b, out, |a, b| a == b),
        (ElementOp::NotEqual, [a, b]) => binary(op, a, b, out, |a, b| a != b),
        (ElementOp::Select, [cond, a, b]) => {
            let conditions = typed::<bool>(op.name(), cond)?;
            let (x, y) = (
                typed::<String>(op.name(), a)?,
                typed::<String>(op.name(), b)?,
            );
            zip([cond.shape(), a.shape(), b.shape()], out, |[c, i, j]| {
                if conditions[c] {
                    x[i].clone()
                } else {
                    y[j].clone()
                }
            })
        }
        _ => Err(undefined(op.name(), DType::Str)),
    }
}

fn binary<O: Element>(
    op: ElementOp,
    a: &Array,
    b: &Array,
    out: &mut Array,
    f: impl Fn(&str, &str) -> O,
) -> Result<(), KernelError> {
    let (x, y) = (
        typed::<String>(op.name(), a)?,
        typed::<String>(op.name(), b)?,
    );
    zip([a.shape(), b.shape()], out, |[i, j]| f(&x[i], &y[j]))
}

/// The length of each string in bytes, `int32`.
///
/// # Errors
/// If `x` doesn't hold strings.
pub fn string_length(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    map(
        View::new(x.shape(), typed::<String>("string_length", x)?),
        out,
        |text| text.len() as i32,
    );
    Ok(())
}

/// The strings of the operands joined position by position, with the separator between; a scalar goes with every
/// position.
///
/// # Errors
/// If an operand doesn't hold strings, or two operands that aren't scalars differ in shape.
pub fn string_join(parts: &[&Array], separator: &str, out: &mut Array) -> Result<(), KernelError> {
    let shape = parts
        .iter()
        .map(|part| part.shape())
        .find(|shape| !shape.is_empty())
        .unwrap_or(&[]);
    if let Some(part) = parts
        .iter()
        .find(|part| part.rank() != 0 && part.shape() != shape)
    {
        let (a, b) = (shape_text(shape), shape_text(part.shape()));
        return Err(KernelError::Shape(format!(
            "Incompatible shapes: {a} vs. {b}"
        )));
    }
    let texts: Vec<&[String]> = parts
        .iter()
        .map(|part| typed("string_join", part))
        .collect::<Result<_, _>>()?;
    let joined = out.reset_as::<String>(shape);
    for (n, text) in joined.iter_mut().enumerate() {
        text.clear();
        for (k, part) in texts.iter().enumerate() {
            if k > 0 {
                text.push_str(separator);
            }
            text.push_str(if part.len() == 1 { &part[0] } else { &part[n] });
        }
    }
    Ok(())
}
