//! Functions over the integers that aren't compiled for each level: `int8`, `int16`, `uint16`, `uint32` and `uint64`.
//!
//! Most of them use another type's function. A function that doesn't depend on the sign uses that of the type in which the values are
//! kept ([`AsKept`]); one that does is calculated in a wider type, and the low bits are stored ([`InWider`]). The loops of the remaining
//! functions are compiled once, for any CPU ([`Portable`]), or not at all ([`ByWords`]): each loop adds to the time of every first build
//! of a program.

use std::marker::PhantomData;

use super::function::{
    BlockFunction, ElementError, Entry, Function, Near, Operands, Whole, WordFunction, evaluate,
};
use super::half::{Narrow, PART, Wide, in_parts, widen_all};
use crate::block::{BlockMut, BlockRef, Kept, Lane};
use crate::simd::{Kernel, Level};
use crate::simd::{MulAdd, Unfused};
use crate::{DType, Element};

/// Integers whose values, with their sign, fit a wider type.
macro_rules! narrow_integers {
    ($($type:ty: $wide:ty;)*) => { $(
        impl Narrow for $type {
            type Wide = $wide;
            const UP_TO: Level = Level::Portable;
            #[inline(always)]
            fn widened(self) -> $wide { self.into() }
        }

        impl Wide<$type> for $wide {
            type Stored = $type;
            #[inline(always)]
            fn stored(self) -> $type { self as $type }
        }
    )* };
}
narrow_integers! { i8: i32; i16: i32; u16: i32; u32: i64; }

/// Forwards everything but the block form to another function.
macro_rules! same_function {
    ($type:ident) => {
        type Operands = <F as Function<$type>>::Operands;
        type Output = <F as Function<$type>>::Output;
        const ROUNDS: bool = false;
        const SLOW: bool = <F as Function<$type>>::SLOW;
        const ERROR: Option<ElementError> = <F as Function<$type>>::ERROR;
        const NEAR: Near = Near::Never;

        #[inline(always)]
        fn call<M: MulAdd>(operands: Self::Operands) -> Self::Output {
            <F as Function<$type>>::call::<M>(operands)
        }

        #[inline(always)]
        fn refuses(operands: Self::Operands) -> bool {
            <F as Function<$type>>::refuses(operands)
        }

        #[inline(always)]
        fn is_near(_: Self::Operands) -> bool {
            false
        }

        #[inline(always)]
        fn near<M: MulAdd>(operands: Self::Operands) -> Self::Output {
            <F as Function<$type>>::call::<M>(operands)
        }
    };
}

/// A function whose blocks are those of a wider type.
pub(super) struct InWider<F>(PhantomData<F>);

impl<N: Narrow, F> Function<N> for InWider<F>
where
    F: Function<N> + Function<N::Wide, Output: Wide<N>>,
{
    same_function!(N);

    fn block(operands: &[BlockRef; 3], out: &mut BlockMut) -> Result<(), ElementError> {
        let operands = &operands[..Self::Operands::DTYPES.len()];
        let function = <F as Function<N::Wide>>::block;
        in_parts::<N, <F as Function<N::Wide>>::Output>(function, operands, out)
    }
}

/// A function of one operand that is read in a wider type, and whose result isn't narrowed.
pub(super) struct OfWider<F>(PhantomData<F>);

impl<N: Narrow, F> Function<N> for OfWider<F>
where
    F: Function<N> + Function<N::Wide>,
{
    same_function!(N);

    fn block(operands: &[BlockRef; 3], out: &mut BlockMut) -> Result<(), ElementError> {
        widened_parts::<N>(<F as Function<N::Wide>>::block, &operands[0], out)
    }
}

/// Applies a function over blocks of the wider type, part by part.
fn widened_parts<N: Narrow>(
    function: BlockFunction,
    operand: &BlockRef,
    out: &mut BlockMut,
) -> Result<(), ElementError> {
    let mut wide = [N::Wide::default(); PART];
    for start in (0..out.len()).step_by(PART) {
        let len = PART.min(out.len() - start);
        widen_all(&N::look(operand)[start..start + len], &mut wide);
        let values = N::Wide::block(&wide);
        function(&[BlockRef::whole(&values); 3], &mut out.range(start, len))?;
    }
    Ok(())
}

/// A function that is compiled for the portable level only.
pub(super) struct Portable<F>(PhantomData<F>);

impl<T, F: Function<T>> Function<T> for Portable<F> {
    same_function!(T);

    fn block(operands: &[BlockRef; 3], out: &mut BlockMut) -> Result<(), ElementError> {
        Whole::<T, F>::new(operands, out).run::<Unfused>()
    }
}

/// A function without a loop of its own: its block form calls the form for single values.
pub(super) struct ByWords<F>(PhantomData<F>);

impl<T, F: Function<T>> Function<T> for ByWords<F> {
    same_function!(T);

    fn block(operands: &[BlockRef; 3], out: &mut BlockMut) -> Result<(), ElementError> {
        by_words(
            evaluate::<T, F>,
            Self::Operands::DTYPES.len(),
            operands,
            out,
        )
    }
}

/// The block form made of calls to the form for single values.
fn by_words(
    function: WordFunction,
    arity: usize,
    operands: &[BlockRef; 3],
    out: &mut BlockMut,
) -> Result<(), ElementError> {
    let mut words = [[0; PART]; 3];
    for start in (0..out.len()).step_by(PART) {
        let len = PART.min(out.len() - start);
        for (operand, words) in operands[..arity].iter().zip(&mut words) {
            operand.block().range(start, len).to_words(words);
        }
        let [a, b, c] = &mut words;
        for ((a, b), c) in a[..len].iter_mut().zip(&*b).zip(&*c) {
            *a = function([*a, *b, *c])?;
        }
        out.range(start, len).put_words(&words[0]);
    }
    Ok(())
}

/// The function of the type in which the values are kept, under the dtype of this type.
pub(super) struct AsKept<F, T>(PhantomData<(F, T)>);

impl<T: Kept, F: Function<T::As>> AsKept<F, T> {
    const DTYPES: [DType; 3] = {
        let (own, mut dtypes) = (F::Operands::DTYPES, [T::DTYPE; 3]);
        let mut n = 0;
        while n < own.len() {
            dtypes[n] = named::<T>(own[n]);
            n += 1;
        }
        dtypes
    };

    pub const ENTRY: &'static Entry = &Entry {
        block: F::block,
        word: evaluate::<T::As, F>,
        operands: Self::DTYPES.split_at(F::Operands::DTYPES.len()).0,
        output: named::<T>(F::Output::DTYPE),
        is_total: F::ERROR.is_none(),
        cost: 2,
    };
}

/// The dtype of an operand or result, with `T`'s dtype in place of the one that it is kept as.
const fn named<T: Kept>(dtype: DType) -> DType {
    if dtype as usize == T::As::DTYPE as usize {
        T::DTYPE
    } else {
        dtype
    }
}
