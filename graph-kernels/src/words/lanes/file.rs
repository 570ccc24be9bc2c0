//! The file of a run: a block of values for each slot, one value for each lane.

use smallvec::SmallVec;

use super::chains::Chain;
use super::groups::Bits;
use super::steps::{ACTIVE, Apply, Slot};
use crate::block::{BlockMut, BlockRef, Lane, with_block};
use crate::codegen::ChainCode;
use crate::simd::{self, Kernel, Level, MulAdd};
use crate::words::live::Set;
use crate::{Buffer, DType};

/// Blocks begin at multiples of this number of values, so that vectors don't cross cache lines.
const ALIGNED: usize = 64;

pub(super) struct File<'a> {
    pub blocks: SmallVec<[BlockMut<'a>; 24]>,
}

impl File<'_> {
    /// Calls `work` with blocks of these dtypes, each with a value for each lane.
    pub fn with<R>(slots: &[DType], lanes: usize, work: impl FnOnce(&mut File<'_>) -> R) -> R {
        let stride = lanes.next_multiple_of(ALIGNED);
        let mut dtypes: SmallVec<[(DType, usize); 4]> = SmallVec::new();
        for dtype in slots {
            match dtypes.iter_mut().find(|(other, _)| other == dtype) {
                Some((_, count)) => *count += 1,
                None => dtypes.push((*dtype, 1)),
            }
        }
        let buffers = dtypes.iter();
        let buffers = buffers.map(|(dtype, count)| Buffer::zeros(*dtype, count * stride));
        let mut buffers: SmallVec<[Buffer; 4]> = buffers.collect();
        let mut rests: SmallVec<[Option<BlockMut>; 4]> = SmallVec::new();
        for (buffer, (_, count)) in buffers.iter_mut().zip(&dtypes) {
            rests.push(BlockMut::of(buffer, count * stride));
        }
        let mut blocks = SmallVec::new();
        for dtype in slots {
            let of_dtype = dtypes.iter().position(|(other, _)| other == dtype);
            if let Some(rest) = of_dtype.map(|position| &mut rests[position])
                && let Some(values) = rest.take()
            {
                let (block, others) = values.split_at(stride);
                *rest = Some(others);
                blocks.push(block.split_at(lanes).0);
            }
        }
        work(&mut File { blocks })
    }

    /// Writes a word to all lanes.
    pub fn fill(&mut self, slot: Slot, word: u64) {
        with_block!(BlockMut &mut self.blocks[usize::from(slot)], values => values.fill(Lane::of_word(word)));
    }

    /// Writes a number to a lane of a slot of integers.
    pub fn set_number(&mut self, slot: Slot, lane: usize, number: i64) {
        match &mut self.blocks[usize::from(slot)] {
            BlockMut::I32(values) => values[lane] = number as i32,
            BlockMut::I64(values) => values[lane] = number,
            _ => {}
        }
    }

    /// The truth values of a slot.
    pub fn truths(&self, slot: Slot) -> &[bool] {
        bool::read(self.blocks[usize::from(slot)].as_block())
    }

    /// Sets which lanes are active: eight at a time, by a product that copies their bits to eight bytes, of which each keeps its own.
    pub fn set_active(&mut self, bits: Bits) {
        let values = bool::write(&mut self.blocks[usize::from(ACTIVE)]);
        for (eight, bits) in values.chunks_mut(8).zip(bits.to_le_bytes()) {
            let copies = u64::from(bits).wrapping_mul(0x0101_0101_0101_0101);
            let own = copies & 0x8040_2010_0804_0201;
            let bytes = own.to_le_bytes().into_iter();
            eight
                .iter_mut()
                .zip(bytes)
                .for_each(|(value, byte)| *value = byte != 0);
        }
    }

    /// Calculates a function in all lanes. If `keeps`, only active lanes of the result change.
    #[inline(always)]
    pub fn apply(&mut self, apply: &Apply, keeps: bool) {
        let Apply { to, scratch, .. } = *apply;
        if keeps {
            self.call(apply, scratch);
            self.put_active(to, scratch);
        } else if apply.over_operand {
            self.call(apply, scratch);
            self.blocks.swap(usize::from(to), usize::from(scratch));
        } else {
            self.call(apply, to);
        }
    }

    #[inline(always)]
    fn call(&mut self, apply: &Apply, to: Slot) {
        let to = usize::from(to);
        let (before, rest) = self.blocks.split_at_mut(to);
        let Some((out, behind)) = rest.split_first_mut() else {
            return;
        };
        let operand = |slot: Slot| match usize::from(slot) {
            slot if slot < to => BlockRef::Written(&before[slot]),
            slot => BlockRef::Written(&behind[slot - to - 1]),
        };
        // Only functions that are defined for all values are compiled.
        let _ = (apply.function)(&apply.operands.map(operand), out);
    }

    /// Calculates a chain in all lanes by machine code; of the slots that are `kept`, only active lanes change. Returns false, and changes
    /// nothing, if the code refuses.
    pub fn run_code(&mut self, chain: &Chain, code: &dyn ChainCode, kept: &Set) -> bool {
        let mut outs: SmallVec<[BlockMut; 4]> = SmallVec::new();
        for (_, beside) in &chain.results {
            let block = &mut self.blocks[usize::from(*beside)];
            outs.push(std::mem::replace(block, BlockMut::Bool(&mut [])));
        }
        let done = self.call_code(chain, code, &mut outs);
        for ((_, beside), out) in chain.results.iter().zip(outs) {
            self.blocks[usize::from(*beside)] = out;
        }
        if done {
            for (to, beside) in &chain.results {
                match kept.contains(*to) {
                    true => self.put_active(*to, *beside),
                    false => self.blocks.swap(usize::from(*to), usize::from(*beside)),
                }
            }
        }
        done
    }

    /// Calls the code of a chain, which writes its results to these blocks.
    fn call_code(&self, chain: &Chain, code: &dyn ChainCode, outs: &mut [BlockMut]) -> bool {
        let len = outs.first().map_or(0, BlockMut::len);
        let mut inputs: SmallVec<[&[u8]; 8]> = SmallVec::new();
        for slot in &chain.inputs {
            inputs.push(self.blocks[usize::from(*slot)].as_block().bytes());
        }
        let mut results: SmallVec<[&mut [u8]; 4]> = SmallVec::new();
        results.extend(outs.iter_mut().filter_map(BlockMut::bytes_mut));
        code.run(len, &inputs, &mut results, false)
    }

    /// Copies the values of another slot to all lanes, or to the active ones if it `keeps` the others.
    #[inline(always)]
    pub fn copy(&mut self, to: Slot, from: Slot, keeps: bool) {
        if keeps {
            return self.put_active(to, from);
        }
        let places = [to, from].map(usize::from);
        if let Ok([to, from]) = self.blocks.get_disjoint_mut(places) {
            with_block!(BlockMut to, to => to.copy_from_slice(Lane::look(&BlockRef::Written(from))));
        }
    }

    /// Exchanges the values of two slots, in the active lanes only if it `keeps` the others.
    pub fn swap(&mut self, a: Slot, b: Slot, keeps: bool) {
        if !keeps {
            return self.blocks.swap(usize::from(a), usize::from(b));
        }
        let places = [a, b, ACTIVE].map(usize::from);
        if let Ok([a, b, active]) = self.blocks.get_disjoint_mut(places) {
            let active = bool::look(&BlockRef::Written(active));
            with_block!(BlockMut a, a => {
                let values = a.iter_mut().zip(Lane::write(b)).zip(active);
                { values }.filter(|(_, active)| **active).for_each(|((a, b), _)| std::mem::swap(a, b));
            });
        }
    }

    /// Copies the values of another slot to the active lanes.
    fn put_active(&mut self, to: Slot, from: Slot) {
        let places = [to, from, ACTIVE].map(usize::from);
        if let Ok([to, from, active]) = self.blocks.get_disjoint_mut(places) {
            let active = bool::look(&BlockRef::Written(active));
            with_block!(BlockMut to, to => {
                let from = Lane::look(&BlockRef::Written(from));
                simd::run(PutActive { to, from, active });
            });
        }
    }
}

/// Copies values where a truth value says so.
struct PutActive<'a, T> {
    to: &'a mut [T],
    from: &'a [T],
    active: &'a [bool],
}

impl<T: Lane> Kernel for PutActive<'_, T> {
    type Output = ();
    const UP_TO: Level = Level::Avx512;

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let len = self.to.len();
        let (from, active) = (&self.from[..len], &self.active[..len]);
        for (lane, to) in self.to.iter_mut().enumerate() {
            *to = if active[lane] { from[lane] } else { *to };
        }
    }
}
