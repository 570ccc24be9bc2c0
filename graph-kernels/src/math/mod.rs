//! Functions of one number, written so that a plain loop over them becomes vector code.
//!
//! The compiler vectorizes a loop whose body has no branch and no call. So these functions are straight lines: an
//! argument reduction, a polynomial, and selects for the special values. They are generic over [`MulAdd`], because
//! `a * b + c` is one instruction where the CPU has it and a slow library call where not; `x.exp::<M>()` inside a
//! `#[target_feature]` function takes whatever width that function has.

/// How `a * b + c` is done. Fused where the instruction set has it, else in two roundings: a call of the library's
/// `fma` takes eighty times as long.
pub(crate) trait MulAdd: Copy {
    fn mul_add_f32(a: f32, b: f32, c: f32) -> f32;
    fn mul_add_f64(a: f64, b: f64, c: f64) -> f64;
}

/// One instruction, one rounding. For code compiled with an instruction set that has it.
#[derive(Clone, Copy)]
pub(crate) struct Fused;

/// A product and a sum, each rounded. For code compiled for any CPU.
#[derive(Clone, Copy)]
pub(crate) struct Unfused;

impl MulAdd for Fused {
    #[inline(always)]
    fn mul_add_f32(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
    #[inline(always)]
    fn mul_add_f64(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

impl MulAdd for Unfused {
    #[inline(always)]
    fn mul_add_f32(a: f32, b: f32, c: f32) -> f32 {
        a * b + c
    }
    #[inline(always)]
    fn mul_add_f64(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// The functions of `f32` and `f64`. Special values are C99's (Annex F): NaN in, NaN out; signed zeros and infinities
/// as there.
pub(crate) trait Math: Copy {
    fn exp<M: MulAdd>(self) -> Self;
    fn exp2<M: MulAdd>(self) -> Self;
    /// `exp(x) - 1`, accurate near 0.
    fn expm1<M: MulAdd>(self) -> Self;
    /// The natural logarithm.
    fn log<M: MulAdd>(self) -> Self;
    /// `log(1 + x)`, accurate near 0.
    fn log1p<M: MulAdd>(self) -> Self;
    fn log2<M: MulAdd>(self) -> Self;
    fn log10<M: MulAdd>(self) -> Self;
    fn pow<M: MulAdd>(self, exponent: Self) -> Self;
    fn cbrt<M: MulAdd>(self) -> Self;
    /// `1 / (1 + exp(-x))`.
    fn sigmoid<M: MulAdd>(self) -> Self;
    /// `log(1 + exp(x))`.
    fn softplus<M: MulAdd>(self) -> Self;
    fn sin<M: MulAdd>(self) -> Self;
    fn cos<M: MulAdd>(self) -> Self;
    fn tan<M: MulAdd>(self) -> Self;
    fn asin<M: MulAdd>(self) -> Self;
    fn acos<M: MulAdd>(self) -> Self;
    fn atan<M: MulAdd>(self) -> Self;
    /// The angle of the point (`x`, `self`).
    fn atan2<M: MulAdd>(self, x: Self) -> Self;
    fn sinh<M: MulAdd>(self) -> Self;
    fn cosh<M: MulAdd>(self) -> Self;
    fn tanh<M: MulAdd>(self) -> Self;
    fn asinh<M: MulAdd>(self) -> Self;
    fn acosh<M: MulAdd>(self) -> Self;
    fn atanh<M: MulAdd>(self) -> Self;
    /// The error function.
    fn erf<M: MulAdd>(self) -> Self;
    /// `1 - erf(x)`, accurate where that is small.
    fn erfc<M: MulAdd>(self) -> Self;
}

/// The functions that are the library's.
macro_rules! from_library {
    ($($name:ident = $library:path;)*) => { $(
        #[inline(always)]
        fn $name<M: MulAdd>(self) -> Self { $library(self) }
    )* };
}

impl Math for f32 {
    from_library! {
        exp = f32::exp; exp2 = f32::exp2; expm1 = f32::exp_m1;
        log = f32::ln; log1p = f32::ln_1p; log2 = f32::log2; log10 = f32::log10; cbrt = f32::cbrt;
        sin = f32::sin; cos = f32::cos; tan = f32::tan; asin = f32::asin; acos = f32::acos; atan = f32::atan;
        sinh = f32::sinh; cosh = f32::cosh; tanh = f32::tanh;
        asinh = f32::asinh; acosh = f32::acosh; atanh = f32::atanh;
        erf = libm::erff; erfc = libm::erfcf;
    }

    #[inline(always)]
    fn pow<M: MulAdd>(self, exponent: Self) -> Self {
        self.powf(exponent)
    }

    #[inline(always)]
    fn atan2<M: MulAdd>(self, x: Self) -> Self {
        f32::atan2(self, x)
    }

    #[inline(always)]
    fn sigmoid<M: MulAdd>(self) -> Self {
        1.0 / (1.0 + Math::exp::<M>(-self))
    }

    #[inline(always)]
    fn softplus<M: MulAdd>(self) -> Self {
        // max(x, 0) + log(1 + exp(-|x|)): nothing overflows, and nothing is lost where one of the two is small.
        // `max` of the library takes the number of a number and a NaN; the second term brings the NaN back.
        f32::max(self, 0.0) + Math::log1p::<M>(Math::exp::<M>(-f32::abs(self)))
    }
}

impl Math for f64 {
    from_library! {
        exp = f64::exp; exp2 = f64::exp2; expm1 = f64::exp_m1;
        log = f64::ln; log1p = f64::ln_1p; log2 = f64::log2; log10 = f64::log10; cbrt = f64::cbrt;
        sin = f64::sin; cos = f64::cos; tan = f64::tan; asin = f64::asin; acos = f64::acos; atan = f64::atan;
        sinh = f64::sinh; cosh = f64::cosh; tanh = f64::tanh;
        asinh = f64::asinh; acosh = f64::acosh; atanh = f64::atanh;
        erf = libm::erf; erfc = libm::erfc;
    }

    #[inline(always)]
    fn pow<M: MulAdd>(self, exponent: Self) -> Self {
        self.powf(exponent)
    }

    #[inline(always)]
    fn atan2<M: MulAdd>(self, x: Self) -> Self {
        f64::atan2(self, x)
    }

    #[inline(always)]
    fn sigmoid<M: MulAdd>(self) -> Self {
        1.0 / (1.0 + Math::exp::<M>(-self))
    }

    #[inline(always)]
    fn softplus<M: MulAdd>(self) -> Self {
        f64::max(self, 0.0) + Math::log1p::<M>(Math::exp::<M>(-f64::abs(self)))
    }
}
