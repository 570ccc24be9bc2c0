//! Where `graph_print!` prints: standard output, or a collector for tests.

use std::cell::RefCell;

use graph_kernels::{Array, format};

thread_local! {
    static COLLECTED: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Prints a line, or hands it to the collector of this thread.
pub(crate) fn line(text: &str) {
    let collected = COLLECTED.with_borrow_mut(|c| {
        c.as_mut()
            .map(|lines| lines.push(text.to_owned()))
            .is_some()
    });
    if !collected {
        println!("{text}");
    }
}

/// The texts with the arrays between them, as `tf.print` writes arrays.
pub(crate) fn join<'a>(texts: &[String], arrays: impl Iterator<Item = &'a Array>) -> String {
    let mut line = texts.first().cloned().unwrap_or_default();
    for (array, text) in arrays.zip(&texts[1.min(texts.len())..]) {
        line.push_str(&format::tf_print(array));
        line.push_str(text);
    }
    line
}

/// Runs `f` and gives, beside its result, the lines that graph functions printed on this thread meanwhile.
///
/// ```
/// # use graph_runtime::prelude::*;
/// let (_, lines) = graph_runtime::collect_prints(|| graph_print!("x is {}", tensor([1, 2])));
/// assert_eq!(lines, ["x is [1 2]"]);
/// ```
pub fn collect_prints<R>(f: impl FnOnce() -> R) -> (R, Vec<String>) {
    let outer = COLLECTED.with_borrow_mut(|c| c.replace(Vec::new()));
    let result = f();
    let lines = COLLECTED.with_borrow_mut(|c| std::mem::replace(c, outer));
    (result, lines.unwrap_or_default())
}
