//! Detection of objects in images.

use graph_kernels::DType;

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid, unsupported};
use super::super::node::Node;
use super::super::repeat::{Step, repeat};
use super::super::table::Import::One;
use super::super::table::Row;

pub(crate) const ROWS: &[Row] = &[("NonMaxSuppression", One(suppression))];

/// The most combinations of image and class: each takes its own nodes.
const MAX: usize = 256;

/// One number, or a default.
fn scalar(n: &Node<'_>, g: &mut Build<'_>, at: usize, default: f64, dtype: DType) -> Result<Val> {
    match n.optional(at)? {
        Some(value) => g.reshape(value, &[]),
        None => g.number(default, dtype),
    }
}

/// The boxes of the best scores that don't overlap better ones: [count, (image, class, box)].
fn suppression(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (boxes, scores) = (n.tensor(0)?, n.tensor(1)?);
    let most = scalar(n, g, 2, 0.0, DType::I64)?;
    let overlap = scalar(n, g, 3, 0.0, DType::F32)?;
    let least = scalar(n, g, 4, f64::NEG_INFINITY, DType::F32)?;
    let is_centered = n.flag("center_point_box", false)?;
    let (&[images, classes, count], &[_, _, 4]) = (&g.dims(scores)?[..], &g.dims(boxes)?[..])
    else {
        return invalid("it takes boxes [images, boxes, 4] and scores [images, classes, boxes]");
    };
    if images.saturating_mul(classes) > MAX {
        return unsupported(format!("{images} images of {classes} classes"));
    }
    let mut found = Vec::new();
    for image in 0..images {
        let at = g.int(image as i64);
        let boxes = g.index(boxes, at)?;
        let corners = corners(g, boxes, is_centered)?;
        for class in 0..classes {
            let class_at = g.int(class as i64);
            let scores = g.index(scores, at)?;
            let scores = g.index(scores, class_at)?;
            let kept = kept(g, corners, scores, count, overlap, least, most)?;
            let mut columns = Vec::new();
            for number in [image, class] {
                let (number, zero) = (g.int(number as i64), g.int(0));
                let zeros = g.mul(kept, zero)?;
                columns.push(g.add(zeros, number)?);
            }
            columns.push(kept);
            found.push(g.stack(&columns, 1)?);
        }
    }
    if found.is_empty() {
        let zero = g.int(0);
        return g.fill(zero, &[0, 3]);
    }
    g.concat(&found, 0)
}

/// The corners of boxes, the smaller one first: four vectors.
fn corners(g: &mut Build<'_>, boxes: Val, is_centered: bool) -> Result<[Val; 4]> {
    let mut column = |n: i64| {
        let at = g.int(n);
        g.index_axis(boxes, at, 1)
    };
    let [a, b, c, d] = [column(0)?, column(1)?, column(2)?, column(3)?];
    if is_centered {
        let (w, h) = (g.scale(c, 0.5)?, g.scale(d, 0.5)?);
        return Ok([g.sub(b, h)?, g.sub(a, w)?, g.add(b, h)?, g.add(a, w)?]);
    }
    Ok([
        g.minimum(a, c)?,
        g.minimum(b, d)?,
        g.maximum(a, c)?,
        g.maximum(b, d)?,
    ])
}

/// The numbers of the boxes that are kept, the best first.
fn kept(
    g: &mut Build<'_>,
    corners: [Val; 4],
    scores: Val,
    count: usize,
    overlap: Val,
    least: Val,
    most: Val,
) -> Result<Val> {
    let order = g.argsort(scores, 0, true)?;
    let order = g.index_of(order)?;
    let sorted = g.gather(scores, order, 0)?;
    let mut corner = |n: usize| g.gather(corners[n], order, 0);
    let corners = [corner(0)?, corner(1)?, corner(2)?, corner(3)?];
    let overlaps = overlaps(g, corners)?;
    let overlaps = g.greater(overlaps, overlap)?;
    let good = g.greater(sorted, least)?;
    let none = g.number(0.0, DType::Bool)?;
    let first = g.fill(none, &[count])?;
    let size = g.int(count as i64);
    let done = repeat(g, Some(size), None, &[first], |g, state| {
        let kept = state.carried[0];
        let (row, good) = (
            g.index(overlaps, state.number)?,
            g.index(good, state.number)?,
        );
        let hidden = g.and(kept, row)?;
        let hidden = g.any(hidden, &[], false)?;
        let visible = g.not(hidden)?;
        let keeps = g.and(good, visible)?;
        Ok(Step {
            cond: None,
            carried: vec![g.set_row(kept, state.number, keeps)?],
            rows: Vec::new(),
        })
    })?;
    let kept = done.carried[0];
    let numbers = g.cast(kept, DType::I64)?;
    let numbers = g.cumsum(numbers, 0)?;
    let few = g.less_equal(numbers, most)?;
    let kept = g.and(kept, few)?;
    g.boolean_mask(order, kept)
}

/// The share of two boxes' union that is their intersection: [boxes, boxes].
fn overlaps(g: &mut Build<'_>, corners: [Val; 4]) -> Result<Val> {
    let mut sides = Vec::new();
    let mut lengths = Vec::new();
    for axis in 0..2 {
        let (low, high) = (corners[axis], corners[axis + 2]);
        lengths.push(g.sub(high, low)?);
        let (row, column) = (g.expand_dims(low, 0)?, g.expand_dims(low, 1)?);
        let from = g.maximum(row, column)?;
        let (row, column) = (g.expand_dims(high, 0)?, g.expand_dims(high, 1)?);
        let to = g.minimum(row, column)?;
        let side = g.sub(to, from)?;
        sides.push(g.relu(side)?);
    }
    let common = g.mul(sides[0], sides[1])?;
    let area = g.mul(lengths[0], lengths[1])?;
    let (row, column) = (g.expand_dims(area, 0)?, g.expand_dims(area, 1)?);
    let both = g.add(row, column)?;
    let union = g.sub(both, common)?;
    g.div(common, union)
}
