//! Finds the paths in a crate's files that refer to the crate itself: `crate::graph`, `crate::{Array, graph::Graph}`, top-level `super::graph`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::circle::Uses;

/// The files of a crate, each with the top-level folder or file to which it belongs.
pub struct Crate {
    /// The crate's name, by which its own code may refer to it besides `crate`.
    name: String,
    files: Vec<File>,
    /// For each name that the crate re-exports at its top, the folder that defines it.
    offered: BTreeMap<String, String>,
}

struct File {
    folder: String,
    /// The number of modules between the file and the top of the crate.
    depth: usize,
    code: String,
}

impl Crate {
    /// Reads the crate in a directory.
    pub fn read(directory: &Path) -> Crate {
        let root = directory.join("src");
        let read = |path: PathBuf| File::read(&path, path.strip_prefix(&root).unwrap());
        let (top, files): (Vec<File>, Vec<File>) = files(&root)
            .into_iter()
            .map(read)
            .partition(|file| file.folder == "lib");
        let mut offered = offered(&top[0].code);
        offered.extend(
            files
                .iter()
                .flat_map(|file| exported(&file.code).map(|name| (name, file.folder.clone()))),
        );
        let name = directory
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .replace('-', "_");
        Crate {
            name,
            files,
            offered,
        }
    }

    /// For each folder, the other folders that it uses.
    pub fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        for file in &self.files {
            uses.entry(file.folder.clone()).or_default();
        }
        for file in &self.files {
            let used = file.paths(&self.name).filter_map(|path| self.folder(path));
            let used: BTreeSet<String> = used.filter(|used| *used != file.folder).collect();
            uses.get_mut(&file.folder).unwrap().extend(used);
        }
        uses
    }

    /// The folder to which a path from the top leads. A folder and a re-exported item may have the same name, such as `reduce`.
    fn folder(&self, path: &str) -> Option<String> {
        let (first, rest) = split_name(path);
        let is_folder = self.files.iter().any(|file| file.folder == first);
        let is_offered = !(is_folder && rest.starts_with("::"));
        let offered = self.offered.get(first).filter(|_| is_offered);
        offered.cloned().or(is_folder.then(|| first.to_owned()))
    }
}

impl File {
    fn read(path: &Path, inside: &Path) -> File {
        let names: Vec<&str> = inside.iter().map(|name| name.to_str().unwrap()).collect();
        File {
            folder: names[0].trim_end_matches(".rs").to_owned(),
            depth: names.len() - usize::from(names.ends_with(&["mod.rs"])),
            code: code(&fs::read_to_string(path).unwrap()),
        }
    }

    /// The paths from the top of the crate in the file, each without its prefix.
    fn paths(&self, name: &str) -> impl Iterator<Item = &str> {
        let tops = [
            "crate::".to_owned(),
            format!("{name}::"),
            "super::".repeat(self.depth),
        ];
        tops.into_iter()
            .flat_map(|top| ends_of(&self.code, top))
            .flat_map(branches)
    }
}

/// The files below a folder, except those of tests.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let is_test = |path: &PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap();
        ["tests", "testing", "random_programs"].contains(&name) || name.ends_with("_tests")
    };
    let kept = entries.filter(|path| !is_test(path));
    kept.flat_map(|path| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    })
    .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
    .collect()
}

/// Code without comments and unit tests.
fn code(text: &str) -> String {
    let tests = ["mod tests {", "pub(super) mod tests {"];
    let tests = tests.map(|tests| text.find(&format!("#[cfg(test)]\n{tests}")));
    let end = tests.into_iter().flatten().min();
    let lines = text[..end.unwrap_or(text.len())].lines();
    let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The names that the top-level file re-exports from each folder: `pub use reduce::{Axes, reduce};`.
fn offered(top: &str) -> BTreeMap<String, String> {
    let lines = ends_of(top, "use ").filter_map(|rest| rest.split_once("::"));
    let of_folder = lines.flat_map(|(folder, rest)| {
        let last = |path: &str| path.rsplit([':', ' ']).next().unwrap().to_owned();
        branches(rest)
            .into_iter()
            .map(move |path| (last(path.split(';').next().unwrap()), folder.to_owned()))
    });
    of_folder.collect()
}

/// The exported macros, which are at the top of the crate wherever they are written.
fn exported(code: &str) -> impl Iterator<Item = String> {
    let macros =
        ends_of(code, "#[macro_export]").filter_map(|rest| rest.split_once("macro_rules! "));
    macros.map(|(_, rest)| split_name(rest).0.to_owned())
}

/// The text after each place where `what` is a word of its own.
fn ends_of(code: &str, what: impl AsRef<str>) -> impl Iterator<Item = &str> {
    let places: Vec<usize> = code
        .match_indices(what.as_ref())
        .map(|(at, _)| at)
        .collect();
    let is_whole = move |at: &usize| {
        !code[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
    };
    places
        .into_iter()
        .filter(is_whole)
        .map(move |at| &code[at + what.as_ref().len()..])
}

/// A name, and the text after it.
fn split_name(path: &str) -> (&str, &str) {
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_');
    path.split_at(end.unwrap_or(path.len()))
}

/// The paths that begin here: one, or those between the braces.
fn branches(rest: &str) -> Vec<&str> {
    match rest.strip_prefix('{') {
        None => vec![rest],
        Some(group) => at_level_one(group)
            .into_iter()
            .map(str::trim)
            .filter(|path| !path.is_empty())
            .collect(),
    }
}

/// The texts between commas, up to the closing brace; inner braces are parts of them.
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

#[test]
fn paths_lead_to_folders() {
    let file = |folder: &str, depth, text: &str| File {
        folder: folder.to_owned(),
        depth,
        code: code(text),
    };
    let text = "use crate::{Dims, reduce::{Fold, row}};\nuse super::super::scratch;\n// crate::shape\nfn f() { crate::copy!(); my_crate::stream; kernels::sort::sort }\n";
    let exporting = "#[macro_export]\nmacro_rules! copy { () => {} }\n#[cfg(test)]\nmod tests {\nuse crate::shape; }";
    let others =
        ["array", "reduce", "scratch", "shape", "sort", "stream"].map(|folder| file(folder, 1, ""));
    let files = [file("conv", 2, text), file("moves", 1, exporting)]
        .into_iter()
        .chain(others);
    let mut offered = offered("pub use array::{Dims, len_of};\npub use reduce::reduce;\n");
    offered.extend(exported(exporting).map(|name| (name, "moves".to_owned())));
    let read = Crate {
        name: "kernels".to_owned(),
        files: files.collect(),
        offered,
    };
    let used = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(
        read.uses()["conv"],
        used(&["array", "moves", "reduce", "scratch", "sort"])
    );
    assert_eq!(read.uses()["moves"], used(&[]));
}
