//! `Number`: the element types that kernels calculate with. Integers wrap, floats follow IEEE.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use bytemuck::Pod;

use crate::block::Lane;
use crate::math::{Math, remainder, truncate};
use crate::simd::{Level, MulAdd};
use crate::{bf16, f16};

/// A numeric element type. The division methods of integers require a divisor that isn't zero.
pub(crate) trait Number: Lane + Pod {
    const ZERO: Self;
    const ONE: Self;
    /// The identity of `maximum`: `MIN` of integers, `-inf` of floats.
    const LOWEST: Self;
    /// The identity of `minimum`: `MAX` of integers, `inf` of floats.
    const HIGHEST: Self;
    /// The smallest and the largest finite number.
    const FINITE_MIN: Self;
    const FINITE_MAX: Self;
    /// True for integers, whose division by zero has no value.
    const IS_INTEGER: bool;
    /// The highest level that products, reductions and windows of these numbers are compiled for. Integers of 8 and of 64 bits are stored
    /// and compared, but rarely calculated with.
    const UP_TO: Level;
    /// The highest level for rarer kernels, such as poolings and softmax, for which `f64` is rare, too.
    const RARELY_UP_TO: Level;
    /// The type of the quotient as a real number: `f64` for integers, `f32` for those of 8 and 16 bits, the type itself for floats.
    type Quotient: Lane;

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// `self * factor + summand`, in one rounding where the instruction set has it.
    fn mul_add<M: MulAdd>(self, factor: Self, summand: Self) -> Self;
    /// Rust's `/`: integers truncate.
    fn div(self, other: Self) -> Self;
    /// Rust's `%`: the result has the sign of the dividend.
    fn rem(self, other: Self) -> Self;
    fn floor_div(self, other: Self) -> Self;
    /// True for an integer that is a power of two.
    #[inline(always)]
    fn is_power(self) -> bool {
        false
    }
    /// [`div`](Self::div) by an integer that [is a power of two](Self::is_power).
    #[inline(always)]
    fn div_power(self, power: Self) -> Self {
        self.div(power)
    }
    /// [`floor_div`](Self::floor_div) by an integer that [is a power of two](Self::is_power).
    #[inline(always)]
    fn floor_div_power(self, power: Self) -> Self {
        self.floor_div(power)
    }
    /// The remainder with the sign of the divisor.
    fn floor_mod(self, other: Self) -> Self;
    /// Power; an integer's exponent must not be negative.
    fn pow<M: MulAdd>(self, other: Self) -> Self;
    /// The quotient as a real number.
    fn quotient(self, other: Self) -> Self::Quotient;
    fn neg(self) -> Self;
    fn abs(self) -> Self;
    /// -1, 0 or 1; NaN stays.
    fn sign(self) -> Self;
    /// A count as a number; integers wrap, floats are rounded.
    fn from_usize(n: usize) -> Self;
    /// The number of steps of `delta` from `start` that stay before `limit`, which lies in their direction.
    fn steps(start: Self, limit: Self, delta: Self) -> u64;

    /// True only for a float that isn't a number.
    #[inline(always)]
    #[allow(clippy::eq_op)]
    fn is_nan(self) -> bool {
        self != self
    }

    /// The larger one; NaN wins.
    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        larger(self, other)
    }

    /// The smaller one; NaN wins.
    #[inline(always)]
    fn minimum(self, other: Self) -> Self {
        smaller(self, other)
    }
}

/// The larger of two numbers or symbols; NaN wins.
#[inline(always)]
#[allow(clippy::eq_op, reason = "only a NaN differs from itself")]
pub(crate) fn larger<T: Copy + PartialOrd>(a: T, b: T) -> T {
    if a > b || a != a { a } else { b }
}

/// The smaller of two numbers or symbols; NaN wins.
#[inline(always)]
#[allow(clippy::eq_op, reason = "only a NaN differs from itself")]
pub(crate) fn smaller<T: Copy + PartialOrd>(a: T, b: T) -> T {
    if a < b || a != a { a } else { b }
}

/// The quotient of integers or symbols by a power of two.
macro_rules! div_power {
    () => {
        #[inline(always)]
        fn div_power(self, power: Self) -> Self {
            let up = if self < Self::ZERO {
                Number::sub(power, Self::ONE)
            } else {
                Self::ZERO
            };
            Number::add(self, up).floor_div_power(power)
        }
    };
}
pub(crate) use div_power;

macro_rules! integers {
    ($($type:ty, $up_to:ident, $quotient:ty, $abs:expr, $sign:expr, $div:expr;)*) => { $(
        impl Number for $type {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const LOWEST: Self = <$type>::MIN;
            const HIGHEST: Self = <$type>::MAX;
            const FINITE_MIN: Self = <$type>::MIN;
            const FINITE_MAX: Self = <$type>::MAX;
            const IS_INTEGER: bool = true;
            const UP_TO: Level = Level::$up_to;
            const RARELY_UP_TO: Level = Level::Portable;
            type Quotient = $quotient;

            #[inline(always)]
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            #[inline(always)]
            fn mul_add<M: MulAdd>(self, factor: Self, summand: Self) -> Self { self.mul(factor).add(summand) }
            #[inline(always)]
            fn div(self, other: Self) -> Self { $div(self, other) }
            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                self.wrapping_sub(Number::div(self, other).wrapping_mul(other))
            }
            #[inline(always)]
            fn is_power(self) -> bool {
                (self > 0) & (self & self.wrapping_sub(1) == 0)
            }
            div_power!();
            #[inline(always)]
            fn floor_div_power(self, power: Self) -> Self {
                self >> power.trailing_zeros()
            }
            #[inline(always)]
            fn floor_div(self, other: Self) -> Self {
                let quotient = Number::div(self, other);
                let inexact = quotient.wrapping_mul(other) != self;
                let differing_signs = (self < Self::ZERO) != (other < Self::ZERO);
                quotient.wrapping_sub(Self::from(inexact && differing_signs))
            }
            #[inline(always)]
            fn floor_mod(self, other: Self) -> Self {
                let rem = Number::rem(self, other);
                let differing_signs = (rem < Self::ZERO) != (other < Self::ZERO);
                if rem != 0 && differing_signs { rem.wrapping_add(other) } else { rem }
            }
            #[inline(always)]
            fn quotient(self, other: Self) -> $quotient { self as $quotient / other as $quotient }
            fn pow<M: MulAdd>(self, other: Self) -> Self {
                let (mut base, mut exponent, mut power) = (self, other, Self::ONE);
                while exponent > 0 {
                    if exponent & 1 == 1 {
                        power = power.wrapping_mul(base);
                    }
                    base = base.wrapping_mul(base);
                    exponent >>= 1;
                }
                power
            }
            #[inline(always)]
            fn neg(self) -> Self { self.wrapping_neg() }
            #[inline(always)]
            fn abs(self) -> Self { $abs(self) }
            #[inline(always)]
            fn sign(self) -> Self { $sign(self) }
            #[inline(always)]
            fn from_usize(n: usize) -> Self { n as Self }
            fn steps(start: Self, limit: Self, delta: Self) -> u64 {
                let (start, limit, delta) = (i128::from(start), i128::from(limit), i128::from(delta));
                (limit - start).unsigned_abs().div_ceil(delta.unsigned_abs()) as u64
            }
        }
    )* };
}
integers! {
    i32, Avx512, f64, i32::wrapping_abs, i32::signum, divide_i32;
    i64, Portable, f64, i64::wrapping_abs, i64::signum, i64::wrapping_div;
    u8, Portable, f32, std::convert::identity, |v: u8| v.min(1), |a, b| (f32::from(a) / f32::from(b)) as u8;
    i8, Portable, f32, i8::wrapping_abs, i8::signum, i8::wrapping_div;
    i16, Portable, f32, i16::wrapping_abs, i16::signum, i16::wrapping_div;
    u16, Portable, f32, std::convert::identity, |v: u16| v.min(1), u16::wrapping_div;
    u32, Portable, f64, std::convert::identity, |v: u32| v.min(1), u32::wrapping_div;
    u64, Portable, f64, std::convert::identity, |v: u64| v.min(1), u64::wrapping_div;
}

/// The quotient of `f64`, for which there are vector instructions. `f64` has more than twice the bits, so the rounded quotient is never
/// on the other side of an integer than the exact one.
#[inline(always)]
fn divide_i32(a: i32, b: i32) -> i32 {
    if b == -1 {
        a.wrapping_neg()
    } else {
        truncate(f64::from(a) / f64::from(b))
    }
}

macro_rules! floats {
    ($($type:ty, $rarely:ident, $mul_add:ident, $is_near:ident, $near:ident;)*) => { $(
        impl Number for $type {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const LOWEST: Self = <$type>::NEG_INFINITY;
            const HIGHEST: Self = <$type>::INFINITY;
            const FINITE_MIN: Self = <$type>::MIN;
            const FINITE_MAX: Self = <$type>::MAX;
            const IS_INTEGER: bool = false;
            const UP_TO: Level = Level::Avx512;
            const RARELY_UP_TO: Level = Level::$rarely;
            type Quotient = $type;

            #[inline(always)]
            fn add(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn sub(self, other: Self) -> Self { self - other }
            #[inline(always)]
            fn mul(self, other: Self) -> Self { self * other }
            #[inline(always)]
            fn mul_add<M: MulAdd>(self, factor: Self, summand: Self) -> Self { M::$mul_add(self, factor, summand) }
            #[inline(always)]
            fn div(self, other: Self) -> Self { self / other }
            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                if remainder::$is_near(self, other) { remainder::$near(self, other) } else { self % other }
            }
            #[inline(always)]
            fn floor_div(self, other: Self) -> Self { (self / other).floor() }
            #[inline(always)]
            fn floor_mod(self, other: Self) -> Self {
                let rem = Number::rem(self, other);
                if rem != 0.0 && (rem < 0.0) != (other < 0.0) { rem + other } else { rem }
            }
            #[inline(always)]
            fn quotient(self, other: Self) -> Self { self / other }
            #[inline(always)]
            fn pow<M: MulAdd>(self, other: Self) -> Self { Math::pow::<M>(self, other) }
            #[inline(always)]
            fn neg(self) -> Self { -self }
            #[inline(always)]
            fn abs(self) -> Self { <$type>::abs(self) }
            #[inline(always)]
            fn sign(self) -> Self { if self == 0.0 || self.is_nan() { self } else { self.signum() } }
            #[inline(always)]
            fn from_usize(n: usize) -> Self { n as Self }
            fn steps(start: Self, limit: Self, delta: Self) -> u64 {
                ((limit - start) / delta).abs().ceil() as u64
            }
        }
    )* };
}
floats! { f32, Avx512, mul_add_f32, is_near_f32, near_f32; f64, Avx2, mul_add_f64, is_near_f64, near_f64; }

/// The 16-bit floats: each operation is done in `f32` and rounded.
macro_rules! half_floats {
    ($($type:ty)*) => { $(
        impl Number for $type {
            const ZERO: Self = <$type>::ZERO;
            const ONE: Self = <$type>::ONE;
            const LOWEST: Self = <$type>::NEG_INFINITY;
            const HIGHEST: Self = <$type>::INFINITY;
            const FINITE_MIN: Self = <$type>::MIN;
            const FINITE_MAX: Self = <$type>::MAX;
            const IS_INTEGER: bool = false;
            const UP_TO: Level = Level::Portable;
            const RARELY_UP_TO: Level = Level::Portable;
            type Quotient = Self;

            half_floats!(@ binary add sub mul div rem floor_div floor_mod quotient);
            half_floats!(@ unary neg abs sign);
            #[inline(always)]
            fn pow<M: MulAdd>(self, other: Self) -> Self { Self::narrow(Number::pow::<M>(self.widen(), other.widen())) }
            #[inline(always)]
            fn mul_add<M: MulAdd>(self, factor: Self, summand: Self) -> Self {
                Self::narrow(M::mul_add_f32(self.widen(), factor.widen(), summand.widen()))
            }
            #[inline(always)]
            fn from_usize(n: usize) -> Self { Self::from_f32(n as f32) }
            fn steps(start: Self, limit: Self, delta: Self) -> u64 {
                f32::steps(start.to_f32(), limit.to_f32(), delta.to_f32())
            }
        }
    )* };
    (@ binary $($name:ident)*) => { $(
        #[inline(always)]
        fn $name(self, other: Self) -> Self { Self::narrow(Number::$name(self.widen(), other.widen())) }
    )* };
    (@ unary $($name:ident)*) => { $(
        #[inline(always)]
        fn $name(self) -> Self { Self::narrow(Number::$name(self.widen())) }
    )* };
}
half_floats! { f16 bf16 }

/// The functions that only floats have.
pub(crate) trait Float: Number {
    fn sqrt(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    /// To the nearest integer, halves to the even one.
    fn round(self) -> Self;
    /// Towards zero.
    fn trunc(self) -> Self;
    /// The nearest value.
    fn of_f64(value: f64) -> Self;
}

macro_rules! float_functions {
    ($($type:ty)*) => { $( impl Float for $type {
        #[inline(always)]
        fn of_f64(value: f64) -> Self { value as Self }
        float_functions!(@ $type: sqrt sqrt, floor floor, ceil ceil, round round_ties_even, trunc trunc); } )* };
    (@ $type:ty: $($name:ident $std:ident),*) => { $(
        #[inline(always)]
        fn $name(self) -> Self { <$type>::$std(self) }
    )* };
}
float_functions! { f32 f64 }

macro_rules! half_functions {
    ($($type:ty)*) => { $( impl Float for $type {
        #[inline(always)]
        fn of_f64(value: f64) -> Self { Self::from_f64(value) }
        half_functions!(@ sqrt floor ceil round trunc);
    } )* };
    (@ $($name:ident)*) => { $(
        #[inline(always)]
        fn $name(self) -> Self { Self::narrow(Float::$name(self.widen())) }
    )* };
}
half_functions! { f16 bf16 }

/// Types with bit operations: integers and truth values.
pub(crate) trait Bits:
    Lane + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
}

/// The functions that only integers have.
pub(crate) trait Integer: Number + Bits + Not<Output = Self> {
    /// Shifts to the left; a shift outside the type's bits is limited to the nearest valid one.
    fn left_shift(self, by: Self) -> Self;
    /// As [`left_shift`](Self::left_shift); the sign stays.
    fn right_shift(self, by: Self) -> Self;
}

impl Bits for bool {}

macro_rules! integer_functions {
    ($($type:ty)*) => { $(
        impl Bits for $type {}
        impl Integer for $type {
            #[inline(always)]
            fn left_shift(self, by: Self) -> Self { self << by.clamp(0, Self::BITS as Self - 1) }
            #[inline(always)]
            fn right_shift(self, by: Self) -> Self { self >> by.clamp(0, Self::BITS as Self - 1) }
        }
    )* };
}
integer_functions! { i32 i64 u8 i8 i16 u16 u32 u64 }

/// A 16-bit float.
pub(crate) trait Half: Lane {
    /// The same value.
    fn widen(self) -> f32;
    /// The nearest value, ties to the even one.
    fn narrow(value: f32) -> Self;
}

macro_rules! halves {
    ($($type:ty)*) => { $(
        impl Half for $type {
            #[inline(always)]
            fn widen(self) -> f32 {
                self.to_f32()
            }
            #[inline(always)]
            fn narrow(value: f32) -> $type {
                <$type>::from_f32(value)
            }
        }
    )* };
}
halves! { f16 bf16 }
