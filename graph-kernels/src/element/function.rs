//! What an elementwise function is to the code around it: values in, a value out, and perhaps values it isn't defined
//! for. From a function come its two forms, over blocks and over single values, which give the same bits.

use std::marker::PhantomData;

use crate::block::{Block, BlockMut, BlockRef, Lane};
use crate::simd::{self, Kernel};
use crate::simd::{MulAdd, Unfused};
use crate::{DType, Element, KernelError};

/// Operands that a function isn't defined for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementError {
    /// An integer divided by zero.
    DivisionByZero,
    /// An integer to the power of a negative one.
    NegativeExponent,
}

impl From<ElementError> for KernelError {
    fn from(error: ElementError) -> KernelError {
        let text = match error {
            ElementError::DivisionByZero => "Integer division by zero",
            ElementError::NegativeExponent => "Integers to negative integer powers are not allowed",
        };
        KernelError::Value(text.to_owned())
    }
}

/// A function of the elementwise table at one dtype `T`.
pub(crate) trait Function<T>: Sized + 'static {
    type Operands: Operands;
    type Output: Lane;
    /// True if the result depends on how products and sums are done.
    const ROUNDS: bool;
    /// What [`refuses`](Self::refuses) means.
    const ERROR: Option<ElementError>;

    /// The value at operands that aren't refused.
    fn call<M: MulAdd>(operands: Self::Operands) -> Self::Output;
    /// True for operands that the function isn't defined for, if there is such an error.
    fn refuses(operands: Self::Operands) -> bool;

    /// Where there is a shorter way to the same value for some operands, which makes vector code where
    /// [`call`](Self::call), which has to branch, doesn't.
    const NEAR: Near;
    /// True for the operands that [`near`](Self::near) is right for.
    fn is_near(operands: Self::Operands) -> bool;
    /// The shorter way.
    fn near<M: MulAdd>(operands: Self::Operands) -> Self::Output;

    /// Both forms, and the dtypes.
    const ENTRY: &'static Entry = &Entry {
        block: Self::block,
        word: evaluate::<T, Self>,
        operands: Self::Operands::DTYPES,
        output: Self::Output::DTYPE,
        is_total: Self::ERROR.is_none(),
        cost: if Self::ROUNDS { 16 } else { 2 },
    };

    /// As many values as the output has.
    ///
    /// # Errors
    /// If one of them is refused; then nothing is written.
    fn block(operands: &[BlockRef; 3], out: &mut BlockMut) -> Result<(), ElementError> {
        simd::run(Whole::<T, Self>::new(operands, out))
    }
}

/// Which operands have a shorter way to the value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Near {
    /// None.
    Never,
    /// Those that [`Function::is_near`] says.
    Values,
    /// Those whose last one is near, and the same at all places: whatever is calculated of it alone is calculated once.
    OneLast,
}

/// The values that a function takes: a tuple of one to three.
pub(crate) trait Operands: Copy {
    const DTYPES: &'static [DType];
    /// The same, in blocks.
    type Blocks<'a>: Copy;
    /// The first `len` values of each block.
    fn blocks<'a>(blocks: &[BlockRef<'a>; 3], len: usize) -> Self::Blocks<'a>;
    /// The operands at a place.
    fn at(blocks: Self::Blocks<'_>, place: usize) -> Self;
    fn of_words(words: [u64; 3]) -> Self;
    /// True if the last value is that of the other operands.
    fn ends_as(self, other: Self) -> bool;
    /// These with the last value of the other operands.
    fn ending_as(self, other: Self) -> Self;
    /// Blocks of one value.
    fn as_blocks(&self) -> [Block<'_>; 3];
}

macro_rules! operands {
    ($($type:ident $n:tt),*; $last:tt) => {
        impl<$($type: Lane),*> Operands for ($($type,)*) {
            const DTYPES: &'static [DType] = &[$($type::DTYPE),*];
            type Blocks<'a> = ($(&'a [$type],)*);
            #[inline(always)]
            fn blocks<'a>(blocks: &[BlockRef<'a>; 3], len: usize) -> Self::Blocks<'a> {
                ($(&$type::look(&blocks[$n])[..len],)*)
            }
            #[inline(always)]
            fn at(blocks: Self::Blocks<'_>, place: usize) -> Self {
                ($(blocks.$n[place],)*)
            }
            #[inline(always)]
            fn of_words(words: [u64; 3]) -> Self {
                ($($type::of_word(words[$n]),)*)
            }
            #[inline(always)]
            fn ends_as(self, other: Self) -> bool {
                self.$last == other.$last
            }
            #[inline(always)]
            fn ending_as(mut self, other: Self) -> Self {
                self.$last = other.$last;
                self
            }
            fn as_blocks(&self) -> [Block<'_>; 3] {
                let mut blocks = [Block::Bool(&[]); 3];
                $(blocks[$n] = $type::block(std::slice::from_ref(&self.$n));)*
                blocks
            }
        }
    };
}
operands!(A 0; 0);
operands!(A 0, B 1; 1);
operands!(A 0, B 1, C 2; 2);

/// A function in both forms, chosen for a dtype, and its operands' and result's dtypes.
pub(crate) struct Entry {
    pub block: BlockFunction,
    /// One value, each in the low bits of a word.
    pub word: WordFunction,
    pub operands: &'static [DType],
    pub output: DType,
    /// True if it is defined for every value of the dtype.
    pub is_total: bool,
    /// Roughly the nanoseconds that one thread takes for 16 values.
    pub cost: usize,
}

/// A function over blocks: as many values as the output has are read of each operand. The blocks behind a function's
/// operands are ignored.
pub(crate) type BlockFunction = fn(&[BlockRef; 3], &mut BlockMut) -> Result<(), ElementError>;

/// Calculates one value, each in the low bits of a word.
#[inline(always)]
pub(crate) fn evaluate<T, F: Function<T>>(words: [u64; 3]) -> Result<u64, ElementError> {
    let operands = F::Operands::of_words(words);
    if const { F::ERROR.is_some() }
        && let Some(error) = F::ERROR.filter(|_| F::refuses(operands))
    {
        return Err(error);
    }
    if const { F::ROUNDS } {
        // At the level that blocks are calculated at, by the same code.
        let mut out = [F::Output::default()];
        let operands = operands.as_blocks();
        let operands = operands.each_ref().map(BlockRef::whole);
        F::block(&operands, &mut F::Output::block_mut(&mut out))?;
        return Ok(out[0].to_word());
    }
    Ok(F::call::<Unfused>(operands).to_word())
}

/// A function over words.
pub(crate) type WordFunction = fn([u64; 3]) -> Result<u64, ElementError>;

/// A block of values of a function.
pub(crate) struct Whole<'a, 'b, T, F: Function<T>> {
    operands: &'a [BlockRef<'a>; 3],
    out: &'a mut BlockMut<'b>,
    function: PhantomData<fn(T) -> F>,
}

impl<'a, 'b, T, F: Function<T>> Whole<'a, 'b, T, F> {
    #[inline(always)]
    pub fn new(operands: &'a [BlockRef<'a>; 3], out: &'a mut BlockMut<'b>) -> Self {
        Whole {
            operands,
            out,
            function: PhantomData,
        }
    }
}

impl<T, F: Function<T>> Kernel for Whole<'_, '_, T, F> {
    type Output = Result<(), ElementError>;
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "several slices go by one index")]
    fn run<M: MulAdd>(self) -> Self::Output {
        // By index, all slices being of one length: so no check of it is left in the loops. One that is would take the last
        // values of every block one by one.
        let out = F::Output::write(self.out);
        let len = out.len();
        let out = &mut out[..len];
        let operands = F::Operands::blocks(self.operands, len);
        // Conditions that are constants, and no closures: there are some three hundred functions, and most of them have neither errors nor
        // a shorter way. All that stands here is compiled for each. The loops that look for something look at all places, so that
        // they become vector code.
        if const { matches!(F::NEAR, Near::OneLast) }
            && len > 0
            && F::is_near(F::Operands::at(operands, 0))
        {
            let first = F::Operands::at(operands, 0);
            let mut differs = false;
            for n in 0..len {
                differs |= !F::Operands::at(operands, n).ends_as(first);
            }
            if !differs {
                for n in 0..len {
                    out[n] = F::near::<M>(F::Operands::at(operands, n).ending_as(first));
                }
                return Ok(());
            }
        }
        if const { F::ERROR.is_some() } {
            let mut refused = false;
            for n in 0..len {
                refused |= F::refuses(F::Operands::at(operands, n));
            }
            if let Some(error) = F::ERROR.filter(|_| refused) {
                return Err(error);
            }
        }
        if const { matches!(F::NEAR, Near::Values) } {
            let mut far = false;
            for n in 0..len {
                far |= !F::is_near(F::Operands::at(operands, n));
            }
            if !far {
                for n in 0..len {
                    out[n] = F::near::<M>(F::Operands::at(operands, n));
                }
                return Ok(());
            }
        }
        for n in 0..len {
            out[n] = F::call::<M>(F::Operands::at(operands, n));
        }
        Ok(())
    }
}
