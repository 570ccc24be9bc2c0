//! Finds the loops whose iterations don't depend on each other: they count a register up to a limit, carry nothing else from one iteration
//! to the next, and write lists only where no other iteration writes.

use std::ops::RangeInclusive;

use smallvec::SmallVec;

use crate::DType;
use crate::element::ElementOp;
use crate::words::codegen::WordSource;
use crate::words::live::Set;
use crate::words::{Register, WordStep};

/// A loop whose iterations are independent. Its first step leaves it unless the counter is less than the limit, its last one jumps back to
/// the first.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// The first step.
    pub head: usize,
    /// The last step.
    pub back: usize,
    /// The register of the counter, which is a number of the iteration.
    pub counter: Register,
    /// The register of the limit.
    pub limit: Register,
    /// Their dtype: `int32` or `int64`.
    pub dtype: DType,
    /// The step that makes the counter that of the next iteration.
    pub counts: usize,
    /// The registers that the iterations write.
    pub written: Set,
}

/// The loops of a program, if it has some and all are such loops. `None` if there is another loop, or a jump over a loop.
pub(super) fn loops(source: &WordSource, lives: &[Set]) -> Option<Vec<Loop>> {
    let steps = &source.steps;
    let (mut found, mut at, mut begin) = (Vec::new(), 0, 0);
    while at < steps.len() {
        match (at..steps.len())
            .rev()
            .find(|n| steps[*n].targets().contains(&at))
        {
            Some(back) => {
                jumps_within(&steps[begin..at], begin..=at)?;
                found.push(Loop::of(source, lives, at, back)?);
                begin = back + 1;
                at = begin;
            }
            None => at += 1,
        }
    }
    jumps_within(&steps[begin..], begin..=steps.len())?;
    (!found.is_empty()).then_some(found)
}

/// `None` if a jump leads to another step than these.
fn jumps_within(steps: &[WordStep], to: RangeInclusive<usize>) -> Option<()> {
    let mut targets = steps.iter().flat_map(WordStep::targets);
    targets.all(|target| to.contains(target)).then_some(())
}

impl Loop {
    fn of(source: &WordSource, lives: &[Set], head: usize, back: usize) -> Option<Loop> {
        let steps = &source.steps;
        let &WordStep::UnlessHolds {
            op: ElementOp::Less,
            dtype: dtype @ (DType::I32 | DType::I64),
            operands: [counter, limit],
            target,
        } = &steps[head]
        else {
            return None;
        };
        let body = &steps[head + 1..back];
        if steps[back] != WordStep::Jump(head) || target != back + 1 {
            return None;
        }
        jumps_within(body, head + 1..=back)?;
        let written: Set = body.iter().flat_map(WordStep::writes).collect();
        let mut found = Loop {
            head,
            back,
            counter,
            limit,
            dtype,
            counts: head,
            written,
        };
        found.counts = found.counts(source)?;
        let mut carried = lives[head].iter().filter(|r| written.contains(*r));
        let carries_only_the_counter = carried.all(|register| register == counter);
        (carries_only_the_counter && found.writes_apart(steps)).then_some(found)
    }

    /// The step that makes the counter that of the next iteration; `None` if it doesn't always become greater by 1.
    fn counts(&self, source: &WordSource) -> Option<usize> {
        let is_one = |register: Register| source.constants.contains(&(register, 1));
        let adds = |at: usize, register: Register| match &source.steps[at] {
            WordStep::Apply {
                op: ElementOp::Add,
                operands,
                to,
                dtype,
            } if *to == register && *dtype == self.dtype => match operands[..] {
                [a, b] => (a == self.counter && is_one(b)) || (b == self.counter && is_one(a)),
                _ => false,
            },
            _ => false,
        };
        let at = self.only_write(source, self.counter, None)?;
        let next = match source.steps[at] {
            WordStep::Move { to, from } if to == self.counter => from,
            WordStep::Swap(a, b) if a == self.counter => b,
            WordStep::Swap(a, b) if b == self.counter => a,
            _ => return adds(at, self.counter).then_some(at),
        };
        let added = self.only_write(source, next, Some(at))?;
        (added < at && adds(added, next)).then_some(at)
    }

    /// The only step but `other` that writes a register, if each iteration does it once.
    fn only_write(
        &self,
        source: &WordSource,
        register: Register,
        other: Option<usize>,
    ) -> Option<usize> {
        let writes = |at: &usize| source.steps[*at].writes().contains(&register);
        let mut writes = (self.head + 1..self.back).filter(|at| writes(at) && Some(*at) != other);
        let at = writes.next().filter(|_| writes.next().is_none())?;
        let mut jumps = source.steps[self.head + 1..self.back]
            .iter()
            .zip(self.head + 1..);
        let passes = jumps.all(|(step, from)| {
            let mut targets = step.targets().iter();
            targets.all(|to| (from < at) == (*to <= at))
        });
        passes.then_some(at)
    }

    /// True if no two iterations write the same value of a list: each write has the counter, before the step that changes it, as the position
    /// of the row, or each has it as the number of the value.
    fn writes_apart(&self, steps: &[WordStep]) -> bool {
        let mut ways: SmallVec<[(u8, bool); 4]> = SmallVec::new();
        (self.head + 1..self.back).all(|at| {
            let (list, way) = match &steps[at] {
                WordStep::Write { list, index, .. } => (*list, self.counts_by(*index, None)),
                WordStep::WriteAt {
                    list,
                    index,
                    element,
                    ..
                } => (*list, self.counts_by(*index, Some(*element))),
                _ => return true,
            };
            let Some(way) = way.filter(|_| at < self.counts) else {
                return false;
            };
            ways.push((list, way));
            !ways.contains(&(list, !way))
        })
    }

    /// True if the counter is the position of a row, false if it is the number of a value in a row; `None` if it is neither.
    fn counts_by(&self, index: Register, element: Option<Register>) -> Option<bool> {
        let by_element = element == Some(self.counter);
        (index == self.counter || by_element).then_some(!by_element)
    }
}
