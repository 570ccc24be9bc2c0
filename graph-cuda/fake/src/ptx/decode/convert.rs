//! Conversions.

use super::modifiers::Modifiers;
use super::{Decoded, exactly};
use crate::alu::convert::{
    float_to_float, float_to_integer, float_to_integral, integer_to_float, integer_to_integer,
};
use crate::alu::float::with_float;
use crate::alu::integer::with_integer;
use crate::alu::operation;
use crate::alu::round::Mode;
use crate::code::{Alu, Inst};
use crate::ptx::{Body, Kind, Operand, Type};

pub(super) fn decode(body: &mut Body<'_>, m: &mut Modifiers<'_>, operands: &[Operand]) -> Decoded {
    let (d_type, s_type) = (m.of()?, m.of()?);
    for of in [d_type, s_type] {
        if matches!(of.kind, Kind::Bits | Kind::Predicate) {
            return Err("it needs integers or floats".to_owned());
        }
    }
    let (integral, rounding) = (m.integer_rounding(), m.rounding());
    let flush = m.take("ftz");
    let saturate = m.take("sat");
    let flags = operation::Modifiers {
        mode: integral.or(rounding).unwrap_or(Mode::Nearest),
        flush,
        saturate,
    };
    if flush
        && ![d_type, s_type]
            .iter()
            .any(|of| of.is_float() && of.bits == 32)
    {
        return Err("`.ftz` needs `.f32`".to_owned());
    }
    check(d_type, s_type, saturate)?;
    let f = function(d_type, s_type, integral.is_some(), rounding.is_some())?;
    let [d, a] = exactly(operands)?;
    let special = if d_type.is_integer() {
        body.special_source(a, s_type)?
    } else {
        None
    };
    let a = match special {
        Some(register) => register,
        None if s_type.kind == Kind::Brain => body.source(a, s_type)?,
        None => body.wide_source(a, s_type)?,
    };
    let d = if d_type.kind == Kind::Brain {
        body.dest(d, d_type)?
    } else {
        body.wide_dest(d, d_type)?
    };
    let flags = body.constant(flags.number())?;
    Ok(Inst::Alu {
        f,
        d,
        s: [a, flags, a, a],
    })
}

/// What doesn't exist for a pair of types.
fn check(d: Type, s: Type, saturate: bool) -> Result<(), String> {
    let brain = d.kind == Kind::Brain || s.kind == Kind::Brain;
    if brain && (saturate || d.bits == 8 || s.bits == 8) {
        return Err("it doesn't exist for `.bf16`".to_owned());
    }
    if saturate && d.is_integer() && s.is_integer() && contains(d, s) {
        return Err("there is nothing to saturate".to_owned());
    }
    Ok(())
}

/// Whether an integer type has all values of another.
fn contains(d: Type, s: Type) -> bool {
    match (d.is_signed(), s.is_signed()) {
        (true, false) => d.bits > s.bits,
        (false, true) => false,
        _ => d.bits >= s.bits,
    }
}

fn function(d: Type, s: Type, integral: bool, rounded: bool) -> Result<Alu, String> {
    let needs = |right: bool, what: &str| {
        if right {
            Ok(())
        } else {
            Err(format!("{what} for these types"))
        }
    };
    Ok(match (d.is_float(), s.is_float()) {
        (false, false) => {
            needs(!integral && !rounded, "there is no rounding")?;
            with_integer!(d, D => with_integer!(s, S => integer_to_integer::<S, D> as Alu))
        }
        (true, false) => {
            needs(
                rounded && !integral,
                "`.rn`, `.rz`, `.rm` or `.rp` is needed",
            )?;
            with_float!(d, D => with_integer!(s, S => integer_to_float::<S, D> as Alu))
        }
        (false, true) => {
            needs(
                integral && !rounded,
                "`.rni`, `.rzi`, `.rmi` or `.rpi` is needed",
            )?;
            with_integer!(d, D => with_float!(s, S => float_to_integer::<S, D> as Alu))
        }
        (true, true) if integral => {
            needs(d == s, "there is no rounding to an integer")?;
            with_float!(d, F => float_to_integral::<F> as Alu)
        }
        (true, true) => {
            let narrower = d.bits < s.bits || d.bits == 16 && s.bits == 16 && d != s;
            needs(
                rounded == narrower,
                if narrower {
                    "`.rn`, `.rz`, `.rm` or `.rp` is needed"
                } else {
                    "there is no rounding"
                },
            )?;
            with_float!(d, D => with_float!(s, S => float_to_float::<S, D> as Alu))
        }
    })
}
