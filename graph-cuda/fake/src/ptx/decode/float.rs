//! Float arithmetic.

use super::modifiers::Modifiers;
use super::{Decoded, compute, first, sources};
use crate::alu::float::with_float;
use crate::alu::operation::{self as op, modified, plain};
use crate::alu::round::Mode;
use crate::code::{Alu, Inst};
use crate::ptx::{Body, Kind, Operand, Type};

/// The functions of an operation for a type: rounded to nearest, and with modifiers.
macro_rules! both {
    ($of:expr, $O:ty) => {
        with_float!($of, F => (plain::<$O, F> as Alu, modified::<$O, F> as Alu))
    };
}

pub(super) fn decode(
    head: &str,
    body: &mut Body<'_>,
    m: &mut Modifiers<'_>,
    operands: &[Operand],
) -> Decoded {
    let of = m.of()?;
    let accuracy = m.take_map(|m| ["approx", "full"].iter().position(|a| *a == m));
    let given = m.rounding();
    let flags = op::Modifiers {
        mode: given.unwrap_or(Mode::Nearest),
        flush: m.take("ftz"),
        saturate: m.take("sat"),
    };
    let nan = matches!(head, "min" | "max") && m.take("NaN");
    if nan && of.bits == 64 {
        return Err(format!("`{head}` has no `.NaN` in 64 bits"));
    }
    check(head, of, given.is_some(), accuracy, flags)?;
    let (count, (nearest, with_modifiers)) = match head {
        "add" => (2, both!(of, op::Add)),
        "sub" => (2, both!(of, op::Sub)),
        "mul" => (2, both!(of, op::Mul)),
        "fma" | "mad" => (3, both!(of, op::Fma)),
        "div" => (2, both!(of, op::Div)),
        "min" if nan => (2, both!(of, op::MinNan)),
        "max" if nan => (2, both!(of, op::MaxNan)),
        "min" => (2, both!(of, op::Min)),
        "max" => (2, both!(of, op::Max)),
        "abs" => (1, both!(of, op::Abs)),
        "neg" => (1, both!(of, op::Neg)),
        "copysign" => (2, both!(of, op::CopySign)),
        "rcp" => (1, both!(of, op::Reciprocal)),
        "sqrt" => (1, both!(of, op::Sqrt)),
        "rsqrt" => (1, both!(of, op::ReciprocalSqrt)),
        "ex2" => (1, both!(of, op::Exp2)),
        "lg2" => (1, both!(of, op::Log2)),
        "sin" => (1, both!(of, op::Sin)),
        "cos" => (1, both!(of, op::Cos)),
        "tanh" => (1, both!(of, op::Tanh)),
        _ => return Err(format!("`{head}` isn't a known instruction for floats")),
    };
    let types = vec![of; count];
    if flags.is_plain() {
        return compute(body, nearest, of, &types, operands);
    }
    let d = body.dest(first(operands)?, of)?;
    let mut s = sources(body, &types, &operands[1..])?;
    s[3] = body.constant(flags.number())?;
    Ok(Inst::Alu {
        f: with_modifiers,
        d,
        s,
    })
}

/// Whether the instruction exists with these modifiers.
fn check(
    head: &str,
    of: Type,
    rounded: bool,
    accuracy: Option<usize>,
    flags: op::Modifiers,
) -> Result<(), String> {
    let small = of.bits == 16;
    let brain = of.kind == Kind::Brain;
    let double = of.bits == 64;
    let wrong = |what: &str| Err(format!("`{head}` {what}"));
    match head {
        "fma" | "mad" if !rounded => return wrong("needs a direction of rounding"),
        "div" | "rcp" | "sqrt" if rounded == accuracy.is_some() => {
            return wrong("needs either a direction of rounding or `.approx`");
        }
        "div" | "rcp" | "sqrt" if small => return wrong("doesn't exist for 16 bits"),
        "div" | "sqrt" if double && accuracy.is_some() => {
            return wrong("has no approximation in 64 bits");
        }
        "rcp" if double && accuracy.is_some() && !flags.flush => {
            return wrong("needs `.ftz` in 64 bits");
        }
        "rsqrt" | "ex2" | "lg2" | "sin" | "cos" | "tanh" if accuracy != Some(0) => {
            return wrong("needs `.approx`");
        }
        "ex2" | "tanh" if double => return wrong("doesn't exist for 64 bits"),
        "lg2" | "sin" | "cos" if double || small => return wrong("exists for 32 bits only"),
        "copysign" if small => return wrong("doesn't exist for 16 bits"),
        "rsqrt" if small => return wrong("doesn't exist for 16 bits"),
        "mad" if small => return wrong("doesn't exist for 16 bits"),
        "ex2" if small && brain != flags.flush => {
            return wrong("has `.ftz` for `.bf16`, and not for `.f16`");
        }
        _ => {}
    }
    if small && flags.mode != Mode::Nearest {
        return wrong("is rounded to nearest in 16 bits");
    }
    let rounds = matches!(
        head,
        "add" | "sub" | "mul" | "fma" | "mad" | "div" | "rcp" | "sqrt"
    );
    if rounded && !rounds {
        return wrong("doesn't round");
    }
    if accuracy.is_some()
        && matches!(
            head,
            "add" | "sub" | "mul" | "fma" | "mad" | "min" | "max" | "abs" | "neg" | "copysign"
        )
    {
        return wrong("is exact");
    }
    if accuracy == Some(1) && head != "div" {
        return wrong("has no `.full`");
    }
    if flags.saturate && (double || brain || !matches!(head, "add" | "sub" | "mul" | "fma" | "mad"))
    {
        return wrong("has no `.sat`");
    }
    if flags.flush && double && !matches!(head, "rcp" | "rsqrt") {
        return wrong("has no `.ftz` in 64 bits");
    }
    if brain && flags.flush && head != "ex2" {
        return wrong("has no `.ftz` for `.bf16`");
    }
    Ok(())
}
