//! Functions over 16-bit floats: calculated in `f32` and rounded once. Also the conversion of blocks to a wider type, part by part, which
//! narrow integers use, too.

use std::marker::PhantomData;

use super::function::{BlockFunction, ElementError, Function, Near, Operands};
use crate::block::{BlockMut, BlockRef, Lane};
use crate::number::Half;
use crate::simd::MulAdd;
use crate::simd::{self, Kernel, Level};

/// A type whose values are calculated in a wider type; [`Wide`] converts back.
pub(crate) trait Narrow: Lane {
    type Wide: Lane;
    /// The highest level that the conversions to the wider type and back are compiled for.
    const UP_TO: Level;
    fn widened(self) -> Self::Wide;
}

impl<H: Half> Narrow for H {
    type Wide = f32;
    const UP_TO: Level = Level::Avx512;
    #[inline(always)]
    fn widened(self) -> f32 {
        self.widen()
    }
}

/// A function over 16-bit floats: its operands are widened, the value is calculated in `f32` and rounded once.
pub(super) struct Halved<F>(PhantomData<F>);

impl<H: Half, F: Function<f32, Operands: Widened<H>, Output: Wide<H>>> Function<H> for Halved<F> {
    type Operands = <F::Operands as Widened<H>>::Stored;
    type Output = <F::Output as Wide<H>>::Stored;
    const ROUNDS: bool = F::ROUNDS;
    const SLOW: bool = F::SLOW;
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

    fn block(operands: &[BlockRef; 3], out: &mut BlockMut) -> Result<(), ElementError> {
        let operands = &operands[..Self::Operands::DTYPES.len()];
        in_parts::<H, F::Output>(F::block, operands, out)
    }
}

/// How many values are widened at a time.
pub(super) const PART: usize = 128;

/// Applies a function over blocks of the wider type, part by part. So a function is compiled once for all floats of up to 32 bits, and
/// this loop once for all functions.
pub(super) fn in_parts<N: Narrow, V: Wide<N>>(
    function: BlockFunction,
    operands: &[BlockRef],
    out: &mut BlockMut,
) -> Result<(), ElementError> {
    let mut wide = [[N::Wide::default(); PART]; 2];
    let out = V::Stored::write(out);
    for (n, out) in out.chunks_mut(PART).enumerate() {
        for (operand, wide) in operands.iter().zip(&mut wide) {
            widen_all(&N::look(operand)[n * PART..][..out.len()], wide);
        }
        let [a, b] = &wide;
        let mut value = [V::default(); PART];
        let value = &mut value[..out.len()];
        let operands = [a, b, b].map(|values| Lane::block(values));
        let operands = operands.each_ref().map(BlockRef::whole);
        function(&operands, &mut V::block_mut(value))?;
        simd::run(StoreAll { value, out });
    }
    Ok(())
}

/// Widens values.
pub(crate) fn widen_all<N: Narrow>(narrow: &[N], wide: &mut [N::Wide]) {
    simd::run(WidenAll { narrow, wide });
}

/// Rounds values.
pub(crate) fn narrow_all<H: Half>(wide: &[f32], narrow: &mut [H]) {
    simd::run(StoreAll {
        value: wide,
        out: narrow,
    });
}

struct WidenAll<'a, N: Narrow> {
    narrow: &'a [N],
    wide: &'a mut [N::Wide],
}

impl<N: Narrow> Kernel for WidenAll<'_, N> {
    type Output = ();
    const UP_TO: Level = N::UP_TO;
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        for (wide, narrow) in self.wide.iter_mut().zip(self.narrow) {
            *wide = narrow.widened();
        }
    }
}

struct StoreAll<'a, H: Narrow, V: Wide<H>> {
    value: &'a [V],
    out: &'a mut [V::Stored],
}

impl<H: Narrow, V: Wide<H>> Kernel for StoreAll<'_, H, V> {
    type Output = ();
    const UP_TO: Level = H::UP_TO;
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        for (out, value) in self.out.iter_mut().zip(self.value) {
            *out = value.stored();
        }
    }
}

/// Operands of the wider type that were read from the stored type `H`.
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

/// A value that can be stored as `H`.
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

impl<N: Narrow> Wide<N> for bool {
    type Stored = bool;
    #[inline(always)]
    fn stored(self) -> bool {
        self
    }
}
