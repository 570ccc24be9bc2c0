//! Functions of one number, written so that a plain loop over them becomes vector code.
//!
//! The compiler vectorizes a loop whose body has no branch and no call. So these functions are straight lines: an
//! argument reduction, a polynomial, and selects for the special values. They are generic over [`MulAdd`], because
//! `a * b + c` is one instruction where the CPU has it and a slow library call where not; `x.exp::<M>()` inside a
//! `#[target_feature]` function takes whatever width that function has.

mod erf;
mod exp;
mod hyperbolic;
mod log;
mod pow;
mod real;
#[cfg(test)]
mod tests;
mod trig;

/// How `a * b + c` is done. Fused where the instruction set has it, else in two roundings: a call of the library's
/// `fma` takes eighty times as long.
pub(crate) trait MulAdd: Copy {
    fn mul_add_f32(a: f32, b: f32, c: f32) -> f32;
    fn mul_add_f64(a: f64, b: f64, c: f64) -> f64;
    /// `a * b` less `product`, which is `a * b` rounded.
    fn lost_f64(a: f64, b: f64, product: f64) -> f64;
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
    #[inline(always)]
    fn lost_f64(a: f64, b: f64, product: f64) -> f64 {
        a.mul_add(b, -product)
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
    /// Dekker's: the products of halves are exact.
    #[inline(always)]
    fn lost_f64(a: f64, b: f64, product: f64) -> f64 {
        let ((a, a_low), (b, b_low)) = (halves(a), halves(b));
        ((a * b - product) + a * b_low + a_low * b) + a_low * b_low
    }
}

/// A number as a sum of two with half its digits (Veltkamp).
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let scaled = x * 134_217_729.0;
    let high = scaled - (scaled - x);
    (high, x - high)
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
    /// True if the functions `near_*` are right for this angle. A loop that first asks this of a whole block and then
    /// calls one of them is vector code, which a loop of [`Math::sin`] isn't: that one branches.
    fn is_near(self) -> bool;
    /// The sine of an angle that [is near](Math::is_near).
    fn near_sin<M: MulAdd>(self) -> Self;
    /// The cosine of an angle that [is near](Math::is_near).
    fn near_cos<M: MulAdd>(self) -> Self;
    /// The tangent of an angle that [is near](Math::is_near).
    fn near_tan<M: MulAdd>(self) -> Self;
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

/// The functions that are the library's for angles that aren't near. (Not the system's: glibc 2.36 is off by seven units
/// in the last place at some large angles.)
macro_rules! near_or_from_library {
    ($($name:ident = $near:ident, $library:path;)*) => { $(
        #[inline(always)]
        fn $name<M: MulAdd>(self) -> Self {
            if trig::is_near(self) { trig::$near::<Self, M>(self) } else { $library(self) }
        }
    )* };
}

/// The functions of this module.
macro_rules! vectorizable {
    ($($name:ident = $module:ident::$function:ident;)*) => { $(
        #[inline(always)]
        fn $name<M: MulAdd>(self) -> Self { $module::$function::<Self, M>(self) }
    )* };
}

impl Math for f32 {
    vectorizable! {
        exp = exp::exp; expm1 = exp::expm1; sigmoid = exp::sigmoid; tanh = hyperbolic::tanh;
        log = log::log; log1p = log::log1p; softplus = log::softplus;
        erf = erf::erf; near_sin = trig::near_sin; near_cos = trig::near_cos; near_tan = trig::near_tan;
    }

    near_or_from_library! { sin = near_sin, libm::sinf; cos = near_cos, libm::cosf; tan = near_tan, libm::tanf; }

    #[inline(always)]
    fn is_near(self) -> bool {
        trig::is_near(self)
    }

    from_library! {
        exp2 = f32::exp2; log2 = f32::log2; log10 = f32::log10; cbrt = f32::cbrt;
        asin = f32::asin; acos = f32::acos; atan = f32::atan;
        sinh = f32::sinh; cosh = f32::cosh;
        asinh = f32::asinh; acosh = f32::acosh; atanh = f32::atanh;
        erfc = libm::erfcf;
    }

    #[inline(always)]
    fn pow<M: MulAdd>(self, exponent: Self) -> Self {
        pow::pow::<Self, M>(self, exponent)
    }

    #[inline(always)]
    fn atan2<M: MulAdd>(self, x: Self) -> Self {
        f32::atan2(self, x)
    }
}

impl Math for f64 {
    vectorizable! {
        exp = exp::exp; expm1 = exp::expm1; sigmoid = exp::sigmoid; tanh = hyperbolic::tanh;
        log = log::log; log1p = log::log1p; softplus = log::softplus;
        erf = erf::erf; near_sin = trig::near_sin; near_cos = trig::near_cos; near_tan = trig::near_tan;
    }

    near_or_from_library! { sin = near_sin, libm::sin; cos = near_cos, libm::cos; tan = near_tan, libm::tan; }

    #[inline(always)]
    fn is_near(self) -> bool {
        trig::is_near(self)
    }

    from_library! {
        exp2 = f64::exp2; log2 = f64::log2; log10 = f64::log10; cbrt = f64::cbrt;
        asin = f64::asin; acos = f64::acos; atan = f64::atan;
        sinh = f64::sinh; cosh = f64::cosh;
        asinh = f64::asinh; acosh = f64::acosh; atanh = f64::atanh;
        erfc = libm::erfc;
    }

    #[inline(always)]
    fn pow<M: MulAdd>(self, exponent: Self) -> Self {
        pow::pow::<Self, M>(self, exponent)
    }

    #[inline(always)]
    fn atan2<M: MulAdd>(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
}
