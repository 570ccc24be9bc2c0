//! Functions of one number, written so that a plain loop over them becomes vector code.
//!
//! The compiler vectorizes a loop whose body has no branch and no call. So these functions are straight-line code: an argument reduction,
//! a polynomial, and selects for the special values. They are generic over [`MulAdd`], because `a * b + c` is one instruction where the
//! CPU has it and a slow library call elsewhere; `x.exp::<M>()` inside a `#[target_feature]` function uses that function's vector width.
//!
//! The table gives the error bound in units in the last place of the exact result (also for subnormal results), which holds with and
//! without fused multiply-add; and the time in nanoseconds per number of a block in the nearest cache, on one core of a Zen 5 with 16 or
//! 8 lanes (AVX-512) and with 8 or 4 (AVX2), next to the standard library (glibc 2.36; `erf`: the crate `libm`). `tests/` checks the
//! bounds and measures the times.
//!
//! | function | `f32`: bound | AVX-512 | AVX2 | std | `f64`: bound | AVX-512 | AVX2 | std |
//! |---|---|---|---|---|---|---|---|---|
//! | `exp` | 1.1 | 0.14 | 0.28 | 1.4 | 1.1 | 0.40 | 0.79 | 2.8 |
//! | `exp2` | 1.1 | 0.13 | 0.26 | 1.4 | 1.1 | 0.36 | 0.71 | 2.0 |
//! | `expm1` | 2 | 0.15 | 0.29 | 6.8 | 2.5 | 0.40 | 0.80 | 5.0 |
//! | `sigmoid` | 2.5 | 0.20 | 0.39 | 1.6 | 2.5 | 0.50 | 0.98 | 3.0 |
//! | `softplus` | 2 | 0.54 | 1.12 | 8.5 | 2 | 1.43 | 2.85 | 8.5 |
//! | `log` | 1 | 0.26 | 0.49 | 1.7 | 1 | 0.64 | 1.23 | 2.6 |
//! | `log1p` | 1.5 | 0.35 | 0.67 | 5.4 | 1.5 | 0.79 | 1.56 | 4.5 |
//! | `pow` | 1 | 1.10 | 2.10 | 3.5 | 1.5 | 3.00 | 6.05 | 9.3 |
//! | `sin` | 1 | 0.42 | 0.84 | 1.9 | 1 | 0.94 | 1.87 | 8.6 |
//! | `cos` | 1 | 0.42 | 0.80 | 1.9 | 1 | 0.94 | 1.87 | 8.7 |
//! | `tan` | 1 | 0.50 | 1.00 | 8.9 | 2.5 | 1.02 | 2.00 | 9.1 |
//! | `sinh` | 2 | 0.23 | 0.48 | 10 | 2 | 0.63 | 1.33 | 9.0 |
//! | `cosh` | 2 | 0.17 | 0.32 | 4.3 | 2 | 0.47 | 0.93 | 4.1 |
//! | `tanh` | 2.5 | 0.13 | 0.27 | 9.1 | 1.5 | 0.67 | 1.40 | 7.3 |
//! | `asin` | 2.5 | 0.14 | 0.29 | 2.3 | 2.5 | 0.46 | 0.98 | 2.7 |
//! | `acos` | 1.5 | 0.15 | 0.35 | 3.5 | 1.5 | 0.52 | 1.13 | 2.8 |
//! | `atan` | 1.5 | 0.19 | 0.38 | 4.5 | 1.5 | 0.64 | 1.24 | 7.9 |
//! | `asinh` | 2.5 | 1.11 | 2.38 | 14 | 2.5 | 2.79 | 5.78 | 17 |
//! | `acosh` | 2.5 | 1.02 | 2.11 | 2.8 | 2.5 | 2.60 | 5.03 | 4.0 |
//! | `atanh` | 2.5 | 0.58 | 1.15 | 6.8 | 2.5 | 1.43 | 2.71 | 6.0 |
//! | `erf` | 1.5 | 0.36 | 0.73 | 12 | 1.5 | 0.98 | 2.05 | 16 |
//!
//! The times of `tanh` of `f32` were not measured there: they are those of the former formula, scaled by the ratio of the new to the old
//! one on a Zen 4 (0.58 and 0.55).
//!
//! Sine, cosine and tangent are vector code as `near_sin` and so on, see [`Math::is_near`]. With [`Unfused`] and the four or two lanes of
//! any x86-64, all functions take three times as long as with AVX2; some of `f64` are then slower than the library's. The functions of
//! [`Math`] that aren't in the table call the library for each number. Exceptions are `atan2`, which is `atan` of a quotient, within 2.5
//! units, and `log2` and `log10` of `f32`, which use the logarithm of `f64`, within 1 unit.

mod erf;
mod exp;
mod hyperbolic;
mod inverse;
mod log;
mod pow;
mod real;
pub(crate) mod remainder;
mod symbolic;
#[cfg(test)]
mod tests;
mod trig;
mod truncate;

use crate::formula::{Symbol, Word};
use crate::simd::MulAdd;
use erf::ErrorFunction;
use hyperbolic::Hyperbolic;
use inverse::Inverse;

pub(crate) use truncate::truncate;

/// The functions of `f32` and `f64`. Special values are C99's (Annex F): NaN in, NaN out; signed zeros and infinities
/// as there. The table of this module has their bounds.
pub(crate) trait Math: Copy {
    fn exp<M: MulAdd>(self) -> Self;
    /// The factor of [`exp_down_lifted`](Math::exp_down_lifted): a power of two.
    const LIFT: Self;
    /// [`LIFT`](Math::LIFT) times [`exp`](Math::exp) of a number that isn't positive, in fewer steps: where [`exp`](Math::exp) rounds a
    /// subnormal result, this doesn't round.
    fn exp_down_lifted<M: MulAdd>(self) -> Self;
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
    /// True if the functions `near_*` can calculate this angle. A loop that first checks a whole block and then calls one of them is
    /// vector code; a loop of [`Math::sin`] isn't, because it branches.
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

/// Functions that call the library.
macro_rules! from_library {
    ($($name:ident = $library:path;)*) => { $(
        #[inline(always)]
        fn $name<M: MulAdd>(self) -> Self { $library(self) }
    )* };
}

/// Functions that call the library for angles that aren't near. (It isn't the system's: glibc 2.36 is off by seven units in the last
/// place at some large angles.)
macro_rules! near_or_from_library {
    ($($name:ident = $near:ident, $library:path;)*) => { $(
        #[inline(always)]
        fn $name<M: MulAdd>(self) -> Self {
            if trig::is_near(self) { trig::$near::<Self, M>(self) } else { $library(self) }
        }
    )* };
}

/// Functions that this module defines.
macro_rules! vectorizable {
    ($($name:ident = $module:ident::$function:ident;)*) => { $(
        #[inline(always)]
        fn $name<M: MulAdd>(self) -> Self { $module::$function::<Self, M>(self) }
    )* };
}

/// The functions of this module that symbols have, too.
macro_rules! of_this_module {
    () => {
        vectorizable! {
            exp = exp::exp; exp2 = exp::exp2; expm1 = exp::expm1; sigmoid = exp::sigmoid;
            log = log::log; log1p = log::log1p; softplus = log::softplus; erf = erf::erf;
            sinh = hyperbolic::sinh; cosh = hyperbolic::cosh; tanh = hyperbolic::tanh;
            asin = inverse::asin; acos = inverse::acos; atan = inverse::atan;
            asinh = inverse::asinh; acosh = inverse::acosh; atanh = inverse::atanh;
        }

        #[inline(always)]
        fn exp_down_lifted<M: MulAdd>(self) -> Self {
            exp::exp_down_lifted::<Self, M>(self)
        }

        #[inline(always)]
        fn atan2<M: MulAdd>(self, x: Self) -> Self {
            inverse::atan2::<Self, M>(self, x)
        }
    };
}

/// For a float type: which functions this module defines, and which its library does.
macro_rules! math {
    ($float:ident: erfc $erfc:path, sin $sin:path, cos $cos:path, tan $tan:path; $($rest:item)*) => {
        impl Math for $float {
            const LIFT: Self = (1u64 << 63) as Self;

            of_this_module! {}
            vectorizable! {
                near_sin = trig::near_sin; near_cos = trig::near_cos; near_tan = trig::near_tan;
            }

            near_or_from_library! { sin = near_sin, $sin; cos = near_cos, $cos; tan = near_tan, $tan; }

            from_library! {
                cbrt = $float::cbrt; erfc = $erfc;
            }

            $($rest)*

            #[inline(always)]
            fn is_near(self) -> bool {
                trig::is_near(self)
            }

            #[inline(always)]
            fn pow<M: MulAdd>(self, exponent: Self) -> Self {
                pow::pow::<Self, M>(self, exponent)
            }
        }
    };
}

math! { f32: erfc libm::erfcf, sin libm::sinf, cos libm::cosf, tan libm::tanf;
    #[inline(always)]
    fn log2<M: MulAdd>(self) -> Self {
        log::log_narrow::<M>(self, std::f64::consts::LOG2_E)
    }

    #[inline(always)]
    fn log10<M: MulAdd>(self) -> Self {
        log::log_narrow::<M>(self, std::f64::consts::LOG10_E)
    }
}
math! { f64: erfc libm::erfc, sin libm::sin, cos libm::cos, tan libm::tan;
    from_library! { log2 = f64::log2; log10 = f64::log10; }
}

/// Functions that can't be recorded: they call the library, or calculate in another type.
macro_rules! unrecorded {
    ($($name:ident($($operand:ident),*))*) => { $(
        fn $name<M: MulAdd>(self $(, $operand: Self)*) -> Self {
            $( let _ = $operand; )*
            Symbol::unknown()
        }
    )* };
}

impl<F: symbolic::Float + Math + Functions> Math for Symbol<F>
where
    Symbol<F::Word>: Word,
{
    const LIFT: Self = Symbol::Number(<F as Math>::LIFT);

    of_this_module! {}

    unrecorded! {
        cbrt() erfc() sin() cos() tan() near_sin() near_cos() near_tan() log2() log10() pow(exponent)
    }

    fn is_near(self) -> bool {
        false
    }
}

/// The float types whose formulas are recorded: all that they need.
pub(crate) trait Functions: Hyperbolic + Inverse + ErrorFunction {}
impl<F: Hyperbolic + Inverse + ErrorFunction> Functions for F {}
