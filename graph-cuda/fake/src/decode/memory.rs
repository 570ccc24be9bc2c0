//! Loads and stores.

use super::modifiers::Modifiers;
use super::{Decoded, exactly, padded};
use crate::code::{Access, Inst, Reg, Space, Width};
use crate::ptx::{Body, Kind, Operand, Place, Type};

pub(super) fn decode(
    head: &str,
    body: &mut Body<'_>,
    m: &mut Modifiers<'_>,
    operands: &[Operand],
) -> Decoded {
    let parameter = m.take("param");
    let space = space(m);
    cache_hints(head, m);
    let lanes = m
        .take_map(|m| ["v2", "v4"].iter().position(|v| *v == m))
        .map_or(1, |v| 2usize << v);
    let of = m.of()?;
    if of.kind == Kind::Predicate {
        return Err("predicates can't be in memory".to_owned());
    }
    let width = Width {
        bytes: of.bytes() as u8,
        count: lanes as u8,
        signed: of.is_signed(),
    };
    if of.bytes() as usize * lanes > 16 {
        return Err("an access has at most 16 bytes".to_owned());
    }
    let load = head != "st";
    let [x, y] = exactly(operands)?;
    let (value, at) = if load { (x, y) } else { (y, x) };
    let registers = registers(body, value, of, lanes, load)?;
    match (body.place(at)?, parameter) {
        (Place::Parameter(slice), true) => {
            if slice.bytes < u32::from(width.bytes) * u32::from(width.count) {
                return Err("the access is outside of the parameter".to_owned());
            }
            let offset = slice.offset;
            Ok(if load {
                Inst::LoadParam {
                    width,
                    d: registers,
                    offset,
                }
            } else {
                Inst::StoreParam {
                    width,
                    s: registers,
                    offset,
                }
            })
        }
        (Place::Memory(at), false) => {
            if at.narrow && matches!(space, Space::Generic | Space::Global) {
                return Err("such an address has 64 bits".to_owned());
            }
            let access = Access {
                space,
                width,
                registers,
                at,
            };
            Ok(if load {
                Inst::Load(access)
            } else {
                Inst::Store(access)
            })
        }
        (Place::Parameter(_), false) => Err("`.param` is missing".to_owned()),
        (Place::Memory(_), true) => Err("a parameter's address can't be computed".to_owned()),
    }
}

/// The state space; generic if none is named. Constant tables are in global memory.
pub(super) fn space(m: &mut Modifiers<'_>) -> Space {
    m.take_map(|m| match m {
        "global" | "const" => Some(Space::Global),
        "shared" | "shared::cta" => Some(Space::Shared),
        "local" => Some(Space::Local),
        _ => None,
    })
    .unwrap_or(Space::Generic)
}

/// Takes the modifiers that only say how to cache, or how accesses are ordered between threads: threads run in order here.
fn cache_hints(head: &str, m: &mut Modifiers<'_>) {
    m.take_map(|m| {
        matches!(m, "volatile" | "relaxed" | "acquire" | "release" | "weak").then_some(())
    });
    m.take_map(|m| matches!(m, "cta" | "gpu" | "sys").then_some(()));
    m.take_map(|m| matches!(m, "ca" | "cg" | "cs" | "cv" | "lu" | "wb" | "wt").then_some(()));
    m.take_map(|m| {
        matches!(
            m,
            "L1::evict_normal" | "L1::evict_first" | "L1::evict_last" | "L1::no_allocate"
        )
        .then_some(())
    });
    if head == "ld" {
        m.take("nc");
    }
}

fn registers(
    body: &mut Body<'_>,
    value: &Operand,
    of: Type,
    lanes: usize,
    load: bool,
) -> Result<[Reg; 4], String> {
    let single = [value.clone()];
    let parts: &[Operand] = match value {
        Operand::Vector(parts) if lanes > 1 => parts,
        Operand::Vector(_) => return Err("`.v2` or `.v4` is missing".to_owned()),
        _ => &single,
    };
    if parts.len() != lanes {
        return Err(format!("{lanes} registers are needed"));
    }
    let mut found = vec![];
    for part in parts {
        found.push(if load {
            body.wide_dest(part, of)?
        } else {
            body.wide_source(part, of)?
        });
    }
    Ok(padded(&found))
}
