//! No slot holds two values that are alive at the same time; checked with random programs, with and without word programs.

use super::Options;
use super::allocate::allocate;
use super::instruction::Slot;
use super::lower::lower;
use super::random_programs::program;
use crate::graph::Graph;

#[test]
fn registers_of_a_slot_are_never_alive_at_once() {
    for seed in 0..200 {
        let text = program(seed, false);
        let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
        for words in [false, true] {
            let options = Options {
                words,
                ..Options::default()
            };
            let code = lower(&graph, options);
            let allocation = allocate(&code);
            let mut occupied: Vec<(Slot, usize, usize)> = Vec::new();
            for register in code.registers() {
                let segments = allocation.lives().of(register);
                for (n, segment) in segments.iter().enumerate() {
                    // An output that overwrites an operand is written after the operands have been read.
                    let late =
                        n == 0 && segment.start % 2 == 0 && allocation.in_place(segment.start / 2);
                    let start = segment.start + usize::from(late);
                    let end = segment.end.max(start);
                    occupied.push((allocation.slot(register), start, end));
                }
            }
            occupied.sort_unstable();
            for pair in occupied.windows(2) {
                let [(slot, _, end), (next_slot, start, _)] = pair else {
                    continue;
                };
                assert!(slot != next_slot || end < start, "seed {seed}: {pair:?}");
            }
        }
    }
}
