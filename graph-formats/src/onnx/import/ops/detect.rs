//! Detection of objects in images.

use graph_kernels::DType;

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid, unsupported};
use super::super::node::Node;
use super::super::repeat::{Iteration, repeat};
use super::super::table::Import::One;
use super::super::table::Row;
use super::super::terms::{numbers, signed};

pub(crate) const ROWS: &[Row] = &[
    ("NonMaxSuppression", One(suppression)),
    ("RoiAlign", One(roi_align)),
];

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
        Ok(Iteration {
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

/// The samples of regions along one axis: the neighbours before and behind, and their weights, which are 0 outside the images.
struct Samples {
    low: Val,
    high: Val,
    low_weight: Val,
    high_weight: Val,
}

impl Samples {
    /// `count` bins of `each` samples between two ends, for each region: [regions, count * each].
    fn of(
        g: &mut Build<'_>,
        [start, end]: [Val; 2],
        count: usize,
        each: usize,
        size: usize,
        whole: bool,
    ) -> Result<Samples> {
        let mut len = g.sub(end, start)?;
        if !whole {
            let one = g.like(1.0, len)?;
            len = g.maximum(len, one)?;
        }
        let steps: Vec<f64> = (0..count * each)
            .map(|n| ((n / each) as f64 + ((n % each) as f64 + 0.5) / each as f64) / count as f64)
            .collect();
        let steps = g.constant(numbers(&steps, &[1, count * each], g.dtype(len))?);
        let (start, len) = (g.expand_dims(start, 1)?, g.expand_dims(len, 1)?);
        let at = g.mul(len, steps)?;
        let at = g.add(at, start)?;
        let (zero, least, most) = (
            g.like(0.0, at)?,
            g.like(-1.0, at)?,
            g.like(size as f64, at)?,
        );
        let (above, below) = (g.greater_equal(at, least)?, g.less_equal(at, most)?);
        let within = g.and(above, below)?;
        let last = g.like(size as f64 - 1.0, at)?;
        let at = g.maximum(at, zero)?;
        let at = g.minimum(at, last)?;
        let low = g.floor(at)?;
        let high = g.shift(low, 1.0)?;
        let high = g.minimum(high, last)?;
        let high_weight = g.sub(at, low)?;
        let low_weight = g.neg(high_weight)?;
        let low_weight = g.shift(low_weight, 1.0)?;
        Ok(Samples {
            low: g.index_of(low)?,
            high: g.index_of(high)?,
            low_weight: g.select(within, low_weight, zero)?,
            high_weight: g.select(within, high_weight, zero)?,
        })
    }
}

/// The sum or the largest of the four values around each sample, each times its weight.
fn around(
    g: &mut Build<'_>,
    images: Val,
    batch: Val,
    [ys, xs]: [&Samples; 2],
    shape: &[usize],
    takes_largest: bool,
) -> Result<Val> {
    let batch = g.reshape(batch, &[-1, 1, 1])?;
    let mut all: Option<Val> = None;
    for (y, y_weight) in [(ys.low, ys.low_weight), (ys.high, ys.high_weight)] {
        for (x, x_weight) in [(xs.low, xs.low_weight), (xs.high, xs.high_weight)] {
            let (y, x) = (g.expand_dims(y, 2)?, g.expand_dims(x, 1)?);
            let at = [
                g.broadcast_to(batch, shape)?,
                g.broadcast_to(y, shape)?,
                g.broadcast_to(x, shape)?,
            ];
            let at = g.stack(&at, -1)?;
            let value = g.gather_nd(images, at, 0)?;
            let (y_weight, x_weight) = (g.expand_dims(y_weight, 2)?, g.expand_dims(x_weight, 1)?);
            let weight = g.mul(y_weight, x_weight)?;
            let weight = g.expand_dims(weight, -1)?;
            let part = g.mul(value, weight)?;
            all = Some(match all {
                None => part,
                Some(all) if takes_largest => g.maximum(all, part)?,
                Some(all) => g.add(all, part)?,
            });
        }
    }
    all.map_or_else(|| invalid("no samples"), Ok)
}

/// The mean or the largest of samples in the bins of regions of images: [regions, channels, rows, columns].
fn roi_align(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, regions, batch) = (n.tensor(0)?, n.tensor(1)?, n.tensor(2)?);
    let count = |given: Option<i64>| usize::try_from(given.unwrap_or(1)).unwrap_or(0);
    let (rows, columns) = (
        count(n.int("output_height")?),
        count(n.int("output_width")?),
    );
    let each = n.int("sampling_ratio")?.unwrap_or(0);
    let Some(each) = usize::try_from(each)
        .ok()
        .filter(|each| (1..=64).contains(each))
    else {
        return unsupported(format!("the attribute `sampling_ratio` {each}"));
    };
    let scale = n.float("spatial_scale")?.unwrap_or(1.0);
    let default = if n.version < 16 {
        "output_half_pixel"
    } else {
        "half_pixel"
    };
    let whole = match n.text("coordinate_transformation_mode")?.unwrap_or(default) {
        "half_pixel" => true,
        "output_half_pixel" => false,
        other => return invalid(format!("the coordinates `{other}`")),
    };
    let takes_largest = match n.text("mode")?.unwrap_or("avg") {
        "avg" => false,
        "max" => true,
        other => return invalid(format!("the mode `{other}`")),
    };
    let (&[_, channels, height, width], &[count, 4]) = (&g.dims(x)?[..], &g.dims(regions)?[..])
    else {
        return invalid("it takes images of rank 4 and regions [regions, 4]");
    };
    if rows.max(columns) > 1 << 12 || rows * columns * height * width == 0 {
        return invalid(format!("a result of {rows} rows and {columns} columns"));
    }
    let mut end = |at: i64| {
        let at = g.int(at);
        let end = g.index_axis(regions, at, 1)?;
        let end = g.scale(end, scale)?;
        if whole { g.shift(end, -0.5) } else { Ok(end) }
    };
    let [left, top, right, bottom] = [end(0)?, end(1)?, end(2)?, end(3)?];
    let ys = Samples::of(g, [top, bottom], rows, each, height, whole)?;
    let xs = Samples::of(g, [left, right], columns, each, width, whole)?;
    let images = g.channels_last(x)?;
    let batch = g.index_of(batch)?;
    let shape = [count, rows * each, columns * each];
    let all = around(g, images, batch, [&ys, &xs], &shape, takes_largest)?;
    let split = [count, rows, each, columns, each, channels];
    let bins = g.reshape(all, &signed(&split))?;
    let bins = if takes_largest {
        g.max(bins, &[2, 4], false)?
    } else {
        g.mean(bins, &[2, 4], false)?
    };
    g.channels_first(bins)
}
