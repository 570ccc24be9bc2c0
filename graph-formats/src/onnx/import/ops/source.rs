//! Ops that make arrays from a few numbers: constants, ranges, random numbers.

use graph_ir::graph::Op;
use graph_ir::ops::{self, Attr, Attrs, OpDef};
use graph_ir::types::{Shape, TensorType};
use graph_kernels::{Array, DType};

use super::super::build::{Build, MAX_FOLDED, Val};
use super::super::error::{Fault, Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::One;
use super::super::table::Row;

pub(crate) const ROWS: &[Row] = &[
    ("Constant", One(constant)),
    ("ConstantOfShape", One(constant_of_shape)),
    ("Range", One(range)),
    ("EyeLike", One(eye_like)),
    (
        "RandomUniform",
        One(|n, g| random(n, g, [("low", 0.0), ("high", 1.0)], false, uniform_between)),
    ),
    (
        "RandomUniformLike",
        One(|n, g| random(n, g, [("low", 0.0), ("high", 1.0)], true, uniform_between)),
    ),
    (
        "RandomNormal",
        One(|n, g| random(n, g, [("mean", 0.0), ("scale", 1.0)], false, normal_of)),
    ),
    (
        "RandomNormalLike",
        One(|n, g| random(n, g, [("mean", 0.0), ("scale", 1.0)], true, normal_of)),
    ),
    ("Bernoulli", One(bernoulli)),
];

fn constant(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let text = |s: &String| s.clone();
    let mut found: Vec<Array> = Vec::new();
    found.extend(n.array("value")?);
    found.extend(n.sparse("sparse_value", g)?);
    found.extend(n.float("value_float")?.map(|v| Array::scalar(v as f32)));
    found.extend(n.int("value_int")?.map(Array::scalar));
    found.extend(n.text("value_string")?.map(|s| Array::scalar(s.to_owned())));
    found.extend(
        n.floats("value_floats")?
            .map(|v| Array::copy_of(&[v.len()], v)),
    );
    found.extend(n.ints("value_ints")?.map(|v| Array::copy_of(&[v.len()], v)));
    found.extend(
        n.texts("value_strings")?
            .map(|v| Array::copy_of(&[v.len()], &v.iter().map(text).collect::<Vec<String>>())),
    );
    match found.pop() {
        Some(array) if found.is_empty() => Ok(g.given(array)),
        _ => invalid("it takes exactly one value"),
    }
}

fn constant_of_shape(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let shape = n.tensor(0)?;
    let value = match n.array("value")? {
        None => Array::scalar(0f32),
        Some(value) if value.len() == 1 => value.reshaped(&[]),
        Some(value) => return invalid(format!("a value of {} elements", value.len())),
    };
    let value = g.constant(value);
    super::shape::filled(g, value, shape)
}

fn range(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let mut bounds = Vec::new();
    for at in 0..3 {
        let bound = n.tensor(at)?;
        bounds.push(if g.shape(bound).rank() == Some(0) {
            bound
        } else {
            g.reshape(bound, &[])?
        });
    }
    let known: Option<Vec<&Array>> = bounds
        .iter()
        .map(|bound| g.known(*bound).map(|array| &**array))
        .collect();
    let Some(known) = known else {
        return g.range(bounds[0], bounds[1], bounds[2]);
    };
    // The length is known, though the type rule doesn't see it.
    let len = graph_kernels::range_len(known[0], known[1], known[2])?;
    if len <= MAX_FOLDED {
        let mut out = Array::default();
        graph_kernels::range(known[0], known[1], known[2], &mut out)?;
        return Ok(g.constant(out));
    }
    let range = g.range(bounds[0], bounds[1], bounds[2])?;
    g.of_shape(range, Shape::known(&[len]))
}

fn eye_like(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let dtype = n.dtype("dtype")?.unwrap_or(g.dtype(x));
    let k = n.int("k")?.unwrap_or(0);
    let [rows, columns] = g.dims(x)?[..] else {
        return invalid("it takes a matrix");
    };
    let one = g.number(1.0, dtype)?;
    let ones = g.fill(one, &[rows, columns])?;
    let attrs = Attrs::new()
        .with("low", Attr::Int(k))
        .with("high", Attr::Int(k));
    g.op(&ops::BAND_PART, &[ones], attrs)
}

/// A seed: the attribute's, or another one in each run.
fn seed(g: &mut Build<'_>, given: Option<f64>) -> Result<Val> {
    if let Some(given) = given {
        return Ok(g.vector(&[0, given.to_bits() as i64]));
    }
    let ty = TensorType::new(DType::I64, Shape::known(&[2]));
    let seeds = g.node(Op::NextSeed(None), &[], vec![ty])?;
    Ok(seeds[0])
}

/// Random numbers of a shape.
fn draw(
    g: &mut Build<'_>,
    op: &'static OpDef,
    shape: Val,
    dtype: DType,
    given: Option<f64>,
) -> Result<Val> {
    let seed = seed(g, given)?;
    let sizes = match g.known_ints(shape, "the shape") {
        Ok(sizes) => Some(sizes),
        Err(Fault::NeedsValue(..)) => None,
        Err(fault) => return Err(fault),
    };
    let attrs = Attrs::new()
        .with("shape", Attr::Ints(sizes.clone().unwrap_or_default()))
        .with("dtype", Attr::DType(dtype));
    match sizes {
        Some(_) => g.op(op, &[seed], attrs),
        None => g.op(op, &[seed, shape], attrs),
    }
}

/// Numbers between 0 and 1.
pub(crate) fn uniform(
    g: &mut Build<'_>,
    shape: Val,
    dtype: DType,
    seed: Option<i64>,
) -> Result<Val> {
    draw(
        g,
        &ops::STATELESS_UNIFORM,
        shape,
        dtype,
        seed.map(|seed| seed as f64),
    )
}

/// What is drawn: the shape, the dtype, the seed and two parameters of the distribution.
struct Drawn {
    shape: Val,
    dtype: DType,
    seed: Option<f64>,
    parameters: [f64; 2],
}

fn random(
    n: &Node<'_>,
    g: &mut Build<'_>,
    names: [(&str, f64); 2],
    is_like: bool,
    f: impl FnOnce(&mut Build<'_>, &Drawn) -> Result<Val>,
) -> Result<Val> {
    let (shape, default) = if is_like {
        let x = n.tensor(0)?;
        (g.shape_of(x)?, g.dtype(x))
    } else {
        let shape = n.required("shape", n.ints("shape")?)?;
        (g.vector(shape), DType::F32)
    };
    let parameter = |(name, default)| Ok::<f64, Fault>(n.float(name)?.unwrap_or(default));
    let drawn = Drawn {
        shape,
        dtype: n.dtype("dtype")?.unwrap_or(default),
        seed: n.float("seed")?,
        parameters: [parameter(names[0])?, parameter(names[1])?],
    };
    f(g, &drawn)
}

fn uniform_between(g: &mut Build<'_>, drawn: &Drawn) -> Result<Val> {
    let x = draw(
        g,
        &ops::STATELESS_UNIFORM,
        drawn.shape,
        drawn.dtype,
        drawn.seed,
    )?;
    let [low, high] = drawn.parameters;
    let x = g.scale(x, high - low)?;
    g.shift(x, low)
}

fn normal_of(g: &mut Build<'_>, drawn: &Drawn) -> Result<Val> {
    let x = draw(
        g,
        &ops::STATELESS_NORMAL,
        drawn.shape,
        drawn.dtype,
        drawn.seed,
    )?;
    let [mean, deviation] = drawn.parameters;
    let x = g.scale(x, deviation)?;
    g.shift(x, mean)
}

fn bernoulli(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let dtype = n.dtype("dtype")?.unwrap_or(g.dtype(x));
    if dtype == DType::Str {
        return unsupported("strings");
    }
    let shape = g.shape_of(x)?;
    let drawn = draw(
        g,
        &ops::STATELESS_UNIFORM,
        shape,
        g.dtype(x),
        n.float("seed")?,
    )?;
    let hit = g.less(drawn, x)?;
    g.cast(hit, dtype)
}
