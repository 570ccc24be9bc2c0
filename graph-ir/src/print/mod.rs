//! The destinations of `graph_print!`: the standard outputs, the logger, a file, or a collector for tests.

mod to;

use std::cell::RefCell;
use std::fs::OpenOptions;
use std::io::{self, Write};

pub use to::PrintTo;

use crate::scoped::scoped;

thread_local! {
    static COLLECTED: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
    static POSTPONED: RefCell<Option<Vec<(String, PrintTo)>>> = const { RefCell::new(None) };
}

/// Writes a text to its destination. If this thread has a collector, it gets the texts for the standard outputs.
pub fn write(text: &str, to: &PrintTo) -> io::Result<()> {
    if postponed(text, to) {
        return Ok(());
    }
    match to {
        PrintTo::Stdout | PrintTo::Stderr if collect(text) => {}
        // Uses the macros, because the test harness captures only their output.
        PrintTo::Stdout => print!("{text}"),
        PrintTo::Stderr => eprint!("{text}"),
        PrintTo::Log(level) => log::log!(*level, "{}", line(text)),
        PrintTo::File(path) => {
            let mut file = OpenOptions::new().append(true).create(true).open(path)?;
            file.write_all(text.as_bytes())?;
        }
    }
    Ok(())
}

/// Runs `f` and returns its result and the texts that were printed on this thread, which the caller writes later.
pub(crate) fn postpone<R>(f: impl FnOnce() -> R) -> (R, Vec<(String, PrintTo)>) {
    let (result, prints) = scoped(&POSTPONED, Some(Vec::new()), f);
    (result, prints.unwrap_or_default())
}

fn postponed(text: &str, to: &PrintTo) -> bool {
    POSTPONED.with_borrow_mut(|prints| match prints {
        Some(prints) => {
            prints.push((text.to_owned(), to.clone()));
            true
        }
        None => false,
    })
}

fn collect(text: &str) -> bool {
    COLLECTED.with_borrow_mut(|collected| {
        let lines = collected.as_mut();
        lines
            .map(|lines| lines.push(line(text).to_owned()))
            .is_some()
    })
}

/// The text without the line break at its end.
fn line(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

/// Runs `f` and returns its result and what graph functions printed on this thread to the standard output and the standard error output:
/// one text per print, without the line break at its end.
///
/// ```
/// # use graph_runtime::prelude::*;
/// let (_, lines) = graph_runtime::collect_prints(|| graph_print!("x is {}", tensor([1, 2])));
/// assert_eq!(lines, ["x is [1 2]"]);
/// ```
pub fn collect_prints<R>(f: impl FnOnce() -> R) -> (R, Vec<String>) {
    let (result, lines) = scoped(&COLLECTED, Some(Vec::new()), f);
    (result, lines.unwrap_or_default())
}
