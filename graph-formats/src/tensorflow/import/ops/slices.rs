//! Parts of arrays: `StridedSlice` and its gradient, and `Slice`.

use graph_ir::ops::{self, Attr, Attrs};

use super::{Rule, Rules};
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::import::build::{Build, Val};
use crate::tensorflow::import::node::Node;

pub(super) const RULES: Rules = &[
    ("StridedSlice", Rule::One(strided_slice)),
    ("StridedSliceGrad", Rule::One(strided_slice_grad)),
    ("Slice", Rule::One(slice)),
];

/// The part of an axis.
#[derive(Clone, Copy)]
enum AxisPart {
    /// All of it.
    Whole,
    /// From begin to before end; mask bit 1 means no begin, bit 2 no end.
    Range {
        begin: Val,
        end: Val,
        step: i64,
        mask: i64,
    },
    /// One position: the axis is dropped.
    At(Val),
}

/// A part of a tensor: what it takes of each axis, and the positions of new axes in the result.
struct Part {
    parts: Vec<AxisPart>,
    new_axes: Vec<i64>,
}

/// Reads the positions of axes from three vectors, which are the operands from `first` on.
fn parts(g: &mut Build, node: &Node<'_>, first: usize, rank: Option<usize>) -> Result<Part> {
    let [begin, end, step] = [
        node.tensor(first)?,
        node.tensor(first + 1)?,
        node.tensor(first + 2)?,
    ];
    let steps = g.known_ints(step, "steps")?;
    let mask = |name| Ok::<_, Error>(node.int(name)?.unwrap_or(0));
    let masks = [
        mask("begin_mask")?,
        mask("end_mask")?,
        mask("ellipsis_mask")?,
        mask("new_axis_mask")?,
        mask("shrink_axis_mask")?,
    ];
    let has = |kind: usize, at: usize| at < 63 && masks[kind] & (1 << at) != 0;
    let count = steps.len();
    let own = (0..count).filter(|at| !has(2, *at) && !has(3, *at)).count();
    let (mut parts, mut new_axes, mut axis) = (Vec::new(), Vec::new(), 0i64);
    for (at, step) in steps.iter().enumerate() {
        if has(2, at) {
            // Without a rank, an ellipsis can be read only at the end, where it takes all of the axes that are left.
            let rank = match rank {
                Some(rank) => rank,
                None if at + 1 == count => own,
                None => {
                    return Err(Error::unsupported(
                        "an ellipsis for axes that are known only at run time",
                    ));
                }
            };
            let skipped = rank
                .checked_sub(own)
                .ok_or_else(|| Error::invalid("it takes parts of more axes than there are"))?;
            parts.extend(vec![AxisPart::Whole; skipped]);
            axis += skipped as i64;
        } else if has(3, at) {
            new_axes.push(axis);
            axis += 1;
        } else if has(4, at) {
            parts.push(AxisPart::At(g.element(begin, at)?));
        } else {
            parts.push(AxisPart::Range {
                begin: g.element(begin, at)?,
                end: g.element(end, at)?,
                step: *step,
                mask: i64::from(has(0, at)) | i64::from(has(1, at)) << 1,
            });
            axis += 1;
        }
    }
    Ok(Part { parts, new_axes })
}

/// A range with known bounds.
fn known(g: &Build, part: AxisPart) -> Option<[i64; 4]> {
    let bound = |val: Val, is_open: bool| match is_open {
        true => Some(0),
        false => g.ints(val)?.first().copied(),
    };
    match part {
        AxisPart::Range {
            begin,
            end,
            step,
            mask,
        } => Some([
            bound(begin, mask & 1 != 0)?,
            bound(end, mask & 2 != 0)?,
            step,
            mask,
        ]),
        AxisPart::Whole | AxisPart::At(_) => None,
    }
}

/// The attributes of a slice with known bounds, for these axes.
fn attributes(ranges: &[(usize, [i64; 4])]) -> Attrs {
    let part = |at: usize| Attr::Ints(ranges.iter().map(|(_, range)| range[at]).collect());
    Attrs::new()
        .with(
            "axes",
            Attr::Ints(ranges.iter().map(|(axis, _)| *axis as i64).collect()),
        )
        .with("begins", part(0))
        .with("ends", part(1))
        .with("steps", part(2))
        .with("masks", part(3))
}

fn axis(n: i64) -> Attrs {
    Attrs::new().with("axis", Attr::Int(n))
}

/// The operands of a slice of one axis whose bounds aren't known.
fn bounds(g: &mut Build, begin: Val, end: Val, step: i64) -> Result<[Val; 3]> {
    let dtype = g.dtype(begin);
    let end = g.cast(end, dtype)?;
    Ok([begin, end, g.number(step as f64, dtype)?])
}

/// A known part of a vector of sizes, if all its elements are known.
fn of_sizes(g: &mut Build, x: Val, parts: &[AxisPart]) -> Result<Option<Val>> {
    let ([part], Some(elements)) = (parts, g.elements(x)) else {
        return Ok(None);
    };
    let len = elements.len() as i64;
    let from_start = |n: i64| if n < 0 { n + len } else { n };
    match (*part, known(g, *part)) {
        (AxisPart::At(position), _) => {
            let at = g
                .ints(position)
                .and_then(|position| usize::try_from(from_start(*position.first()?)).ok());
            Ok(at.and_then(|at| elements.get(at).copied().flatten()))
        }
        (_, Some([begin, end, 1, mask])) => {
            let begin = if mask & 1 != 0 {
                0
            } else {
                from_start(begin).clamp(0, len)
            };
            let end = if mask & 2 != 0 {
                len
            } else {
                from_start(end).clamp(begin, len)
            };
            let taken: Option<Vec<Val>> = elements[begin as usize..end as usize]
                .iter()
                .copied()
                .collect();
            taken
                .filter(|taken| !taken.is_empty())
                .map(|taken| g.pack(&taken))
                .transpose()
        }
        _ => Ok(None),
    }
}

fn strided_slice(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let mut x = node.tensor(0)?;
    let Part { parts, new_axes } = parts(g, node, 1, g.ty(x).shape.rank())?;
    if let (Some(element), []) = (of_sizes(g, x, &parts)?, new_axes.as_slice()) {
        return Ok(element);
    }
    let ranges: Vec<(usize, [i64; 4])> = parts
        .iter()
        .enumerate()
        .filter_map(|(at, part)| Some((at, known(g, *part)?)))
        .collect();
    let is_whole = |(_, [begin, _, step, mask]): &(usize, [i64; 4])| {
        *step == 1 && mask & 2 != 0 && (*begin == 0 || mask & 1 != 0)
    };
    let taken: Vec<(usize, [i64; 4])> = ranges
        .iter()
        .filter(|range| !is_whole(range))
        .copied()
        .collect();
    if !taken.is_empty() {
        x = g.op(&ops::STRIDED_SLICE, &[x], attributes(&taken))?;
    }
    for (at, part) in parts.iter().enumerate() {
        if let (
            AxisPart::Range {
                begin,
                end,
                step,
                mask,
            },
            None,
        ) = (*part, known(g, *part))
        {
            let [begin, end, step] = bounds(g, begin, end, step)?;
            x = g.op(
                &ops::SLICE_AXIS,
                &[x, begin, end, step],
                axis(at as i64).with("mask", Attr::Int(mask)),
            )?;
        }
    }
    // The last axes go first, so that the others keep their numbers.
    for (at, part) in parts.iter().enumerate().rev() {
        if let AxisPart::At(position) = part {
            x = match at {
                0 => g.plain(&ops::INDEX, &[x, *position])?,
                _ => g.op(&ops::INDEX_AXIS, &[x, *position], axis(at as i64))?,
            };
        }
    }
    for at in new_axes {
        x = g.op(&ops::EXPAND_DIMS, &[x], axis(at))?;
    }
    Ok(x)
}

/// Zeros of a shape, with the gradient added to the part that a slice took.
fn strided_slice_grad(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let (shape, mut dy) = (node.tensor(0)?, node.tensor(4)?);
    let sizes = g.sizes(shape);
    let Part { parts, new_axes } = parts(g, node, 1, sizes.rank())?;
    for at in new_axes.iter().rev() {
        dy = g.op(
            &ops::SQUEEZE,
            &[dy],
            Attrs::new().with("axes", Attr::Ints(vec![*at])),
        )?;
    }
    let zero = g.number(0.0, g.dtype(dy))?;
    let zeros = g.plain(&ops::FILL_TO, &[zero, shape])?;
    let zeros = g.refined(zeros, &sizes)?;
    let positions: Vec<Val> = parts
        .iter()
        .map_while(|part| {
            if let AxisPart::At(at) = part {
                Some(*at)
            } else {
                None
            }
        })
        .collect();
    let only_positions = parts[positions.len()..].iter().all(|part| {
        matches!(part, AxisPart::Whole)
            || known(g, *part).is_some_and(|[begin, _, step, mask]| {
                step == 1 && mask & 2 != 0 && (begin == 0 || mask & 1 != 0)
            })
    });
    if only_positions && !positions.is_empty() {
        return g.plain(
            &ops::INDEX_ADD,
            &[&[zeros, dy], positions.as_slice()].concat(),
        );
    }
    let mut ranges = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        match (*part, known(g, *part)) {
            (AxisPart::Whole, _) => {}
            (_, Some(range)) => ranges.push((at, range)),
            (AxisPart::At(position), _) => {
                let position = g.known_int(position, "a position")?;
                dy = g.op(&ops::EXPAND_DIMS, &[dy], axis(at as i64))?;
                ranges.push((
                    at,
                    [
                        position,
                        position.wrapping_add(1),
                        1,
                        if position == -1 { 2 } else { 0 },
                    ],
                ));
            }
            (
                AxisPart::Range {
                    begin,
                    end,
                    step,
                    mask,
                },
                None,
            ) if parts.len() == 1 => {
                let [begin, end, step] = bounds(g, begin, end, step)?;
                let attrs = axis(at as i64).with("mask", Attr::Int(mask));
                return g.op(&ops::SLICE_AXIS_ADD, &[zeros, dy, begin, end, step], attrs);
            }
            (AxisPart::Range { .. }, None) => {
                return Err(Error::unsupported(
                    "the gradient of a slice of several axes with open bounds",
                ));
            }
        }
    }
    g.op(&ops::STRIDED_SLICE_ADD, &[zeros, dy], attributes(&ranges))
}

fn slice(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let [x, begin, sizes] = [node.tensor(0)?, node.tensor(1)?, node.tensor(2)?];
    match g.ints(sizes) {
        Some(sizes) => g.op(
            &ops::SLICE,
            &[x, begin],
            Attrs::new().with("sizes", Attr::Ints(sizes)),
        ),
        None => {
            let (known, dtype) = (g.sizes(sizes), g.dtype(begin));
            let sizes = g.cast(sizes, dtype)?;
            let part = g.plain(&ops::SLICE_TO, &[x, begin, sizes])?;
            g.refined(part, &known)
        }
    }
}
