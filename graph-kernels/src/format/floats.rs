//! The digits of floats: NumPy's aligned columns, and C's `%g`.

use crate::{bf16, f16};

/// The most digits after the point in a NumPy column.
const PRECISION: usize = 8;

/// A float that can be formatted.
pub(super) trait FloatText: Copy + PartialOrd + Into<f64> {
    /// The fewest digits that parse to the same value; `with_exponent`, as `1.5e-7`.
    fn digits(self, with_exponent: bool) -> String;
    /// Whether a column with these largest and smallest magnitudes is written with exponents. The test uses the type's own arithmetic, as
    /// NumPy does: `10 / 0.01` is above 1000 in `float64` only.
    fn needs_exponent(largest: Self, smallest: Self) -> bool;
    /// The magnitude.
    fn magnitude(self) -> Self;
}

macro_rules! float_texts {
    ($($type:ty)*) => { $( impl FloatText for $type {
        fn digits(self, with_exponent: bool) -> String {
            if with_exponent { format!("{self:e}") } else { self.to_string() }
        }
        fn needs_exponent(largest: Self, smallest: Self) -> bool {
            largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1e3
        }
        fn magnitude(self) -> Self { self.abs() }
    } )* };
}
float_texts! { f32 f64 }

macro_rules! half_texts {
    ($($type:ty)*) => { $( impl FloatText for $type {
        fn digits(self, with_exponent: bool) -> String {
            // Four digits after the first distinguish all 16-bit floats.
            let texts = (0..=4).map(|digits| format!("{:.digits$e}", self.to_f64()));
            let shortest = texts.map(|text| text.parse::<f64>().unwrap_or(f64::NAN));
            let value = shortest.into_iter().find(|v| <$type>::from_f64(*v) == self);
            value.unwrap_or(self.to_f64()).digits(with_exponent)
        }
        fn needs_exponent(largest: Self, smallest: Self) -> bool {
            f32::needs_exponent(largest.to_f32(), smallest.to_f32())
        }
        fn magnitude(self) -> Self { if self.is_sign_negative() { -self } else { self } }
    } )* };
}
half_texts! { f16 bf16 }

/// A float outside an array, as Python prints one: shortest digits, an exponent from 1e16 and below 1e-4.
pub(super) fn scalar<T: FloatText>(value: T) -> String {
    let wide: f64 = value.into();
    if !wide.is_finite() {
        return special(wide);
    }
    if wide != 0.0 && !(1e-4..1e16).contains(&wide.abs()) {
        let shortest = value.digits(true);
        let (digits, exponent) = split_exponent(&shortest);
        return format!("{digits}{}", exponent_text(exponent, 2));
    }
    let text = value.digits(false);
    if text.contains('.') {
        text
    } else {
        text + ".0"
    }
}

/// The text of NaN and the infinities.
fn special(value: f64) -> String {
    match value {
        v if v.is_nan() => "nan".to_owned(),
        v if v > 0.0 => "inf".to_owned(),
        _ => "-inf".to_owned(),
    }
}

/// `1.5e-7` as `1.5` and -7.
fn split_exponent(text: &str) -> (&str, i32) {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    (digits, exponent.parse().unwrap_or(0))
}

/// An exponent with its sign and at least `width` digits.
fn exponent_text(exponent: i32, width: usize) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:0width$}", exponent.unsigned_abs())
}

/// A finite value as NumPy aligns it: the digits before the point, those after it, and the exponent.
struct Parts {
    whole: String,
    fraction: String,
    exponent: Option<i32>,
}

impl Parts {
    fn of<T: FloatText>(value: T, with_exponent: bool) -> Parts {
        let wide: f64 = value.into();
        let shortest = value.digits(with_exponent);
        let parts = Parts::split(&shortest, with_exponent);
        if parts.fraction.len() <= PRECISION {
            return parts;
        }
        let rounded = if with_exponent {
            format!("{wide:.PRECISION$e}")
        } else {
            format!("{wide:.PRECISION$}")
        };
        let mut parts = Parts::split(&rounded, with_exponent);
        parts
            .fraction
            .truncate(parts.fraction.trim_end_matches('0').len());
        parts
    }

    fn split(text: &str, with_exponent: bool) -> Parts {
        let (digits, exponent) = split_exponent(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        Parts {
            whole: whole.to_owned(),
            fraction: fraction.to_owned(),
            exponent: with_exponent.then_some(exponent),
        }
    }
}

/// The texts of the values with their points aligned.
pub(super) fn column<T: FloatText>(values: &[T]) -> Vec<String> {
    let is_finite = |v: &T| (*v).into().is_finite();
    let with_exponent = column_needs_exponent(values);
    let parts: Vec<Option<Parts>> = values
        .iter()
        .map(|v| is_finite(v).then(|| Parts::of(*v, with_exponent)))
        .collect();
    let finite = || parts.iter().flatten();
    let fraction = finite().map(|p| p.fraction.len()).max().unwrap_or(0);
    let exponent = finite()
        .filter_map(|p| p.exponent)
        .map(|e| exponent_text(e, 2).len() - 2)
        .max();
    let after_point = fraction + exponent.map_or(0, |digits| digits + 2);
    let mut before_point = finite().map(|p| p.whole.len()).max().unwrap_or(0);
    for v in values.iter().filter(|v| !is_finite(v)) {
        before_point = before_point.max(special((*v).into()).len().saturating_sub(after_point + 1));
    }
    let text = |(v, parts): (&T, &Option<Parts>)| match parts {
        None => format!(
            "{:>width$}",
            special((*v).into()),
            width = before_point + after_point + 1
        ),
        Some(Parts {
            whole,
            fraction: digits,
            exponent: None,
        }) => {
            format!("{whole:>before_point$}.{digits:<fraction$}")
        }
        Some(Parts {
            whole,
            fraction: digits,
            exponent: Some(e),
        }) => {
            format!(
                "{whole:>before_point$}.{digits:0<fraction$}{}",
                exponent_text(*e, exponent.unwrap_or(2))
            )
        }
    };
    values.iter().zip(&parts).map(text).collect()
}

fn column_needs_exponent<T: FloatText>(values: &[T]) -> bool {
    let magnitudes = values.iter().map(|v| v.magnitude()).filter(|v| {
        let wide: f64 = (*v).into();
        wide.is_finite() && wide != 0.0
    });
    let extremes = magnitudes.fold(None, |extremes, v| match extremes {
        None => Some((v, v)),
        Some((largest, smallest)) => Some((
            if v > largest { v } else { largest },
            if v < smallest { v } else { smallest },
        )),
    });
    extremes.is_some_and(|(largest, smallest)| T::needs_exponent(largest, smallest))
}

/// C's `%.{precision}e`.
pub(super) fn exponent(value: f64, precision: usize) -> String {
    let scientific = format!("{value:.precision$e}");
    let (mantissa, exponent) = split_exponent(&scientific);
    format!("{mantissa}{}", exponent_text(exponent, 2))
}

/// C's `%.{digits}g`: that many digits without trailing zeros, an exponent where it is shorter.
pub(super) fn general(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return special(value);
    }
    let scientific = format!("{value:.precision$e}", precision = digits - 1);
    let (mantissa, exponent) = split_exponent(&scientific);
    if exponent < -4 || exponent >= digits as i32 {
        return format!("{}{}", trimmed(mantissa), exponent_text(exponent, 2));
    }
    let decimals = (digits as i32 - 1 - exponent) as usize;
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

/// The text without trailing zeros after a point, and without the point if nothing follows it.
fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}
