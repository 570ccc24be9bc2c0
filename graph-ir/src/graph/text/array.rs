//! The values of constants in graph text: the text of each value parses back to the same bits.

use std::fmt::{self, Write};

use graph_kernels::{Array, Buffer, DType, Element, bf16, f16, len_of, with_values};

use super::print::quote;

/// The text form of the values of an element type.
pub(super) trait Literal: Element {
    /// Writes one value.
    fn write(&self, f: &mut dyn Write) -> fmt::Result;
    /// Reads one value from the text of its token (for strings, the unescaped text).
    fn read(text: &str) -> Option<Self>;
    /// Whether both have the same bits.
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

macro_rules! plain_literals {
    ($($type:ty)*) => { $(
        impl Literal for $type {
            fn write(&self, f: &mut dyn Write) -> fmt::Result {
                write!(f, "{self}")
            }
            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )* };
}
plain_literals! { i32 i64 u8 i8 i16 u16 u32 u64 bool }

macro_rules! float_literals {
    ($($type:ident $bits:ident)*) => { $(
        impl Literal for $type {
            fn write(&self, f: &mut dyn Write) -> fmt::Result {
                match self.to_bits() {
                    bits if bits == $type::NAN.to_bits() => f.write_str("nan"),
                    bits if self.is_nan() => write!(f, "nan({bits:#x})"),
                    _ => write!(f, "{self:?}"),
                }
            }
            fn same(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits()
            }
            fn read(text: &str) -> Option<Self> {
                if let Some(bits) = text.strip_prefix("nan(0x") {
                    let bits = $bits::from_str_radix(bits.strip_suffix(')')?, 16).ok()?;
                    return Some($type::from_bits(bits)).filter(|v| v.is_nan());
                }
                match text {
                    "nan" => Some($type::NAN),
                    "inf" => Some($type::INFINITY),
                    "-inf" => Some($type::NEG_INFINITY),
                    // Rust parses other words as floats, too; only texts that end in a digit are accepted.
                    _ => text.parse().ok().filter(|_| text.ends_with(|c: char| c.is_ascii_digit())),
                }
            }
        }
    )* };
}
float_literals! { f32 u32 f64 u64 f16 u16 bf16 u16 }

impl Literal for String {
    fn write(&self, f: &mut dyn Write) -> fmt::Result {
        quote(self, f)
    }
    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

/// How many equal values are written in the form `[0.0; 64]`. The maximum keeps a short text from allocating a larger array.
const REPEATED: std::ops::RangeInclusive<usize> = 9..=1 << 24;

/// How many values are written at most by default, and how many first values are written if there are more.
const MAX_SHOWN: usize = 64;
const FIRST_SHOWN: usize = 8;

/// Writes the values: `7` for a scalar, otherwise `[1, 2, 3]` or `[0.0; 64]`. Unless `all` is true, a long list is shortened to the first
/// values and their number, `[1, 2, 3, … 100 values]`, which can't be parsed.
pub(super) fn write_values(array: &Array, all: bool, f: &mut dyn Write) -> fmt::Result {
    with_values!(array, values => write_list(array.rank() == 0, values, all, f))
}

/// The values as text for users, possibly shortened; see [`write_values`].
pub(crate) fn values_text(array: &Array) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_values(array, false, &mut text);
    text
}

fn write_list<T: Literal>(bare: bool, values: &[T], all: bool, f: &mut dyn Write) -> fmt::Result {
    if !bare {
        f.write_char('[')?;
    }
    if let [first, rest @ ..] = values
        && REPEATED.contains(&values.len())
        && rest.iter().all(|value| value.same(first))
    {
        first.write(f)?;
        return write!(f, "; {}]", values.len());
    }
    let elided = !all && values.len() > MAX_SHOWN;
    let shown = if elided { FIRST_SHOWN } else { values.len() };
    for (i, value) in values[..shown].iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        value.write(f)?;
    }
    if elided {
        write!(f, ", … {} values", values.len())?;
    }
    if !bare {
        f.write_char(']')?;
    }
    Ok(())
}

/// The array of a dtype and shape with these values; the error says which value, or that their number, is wrong.
pub(super) fn read_array(
    dtype: DType,
    shape: &[usize],
    values: &[String],
) -> Result<Array, String> {
    if len_of(shape) != Some(values.len()) {
        return Err(format!(
            "a constant of shape {shape:?} can't have {} values",
            values.len()
        ));
    }
    // The empty array only selects the element type.
    with_values!(&Array::zeros(dtype, &[0]), kind => read_list(kind, shape, values))
}

/// The array of a dtype and shape with one repeated value, or what is wrong.
pub(super) fn read_repeated(
    dtype: DType,
    shape: &[usize],
    value: &str,
    count: usize,
) -> Result<Array, String> {
    if len_of(shape) != Some(count) || !REPEATED.contains(&count) {
        return Err(format!(
            "a constant of shape {shape:?} can't repeat {count} values"
        ));
    }
    let one = read_array(dtype, &[], &[value.to_owned()])?;
    Ok(with_values!(&one, values => repeat(values, shape, count)))
}

fn repeat<T: Element>(values: &[T], shape: &[usize], count: usize) -> Array {
    Array::new(shape, values.iter().cycle().take(count).cloned().collect())
}

fn read_list<T: Literal>(_kind: &[T], shape: &[usize], values: &[String]) -> Result<Array, String> {
    let read = |v: &String| T::read(v).ok_or_else(|| format!("`{v}` is no {}", T::DTYPE));
    Ok(Array::new(
        shape,
        values
            .iter()
            .map(read)
            .collect::<Result<Vec<T>, String>>()?,
    ))
}

/// True if two arrays have the same bits. (`==` treats 0.0 and -0.0 as equal, and NaNs as different.)
pub(crate) fn same_bits(a: &Array, b: &Array) -> bool {
    use Buffer::{BF16, F16, F32, F64};
    a.shape() == b.shape()
        && match (a.buffer(), b.buffer()) {
            (F32(a), F32(b)) => a
                .iter()
                .map(|v| v.to_bits())
                .eq(b.iter().map(|v| v.to_bits())),
            (F64(a), F64(b)) => a
                .iter()
                .map(|v| v.to_bits())
                .eq(b.iter().map(|v| v.to_bits())),
            (F16(a), F16(b)) => a
                .iter()
                .map(|v| v.to_bits())
                .eq(b.iter().map(|v| v.to_bits())),
            (BF16(a), BF16(b)) => a
                .iter()
                .map(|v| v.to_bits())
                .eq(b.iter().map(|v| v.to_bits())),
            (a, b) => a == b,
        }
}

/// A key that is equal for arrays with the same bits: the dtype, the size and the first value.
pub(crate) fn fingerprint(array: &Array) -> (DType, usize, u64) {
    let first = match array.buffer() {
        Buffer::F32(v) => v.first().map(|v| u64::from(v.to_bits())),
        Buffer::F64(v) => v.first().map(|v| v.to_bits()),
        Buffer::F16(v) => v.first().map(|v| u64::from(v.to_bits())),
        Buffer::BF16(v) => v.first().map(|v| u64::from(v.to_bits())),
        Buffer::I32(v) | Buffer::U32(v) => v.first().map(|v| *v as u64),
        Buffer::I64(v) | Buffer::U64(v) => v.first().map(|v| *v as u64),
        Buffer::U8(v) | Buffer::I8(v) => v.first().map(|v| u64::from(*v)),
        Buffer::U16(v) | Buffer::I16(v) => v.first().map(|v| u64::from(*v)),
        Buffer::Bool(v) => v.first().map(|v| u64::from(*v)),
        Buffer::Str(v) => v.first().map(|v| v.len() as u64),
    };
    (array.dtype(), array.len(), first.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(array: &Array) {
        let mut text = String::new();
        write_values(array, true, &mut text).unwrap();
        let values: Vec<String> = text
            .trim_matches(['[', ']'])
            .split(", ")
            .map(|v| v.trim_matches('"').to_owned())
            .collect();
        let read = read_array(array.dtype(), array.shape(), &values).unwrap();
        assert!(same_bits(array, &read), "{text}");
    }

    #[test]
    fn floats_come_back_bit_by_bit() {
        let bits = [
            0,
            1,
            0x8000_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0xffc0_0001,
            0x7fa0_0000,
            0x3dcc_cccd,
        ];
        round_trip(&Array::new(&[9], bits.map(f32::from_bits).to_vec()));
        let values = [
            f64::MIN_POSITIVE,
            f64::MAX,
            -0.0,
            0.1,
            f64::NAN,
            -f64::NAN,
            1e300,
            5e-324,
        ];
        round_trip(&Array::new(&[2, 4], values.to_vec()));
    }

    #[test]
    fn half_floats_come_back_bit_by_bit() {
        for start in [0u16, 0x3c00, 0x7bf0, 0x7c00, 0x7e00, 0x8000, 0xfbff, 0xfe00] {
            let bits = start..=start.saturating_add(16);
            let halfs: Vec<f16> = bits.clone().map(f16::from_bits).collect();
            round_trip(&Array::new(&[halfs.len()], halfs));
            let brains: Vec<bf16> = bits.map(bf16::from_bits).collect();
            round_trip(&Array::new(&[brains.len()], brains));
        }
    }

    #[test]
    fn other_dtypes_come_back() {
        round_trip(&Array::new(&[2], vec![i32::MIN, i32::MAX]));
        round_trip(&Array::new(&[2], vec![i64::MIN, i64::MAX]));
        round_trip(&Array::new(&[2], vec![0u8, 255]));
        round_trip(&Array::scalar(true));
    }

    #[test]
    fn equal_values_are_written_once() {
        let zeros = Array::zeros(DType::F32, &[3, 4]);
        assert_eq!(values_text(&zeros), "[0.0; 12]");
        let read = read_repeated(DType::F32, &[3, 4], "0.0", 12).unwrap();
        assert!(same_bits(&zeros, &read));
        let mut signs = vec![0.0f32; 12];
        signs[5] = -0.0;
        assert!(values_text(&Array::new(&[12], signs)).contains("-0.0"));
        assert!(read_repeated(DType::F32, &[3, 4], "0.0", 11).is_err());
        assert!(read_repeated(DType::U8, &[1 << 40], "0", 1 << 40).is_err());
        assert!(read_repeated(DType::U8, &[12], "256", 12).is_err());
    }

    #[test]
    fn wrong_values_are_named() {
        assert_eq!(
            read_array(DType::U8, &[], &["256".into()]).unwrap_err(),
            "`256` is no uint8"
        );
        assert!(read_array(DType::F32, &[], &["infinity".into()]).is_err());
        assert!(read_array(DType::F32, &[usize::MAX, 2], &[]).is_err());
    }
}
