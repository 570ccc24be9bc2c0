//! Atomic operations on memory.

use super::memory::space;
use super::modifiers::Modifiers;
use super::{Decoded, first};
use crate::alu::float::with_float;
use crate::alu::integer::{self, with_integer};
use crate::alu::{bits, operation};
use crate::code::{Alu, Inst, Space};
use crate::ptx::{Body, Kind, Operand, Type, WrittenAddress};

pub(super) fn decode(
    head: &str,
    body: &mut Body<'_>,
    m: &mut Modifiers<'_>,
    operands: &[Operand],
) -> Decoded {
    m.take_map(|m| matches!(m, "relaxed" | "acquire" | "release" | "acq_rel").then_some(()));
    m.take_map(|m| matches!(m, "cta" | "gpu" | "sys").then_some(()));
    let space = space(m);
    if space == Space::Local {
        return Err("atomics are for global and shared memory".to_owned());
    }
    let name = m
        .take_map(|m| NAMES.iter().find(|n| **n == m).copied())
        .ok_or_else(|| "the operation is missing".to_owned())?;
    let keeps_subnormals = m.take("noftz");
    let of = m.of()?;
    if keeps_subnormals != (of.is_small_float() && name == "add") {
        return Err("`.noftz` belongs to sums of 16 bits".to_owned());
    }
    let f = function(name, of).ok_or_else(|| format!("`.{name}` doesn't exist for this type"))?;
    let returns = head == "atom";
    if !returns && matches!(name, "cas" | "exch") {
        return Err(format!("`red` has no `.{name}`"));
    }
    let d = if returns {
        body.dest_or_sink(first(operands)?, of)?
    } else {
        body.sink()?
    };
    let rest = operands.get(usize::from(returns)..).unwrap_or_default();
    let (at, b, c) = match (rest, name) {
        ([at, b, c], "cas") => (at, b, c),
        ([at, b], _) if name != "cas" => (at, b, b),
        _ => return Err("it has too many or too few operands".to_owned()),
    };
    let s = [body.source(b, of)?, body.source(c, of)?];
    let WrittenAddress::Memory(at) = body.place(at)? else {
        return Err("a parameter can't be changed".to_owned());
    };
    Ok(Inst::Atomic {
        space,
        bytes: of.bytes() as u8,
        f,
        d,
        s,
        at,
    })
}

const NAMES: [&str; 10] = [
    "add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec",
];

fn function(name: &str, of: Type) -> Option<Alu> {
    let bits = of.kind == Kind::Bits && of.bits >= 32;
    let whole = of.is_integer() && of.bits >= 32;
    Some(match name {
        "add" if of.is_float() => with_float!(of, F => operation::add::<F>),
        "add" if whole && (of.bits == 32 || !of.is_signed()) => integer::add,
        "min" if whole => with_integer!(of, T => integer::min::<T>),
        "max" if whole => with_integer!(of, T => integer::max::<T>),
        "and" if bits => bits::and,
        "or" if bits => bits::or,
        "xor" if bits => bits::xor,
        "exch" if bits => integer::second,
        "cas" if of.kind == Kind::Bits && of.bits >= 16 => {
            with_integer!(of, T => integer::compare_and_swap::<T>)
        }
        "inc" if of == Type::U32 => integer::increment,
        "dec" if of == Type::U32 => integer::decrement,
        _ => return None,
    })
}
