//! Integer arithmetic.

use super::modifiers::Modifiers;
use super::{Decoded, compute, exactly};
use crate::alu::integer::{self, with_integer};
use crate::code::{Alu, Inst};
use crate::ptx::{Body, Operand, Type};

pub(super) fn decode(
    head: &str,
    body: &mut Body<'_>,
    m: &mut Modifiers<'_>,
    operands: &[Operand],
) -> Decoded {
    match head {
        "add" | "sub" | "addc" | "subc" | "mad" | "madc" | "mul" | "div" | "rem" | "min"
        | "max" | "abs" | "neg" | "sad" => {}
        _ => return Err(format!("`{head}` isn't a known instruction")),
    }
    let of = m.of()?;
    if !of.is_integer() || of.bits < 16 {
        return Err(format!("`{head}` doesn't exist for this type"));
    }
    let carry = m.take("cc");
    if carry || matches!(head, "addc" | "subc" | "madc") {
        return with_carry(head, carry, of, body, m, operands);
    }
    match head {
        "mul" | "mad" => product(head, of, body, m, operands),
        "abs" | "neg" => one(head, of, body, operands),
        "sad" => compute(
            body,
            with_integer!(of, T => integer::sad::<T>),
            of,
            &[of; 3],
            operands,
        ),
        _ => compute(body, two(head, of, m)?, of, &[of; 2], operands),
    }
}

fn one(head: &str, of: Type, body: &mut Body<'_>, operands: &[Operand]) -> Decoded {
    if !of.is_signed() {
        return Err(format!("`{head}` needs a signed type"));
    }
    let f: Alu = if head == "neg" {
        integer::neg
    } else {
        with_integer!(of, T => integer::abs::<T>)
    };
    compute(body, f, of, &[of], operands)
}

fn two(head: &str, of: Type, m: &mut Modifiers<'_>) -> Result<Alu, String> {
    let saturating = matches!(head, "add" | "sub") && m.take("sat");
    if saturating && !(of.is_signed() && of.bits == 32) {
        return Err("`.sat` needs `.s32`".to_owned());
    }
    Ok(match (head, saturating) {
        ("add", true) => integer::add_saturating::<i32>,
        ("sub", true) => integer::sub_saturating::<i32>,
        ("add", _) => integer::add,
        ("sub", _) => integer::sub,
        ("div", _) => with_integer!(of, T => integer::div::<T>),
        ("rem", _) => with_integer!(of, T => integer::rem::<T>),
        ("min", _) => with_integer!(of, T => integer::min::<T>),
        _ => with_integer!(of, T => integer::max::<T>),
    })
}

fn product(
    head: &str,
    of: Type,
    body: &mut Body<'_>,
    m: &mut Modifiers<'_>,
    operands: &[Operand],
) -> Decoded {
    let sum = head == "mad";
    let part = m.take_map(|m| ["lo", "hi", "wide"].iter().position(|p| *p == m));
    let wide = Type {
        bits: of.bits * 2,
        ..of
    };
    let (f, result): (Alu, Type) = match (part, sum) {
        (Some(0), false) => (integer::mul_low, of),
        (Some(0), true) => (integer::mad_low, of),
        (Some(1), false) => (with_integer!(of, T => integer::mul_high::<T>), of),
        (Some(1), true) => (with_integer!(of, T => integer::mad_high::<T>), of),
        (Some(_), _) if of.bits == 64 => return Err("there is no product of 128 bits".to_owned()),
        (Some(_), false) => (with_integer!(of, T => integer::mul_wide::<T>), wide),
        (Some(_), true) => (with_integer!(of, T => integer::mad_wide::<T>), wide),
        (None, _) => return Err("`.lo`, `.hi` or `.wide` is missing".to_owned()),
    };
    let of: &[Type] = if sum { &[of, of, result] } else { &[of; 2] };
    compute(body, f, result, of, operands)
}

fn with_carry(
    head: &str,
    writes: bool,
    of: Type,
    body: &mut Body<'_>,
    m: &mut Modifiers<'_>,
    operands: &[Operand],
) -> Decoded {
    if of.bits < 32 {
        return Err("carries need 32 or 64 bits".to_owned());
    }
    let high = matches!(head, "mad" | "madc") && m.take("hi");
    if matches!(head, "mad" | "madc") && !high && !m.take("lo") {
        return Err("`.lo` or `.hi` is missing".to_owned());
    }
    let f = match (head, high) {
        ("add" | "addc", _) => with_integer!(of, T => integer::add_carry::<T>),
        ("sub" | "subc", _) => with_integer!(of, T => integer::sub_carry::<T>),
        ("mad" | "madc", false) => with_integer!(of, T => integer::mad_low_carry::<T>),
        ("mad" | "madc", true) => with_integer!(of, T => integer::mad_high_carry::<T>),
        _ => return Err(format!("`{head}` has no carry")),
    };
    let reads = head.ends_with('c');
    let (d, s) = if head.starts_with("mad") {
        let [d, a, b, c] = exactly(operands)?;
        (
            body.dest(d, of)?,
            [
                body.source(a, of)?,
                body.source(b, of)?,
                body.source(c, of)?,
            ],
        )
    } else {
        let [d, a, b] = exactly(operands)?;
        let a = body.source(a, of)?;
        (body.dest(d, of)?, [a, body.source(b, of)?, a])
    };
    Ok(Inst::Carry {
        f,
        d,
        s,
        reads,
        writes,
    })
}
