//! Resizing. The interpolation of one axis after another: each result is a weighted sum of a few neighbours, whose positions and weights are
//! calculated when the model is read.

use graph_kernels::DType;

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;
use super::super::terms::{self, numbers};

pub(crate) const ROWS: &[Row] = &[("Resize", One(resize)), ("Upsample", One(upsample))];

/// The most neighbours of an axis with all its results.
const MAX_TAPS: usize = 1 << 22;

/// How positions of the result become positions of the operand.
struct Map<'a> {
    mode: &'a str,
    /// The size of the operand, of the result, and their scale.
    from: usize,
    to: usize,
    scale: f64,
    /// The part that is resized, in shares of the axis.
    roi: (f64, f64),
}

impl Map<'_> {
    fn at(&self, to: usize) -> Result<f64> {
        let (y, from, size) = (to as f64, self.from as f64, self.scale * self.from as f64);
        Ok(match self.mode {
            "half_pixel" => (y + 0.5) / self.scale - 0.5,
            "pytorch_half_pixel" if size <= 1.0 => 0.0,
            "pytorch_half_pixel" => (y + 0.5) / self.scale - 0.5,
            "align_corners" if size == 1.0 => 0.0,
            "align_corners" => y * (from - 1.0) / (size - 1.0),
            "asymmetric" => y / self.scale,
            "half_pixel_symmetric" => {
                let offset = from / 2.0 * (1.0 - self.to as f64 / size);
                offset + (y + 0.5) / self.scale - 0.5
            }
            "tf_crop_and_resize" => {
                let (start, end) = self.roi;
                let within = if size == 1.0 {
                    (end - start) * (from - 1.0) / 2.0
                } else {
                    y * (end - start) * (from - 1.0) / (size - 1.0)
                };
                within + start * (from - 1.0)
            }
            other => return invalid(format!("the coordinates `{other}`")),
        })
    }

    /// Whether a position lies outside the operand, where the result is a given value.
    fn is_outside(&self, x: f64) -> bool {
        self.mode == "tf_crop_and_resize" && (x < 0.0 || x > self.from as f64 - 1.0)
    }
}

/// How values between positions are calculated.
enum Filter {
    /// The nearest one, with a rule for those between.
    Nearest(String),
    Linear {
        antialias: bool,
    },
    Cubic {
        a: f64,
        antialias: bool,
    },
}

impl Filter {
    /// The weights of the neighbours of a position, which lies `ratio` behind the last one before the middle.
    fn weights(&self, ratio: f64, scale: f64) -> Result<Vec<f64>> {
        Ok(match self {
            Filter::Nearest(rule) => {
                let is_upper = match rule.as_str() {
                    _ if ratio == 1.0 => true,
                    "round_prefer_floor" => ratio > 0.5,
                    "round_prefer_ceil" => ratio >= 0.5,
                    "floor" => false,
                    "ceil" => true,
                    other => return invalid(format!("the rounding `{other}`")),
                };
                if is_upper {
                    vec![0.0, 1.0]
                } else {
                    vec![1.0, 0.0]
                }
            }
            Filter::Linear { antialias: false } => vec![1.0 - ratio, ratio],
            Filter::Linear { antialias: true } => {
                spread(ratio, scale, 1.0, |x| (1.0 - x.abs()).clamp(0.0, 1.0))?
            }
            Filter::Cubic {
                a,
                antialias: false,
            } => [-1.0, 0.0, 1.0, 2.0]
                .map(|at: f64| cubic(at - ratio, *a))
                .to_vec(),
            Filter::Cubic { a, antialias: true } => spread(ratio, scale, 2.0, |x| cubic(x, *a))?,
        })
    }
}

/// The weights of a filter of a radius that is made wider, so that a smaller result takes every value into account.
fn spread(ratio: f64, scale: f64, radius: f64, filter: impl Fn(f64) -> f64) -> Result<Vec<f64>> {
    let scale = scale.min(1.0);
    let first = (-radius / scale).floor() + 1.0;
    let count = 2.0 - 2.0 * first;
    if !(1.0..=MAX_TAPS as f64).contains(&count) {
        return unsupported(format!("a scale of {scale}"));
    }
    let weights: Vec<f64> = (0..count as usize)
        .map(|n| filter((first + n as f64 - ratio) * scale))
        .collect();
    let sum: f64 = weights.iter().sum();
    Ok(weights.into_iter().map(|weight| weight / sum).collect())
}

/// The cubic convolution kernel.
fn cubic(x: f64, a: f64) -> f64 {
    let x = x.abs();
    if x <= 1.0 {
        ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    } else if x < 2.0 {
        ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a
    } else {
        0.0
    }
}

/// The neighbours of each result along an axis, their weights, and the results that lie outside.
struct Taps {
    count: usize,
    positions: Vec<i64>,
    weights: Vec<f64>,
    outside: Vec<f64>,
}

impl Taps {
    fn of(map: &Map<'_>, filter: &Filter, exclude_outside: bool) -> Result<Taps> {
        let mut taps = Taps {
            count: 0,
            positions: Vec::new(),
            weights: Vec::new(),
            outside: Vec::new(),
        };
        for to in 0..map.to {
            let x = map.at(to)?;
            if !x.is_finite() || x.abs() > 1e15 {
                return invalid("a scale that isn't a number");
            }
            let ratio = if x.floor() == x { 1.0 } else { x - x.floor() };
            let mut weights = filter.weights(ratio, map.scale)?;
            taps.count = weights.len();
            if taps.count.saturating_mul(map.to) > MAX_TAPS {
                return unsupported(format!("an axis of {} results", map.to));
            }
            let half = (taps.count / 2) as i64;
            let first = x.floor() as i64 - half + i64::from(x.floor() != x);
            let last = map.from as i64 - 1;
            if exclude_outside {
                for (n, weight) in weights.iter_mut().enumerate() {
                    *weight *= f64::from(u8::from((0..=last).contains(&(first + n as i64))));
                }
                let sum: f64 = weights.iter().sum();
                weights
                    .iter_mut()
                    .for_each(|weight| *weight /= if sum == 0.0 { 1.0 } else { sum });
            }
            taps.positions
                .extend((0..taps.count as i64).map(|n| (first + n).clamp(0, last)));
            taps.weights.extend(weights);
            taps.outside.push(f64::from(u8::from(map.is_outside(x))));
        }
        Ok(taps)
    }

    /// The neighbour with this number of each result.
    fn column<T: Copy>(&self, values: &[T], n: usize) -> Vec<T> {
        values
            .iter()
            .skip(n)
            .step_by(self.count.max(1))
            .copied()
            .collect()
    }

    /// Applies them to an axis.
    fn apply(&self, g: &mut Build<'_>, x: Val, axis: usize, extrapolated: f64) -> Result<Val> {
        let rank = g.rank(x)?;
        let size = self.outside.len();
        let shape: Vec<usize> = (0..rank)
            .map(|n| if n == axis { size } else { 1 })
            .collect();
        let mut sum: Option<Val> = None;
        for n in 0..self.count {
            let weights = self.column(&self.weights, n);
            if weights.iter().all(|weight| *weight == 0.0) {
                continue;
            }
            let at = self.column(&self.positions, n);
            let at = g.vector(&at);
            let part = g.gather(x, at, axis as i64)?;
            let weights = g.constant(numbers(&weights, &shape, g.dtype(x))?);
            let part = g.mul(part, weights)?;
            sum = Some(sum.map_or(Ok(part), |sum| g.add(sum, part))?);
        }
        let Some(sum) = sum else {
            return g.part(x, axis, 0, 0);
        };
        if self.outside.iter().all(|outside| *outside == 0.0) {
            return Ok(sum);
        }
        let outside = g.constant(numbers(&self.outside, &shape, DType::Bool)?);
        let value = g.like(extrapolated, x)?;
        g.select(outside, value, sum)
    }
}

/// What is resized: for each axis its size and scale, and the part of it.
struct Sizes {
    to: Vec<usize>,
    scales: Vec<f64>,
    roi: Vec<(f64, f64)>,
}

/// The value of an operand that isn't empty.
fn given(g: &Build<'_>, v: Option<Val>) -> Option<Val> {
    v.filter(|v| g.shape(*v).size() != Some(0))
}

fn sizes(n: &Node<'_>, g: &Build<'_>, dims: &[usize]) -> Result<Sizes> {
    let (roi, scales, sizes) = if n.version < 11 {
        (None, n.optional(1)?, None)
    } else {
        (n.optional(1)?, n.optional(2)?, n.optional(3)?)
    };
    let axes = match n.ints("axes")? {
        Some(axes) => terms::axes(axes, dims.len())?,
        None => (0..dims.len()).collect(),
    };
    let policy = n.text("keep_aspect_ratio_policy")?.unwrap_or("stretch");
    let mut result = Sizes {
        to: dims.to_vec(),
        scales: vec![1.0; dims.len()],
        roi: vec![(0.0, 1.0); dims.len()],
    };
    if let Some(roi) = given(g, roi) {
        let roi = g.known_floats(roi, "the region")?;
        if roi.len() != 2 * axes.len() {
            return invalid("the region has two numbers for each axis");
        }
        for (n, axis) in axes.iter().enumerate() {
            result.roi[*axis] = (roi[n], roi[n + axes.len()]);
        }
    }
    let (given_scales, given_sizes) = (given(g, scales), given(g, sizes));
    if let Some(sizes) = given_sizes {
        let sizes = super::shape::sizes_of(&g.known_ints(sizes, "the sizes")?)?;
        result.by_sizes(dims, &axes, &sizes, policy)?;
    } else if let Some(scales) = given_scales {
        let scales = g.known_floats(scales, "the scales")?;
        if scales.len() != axes.len() || scales.iter().any(|scale| !(*scale > 0.0 && *scale < 1e9))
        {
            return invalid(format!("the scales {scales:?}"));
        }
        for (scale, axis) in scales.into_iter().zip(axes) {
            result.scales[axis] = scale;
            result.to[axis] = (scale * dims[axis] as f64) as usize;
        }
    } else {
        return invalid("it takes scales or sizes");
    }
    Ok(result)
}

impl Sizes {
    fn by_sizes(
        &mut self,
        dims: &[usize],
        axes: &[usize],
        sizes: &[usize],
        policy: &str,
    ) -> Result<()> {
        if sizes.len() != axes.len() {
            return invalid(format!("{} sizes for {} axes", sizes.len(), axes.len()));
        }
        let scale = |(size, axis): (&usize, &usize)| *size as f64 / dims[*axis] as f64;
        let scales: Vec<f64> = sizes.iter().zip(axes).map(scale).collect();
        let common = match policy {
            "stretch" => None,
            "not_larger" => Some(scales.iter().copied().fold(f64::INFINITY, f64::min)),
            "not_smaller" => Some(scales.iter().copied().fold(0.0, f64::max)),
            other => return invalid(format!("the policy `{other}`")),
        };
        for (n, axis) in axes.iter().enumerate() {
            self.scales[*axis] = common.unwrap_or(scales[n]);
            self.to[*axis] = match common {
                Some(common) => (common * dims[*axis] as f64 + 0.5) as usize,
                None => sizes[n],
            };
        }
        Ok(())
    }
}

fn resize(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let antialias = n.flag("antialias", false)?;
    let a = n.float("cubic_coeff_a")?.unwrap_or(-0.75);
    let rule = n.text("nearest_mode")?.unwrap_or(if n.version < 11 {
        "floor"
    } else {
        "round_prefer_floor"
    });
    let filter = match n.text("mode")?.unwrap_or("nearest") {
        "nearest" => Filter::Nearest(rule.to_owned()),
        "linear" => Filter::Linear { antialias },
        "cubic" => Filter::Cubic { a, antialias },
        other => return invalid(format!("the mode `{other}`")),
    };
    let default = if n.version < 11 {
        "asymmetric"
    } else {
        "half_pixel"
    };
    let mode = n.text("coordinate_transformation_mode")?.unwrap_or(default);
    let exclude = n.flag("exclude_outside", false)?;
    let extrapolated = n.float("extrapolation_value")?.unwrap_or(0.0);
    let dims = g.dims(x)?;
    let sizes = sizes(n, g, &dims)?;
    apply(g, x, &dims, &sizes, mode, &filter, exclude, extrapolated)
}

#[allow(clippy::too_many_arguments, reason = "the attributes of the op")]
fn apply(
    g: &mut Build<'_>,
    x: Val,
    dims: &[usize],
    sizes: &Sizes,
    mode: &str,
    filter: &Filter,
    exclude: bool,
    extrapolated: f64,
) -> Result<Val> {
    let dtype = g.dtype(x);
    let mut y = if dtype.is_float() {
        x
    } else {
        g.cast(x, DType::F32)?
    };
    for (axis, from) in dims.iter().copied().enumerate() {
        let (to, scale) = (sizes.to[axis], sizes.scales[axis]);
        let is_whole = sizes.roi[axis] == (0.0, 1.0) || mode != "tf_crop_and_resize";
        if to == from && scale == 1.0 && is_whole {
            continue;
        }
        if from == 0 || to > MAX_TAPS {
            return invalid(format!("an axis of {from} resized to {to}"));
        }
        let map = Map {
            mode,
            from,
            to,
            scale,
            roi: sizes.roi[axis],
        };
        let taps = Taps::of(&map, filter, exclude)?;
        y = taps.apply(g, y, axis, extrapolated)?;
    }
    g.cast(y, dtype)
}

fn upsample(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let dims = g.dims(x)?;
    let scales = if n.version < 9 {
        n.floats("scales")?
            .map(|scales| scales.iter().map(|scale| f64::from(*scale)).collect())
    } else {
        n.optional(1)?
            .map(|scales| g.known_floats(scales, "the scales"))
            .transpose()?
    };
    let scales: Vec<f64> = n.required("scales", scales)?;
    if scales.len() != dims.len() || scales.iter().any(|scale| !(*scale >= 1.0 && *scale < 1e9)) {
        return invalid(format!("the scales {scales:?}"));
    }
    let filter = match n.text("mode")?.unwrap_or("nearest") {
        "nearest" => Filter::Nearest("floor".to_owned()),
        "linear" | "bilinear" => Filter::Linear { antialias: false },
        other => return invalid(format!("the mode `{other}`")),
    };
    let to = dims
        .iter()
        .zip(&scales)
        .map(|(size, scale)| (*size as f64 * scale) as usize)
        .collect();
    let sizes = Sizes {
        to,
        scales,
        roi: vec![(0.0, 1.0); dims.len()],
    };
    apply(g, x, &dims, &sizes, "asymmetric", &filter, false, 0.0)
}
