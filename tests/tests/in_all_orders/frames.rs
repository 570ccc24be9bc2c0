//! The frames that a plan keeps between runs: two threads never have the same frame, and a returned frame is used again.

use loom::sync::Arc;
use loom::thread;

use crate::scratch::Scratch;

/// A run: takes a frame or makes one, and returns it.
fn run(scratch: &Scratch, made: u32) -> u32 {
    let mut frame = scratch.take::<[u32; 2]>().unwrap_or(Box::new([made, 0]));
    assert_eq!(frame[1], 0, "somebody else has it");
    frame[1] = 1;
    thread::yield_now();
    frame[1] = 0;
    let number = frame[0];
    scratch.give(frame);
    number
}

#[test]
fn two_runs_never_share_a_frame() {
    loom::model(|| {
        let scratch = Arc::new(Scratch::default());
        scratch.give(Box::new([7u32, 0]));
        let other = scratch.clone();
        let thread = thread::spawn(move || run(&other, 2));
        let mine = run(&scratch, 1);
        let theirs = thread.join().unwrap();
        // A thread gets the kept frame (7), the one that the other has returned, or, if it finds the lock taken, a new one.
        assert!([1, 7, theirs].contains(&mine));
        assert!([2, 7, mine].contains(&theirs));
    });
}

#[test]
fn frames_that_are_cleared_meanwhile_are_whole_or_gone() {
    loom::model(|| {
        let scratch = Arc::new(Scratch::default());
        scratch.give(Box::new([7u32, 0]));
        let other = scratch.clone();
        let thread = thread::spawn(move || other.clear());
        assert!([1, 7].contains(&run(&scratch, 1)));
        thread.join().unwrap();
        assert!([1, 7].contains(&run(&scratch, 1)));
    });
}
