//! Flushing denormals: values below the smallest normal exponent become zero. Many CPUs are a hundred times slower on them.
//!
//! Kernels flush the values that they have written and don't set a mode of the CPU: Rust defines floats for the default mode only, so
//! calculating in another mode would be undefined behaviour. This way the result is also the same on every CPU and for any number of
//! threads.

use crate::simd::MulAdd;
use crate::simd::{self, Kernel};
use crate::{Array, Buffer};

/// Replaces denormals by zero.
struct Flush<'a, T>(&'a mut [T]);

macro_rules! flush {
    ($float:ident, $bits:ident) => {
        impl Kernel for Flush<'_, $float> {
            type Output = ();
            #[inline(always)]
            fn run<M: MulAdd>(self) {
                const SIGN: $bits = 1 << ($bits::BITS - 1);
                for value in self.0 {
                    let bits = value.to_bits();
                    let keeps = bits & !SIGN >= $float::MIN_POSITIVE.to_bits();
                    *value = $float::from_bits(if keeps { bits } else { bits & SIGN });
                }
            }
        }
    };
}
flush!(f32, u32);
flush!(f64, u64);

impl Array {
    /// Makes denormal values of `float32` and `float64` zeros of the same sign. The 16-bit floats are left alone, because nothing is
    /// calculated in them.
    ///
    /// ```
    /// # use graph_kernels::Array;
    /// let mut array = Array::new(&[3], vec![1e-40f32, -1e-40, f32::MIN_POSITIVE]);
    /// array.flush_denormals();
    /// assert_eq!(array, Array::new(&[3], vec![0.0, -0.0, f32::MIN_POSITIVE]));
    /// ```
    pub fn flush_denormals(&mut self) {
        match self.buffer_mut() {
            Buffer::F32(values) => simd::run(Flush(values)),
            Buffer::F64(values) => simd::run(Flush(values)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_denormals_change_and_keep_their_sign() {
        // Around every bound of the exponent, with both signs.
        let bounds = [
            0u32,
            1,
            2,
            0x7f_ffff,
            0x80_0000,
            0x80_0001,
            0x3f80_0000,
            0x7f80_0000,
            0x7fc0_0000,
        ];
        let bits: Vec<u32> = bounds.iter().flat_map(|b| [*b, b | 1 << 31]).collect();
        let mut array = Array::new(
            &[bits.len()],
            bits.iter().map(|b| f32::from_bits(*b)).collect(),
        );
        array.flush_denormals();
        for (before, after) in bits.iter().zip(array.values::<f32>().unwrap()) {
            let value = f32::from_bits(*before);
            let expected = if value.is_subnormal() {
                0f32.copysign(value)
            } else {
                value
            };
            assert_eq!(after.to_bits(), expected.to_bits(), "{before:x}");
        }
        let mut array = Array::new(&[2], vec![-5e-324f64, f64::MIN_POSITIVE]);
        array.flush_denormals();
        assert_eq!(
            array.values::<f64>().map(|v| (v[0].to_bits(), v[1])),
            Some(((-0f64).to_bits(), f64::MIN_POSITIVE))
        );
    }
}
