//! What the threads of a warp do together: shuffles and votes.

use super::modifiers::Modifiers;
use super::{Decoded, exactly};
use crate::code::{Collective, Inst};
use crate::ptx::{Body, Operand, Type};

pub(super) fn decode(
    head: &str,
    body: &mut Body<'_>,
    m: &mut Modifiers<'_>,
    operands: &[Operand],
) -> Decoded {
    if head == "activemask" {
        b32(m)?;
        let [d] = exactly(operands)?;
        return Ok(Inst::ActiveMask {
            d: body.dest(d, Type::B32)?,
        });
    }
    if !m.take("sync") {
        return Err("`.sync` is missing".to_owned());
    }
    if head == "shfl" {
        shuffle(body, m, operands)
    } else {
        vote(body, m, operands)
    }
}

fn b32(m: &mut Modifiers<'_>) -> Result<(), String> {
    if m.of()? == Type::B32 {
        Ok(())
    } else {
        Err("the type must be `.b32`".to_owned())
    }
}

fn shuffle(body: &mut Body<'_>, m: &mut Modifiers<'_>, operands: &[Operand]) -> Decoded {
    let kind = m.take_map(|m| {
        Some(match m {
            "bfly" => Collective::Butterfly,
            "down" => Collective::Down,
            "up" => Collective::Up,
            "idx" => Collective::Index,
            _ => return None,
        })
    });
    let kind = kind.ok_or_else(|| "`.bfly`, `.down`, `.up` or `.idx` is missing".to_owned())?;
    b32(m)?;
    let [d, a, b, c, mask] = exactly(operands)?;
    if matches!(d, Operand::Pair(p, _) if p == "_") {
        return Err("the result can't be dropped".to_owned());
    }
    let (d, q) = body.dest_pair(d, Type::B32, Type::PRED)?;
    let s = [
        body.source(a, Type::B32)?,
        body.source(b, Type::U32)?,
        body.source(c, Type::U32)?,
    ];
    Ok(Inst::Collective {
        kind,
        d,
        q,
        s,
        mask: body.source(mask, Type::B32)?,
    })
}

fn vote(body: &mut Body<'_>, m: &mut Modifiers<'_>, operands: &[Operand]) -> Decoded {
    let kind = m.take_map(|m| {
        Some(match m {
            "any" => Collective::Any,
            "all" => Collective::All,
            "uni" => Collective::Uniform,
            "ballot" => Collective::Ballot,
            _ => return None,
        })
    });
    let kind = kind.ok_or_else(|| "`.any`, `.all`, `.uni` or `.ballot` is missing".to_owned())?;
    let of = m.of()?;
    let right = if kind == Collective::Ballot {
        Type::B32
    } else {
        Type::PRED
    };
    if of != right {
        return Err("it has another type".to_owned());
    }
    let [d, a, mask] = exactly(operands)?;
    let a = body.source(a, Type::PRED)?;
    let q = body.sink()?;
    Ok(Inst::Collective {
        kind,
        d: body.dest(d, of)?,
        q,
        s: [a; 3],
        mask: body.source(mask, Type::B32)?,
    })
}
