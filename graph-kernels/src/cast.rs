//! Conversions between dtypes.
//!
//! A float that becomes an integer is truncated; NaN and what is out of range become `int32`'s or `int64`'s MIN as on
//! TensorFlow's CPU. For `uint8`, where TensorFlow's result differs by machine, the value saturates and NaN is 0.

use half::{bf16, f16};

use crate::dispatch::{dispatch, of_dtype, undefined};
use crate::zip::{View, map};
use crate::{Array, Buffer, DType, Element, KernelError};

/// Conversion of one value.
trait CastTo<U> {
    fn cast(self) -> U;
}

/// `from => to to ..: conversion` rows, the conversion as a function of the value and its target type.
macro_rules! casts {
    ($($from:ty => $($to:ty)*: $cast:ident;)*) => { $( $(
        impl CastTo<$to> for $from {
            #[inline(always)]
            fn cast(self) -> $to { $cast!(self, $from, $to) }
        }
    )* )* };
}
macro_rules! plain {
    ($v:expr, $from:ty, $to:ty) => {
        $v as $to
    };
}
macro_rules! checked {
    ($v:expr, $from:ty, $to:ty) => {
        // `as` saturates: below it gives MIN already, above and for NaN the comparison is false.
        if $v < -(<$to>::MIN as $from) {
            $v as $to
        } else {
            <$to>::MIN
        }
    };
}
macro_rules! from_bool {
    ($v:expr, $from:ty, $to:ty) => {
        u8::from($v) as $to
    };
}
macro_rules! nonzero {
    ($v:expr, $from:ty, $to:ty) => {
        $v != <$from>::default()
    };
}
macro_rules! to_half {
    ($v:expr, $from:ty, $to:ty) => {
        <$to>::from_f64(f64::from($v))
    };
}
macro_rules! integer_to_half {
    ($v:expr, $from:ty, $to:ty) => {
        <$to>::from_f64($v as f64)
    };
}
macro_rules! from_half {
    ($v:expr, $from:ty, $to:ty) => {
        CastTo::<$to>::cast($v.to_f32())
    };
}
macro_rules! bool_to_half {
    ($v:expr, $from:ty, $to:ty) => {
        if $v { <$to>::ONE } else { <$to>::ZERO }
    };
}
casts! {
    i32 => f32 f64 i32 i64 u8: plain;
    i64 => f32 f64 i32 i64 u8: plain;
    u8 => f32 f64 i32 i64 u8: plain;
    f32 => f32 f64 u8: plain;
    f64 => f32 f64 u8: plain;
    f32 => i32 i64: checked;
    f64 => i32 i64: checked;
    bool => f32 f64 i32 i64 u8: from_bool;
    f32 => bool: nonzero;
    f64 => bool: nonzero;
    i32 => bool: nonzero;
    i64 => bool: nonzero;
    u8 => bool: nonzero;
    bool => bool: nonzero;
    f32 => f16 bf16: to_half;
    f64 => f16 bf16: to_half;
    f16 => f16 bf16: to_half;
    bf16 => f16 bf16: to_half;
    i32 => f16 bf16: integer_to_half;
    i64 => f16 bf16: integer_to_half;
    u8 => f16 bf16: integer_to_half;
    bool => f16 bf16: bool_to_half;
    f16 => f32 f64 i32 i64 u8 bool: from_half;
    bf16 => f32 f64 i32 i64 u8 bool: from_half;
}

/// A type that converts to every dtype but strings, and prints as one.
trait Castable:
    Element
    + Copy
    + CastTo<f32>
    + CastTo<f64>
    + CastTo<f16>
    + CastTo<bf16>
    + CastTo<i32>
    + CastTo<i64>
    + CastTo<u8>
    + CastTo<bool>
{
    /// The text of a value; it parses back to the same value.
    fn text(self) -> String;
}

macro_rules! castables {
    ($($type:ty: $text:expr;)*) => { $(
        impl Castable for $type {
            fn text(self) -> String { $text(self) }
        }
    )* };
}
castables! {
    f32: |v: f32| if v.is_nan() { "nan".to_owned() } else { format!("{v:?}") };
    f64: |v: f64| if v.is_nan() { "nan".to_owned() } else { format!("{v:?}") };
    f16: |v: f16| v.to_f32().text();
    bf16: |v: bf16| v.to_f32().text();
    i32: |v: i32| v.to_string();
    i64: |v: i64| v.to_string();
    u8: |v: u8| v.to_string();
    bool: |v: bool| v.to_string();
}

/// `x` as another dtype: numbers and truth values into each other (true is 1, nonzero is true) and into strings
/// (`1.5`, `2.0`, `true`), strings into numbers.
///
/// # Errors
/// If a string isn't a number of the dtype, or `x` holds strings and the dtype is `bool`.
pub fn cast(x: &Array, dtype: DType, out: &mut Array) -> Result<(), KernelError> {
    if x.dtype() == dtype {
        out.assign(x);
        return Ok(());
    }
    if let Buffer::Str(v) = x.buffer() {
        return parse_values(View::new(x.shape(), v), dtype, out);
    }
    dispatch!(plain "cast", x, v => cast_values(View::new(x.shape(), v), dtype, out))
}

fn cast_values<T: Castable>(x: View<T>, dtype: DType, out: &mut Array) -> Result<(), KernelError> {
    if dtype == DType::Str {
        map(x, out, |v| v.text());
        return Ok(());
    }
    of_dtype!("cast", dtype, U => {
        map(x, out, |v| -> U { v.cast() });
        Ok(())
    })
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
        DType::Bool | DType::Str => Err(undefined("cast to bool", DType::Str)),
    }
}

fn parse_as<T: Element + std::str::FromStr>(
    x: View<String>,
    out: &mut Array,
) -> Result<(), KernelError> {
    for (o, text) in out.reset_as::<T>(x.shape).iter_mut().zip(x.values) {
        *o = text.trim().parse().map_err(|_| {
            KernelError::Value(format!(
                "StringToNumberOp could not correctly convert string: {text}"
            ))
        })?;
    }
    Ok(())
}
