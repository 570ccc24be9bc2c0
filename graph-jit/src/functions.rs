//! The elementwise functions that are a few machine instructions. The others are called.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::FunctionBuilder;
use graph_kernels::{DType, ElementOp};

use crate::kind::{Class, Kind};

/// The dtype that a function calculates with, as it is in machine code.
#[derive(Clone, Copy)]
pub struct Number {
    pub class: Class,
    pub kind: Kind,
}

impl Number {
    /// `None` for strings.
    pub fn of(dtype: DType) -> Option<Number> {
        Some(Number {
            class: Class::of(dtype)?,
            kind: Kind::of(dtype)?,
        })
    }
}

/// The value of a function that can't fail; `None` if it must be called, or fails.
pub fn native(
    b: &mut FunctionBuilder<'_>,
    op: ElementOp,
    dtype: DType,
    v: &[Value],
) -> Option<Value> {
    let number = Number::of(dtype)?;
    if op == ElementOp::Select {
        return Some(b.ins().select(v[0], v[1], v[2]));
    }
    if let Some((integer, float)) = condition(op) {
        return compare(b, number, (integer, float), v);
    }
    let (_, output) = op.signature(dtype)?;
    if ElementOp::conversion(output) == Some(op) {
        return convert(b, number, Number::of(output)?, v[0]);
    }
    match number.class {
        Class::Signed | Class::Unsigned => integer(b, op, number, v),
        Class::Float => float(b, op, number, v),
        Class::Bool => truth(b, op, v),
        Class::Half => None,
    }
}

/// The conditions of a comparison, between signed integers and between floats.
fn condition(op: ElementOp) -> Option<(IntCC, FloatCC)> {
    Some(match op {
        ElementOp::Less => (IntCC::SignedLessThan, FloatCC::LessThan),
        ElementOp::LessEqual => (IntCC::SignedLessThanOrEqual, FloatCC::LessThanOrEqual),
        ElementOp::Greater => (IntCC::SignedGreaterThan, FloatCC::GreaterThan),
        ElementOp::GreaterEqual => (IntCC::SignedGreaterThanOrEqual, FloatCC::GreaterThanOrEqual),
        ElementOp::Equal => (IntCC::Equal, FloatCC::Equal),
        ElementOp::NotEqual => (IntCC::NotEqual, FloatCC::NotEqual),
        _ => return None,
    })
}

fn compare(
    b: &mut FunctionBuilder<'_>,
    number: Number,
    (integer, float): (IntCC, FloatCC),
    v: &[Value],
) -> Option<Value> {
    match number.class {
        Class::Signed => Some(b.ins().icmp(integer, v[0], v[1])),
        Class::Unsigned | Class::Bool => Some(b.ins().icmp(integer.unsigned(), v[0], v[1])),
        Class::Float => Some(b.ins().fcmp(float, v[0], v[1])),
        Class::Half => None,
    }
}

/// The value in another dtype, as Rust's `as` has it.
fn convert(b: &mut FunctionBuilder<'_>, from: Number, to: Number, v: Value) -> Option<Value> {
    let whole = from.class.is_integer() || from.class == Class::Bool;
    Some(match to.class {
        Class::Bool if whole => b.ins().icmp_imm_u(IntCC::NotEqual, v, 0),
        Class::Bool if from.class == Class::Float => {
            let zero = zero(b, from.kind);
            b.ins().fcmp(FloatCC::NotEqual, v, zero)
        }
        Class::Signed | Class::Unsigned if whole => resize(b, from, to.kind, v),
        Class::Signed if from.class == Class::Float && matches!(to.kind, Kind::I32 | Kind::I64) => {
            b.ins().fcvt_to_sint_sat(to.kind.ty(), v)
        }
        Class::Float if whole => {
            let wide = resize(b, from, Kind::I64, v);
            match (from.class, from.kind) {
                (Class::Unsigned, Kind::I64) => b.ins().fcvt_from_uint(to.kind.ty(), wide),
                _ => b.ins().fcvt_from_sint(to.kind.ty(), wide),
            }
        }
        Class::Float => match (from.kind, to.kind) {
            (Kind::F32, Kind::F64) => b.ins().fpromote(types::F64, v),
            (Kind::F64, Kind::F32) => b.ins().fdemote(types::F32, v),
            (from, to) if from == to => v,
            _ => return None,
        },
        _ => return None,
    })
}

/// An integer or truth value with another number of bits.
fn resize(b: &mut FunctionBuilder<'_>, from: Number, to: Kind, v: Value) -> Value {
    let (now, then) = (from.kind.ty().bits(), to.ty().bits());
    match (now.cmp(&then), from.class) {
        (std::cmp::Ordering::Equal, _) => v,
        (std::cmp::Ordering::Greater, _) => b.ins().ireduce(to.ty(), v),
        (std::cmp::Ordering::Less, Class::Signed) => b.ins().sextend(to.ty(), v),
        (std::cmp::Ordering::Less, _) => b.ins().uextend(to.ty(), v),
    }
}

/// The float 0.
fn zero(b: &mut FunctionBuilder<'_>, kind: Kind) -> Value {
    constant(b, kind, 0.0)
}

/// A float that both kinds of floats have.
fn constant(b: &mut FunctionBuilder<'_>, kind: Kind, value: f32) -> Value {
    match kind {
        Kind::F64 => b.ins().f64const(f64::from(value)),
        _ => b.ins().f32const(value),
    }
}

fn integer(
    b: &mut FunctionBuilder<'_>,
    op: ElementOp,
    number: Number,
    v: &[Value],
) -> Option<Value> {
    let signed = number.class == Class::Signed;
    Some(match op {
        ElementOp::Add => b.ins().iadd(v[0], v[1]),
        ElementOp::Sub => b.ins().isub(v[0], v[1]),
        ElementOp::Mul => b.ins().imul(v[0], v[1]),
        ElementOp::Square => b.ins().imul(v[0], v[0]),
        ElementOp::Neg => b.ins().ineg(v[0]),
        ElementOp::SquaredDifference => {
            let difference = b.ins().isub(v[0], v[1]);
            b.ins().imul(difference, difference)
        }
        ElementOp::Abs if signed => b.ins().iabs(v[0]),
        ElementOp::Abs => v[0],
        ElementOp::Maximum if signed => b.ins().smax(v[0], v[1]),
        ElementOp::Minimum if signed => b.ins().smin(v[0], v[1]),
        ElementOp::Maximum => b.ins().umax(v[0], v[1]),
        ElementOp::Minimum => b.ins().umin(v[0], v[1]),
        ElementOp::BitAnd => b.ins().band(v[0], v[1]),
        ElementOp::BitOr => b.ins().bor(v[0], v[1]),
        ElementOp::BitXor => b.ins().bxor(v[0], v[1]),
        ElementOp::BitNot => b.ins().bnot(v[0]),
        ElementOp::LeftShift | ElementOp::RightShift => {
            let by = shift(b, number, v[1]);
            match op {
                ElementOp::LeftShift => b.ins().ishl(v[0], by),
                _ if signed => b.ins().sshr(v[0], by),
                _ => b.ins().ushr(v[0], by),
            }
        }
        _ => return None,
    })
}

/// The number of bits to shift by: none is less than 0, or more than one less than the number's own.
fn shift(b: &mut FunctionBuilder<'_>, number: Number, by: Value) -> Value {
    let ty = number.kind.ty();
    let most = b.ins().iconst(ty, i64::from(ty.bits()) - 1);
    if number.class == Class::Unsigned {
        return b.ins().umin(by, most);
    }
    let least = b.ins().iconst(ty, 0);
    let by = b.ins().smax(by, least);
    b.ins().smin(by, most)
}

fn float(b: &mut FunctionBuilder<'_>, op: ElementOp, number: Number, v: &[Value]) -> Option<Value> {
    let kind = number.kind;
    Some(match op {
        ElementOp::Add => b.ins().fadd(v[0], v[1]),
        ElementOp::Sub => b.ins().fsub(v[0], v[1]),
        ElementOp::Mul => b.ins().fmul(v[0], v[1]),
        ElementOp::Square => b.ins().fmul(v[0], v[0]),
        ElementOp::Div | ElementOp::TrueDiv => b.ins().fdiv(v[0], v[1]),
        ElementOp::FloorDiv => {
            let quotient = b.ins().fdiv(v[0], v[1]);
            b.ins().floor(quotient)
        }
        ElementOp::SquaredDifference => {
            let difference = b.ins().fsub(v[0], v[1]);
            b.ins().fmul(difference, difference)
        }
        ElementOp::DivNoNan => {
            let zero = zero(b, kind);
            let quotient = b.ins().fdiv(v[0], v[1]);
            let by_zero = b.ins().fcmp(FloatCC::Equal, v[1], zero);
            b.ins().select(by_zero, zero, quotient)
        }
        ElementOp::Neg => b.ins().fneg(v[0]),
        ElementOp::Abs => b.ins().fabs(v[0]),
        ElementOp::Sqrt => b.ins().sqrt(v[0]),
        ElementOp::Reciprocal => {
            let one = constant(b, kind, 1.0);
            b.ins().fdiv(one, v[0])
        }
        ElementOp::Rsqrt => {
            let one = constant(b, kind, 1.0);
            let root = b.ins().sqrt(v[0]);
            b.ins().fdiv(one, root)
        }
        ElementOp::Floor => b.ins().floor(v[0]),
        ElementOp::Ceil => b.ins().ceil(v[0]),
        ElementOp::Trunc => b.ins().trunc(v[0]),
        ElementOp::Round => b.ins().nearest(v[0]),
        ElementOp::Relu => {
            let zero = zero(b, kind);
            let less = b.ins().fcmp(FloatCC::LessThan, v[0], zero);
            b.ins().select(less, zero, v[0])
        }
        // Of two zeros the second one is the result, and a NaN is, which the instructions for this decide in other ways.
        ElementOp::Maximum | ElementOp::Minimum => {
            let better = match op {
                ElementOp::Maximum => FloatCC::GreaterThan,
                _ => FloatCC::LessThan,
            };
            let better = b.ins().fcmp(better, v[0], v[1]);
            let nan = b.ins().fcmp(FloatCC::Unordered, v[0], v[0]);
            let first = b.ins().bor(better, nan);
            b.ins().select(first, v[0], v[1])
        }
        ElementOp::IsNan => b.ins().fcmp(FloatCC::Unordered, v[0], v[0]),
        ElementOp::IsInf | ElementOp::IsFinite => {
            let infinity = constant(b, kind, f32::INFINITY);
            let magnitude = b.ins().fabs(v[0]);
            let condition = match op {
                ElementOp::IsInf => FloatCC::Equal,
                _ => FloatCC::LessThan,
            };
            b.ins().fcmp(condition, magnitude, infinity)
        }
        _ => return None,
    })
}

fn truth(b: &mut FunctionBuilder<'_>, op: ElementOp, v: &[Value]) -> Option<Value> {
    Some(match op {
        ElementOp::LogicalAnd | ElementOp::BitAnd => b.ins().band(v[0], v[1]),
        ElementOp::LogicalOr | ElementOp::BitOr => b.ins().bor(v[0], v[1]),
        ElementOp::LogicalXor | ElementOp::BitXor => b.ins().bxor(v[0], v[1]),
        ElementOp::LogicalNot => b.ins().bxor_imm_u(v[0], 1),
        _ => return None,
    })
}
