//! Conversions between dtypes.
//!
//! A float that becomes an integer is truncated; NaN and what is out of range become `int32`'s or `int64`'s MIN as on
//! TensorFlow's CPU. For `uint8`, where TensorFlow's result differs by machine, the value saturates and NaN is 0.

use crate::dispatch::undefined;
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
}

/// A type that converts to every dtype but strings, and prints as one.
trait Castable:
    Element + Copy + CastTo<f32> + CastTo<f64> + CastTo<i32> + CastTo<i64> + CastTo<u8> + CastTo<bool>
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
    match x.buffer() {
        Buffer::F32(v) => cast_values(View::new(x.shape(), v), dtype, out),
        Buffer::F64(v) => cast_values(View::new(x.shape(), v), dtype, out),
        Buffer::I32(v) => cast_values(View::new(x.shape(), v), dtype, out),
        Buffer::I64(v) => cast_values(View::new(x.shape(), v), dtype, out),
        Buffer::U8(v) => cast_values(View::new(x.shape(), v), dtype, out),
        Buffer::Bool(v) => cast_values(View::new(x.shape(), v), dtype, out),
        Buffer::Str(v) => return parse_values(View::new(x.shape(), v), dtype, out),
    }
    Ok(())
}

fn cast_values<T: Castable>(x: View<T>, dtype: DType, out: &mut Array) {
    match dtype {
        DType::F32 => map(x, out, |v| -> f32 { v.cast() }),
        DType::F64 => map(x, out, |v| -> f64 { v.cast() }),
        DType::I32 => map(x, out, |v| -> i32 { v.cast() }),
        DType::I64 => map(x, out, |v| -> i64 { v.cast() }),
        DType::U8 => map(x, out, |v| -> u8 { v.cast() }),
        DType::Bool => map(x, out, |v| -> bool { v.cast() }),
        DType::Str => map(x, out, |v| v.text()),
    }
}

fn parse_values(x: View<String>, dtype: DType, out: &mut Array) -> Result<(), KernelError> {
    match dtype {
        DType::F32 => parse_as::<f32>(x, out),
        DType::F64 => parse_as::<f64>(x, out),
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
