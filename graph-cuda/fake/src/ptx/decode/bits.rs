//! Logic, shifts and bit fields.

use super::modifiers::Modifiers;
use super::{Decoded, compute};
use crate::alu::bits;
use crate::alu::integer::with_integer;
use crate::code::Alu;
use crate::ptx::{Body, Kind, Operand, Type};

pub(super) fn decode(
    head: &str,
    body: &mut Body<'_>,
    m: &mut Modifiers<'_>,
    operands: &[Operand],
) -> Decoded {
    match head {
        "shf" => return funnel(body, m, operands),
        "lop3" => return table(body, m, operands),
        "prmt" => {
            return same_bits(m)
                .and_then(|of| sized(of, 32))
                .and_then(|of| compute(body, bits::prmt, of, &[of; 3], operands));
        }
        _ => {}
    }
    let shift = head == "bfind" && m.take("shiftamt");
    let of = m.of()?;
    if of.is_float() || of.bits == 8 {
        return Err(format!("`{head}` doesn't exist for this type"));
    }
    if of.kind == Kind::Predicate {
        return predicates(head, body, of, operands);
    }
    let typed = matches!(head, "shr" | "bfe" | "bfind");
    if of.kind != Kind::Bits && !typed || of.kind == Kind::Bits && matches!(head, "bfe" | "bfind") {
        return Err(format!("`{head}` doesn't exist for this type"));
    }
    if of.bits == 16 && !matches!(head, "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr") {
        return Err(format!("`{head}` doesn't exist for 16 bits"));
    }
    let u = Type::U32;
    let (f, d, s): (Alu, Type, &[Type]) = match head {
        "and" => (bits::and, of, &[of, of]),
        "or" => (bits::or, of, &[of, of]),
        "xor" => (bits::xor, of, &[of, of]),
        "not" => (bits::not, of, &[of]),
        "cnot" => (with_integer!(of, T => bits::cnot::<T>), of, &[of]),
        "shl" => (with_integer!(of, T => bits::shl::<T>), of, &[of, u]),
        "shr" => (with_integer!(of, T => bits::shr::<T>), of, &[of, u]),
        "popc" => (with_integer!(of, T => bits::popc::<T>), u, &[of]),
        "clz" => (with_integer!(of, T => bits::clz::<T>), u, &[of]),
        "brev" => (with_integer!(of, T => bits::brev::<T>), of, &[of]),
        "bfind" if shift => (with_integer!(of, T => bits::bfind_shift::<T>), u, &[of]),
        "bfind" => (with_integer!(of, T => bits::bfind::<T>), u, &[of]),
        "bfe" => (with_integer!(of, T => bits::bfe::<T>), of, &[of, u, u]),
        _ => (with_integer!(of, T => bits::bfi::<T>), of, &[of, of, u, u]),
    };
    compute(body, f, d, s, operands)
}

fn same_bits(m: &mut Modifiers<'_>) -> Result<Type, String> {
    let of = m.of()?;
    if of.kind == Kind::Bits {
        Ok(of)
    } else {
        Err("the type must be bits".to_owned())
    }
}

fn sized(of: Type, bits: u32) -> Result<Type, String> {
    if of.bits == bits {
        Ok(of)
    } else {
        Err(format!("it exists for {bits} bits only"))
    }
}

fn predicates(head: &str, body: &mut Body<'_>, of: Type, operands: &[Operand]) -> Decoded {
    match head {
        "and" => compute(body, bits::and, of, &[of; 2], operands),
        "or" => compute(body, bits::or, of, &[of; 2], operands),
        "xor" => compute(body, bits::xor, of, &[of; 2], operands),
        "not" => compute(body, bits::not_predicate, of, &[of], operands),
        _ => Err(format!("`{head}` doesn't exist for predicates")),
    }
}

/// `lop3`: its last operand is a literal.
fn table(body: &mut Body<'_>, m: &mut Modifiers<'_>, operands: &[Operand]) -> Decoded {
    let of = same_bits(m).and_then(|of| sized(of, 32))?;
    if !matches!(operands.last(), Some(Operand::Literal(_))) {
        return Err("the table must be a literal".to_owned());
    }
    compute(body, bits::lop3, of, &[of, of, of, Type::U32], operands)
}

fn funnel(body: &mut Body<'_>, m: &mut Modifiers<'_>, operands: &[Operand]) -> Decoded {
    let left = m.take("l");
    if !left && !m.take("r") {
        return Err("`.l` or `.r` is missing".to_owned());
    }
    let wrap = m.take("wrap");
    if !wrap && !m.take("clamp") {
        return Err("`.wrap` or `.clamp` is missing".to_owned());
    }
    let of = same_bits(m).and_then(|of| sized(of, 32))?;
    let f = match (left, wrap) {
        (true, false) => bits::funnel_left_clamp,
        (true, true) => bits::funnel_left_wrap,
        (false, false) => bits::funnel_right_clamp,
        (false, true) => bits::funnel_right_wrap,
    };
    compute(body, f, of, &[of, of, Type::U32], operands)
}
