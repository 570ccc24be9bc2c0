//! The order of reads and writes of lists. A run may begin anew in the middle of a program, after steps behind it have been done: when
//! machine code fails, and when the interpreter counts the iterations for an error. It does the same again only if no list is written
//! after it was read.

use super::{Rows, WordStep};

/// True if a list may be written after it was read.
pub(super) fn writes_after_reads(steps: &[WordStep]) -> bool {
    let read = |step: &WordStep| match step {
        WordStep::Read {
            from: Rows::List(list),
            ..
        }
        | WordStep::ReadAt {
            from: Rows::List(list),
            ..
        } => Some(*list),
        _ => None,
    };
    let mut lists: Vec<u8> = steps.iter().filter_map(read).collect();
    lists.sort_unstable();
    lists.dedup();
    lists.iter().any(|list| {
        let reads = (0..steps.len()).filter(|at| read(&steps[*at]) == Some(*list));
        let writes = |at: &usize| matches!(&steps[*at], WordStep::Write { list: other, .. } | WordStep::WriteAt { list: other, .. } if other == list);
        reached(steps, reads.collect()).iter().any(writes)
    })
}

/// The steps that may run after one of these.
fn reached(steps: &[WordStep], mut from: Vec<usize>) -> Vec<usize> {
    let mut seen = vec![false; steps.len()];
    let mut reached = Vec::new();
    while let Some(at) = from.pop() {
        let next = steps[at].goes_on().then_some(at + 1);
        for to in steps[at].targets().iter().copied().chain(next) {
            if to < steps.len() && !seen[to] {
                seen[to] = true;
                reached.push(to);
                from.push(to);
            }
        }
    }
    reached
}
