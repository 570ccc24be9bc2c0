//! Float operations with PTX's modifiers: rounding directions, `.ftz` and `.sat`.

use super::float::{Float, max, min};
use super::round::{Mode, directed, overflowed};

/// The modifiers of a float instruction, as the bits of its fourth operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Modifiers {
    pub mode: Mode,
    pub flush: bool,
    pub saturate: bool,
}

impl Modifiers {
    pub(crate) fn is_plain(self) -> bool {
        self.mode == Mode::Nearest && !self.flush && !self.saturate
    }

    pub(crate) fn number(self) -> u64 {
        self.mode as u64 | u64::from(self.flush) << 2 | u64::from(self.saturate) << 3
    }

    pub(crate) fn of(number: u64) -> Self {
        Self {
            mode: Mode::of(number),
            flush: number & 4 != 0,
            saturate: number & 8 != 0,
        }
    }

    pub(crate) fn input<F: Float>(self, x: F) -> F {
        if self.flush { x.flushed() } else { x }
    }

    pub(crate) fn output<F: Float>(self, x: F) -> F {
        let x = self.input(x);
        match self.saturate {
            true if x.is_nan() => F::of(0),
            true => min(max(x, F::of(0)), F::narrow(1.0)),
            false => x,
        }
    }
}

/// An operation on up to three floats.
pub(crate) trait Operation {
    fn nearest<F: Float>(a: F, b: F, c: F) -> F;

    /// By how much the exact value is greater than `r`; only the sign counts.
    fn excess<F: Float>(_r: F, _a: F, _b: F, _c: F) -> F {
        F::of(0)
    }
}

/// Rounds to nearest.
pub(crate) fn plain<O: Operation, F: Float>(a: u64, b: u64, c: u64, _: u64) -> u64 {
    O::nearest(F::of(a), F::of(b), F::of(c)).register()
}

/// The operation with the modifiers of its fourth operand.
pub(crate) fn modified<O: Operation, F: Float>(a: u64, b: u64, c: u64, modifiers: u64) -> u64 {
    let m = Modifiers::of(modifiers);
    let [a, b, c] = [a, b, c].map(|x| m.input(F::of(x)));
    let r = O::nearest(a, b, c);
    let r = match m.mode {
        Mode::Nearest => r,
        mode if r.is_finite() => directed(r, O::excess(r, a, b, c), mode),
        mode if !r.is_nan() && [a, b, c].iter().all(|x| x.is_finite()) => overflowed(r, mode),
        _ => r,
    };
    m.output(r).register()
}

/// The rounding error of a sum, exactly.
fn sum_error<F: Float>(a: F, b: F, sum: F) -> F {
    let back = sum.add(a.neg());
    a.add(sum.add(back.neg()).neg()).add(b.add(back.neg()))
}

pub(crate) struct Add;
impl Operation for Add {
    #[inline]
    fn nearest<F: Float>(a: F, b: F, _: F) -> F {
        a.add(b)
    }
    fn excess<F: Float>(r: F, a: F, b: F, _: F) -> F {
        sum_error(a, b, r)
    }
}

pub(crate) struct Sub;
impl Operation for Sub {
    #[inline]
    fn nearest<F: Float>(a: F, b: F, _: F) -> F {
        a.add(b.neg())
    }
    fn excess<F: Float>(r: F, a: F, b: F, _: F) -> F {
        sum_error(a, b.neg(), r)
    }
}

pub(crate) struct Mul;
impl Operation for Mul {
    #[inline]
    fn nearest<F: Float>(a: F, b: F, _: F) -> F {
        a.mul(b)
    }
    fn excess<F: Float>(r: F, a: F, b: F, _: F) -> F {
        a.fma(b, r.neg())
    }
}

pub(crate) struct Fma;
impl Operation for Fma {
    #[inline]
    fn nearest<F: Float>(a: F, b: F, c: F) -> F {
        a.fma(b, c)
    }
    /// The exact error is a sum of two floats (Boldo and Muller, 2005); its sign is that of the larger, `high`.
    fn excess<F: Float>(r: F, a: F, b: F, c: F) -> F {
        let product = a.mul(b);
        let product_error = a.fma(b, product.neg());
        let low = c.add(product_error);
        let low_error = sum_error(c, product_error, low);
        let sum = product.add(low);
        let rest = sum_error(product, low, sum);
        let high = sum.add(r.neg()).add(rest).add(low_error);
        if high == F::of(0) { low_error } else { high }
    }
}

pub(crate) struct Div;
impl Operation for Div {
    #[inline]
    fn nearest<F: Float>(a: F, b: F, _: F) -> F {
        a.div(b)
    }
    fn excess<F: Float>(r: F, a: F, b: F, _: F) -> F {
        let rest = r.neg().fma(b, a);
        if b.is_negative() { rest.neg() } else { rest }
    }
}

pub(crate) struct Reciprocal;
impl Operation for Reciprocal {
    #[inline]
    fn nearest<F: Float>(a: F, _: F, _: F) -> F {
        F::narrow(1.0).div(a)
    }
    fn excess<F: Float>(r: F, a: F, _: F, _: F) -> F {
        Div::excess(r, F::narrow(1.0), a, a)
    }
}

pub(crate) struct Sqrt;
impl Operation for Sqrt {
    #[inline]
    fn nearest<F: Float>(a: F, _: F, _: F) -> F {
        a.sqrt()
    }
    fn excess<F: Float>(r: F, a: F, _: F, _: F) -> F {
        r.neg().fma(r, a)
    }
}

/// Declares operations whose value isn't rounded, or is one that the hardware only approximates: here it is the nearest float.
macro_rules! operations {
    ($($name:ident |$a:ident, $b:ident| $e:expr;)*) => {$(
        pub(crate) struct $name;
        impl Operation for $name {
            #[inline]
            fn nearest<F: Float>($a: F, $b: F, _: F) -> F {
                $e
            }
        }
    )*};
}
operations! {
    Min |a, b| min(a, b);
    Max |a, b| max(a, b);
    MinNan |a, b| if a.is_nan() || b.is_nan() { F::nan() } else { min(a, b) };
    MaxNan |a, b| if a.is_nan() || b.is_nan() { F::nan() } else { max(a, b) };
    Abs |a, _b| a.abs();
    Neg |a, _b| a.neg();
    // PTX gives the sign first.
    CopySign |a, b| b.copysign(a);
    ReciprocalSqrt |a, _b| F::narrow(1.0 / a.wide().sqrt());
    Exp2 |a, _b| F::narrow(a.wide().exp2());
    Log2 |a, _b| F::narrow(a.wide().log2());
    Sin |a, _b| F::narrow(a.wide().sin());
    Cos |a, _b| F::narrow(a.wide().cos());
    Tanh |a, _b| F::narrow(a.wide().tanh());
}

/// A sum for `atom.add`, whose fourth operand isn't modifiers.
pub(crate) fn add<F: Float>(a: u64, b: u64, _: u64, _: u64) -> u64 {
    F::of(a).add(F::of(b)).register()
}
