//! Quotients and remainders of integers. The machine's division stops the process if it divides by zero, or the lowest number by -1, so
//! these cases don't reach it.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value};
use cranelift_frontend::FunctionBuilder;
use graph_kernels::{DType, ElementOp};

use crate::by_constant;

/// True for a division that [`divide`] makes code of.
pub fn divides(op: ElementOp, dtype: DType) -> bool {
    let integer = matches!(dtype, DType::I32 | DType::I64);
    let division = matches!(
        op,
        ElementOp::Div | ElementOp::Rem | ElementOp::FloorDiv | ElementOp::FloorMod
    );
    integer && division
}

/// The quotient or remainder of `a` by `d`, which isn't zero. `constant` is the value of `d`, if it is known.
pub fn divide(
    b: &mut FunctionBuilder<'_>,
    op: ElementOp,
    ty: Type,
    [a, d]: [Value; 2],
    constant: Option<i64>,
) -> Value {
    if let Some(exponent) = constant.and_then(by_constant::exponent) {
        return match op {
            ElementOp::Div => by_constant::quotient(b, ty, a, exponent),
            ElementOp::Rem => by_constant::remainder(b, ty, a, exponent),
            ElementOp::FloorDiv => b.ins().sshr_imm_u(a, exponent),
            _ => b.ins().band_imm_s(a, (1 << exponent) - 1),
        };
    }
    // The quotient by -1 is the negative number, and the remainder is that by 1.
    let negates = match constant {
        Some(-1) | None => Some(b.ins().icmp_imm_s(IntCC::Equal, d, -1)),
        Some(_) => None,
    };
    let safe = match negates {
        Some(negates) => {
            let one = b.ins().iconst(ty, 1);
            b.ins().select(negates, one, d)
        }
        None => d,
    };
    match op {
        ElementOp::Rem => b.ins().srem(a, safe),
        ElementOp::FloorMod => {
            let rest = b.ins().srem(a, safe);
            let up = b.ins().iadd(rest, d);
            let inexact = b.ins().icmp_imm_u(IntCC::NotEqual, rest, 0);
            let down = differ(b, rest, d);
            let both = b.ins().band(inexact, down);
            b.ins().select(both, up, rest)
        }
        _ => {
            let mut quotient = b.ins().sdiv(a, safe);
            if let Some(negates) = negates {
                let negative = b.ins().ineg(a);
                quotient = b.ins().select(negates, negative, quotient);
            }
            if op == ElementOp::Div {
                return quotient;
            }
            let product = b.ins().imul(quotient, d);
            let inexact = b.ins().icmp(IntCC::NotEqual, product, a);
            let down = differ(b, a, d);
            let both = b.ins().band(inexact, down);
            let one = b.ins().uextend(ty, both);
            b.ins().isub(quotient, one)
        }
    }
}

/// True if two numbers have different signs.
fn differ(b: &mut FunctionBuilder<'_>, x: Value, y: Value) -> Value {
    let signs = b.ins().bxor(x, y);
    b.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0)
}
