//! Elementwise arithmetic, comparisons, logic and conversions.

use graph_ir::ops::{self, Attrs, OpDef};
use graph_kernels::DType;

use super::super::build::{Build, Val};
use super::super::error::{Fault, Result, invalid, unsupported};
use super::super::node::Node;
use super::super::table::Import::{Many, One};
use super::super::table::Row;
use super::super::terms;
use super::super::value::Value;

pub(crate) const ROWS: &[Row] = &[
    ("Add", One(|n, g| binary(n, g, &ops::ADD))),
    ("Sub", One(|n, g| binary(n, g, &ops::SUB))),
    ("Mul", One(|n, g| binary(n, g, &ops::MUL))),
    ("Div", One(|n, g| binary(n, g, &ops::DIV))),
    ("And", One(|n, g| binary(n, g, &ops::LOGICAL_AND))),
    ("Or", One(|n, g| binary(n, g, &ops::LOGICAL_OR))),
    ("Xor", One(|n, g| binary(n, g, &ops::LOGICAL_XOR))),
    ("Equal", One(|n, g| binary(n, g, &ops::EQUAL))),
    ("Less", One(|n, g| binary(n, g, &ops::LESS))),
    ("Greater", One(|n, g| binary(n, g, &ops::GREATER))),
    ("Pow", One(pow)),
    ("Mod", One(modulo)),
    ("Max", One(|n, g| fold(n, g, &ops::MAXIMUM))),
    ("Min", One(|n, g| fold(n, g, &ops::MINIMUM))),
    ("Sum", One(|n, g| fold(n, g, &ops::ADD))),
    ("Mean", One(mean)),
    ("BitShift", One(bit_shift)),
    ("Identity", Many(identity)),
    ("Cast", One(cast)),
    ("CastLike", One(cast_like)),
    ("BitCast", One(bit_cast)),
    ("Clip", One(clip)),
    ("IsInf", One(is_inf)),
    ("Dropout", Many(dropout)),
];

/// Two operands. Before version 7, the second one broadcasts only if an attribute says so, and begins at the axis in another.
fn binary(n: &Node<'_>, g: &mut Build<'_>, op: &'static OpDef) -> Result<Val> {
    let (a, b) = (n.tensor(0)?, n.tensor(1)?);
    let b = if n.version < 7 {
        placed(n, g, a, b)?
    } else {
        b
    };
    if n.version < 6 {
        n.ints("consumed_inputs")?;
    }
    g.op(op, &[a, b], Attrs::new())
}

/// The second operand with axes of size 1 behind it, as many as the attribute `axis` leaves.
fn placed(n: &Node<'_>, g: &mut Build<'_>, a: Val, b: Val) -> Result<Val> {
    let broadcasts = n.flag("broadcast", false)?;
    let Some(axis) = n.int("axis")?.filter(|_| broadcasts) else {
        return Ok(b);
    };
    let (rank, own) = (g.rank(a)?, g.rank(b)?);
    let axis = terms::axis(axis, rank)?;
    let mut b = b;
    for _ in (axis + own).min(rank)..rank {
        b = g.expand_dims(b, -1)?;
    }
    Ok(b)
}

/// The exponent may have another dtype. An integer to a power that isn't one is calculated in float64.
fn pow(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (a, b) = (n.tensor(0)?, n.tensor(1)?);
    let b = if n.version < 7 {
        placed(n, g, a, b)?
    } else {
        b
    };
    let dtype = g.dtype(a);
    if dtype.is_integer() && g.dtype(b).is_float() {
        let (a, b) = (g.cast(a, DType::F64)?, g.cast(b, DType::F64)?);
        let power = g.pow(a, b)?;
        return g.cast(power, dtype);
    }
    let b = g.cast(b, dtype)?;
    g.pow(a, b)
}

fn modulo(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (a, b) = (n.tensor(0)?, n.tensor(1)?);
    let truncates = n.flag("fmod", false)?;
    g.op(
        if truncates {
            &ops::REM
        } else {
            &ops::FLOOR_MOD
        },
        &[a, b],
        Attrs::new(),
    )
}

/// Any number of operands, which broadcast.
fn fold(n: &Node<'_>, g: &mut Build<'_>, op: &'static OpDef) -> Result<Val> {
    if n.version < 6 {
        n.ints("consumed_inputs")?;
    }
    let operands = n.tensors()?;
    let Some((first, rest)) = operands.split_first() else {
        return invalid("it takes at least one operand");
    };
    rest.iter()
        .try_fold(*first, |sum, x| g.op(op, &[sum, *x], Attrs::new()))
}

fn mean(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let sum = fold(n, g, &ops::ADD)?;
    let count = g.like(n.len() as f64, sum)?;
    g.div(sum, count)
}

/// A shift by the width or more, or by a negative number, leaves only the sign.
fn bit_shift(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let (x, by) = (n.tensor(0)?, n.tensor(1)?);
    let is_left = match n.required("direction", n.text("direction")?)? {
        "LEFT" => true,
        "RIGHT" => false,
        other => return invalid(format!("the direction `{other}`")),
    };
    let width = 8.0 * g.dtype(x).bytes() as f64;
    let (zero, width, most) = (g.like(0.0, x)?, g.like(width, x)?, g.like(width - 1.0, x)?);
    let (is_small, is_negative) = (g.less(by, width)?, g.less(by, zero)?);
    let not_negative = g.not(is_negative)?;
    let fits = g.and(is_small, not_negative)?;
    if is_left || g.dtype(x).is_unsigned() {
        let op = if is_left {
            &ops::LEFT_SHIFT
        } else {
            &ops::RIGHT_SHIFT
        };
        let shifted = g.op(op, &[x, by], Attrs::new())?;
        return g.select(fits, shifted, zero);
    }
    let by = g.select(fits, by, most)?;
    g.op(&ops::RIGHT_SHIFT, &[x, by], Attrs::new())
}

fn identity(n: &Node<'_>, _: &mut Build<'_>) -> Result<Vec<Value>> {
    match n.value(0) {
        Some(value) => Ok(vec![value.clone()]),
        None => invalid("operand 0 is missing"),
    }
}

fn cast(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    n.flag("saturate", true)?;
    n.text("round_mode")?;
    let dtype = if n.version < 6 {
        n.text("to")?.and_then(|name| match name {
            "FLOAT" => Some(DType::F32),
            "DOUBLE" => Some(DType::F64),
            name => DType::from_name(&name.to_lowercase()),
        })
    } else {
        n.dtype("to")?
    };
    let dtype = n.required("to", dtype)?;
    convert(g, n.tensor(0)?, dtype)
}

fn cast_like(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    n.flag("saturate", true)?;
    n.text("round_mode")?;
    let dtype = g.dtype(n.tensor(1)?);
    convert(g, n.tensor(0)?, dtype)
}

/// The same bits as another dtype: here, of integers only, whose casts keep the low bits.
fn bit_cast(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let (from, to) = (g.dtype(x), n.required("to", n.dtype("to")?)?);
    if from.bytes() != to.bytes() {
        return invalid(format!("the bits of {from} as {to}"));
    }
    let is_kept = |dtype: DType| dtype.is_integer() || dtype == DType::Bool;
    if from == to || (is_kept(from) && to.is_integer()) {
        return g.cast(x, to);
    }
    unsupported(format!("the bits of {from} as {to}"))
}

/// Floats become integers by way of int64, which keeps the low bits as other implementations do.
fn convert(g: &mut Build<'_>, x: Val, dtype: DType) -> Result<Val> {
    let from = g.dtype(x);
    if dtype == DType::Str && from == DType::Bool {
        return unsupported("truth values as strings");
    }
    let narrow = dtype.is_integer() && dtype != DType::I64 && dtype != DType::U64;
    if from.is_float() && narrow {
        let wide = g.cast(x, DType::I64)?;
        return g.cast(wide, dtype);
    }
    g.cast(x, dtype)
}

fn clip(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let bounds = if n.version < 11 {
        if n.version < 6 {
            n.ints("consumed_inputs")?;
        }
        let mut bound = |value: Option<f64>| value.map(|value| g.like(value, x)).transpose();
        [bound(n.float("min")?)?, bound(n.float("max")?)?]
    } else {
        [n.optional(1)?, n.optional(2)?]
    };
    let [low, high] = bounds;
    let x = low.map_or(Ok(x), |low| g.maximum(x, low))?;
    high.map_or(Ok(x), |high| g.minimum(x, high))
}

fn is_inf(n: &Node<'_>, g: &mut Build<'_>) -> Result<Val> {
    let x = n.tensor(0)?;
    let zero = g.like(0.0, x)?;
    let infinite = g.is_inf(x)?;
    match (
        n.flag("detect_negative", true)?,
        n.flag("detect_positive", true)?,
    ) {
        (true, true) => Ok(infinite),
        (false, false) => g.less(x, x),
        (true, false) => {
            let negative = g.less(x, zero)?;
            g.and(infinite, negative)
        }
        (false, true) => {
            let positive = g.greater(x, zero)?;
            g.and(infinite, positive)
        }
    }
}

/// Does nothing, unless it trains.
fn dropout(n: &Node<'_>, g: &mut Build<'_>) -> Result<Vec<Value>> {
    let x = n.tensor(0)?;
    let (ratio, training, seed) = if n.version < 12 {
        if n.version < 7 && !n.flag("is_test", false)? {
            return unsupported("dropout of training, with the attribute `is_test` 0");
        }
        if n.version < 6 {
            n.ints("consumed_inputs")?;
        }
        n.float("ratio")?;
        (None, None, None)
    } else {
        (n.optional(1)?, n.optional(2)?, n.int("seed")?)
    };
    let trains = match training {
        Some(flag) => match g.known_flag(flag) {
            Some(trains) => trains,
            None => {
                return Err(Fault::NeedsValue("whether it trains".to_owned(), flag));
            }
        },
        None => false,
    };
    let yes = g.number(1.0, DType::Bool)?;
    if !trains {
        let shape = g.shape_of(x)?;
        let mask = super::shape::filled(g, yes, shape)?;
        let mask = match n.version {
            ..10 => g.cast(mask, g.dtype(x))?,
            _ => mask,
        };
        return Ok(vec![x.into(), mask.into()]);
    }
    let ratio = match ratio {
        Some(ratio) => g.cast(ratio, DType::F32)?,
        None => g.number(0.5, DType::F32)?,
    };
    let shape = g.shape_of(x)?;
    let drawn = super::source::uniform(g, shape, DType::F32, seed)?;
    let mask = g.greater_equal(drawn, ratio)?;
    let one = g.number(1.0, DType::F32)?;
    let kept = g.sub(one, ratio)?;
    let kept = g.cast(kept, g.dtype(x))?;
    let scaled = g.div(x, kept)?;
    let zero = g.like(0.0, x)?;
    let out = g.select(mask, scaled, zero)?;
    Ok(vec![out.into(), mask.into()])
}
