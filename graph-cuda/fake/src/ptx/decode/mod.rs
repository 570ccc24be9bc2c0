//! From an opcode and its operands to an instruction. Each file decodes one family. A decoder takes the modifiers that it knows; any that
//! are left are an error.

mod arithmetic;
mod atomic;
mod bits;
mod compare;
mod control;
mod convert;
mod float;
mod memory;
mod modifiers;
mod moves;
mod warp;

use crate::code::{Alu, Inst, Reg};
use crate::ptx::{Body, Operand, Type};
use modifiers::Modifiers;

type Decoded = Result<Inst, String>;

/// The instruction of an opcode such as `add.rn.f32`.
pub(crate) fn instruction(body: &mut Body<'_>, opcode: &str, operands: &[Operand]) -> Decoded {
    let (head, mut modifiers) = Modifiers::split(opcode)?;
    let m = &mut modifiers;
    let inst = match head {
        "mov" | "cvta" | "selp" | "slct" => moves::decode(head, body, m, operands),
        "cvt" => convert::decode(body, m, operands),
        "ld" | "ldu" | "st" => memory::decode(head, body, m, operands),
        "atom" | "red" => atomic::decode(head, body, m, operands),
        "setp" | "set" | "testp" => compare::decode(head, body, m, operands),
        "shfl" | "vote" | "activemask" => warp::decode(head, body, m, operands),
        "bra" | "ret" | "exit" | "call" | "trap" | "bar" | "barrier" | "membar" | "fence" => {
            control::decode(head, body, m, operands)
        }
        "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "popc" | "clz" | "brev"
        | "bfind" | "bfe" | "bfi" | "prmt" | "lop3" | "shf" => {
            bits::decode(head, body, m, operands)
        }
        _ if m.has_float() => float::decode(head, body, m, operands),
        _ => arithmetic::decode(head, body, m, operands),
    }?;
    modifiers.finish()?;
    Ok(inst)
}

/// An instruction that computes `d` from `operands[1..]`, whose types are `of`.
fn compute(body: &mut Body<'_>, f: Alu, d: Type, of: &[Type], operands: &[Operand]) -> Decoded {
    let d = body.dest(first(operands)?, d)?;
    let s = sources(body, of, &operands[1..])?;
    Ok(Inst::Alu { f, d, s })
}

/// The registers of exactly these operands; the others are the first again.
fn sources(body: &mut Body<'_>, of: &[Type], operands: &[Operand]) -> Result<[Reg; 4], String> {
    if of.len() != operands.len() {
        return Err(format!(
            "{} operands are needed, not {}",
            of.len(),
            operands.len()
        ));
    }
    let mut found = vec![];
    for (operand, of) in operands.iter().zip(of) {
        found.push(body.source(operand, *of)?);
    }
    Ok(padded(&found))
}

/// Up to four registers as an array.
fn padded(registers: &[Reg]) -> [Reg; 4] {
    let mut all = [registers.first().copied().unwrap_or(0); 4];
    all[..registers.len()].copy_from_slice(registers);
    all
}

fn first(operands: &[Operand]) -> Result<&Operand, String> {
    operands
        .first()
        .ok_or_else(|| "an operand is missing".to_owned())
}

/// Exactly `N` operands.
fn exactly<const N: usize>(operands: &[Operand]) -> Result<&[Operand; N], String> {
    operands
        .try_into()
        .map_err(|_| format!("{N} operands are needed, not {}", operands.len()))
}
