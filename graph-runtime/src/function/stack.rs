//! Room on the stack for bodies. Between a function and its body there are frames of this library, which are large without optimization, so
//! recursion that plain Rust has room for would overflow the stack. A body that begins near the end of the stack gets a new piece of it.

use std::cell::Cell;

#[cfg(not(target_family = "wasm"))]
use stacker::{grow, remaining_stack};

use crate::error::{Error, Location};

/// A body begins on a new piece if less than this many bytes are left. What it calls that isn't a graph function has to fit in here.
const LEFT: usize = 256 << 10;
/// The size of a piece in bytes. The system reserves it, and gives memory for what is used.
const PIECE: usize = 2 << 20;
/// The most pieces that a thread has at a time: 256 MiB. Recursion that gets here has no end, or is a mistake.
const MOST: usize = 128;

thread_local! {
    /// The pieces that this thread has now.
    static PIECES: Cell<usize> = const { Cell::new(0) };
}

/// Takes back the count of a piece when its body is left, also by a panic.
struct Piece;

impl Drop for Piece {
    fn drop(&mut self) {
        PIECES.set(PIECES.get() - 1);
    }
}

/// In wasm the stack of calls isn't in memory.
#[cfg(target_family = "wasm")]
fn remaining_stack() -> Option<usize> {
    None
}

#[cfg(target_family = "wasm")]
fn grow<R>(_: usize, body: impl FnOnce() -> R) -> R {
    body()
}

/// True if the next body begins on a new piece. Where the end of the stack isn't known, there are no pieces.
#[inline]
pub(super) fn is_short() -> bool {
    remaining_stack().is_some_and(|left| left < LEFT)
}

/// The error of a call that recurses too deeply.
#[inline]
pub(super) fn overflow(name: &str, location: impl FnOnce() -> Location) -> Option<Error> {
    let is_full = is_short() && PIECES.get() == MOST;
    is_full.then(|| too_deep(name, location()))
}

#[cold]
fn too_deep(name: &str, location: Location) -> Error {
    let size = (MOST * PIECE) >> 20;
    let message =
        format!("`{name}` recurses without end, or too deeply: {size} MiB of stack are used up");
    Error::trace(message, location)
}

/// Runs a body, on a new piece of the stack if this one is nearly used up.
#[inline]
pub(super) fn with_stack<R>(body: impl FnOnce() -> R) -> R {
    match is_short() && PIECES.get() < MOST {
        true => on_new_piece(body),
        false => body(),
    }
}

#[cold]
#[inline(never)]
fn on_new_piece<R>(body: impl FnOnce() -> R) -> R {
    PIECES.set(PIECES.get() + 1);
    let _piece = Piece;
    grow(PIECE, body)
}
