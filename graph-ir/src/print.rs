//! Where `graph_print!` prints: the standard outputs, the logger, a file, or a collector for tests.

use std::cell::RefCell;
use std::fs::OpenOptions;
use std::io::{self, Write};

use crate::graph::PrintTo;
use crate::scoped::scoped;

thread_local! {
    static COLLECTED: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
    static POSTPONED: RefCell<Option<Vec<(String, PrintTo)>>> = const { RefCell::new(None) };
}

/// Writes a text where it belongs. What goes to a standard output goes to the collector of this thread, if there is one.
pub fn write(text: &str, to: &PrintTo) -> io::Result<()> {
    if postponed(text, to) {
        return Ok(());
    }
    match to {
        PrintTo::Stdout | PrintTo::Stderr if collect(text) => {}
        // By the macros, which the test harness captures.
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

/// Runs `f` and gives, beside its result, what was printed on this thread meanwhile, to be written later.
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

/// Runs `f` and gives, beside its result, what graph functions printed on this thread meanwhile, to the standard output or the
/// standard error output: a text for each print, without the line break at its end.
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
