//! Messages to users that only a build shows, because `cargo check` doesn't evaluate the constants of generic functions: the programs in
//! `ui-tests/cases/fail/evaluation`, each with its message beside it, and `ui-tests/cases/evaluates.rs`, which must run.
//!
//! They are built here, as the published crates are, so that the library isn't compiled once more for them. The tests of `ui-tests` only check
//! their programs, which takes a tenth of the time.

use std::fs;
use std::path::Path;

use graph_published::Fault;
use graph_published::check::Cargo;
use graph_published::source::{repository, same_versions};
use graph_published::survey::Workshop;
use serde_json::Value;

/// The package that has the programs.
const PACKAGE: &str = "ui-tests";

/// The folder in it of those that are refused.
const REFUSED: &str = "cases/fail/evaluation";

/// A crate whose programs are the cases.
fn programs(names: &[&str]) -> Result<Cargo, Fault> {
    let path = |relative: &str| format!("{:?}", repository().join(relative));
    let program = |name: &&str| {
        let place = match *name {
            "evaluates" => path(&format!("{PACKAGE}/cases/evaluates.rs")),
            name => path(&format!("{PACKAGE}/{REFUSED}/{name}.rs")),
        };
        format!("[[bin]]\nname = \"{name}\"\npath = {place}\n")
    };
    let manifest = format!(
        "[workspace]\n[package]\nname = \"evaluation\"\nedition = \"2024\"\n[profile.dev]\ndebug = 0\nincremental = false\n\
         [dependencies]\ngraph-runtime.path = {}\n{}",
        path("graph-runtime"),
        names.iter().map(program).collect::<String>()
    );
    let Workshop { work, target } = Workshop::standard();
    let folder = work.join("evaluation");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("Cargo.toml"), manifest)?;
    same_versions(&folder)?;
    Ok(Cargo {
        folder,
        target,
        features: Vec::new(),
    })
}

/// The compiler's messages for a program.
fn messages(cargo: &Cargo, name: &str) -> Result<Vec<String>, Fault> {
    // As trybuild does it: with the full names of types.
    let shown = ["--", "--verbose", "--diagnostic-width=140"];
    let words = ["rustc", "--message-format=json", "--bin", name];
    let output = cargo
        .command(&[words.as_slice(), &shown].concat())
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let all = lines.filter_map(|line| Some(line["message"]["rendered"].as_str()?.to_owned()));
    Ok(all.filter(|text| text.contains("-->")).collect())
}

/// The lines of a message, with single spaces. A place in a library has no lines' numbers, which change with the library.
fn normalized(message: &str) -> Vec<String> {
    let mut in_library = false;
    let lines = message.lines().map(|line| {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let arrow = ["--> ", "::: "]
            .into_iter()
            .find(|arrow| line.starts_with(arrow));
        if let Some(arrow) = arrow {
            let place = shortened(&line[arrow.len()..]);
            in_library = place.starts_with('$');
            return format!("{arrow}{place}");
        }
        match line.split_once(' ') {
            Some((number, code)) if in_library && number.parse::<u32>().is_ok() => code.to_owned(),
            _ => line,
        }
    });
    lines.filter(|line| !line.is_empty()).collect()
}

/// A place without the folders around the repository or Rust's library.
fn shortened(place: &str) -> String {
    if let Ok(own) = Path::new(place).strip_prefix(repository().join(PACKAGE)) {
        return own.display().to_string();
    }
    let library = [
        ("graph-runtime/", "$WORKSPACE/graph-runtime"),
        ("library/", "$RUST"),
    ];
    for (folder, shown) in library {
        if let Some((_, path)) = place.split_once(folder) {
            return format!("{shown}/{}", path.split(':').next().unwrap_or(path));
        }
    }
    place.to_owned()
}

#[test]
fn constants_that_a_build_evaluates() {
    let folder = repository().join(PACKAGE).join(REFUSED);
    let files = fs::read_dir(&folder).expect("the cases");
    let paths = files.map(|file| file.expect("a file").path());
    let refused: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .map(|path| path.file_stem().expect("a name").display().to_string())
        .collect();
    assert_eq!(refused.len(), 2);
    let names: Vec<&str> = refused.iter().map(String::as_str).collect();
    let cargo = programs(&[names.as_slice(), &["evaluates"]].concat()).expect("a crate");
    let output = cargo.command(&["run", "--bin", "evaluates"]).output();
    let output = output.expect("cargo");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for name in names {
        let expected =
            fs::read_to_string(folder.join(format!("{name}.stderr"))).expect("a message");
        let actual = messages(&cargo, name).expect("cargo's output");
        assert_eq!(
            normalized(&actual.join("\n")),
            normalized(&expected),
            "{name}:\n{}",
            actual.join("\n")
        );
    }
}
