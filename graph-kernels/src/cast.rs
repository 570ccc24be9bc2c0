//! Conversions between dtypes: to and from strings here; the others are elementwise functions that this module calls.

use crate::dispatch::{of_dtype, typed, undefined};
use crate::element::ElementOp;
use crate::elementwise::elementwise;
use crate::zip::{View, map};
use crate::{Array, Buffer, DType, Element, KernelError, bf16, f16};

/// A type whose values can be printed.
trait Text: Element + Copy {
    /// The text of a value; it parses back to the same value.
    fn text(self) -> String;
}

macro_rules! texts {
    ($($type:ty: $text:expr;)*) => { $(
        impl Text for $type {
            fn text(self) -> String { $text(self) }
        }
    )* };
}
texts! {
    f32: |v: f32| if v.is_nan() { "nan".to_owned() } else { format!("{v:?}") };
    f64: |v: f64| if v.is_nan() { "nan".to_owned() } else { format!("{v:?}") };
    f16: |v: f16| v.to_f32().text();
    bf16: |v: bf16| v.to_f32().text();
    i32: |v: i32| v.to_string();
    i64: |v: i64| v.to_string();
    u8: |v: u8| v.to_string();
    i8: |v: i8| v.to_string();
    i16: |v: i16| v.to_string();
    u16: |v: u16| v.to_string();
    u32: |v: u32| v.to_string();
    u64: |v: u64| v.to_string();
    bool: |v: bool| v.to_string();
}

/// `x` as another dtype: numbers and truth values into each other (true is 1, nonzero is true) and into strings
/// (`1.5`, `2.0`, `true`), strings into numbers.
///
/// # Errors
/// If a string isn't a number of the dtype, or `x` holds strings and the dtype is `bool`.
pub fn cast(x: &Array, dtype: DType, out: &mut Array) -> Result<(), KernelError> {
    if x.dtype() == dtype {
        out.assign(x)?;
        return Ok(());
    }
    if let Buffer::Str(v) = x.buffer() {
        return parse_values(View::new(x.shape(), v), dtype, out);
    }
    match ElementOp::conversion(dtype) {
        Some(op) => elementwise(op, &[x], out),
        None => of_dtype!("cast", x.dtype(), T => {
            map(View::new(x.shape(), typed::<T>("cast", x)?), out, |v| v.text())?;
            Ok(())
        }),
    }
}

fn parse_values(x: View<String>, dtype: DType, out: &mut Array) -> Result<(), KernelError> {
    match dtype {
        DType::F32 => parse_as::<f32>(x, out),
        DType::F64 => parse_as::<f64>(x, out),
        DType::F16 => parse_as::<f16>(x, out),
        DType::BF16 => parse_as::<bf16>(x, out),
        DType::I32 => parse_as::<i32>(x, out),
        DType::I64 => parse_as::<i64>(x, out),
        DType::U8 => parse_as::<u8>(x, out),
        DType::I8 => parse_as::<i8>(x, out),
        DType::I16 => parse_as::<i16>(x, out),
        DType::U16 => parse_as::<u16>(x, out),
        DType::U32 => parse_as::<u32>(x, out),
        DType::U64 => parse_as::<u64>(x, out),
        DType::Bool | DType::Str => Err(undefined("cast to bool", DType::Str)),
    }
}

fn parse_as<T: Element + std::str::FromStr>(
    x: View<String>,
    out: &mut Array,
) -> Result<(), KernelError> {
    for (o, text) in out.reset_as::<T>(x.shape)?.iter_mut().zip(x.values) {
        *o = text.trim().parse().map_err(|_| {
            KernelError::Value(format!(
                "StringToNumberOp could not correctly convert string: {text}"
            ))
        })?;
    }
    Ok(())
}
