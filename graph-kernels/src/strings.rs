//! Ops on strings, which are UTF-8: positions and lengths count characters, except in [`string_length`].

use crate::along::Split;
use crate::dispatch::{shape_text, typed, undefined};
use crate::element::ElementOp;
use crate::indices::int_values;
use crate::zip::{View, map, zip};
use crate::{Array, DType, Dims, Element, KernelError};

/// The elementwise functions that strings have, too: `add` joins them, and they can be compared for equality and selected.
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
    each("string_length", x, out, |text| text.len() as i32)
}

/// The number of Unicode characters of each string, `int32`.
///
/// # Errors
/// If `x` doesn't hold strings.
pub fn string_chars(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    each("string_chars", x, out, |text| text.chars().count() as i32)
}

/// Each string in upper case.
///
/// # Errors
/// If `x` doesn't hold strings.
pub fn string_upper(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    each("string_upper", x, out, |text| text.to_uppercase())
}

/// Each string in lower case.
///
/// # Errors
/// If `x` doesn't hold strings.
pub fn string_lower(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    each("string_lower", x, out, |text| text.to_lowercase())
}

/// Each string without the ASCII white space at its ends.
///
/// # Errors
/// If `x` doesn't hold strings.
pub fn string_strip(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    let white = |c: char| c.is_ascii_whitespace() || c == '\x0b';
    each("string_strip", x, out, |text| {
        text.trim_matches(white).to_owned()
    })
}

fn each<O: Element>(
    op: &str,
    x: &Array,
    out: &mut Array,
    f: impl Fn(&String) -> O,
) -> Result<(), KernelError> {
    map(View::new(x.shape(), typed::<String>(op, x)?), out, f)
}

/// The characters of each string from `position` on, at most `length`. A negative position counts from the end; with a negative length
/// the rest of the string is taken. Position and length are scalars, or have the shape of `x`.
///
/// # Errors
/// `pos 6 out of range for string b'hello' at index 0`, or if the shapes don't fit.
pub fn string_substr(
    x: &Array,
    position: &Array,
    length: &Array,
    out: &mut Array,
) -> Result<(), KernelError> {
    let texts = typed::<String>("string_substr", x)?;
    for operand in [position, length] {
        if operand.rank() != 0 && operand.shape() != x.shape() {
            let (a, b) = (shape_text(x.shape()), shape_text(operand.shape()));
            return Err(KernelError::Shape(format!(
                "Incompatible shapes: {a} vs. {b}"
            )));
        }
    }
    let (positions, lengths) = (
        int_values("string_substr", position)?,
        int_values("string_substr", length)?,
    );
    let at = |values: &[i64], n: usize| {
        if values.len() == 1 {
            values[0]
        } else {
            values[n]
        }
    };
    let out = out.reset_as::<String>(x.shape())?;
    for (n, (o, text)) in out.iter_mut().zip(texts).enumerate() {
        let (position, length) = (at(&positions, n), at(&lengths, n));
        let part = part(text, position, length).ok_or_else(|| {
            KernelError::Value(format!(
                "pos {position} out of range for string b'{text}' at index {n}"
            ))
        })?;
        o.clear();
        o.push_str(part);
    }
    Ok(())
}

/// The characters from a position on, at most `length`; `None` if the position is outside the text.
fn part(text: &str, position: i64, length: i64) -> Option<&str> {
    let count = text.chars().count();
    let begin = match usize::try_from(position) {
        Ok(position) => Some(position).filter(|position| *position <= count)?,
        Err(_) => count.checked_sub(usize::try_from(position.unsigned_abs()).ok()?)?,
    };
    let byte = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(at, _)| at);
    let end = usize::try_from(length).map_or(count, |length| begin.saturating_add(length));
    Some(&text[byte(begin)..byte(end)])
}

/// Joins the strings along an axis into one, with a separator in between; the axis is dropped.
///
/// # Errors
/// If `x` doesn't hold strings or there is no such axis.
pub fn string_reduce_join(
    x: &Array,
    axis: i64,
    separator: &str,
    out: &mut Array,
) -> Result<(), KernelError> {
    let texts = typed::<String>("string_reduce_join", x)?;
    let split = Split::new(x.shape(), axis)?;
    let mut shape = Dims::from_slice(x.shape());
    shape.remove(split.axis);
    let out = out.reset_as::<String>(&shape)?;
    for (n, joined) in out.iter_mut().enumerate() {
        let (outer, inner) = (n / split.inner, n % split.inner);
        joined.clear();
        for k in 0..split.len {
            if k > 0 {
                joined.push_str(separator);
            }
            joined.push_str(&texts[(outer * split.len + k) * split.inner + inner]);
        }
    }
    Ok(())
}

/// Splits a scalar string at a separator; without a separator, at white space.
///
/// # Errors
/// If `x` isn't one string.
pub fn string_split(x: &Array, separator: &str, out: &mut Array) -> Result<(), KernelError> {
    let ([text], 0) = (typed::<String>("string_split", x)?, x.rank()) else {
        return Err(KernelError::Shape(format!(
            "`string_split` takes one string, not an array of shape {}",
            shape_text(x.shape())
        )));
    };
    let parts: Vec<&str> = if separator.is_empty() {
        text.split_ascii_whitespace().collect()
    } else {
        text.split(separator).collect()
    };
    let out = out.reset_as::<String>(&[parts.len()])?;
    for (o, part) in out.iter_mut().zip(parts) {
        o.clear();
        o.push_str(part);
    }
    Ok(())
}

/// Joins the strings of the operands element by element, with a separator in between; a scalar is repeated.
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
    let joined = out.reset_as::<String>(shape)?;
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
