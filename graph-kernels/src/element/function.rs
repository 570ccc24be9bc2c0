//! The interface of an elementwise function: values in, a value out, and operands for which it may be undefined. Each function has two
//! forms, over blocks and over single values, which give the same bits.

use std::marker::PhantomData;

use crate::block::{Block, BlockMut, BlockRef, Lane};
use crate::simd::{self, Kernel};
use crate::simd::{MulAdd, Unfused};
use crate::{DType, Element, KernelError};

/// Why a function isn't defined for its operands.
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
    /// True if the result depends on whether products and sums are fused.
    const ROUNDS: bool;
    /// True if it divides or takes a root, which are the slowest instructions.
    const SLOW: bool;
    /// The error for operands that [`refuses`](Self::refuses) returns true for.
    const ERROR: Option<ElementError>;

    /// The value at operands that [`refuses`](Self::refuses) accepts.
    fn call<M: MulAdd>(operands: Self::Operands) -> Self::Output;
    /// True for operands that the function isn't defined for, if it has such an error.
    fn refuses(operands: Self::Operands) -> bool;

    /// Which operands have a faster way to the same value. It has no branches and so becomes vector code, where [`call`](Self::call) has
    /// to branch.
    const NEAR: Near;
    /// True for the operands that [`near`](Self::near) can calculate.
    fn is_near(operands: Self::Operands) -> bool;
    /// The same value as [`call`](Self::call), calculated the faster way.
    fn near<M: MulAdd>(operands: Self::Operands) -> Self::Output;

    /// The function's entry in the table: both forms, and the dtypes.
    const ENTRY: &'static Entry = &Entry {
        block: Self::block,
        word: evaluate::<T, Self>,
        operands: Self::Operands::DTYPES,
        output: Self::Output::DTYPE,
        is_total: Self::ERROR.is_none(),
        cost: cost(Self::ROUNDS, Self::SLOW, size_of::<T>()),
    };

    /// Calculates as many values as the output has.
    ///
    /// # Errors
    /// If operands are refused; then nothing is written.
    fn block(operands: &[BlockRef; 3], out: &mut BlockMut) -> Result<(), ElementError> {
        simd::run(Whole::<T, Self>::new(operands, out))
    }
}

/// Roughly the nanoseconds that a thread needs for 16 values of a size. Measured with AVX-512: sums 1 to 2; quotients 2 of `f32` and 5 of
/// `f64`, roots 3 and 9.
const fn cost(rounds: bool, slow: bool, size: usize) -> usize {
    match (rounds, slow) {
        (true, _) => 16,
        (_, true) if size > 4 => 8,
        (_, true) => 4,
        _ => 2,
    }
}

/// Which operands have a faster way to the value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Near {
    /// None.
    Never,
    /// Those for which [`Function::is_near`] returns true.
    Values,
    /// Those whose last operand is near and equal at all places: what depends on it alone is calculated once.
    OneLast,
}

/// The values that a function takes: a tuple of one to three.
pub(crate) trait Operands: Copy {
    const DTYPES: &'static [DType];
    /// The blocks that hold the operands.
    type Blocks<'a>: Copy;
    /// The first `len` values of each block.
    fn blocks<'a>(blocks: &[BlockRef<'a>; 3], len: usize) -> Self::Blocks<'a>;
    /// The operands at a place.
    fn at(blocks: Self::Blocks<'_>, place: usize) -> Self;
    fn of_words(words: [u64; 3]) -> Self;
    /// True if the last operand equals that of `other`.
    fn ends_as(self, other: Self) -> bool;
    /// These operands with the last one of `other`.
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

/// A function at a dtype in both forms, and the dtypes of its operands and result.
pub(crate) struct Entry {
    pub block: BlockFunction,
    /// The form for single values, each in the low bits of a word.
    pub word: WordFunction,
    pub operands: &'static [DType],
    pub output: DType,
    /// True if it is defined for every value of the dtype.
    pub is_total: bool,
    /// Roughly the nanoseconds that one thread needs for 16 values.
    pub cost: usize,
}

/// The form over blocks: reads as many values of each operand as the output has. Blocks beyond the function's arity are ignored.
pub(crate) type BlockFunction = fn(&[BlockRef; 3], &mut BlockMut) -> Result<(), ElementError>;

/// Calculates one value; operands and result are in the low bits of words.
#[inline(always)]
pub(crate) fn evaluate<T, F: Function<T>>(words: [u64; 3]) -> Result<u64, ElementError> {
    let operands = F::Operands::of_words(words);
    if const { F::ERROR.is_some() }
        && let Some(error) = F::ERROR.filter(|_| F::refuses(operands))
    {
        return Err(error);
    }
    if const { F::ROUNDS } {
        // By the same code and at the same level as blocks, so that the bits are the same.
        let mut out = [F::Output::default()];
        let operands = operands.as_blocks();
        let operands = operands.each_ref().map(BlockRef::whole);
        F::block(&operands, &mut F::Output::block_mut(&mut out))?;
        return Ok(out[0].to_word());
    }
    Ok(F::call::<Unfused>(operands).to_word())
}

/// A function over words: operands and result are in their low bits, as in [`ElementOp::scalar`](crate::ElementOp::scalar).
pub type WordFunction = fn([u64; 3]) -> Result<u64, ElementError>;

/// A function applied to whole blocks.
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
        // By index, because all slices have one length: then no bounds check is left in the loops. A check that is left would make the
        // last values of every block run one by one.
        let out = F::Output::write(self.out);
        let len = out.len();
        let out = &mut out[..len];
        let operands = F::Operands::blocks(self.operands, len);
        // Conditions are constants, without closures: there are about three hundred functions, most have neither errors nor a faster way,
        // and everything here is compiled for each of them. The loops that search look at all places, so that they become vector code.
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
