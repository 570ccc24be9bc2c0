//! Blocks: short runs of values of one dtype, small enough to stay in the nearest cache. Elementwise functions go from
//! blocks to a block.

use crate::{Buffer, DType, Element, bf16, f16};

/// Values to read. Integer types that differ only in their sign share a variant, as in a [`Buffer`]; the function that reads them knows
/// the sign.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Block<'a> {
    F32(&'a [f32]),
    F64(&'a [f64]),
    F16(&'a [f16]),
    BF16(&'a [bf16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    Bool(&'a [bool]),
}

/// Values to write.
#[derive(Debug)]
pub(crate) enum BlockMut<'a> {
    F32(&'a mut [f32]),
    F64(&'a mut [f64]),
    F16(&'a mut [f16]),
    BF16(&'a mut [bf16]),
    I32(&'a mut [i32]),
    I64(&'a mut [i64]),
    U8(&'a mut [u8]),
    U16(&'a mut [u16]),
    Bool(&'a mut [bool]),
}

/// An operand of a function: a range of another block's values, or a block that was written before.
///
/// Functions get it by reference and read the pointer and length where they use the values. A `Block` made for each call would be copied,
/// pointer and length in one load; a load of two words that were just stored separately must wait until the store queue is empty, and
/// that queue holds all values that the previous function wrote.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BlockRef<'a> {
    Read(&'a Block<'a>, usize),
    Written(&'a BlockMut<'a>),
}

/// A type that blocks can hold: every element type of fixed size.
pub(crate) trait Lane: Element + Copy + PartialOrd {
    /// The values of a block of this type.
    ///
    /// # Panics
    /// If the block is of another type; the code that pairs functions with blocks has checked the types.
    fn read(block: Block<'_>) -> &[Self];
    /// The values of a block of this type.
    ///
    /// # Panics
    /// If the block is of another type.
    fn look<'a>(block: &BlockRef<'a>) -> &'a [Self];
    /// The values of a block of this type.
    ///
    /// # Panics
    /// If the block is of another type.
    fn write<'a>(block: &'a mut BlockMut<'_>) -> &'a mut [Self];
    fn block(values: &[Self]) -> Block<'_>;
    fn block_mut(values: &mut [Self]) -> BlockMut<'_>;
    /// This value in the low bits of a word; see [`ElementOp::scalar`](super::ElementOp::scalar).
    fn to_word(self) -> u64;
    /// The value in the low bits of a word.
    fn of_word(word: u64) -> Self;
}

macro_rules! lanes {
    ($($type:ident $variant:ident: $to_word:expr, $of_word:expr;)*) => { $(
        impl Lane for $type {
            #[inline(always)]
            fn read(block: Block<'_>) -> &[Self] {
                match block {
                    Block::$variant(values) => values,
                    _ => mixed_up(DType::$variant),
                }
            }
            #[inline(always)]
            fn look<'a>(block: &BlockRef<'a>) -> &'a [Self] {
                match *block {
                    BlockRef::Read(Block::$variant(values), start) => &values[start..],
                    BlockRef::Written(BlockMut::$variant(values)) => values,
                    _ => mixed_up(DType::$variant),
                }
            }
            #[inline(always)]
            fn write<'a>(block: &'a mut BlockMut<'_>) -> &'a mut [Self] {
                match block {
                    BlockMut::$variant(values) => values,
                    _ => mixed_up(DType::$variant),
                }
            }
            #[inline(always)]
            fn block(values: &[Self]) -> Block<'_> { Block::$variant(values) }
            #[inline(always)]
            fn block_mut(values: &mut [Self]) -> BlockMut<'_> { BlockMut::$variant(values) }
            #[inline(always)]
            fn to_word(self) -> u64 { $to_word(self) }
            #[inline(always)]
            fn of_word(word: u64) -> Self { $of_word(word) }
        }
    )* };
}
lanes! {
    f32 F32: |v: f32| u64::from(v.to_bits()), |word| f32::from_bits(word as u32);
    f64 F64: f64::to_bits, f64::from_bits;
    f16 F16: |v: f16| u64::from(v.to_bits()), |word| f16::from_bits(word as u16);
    bf16 BF16: |v: bf16| u64::from(v.to_bits()), |word| bf16::from_bits(word as u16);
    i32 I32: |v| u64::from(v as u32), |word| word as i32;
    i64 I64: |v| v as u64, |word| word as i64;
    u8 U8: u64::from, |word| word as u8;
    u16 U16: u64::from, |word| word as u16;
    bool Bool: u64::from, |word| word & 1 == 1;
}

/// The types whose values are kept as another type of the same size.
macro_rules! kept_as {
    ($($type:ident $kept:ident;)*) => { $(
        impl Lane for $type {
            #[inline(always)]
            fn read(block: Block<'_>) -> &[Self] { bytemuck::cast_slice(<$kept>::read(block)) }
            #[inline(always)]
            fn look<'a>(block: &BlockRef<'a>) -> &'a [Self] { bytemuck::cast_slice(<$kept>::look(block)) }
            #[inline(always)]
            fn write<'a>(block: &'a mut BlockMut<'_>) -> &'a mut [Self] { bytemuck::cast_slice_mut(<$kept>::write(block)) }
            #[inline(always)]
            fn block(values: &[Self]) -> Block<'_> { <$kept>::block(bytemuck::cast_slice(values)) }
            #[inline(always)]
            fn block_mut(values: &mut [Self]) -> BlockMut<'_> { <$kept>::block_mut(bytemuck::cast_slice_mut(values)) }
            #[inline(always)]
            fn to_word(self) -> u64 { (self as $kept).to_word() }
            #[inline(always)]
            fn of_word(word: u64) -> Self { <$kept>::of_word(word) as $type }
        }

        impl Kept for $type {
            type As = $kept;
        }
    )* };
}
kept_as! {
    i8 u8;
    i16 u16;
    u32 i32;
    u64 i64;
}

/// An integer type whose values are kept as those of another type of the same size.
pub(crate) trait Kept: Lane {
    type As: Lane;
}

/// Panics: a block has another type than the function expects.
#[cold]
#[inline(never)]
fn mixed_up(dtype: DType) -> ! {
    unreachable!("a block of another type where {dtype} belongs")
}

/// Runs `$body` with `$v` bound to the typed values of a block; `$Of` is the block's enum.
macro_rules! with_block {
    ($Of:ident $block:expr, $v:ident => $body:expr) => {
        match $block {
            $Of::F32($v) => $body,
            $Of::F64($v) => $body,
            $Of::F16($v) => $body,
            $Of::BF16($v) => $body,
            $Of::I32($v) => $body,
            $Of::I64($v) => $body,
            $Of::U8($v) => $body,
            $Of::U16($v) => $body,
            $Of::Bool($v) => $body,
        }
    };
}
pub(crate) use with_block;

/// `Some($body)` with `$v` bound to the typed values of a buffer as a slice, or `None` for strings.
macro_rules! with_lanes {
    ($buffer:expr, $v:ident => $body:expr) => {
        match $buffer {
            $crate::Buffer::F32($v) => Some($body),
            $crate::Buffer::F64($v) => Some($body),
            $crate::Buffer::F16($v) => Some($body),
            $crate::Buffer::BF16($v) => Some($body),
            $crate::Buffer::I32($v) | $crate::Buffer::U32($v) => Some($body),
            $crate::Buffer::I64($v) | $crate::Buffer::U64($v) => Some($body),
            $crate::Buffer::U8($v) | $crate::Buffer::I8($v) => Some($body),
            $crate::Buffer::U16($v) | $crate::Buffer::I16($v) => Some($body),
            $crate::Buffer::Bool($v) => Some($body),
            $crate::Buffer::Str(_) => None,
        }
    };
}
pub(crate) use with_lanes;

impl<'a> BlockRef<'a> {
    /// A whole block.
    pub fn whole(block: &'a Block<'a>) -> BlockRef<'a> {
        BlockRef::Read(block, 0)
    }

    /// The block.
    pub fn block(&self) -> Block<'a> {
        match *self {
            BlockRef::Read(block, start) => block.range(start, block.len() - start),
            BlockRef::Written(block) => block.as_block(),
        }
    }
}

impl<'a> Block<'a> {
    /// The values of a buffer; `None` for strings.
    #[inline(always)]
    pub fn of(buffer: &'a Buffer) -> Option<Block<'a>> {
        with_lanes!(buffer, values => Lane::block(values))
    }

    pub fn len(self) -> usize {
        with_block!(Block self, values => values.len())
    }

    /// `len` values from `start` on.
    pub fn range(self, start: usize, len: usize) -> Block<'a> {
        with_block!(Block self, values => Lane::block(&values[start..start + len]))
    }

    /// The values as words.
    pub fn to_words(self, words: &mut [u64]) {
        with_block!(Block self, values => {
            words.iter_mut().zip(values).for_each(|(word, v)| *word = v.to_word());
        })
    }

    /// The bytes of the values.
    #[inline(always)]
    pub fn bytes(self) -> &'a [u8] {
        with_block!(Block self, values => bytemuck::cast_slice(values))
    }

    /// The values of a dtype that have these bytes; `None` if they don't lie like such values, or if not all bytes are values.
    #[inline]
    pub fn of_bytes(dtype: DType, bytes: &'a [u8]) -> Option<Block<'a>> {
        fn values<T: Lane + bytemuck::AnyBitPattern>(bytes: &[u8]) -> Option<Block<'_>> {
            bytemuck::try_cast_slice(bytes).ok().map(T::block)
        }
        match dtype {
            DType::F32 => values::<f32>(bytes),
            DType::F64 => values::<f64>(bytes),
            DType::I32 => values::<i32>(bytes),
            DType::I64 => values::<i64>(bytes),
            _ => None,
        }
    }

    /// The value at a place as a word.
    pub fn word(self, place: usize) -> u64 {
        with_block!(Block self, values => values[place].to_word())
    }
}

impl<'a> BlockMut<'a> {
    /// The first `len` values of a buffer; `None` for strings.
    #[inline(always)]
    pub fn of(buffer: &'a mut Buffer, len: usize) -> Option<BlockMut<'a>> {
        with_lanes!(buffer, values => Lane::block_mut(&mut values[..len]))
    }

    pub fn len(&self) -> usize {
        with_block!(BlockMut self, values => values.len())
    }

    /// `len` values from `start` on.
    pub fn range(&mut self, start: usize, len: usize) -> BlockMut<'_> {
        with_block!(BlockMut self, values => Lane::block_mut(&mut values[start..start + len]))
    }

    /// The first `len` values.
    #[inline(always)]
    pub fn first(&mut self, len: usize) -> BlockMut<'_> {
        with_block!(BlockMut self, values => Lane::block_mut(&mut values[..len]))
    }

    /// The first `len` values, and the others.
    pub fn split_at(self, len: usize) -> (BlockMut<'a>, BlockMut<'a>) {
        with_block!(BlockMut self, values => {
            let (first, rest) = values.split_at_mut(len);
            (Lane::block_mut(first), Lane::block_mut(rest))
        })
    }

    /// The values to read.
    pub fn as_block(&self) -> Block<'_> {
        with_block!(BlockMut self, values => Lane::block(values))
    }

    /// The bytes of the values, to be written; `None` for types that machine code of chains doesn't write.
    #[inline(always)]
    pub fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        match self {
            BlockMut::F32(values) => Some(bytemuck::cast_slice_mut(values)),
            BlockMut::F64(values) => Some(bytemuck::cast_slice_mut(values)),
            BlockMut::I32(values) => Some(bytemuck::cast_slice_mut(values)),
            BlockMut::I64(values) => Some(bytemuck::cast_slice_mut(values)),
            _ => None,
        }
    }

    /// See [`Block::of_bytes`].
    #[inline]
    pub fn of_bytes(dtype: DType, bytes: &'a mut [u8]) -> Option<BlockMut<'a>> {
        fn values<T: Lane + bytemuck::Pod>(bytes: &mut [u8]) -> Option<BlockMut<'_>> {
            bytemuck::try_cast_slice_mut(bytes).ok().map(T::block_mut)
        }
        match dtype {
            DType::F32 => values::<f32>(bytes),
            DType::F64 => values::<f64>(bytes),
            DType::I32 => values::<i32>(bytes),
            DType::I64 => values::<i64>(bytes),
            _ => None,
        }
    }

    /// Writes the values of a block of the same dtype and length.
    pub fn copy_from(self, from: Block<'_>) {
        with_block!(BlockMut self, values => values.copy_from_slice(Lane::read(from)))
    }

    /// Writes the first value of a block of the same dtype everywhere.
    pub fn fill(self, from: Block<'_>) {
        with_block!(BlockMut self, values => values.fill(Lane::read(from)[0]))
    }

    /// Writes values from words.
    pub fn put_words(self, words: &[u64]) {
        with_block!(BlockMut self, values => {
            values.iter_mut().zip(words).for_each(|(v, word)| *v = Lane::of_word(*word));
        })
    }

    /// Writes a value from a word.
    pub fn put_word(&mut self, place: usize, word: u64) {
        with_block!(BlockMut self, values => values[place] = Lane::of_word(word));
    }
}
