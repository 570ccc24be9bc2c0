//! The functions to a hundred bits, without optimization: numbers are sums of two `f64` (Dekker; Knuth's exact sum), and series are
//! summed term by term. No code of the tested functions is used.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `(high + low) * 2^exponent`; `low` is at most half a unit in the last place of `high`.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    pub high: f64,
    pub low: f64,
    pub exponent: i32,
}

const LN_2: Exact = exact(std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
/// Half of pi to 159 bits.
const FRAC_PI_2: [f64; 3] = [
    std::f64::consts::FRAC_PI_2,
    6.123_233_995_736_766e-17,
    -1.497_384_904_859_169_7e-33,
];
const TWO_OVER_SQRT_PI: Exact = exact(std::f64::consts::FRAC_2_SQRT_PI, 1.533_545_961_316_588e-17);

const fn exact(high: f64, low: f64) -> Exact {
    Exact {
        high,
        low,
        exponent: 0,
    }
}

impl From<f64> for Exact {
    fn from(x: f64) -> Self {
        exact(x, 0.0)
    }
}

fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

impl Add for Exact {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        assert_eq!((self.exponent, other.exponent), (0, 0));
        let (high, error) = two_sum(self.high, other.high);
        let (low, low_error) = two_sum(self.low, other.low);
        let (high, error) = two_sum(high, error + low);
        let (high, low) = two_sum(high, error + low_error);
        exact(high, low)
    }
}

impl Neg for Exact {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
            exponent: self.exponent,
        }
    }
}

impl Sub for Exact {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Exact {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (high, error) = two_product(self.high, other.high);
        let error = error + (self.high * other.low + self.low * other.high);
        let (high, low) = two_sum(high, error);
        Self {
            high,
            low,
            exponent: self.exponent + other.exponent,
        }
    }
}

impl Div for Exact {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let divisor = exact(other.high, other.low);
        let mut rest = exact(self.high, self.low);
        let mut quotient = Self::from(0.0);
        for _ in 0..3 {
            let digit = Self::from(rest.high / divisor.high);
            rest = rest - digit * divisor;
            quotient = quotient + digit;
        }
        Self {
            exponent: self.exponent - other.exponent,
            ..quotient
        }
    }
}

impl Exact {
    /// The value with the exponent multiplied into the parts, which must stay normal.
    fn settled(self) -> Self {
        let power = 2f64.powi(self.exponent);
        exact(self.high * power, self.low * power)
    }

    /// `sum of first * ratio(1) * ... * ratio(n) / divisor(n)`.
    fn series(
        first: Self,
        terms: u32,
        ratio: impl Fn(f64) -> Self,
        divisor: impl Fn(f64) -> f64,
    ) -> Self {
        let (mut term, mut sum) = (first, first / divisor(0.0).into());
        for n in (1..=terms).map(f64::from) {
            term = term * ratio(n);
            sum = sum + term / divisor(n).into();
        }
        sum
    }

    /// `exp(r) - 1` and `k` with `self = k ln 2 + r`.
    fn reduced_exp(self) -> (Self, i32) {
        let k = (self.high / std::f64::consts::LN_2).round();
        let r = (self - LN_2 * k.into()) / 256.0.into();
        let mut less_one = Self::series(r, 14, |n| r / (n + 1.0).into(), |_| 1.0);
        for _ in 0..8 {
            less_one = less_one * (less_one + 2.0.into());
        }
        (less_one, k as i32)
    }

    pub fn exp(self) -> Self {
        let (less_one, k) = self.reduced_exp();
        Self {
            exponent: k,
            ..less_one + 1.0.into()
        }
    }

    pub fn exp2(self) -> Self {
        (self * LN_2).exp()
    }

    pub fn sinh(self) -> Self {
        let t = self.expm1().settled();
        (t + t / (t + 1.0.into())) / 2.0.into()
    }

    /// For numbers whose exponential is a normal number.
    pub fn cosh(self) -> Self {
        let e = self.exp().settled();
        (e + Self::from(1.0) / e) / 2.0.into()
    }

    pub fn expm1(self) -> Self {
        let (less_one, k) = self.reduced_exp();
        let half_power = Self::from(2f64.powi(k - 1));
        let half = less_one * half_power + (half_power - 0.5.into());
        Self {
            exponent: 1,
            ..half
        }
    }

    /// For positive numbers.
    pub fn log(self) -> Self {
        let e = (self.high.log2().round() as i32).clamp(-1000, 1000);
        let half = 2f64.powi(-e / 2);
        let rest = 2f64.powi(-(e - e / 2));
        let m = exact(self.high * half * rest, self.low * half * rest);
        // Subnormal numbers need a second step.
        let more = m.high.log2().round();
        let m = exact(m.high * 2f64.powf(-more), m.low * 2f64.powf(-more));
        let s = (m - 1.0.into()) / (m + 1.0.into());
        let square = s * s;
        let atanh = Self::series(s, 30, |_| square, |n| 2.0 * n + 1.0);
        LN_2 * (f64::from(e) + more).into() + atanh + atanh
    }

    pub fn log2(self) -> Self {
        self.log() / LN_2
    }

    pub fn log10(self) -> Self {
        self.log() / Self::from(10.0).log()
    }

    pub fn log1p(self) -> Self {
        (self + 1.0.into()).log()
    }

    pub fn sigmoid(self) -> Self {
        let e = if self.high < 0.0 {
            self.exp()
        } else {
            (-self).exp()
        };
        if e.exponent < -900 {
            return if self.high < 0.0 { e } else { 1.0.into() };
        }
        let e = e.settled();
        let numerator = if self.high < 0.0 { e } else { 1.0.into() };
        numerator / (e + 1.0.into())
    }

    pub fn softplus(self) -> Self {
        let magnitude = if self.high < 0.0 { self } else { -self };
        let e = magnitude.exp();
        if e.exponent < -400 {
            return if self.high < 0.0 { e } else { self };
        }
        let positive = if self.high < 0.0 { 0.0.into() } else { self };
        positive + e.settled().log1p()
    }

    pub fn tanh(self) -> Self {
        if self.high.abs() > 30.0 {
            return self.high.signum().into();
        }
        let t = (self + self).expm1();
        let t = exact(t.high * 2.0, t.low * 2.0);
        t / (t + 2.0.into())
    }

    /// For magnitudes below a million: the angle to the nearest multiple of `pi / 2`, and which multiple.
    fn reduced_angle(self) -> (Self, i64) {
        let n = (self.high / FRAC_PI_2[0]).round();
        let r = FRAC_PI_2
            .iter()
            .fold(self, |r, part| r - Self::from(*part) * n.into());
        (r, n as i64)
    }

    /// The sine of `self` plus `quarters * pi / 2`.
    fn sin_of(self, quarters: i64) -> Self {
        let minus_square = -(self * self);
        let odd = f64::from(quarters.rem_euclid(2) as u8);
        let first = if odd == 0.0 { self } else { 1.0.into() };
        let ratio = |n: f64| minus_square / ((2.0 * n - odd) * (2.0 * n + 1.0 - odd)).into();
        let sum = Self::series(first, 16, ratio, |_| 1.0);
        if quarters.rem_euclid(4) < 2 {
            sum
        } else {
            -sum
        }
    }

    pub fn sin(self) -> Self {
        let (r, quarters) = self.reduced_angle();
        r.sin_of(quarters)
    }

    pub fn cos(self) -> Self {
        let (r, quarters) = self.reduced_angle();
        r.sin_of(quarters + 1)
    }

    fn sqrt(self) -> Self {
        let root = Self::from(self.high.sqrt());
        root + (self - root * root) / (root + root)
    }

    /// One step of Newton's method from the library's result.
    pub fn atan(self) -> Self {
        let near = Self::from(self.high.atan());
        let (sin, cos) = (near.sin(), near.cos());
        near + (self * cos - sin) / (cos + self * sin)
    }

    /// The angle of the point (`x`, `self`).
    pub fn atan2(self, x: Self) -> Self {
        let angle = (self / x).atan();
        let pi = exact(2.0 * FRAC_PI_2[0], 2.0 * FRAC_PI_2[1]);
        match (x.high < 0.0, self.high < 0.0) {
            (false, _) => angle,
            (true, false) => angle + pi,
            (true, true) => angle - pi,
        }
    }

    pub fn asin(self) -> Self {
        let one = Self::from(1.0);
        (self / ((one - self) * (one + self)).sqrt()).atan()
    }

    pub fn acos(self) -> Self {
        let one = Self::from(1.0);
        let half = ((one - self) / (one + self)).sqrt().atan();
        half + half
    }

    pub fn asinh(self) -> Self {
        let a = if self.high < 0.0 { -self } else { self };
        let one = Self::from(1.0);
        let result = (a + a * a / (one + (a * a + one).sqrt())).log1p();
        if self.high < 0.0 { -result } else { result }
    }

    pub fn acosh(self) -> Self {
        let above = self - 1.0.into();
        (above + (above + above + above * above).sqrt()).log1p()
    }

    pub fn atanh(self) -> Self {
        ((self + self) / (Self::from(1.0) - self)).log1p() / 2.0.into()
    }

    pub fn erf(self) -> Self {
        if self.high.abs() > 6.0 {
            return self.high.signum().into();
        }
        let minus_square = -(self * self);
        let terms = (30.0 + 4.0 * self.high * self.high) as u32;
        let sum = Self::series(self, terms, |n| minus_square / n.into(), |n| 2.0 * n + 1.0);
        sum * TWO_OVER_SQRT_PI
    }

    /// For a positive base.
    pub fn pow(self, exponent: Self) -> Self {
        (self.log() * exponent).exp()
    }

    /// The distance of `value` from the exact value in units in the last place; infinite if one of them isn't a finite number and the
    /// other differs.
    pub fn distance(self, value: f64) -> f64 {
        let nearest = self.nearest();
        if !nearest.is_finite() || !value.is_finite() {
            // If the exact value rounds to infinity, the greatest finite number is half a unit away.
            return if nearest == value { 0.0 } else { f64::INFINITY };
        }
        let unit = f64::EPSILON * 2f64.powi(self.high.abs().log2().floor() as i32);
        let smallest = scale(f64::from_bits(1), -self.exponent);
        ((scale(value, -self.exponent) - self.high) - self.low).abs() / unit.max(smallest)
    }

    /// The nearest `f64` (for subnormal values, within a thousandth of a unit).
    pub fn nearest(self) -> f64 {
        scale(self.high, self.exponent)
    }
}

/// `x * 2^exponent`, rounded once.
fn scale(x: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    x * 2f64.powi(half) * 2f64.powi(exponent - half)
}
