//! The frame of a run, which holds its values.

use std::sync::Arc;

use graph_kernels::{Array, REGISTERS, Registers};
use smallvec::SmallVec;

use crate::device::Storage;
use crate::plan::{Plan, Slot, Source};
use crate::recipes::Iteration;

/// The slots of a run, and the registers for its word programs.
pub(super) struct Frame {
    pub cells: Vec<Cell>,
    pub registers: Registers,
    /// The iterations over datasets.
    pub iterations: Vec<Option<Iteration>>,
    /// How often each loop has jumped back to its head since it was entered.
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

/// The size in bytes from which the buffer of an output is reused; a smaller output is allocated in each run, which costs less than reuse would.
const WORTH_KEEPING: usize = 1 << 15;

/// The maximum number of outputs that a slot keeps handles of. With two, a caller can pass the output of the last run to the next one.
const MAX_LENT: usize = 2;

/// A slot: an array that is shared with others, or the slot's own array, whose buffer is reused for the next value.
#[derive(Default)]
pub(super) struct Cell {
    pub shared: Option<Arc<Array>>,
    pub own: Array,
    /// Large outputs of earlier runs, the latest one last. After the caller has dropped one, the slot can reuse its buffer.
    lent: Vec<Arc<Array>>,
}

impl Cell {
    pub fn get(&self) -> &Array {
        self.shared.as_deref().unwrap_or(&self.own)
    }

    /// The value as a shared array. Its buffer doesn't belong to the slot any more.
    pub fn share(&mut self) -> Arc<Array> {
        let Cell { shared, own, lent } = self;
        shared.get_or_insert_with(|| lend(own, lent)).clone()
    }

    /// The slot's own array, to be written.
    pub fn own(&mut self) -> &mut Array {
        self.shared = None;
        &mut self.own
    }

    /// Takes back the buffer of an output that nobody else holds any more.
    pub fn take_back(&mut self) {
        if let Some(free) = self.lent.iter_mut().find_map(Arc::get_mut)
            && self.own.is_empty()
        {
            std::mem::swap(&mut self.own, free);
        }
    }
}

/// Makes an output of the slot's own array. If it is large, the slot keeps a handle of it.
fn lend(own: &mut Array, lent: &mut Vec<Arc<Array>>) -> Arc<Array> {
    let is_small = own.len() * own.dtype().bytes() < WORTH_KEEPING;
    if own.len() == 1 || is_small && own.room() >= 2 * own.len() {
        // The value of a scalar is stored inside its array's handle. The buffer of an array that was larger before stays for the next large value.
        return Arc::new(own.clone());
    }
    let own = std::mem::take(own);
    if is_small {
        return Arc::new(own);
    }
    // The handle of an output whose buffer was taken back is reused.
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

/// The values that an instruction reads: the arguments, the plan's constants, and all slots except the one that is written.
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

    /// The values of all slots but one, and that slot.
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

    /// The array at a source that isn't the slot being written.
    pub fn get(self, source: Source) -> &'a Array {
        match source {
            Source::Input(i) => host_array(self.inputs[i as usize]),
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

/// The array of an input, which is on the host.
pub(super) fn host_array(input: &Storage) -> &Arc<Array> {
    match input {
        Storage::Host(array) => array,
        Storage::Remote(_) => unreachable!("inputs are fetched before a run"),
    }
}
