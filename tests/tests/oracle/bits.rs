//! The bits of values of every dtype.

use graph_kernels::{bf16, f16};
use graph_runtime::{Array, DType};

/// The bits of all values in the recorded form: all NaNs are the same, and denormals are zeros, as in TensorFlow and XLA; but those of
/// `float16` are not.
pub fn of(array: &Array) -> Vec<u64> {
    macro_rules! bits {
        ($type:ty, $bits:expr) => {
            array
                .values::<$type>()
                .unwrap_or_default()
                .iter()
                .map($bits)
                .collect()
        };
        (float $type:ident) => {
            bits!($type, |v| match v {
                v if v.is_nan() => $type::NAN.to_bits().into(),
                v if v.is_subnormal() => $type::from(0u8).copysign(*v).to_bits().into(),
                v => v.to_bits().into(),
            })
        };
    }
    match array.dtype() {
        DType::F32 => bits!(float f32),
        DType::F64 => bits!(float f64),
        DType::F16 => bits!(f16, |v| if v.is_nan() { f16::NAN } else { *v }
            .to_bits()
            .into()),
        DType::BF16 => bits!(bf16, |v| match v.to_f32() {
            v if v.is_nan() => bf16::NAN.to_bits().into(),
            v if v.is_subnormal() => bf16::from_f32(0f32.copysign(v)).to_bits().into(),
            _ => v.to_bits().into(),
        }),
        DType::I8 => bits!(i8, |v| (*v as u8).into()),
        DType::I16 => bits!(i16, |v| (*v as u16).into()),
        DType::I32 => bits!(i32, |v| (*v as u32).into()),
        DType::I64 => bits!(i64, |v| *v as u64),
        DType::U8 => bits!(u8, |v| (*v).into()),
        DType::U16 => bits!(u16, |v| (*v).into()),
        DType::U32 => bits!(u32, |v| (*v).into()),
        DType::U64 => bits!(u64, |v| *v),
        DType::Bool => bits!(bool, |v| (*v).into()),
        DType::Str => panic!("strings have no bits"),
    }
}

/// Whether a value is a denormal.
pub fn has_denormals(array: &Array) -> bool {
    let of_f32 = |v: &[f32]| v.iter().any(|v| v.is_subnormal());
    let of_f64 = |v: &[f64]| v.iter().any(|v| v.is_subnormal());
    array.values().is_some_and(of_f32) || array.values().is_some_and(of_f64)
}

/// The bits in a text of hexadecimal digits.
pub fn read(text: &str, dtype: DType) -> Vec<u64> {
    let digits = 2 * dtype.bytes();
    let value = |at: usize| u64::from_str_radix(&text[at..at + digits], 16);
    let values = (0..text.len()).step_by(digits).map(value);
    values
        .map(|bits| bits.expect("hexadecimal digits"))
        .collect()
}

/// The float with these bits; values of other dtypes are returned as integers.
pub fn value(bits: u64, dtype: DType) -> f64 {
    match dtype {
        DType::F32 => f32::from_bits(bits as u32).into(),
        DType::F64 => f64::from_bits(bits),
        DType::F16 => f16::from_bits(bits as u16).to_f32().into(),
        DType::BF16 => bf16::from_bits(bits as u16).to_f32().into(),
        _ => bits as f64,
    }
}

/// The distance from 1 to the next float, the smallest normal number, and the largest number.
pub fn limits(dtype: DType) -> [f64; 3] {
    match dtype {
        DType::F32 => [
            f32::EPSILON.into(),
            f32::MIN_POSITIVE.into(),
            f32::MAX.into(),
        ],
        DType::F16 => [2f64.powi(-10), 2f64.powi(-14), 65504.0],
        DType::BF16 => [
            2f64.powi(-7),
            f32::MIN_POSITIVE.into(),
            value(0x7f7f, DType::BF16),
        ],
        _ => [f64::EPSILON, f64::MIN_POSITIVE, f64::MAX],
    }
}
