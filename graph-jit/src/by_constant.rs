//! Arithmetic of integers with a constant that takes fewer cycles than a multiplication or a division.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value};
use cranelift_frontend::FunctionBuilder;

/// `x * factor`, by a shift and a sum.
pub fn multiply(b: &mut FunctionBuilder<'_>, x: Value, factor: i64) -> Option<Value> {
    let bits = match factor {
        3 => 1,
        5 => 2,
        9 => 3,
        _ => return None,
    };
    let shifted = b.ins().ishl_imm_u(x, bits);
    Some(b.ins().iadd(shifted, x))
}

/// The exponent of a power of two that is at least 2.
pub fn exponent(number: i64) -> Option<i64> {
    (number > 1 && number & (number - 1) == 0).then(|| number.trailing_zeros().into())
}

/// What makes a division by a power of two round towards zero: one less than the power for negative numbers, else 0.
fn bias(b: &mut FunctionBuilder<'_>, ty: Type, x: Value, exponent: i64) -> Value {
    let bits = i64::from(ty.bits());
    let sign = match exponent {
        // One bit is the sign itself.
        1 => x,
        _ => b.ins().sshr_imm_u(x, bits - 1),
    };
    b.ins().ushr_imm_u(sign, bits - exponent)
}

/// `x / 2^exponent`, rounded towards zero.
pub fn quotient(b: &mut FunctionBuilder<'_>, ty: Type, x: Value, exponent: i64) -> Value {
    let bias = bias(b, ty, x, exponent);
    let biased = b.ins().iadd(x, bias);
    b.ins().sshr_imm_u(biased, exponent)
}

/// `x % 2^exponent`, with the sign of `x`.
pub fn remainder(b: &mut FunctionBuilder<'_>, ty: Type, x: Value, exponent: i64) -> Value {
    let bias = bias(b, ty, x, exponent);
    let biased = b.ins().iadd(x, bias);
    let rest = b.ins().band_imm_s(biased, (1 << exponent) - 1);
    b.ins().isub(rest, bias)
}

/// Whether a signed number is a multiple of a power of two, or of an odd number from 3 on; `None` for other divisors.
///
/// In arithmetic modulo 2^n an odd number `d` has an inverse. The product with it takes the multiples of `d` to their quotients, which lie
/// from `-most` to `most`, and all other numbers to what is left. (H. Warren: Hacker's Delight, 10-17.)
pub fn divides(b: &mut FunctionBuilder<'_>, ty: Type, x: Value, d: i64) -> Option<Value> {
    if exponent(d).is_some() {
        let rest = b.ins().band_imm_s(x, d - 1);
        return Some(b.ins().icmp_imm_u(IntCC::Equal, rest, 0));
    }
    if d < 3 || d % 2 == 0 {
        return None;
    }
    let most = (i64::MAX >> (64 - ty.bits())) / d;
    let quotient = b.ins().imul_imm_s(x, narrow(ty, inverse(d)));
    let moved = b.ins().iadd_imm_s(quotient, most);
    Some(
        b.ins()
            .icmp_imm_s(IntCC::UnsignedLessThanOrEqual, moved, 2 * most),
    )
}

/// The inverse of an odd number modulo 2^64. Each step of Newton's method doubles the number of right bits, of which there are three at first.
fn inverse(d: i64) -> i64 {
    (0..5).fold(d, |inverse, _| {
        inverse.wrapping_mul(2i64.wrapping_sub(d.wrapping_mul(inverse)))
    })
}

/// The low bits of a number as a number of the type.
fn narrow(ty: Type, number: i64) -> i64 {
    match ty.bits() {
        32 => i64::from(number as i32),
        _ => number,
    }
}
