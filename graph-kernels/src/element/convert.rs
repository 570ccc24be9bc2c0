//! Conversion of single values between dtypes.
//!
//! A float that becomes an integer is truncated. A value out of range becomes the nearest integer of the type, and NaN becomes 0: this is
//! Rust's `as`, on every CPU. (TensorFlow's result depends on the machine.)

use crate::block::Lane;
use crate::math::truncate;
use crate::number::Half;
use crate::{bf16, f16};

/// Conversion of one value to another type.
pub(crate) trait To<U> {
    fn to(self) -> U;
}

macro_rules! converts_to {
    ($($type:ty)*) => {
        /// A type that converts to every other.
        pub(crate) trait Convert: Lane $(+ To<$type>)* {
            #[inline(always)]
            fn convert<U>(self) -> U
            where
                Self: To<U>,
            {
                self.to()
            }
        }

        impl<T> Convert for T where T: Lane $(+ To<$type>)* {}
    };
}
converts_to! { f32 f64 f16 bf16 i32 i64 u8 i8 i16 u16 u32 u64 bool }

/// Rows `from => to to ..: conversion`; the conversion is a function of the value and its target type.
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
macro_rules! to_i32 {
    ($v:expr, $from:ty, $to:ty) => {{
        let wide = f64::from($v);
        let number = truncate(wide.max(i32::MIN.into()).min(i32::MAX.into()));
        if wide.is_nan() { 0 } else { number }
    }};
}
macro_rules! to_u8 {
    ($v:expr, $from:ty, $to:ty) => {
        // `max` of NaN and 0 is 0.
        truncate(f64::from($v).max(0.0).min(255.0)) as u8
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
    i32 => f32 f64 i32 i64 u8 i8 i16 u16 u32 u64: plain;
    i64 => f32 f64 i32 i64 u8 i8 i16 u16 u32 u64: plain;
    u8 => f32 f64 i32 i64 u8 i8 i16 u16 u32 u64: plain;
    i8 => f32 f64 i32 i64 u8 i8 i16 u16 u32 u64: plain;
    i16 => f32 f64 i32 i64 u8 i8 i16 u16 u32 u64: plain;
    u16 => f32 f64 i32 i64 u8 i8 i16 u16 u32 u64: plain;
    u32 => f32 f64 i32 i64 u8 i8 i16 u16 u32 u64: plain;
    u64 => f32 f64 i32 i64 u8 i8 i16 u16 u32 u64: plain;
    f32 => f32 f64 i64 i8 i16 u16 u32 u64: plain;
    f64 => f32 f64 i64 i8 i16 u16 u32 u64: plain;
    f32 => u8: to_u8;
    f64 => u8: to_u8;
    f32 => i32: to_i32;
    f64 => i32: to_i32;
    bool => f32 f64 i32 i64 u8 i8 i16 u16 u32 u64: from_bool;
    f32 => bool: nonzero;
    f64 => bool: nonzero;
    i32 => bool: nonzero;
    i64 => bool: nonzero;
    u8 => bool: nonzero;
    i8 => bool: nonzero;
    i16 => bool: nonzero;
    u16 => bool: nonzero;
    u32 => bool: nonzero;
    u64 => bool: nonzero;
    bool => bool: nonzero;
    f32 => f16 bf16: narrow;
    f64 => f16 bf16: to_half;
    i32 => f16 bf16: to_half;
    i64 => f16 bf16: to_half;
    u8 => f16 bf16: to_half;
    i8 => f16 bf16: to_half;
    i16 => f16 bf16: to_half;
    u16 => f16 bf16: to_half;
    u32 => f16 bf16: to_half;
    u64 => f16 bf16: to_half;
    bool => f16 bf16: bool_to_half;
    f16 => f16: same;
    bf16 => bf16: same;
    f16 => f32 f64 bf16 i32 i64 u8 i8 i16 u16 u32 u64 bool: from_half;
    bf16 => f32 f64 f16 i32 i64 u8 i8 i16 u16 u32 u64 bool: from_half;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_truncated_to_integers() {
        let edges = [
            0.0,
            0.49,
            0.5,
            0.99,
            1.0,
            1.5,
            2.5,
            254.5,
            255.0,
            8_388_607.5,
            2_147_483_646.5,
        ];
        for value in edges
            .into_iter()
            .flat_map(|v| [v, -v])
            .chain([-2_147_483_648.0])
        {
            assert_eq!(truncate(value), value as i32, "{value}");
            assert_eq!(
                To::<i32>::to(value as f32 / 4.0),
                (value as f32 / 4.0) as i32
            );
            assert_eq!(To::<u8>::to(value), value as u8);
        }
        for (value, expected) in [
            (2_147_483_647.9, i32::MAX),
            (2_147_483_648.0, i32::MAX),
            (-2_147_483_648.9, i32::MIN),
            (-2_147_483_649.0, i32::MIN),
            (f64::NAN, 0),
            (f64::INFINITY, i32::MAX),
        ] {
            assert_eq!(To::<i32>::to(value), expected, "{value}");
        }
        for (value, expected) in [
            (300.0, 255u8),
            (-1.0, 0),
            (f32::NAN, 0),
            (f32::INFINITY, 255),
        ] {
            assert_eq!(To::<u8>::to(value), expected, "{value}");
        }
    }
}
