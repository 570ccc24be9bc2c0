//! Elementwise arithmetic.

use graph_ir::ops::{self, OpDef};
use graph_kernels::DType;

use super::common::{choose, compare, with_number};
use super::{Use, Write, Written, direct};
use crate::onnx::export::writer::{Tensor, Writer};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::ADD, add),
    (&ops::SUB, direct),
    (&ops::MUL, direct),
    (&ops::DIV, direct),
    (&ops::REM, rem),
    (&ops::TRUE_DIV, true_div),
    (&ops::FLOOR_DIV, floor_div),
    (&ops::FLOOR_MOD, floor_mod),
    (&ops::POW, direct),
    (&ops::MAXIMUM, direct),
    (&ops::MINIMUM, direct),
    (&ops::BIT_AND, bits),
    (&ops::BIT_OR, bits),
    (&ops::BIT_XOR, bits),
    (&ops::LEFT_SHIFT, left_shift),
    (&ops::RIGHT_SHIFT, right_shift),
    (&ops::NEG, neg),
    (&ops::ABS, direct),
    (&ops::SIGN, direct),
    (&ops::SQUARE, square),
    (&ops::RELU, relu),
    (&ops::BIT_NOT, direct),
    (&ops::EXP, direct),
    (&ops::LOG, direct),
    (&ops::SQRT, direct),
    (&ops::RSQRT, rsqrt),
    (&ops::SIN, direct),
    (&ops::COS, direct),
    (&ops::TANH, direct),
    (&ops::SIGMOID, direct),
    (&ops::FLOOR, direct),
    (&ops::CEIL, direct),
    (&ops::ROUND, direct),
    (&ops::IS_NAN, direct),
    (&ops::CAST, cast),
];

fn add(u: &mut Use<'_>) -> Written {
    if u.dtype() == DType::Str {
        u.since(20, "to join strings")?;
        return Ok(u.result("StringConcat", &[&u.x[0], &u.x[1]]));
    }
    direct(u)
}

/// The remainder with the dividend's sign. `Mod` gives integers the divisor's, or computes them as floats.
fn rem(u: &mut Use<'_>) -> Written {
    let (a, b, dtype) = (&u.x[0], &u.x[1], u.dtype());
    if dtype.is_float() {
        let ty = u.ty.clone();
        return Ok(u.w.op("Mod", &[a, b]).int("fmod", 1).gives(ty));
    }
    let rest = u.w.op("Mod", &[a, b]).of(dtype);
    if dtype.is_unsigned() {
        return Ok(rest);
    }
    let off = is_off(u.w, &rest, a, b);
    let moved = u.w.op("Sub", &[&rest, b]).of(dtype);
    Ok(choose(u.w, &off, &moved, &rest))
}

fn true_div(u: &mut Use<'_>) -> Written {
    let dtype = u.ty.dtype;
    let (a, b) = (u.w.cast(&u.x[0], dtype), u.w.cast(&u.x[1], dtype));
    Ok(u.result("Div", &[&a, &b]))
}

/// Where a remainder isn't 0 and two values have different signs.
fn is_off(w: &mut Writer, rest: &Tensor, a: &Tensor, b: &Tensor) -> Tensor {
    let none = compare(w, "Equal", rest, 0.0);
    let some = w.op("Not", &[&none]).of(DType::Bool);
    let (of_a, of_b) = (compare(w, "Less", a, 0.0), compare(w, "Less", b, 0.0));
    let differ = w.op("Xor", &[&of_a, &of_b]).of(DType::Bool);
    w.op("And", &[&some, &differ]).of(DType::Bool)
}

/// ONNX divides integers towards 0. (What is off isn't found by a product with the quotient: onnxruntime takes 1 / x * y for y / x, of integers, too.)
fn floor_div(u: &mut Use<'_>) -> Written {
    let (a, b, dtype) = (&u.x[0], &u.x[1], u.dtype());
    let quotient = u.w.op("Div", &[a, b]).of(dtype);
    if dtype.is_float() {
        return Ok(u.result("Floor", &[&quotient]));
    }
    if dtype.is_unsigned() {
        return Ok(quotient);
    }
    let rest = u.w.op("Mod", &[a, b]).of(dtype);
    let off = is_off(u.w, &rest, a, b);
    let off = u.w.cast(&off, dtype);
    Ok(u.result("Sub", &[&quotient, &off]))
}

/// `Mod` has the divisor's sign for integers; for floats it can only have the dividend's.
fn floor_mod(u: &mut Use<'_>) -> Written {
    let (a, b, dtype) = (&u.x[0], &u.x[1], u.dtype());
    if !dtype.is_float() {
        return direct(u);
    }
    let rest = u.w.op("Mod", &[a, b]).int("fmod", 1).of(dtype);
    let off = is_off(u.w, &rest, &rest, b);
    let moved = u.w.op("Add", &[&rest, b]).of(dtype);
    Ok(choose(u.w, &off, &moved, &rest))
}

fn bits(u: &mut Use<'_>) -> Written {
    let operator = u.op.onnx.ok_or("no operator is named")?;
    let operator = match u.dtype() {
        DType::Bool => operator.trim_start_matches("Bitwise"),
        _ => operator,
    };
    Ok(u.result(operator, &[&u.x[0], &u.x[1]]))
}

/// The integers without a sign of the same width, whose bits `BitShift` moves.
fn unsigned(dtype: DType) -> DType {
    match dtype {
        DType::I8 => DType::U8,
        DType::I16 => DType::U16,
        DType::I32 => DType::U32,
        DType::I64 => DType::U64,
        other => other,
    }
}

/// The operands of a shift: the bits, and by how many, from 0 to all but one.
fn shifted(u: &mut Use<'_>, x: &Tensor, direction: &str) -> Tensor {
    let (dtype, most) = (u.dtype(), u.dtype().bytes() as f64 * 8.0 - 1.0);
    let by = match dtype.is_unsigned() {
        true => u.x[1].clone(),
        false => with_number(u.w, "Max", &u.x[1], 0.0),
    };
    let by = with_number(u.w, "Min", &by, most);
    let (x, by) = (u.w.cast(x, unsigned(dtype)), u.w.cast(&by, unsigned(dtype)));
    let moved = u.w.op("BitShift", &[&x, &by]).text("direction", direction);
    let moved = moved.of(unsigned(dtype));
    u.w.cast(&moved, dtype)
}

fn left_shift(u: &mut Use<'_>) -> Written {
    Ok(shifted(u, &u.x[0].clone(), "LEFT"))
}

/// The sign stays: the bits of a negative number are moved inverted.
fn right_shift(u: &mut Use<'_>) -> Written {
    let x = u.x[0].clone();
    if u.dtype().is_unsigned() {
        return Ok(shifted(u, &x, "RIGHT"));
    }
    let negative = compare(u.w, "Less", &x, 0.0);
    let inverted = u.w.op("BitwiseNot", &[&x]).like(&x);
    let positive = choose(u.w, &negative, &inverted, &x);
    let moved = shifted(u, &positive, "RIGHT");
    let inverted = u.w.op("BitwiseNot", &[&moved]).of(x.dtype());
    Ok(choose(u.w, &negative, &inverted, &moved))
}

fn neg(u: &mut Use<'_>) -> Written {
    if u.dtype().is_unsigned() {
        let zero = u.w.number(0.0, u.dtype());
        return Ok(u.result("Sub", &[&zero, &u.x[0]]));
    }
    direct(u)
}

fn square(u: &mut Use<'_>) -> Written {
    Ok(u.result("Mul", &[&u.x[0], &u.x[0]]))
}

fn relu(u: &mut Use<'_>) -> Written {
    if u.dtype().is_float() {
        return direct(u);
    }
    let zero = u.w.number(0.0, u.dtype());
    Ok(u.result("Max", &[&u.x[0], &zero]))
}

fn rsqrt(u: &mut Use<'_>) -> Written {
    let root = u.w.op("Sqrt", &[&u.x[0]]).of(u.x[0].dtype());
    Ok(u.result("Reciprocal", &[&root]))
}

fn cast(u: &mut Use<'_>) -> Written {
    if u.ty.dtype == DType::Str && u.dtype() != DType::Str {
        return Err("ONNX doesn't say how a number is written as a string".to_owned());
    }
    Ok(u.w.cast(&u.x[0], u.ty.dtype))
}
