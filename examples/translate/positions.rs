//! Positions and ranges of axes as `get` and `with_part` take them: `x.get((.., 1..5, i))`.

use graph_runtime::ops::Attrs;

use super::expressions::{Text, refused};
use super::literals::integer;

/// The most axes that a tuple of positions can name.
const MOST: i64 = 6;

/// The positions or ranges of some axes, with those of the axes between them. Negative axes count from the last.
pub fn index(op: &str, parts: &[(i64, String)]) -> Result<String, String> {
    let at = |axis: i64| {
        let found = parts.iter().find(|(own, _)| *own == axis);
        found.map_or_else(|| "..".to_owned(), |(_, part)| part.clone())
    };
    let front = parts.iter().map(|(axis, _)| axis + 1).max().unwrap_or(0);
    let back = parts.iter().map(|(axis, _)| *axis).min().unwrap_or(0);
    let mut axes: Vec<String> = (0..front.max(0)).map(at).collect();
    if back < 0 {
        axes.push("Ellipsis".to_owned());
        axes.extend((back..0).map(at));
    }
    match &axes[..] {
        [only] => Ok(only.clone()),
        axes if axes.len() as i64 <= MOST => Ok(format!("({})", axes.join(", "))),
        _ => Err(refused(op)),
    }
}

/// A range whose bounds are integers of the source.
fn known_range(begin: Option<i64>, end: Option<i64>, step: i64) -> String {
    let bound = |n: Option<i64>| n.map_or_else(String::new, integer);
    stepped(
        format!("{}..{}", bound(begin), bound(end)),
        &step.to_string(),
    )
}

/// A range whose bounds are operands. Both bounds of a range have one type.
fn range(begin: Option<&Text>, end: Option<&Text>, step: &Text) -> String {
    let is_literal = |text: &Text| !text.operand.starts_with('&');
    let bound = |text: Option<&Text>, other: Option<&Text>| match text {
        None => String::new(),
        Some(text) if other.is_none_or(|other| is_literal(other) == is_literal(text)) => {
            text.operand.clone()
        }
        Some(text) => text.reference.clone(),
    };
    let range = format!("{}..{}", bound(begin, end), bound(end, begin));
    stepped(
        range,
        step.operand
            .trim_end_matches("_i64")
            .trim_end_matches("_i32"),
    )
}

fn stepped(range: String, step: &str) -> String {
    match step {
        "1" => range,
        step => format!("({range}).by({step})"),
    }
}

/// The index of `strided_slice`.
pub fn strided_slice(attrs: &Attrs) -> Result<String, String> {
    let list = |name| attrs.ints(name).map_err(|e| e.to_string());
    let (axes, begins, ends) = (list("axes")?, list("begins")?, list("ends")?);
    let (steps, masks) = (list("steps")?, list("masks")?);
    let part = |n: usize| {
        let unless = |bit: i64, at: i64| (masks[n] & bit == 0).then_some(at);
        let range = known_range(unless(1, begins[n]), unless(2, ends[n]), steps[n]);
        (axes[n], range)
    };
    index(
        "strided_slice",
        &(0..axes.len()).map(part).collect::<Vec<_>>(),
    )
}

/// The index of `slice_axis`, whose operands are begin, end and step.
pub fn slice_axis(attrs: &Attrs, bounds: &[Text]) -> Result<String, String> {
    let int = |name| attrs.int(name).map_err(|e| e.to_string());
    index(
        "slice_axis",
        &[(int("axis")?, masked(bounds, int("mask")?))],
    )
}

/// The range of some bounds: begin, end and step. Bit 1 of the mask means no begin, bit 2 no end.
fn masked(bounds: &[Text], mask: i64) -> String {
    let unless = |bit: i64, at: usize| (mask & bit == 0).then_some(&bounds[at]);
    range(unless(1, 0), unless(2, 1), &bounds[2])
}

/// The index of `slice_rows`, whose operands are begin and end.
pub fn slice_rows(begin: &Text, end: &Text) -> String {
    let step = Text::expression("1".to_owned());
    match end.operand.as_str() {
        // The op has no mask.
        "9223372036854775807_i64" => range(Some(begin), None, &step),
        _ => range(Some(begin), Some(end), &step),
    }
}

/// The index of `set_part`, whose operands are begin, end and step of each axis.
pub fn set_part(attrs: &Attrs, bounds: &[Text]) -> Result<String, String> {
    let list = |name| attrs.ints(name).map_err(|e| e.to_string());
    let (axes, masks) = (list("axes")?, list("masks")?);
    let part = |(n, bounds): (usize, &[Text])| match masks[n] & 4 {
        0 => (axes[n], masked(bounds, masks[n])),
        _ => (axes[n], bounds[0].operand.clone()),
    };
    let parts: Vec<(i64, String)> = bounds.chunks_exact(3).enumerate().map(part).collect();
    index("set_part", &parts)
}
