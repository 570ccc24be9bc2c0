//! Branches, calls, barriers and fences.

use super::modifiers::Modifiers;
use super::{Decoded, exactly};
use crate::code::Inst;
use crate::code::{Collective, UNGUARDED};
use crate::ptx::{Body, Operand, Type};

pub(super) fn decode(
    head: &str,
    body: &mut Body<'_>,
    m: &mut Modifiers<'_>,
    operands: &[Operand],
) -> Decoded {
    match head {
        "bra" => {
            m.take("uni");
            let [Operand::Name(label)] = exactly(operands)? else {
                return Err("a label is needed".to_owned());
            };
            Ok(body.branch(label))
        }
        "call" => {
            m.take("uni");
            call(body, operands)
        }
        "bar" | "barrier" => barrier(body, m, operands),
        "ret" => {
            m.take("uni");
            nothing(operands, Inst::Return)
        }
        "exit" => nothing(operands, Inst::Exit),
        "trap" => nothing(operands, Inst::Trap),
        _ => {
            fence(head, m)?;
            nothing(operands, Inst::Fence)
        }
    }
}

fn nothing(operands: &[Operand], inst: Inst) -> Decoded {
    exactly::<0>(operands)?;
    Ok(inst)
}

fn call(body: &mut Body<'_>, operands: &[Operand]) -> Decoded {
    match operands {
        [
            Operand::List(results),
            Operand::Name(name),
            Operand::List(arguments),
        ] => body.call(name, results, arguments),
        [Operand::List(results), Operand::Name(name)] => body.call(name, results, &[]),
        [Operand::Name(name), Operand::List(arguments)] => body.call(name, &[], arguments),
        [Operand::Name(name)] => body.call(name, &[], &[]),
        _ => Err("a function is needed".to_owned()),
    }
}

/// A barrier of the whole block, or of threads of a warp.
fn barrier(body: &mut Body<'_>, m: &mut Modifiers<'_>, operands: &[Operand]) -> Decoded {
    if m.take("warp") {
        if !m.take("sync") {
            return Err("`.sync` is missing".to_owned());
        }
        let [mask] = exactly(operands)?;
        let (mask, sink) = (body.source(mask, Type::B32)?, body.sink()?);
        return Ok(Inst::Collective {
            kind: Collective::Sync,
            d: sink,
            q: UNGUARDED,
            s: [sink; 3],
            mask,
        });
    }
    m.take("cta");
    if !m.take("sync") {
        return Err("only `.sync` is known".to_owned());
    }
    m.take("aligned");
    let [id] = exactly(operands)
        .map_err(|_| "a barrier for a part of the block isn't known".to_owned())?;
    Ok(Inst::Barrier {
        id: body.source(id, Type::U32)?,
    })
}

fn fence(head: &str, m: &mut Modifiers<'_>) -> Result<(), String> {
    let scopes: &[&str] = if head == "membar" {
        &["cta", "gl", "sys"]
    } else {
        &["cta", "gpu", "sys"]
    };
    if head == "fence" {
        m.take_map(|m| matches!(m, "sc" | "acq_rel").then_some(()));
    }
    m.take_map(|m| scopes.contains(&m).then_some(()))
        .ok_or_else(|| "a scope is missing".to_owned())
}
