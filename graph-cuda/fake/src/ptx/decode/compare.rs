//! Comparisons and classes of floats.

use super::modifiers::Modifiers;
use super::{Decoded, compute, exactly};
use crate::alu::bits::select;
use crate::alu::compare::{self, mask};
use crate::alu::float::with_float;
use crate::alu::integer::with_integer;
use crate::code::{Inst, Join, Reg};
use crate::ptx::{Body, Kind, Operand, Type};

pub(super) fn decode(
    head: &str,
    body: &mut Body<'_>,
    m: &mut Modifiers<'_>,
    operands: &[Operand],
) -> Decoded {
    match head {
        "setp" => predicate(body, m, operands),
        "set" => value(body, m, operands),
        _ => class(body, m, operands),
    }
}

/// A comparison without its operands.
struct Comparison {
    order: fn(u64, u64) -> u8,
    mask: u8,
    join: Join,
    of: Type,
}

fn comparison(m: &mut Modifiers<'_>, of: Type) -> Result<Comparison, String> {
    if of.kind == Kind::Predicate || of.bits == 8 {
        return Err("it doesn't exist for this type".to_owned());
    }
    let join = m.take_map(|m| match m {
        "and" => Some(Join::And),
        "or" => Some(Join::Or),
        "xor" => Some(Join::Xor),
        _ => None,
    });
    let found =
        m.take_map(|m| mask(m, of.is_float(), of.is_signed()).map(|mask| (mask, m.to_owned())));
    let (mask, name) = found.ok_or_else(|| "a comparison is missing".to_owned())?;
    if of.kind == Kind::Bits && !matches!(name.as_str(), "eq" | "ne") {
        return Err("bits have no order".to_owned());
    }
    let order: fn(u64, u64) -> u8 = match of.is_float() {
        true if of.bits <= 32 && of.kind == Kind::Float && m.take("ftz") => {
            with_float!(of, F => compare::flushed::<F>)
        }
        true => with_float!(of, F => compare::floats::<F>),
        false => with_integer!(of, T => compare::integers::<T>),
    };
    Ok(Comparison {
        order,
        mask,
        join: join.unwrap_or(Join::None),
        of,
    })
}

fn compared(body: &mut Body<'_>, c: &Comparison, p: Reg, q: Reg, operands: &[Operand]) -> Decoded {
    let (a, b, joined) = match (c.join, operands) {
        (Join::None, [a, b]) => (a, b, None),
        (Join::And | Join::Or | Join::Xor, [a, b, joined]) => (a, b, Some(joined)),
        _ => return Err("it has too many or too few operands".to_owned()),
    };
    let (a, b) = (body.source(a, c.of)?, body.source(b, c.of)?);
    let joined = match joined {
        Some(operand) => body.source(operand, Type::PRED)?,
        None => a,
    };
    Ok(Inst::Compare {
        order: c.order,
        mask: c.mask,
        join: c.join,
        p,
        q,
        s: [a, b, joined],
    })
}

fn predicate(body: &mut Body<'_>, m: &mut Modifiers<'_>, operands: &[Operand]) -> Decoded {
    let of = m.of()?;
    let c = comparison(m, of)?;
    let [d, s @ ..] = operands else {
        return Err("its operands are missing".to_owned());
    };
    let (p, q) = body.dest_pair(d, Type::PRED, Type::PRED)?;
    compared(body, &c, p, q, s)
}

/// `set`: all ones or zero, or 1.0 or 0.0.
fn value(body: &mut Body<'_>, m: &mut Modifiers<'_>, operands: &[Operand]) -> Decoded {
    let d_type = m.of()?;
    let of = m.of()?;
    let c = comparison(m, of)?;
    let yes = match (d_type.kind, d_type.bits) {
        (Kind::Unsigned | Kind::Signed, 32) => u64::from(u32::MAX),
        (Kind::Float, 32) => u64::from(1f32.to_bits()),
        _ => return Err("the result must be `.u32`, `.s32` or `.f32`".to_owned()),
    };
    let [d, s @ ..] = operands else {
        return Err("its operands are missing".to_owned());
    };
    let (p, q) = (body.temporary()?, body.sink()?);
    let inst = compared(body, &c, p, q, s)?;
    body.push(inst);
    let (yes, no) = (body.constant(yes)?, body.constant(0)?);
    Ok(Inst::Alu {
        f: select,
        d: body.dest(d, d_type)?,
        s: [yes, no, p, p],
    })
}

fn class(body: &mut Body<'_>, m: &mut Modifiers<'_>, operands: &[Operand]) -> Decoded {
    let of = m.of()?;
    if of.kind != Kind::Float || of.bits == 16 {
        return Err("it exists for `.f32` and `.f64` only".to_owned());
    }
    let f = m.take_map(|name| with_float!(of, F => compare::class::<F>(name)));
    let f = f.ok_or_else(|| "a class is missing".to_owned())?;
    exactly::<2>(operands)?;
    compute(body, f, Type::PRED, &[of], operands)
}
