//! The text of the files in which functions stand. An attribute sees only its own function; what is around it is in the file.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use proc_macro2::Span;

/// The source text of the file that contains a function, if the compiler knows the file. Files are read once.
pub fn source(span: Span) -> Rc<str> {
    thread_local! {
        static SOURCES: RefCell<HashMap<PathBuf, Rc<str>>> = RefCell::default();
    }
    let Some(path) = span.local_file() else {
        return Rc::from("");
    };
    SOURCES.with_borrow_mut(|sources| {
        let read = || Rc::from(fs::read_to_string(&path).unwrap_or_default());
        sources.entry(path.clone()).or_insert_with(read).clone()
    })
}
