//! The words of the messages that `ui.rs` compares: a message names the user's own code and what the documentation names,
//! never the code that the macro generates.

use std::fs;
use std::path::{Path, PathBuf};

/// Names that only generated code and the runtime's internals use.
const GENERATED: &[&str] = &[
    "ag__",
    "autograph::",
    "if_stmt",
    "while_stmt",
    "for_stmt",
    "loop_stmt",
    "match_stmt",
    "block_stmt",
    "assert_stmt",
    "item__",
    "item_ref__",
    "item_mut__",
    "Incomparable",
    "IndexedBy::",
    "TensorItem",
    "Matching",
    "Witness",
    "VariableOfRust",
    "Carried",
    "Pick",
    "KindOf",
    "TensorCmp",
    "RustOrd",
    "Bounds<",
    "EachElement",
    "EachItem",
    "Iterable<",
];

#[test]
fn messages_name_no_generated_code() {
    let mut wrong = Vec::new();
    for path in files("cases/fail", "stderr") {
        let text = fs::read_to_string(&path).expect("a case's message");
        for line in message_lines(&text) {
            let found = GENERATED.iter().filter(|name| line.contains(*name));
            wrong.extend(found.map(|name| format!("{}: `{name}` in: {line}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn messages_point_at_the_user_s_tokens() {
    for path in files("cases/fail", "stderr") {
        let text = fs::read_to_string(&path).expect("a case's message");
        let case = path.with_extension("rs");
        let case = case
            .strip_prefix(env!("CARGO_MANIFEST_DIR"))
            .expect("a path of this crate")
            .display()
            .to_string();
        let source = fs::read_to_string(path.with_extension("rs")).expect("the case");
        let attribute = source
            .lines()
            .position(|line| line.trim() == "#[graph_fn]")
            .map_or(0, |line| line + 1);
        for error in text.split("\nerror").filter(|part| part.contains("-->")) {
            // For a panic in a constant, the first location is the constant's, and the last one is where it is used.
            let mut places = error.split("--> ").skip(1);
            let place = if error.contains("evaluation panicked") {
                places.last()
            } else {
                places.next()
            };
            let place = place.expect("a place").lines().next().expect("a line");
            assert!(place.starts_with(&case), "{case}: an error is at {place}");
            let line: usize = place
                .split(':')
                .nth(1)
                .and_then(|n| n.parse().ok())
                .expect("a line number");
            assert!(
                line != attribute || case.contains("variadic"),
                "{case}: an error is at the attribute"
            );
        }
    }
}

#[test]
fn there_are_enough_cases_and_each_says_what_it_is_about() {
    let (fail, pass) = (files("cases/fail", "rs"), files("tests/programs", "rs"));
    assert!(
        fail.len() >= 50 && pass.len() >= 25,
        "{} cases fail, {} pass",
        fail.len(),
        pass.len()
    );
    let listed = include_str!("programs/main.rs");
    for path in &pass {
        let module = path.file_stem().expect("a name").display();
        let runs = listed.contains(&format!("mod {module};"));
        assert!(runs, "{} isn't listed in programs/main.rs", path.display());
    }
    for path in fail.iter().chain(&pass) {
        let source = fs::read_to_string(path).expect("a case");
        assert!(
            source.starts_with("// "),
            "{} doesn't say what it is about",
            path.display()
        );
    }
}

/// The files with this extension in the subfolders of `folder`; each subfolder has one theme.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = |folder: PathBuf| {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path())
    };
    entries(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
        .filter(|theme| theme.is_dir())
        .flat_map(entries)
        .filter(|file| file.extension().is_some_and(|e| e == extension))
        .collect()
}

/// The lines of a message, without rustc's note that shows a bound in this project's source.
fn message_lines(text: &str) -> Vec<&str> {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if !line.starts_with(' ') || line.trim_start().starts_with("= ") {
            inside = line.starts_with("note: required by a bound in");
        }
        if !inside {
            lines.push(line);
        }
    }
    lines
}
