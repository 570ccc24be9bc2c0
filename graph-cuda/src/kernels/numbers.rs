//! Numbers that every dtype has, as the bits of an element in memory.

use graph_kernels::DType;

/// A number that each dtype has.
#[derive(Clone, Copy)]
pub enum Number {
    /// 0.
    Zero,
    /// 1.
    One,
    /// What is never larger than another number: -∞, or the lowest integer.
    Lowest,
    /// What is never smaller than another number.
    Highest,
    /// The lowest number that isn't infinite.
    FiniteLowest,
    /// The highest number that isn't infinite.
    FiniteHighest,
}

impl Number {
    /// The bits of the number in memory.
    pub fn bits(self, dtype: DType) -> u64 {
        match format(dtype) {
            Some((digits, exponent)) => self.float_bits(digits, exponent),
            None => self.integer_bits(dtype),
        }
    }

    /// The bits of a float with this many bits behind the point and in the exponent.
    fn float_bits(self, digits: u32, exponent: u32) -> u64 {
        let sign = 1u64 << (digits + exponent);
        let infinity = ((1u64 << exponent) - 1) << digits;
        match self {
            Number::Zero => 0,
            Number::One => ((1u64 << (exponent - 1)) - 1) << digits,
            Number::Lowest => sign | infinity,
            Number::Highest => infinity,
            Number::FiniteLowest => sign | (infinity - 1),
            Number::FiniteHighest => infinity - 1,
        }
    }

    fn integer_bits(self, dtype: DType) -> u64 {
        let bits = dtype.bytes() as u32 * 8;
        let all = u64::MAX >> (64 - bits);
        let half = 1u64 << (bits - 1);
        match (self, dtype.is_unsigned()) {
            (Number::Zero, _) => 0,
            (Number::One, _) => 1,
            (Number::Lowest | Number::FiniteLowest, true) => 0,
            (Number::Lowest | Number::FiniteLowest, false) => half,
            (Number::Highest | Number::FiniteHighest, true) => all,
            (Number::Highest | Number::FiniteHighest, false) => half - 1,
        }
    }
}

/// The bits behind the point and in the exponent of a float.
fn format(dtype: DType) -> Option<(u32, u32)> {
    match dtype {
        DType::F16 => Some((10, 5)),
        DType::BF16 => Some((7, 8)),
        DType::F32 => Some((23, 8)),
        DType::F64 => Some((52, 11)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Number;
    use graph_kernels::{DType, bf16, f16};

    #[test]
    fn numbers_have_the_bits_of_their_dtypes() {
        let of = |number: Number, dtype| number.bits(dtype);
        assert_eq!(of(Number::One, DType::F32), u64::from(1f32.to_bits()));
        assert_eq!(
            of(Number::One, DType::F16),
            u64::from(f16::from_f32(1.0).to_bits())
        );
        assert_eq!(
            of(Number::One, DType::BF16),
            u64::from(bf16::from_f32(1.0).to_bits())
        );
        assert_eq!(of(Number::FiniteLowest, DType::F64), f64::MIN.to_bits());
        assert_eq!(
            of(Number::FiniteHighest, DType::F32),
            u64::from(f32::MAX.to_bits())
        );
        assert_eq!(of(Number::Lowest, DType::F64), f64::NEG_INFINITY.to_bits());
        assert_eq!(of(Number::Lowest, DType::I8), 0x80);
        assert_eq!(of(Number::Highest, DType::I64), i64::MAX as u64);
        assert_eq!(of(Number::Highest, DType::U16), 0xFFFF);
    }
}
