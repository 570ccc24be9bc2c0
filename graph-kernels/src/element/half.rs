//! The 16-bit floats: stored in 16 bits, calculated with in `f32`. The conversions are straight lines of integer and `f32`
//! arithmetic without subnormal operands, so that loops over them become vector code and flushed denormals don't matter.

use std::marker::PhantomData;

use half::{bf16, f16};

use super::Lane;
use super::block::{Block, BlockMut, BlockRef};
use super::function::{ElementError, Function, Near, Operands};
use crate::math::MulAdd;
use crate::simd::{self, Kernel};

/// A 16-bit float.
pub(crate) trait Half: Lane {
    /// The same value.
    fn widen(self) -> f32;
    /// The nearest value, ties to the even one.
    fn narrow(value: f32) -> Self;
}

impl Half for f16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        let sign = u32::from(self.to_bits() & 0x8000) << 16;
        // Exponent and mantissa at their places in an `f32`, whose exponents are larger by 112.
        let magnitude = u32::from(self.to_bits() & 0x7fff) << 13;
        let bits = if magnitude >= 31 << 23 {
            // NaN and infinity: the largest exponent of both.
            magnitude + (224 << 23)
        } else if magnitude < 1 << 23 {
            // Subnormal: as the mantissa of a number with the exponent -14, less that number's leading bit.
            let leading = f32::from_bits(113 << 23);
            (f32::from_bits(magnitude + (113 << 23)) - leading).to_bits()
        } else {
            magnitude + (112 << 23)
        };
        f32::from_bits(bits | sign)
    }

    #[inline(always)]
    fn narrow(value: f32) -> f16 {
        let magnitude = value.to_bits() & 0x7fff_ffff;
        let sign = (value.to_bits() >> 16) & 0x8000;
        let bits = if magnitude > 255 << 23 {
            0x7e00
        } else if magnitude >= 143 << 23 {
            // From 2^16 on: infinity.
            0x7c00
        } else if magnitude < 113 << 23 {
            // The last bit of 0.5 is the last bit of a subnormal `f16`, so that the sum rounds to it.
            (f32::from_bits(magnitude) + 0.5).to_bits() - 0.5f32.to_bits()
        } else {
            let odd = (magnitude >> 13) & 1;
            (magnitude - (112 << 23) + 0xfff + odd) >> 13
        };
        f16::from_bits((bits | sign) as u16)
    }
}

impl Half for bf16 {
    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }

    #[inline(always)]
    fn narrow(value: f32) -> bf16 {
        let bits = value.to_bits();
        let odd = (bits >> 16) & 1;
        let rounded = bits.wrapping_add(0x7fff + odd) >> 16;
        let quiet = (bits >> 16) | 0x40;
        let is_nan = bits & 0x7fff_ffff > 255 << 23;
        bf16::from_bits(if is_nan { quiet } else { rounded } as u16)
    }
}

/// A function over 16-bit floats: its operands are widened, it is calculated in `f32`, and its value is rounded once.
pub(super) struct Halved<F>(PhantomData<F>);

impl<H: Half, F: Function<f32, Operands: Widened<H>, Output: Wide<H>>> Function<H> for Halved<F> {
    type Operands = <F::Operands as Widened<H>>::Stored;
    type Output = <F::Output as Wide<H>>::Stored;
    const ROUNDS: bool = F::ROUNDS;
    const ERROR: Option<ElementError> = F::ERROR;

    #[inline(always)]
    fn call<M: MulAdd>(operands: Self::Operands) -> Self::Output {
        F::call::<M>(F::Operands::widened(operands)).stored()
    }

    #[inline(always)]
    fn refuses(operands: Self::Operands) -> bool {
        F::refuses(F::Operands::widened(operands))
    }

    const NEAR: Near = F::NEAR;

    #[inline(always)]
    fn is_near(operands: Self::Operands) -> bool {
        F::is_near(F::Operands::widened(operands))
    }

    #[inline(always)]
    fn near<M: MulAdd>(operands: Self::Operands) -> Self::Output {
        F::near::<M>(F::Operands::widened(operands)).stored()
    }

    /// By way of the function's own blocks, so that its code is there once for all floats of up to 32 bits.
    fn block(operands: &[BlockRef; 3], out: &mut BlockMut) -> Result<(), ElementError> {
        const PART: usize = 128;
        let mut wide = [[0f32; PART]; 2];
        let out = Self::Output::write(out);
        for (n, out) in out.chunks_mut(PART).enumerate() {
            let arity = Self::Operands::DTYPES.len();
            for (operand, wide) in operands.iter().zip(&mut wide).take(arity) {
                let narrow = &H::look(operand)[n * PART..][..out.len()];
                simd::run(WidenAll { narrow, wide });
            }
            let [a, b] = &wide;
            let mut value = [F::Output::default(); PART];
            let value = &mut value[..out.len()];
            let operands = [Block::F32(a), Block::F32(b), Block::F32(b)];
            let operands = operands.each_ref().map(BlockRef::whole);
            F::block(&operands, &mut F::Output::block_mut(value))?;
            simd::run(StoreAll { value, out });
        }
        Ok(())
    }
}

struct WidenAll<'a, H> {
    narrow: &'a [H],
    wide: &'a mut [f32],
}

impl<H: Half> Kernel for WidenAll<'_, H> {
    type Output = ();
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        for (wide, narrow) in self.wide.iter_mut().zip(self.narrow) {
            *wide = narrow.widen();
        }
    }
}

struct StoreAll<'a, H, V: Wide<H>> {
    value: &'a [V],
    out: &'a mut [V::Stored],
}

impl<H: Half, V: Wide<H>> Kernel for StoreAll<'_, H, V> {
    type Output = ();
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        for (out, value) in self.out.iter_mut().zip(self.value) {
            *out = value.stored();
        }
    }
}

/// Operands that stand for stored ones.
pub(super) trait Widened<H>: Sized {
    type Stored: Operands;
    fn widened(stored: Self::Stored) -> Self;
}

impl<H: Half> Widened<H> for (f32,) {
    type Stored = (H,);
    #[inline(always)]
    fn widened((a,): (H,)) -> (f32,) {
        (a.widen(),)
    }
}

impl<H: Half> Widened<H> for (f32, f32) {
    type Stored = (H, H);
    #[inline(always)]
    fn widened((a, b): (H, H)) -> (f32, f32) {
        (a.widen(), b.widen())
    }
}

/// A value that is stored in another type.
pub(super) trait Wide<H>: Lane {
    type Stored: Lane;
    fn stored(self) -> Self::Stored;
}

impl<H: Half> Wide<H> for f32 {
    type Stored = H;
    #[inline(always)]
    fn stored(self) -> H {
        H::narrow(self)
    }
}

impl<H: Half> Wide<H> for bool {
    type Stored = bool;
    #[inline(always)]
    fn stored(self) -> bool {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_16_bit_float_widens_to_its_value_and_narrows_back() {
        for bits in 0..=u16::MAX {
            let (h, b) = (f16::from_bits(bits), bf16::from_bits(bits));
            if h.is_nan() {
                assert!(h.widen().is_nan() && f16::narrow(h.widen()).is_nan());
            } else {
                assert_eq!(h.widen().to_bits(), h.to_f32_const().to_bits());
                assert_eq!(f16::narrow(h.widen()).to_bits(), bits);
            }
            if b.is_nan() {
                assert!(b.widen().is_nan() && bf16::narrow(b.widen()).is_nan());
            } else {
                assert_eq!(b.widen().to_bits(), b.to_f32_const().to_bits());
                assert_eq!(bf16::narrow(b.widen()).to_bits(), bits);
            }
        }
    }

    #[test]
    fn floats_narrow_to_the_nearest_with_ties_to_even() {
        // Every exponent, with mantissas around the places where rounding changes.
        for high in 0..=0xffffu32 {
            for low in [0, 1, 0xfff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001, 0xffff] {
                let value = f32::from_bits(high << 16 | low);
                let (h, b) = (f16::from_f32_const(value), bf16::from_f32_const(value));
                if value.is_nan() {
                    assert!(f16::narrow(value).is_nan() && bf16::narrow(value).is_nan());
                } else {
                    assert_eq!(f16::narrow(value).to_bits(), h.to_bits(), "{value:e}");
                    assert_eq!(bf16::narrow(value).to_bits(), b.to_bits(), "{value:e}");
                }
            }
        }
    }
}
