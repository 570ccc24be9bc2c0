//! The page of a tensor's methods by subject, `src/tensor/methods.md`: every public method stands there, with the names that other libraries
//! have for it, by which rustdoc's search finds it, too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const METHOD: &str = "graph_runtime::tensor::Tensor<";

type Names = BTreeSet<String>;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A line of the page: methods and functions, and their names elsewhere.
struct Row {
    own: Names,
    elsewhere: Names,
}

fn page() -> Vec<Row> {
    let text = read(&here("src/tensor/methods.md"));
    let rows = text.lines().filter(|line| line.starts_with("| ["));
    rows.map(|line| {
        let line = line.replace("\\|", "");
        let cells: Vec<&str> = line.split('|').collect();
        Row {
            own: quoted(cells[1])
                .map(|name| name.replace("()", ""))
                .collect(),
            elsewhere: quoted(cells[3]).map(str::to_owned).collect(),
        }
    })
    .collect()
}

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The methods and constructors in the list of what users have.
fn methods() -> Names {
    let list = read(&here("public-api.txt"));
    let name = |line: &str| {
        let (_, path) = line.split_once(METHOD)?;
        // The type's parameters end where the first `::` follows a `>`.
        let (_, method) = path.split_once(">::")?;
        let of_tensor = line.starts_with("pub fn ") && line.find(METHOD) == Some("pub fn ".len());
        let end = method.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        of_tensor.then(|| method[..end].to_owned())
    };
    list.lines().filter_map(name).collect()
}

/// By item, the names under which rustdoc's search finds it as well.
fn aliases() -> BTreeMap<String, Names> {
    let mut found = BTreeMap::<String, Names>::new();
    for file in sources(&here("src/tensor")) {
        let text = read(&file);
        let mut pending = Names::new();
        for line in text.lines().map(str::trim_start) {
            if let Some(names) = line.strip_prefix("#[doc(alias(") {
                pending.extend(names.split('"').skip(1).step_by(2).map(str::to_owned));
            } else if !line.starts_with("#[") && !line.starts_with("//") && !pending.is_empty() {
                let item = line.strip_prefix("pub fn ").unwrap_or(line);
                let end = item.find(|c: char| !c.is_alphanumeric() && c != '_');
                let item = item[..end.unwrap_or(item.len())].to_owned();
                found.entry(item).or_default().append(&mut pending);
            }
        }
    }
    found
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn every_method_stands_on_the_page_of_its_subject() {
    let methods = methods();
    assert!(methods.len() > 200, "{methods:?}");
    let listed: Names = page().into_iter().flat_map(|row| row.own).collect();
    let missing: Vec<_> = methods.difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "src/tensor/methods.md lacks {missing:?}"
    );
}

#[test]
fn the_page_and_the_search_have_the_same_names_of_other_libraries() {
    let aliases = aliases();
    for row in page() {
        let found: Names = row
            .own
            .iter()
            .filter_map(|name| aliases.get(name))
            .flatten()
            .cloned()
            .collect();
        assert_eq!(row.elsewhere, found, "{:?}", row.own);
    }
}
