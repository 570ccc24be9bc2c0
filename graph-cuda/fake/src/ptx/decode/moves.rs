//! Moves, addresses and selections.

use super::modifiers::Modifiers;
use super::{Decoded, compute, exactly, padded};
use crate::alu::bits::{self, copy, pack, select};
use crate::alu::integer::{self, with_integer};
use crate::code::Inst;
use crate::ptx::{Body, Kind, Operand, Type, generic_base};

pub(super) fn decode(
    head: &str,
    body: &mut Body<'_>,
    m: &mut Modifiers<'_>,
    operands: &[Operand],
) -> Decoded {
    match head {
        "mov" => mov(body, m, operands),
        "cvta" => address(body, m, operands),
        "selp" => {
            let of = m.of()?;
            selectable(of)?;
            compute(body, select, of, &[of, of, Type::PRED], operands)
        }
        _ => by_sign(body, m, operands),
    }
}

fn selectable(of: Type) -> Result<(), String> {
    if of.bits >= 16 && !of.is_small_float() {
        Ok(())
    } else {
        Err("it doesn't exist for this type".to_owned())
    }
}

fn mov(body: &mut Body<'_>, m: &mut Modifiers<'_>, operands: &[Operand]) -> Decoded {
    let of = m.of()?;
    if of.bits == 8 || of.is_small_float() {
        return Err("it doesn't exist for this type".to_owned());
    }
    let [d, a] = exactly(operands)?;
    match (d, a) {
        (Operand::Vector(parts), _) => unpack(body, of, parts, a),
        (_, Operand::Vector(parts)) => packed(body, of, d, parts),
        (_, Operand::Name(name))
            if matches!(name.as_str(), "%clock" | "%clock64" | "%globaltimer") =>
        {
            let bits = if name == "%clock" { 32 } else { 64 };
            if of.bits != bits || of.is_float() {
                return Err(format!("`{name}` has {bits} bits"));
            }
            Ok(Inst::Clock {
                d: body.dest(d, of)?,
            })
        }
        _ => {
            let d = body.dest(d, of)?;
            let a = match body.variable_address(a)? {
                Some(address) if of.bits >= 32 && !of.is_float() => address,
                Some(_) => return Err("an address needs 32 or 64 bits".to_owned()),
                None => body.special_or_source(a, of)?,
            };
            Ok(Inst::Alu {
                f: copy,
                d,
                s: [a; 4],
            })
        }
    }
}

/// The type of the parts into which `of` is split.
fn part_type(of: Type, count: usize) -> Result<Type, String> {
    let bits = of.bits / count.max(1) as u32;
    if of.kind != Kind::Bits || !matches!(count, 2 | 4) || bits < 8 {
        return Err("it can't be split like this".to_owned());
    }
    Ok(Type {
        kind: Kind::Bits,
        bits,
    })
}

fn unpack(body: &mut Body<'_>, of: Type, parts: &[Operand], a: &Operand) -> Decoded {
    let part = part_type(of, parts.len())?;
    let a = body.source(a, of)?;
    let d = parts
        .iter()
        .map(|p| body.dest_or_sink(p, part))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Inst::Unpack {
        d: padded(&d),
        count: parts.len() as u8,
        bits: part.bits as u8,
        a,
    })
}

fn packed(body: &mut Body<'_>, of: Type, d: &Operand, parts: &[Operand]) -> Decoded {
    let part = part_type(of, parts.len())?;
    let d = body.dest(d, of)?;
    let mut s = [body.constant(0)?; 4];
    for (register, operand) in s.iter_mut().zip(parts) {
        *register = body.special_or_source(operand, part)?;
    }
    Ok(Inst::Alu {
        f: with_integer!(part, T => pack::<T>),
        d,
        s,
    })
}

/// `cvta`: between addresses of a space and generic ones.
fn address(body: &mut Body<'_>, m: &mut Modifiers<'_>, operands: &[Operand]) -> Decoded {
    let to = m.take("to");
    let base = m
        .take_map(generic_base)
        .ok_or_else(|| "a state space is missing".to_owned())?;
    let of = m.of()?;
    if of != Type::U64 {
        return Err("addresses are `.u64`".to_owned());
    }
    let [d, a] = exactly(operands)?;
    let d = body.dest(d, of)?;
    let a = match body.variable_address(a)? {
        Some(address) if !to => address,
        _ => body.source(a, of)?,
    };
    let base = body.constant(base)?;
    Ok(Inst::Alu {
        f: if to { integer::sub } else { integer::add },
        d,
        s: [a, base, a, a],
    })
}

/// `slct`: a selection by the sign of its third operand.
fn by_sign(body: &mut Body<'_>, m: &mut Modifiers<'_>, operands: &[Operand]) -> Decoded {
    let (of, by) = (m.of()?, m.of()?);
    selectable(of)?;
    let f = match (by.kind, by.bits) {
        (Kind::Signed, 32) => bits::select_by_integer,
        (Kind::Float, 32) => bits::select_by_float,
        _ => return Err("it selects by `.s32` or `.f32`".to_owned()),
    };
    m.take("ftz");
    compute(body, f, of, &[of, of, by], operands)
}
