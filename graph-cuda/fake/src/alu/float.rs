//! Floats of PTX's types, with IEEE's operations rounded to nearest.

/// A float type. Its operations are rounded once.
pub(crate) trait Float: Copy + PartialOrd {
    /// The bits of the fraction and of the exponent.
    const FRACTION: u32;
    const EXPONENT: u32;
    fn of(register: u64) -> Self;
    fn register(self) -> u64;
    /// Exact for each of the types.
    fn wide(self) -> f64;
    /// Rounded to nearest.
    fn narrow(x: f64) -> Self;
    fn add(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn fma(self, by: Self, plus: Self) -> Self;
    fn div(self, by: Self) -> Self;
    fn sqrt(self) -> Self;

    /// The register of infinity, and the mask of the exponent.
    const INFINITY: u64 = ((1 << Self::EXPONENT) - 1) << Self::FRACTION;
    const SIGN: u64 = 1 << (Self::FRACTION + Self::EXPONENT);

    fn is_nan(self) -> bool {
        self.register() & (Self::SIGN - 1) > Self::INFINITY
    }
    fn is_finite(self) -> bool {
        self.register() & Self::INFINITY != Self::INFINITY
    }
    fn is_subnormal(self) -> bool {
        let magnitude = self.register() & (Self::SIGN - 1);
        magnitude != 0 && magnitude < 1 << Self::FRACTION
    }
    fn is_negative(self) -> bool {
        self.register() & Self::SIGN != 0
    }
    fn neg(self) -> Self {
        Self::of(self.register() ^ Self::SIGN)
    }
    fn abs(self) -> Self {
        Self::of(self.register() & !Self::SIGN)
    }
    fn copysign(self, sign: Self) -> Self {
        Self::of(self.register() & !Self::SIGN | sign.register() & Self::SIGN)
    }
    /// Zero of the same sign if it is subnormal.
    fn flushed(self) -> Self {
        if self.is_subnormal() {
            Self::of(self.register() & Self::SIGN)
        } else {
            self
        }
    }
    fn nan() -> Self {
        Self::of(Self::INFINITY | 1 << (Self::FRACTION - 1))
    }
}

macro_rules! native {
    ($t:ty, $bits:ty, $fraction:expr, $exponent:expr) => {
        impl Float for $t {
            const FRACTION: u32 = $fraction;
            const EXPONENT: u32 = $exponent;
            #[inline]
            fn of(register: u64) -> Self {
                Self::from_bits(register as $bits)
            }
            #[inline]
            fn register(self) -> u64 {
                self.to_bits() as u64
            }
            #[inline]
            fn wide(self) -> f64 {
                self as f64
            }
            #[inline]
            fn narrow(x: f64) -> Self {
                x as $t
            }
            #[inline]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline]
            fn mul(self, other: Self) -> Self {
                self * other
            }
            #[inline]
            fn fma(self, by: Self, plus: Self) -> Self {
                self.mul_add(by, plus)
            }
            #[inline]
            fn div(self, by: Self) -> Self {
                self / by
            }
            #[inline]
            fn sqrt(self) -> Self {
                <$t>::sqrt(self)
            }
        }
    };
}
native!(f32, u32, 23, 8);
native!(f64, u64, 52, 11);

/// Evaluates an expression with `$F` as the Rust type of a float type.
macro_rules! with_float {
    ($of:expr, $F:ident => $e:expr) => {
        match ($of.kind, $of.bits) {
            ($crate::types::Kind::Brain, _) => {
                type $F = $crate::alu::small::Brain;
                $e
            }
            (_, 16) => {
                type $F = $crate::alu::small::Half;
                $e
            }
            (_, 32) => {
                type $F = f32;
                $e
            }
            _ => {
                type $F = f64;
                $e
            }
        }
    };
}
pub(crate) use with_float;

/// `-0` is less than `+0`; a NaN gives way to a number.
pub(crate) fn min<F: Float>(a: F, b: F) -> F {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => F::nan(),
        (true, false) => b,
        (false, true) => a,
        _ if a == b => F::of(a.register() | b.register() & F::SIGN),
        _ => {
            if a < b {
                a
            } else {
                b
            }
        }
    }
}

pub(crate) fn max<F: Float>(a: F, b: F) -> F {
    min(a.neg(), b.neg()).neg_unless_nan()
}

trait NegUnlessNan: Float {
    fn neg_unless_nan(self) -> Self {
        if self.is_nan() { self } else { self.neg() }
    }
}
impl<F: Float> NegUnlessNan for F {}
