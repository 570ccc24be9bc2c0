//! Constants, and conversions from one dtype to another, as instructions.

use graph_kernels::{DType, ElementOp};

use super::code::{Code, Operand, Reg, Width};
use super::memory::width;

/// A constant of a dtype. `bits` are those of the element in memory.
pub fn constant(code: &mut Code, dtype: DType, bits: u64) -> Reg {
    let signed = |shift: u32| ((bits << shift) as i64) >> shift;
    match dtype {
        DType::F32 => code.copy(Operand::F32(bits as u32), Width::Word),
        DType::F64 => code.copy(Operand::F64(bits), Width::Double),
        DType::F16 => {
            let value = graph_kernels::f16::from_bits(bits as u16).to_f32();
            code.copy(Operand::F32(value.to_bits()), Width::Word)
        }
        DType::BF16 => code.copy(Operand::F32((bits as u32) << 16), Width::Word),
        DType::I64 | DType::U64 => code.copy(Operand::Int(bits as i64), Width::Double),
        DType::I8 => code.copy(Operand::Int(signed(56)), Width::Word),
        DType::I16 => code.copy(Operand::Int(signed(48)), Width::Word),
        DType::I32 => code.copy(Operand::Int(signed(32)), Width::Word),
        DType::U8 | DType::U16 | DType::U32 | DType::Str => {
            code.copy(Operand::Int(bits as i64), Width::Word)
        }
        DType::Bool => code.op(
            Width::Predicate,
            "setp.ne.u32",
            &[Operand::Int(bits as i64), Operand::Int(0)],
        ),
    }
}

/// The dtype to which a function converts, if it is a conversion.
pub fn conversion(op: ElementOp) -> Option<DType> {
    let mut dtypes = DType::ALL.into_iter();
    dtypes.find(|dtype| ElementOp::conversion(*dtype) == Some(op))
}

/// The type with which instructions compute elements of a dtype.
pub fn calculated_as(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 | DType::F16 | DType::BF16 => "f32",
        DType::F64 => "f64",
        DType::I32 | DType::I16 | DType::I8 => "s32",
        DType::I64 => "s64",
        DType::U8 | DType::U16 | DType::U32 | DType::Bool | DType::Str => "u32",
        DType::U64 => "u64",
    }
}

/// The value as the dtype holds it: rounded to 16 bits, or with its high bits cut off.
pub fn narrowed(code: &mut Code, dtype: DType, value: Reg) -> Reg {
    match dtype {
        DType::F16 => code.rounded_to_f16(value),
        DType::BF16 => code.rounded_to_bf16(value),
        DType::I8 => code.op(Width::Word, "cvt.s32.s8", &[value.into()]),
        DType::I16 => code.op(Width::Word, "cvt.s32.s16", &[value.into()]),
        DType::U8 => code.op(Width::Word, "cvt.u32.u8", &[value.into()]),
        DType::U16 => code.op(Width::Word, "cvt.u32.u16", &[value.into()]),
        _ => value,
    }
}

/// Converts as Rust's `as` does: floats are truncated and stay within the integer's range, integers wrap.
pub fn convert(code: &mut Code, from: DType, to: DType, x: Reg) -> Reg {
    let (source, target) = (calculated_as(from), calculated_as(to));
    if from == to {
        return x;
    }
    if to == DType::Bool {
        let not_equal = if from.is_float() { "neu" } else { "ne" };
        let zero = constant(code, from, 0);
        let name = format!("setp.{not_equal}.{source}");
        return code.op(Width::Predicate, &name, &[x.into(), zero.into()]);
    }
    if from == DType::Bool {
        let number = [Operand::Int(1), Operand::Int(0), x.into()];
        let number = code.op(Width::Word, "selp.u32", &number);
        return convert(code, DType::U32, to, number);
    }
    match (from.is_float(), to.is_float()) {
        (true, false) => to_integer(code, source, to, x),
        (true, true) if source == target => narrowed(code, to, x),
        (true, true) if source == "f32" => code.op(width(to), "cvt.f64.f32", &[x.into()]),
        (true, true) => {
            let value = code.op(Width::Word, "cvt.rn.f32.f64", &[x.into()]);
            narrowed(code, to, value)
        }
        (false, true) => {
            let name = format!("cvt.rn.{target}.{source}");
            let value = code.op(width(to), &name, &[x.into()]);
            narrowed(code, to, value)
        }
        (false, false) => {
            // The low bits, then the sign or zeros above them.
            let name = format!("cvt.{target}.{source}");
            let value = match width(from) == width(to) {
                true => x,
                false => code.op(width(to), &name, &[x.into()]),
            };
            narrowed(code, to, value)
        }
    }
}

/// A float as an integer. The instruction keeps to the integer's range; for some types it doesn't make a zero of NaN.
fn to_integer(code: &mut Code, source: &str, to: DType, x: Reg) -> Reg {
    let exact = match to {
        DType::I8 => "s8",
        DType::I16 => "s16",
        DType::U8 => "u8",
        DType::U16 => "u16",
        other => calculated_as(other),
    };
    let number = code.op(width(to), &format!("cvt.rzi.{exact}.{source}"), &[x.into()]);
    let zero = code.copy(Operand::Int(0), width(to));
    let is_number = code.op(
        Width::Predicate,
        &format!("setp.num.{source}"),
        &[x.into(), x.into()],
    );
    let bits = if width(to) == Width::Double { 64 } else { 32 };
    let operands = [number.into(), zero.into(), is_number.into()];
    code.op(width(to), &format!("selp.b{bits}"), &operands)
}
