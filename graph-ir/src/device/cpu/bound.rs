//! Iterations of bound loops: the arrays of a loop are found in the frame once, and the kernels run the iterations.

use graph_kernels::{Array, BoundEnd, BoundLoop};
use smallvec::SmallVec;

use super::frame::{Cell, Frame, host_array};
use super::run::Run;
use super::watch::Watch;
use crate::plan::{Bound, Source, Target};

/// After how many iterations a loop is bound, if it can be. The first iteration gives the slots their arrays. Where two slots are exchanged, both have
/// theirs after the second one.
const BEGIN: u64 = 1;
const LAST: u64 = 2;

/// The most values of an array that is copied for a loop: it takes less time than some iterations.
const SMALL: usize = 1 << 12;

impl<W: Watch> Run<'_, W> {
    /// Goes on behind the jump back to the head of a loop: runs as many iterations as possible at once. Returns the next instruction.
    pub(super) fn again(&mut self, head: Target, number: usize) -> Target {
        if W::WATCHES || self.flush_denormals {
            return head;
        }
        let Some(Some(bound)) = self.plan.bound.get(number) else {
            return head;
        };
        if !(BEGIN..=LAST).contains(&self.frame.turns[number]) {
            return head;
        }
        let Some(end) = self.run_bound(bound) else {
            return head;
        };
        self.frame.turns[number] += end.iterations;
        let next = match end.stopped {
            Some(step) => bound.body.start + step,
            None => bound.body.end + 1,
        };
        next as Target
    }

    /// `None` if the arrays don't fit the loop.
    fn run_bound(&mut self, bound: &Bound) -> Option<BoundEnd> {
        let Frame {
            cells, registers, ..
        } = &mut *self.frame;
        let mut changing: SmallVec<[&mut Array; BoundLoop::MOST]> = SmallVec::new();
        let mut fixed: SmallVec<[&Array; BoundLoop::MOST]> = SmallVec::new();
        let (mut written, mut read) = (bound.changing.iter(), bound.fixed.iter());
        let (mut next_written, mut next_read) = (written.next(), read.next());
        for (n, cell) in cells.iter_mut().enumerate() {
            if next_written.is_some_and(|slot| slot.index() == n) {
                changing.push(owned(cell)?);
                next_written = written.next();
            } else if next_read.is_some_and(|slot| slot.index() == n) {
                fixed.push(cell.get());
                next_read = read.next();
            }
        }
        for source in &bound.given {
            match source {
                Source::Input(i) => fixed.push(host_array(self.inputs[*i as usize])),
                Source::Constant(i) => fixed.push(&self.plan.constants[*i as usize]),
                Source::Computed(_) => return None,
            }
        }
        let elements = bound.elements.as_ref();
        elements
            .and_then(|elements| elements.run(&fixed, &mut changing, registers))
            .or_else(|| bound.steps.run(&fixed, &mut changing, registers))
    }
}

/// The slot's own array, with its value. An array that is shared with others is copied first, if it is small. `None` if it isn't, or if there is no
/// memory.
fn owned(cell: &mut Cell) -> Option<&mut Array> {
    if let Some(shared) = &cell.shared {
        if shared.len() > SMALL {
            return None;
        }
        cell.own.assign(shared).ok()?;
        cell.shared = None;
    }
    Some(&mut cell.own)
}
