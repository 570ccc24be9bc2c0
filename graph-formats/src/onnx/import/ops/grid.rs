//! Images sampled at positions that are computed.

use graph_kernels::DType;

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;
use super::super::terms::{numbers, signed};

pub(crate) const ROWS: &[Row] = &[
    ("AffineGrid", One(affine_grid)),
    ("GridSample", One(grid_sample)),
];

/// The positions of an axis between -1 and 1: of its values' middles, or with the outermost at the ends.
fn between(size: usize, align: bool) -> Vec<f64> {
    let at = |n: usize| match align {
        true => -1.0 + 2.0 * n as f64 / (size as f64 - 1.0),
        false => -1.0 + (2.0 * n as f64 + 1.0) / size as f64,
    };
    (0..size).map(at).collect()
}

fn affine_grid(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let theta = n.tensor(0)?;
    let size = super::shape::sizes_of(&n.known_ints(1, g)?.unwrap_or_default())?;
    let align = n.flag("align_corners", false)?;
    let spatial = size.get(2..).unwrap_or_default();
    if !(2..=3).contains(&spatial.len()) || spatial.iter().any(|n| *n > 1 << 20) {
        return invalid(format!("a grid for images of shape {size:?}"));
    }
    let dtype = g.dtype(theta);
    let mut columns = Vec::new();
    // The last axis is x, and comes first.
    for axis in (0..spatial.len()).rev() {
        let shape: Vec<usize> = (0..spatial.len())
            .map(|n| if n == axis { spatial[n] } else { 1 })
            .collect();
        let along = g.constant(numbers(&between(spatial[axis], align), &shape, dtype)?);
        columns.push(g.broadcast_to(along, spatial)?);
    }
    let one = g.number(1.0, dtype)?;
    columns.push(g.fill(one, spatial)?);
    let points = g.stack(&columns, -1)?;
    let points = g.reshape(points, &[-1, spatial.len() as i64 + 1])?;
    let turned = g.transpose(theta, &[0, 2, 1])?;
    let grid = g.matmul(points, turned, false)?;
    let batch = g.size_at(theta, 0)?;
    let mut shape = vec![batch];
    shape.extend(signed(spatial).into_iter().map(|n| g.int(n)));
    shape.push(g.int(spatial.len() as i64));
    g.reshape_sizes(grid, &shape)
}

/// The values outside the images.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Outside {
    Zeros,
    Border,
    Reflection,
}

/// An axis of the images that are sampled.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    size: f64,
    align: bool,
    outside: Outside,
}

impl Axis {
    /// An axis on which positions are counted from 0.
    pub fn new(size: usize, outside: Outside) -> Axis {
        Axis {
            size: size as f64,
            align: false,
            outside,
        }
    }

    /// From -1 to 1 to positions.
    fn position(&self, g: &mut Build<'_>, x: Val) -> Result<Val> {
        let x = g.shift(x, 1.0)?;
        if self.align {
            return g.scale(x, (self.size - 1.0) / 2.0);
        }
        let x = g.scale(x, self.size / 2.0)?;
        g.shift(x, -0.5)
    }

    /// The ends of the axis, where it is reflected.
    fn ends(&self) -> (f64, f64) {
        if self.align {
            (0.0, self.size - 1.0)
        } else {
            (-0.5, self.size - 0.5)
        }
    }

    /// A position moved into the axis, by the rule for positions outside.
    fn brought(&self, g: &mut Build<'_>, x: Val) -> Result<Val> {
        match self.outside {
            Outside::Zeros => Ok(x),
            Outside::Border => {
                let (low, high) = (g.like(0.0, x)?, g.like(self.size - 1.0, x)?);
                let x = g.maximum(x, low)?;
                g.minimum(x, high)
            }
            Outside::Reflection => {
                let (low, high) = self.ends();
                let range = high - low;
                if range <= 0.0 {
                    return g.scale(x, 0.0);
                }
                // A triangle wave: the distance from the nearest multiple of twice the range.
                let x = g.shift(x, -low)?;
                let period = g.like(2.0 * range, x)?;
                let x = g.floor_mod(x, period)?;
                let back = g.neg(x)?;
                let back = g.add(back, period)?;
                let x = g.minimum(x, back)?;
                g.shift(x, low)
            }
        }
    }

    /// The index at a whole position, and whether it is inside.
    fn index(&self, g: &mut Build<'_>, x: Val) -> Result<(Val, Val)> {
        let x = self.brought(g, x)?;
        let (low, high) = (g.like(0.0, x)?, g.like(self.size - 1.0, x)?);
        let (above, below) = (g.greater_equal(x, low)?, g.less_equal(x, high)?);
        let within = g.and(above, below)?;
        let x = g.maximum(x, low)?;
        let x = g.minimum(x, high)?;
        Ok((g.cast(x, DType::I64)?, within))
    }
}

/// The neighbours of positions along an axis, and their weights; none for the only one.
pub(super) type Neighbours = Vec<(Val, Option<Val>)>;

/// The neighbours of positions along an axis.
pub(super) fn neighbours(g: &mut Build<'_>, x: Val, mode: &str) -> Result<Neighbours> {
    match mode {
        "nearest" => Ok(vec![(g.round(x)?, None)]),
        "linear" | "bilinear" => {
            let base = g.floor(x)?;
            let upper = g.sub(x, base)?;
            let lower = g.neg(upper)?;
            let lower = g.shift(lower, 1.0)?;
            Ok(vec![
                (base, Some(lower)),
                (g.shift(base, 1.0)?, Some(upper)),
            ])
        }
        "cubic" | "bicubic" => {
            let base = g.floor(x)?;
            let ratio = g.sub(x, base)?;
            let mut all = Vec::new();
            for at in [-1.0, 0.0, 1.0, 2.0] {
                let distance = g.shift(ratio, -at)?;
                let distance = g.abs(distance)?;
                let weight = cubic(g, distance, at == 0.0 || at == 1.0)?;
                all.push((g.shift(base, at)?, Some(weight)));
            }
            Ok(all)
        }
        other => invalid(format!("the mode `{other}`")),
    }
}

/// The cubic convolution kernel: its inner part (for distances up to 1) or its outer one.
fn cubic(g: &mut Build<'_>, x: Val, inner: bool) -> Result<Val> {
    const A: f64 = -0.75;
    let coefficients = if inner {
        [A + 2.0, -(A + 3.0), 0.0, 1.0]
    } else {
        [A, -5.0 * A, 8.0 * A, -4.0 * A]
    };
    let mut y = g.like(coefficients[0], x)?;
    for coefficient in &coefficients[1..] {
        y = g.mul(y, x)?;
        y = g.shift(y, *coefficient)?;
    }
    Ok(y)
}

fn grid_sample(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, grid) = (n.tensor(0)?, n.tensor(1)?);
    let mode = n.text("mode")?.unwrap_or("linear").to_owned();
    let align = n.flag("align_corners", false)?;
    let outside = match n.text("padding_mode")?.unwrap_or("zeros") {
        "zeros" => Outside::Zeros,
        "border" => Outside::Border,
        "reflection" => Outside::Reflection,
        other => return invalid(format!("the padding `{other}`")),
    };
    let dims = g.dims(x)?;
    let spatial = super::window::spatial(g, x)?;
    if spatial.len() > 3 || dims.contains(&0) {
        return unsupported(format!("images of shape {dims:?}"));
    }
    if g.dims(grid)?.last() != Some(&spatial.len()) {
        return invalid("the positions have another number of axes than the images");
    }
    let rank = g.rank(grid)?;
    let mut axes: Vec<(Axis, Neighbours)> = Vec::new();
    for (n, size) in spatial.iter().enumerate() {
        let axis = Axis {
            size: *size as f64,
            align,
            outside,
        };
        let at = g.int((spatial.len() - 1 - n) as i64);
        let position = g.index_axis(grid, at, rank as i64 - 1)?;
        let position = axis.position(g, position)?;
        let position = if mode == "nearest" {
            g.round(position)?
        } else {
            position
        };
        let position = match outside {
            Outside::Zeros => position,
            _ => axis.brought(g, position)?,
        };
        axes.push((axis, neighbours(g, position, &mode)?));
    }
    let last: Vec<i64> = (0..dims.len() as i64)
        .filter(|n| *n != 1)
        .chain([1])
        .collect();
    let images = g.transpose(x, &last)?;
    let sum = over_corners(g, images, &axes)?;
    let rank = g.rank(sum)?;
    g.move_axis(sum, rank - 1, 1)
}

/// The weighted sum over all combinations of neighbours of images with the channels last.
pub(super) fn over_corners(
    g: &mut Build<'_>,
    images: Val,
    axes: &[(Axis, Neighbours)],
) -> Result<Val> {
    let counts: Vec<usize> = axes.iter().map(|(_, all)| all.len()).collect();
    let mut sum: Option<Val> = None;
    for corner in 0..counts.iter().product::<usize>() {
        let mut rest = corner;
        let (mut indices, mut weight, mut within): (Vec<Val>, Option<Val>, Option<Val>) =
            (Vec::new(), None, None);
        for ((axis, all), count) in axes.iter().zip(&counts) {
            let (position, own) = all[rest % count];
            rest /= count;
            let (index, is_within) = axis.index(g, position)?;
            indices.push(index);
            within = Some(within.map_or(Ok(is_within), |within| g.and(within, is_within))?);
            if let Some(own) = own {
                weight = Some(weight.map_or(Ok(own), |weight| g.mul(weight, own))?);
            }
        }
        let at = g.stack(&indices, -1)?;
        let value = g.gather_nd(images, at, 1)?;
        let value = match within {
            Some(within) => {
                let (within, zero) = (g.expand_dims(within, -1)?, g.like(0.0, value)?);
                g.select(within, value, zero)?
            }
            None => value,
        };
        let value = match weight {
            Some(weight) => {
                let weight = g.cast(weight, g.dtype(value))?;
                let weight = g.expand_dims(weight, -1)?;
                g.mul(value, weight)?
            }
            None => value,
        };
        sum = Some(sum.map_or(Ok(value), |sum| g.add(sum, value))?);
    }
    sum.map_or_else(|| invalid("images without axes"), Ok)
}
