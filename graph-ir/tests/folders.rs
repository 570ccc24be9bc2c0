//! Which folder of this crate uses which: they form no circle, so that each can be read with what is below it and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// By folder, those that it names.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The files below a folder, but for those of tests.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let is_test = |path: &PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        name == "tests"
            || name == "testing"
            || name.ends_with("_tests")
            || name == "random_programs"
    };
    let kept = entries.filter(|path| !is_test(path));
    kept.flat_map(|path| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    })
    .collect()
}

/// The code of a file without comments and without its unit tests.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The names that come behind each `crate::`, one or several in braces.
fn named(code: &str) -> BTreeSet<String> {
    let first = |path: &str| {
        path.trim()
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .unwrap()
            .to_owned()
    };
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => drop(names.insert(first(rest))),
            Some(group) => names.extend(at_level_one(group).iter().map(|path| first(path))),
        }
    }
    names
}

/// What stands between commas, up to the brace that closes; braces inside are parts of it.
fn at_level_one(group: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut parts) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '}' => {
                parts.push(&group[begin..at]);
                break;
            }
            ',' if depth == 0 => {
                parts.push(&group[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts
}

fn uses() -> Uses {
    let root = source();
    let mut uses = Uses::new();
    for file in files(&root) {
        let inside = file.strip_prefix(&root).unwrap();
        let folder = inside
            .iter()
            .next()
            .unwrap()
            .to_str()
            .unwrap()
            .trim_end_matches(".rs")
            .to_owned();
        if folder != "lib" {
            let others = named(&code(&file))
                .into_iter()
                .filter(|other| *other != folder);
            uses.entry(folder.clone()).or_default().extend(others);
        }
    }
    uses
}

/// A circle of folders, if there is one: each uses the next, and the last the first.
fn circle(uses: &Uses) -> Option<Vec<String>> {
    fn below(
        folder: &str,
        uses: &Uses,
        around: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> Option<Vec<String>> {
        if let Some(at) = around.iter().position(|outer| outer == folder) {
            return Some(around[at..].to_vec());
        }
        if done.contains(folder) {
            return None;
        }
        around.push(folder.to_owned());
        let found = uses
            .get(folder)
            .into_iter()
            .flatten()
            .find_map(|next| below(next, uses, around, done));
        around.pop();
        done.insert(folder.to_owned());
        found
    }
    let mut done = BTreeSet::new();
    uses.keys()
        .find_map(|folder| below(folder, uses, &mut Vec::new(), &mut done))
}

#[test]
fn folders_form_no_circle() {
    let uses = uses();
    // The reading of files works.
    assert!(
        uses["plan"].contains("graph") && uses["graph"].contains("types"),
        "{uses:?}"
    );
    if let Some(circle) = circle(&uses) {
        panic!(
            "these folders use each other in a circle: {}",
            circle.join(" → ")
        );
    }
}

#[test]
fn a_circle_is_found() {
    let of = |pairs: &[(&str, &str)]| {
        let mut uses = Uses::new();
        for (a, b) in pairs {
            uses.entry((*a).to_owned())
                .or_default()
                .insert((*b).to_owned());
        }
        circle(&uses)
    };
    assert_eq!(of(&[("a", "b"), ("a", "c"), ("b", "c")]), None);
    assert_eq!(
        of(&[("a", "b"), ("b", "c"), ("c", "b")]),
        Some(vec!["b".to_owned(), "c".to_owned()])
    );
}
