//! Which lanes are at which step. Lanes at one step are a group. One group is current and runs; the others wait until it comes to their
//! step, or until it is behind them.
//!
//! The group at the first step runs: so the ways of a branch meet behind it, and lanes that have left a loop wait behind it for the
//! others. But a loop that most lanes have left would run for a few. So where a loop jumps back, and many lanes wait behind it, those run
//! first, up to the place where the loop's lanes are: they end their iterations, begin others, and enter the loop again.

use smallvec::SmallVec;

/// Stands for no step.
const NOWHERE: usize = usize::MAX;
/// Waiting lanes run before a loop goes on if they are at least one of this many of all lanes.
const PART: u32 = 4;
/// After this many jumps back, lanes that wait run in any case.
const PATIENCE: u32 = 256;

/// A set of lanes, as bits.
pub(super) type Bits = u128;

pub(super) struct Groups {
    /// The step of the current group.
    pub at: usize,
    /// The lanes of the current group.
    pub active: Bits,
    waiting: SmallVec<[(usize, Bits); 8]>,
    /// The next step at which a group waits; earlier ones than `floor` don't count.
    next: usize,
    floor: usize,
    lanes: u32,
    /// The jumps back since another group ran.
    turns: u32,
}

impl Groups {
    /// All lanes at the first step.
    pub fn new(lanes: usize) -> Groups {
        Groups {
            at: 0,
            active: Bits::MAX >> (Bits::BITS as usize - lanes),
            waiting: SmallVec::new(),
            next: NOWHERE,
            floor: 0,
            lanes: lanes as u32,
            turns: 0,
        }
    }

    /// The steps at which other groups wait.
    pub fn waiting(&self) -> impl Iterator<Item = usize> {
        self.waiting.iter().map(|(at, _)| *at)
    }

    /// True if the lanes of another group wait.
    pub fn is_apart(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Moves the current group to the step behind its own. Returns true if it has met another one.
    #[inline(always)]
    pub fn advance(&mut self) -> bool {
        self.at += 1;
        self.at == self.next && self.meet()
    }

    /// Moves the current group to a step, except the lanes that go to another step.
    pub fn part(&mut self, to: usize, others: Bits, other: usize) {
        self.wait(other, others);
        self.active &= !others;
        self.jump(to);
    }

    /// Moves the current group to a step. Returns true if another group is current.
    pub fn jump(&mut self, to: usize) -> bool {
        let back = to <= self.at;
        self.at = to;
        if back {
            self.floor = 0;
            self.turns += 1;
            self.look();
            let enough = match self.turns % PATIENCE {
                0 => 1,
                _ => self.lanes.div_ceil(PART),
            };
            let mut groups = self.waiting.iter();
            if let Some(place) =
                groups.position(|(at, lanes)| *at > to && lanes.count_ones() >= enough)
            {
                let (at, lanes) = self.waiting.swap_remove(place);
                self.wait(to, self.active);
                (self.at, self.active, self.floor) = (at, lanes, at);
                self.look();
                return true;
            }
        }
        self.meet()
    }

    /// The next iterations begin: the current group goes on at the first step with these lanes. Returns false if no lane is left at all.
    pub fn begin(&mut self, lanes: Bits) -> bool {
        (self.at, self.active, self.floor) = (0, lanes, 0);
        if lanes == 0 {
            self.look();
            let Some(place) = self.waiting.iter().position(|(at, _)| *at == self.next) else {
                return false;
            };
            (self.at, self.active) = self.waiting.swap_remove(place);
        }
        self.look();
        self.meet();
        true
    }

    fn wait(&mut self, at: usize, lanes: Bits) {
        match self.waiting.iter_mut().find(|(other, _)| *other == at) {
            Some((_, others)) => *others |= lanes,
            None => self.waiting.push((at, lanes)),
        }
        self.look();
    }

    /// Finds the next step at which a group waits.
    fn look(&mut self) {
        let steps = self.waiting.iter().map(|(at, _)| *at);
        let next = steps.filter(|at| *at >= self.floor).min();
        self.next = next.unwrap_or(NOWHERE);
    }

    /// If the current group is at a group that waits, they are one; if it is behind one, that one runs. Returns true if something changed.
    fn meet(&mut self) -> bool {
        if self.next > self.at {
            return false;
        }
        let next = self.next;
        if next < self.at {
            self.wait(self.at, self.active);
            (self.at, self.active) = (next, 0);
        }
        self.waiting.retain(|(at, lanes)| {
            let is_met = *at == next;
            if is_met {
                self.active |= *lanes;
            }
            !is_met
        });
        self.look();
        true
    }
}
