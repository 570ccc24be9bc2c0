//! Numbers and strings in the formats of C's `printf`, as TensorFlow's `as_string` writes them.

use super::floats::{exponent, general};
use crate::zip::{View, map};
use crate::{Array, Buffer, KernelError};

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberFormat<'a> {
    /// The digits behind the point, or for [`shortest`](Self::shortest) all digits; 6 if not given. For floats only.
    pub precision: Option<usize>,
    /// `1.500000e+00` instead of `1.500000`. For floats only.
    pub scientific: bool,
    /// `1.5` instead of `1.500000`, with an exponent where that is shorter. For floats only.
    pub shortest: bool,
    /// The minimum number of characters.
    pub width: usize,
    /// How the text is padded to the width: an empty string (spaces in front), `0` (zeros in front), `-` (spaces behind), ` ` (a space in
    /// place of a plus sign) or `+` (a plus sign); the last two only for numbers that have a sign.
    pub fill: &'a str,
}

/// The largest width and precision that are accepted.
const LONGEST: usize = 1024;

impl NumberFormat<'_> {
    /// Checks the format for numbers of a kind.
    ///
    /// # Errors
    /// In TensorFlow's words, if the format doesn't fit the dtype.
    pub fn check(&self, dtype: crate::DType) -> Result<(), KernelError> {
        let fail = |message: String| Err(KernelError::Value(message));
        if self.scientific && self.shortest {
            return fail("Cannot select both scientific and shortest notation".to_owned());
        }
        if !["", " ", "+", "-", "0"].contains(&self.fill) {
            return fail(format!("Fill argument not supported: \"{}\"", self.fill));
        }
        if !dtype.is_float() && self.precision.is_some() {
            return fail(format!("precision not supported for datatype {dtype}"));
        }
        if !dtype.is_float() && (self.scientific || self.shortest) {
            return fail(format!(
                "scientific and shortest format not supported for datatype {dtype}"
            ));
        }
        let longest = self.width.max(self.precision.unwrap_or(0));
        if longest > LONGEST {
            return fail(format!("a number of {longest} characters is too long"));
        }
        Ok(())
    }

    fn float(&self, value: f64) -> String {
        let precision = self.precision.unwrap_or(6);
        let digits = match value.abs() {
            v if !v.is_finite() => return self.padded(value, general(v, 1), ' '),
            v if self.shortest => general(v, precision.max(1)),
            v if self.scientific => exponent(v, precision),
            v => format!("{v:.precision$}"),
        };
        self.padded(value, digits, '0')
    }

    /// The digits of a magnitude with its sign, padded; with zeros only if `zero` is `'0'`.
    fn padded(&self, value: f64, digits: String, zero: char) -> String {
        let negative = value.is_sign_negative() && !value.is_nan();
        let sign = match self.fill {
            _ if negative => "-",
            "+" => "+",
            " " => " ",
            _ => "",
        };
        self.filled(sign, digits, zero)
    }

    fn filled(&self, sign: &str, digits: String, zero: char) -> String {
        let missing = self.width.saturating_sub(sign.len() + digits.len());
        match self.fill {
            "-" => format!("{sign}{digits}{}", " ".repeat(missing)),
            "0" if zero == '0' => format!("{sign}{}{digits}", "0".repeat(missing)),
            _ => format!("{}{sign}{digits}", " ".repeat(missing)),
        }
    }

    /// A string is padded only, to a width in bytes.
    fn text(&self, value: &str) -> String {
        let spaces = " ".repeat(self.width.saturating_sub(value.len()));
        match self.fill {
            "-" => format!("{value}{spaces}"),
            _ => format!("{spaces}{value}"),
        }
    }

    fn integer(&self, value: i64) -> String {
        let sign = if value < 0 { -1.0 } else { 1.0 };
        self.padded(sign, value.unsigned_abs().to_string(), '0')
    }

    fn unsigned(&self, value: u64) -> String {
        self.filled("", value.to_string(), '0')
    }
}

/// The text of each number or string, written in a format; `true` and `false` for truth values, whatever the format.
///
/// # Errors
/// If the format doesn't fit the dtype.
pub fn as_string(x: &Array, format: &NumberFormat<'_>, out: &mut Array) -> Result<(), KernelError> {
    format.check(x.dtype())?;
    macro_rules! texts {
        ($v:ident, $text:expr) => {
            map(View::new(x.shape(), $v), out, $text)
        };
    }
    match x.buffer() {
        Buffer::F32(v) => texts!(v, |v: &f32| format.float(f64::from(*v))),
        Buffer::F64(v) => texts!(v, |v: &f64| format.float(*v)),
        Buffer::F16(v) => texts!(v, |v: &crate::f16| format.float(v.to_f64())),
        Buffer::BF16(v) => texts!(v, |v: &crate::bf16| format.float(v.to_f64())),
        Buffer::I32(v) => texts!(v, |v: &i32| format.integer(i64::from(*v))),
        Buffer::I64(v) => texts!(v, |v: &i64| format.integer(*v)),
        Buffer::U8(v) => texts!(v, |v: &u8| format.unsigned(u64::from(*v))),
        Buffer::I8(v) => texts!(v, |v: &u8| format.integer(i64::from(v.cast_signed()))),
        Buffer::I16(v) => texts!(v, |v: &u16| format.integer(i64::from(v.cast_signed()))),
        Buffer::U16(v) => texts!(v, |v: &u16| format.unsigned(u64::from(*v))),
        Buffer::U32(v) => texts!(v, |v: &i32| format.unsigned(u64::from(v.cast_unsigned()))),
        Buffer::U64(v) => texts!(v, |v: &i64| format.unsigned(v.cast_unsigned())),
        Buffer::Bool(v) => texts!(v, |v: &bool| v.to_string()),
        Buffer::Str(v) => texts!(v, |v: &String| format.text(v)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: NumberFormat<'static> = NumberFormat {
        precision: None,
        scientific: false,
        shortest: false,
        width: 0,
        fill: "",
    };

    fn texts(x: Array, format: NumberFormat<'_>) -> Vec<String> {
        let mut out = Array::default();
        as_string(&x, &format, &mut out).unwrap();
        out.values::<String>().unwrap().to_vec()
    }

    /// What TensorFlow 2.21 writes.
    #[test]
    fn floats_are_written_as_tensorflow_writes_them() {
        let x = || Array::new(&[5], vec![1.5f32, 1.0 / 3.0, 1e20, -0.0, 1e-7]);
        let check = |format, expected: [&str; 5]| assert_eq!(texts(x(), format), expected);
        check(
            PLAIN,
            [
                "1.500000",
                "0.333333",
                "100000002004087734272.000000",
                "-0.000000",
                "0.000000",
            ],
        );
        check(
            NumberFormat {
                precision: Some(2),
                ..PLAIN
            },
            ["1.50", "0.33", "100000002004087734272.00", "-0.00", "0.00"],
        );
        check(
            NumberFormat {
                scientific: true,
                ..PLAIN
            },
            [
                "1.500000e+00",
                "3.333333e-01",
                "1.000000e+20",
                "-0.000000e+00",
                "1.000000e-07",
            ],
        );
        check(
            NumberFormat {
                shortest: true,
                width: 10,
                ..PLAIN
            },
            [
                "       1.5",
                "  0.333333",
                "     1e+20",
                "        -0",
                "     1e-07",
            ],
        );
        let special = Array::new(&[3], vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
        let zeros = NumberFormat {
            width: 5,
            fill: "0",
            ..PLAIN
        };
        assert_eq!(texts(special, zeros), ["  nan", "  inf", " -inf"]);
        assert_eq!(
            texts(
                Array::new(&[2], vec![1.5f32, -0.0]),
                NumberFormat {
                    width: 10,
                    fill: "0",
                    ..PLAIN
                }
            ),
            ["001.500000", "-00.000000"]
        );
    }

    #[test]
    fn integers_and_truth_values_are_too() {
        let with = |width, fill| {
            let format = NumberFormat {
                width,
                fill,
                ..PLAIN
            };
            texts(Array::new(&[2], vec![1, -5]), format)
        };
        assert_eq!(with(0, ""), ["1", "-5"]);
        assert_eq!(with(4, ""), ["   1", "  -5"]);
        assert_eq!(with(4, "0"), ["0001", "-005"]);
        assert_eq!(with(4, "-"), ["1   ", "-5  "]);
        assert_eq!(with(4, "+"), ["  +1", "  -5"]);
        assert_eq!(with(0, " "), [" 1", "-5"]);
        let truths = Array::new(&[2], vec![true, false]);
        assert_eq!(
            texts(truths, NumberFormat { width: 7, ..PLAIN }),
            ["true", "false"]
        );
        assert_eq!(
            texts(Array::scalar(i64::MIN), PLAIN),
            ["-9223372036854775808"]
        );
    }

    /// What TensorFlow 2.21 writes: C's flags for a plus and for a space are those of numbers with a sign.
    #[test]
    fn what_has_no_sign_gets_none() {
        let with = |fill| {
            let format = NumberFormat {
                width: 3,
                fill,
                ..PLAIN
            };
            let wide = texts(Array::new(&[2], vec![7u64, u64::MAX]), format);
            [wide, texts(Array::new(&[2], vec![7u8, 255]), format)].concat()
        };
        assert_eq!(with(" "), ["  7", "18446744073709551615", "  7", "255"]);
        assert_eq!(with("+"), ["  7", "18446744073709551615", "  7", "255"]);
        assert_eq!(with("0"), ["007", "18446744073709551615", "007", "255"]);
    }

    #[test]
    fn formats_that_do_not_go_with_the_numbers_are_refused() {
        let refused = |x: Array, format: NumberFormat<'_>, words: &str| {
            let error = as_string(&x, &format, &mut Array::default()).unwrap_err();
            assert_eq!(error.to_string(), words);
        };
        let precise = NumberFormat {
            precision: Some(3),
            ..PLAIN
        };
        refused(
            Array::scalar(1),
            precise,
            "precision not supported for datatype int32",
        );
        let filled = NumberFormat { fill: "x", ..PLAIN };
        refused(
            Array::scalar(1),
            filled,
            "Fill argument not supported: \"x\"",
        );
        let wide = NumberFormat {
            width: 1 << 40,
            ..PLAIN
        };
        refused(
            Array::scalar(1),
            wide,
            "a number of 1099511627776 characters is too long",
        );
    }

    #[test]
    fn strings_are_padded_to_a_width_in_bytes() {
        let texts = |fill| {
            let words = ["abc", "ä"].map(str::to_owned).to_vec();
            let width = 5;
            texts(
                Array::new(&[2], words),
                NumberFormat {
                    width,
                    fill,
                    ..PLAIN
                },
            )
        };
        assert_eq!(texts("-"), ["abc  ", "ä   "]);
        assert_eq!(texts("0"), ["  abc", "   ä"]);
        assert_eq!(texts("+"), ["  abc", "   ä"]);
    }
}
