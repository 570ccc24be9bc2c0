//! The functions by which reductions combine values.

use std::marker::PhantomData;

use bytemuck::Pod;

use crate::block::Lane;
use crate::number::Half;
use crate::number::Number;
use crate::simd::Level;

/// An associative function and its identity. Floats aren't associative; `row` defines the order.
pub(crate) trait Fold: Copy {
    /// The type of the values that are combined.
    type Value: Lane;
    /// The type in which they are combined.
    type Sum: Lane + Pod;
    const IDENTITY: Self::Sum;
    /// The highest level that reductions by it are compiled for.
    const UP_TO: Level;
    fn lift(value: Self::Value) -> Self::Sum;
    fn combine(a: Self::Sum, b: Self::Sum) -> Self::Sum;
}

/// Numbers and the type in which they are added: 16-bit floats in `f32`, so that only the result is rounded to 16 bits.
pub(crate) trait Addend: Number {
    type Sum: Number;
    fn widen(self) -> Self::Sum;
    fn narrow(sum: Self::Sum) -> Self;
    /// The nearest number; the limits of the sum's type become those of this type.
    #[inline(always)]
    fn nearest(sum: Self::Sum) -> Self {
        Self::narrow(sum)
    }
}

macro_rules! addends {
    ($($type:ty)*) => { $(
        impl Addend for $type {
            type Sum = $type;
            #[inline(always)]
            fn widen(self) -> $type { self }
            #[inline(always)]
            fn narrow(sum: $type) -> $type { sum }
        }
    )* };
}
addends! { f32 f64 i32 i64 }

/// Added in 64 bits, whose low bits are the same, so that rare types aren't compiled separately.
macro_rules! rare_addends {
    ($($type:ty)*) => { $(
        impl Addend for $type {
            type Sum = i64;
            #[inline(always)]
            fn widen(self) -> i64 { i64::from(self) }
            #[inline(always)]
            fn narrow(sum: i64) -> $type { sum as $type }
            #[inline(always)]
            fn nearest(sum: i64) -> $type { sum.clamp(<$type>::MIN.into(), <$type>::MAX.into()) as $type }
        }
    )* };
}
rare_addends! { u8 i8 i16 u16 u32 }
/// For results that depend on bits only. Results that depend on the order of numbers aren't calculated in this type.
impl Addend for u64 {
    type Sum = i64;
    #[inline(always)]
    fn widen(self) -> i64 {
        self.cast_signed()
    }
    #[inline(always)]
    fn narrow(sum: i64) -> u64 {
        sum.cast_unsigned()
    }
}

macro_rules! half_addends {
    ($($type:ty)*) => { $(
        impl Addend for $type {
            type Sum = f32;
            #[inline(always)]
            fn widen(self) -> f32 { Half::widen(self) }
            #[inline(always)]
            fn narrow(sum: f32) -> $type { Half::narrow(sum) }
        }
    )* };
}
half_addends! { crate::f16 crate::bf16 }

/// Marker types of folds over numbers: the type of the sum, the level, the identity, the conversion of a value, and the function.
macro_rules! folds {
    ($($(#[$doc:meta])* $name:ident<$T:ident: $bound:ident> = $sum:ty: $up_to:expr, $identity:expr, $lift:expr, $combine:expr;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name<T>(PhantomData<T>);

        impl<$T: $bound> Fold for $name<$T> {
            type Value = $T;
            type Sum = $sum;
            const IDENTITY: $sum = $identity;
            const UP_TO: Level = $up_to;
            #[inline(always)]
            fn lift(value: $T) -> $sum { $lift(value) }
            #[inline(always)]
            fn combine(a: $sum, b: $sum) -> $sum { $combine(a, b) }
        }
    )* };
}

folds! {
    /// The sum.
    Sum<T: Addend> = T::Sum: T::Sum::UP_TO, T::Sum::ZERO, T::widen, Number::add;
    /// The product.
    Product<T: Addend> = T::Sum: T::Sum::RARELY_UP_TO, T::Sum::ONE, T::widen, Number::mul;
    /// The largest; NaN wins.
    Max<T: Number> = T: T::UP_TO, T::LOWEST, |value| value, Number::maximum;
    /// The largest value, ignoring NaN.
    Highest<T: Number> = T: T::UP_TO, T::LOWEST, |value| value, |a, b| if b > a { b } else { a };
    /// The smallest; NaN wins.
    Min<T: Number> = T: T::UP_TO, T::HIGHEST, |value| value, Number::minimum;
}

/// Integers, whose mean is calculated in 64 bits.
pub(crate) trait Integral: Lane {
    /// The mean, given the sum and the count.
    fn mean(sum: i64, count: i64) -> Self;
}

macro_rules! integrals {
    ($($type:ty)*) => { $(
        impl Integral for $type {
            #[inline(always)]
            fn mean(sum: i64, count: i64) -> $type { (sum / count) as $type }
        }
    )* };
}
integrals! { i32 i64 u8 i8 i16 u16 u32 }

impl Integral for u64 {
    #[inline(always)]
    fn mean(sum: i64, count: i64) -> u64 {
        sum.cast_unsigned() / count.cast_unsigned()
    }
}

/// Whether any value is true.
#[derive(Clone, Copy)]
pub(crate) struct Any;

impl Fold for Any {
    type Value = bool;
    type Sum = u8;
    const IDENTITY: u8 = 0;
    const UP_TO: Level = Level::Avx512;
    #[inline(always)]
    fn lift(value: bool) -> u8 {
        value.into()
    }
    #[inline(always)]
    fn combine(a: u8, b: u8) -> u8 {
        a | b
    }
}

/// Whether all values are true.
#[derive(Clone, Copy)]
pub(crate) struct All;

impl Fold for All {
    type Value = bool;
    type Sum = u8;
    const IDENTITY: u8 = 1;
    const UP_TO: Level = Level::Avx512;
    #[inline(always)]
    fn lift(value: bool) -> u8 {
        value.into()
    }
    #[inline(always)]
    fn combine(a: u8, b: u8) -> u8 {
        a & b
    }
}
