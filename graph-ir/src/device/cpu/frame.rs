//! The frame of a run: where its values are.

use std::sync::Arc;

use graph_kernels::{Array, REGISTERS, Registers};
use smallvec::SmallVec;

use crate::device::Storage;
use crate::plan::{Plan, Slot, Source};
use crate::recipes::Iteration;

/// The slots of a run, and the registers of its word programs.
pub(super) struct Frame {
    pub cells: Vec<Cell>,
    pub registers: Registers,
    /// The iterations over datasets.
    pub iterations: Vec<Option<Iteration>>,
    /// How often each loop has gone back to its head since it began.
    pub turns: Vec<u64>,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            cells: Vec::new(),
            registers: [0; REGISTERS],
            iterations: Vec::new(),
            turns: Vec::new(),
        }
    }
}

/// An output that takes fewer bytes than this is allocated anew each time: that costs less than it may spare.
const WORTH_KEEPING: usize = 1 << 15;

/// Of so many outputs a slot keeps handles at most: with two, a caller may give a function what it returned the last time.
const MAX_LENT: usize = 2;

/// A slot: an array that is shared with others, or else the slot's own, whose buffer stays for the next value.
#[derive(Default)]
pub(super) struct Cell {
    pub shared: Option<Arc<Array>>,
    pub own: Array,
    /// Large outputs of former runs, the latest one last. Once the caller has dropped one, its buffer is the slot's again.
    lent: Vec<Arc<Array>>,
}

impl Cell {
    pub fn get(&self) -> &Array {
        self.shared.as_deref().unwrap_or(&self.own)
    }

    /// The value as a shared array; the own buffer goes with it.
    pub fn share(&mut self) -> Arc<Array> {
        let Cell { shared, own, lent } = self;
        shared.get_or_insert_with(|| lend(own, lent)).clone()
    }

    /// The own array, to be written.
    pub fn own(&mut self) -> &mut Array {
        self.shared = None;
        &mut self.own
    }

    /// Takes the buffer of an output back that nobody else has any more.
    pub fn take_back(&mut self) {
        if let Some(free) = self.lent.iter_mut().find_map(Arc::get_mut)
            && self.own.is_empty()
        {
            std::mem::swap(&mut self.own, free);
        }
    }
}

/// The own array as an output, of which the slot keeps a handle if it is large.
fn lend(own: &mut Array, lent: &mut Vec<Arc<Array>>) -> Arc<Array> {
    let is_small = own.len() * own.dtype().bytes() < WORTH_KEEPING;
    if own.len() == 1 || is_small && own.room() >= 2 * own.len() {
        // A scalar's handle has room for the value. The buffer of what was larger once stays for what will be.
        return Arc::new(own.clone());
    }
    let own = std::mem::take(own);
    if is_small {
        return Arc::new(own);
    }
    // The handle of an output whose buffer was taken back serves again.
    let free = lent
        .iter_mut()
        .position(|lent| Arc::get_mut(lent).is_some());
    let mut output = free.map_or_else(Arc::default, |place| lent.remove(place));
    *Arc::make_mut(&mut output) = own;
    if lent.len() == MAX_LENT {
        lent.remove(0);
    }
    lent.push(output.clone());
    output
}

/// What a run reads: its arguments, the plan's constants, and all slots but one that is being written.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub inputs: &'a [&'a Storage],
    pub plan: &'a Plan,
    before: &'a [Cell],
    after: &'a [Cell],
}

impl<'a> Values<'a> {
    pub fn new(inputs: &'a [&'a Storage], plan: &'a Plan, cells: &'a [Cell]) -> Values<'a> {
        Values {
            inputs,
            plan,
            before: cells,
            after: &[],
        }
    }

    /// The values without a slot, and that slot.
    pub fn beside(
        inputs: &'a [&'a Storage],
        plan: &'a Plan,
        cells: &'a mut [Cell],
        slot: Slot,
    ) -> (Values<'a>, &'a mut Cell) {
        let (before, rest) = cells.split_at_mut(slot.index());
        let (written, after) = rest.split_first_mut().expect("a plan names its own slots");
        let values = Values {
            inputs,
            plan,
            before,
            after,
        };
        (values, written)
    }

    /// The array at a source, which is not the slot that is being written.
    pub fn get(self, source: Source) -> &'a Array {
        match source {
            Source::Input(i) => here(self.inputs[i as usize]),
            Source::Constant(i) => &self.plan.constants[i as usize],
            Source::Computed(slot) => match self.before.get(slot.index()) {
                Some(cell) => cell.get(),
                None => self.after[slot.index() - self.before.len() - 1].get(),
            },
        }
    }

    /// Calls `f` with the arrays at some sources.
    pub fn with<R>(self, sources: &[Source], f: impl FnOnce(&[&'a Array]) -> R) -> R {
        match *sources {
            [a] => f(&[self.get(a)]),
            [a, b] => f(&[self.get(a), self.get(b)]),
            [a, b, c] => f(&[self.get(a), self.get(b), self.get(c)]),
            _ => f(&sources
                .iter()
                .map(|s| self.get(*s))
                .collect::<SmallVec<[_; 8]>>()),
        }
    }
}

/// The array of an input.
pub(super) fn here(input: &Storage) -> &Arc<Array> {
    match input {
        Storage::Host(array) => array,
        Storage::Remote(_) => unreachable!("inputs are fetched before a run"),
    }
}
