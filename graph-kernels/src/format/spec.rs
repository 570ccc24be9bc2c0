//! Rust's format options (`{:8.3}`, `{:+e}`), applied to each value of an array. They are kept as data, because the text of a graph's print
//! is made long after Rust has parsed the options.

use std::fmt::{self, Alignment, Write};
use std::str::FromStr;

use super::floats::FloatText;
use super::integer;
use crate::Buffer;

/// Rust's format options for one value. The default is `{}`. Its text form is Rust's, without the colon: `>8.3`, `+.2e`.
///
/// ```
/// use graph_kernels::{Array, format::{Spec, numpy}};
/// let precise: Spec = ".2".parse().unwrap();
/// assert_eq!(numpy(&Array::new(&[2], vec![1.0, 2.005e3]), &precise), "[1.00 2005.00]");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    fill: char,
    align: Option<Alignment>,
    plus: bool,
    zeros: bool,
    width: u16,
    precision: Option<u16>,
    exponent: bool,
}

impl Default for Spec {
    fn default() -> Spec {
        Spec {
            fill: ' ',
            align: None,
            plus: false,
            zeros: false,
            width: 0,
            precision: None,
            exponent: false,
        }
    }
}

/// The options of a formatter.
impl From<&fmt::Formatter<'_>> for Spec {
    fn from(f: &fmt::Formatter<'_>) -> Spec {
        let limited = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        Spec {
            fill: f.fill(),
            align: f.align(),
            plus: f.sign_plus(),
            zeros: f.sign_aware_zero_pad(),
            width: f.width().map_or(0, limited),
            precision: f.precision().map(limited),
            exponent: false,
        }
    }
}

impl Spec {
    /// The same options as `{:e}`.
    pub fn with_exponent(self) -> Spec {
        Spec {
            exponent: true,
            ..self
        }
    }

    /// Whether these are the options of `{}`.
    pub fn is_default(&self) -> bool {
        *self == Spec::default()
    }

    /// The text of one value; `own` is how the style writes it without options.
    pub(super) fn text(
        &self,
        buffer: &Buffer,
        at: usize,
        own: impl FnOnce(&Buffer, usize) -> String,
    ) -> String {
        if self.is_default() {
            return own(buffer, at);
        }
        let number = match buffer {
            Buffer::F32(v) => self.float(v[at]),
            Buffer::F64(v) => self.float(v[at]),
            Buffer::F16(v) => self.float(v[at]),
            Buffer::BF16(v) => self.float(v[at]),
            Buffer::Bool(_) | Buffer::Str(_) => return self.padded(&own(buffer, at), false),
            integers => self.integer(&integer(integers, at)),
        };
        self.padded(&number.unwrap_or_else(|| own(buffer, at)), true)
    }

    fn float<T: FloatText>(&self, value: T) -> Option<String> {
        let wide: f64 = value.into();
        match self.precision.map(usize::from) {
            _ if !wide.is_finite() => None,
            Some(digits) if self.exponent => Some(format!("{wide:.digits$e}")),
            Some(digits) => Some(format!("{wide:.digits$}")),
            None => self.exponent.then(|| value.digits(true)),
        }
    }

    fn integer(&self, text: &str) -> Option<String> {
        let value: i128 = text.parse().ok()?;
        self.exponent
            .then(|| match self.precision.map(usize::from) {
                Some(digits) => format!("{value:.digits$e}"),
                None => format!("{value:e}"),
            })
    }

    fn padded(&self, text: &str, number: bool) -> String {
        let (sign, text) = match text.strip_prefix('-') {
            Some(digits) if number => ("-", digits),
            _ if number && self.plus && text != "nan" => ("+", text),
            _ => ("", text),
        };
        let missing = usize::from(self.width).saturating_sub(sign.len() + text.chars().count());
        let fill = |n: usize| self.fill.to_string().repeat(n);
        if self.zeros && number && text.starts_with(|c: char| c.is_ascii_digit()) {
            return format!("{sign}{}{text}", "0".repeat(missing));
        }
        let usual = if number {
            Alignment::Right
        } else {
            Alignment::Left
        };
        let before = match self.align.unwrap_or(usual) {
            Alignment::Left => 0,
            Alignment::Right => missing,
            Alignment::Center => missing / 2,
        };
        format!("{}{sign}{text}{}", fill(before), fill(missing - before))
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(align) = self.align {
            if self.fill != ' ' {
                f.write_char(self.fill)?;
            }
            f.write_char(sign_of(align))?;
        }
        f.write_str(if self.plus { "+" } else { "" })?;
        f.write_str(if self.zeros { "0" } else { "" })?;
        if self.width > 0 {
            write!(f, "{}", self.width)?;
        }
        if let Some(precision) = self.precision {
            write!(f, ".{precision}")?;
        }
        f.write_str(if self.exponent { "e" } else { "" })
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let mut spec = Spec::default();
        let mut rest = text;
        let mut chars = text.chars();
        if let (Some(fill), Some(align)) = (chars.next(), chars.next().and_then(align_of)) {
            (spec.fill, spec.align, rest) = (fill, Some(align), chars.as_str());
        } else if let Some(align) = text.chars().next().and_then(align_of) {
            (spec.align, rest) = (Some(align), &text[1..]);
        }
        let flag = |rest: &mut &str, flag: char| {
            let after = rest.strip_prefix(flag);
            *rest = after.unwrap_or(rest);
            after.is_some()
        };
        spec.plus = flag(&mut rest, '+');
        spec.zeros = flag(&mut rest, '0');
        if let Some(before) = rest.strip_suffix('e') {
            (spec.exponent, rest) = (true, before);
        }
        let wrong = |_| format!("`{text}` isn't how Rust writes format options: `8.3`, `+.2e`");
        let (width, precision) = match rest.split_once('.') {
            Some((width, precision)) => (width, Some(precision.parse().map_err(wrong)?)),
            None => (rest, None),
        };
        if !width.is_empty() {
            spec.width = width.parse().map_err(wrong)?;
        }
        Ok(Spec { precision, ..spec })
    }
}

const ALIGNMENTS: [(Alignment, char); 3] = [
    (Alignment::Left, '<'),
    (Alignment::Right, '>'),
    (Alignment::Center, '^'),
];

fn sign_of(align: Alignment) -> char {
    let found = ALIGNMENTS.into_iter().find(|(a, _)| *a == align);
    found.map_or('>', |(_, sign)| sign)
}

fn align_of(sign: char) -> Option<Alignment> {
    let found = ALIGNMENTS.into_iter().find(|(_, s)| *s == sign);
    found.map(|(align, _)| align)
}

#[cfg(test)]
mod tests {
    use super::super::{numpy, tf_print};
    use super::*;
    use crate::{Array, f16};

    /// The options of a format string.
    struct Options;

    impl fmt::Display for Options {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}", Spec::from(&*f))
        }
    }

    /// Holds a scalar under options against the same number under the same options in Rust.
    macro_rules! as_rust_writes_it {
        ($value:expr; $($options:literal)*) => { $(
            let spec: Spec = format!($options, Options).parse().unwrap();
            assert_eq!(numpy(&Array::scalar($value), &spec), format!($options, $value));
        )* };
    }

    #[test]
    fn a_number_under_options_is_written_as_rust_writes_it() {
        as_rust_writes_it!(-1.23456f32; "{:.3}" "{:8.2}" "{:<8.1}" "{:^9.2}" "{:*>9.2}" "{:09.3}" "{:+.1}" "{:.0}" "{:1.5}");
        as_rust_writes_it!(2.5f64; "{:+.3}" "{:+08.2}" "{:8.2}" "{:-<8.2}" "{:.20}");
        as_rust_writes_it!(-42i32; "{:6}" "{:<6}" "{:06}" "{:^7}" "{:+}" "{:.3}");
        as_rust_writes_it!(u64::MAX; "{:+}" "{:25}" "{:025}");
        as_rust_writes_it!("ä".to_owned(); "{:>4}" "{:4}" "{:^4}" "{:04}");
    }

    #[test]
    fn each_value_of_an_array_has_the_options() {
        let x = Array::new(&[2, 2], vec![1.0, -2.555, 1e3, 0.0]);
        let spec = "7.2".parse().unwrap();
        let rows = [[1.0, -2.555], [1e3, 0.0]].map(|[a, b]| format!("[{a:7.2} {b:7.2}]"));
        let expected = format!("[{}]", rows.join("\n "));
        assert_eq!(
            [numpy(&x, &spec), tf_print(&x, None, &spec)],
            [&*expected; 2]
        );
        let texts = Array::new(&[2], ["a", "bc"].map(str::to_owned).to_vec());
        assert_eq!(numpy(&texts, &"5".parse().unwrap()), "['a'   'bc' ]");
        assert_eq!(
            tf_print(&texts, None, &">5".parse().unwrap()),
            "[  \"a\"  \"bc\"]"
        );
    }

    #[test]
    fn an_exponent_is_written_as_rust_writes_it() {
        let with = |options: &str, array: &Array| numpy(array, &options.parse().unwrap());
        let x = -1234.5f32;
        assert_eq!(with("e", &Array::scalar(x)), format!("{x:e}"));
        assert_eq!(with("12.2e", &Array::scalar(x)), format!("{x:12.2e}"));
        assert_eq!(with("e", &Array::scalar(1500)), format!("{:e}", 1500));
        assert_eq!(with(".1e", &Array::scalar(1500)), format!("{:.1e}", 1500));
        assert_eq!(with("e", &Array::scalar(f16::from_f32(0.1))), "1e-1");
    }

    #[test]
    fn what_is_not_finite_has_no_digits() {
        let with = |options: &str| {
            let values = vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
            numpy(&Array::new(&[3], values), &options.parse().unwrap())
        };
        assert_eq!(with(".2"), "[nan inf -inf]");
        assert_eq!(with("+05.2"), "[  nan  +inf  -inf]");
    }

    #[test]
    fn options_read_as_they_are_written() {
        for text in [
            "", ">8", "*^+08.3e", "+", "0", ".0", "5.12", "e", "<", "<<", "ä^1",
        ] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        for text in ["x", "8.", "99999", ".-1", "8.3f", "-5"] {
            assert!(text.parse::<Spec>().is_err(), "{text}");
        }
    }
}
