//! Conversion of single values between dtypes.
//!
//! A float that becomes an integer is truncated; NaN and what is out of range become `int32`'s or `int64`'s MIN as on
//! TensorFlow's CPU. For `uint8`, where TensorFlow's result differs by machine, the value saturates and NaN is 0.

use half::{bf16, f16};

use super::{Half, Lane};

/// Conversion of one value to another type.
pub(crate) trait To<U> {
    fn to(self) -> U;
}

/// A type that converts to every other.
pub(crate) trait Convert:
    Lane + To<f32> + To<f64> + To<f16> + To<bf16> + To<i32> + To<i64> + To<u8> + To<bool>
{
    #[inline(always)]
    fn convert<U>(self) -> U
    where
        Self: To<U>,
    {
        self.to()
    }
}

impl<T> Convert for T where
    T: Lane + To<f32> + To<f64> + To<f16> + To<bf16> + To<i32> + To<i64> + To<u8> + To<bool>
{
}

/// `from => to to ..: conversion` rows, the conversion as a function of the value and its target type.
macro_rules! conversions {
    ($($from:ty => $($to:ty)*: $convert:ident;)*) => { $( $(
        impl To<$to> for $from {
            #[inline(always)]
            fn to(self) -> $to { $convert!(self, $from, $to) }
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
        <$to>::from_f64($v as f64)
    };
}
macro_rules! narrow {
    ($v:expr, $from:ty, $to:ty) => {
        <$to>::narrow($v)
    };
}
macro_rules! from_half {
    ($v:expr, $from:ty, $to:ty) => {
        To::<$to>::to($v.widen())
    };
}
macro_rules! same {
    ($v:expr, $from:ty, $to:ty) => {
        $v
    };
}
macro_rules! bool_to_half {
    ($v:expr, $from:ty, $to:ty) => {
        if $v { <$to>::ONE } else { <$to>::ZERO }
    };
}
conversions! {
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
    f32 => f16 bf16: narrow;
    f64 => f16 bf16: to_half;
    i32 => f16 bf16: to_half;
    i64 => f16 bf16: to_half;
    u8 => f16 bf16: to_half;
    bool => f16 bf16: bool_to_half;
    f16 => f16: same;
    bf16 => bf16: same;
    f16 => f32 f64 bf16 i32 i64 u8 bool: from_half;
    bf16 => f32 f64 f16 i32 i64 u8 bool: from_half;
}
