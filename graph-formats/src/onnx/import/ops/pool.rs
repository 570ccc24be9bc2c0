//! Poolings: of images with two axes the op table's, of others by the places of the window.

use graph_ir::ops::{self, Attrs, OpDef, counts, with_window};
use graph_kernels::{DType, Padding};

use super::super::build::{Build, Val};
use super::super::error::{Result, invalid};
use super::super::node::Node;
use super::super::table::Import::{Many, One};
use super::super::table::Row;
use super::super::terms::{self, signed};
use super::super::value::Value;
use super::window::{Window, spatial};

pub(crate) const ROWS: &[Row] = &[
    ("MaxPool", Many(max_pool)),
    ("AveragePool", One(average_pool)),
    ("LpPool", One(lp_pool)),
    (
        "GlobalMaxPool",
        One(|n, g| {
            let (x, axes) = whole(n, g)?;
            g.max(x, &axes, true)
        }),
    ),
    (
        "GlobalAveragePool",
        One(|n, g| {
            let (x, axes) = whole(n, g)?;
            g.mean(x, &axes, true)
        }),
    ),
    (
        "GlobalLpPool",
        One(|n, g| {
            let (x, axes) = whole(n, g)?;
            let p = power(n)?;
            let y = to_power(g, x, p)?;
            let y = g.sum(y, &axes, true)?;
            root(g, y, p)
        }),
    ),
    ("MaxUnpool", One(max_unpool)),
    ("Col2Im", One(col2im)),
];

/// The images, and their axes after batch and channels.
fn whole(n: &Node<'_>, g: &Build<'_>) -> Result<(Val, Vec<i64>)> {
    let x = n.tensor(0)?;
    let rank = g.rank(x)?;
    if rank < 3 {
        return invalid("it takes images");
    }
    Ok((x, (2..rank as i64).collect()))
}

/// The window of the attribute `kernel_shape`.
fn window(n: &Node<'_>, g: &Build<'_>, x: Val) -> Result<Window> {
    let sizes = spatial(g, x)?;
    n.required("kernel_shape", n.ints("kernel_shape")?)?;
    let size = super::window::each(n, "kernel_shape", sizes.len())?;
    Window::of(n, &sizes, size)
}

/// Combines the values of each window.
fn over_places(
    g: &mut Build<'_>,
    window: &Window,
    padded: Val,
    f: impl Fn(&mut Build<'_>, Val, Val) -> Result<Val>,
) -> Result<Val> {
    let mut all: Option<Val> = None;
    for place in window.places()? {
        let part = window.at(g, padded, &place)?;
        all = Some(all.map_or(Ok(part), |all| f(g, all, part))?);
    }
    all.map_or_else(|| invalid("a window without places"), Ok)
}

/// The smallest value of a dtype.
fn smallest(dtype: DType) -> f64 {
    match dtype {
        DType::I8 => f64::from(i8::MIN),
        DType::I16 => f64::from(i16::MIN),
        DType::I32 => f64::from(i32::MIN),
        DType::I64 => i64::MIN as f64,
        dtype if dtype.is_integer() => 0.0,
        _ => f64::NEG_INFINITY,
    }
}

/// A pooling of the op table, which has the channels last, if the window is one that it can have.
fn pool2d(
    g: &mut Build<'_>,
    op: &'static OpDef,
    x: Val,
    window: &Window,
    sizes: &[usize],
) -> Result<Option<Val>> {
    let [rows, columns] = window.size[..] else {
        return Ok(None);
    };
    let reach =
        |axis: usize| (window.counts[axis].max(1) - 1) * window.strides[axis] + window.span(axis);
    let behind = |axis: usize| reach(axis).saturating_sub(sizes[axis] + window.before[axis]);
    let pads = [[window.before[0], behind(0)], [window.before[1], behind(1)]];
    let attrs = Attrs::new().with("size", counts(&[rows, columns]));
    let flat = graph_kernels::Window {
        strides: [window.strides[0], window.strides[1]],
        dilations: [window.dilations[0], window.dilations[1]],
        padding: Padding::Explicit(pads),
    };
    let x = g.channels_last(x)?;
    let y = g.op(op, &[x], with_window(attrs, flat))?;
    g.channels_first(y).map(Some)
}

fn max_pool(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let x = n.tensor(0)?;
    let window = window(n, g, x)?;
    let sizes = spatial(g, x)?;
    let by_columns = n.flag("storage_order", false)?;
    if !n.wants(1)
        && let Some(y) = pool2d(g, &ops::MAX_POOL2D, x, &window, &sizes)?
    {
        return Ok(vec![y.into()]);
    }
    let low = g.like(smallest(g.dtype(x)), x)?;
    let padded = window.padded(g, x, &sizes, low)?;
    let y = over_places(g, &window, padded, |g, a, b| g.maximum(a, b))?;
    if !n.wants(1) {
        return Ok(vec![y.into()]);
    }
    let at = positions(g, &window, padded, y, x, by_columns)?;
    Ok(vec![y.into(), at.into()])
}

/// The position in the images of the first largest value of each window.
fn positions(
    g: &mut Build<'_>,
    window: &Window,
    padded: Val,
    y: Val,
    x: Val,
    by_columns: bool,
) -> Result<Val> {
    let dims = g.dims(x)?;
    let numbers = g.iota(terms::len(&dims)?)?;
    let numbers = if by_columns {
        // The axes after the channels are counted with the first one fastest.
        let turned: Vec<usize> = dims[..2]
            .iter()
            .chain(dims[2..].iter().rev())
            .copied()
            .collect();
        let all = g.reshape(numbers, &signed(&turned))?;
        let rank = dims.len() as i64;
        let perm: Vec<i64> = [0, 1].into_iter().chain((2..rank).rev()).collect();
        g.transpose(all, &perm)?
    } else {
        g.reshape(numbers, &signed(&dims))?
    };
    let none = g.int(i64::MAX);
    let numbers = window.padded(g, numbers, &dims[2..], none)?;
    let mut first: Option<Val> = None;
    for place in window.places()? {
        let (value, at) = (
            window.at(g, padded, &place)?,
            window.at(g, numbers, &place)?,
        );
        let is_largest = g.equal(value, y)?;
        let at = g.select(is_largest, at, none)?;
        first = Some(first.map_or(Ok(at), |first| g.minimum(first, at))?);
    }
    first.map_or_else(|| invalid("a window without places"), Ok)
}

fn average_pool(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let window = window(n, g, x)?;
    let sizes = spatial(g, x)?;
    let counts_padding = n.flag("count_include_pad", false)?;
    if !counts_padding && let Some(y) = pool2d(g, &ops::AVG_POOL2D, x, &window, &sizes)? {
        return Ok(y);
    }
    let zero = g.like(0.0, x)?;
    let padded = window.padded(g, x, &sizes, zero)?;
    let sum = over_places(g, &window, padded, |g, a, b| g.add(a, b))?;
    let counted = counted(g, x, &window, &sizes, counts_padding)?;
    g.div(sum, counted)
}

/// How many positions of each window count.
fn counted(
    g: &mut Build<'_>,
    x: Val,
    window: &Window,
    sizes: &[usize],
    counts_padding: bool,
) -> Result<Val> {
    let (zero, one) = (g.like(0.0, x)?, g.like(1.0, x)?);
    let (ones, before) = if counts_padding {
        let wide: Vec<usize> = (0..sizes.len())
            .map(|n| sizes[n] + window.before[n] + window.after[n])
            .collect();
        (wide, vec![0; sizes.len()])
    } else {
        (sizes.to_vec(), window.before.clone())
    };
    let all = g.fill(one, &ones)?;
    let window = Window {
        before,
        ..window.clone()
    };
    let padded = window.padded(g, all, &ones, zero)?;
    over_places(g, &window, padded, |g, a, b| g.add(a, b))
}

/// The power of the norm.
fn power(n: &Node<'_>) -> Result<f64> {
    if n.version < 2 {
        return Ok(n.float("p")?.unwrap_or(2.0));
    }
    Ok(n.int("p")?.unwrap_or(2) as f64)
}

fn to_power(g: &mut Build<'_>, x: Val, p: f64) -> Result<Val> {
    let (x, p) = (g.abs(x)?, g.like(p, x)?);
    g.pow(x, p)
}

fn root(g: &mut Build<'_>, x: Val, p: f64) -> Result<Val> {
    let p = g.like(1.0 / p, x)?;
    g.pow(x, p)
}

fn lp_pool(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let window = window(n, g, x)?;
    let sizes = spatial(g, x)?;
    let p = power(n)?;
    let zero = g.like(0.0, x)?;
    let padded = window.padded(g, x, &sizes, zero)?;
    let powers = to_power(g, padded, p)?;
    let sum = over_places(g, &window, powers, |g, a, b| g.add(a, b))?;
    root(g, sum, p)
}

/// Writes values at positions in the images that they were taken from.
fn max_unpool(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, at) = (n.tensor(0)?, n.tensor(1)?);
    let (dims, sizes) = (g.dims(x)?, spatial(g, x)?);
    let size = super::window::each(n, "kernel_shape", sizes.len())?;
    let strides = super::window::each(n, "strides", sizes.len())?;
    let (before, after) = super::window::pads(n, sizes.len())?;
    let grown = |axis: usize| {
        let full = sizes[axis].saturating_sub(1) * strides[axis] + size[axis];
        full.saturating_sub(before[axis] + after[axis])
    };
    let own: Vec<usize> = dims[..2]
        .iter()
        .copied()
        .chain((0..sizes.len()).map(grown))
        .collect();
    let shape = match n.known_ints(2, g)? {
        Some(shape) => super::shape::sizes_of(&shape)?,
        None => own.clone(),
    };
    if shape.len() != own.len() {
        return invalid("the output shape has another rank");
    }
    // The positions are those in images of the smaller size.
    let zero = g.like(0.0, x)?;
    let flat = g.fill(zero, &[terms::len(&own)?])?;
    let (rows, values) = (g.reshape(at, &[-1, 1])?, g.reshape(x, &[-1])?);
    let rows = g.index_of(rows)?;
    let images = g.scatter_update(flat, rows, values)?;
    let images = g.reshape(images, &signed(&own))?;
    let more: Vec<i64> = shape
        .iter()
        .zip(&own)
        .map(|(a, b)| *a as i64 - *b as i64)
        .collect();
    g.pad(images, &vec![0; own.len()], &more, zero)
}

/// Adds columns, one for each place of a window, to images.
fn col2im(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let images = n.known_ints(1, g)?.unwrap_or_default();
    let block = n.known_ints(2, g)?.unwrap_or_default();
    let (images, block) = (
        super::shape::sizes_of(&images)?,
        super::shape::sizes_of(&block)?,
    );
    let window = Window::of(n, &images, block)?;
    let [batch, rows, columns] = g.dims(x)?[..] else {
        return invalid("it takes columns of rank 3");
    };
    let places = window.places()?;
    let windows = terms::len(&window.counts)?;
    if !rows.is_multiple_of(places.len()) || columns != windows {
        return invalid("the columns don't fit the window and the images");
    }
    let channels = rows / places.len();
    let split: Vec<usize> = [&[batch, channels, places.len()], window.counts.as_slice()].concat();
    let x = g.reshape(x, &signed(&split))?;
    let wide: Vec<usize> = (0..images.len())
        .map(|n| images[n] + window.before[n] + window.after[n])
        .collect();
    let mut sum: Option<Val> = None;
    for (n, place) in places.iter().enumerate() {
        let at = g.int(n as i64);
        let part = g.index_axis(x, at, 2)?;
        let placed = placed(g, part, &window, place, &wide)?;
        sum = Some(sum.map_or(Ok(placed), |sum| g.add(sum, placed))?);
    }
    let Some(mut sum) = sum else {
        return invalid("a window without places");
    };
    for (axis, size) in images.iter().enumerate() {
        sum = g.part(
            sum,
            axis + 2,
            window.before[axis],
            window.before[axis] + size,
        )?;
    }
    Ok(sum)
}

/// The values at one position of each window, in padded images with zeros elsewhere.
fn placed(
    g: &mut Build<'_>,
    x: Val,
    window: &Window,
    place: &[usize],
    wide: &[usize],
) -> Result<Val> {
    let mut x = x;
    let zero = g.like(0.0, x)?;
    let (mut before, mut after) = (vec![0i64; 2], vec![0i64; 2]);
    for axis in 0..place.len() {
        x = super::conv::spread(g, x, axis + 2, window.strides[axis])?;
        let begin = place[axis] * window.dilations[axis];
        let size = g.dims(x)?[axis + 2];
        before.push(begin as i64);
        after.push(wide[axis] as i64 - (begin + size) as i64);
    }
    g.pad(x, &before, &after, zero)
}
