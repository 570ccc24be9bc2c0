//! Loads and stores.

use super::modifiers::Modifiers;
use super::{Decoded, exactly, padded};
use crate::code::{Access, Inst, Reg, Space, Width};
use crate::ptx::{Body, Kind, Operand, Type, WrittenAddress, is_sink};

pub(super) fn decode(
    head: &str,
    body: &mut Body<'_>,
    m: &mut Modifiers<'_>,
    operands: &[Operand],
) -> Decoded {
    let parameter = m.take("param");
    let load = head != "st";
    let constant = load && m.take("const");
    let space = if constant { Space::Global } else { space(m) };
    ordering(load, space, constant, m)?;
    let lanes = m
        .take_map(|m| ["v2", "v4"].iter().position(|v| *v == m))
        .map_or(1, |v| 2usize << v);
    let of = m.of()?;
    if of.kind == Kind::Predicate || of.is_small_float() {
        return Err("it doesn't exist for this type".to_owned());
    }
    let width = Width {
        bytes: of.bytes() as u8,
        count: lanes as u8,
        signed: of.is_signed(),
    };
    if of.bytes() as usize * lanes > 16 {
        return Err("an access has at most 16 bytes".to_owned());
    }
    let [x, y] = exactly(operands)?;
    let (value, at) = if load { (x, y) } else { (y, x) };
    let registers = registers(body, value, of, lanes, load)?;
    let place = body.place(at)?;
    if matches!(place, WrittenAddress::Number(_)) && space != Space::Local {
        return Err("only local memory has addresses without a register".to_owned());
    }
    match (place, parameter) {
        (WrittenAddress::Parameter(slice), true) => {
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
        (WrittenAddress::Memory(at) | WrittenAddress::Number(at), false) => {
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
        (WrittenAddress::Parameter(_), false) => Err("`.param` is missing".to_owned()),
        (_, true) => Err("a parameter's address can't be computed".to_owned()),
    }
}

/// The state space; generic if none is named.
pub(super) fn space(m: &mut Modifiers<'_>) -> Space {
    m.take_map(|m| match m {
        "global" => Some(Space::Global),
        "shared" | "shared::cta" => Some(Space::Shared),
        "local" => Some(Space::Local),
        _ => None,
    })
    .unwrap_or(Space::Generic)
}

/// Takes the modifiers that only say how to cache, or how accesses are ordered between threads: threads run in order here.
fn ordering(load: bool, space: Space, constant: bool, m: &mut Modifiers<'_>) -> Result<(), String> {
    const ORDERS: [&str; 5] = ["weak", "volatile", "relaxed", "acquire", "release"];
    let order = m
        .take_map(|m| ORDERS.iter().position(|o| *o == m))
        .unwrap_or(0);
    let scope = m
        .take_map(|m| matches!(m, "cta" | "gpu" | "sys").then_some(()))
        .is_some();
    if scope != (order >= 2) {
        return Err("a scope is missing, or there is nothing that it belongs to".to_owned());
    }
    if order > 0 && (constant || space == Space::Local) {
        return Err("other threads don't write there".to_owned());
    }
    if load && order == 4 || !load && order == 3 {
        return Err(format!("`.{}` doesn't exist for it", ORDERS[order]));
    }
    let caches: &[&str] = if load {
        &["ca", "cg", "cs", "lu", "cv"]
    } else {
        &["wb", "cg", "cs", "wt"]
    };
    m.take_map(|m| caches.contains(&m).then_some(()));
    m.take_map(|m| {
        matches!(
            m,
            "L1::evict_normal" | "L1::evict_first" | "L1::evict_last" | "L1::no_allocate"
        )
        .then_some(())
    });
    let read_only = load && space == Space::Global && !constant && order == 0;
    if m.take("nc") && !read_only {
        return Err("`.nc` is for loads of global memory".to_owned());
    }
    Ok(())
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
        found.push(match load {
            true if lanes > 1 && is_sink(part) => body.sink()?,
            true => body.wide_dest(part, of)?,
            false => body.wide_source(part, of)?,
        });
    }
    Ok(padded(&found))
}
