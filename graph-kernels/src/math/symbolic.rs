//! The formulas' operations on symbols: what `f32` and `f64` calculate, a symbol records. Constants and polynomials are those of the plain
//! type.

use super::erf::ErrorFunction;
use super::exp::Exponential;
use super::hyperbolic::Hyperbolic;
use super::inverse::Inverse;
use super::log::Logarithm;
use super::real::Real;
use crate::formula::{LaneOp, Plain, Symbol, Word};
use crate::simd::MulAdd;

/// A float type that has symbols.
pub(crate) trait Float: Real<Plain = Self> + Plain {
    /// Its bits.
    type Word: Plain;
}

impl Float for f32 {
    type Word = u32;
}

impl Float for f64 {
    type Word = u64;
}

macro_rules! constants {
    ($($name:ident)*) => { $( const $name: Self = Symbol::Number(F::$name); )* };
    (of two: $($name:ident)*) => {
        $( const $name: [Self; 2] = [Symbol::Number(F::$name[0]), Symbol::Number(F::$name[1])]; )*
    };
    (pairs: $($name:ident)*) => {
        $( const $name: (Self, Self) = (Symbol::Number(F::$name.0), Symbol::Number(F::$name.1)); )*
    };
}

impl<F: Float> Real for Symbol<F>
where
    Symbol<F::Word>: Word,
{
    type Plain = F;
    type Bits = Symbol<F::Word>;
    const MANTISSA: u32 = F::MANTISSA;
    const BIAS: u64 = F::BIAS;
    constants! { ZERO HALF ONE TWO INFINITY NAN ROUNDER MIN_POSITIVE INTEGERS_FROM SQRT_HALF ADDER BIASED_ADDER }
    constants! { of two: LN_2 }
    constants! { pairs: ROUNDER_DOWN LIFT }

    fn of(number: F) -> Self {
        Symbol::Number(number)
    }

    fn to_bits(self) -> Self::Bits {
        self.cast()
    }

    fn from_bits(bits: Self::Bits) -> Self {
        bits.cast()
    }

    /// Fused: there is machine code only for levels that fuse.
    fn times_plus<M: MulAdd>(self, b: Self, c: Self) -> Self {
        Symbol::apply(LaneOp::MulAdd, &[self, b, c])
    }

    #[allow(clippy::eq_op, reason = "only a NaN differs from itself")]
    fn is_nan(self) -> bool {
        self != self
    }

    fn abs(self) -> Self {
        self.magnitude()
    }

    fn sqrt(self) -> Self {
        Symbol::apply(LaneOp::Sqrt, &[self])
    }

    fn with_sign(self, sign: Self) -> Self {
        self.with_sign_of(sign)
    }
}

impl<F: Float + Exponential> Exponential for Symbol<F>
where
    Symbol<F::Word>: Word,
{
    constants! { LOG2_E NEGLIGIBLE TINY LOWEST_LIFTED }
    constants! { of two: DOMAIN DOMAIN_2 }

    fn series<T: Real<Plain = F>, M: MulAdd>(r: T) -> T {
        <F as Exponential>::series::<T, M>(r)
    }
}

impl<F: Float + Logarithm> Logarithm for Symbol<F>
where
    Symbol<F::Word>: Word,
{
    constants! { SQRT_2 }

    fn series<T: Real<Plain = F>, M: MulAdd>(z: T) -> T {
        <F as Logarithm>::series::<T, M>(z)
    }
}

impl<F: Float + Hyperbolic> Hyperbolic for Symbol<F>
where
    Symbol<F::Word>: Word,
{
    fn tanh_of_positive<T: Exponential<Plain = F>, M: MulAdd>(x: T) -> T {
        F::tanh_of_positive::<T, M>(x)
    }

    fn sinh_series<T: Real<Plain = F>, M: MulAdd>(z: T) -> T {
        F::sinh_series::<T, M>(z)
    }
}

impl<F: Float + Inverse> Inverse for Symbol<F>
where
    Symbol<F::Word>: Word,
{
    constants! { of two: QUARTER_PI }

    fn atan_series<T: Real<Plain = F>, M: MulAdd>(z: T) -> T {
        F::atan_series::<T, M>(z)
    }

    fn asin_series<T: Real<Plain = F>, M: MulAdd>(z: T) -> T {
        F::asin_series::<T, M>(z)
    }
}

impl<F: Float + ErrorFunction> ErrorFunction for Symbol<F>
where
    Symbol<F::Word>: Word,
{
    constants! { SERIES ONE_FROM }

    fn erf_series<T: Real<Plain = F>, M: MulAdd>(z: T) -> T {
        F::erf_series::<T, M>(z)
    }

    fn complement<T: Exponential<Plain = F>, M: MulAdd>(x: T) -> T {
        F::complement::<T, M>(x)
    }
}
