//! What each crate that is published brings along: the fields that a registry asks for, its readme, and the texts of its licences, which both
//! require that copies include them.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The packages of the workspace that may be published, as cargo describes them.
fn published() -> Vec<Value> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let arguments = ["metadata", "--no-deps", "--offline", "--format-version=1"];
    let output = Command::new(cargo).args(arguments).output().unwrap();
    let workspace: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = workspace["packages"].as_array().unwrap();
    // `publish = false` is an empty list of registries.
    let published = packages
        .iter()
        .filter(|package| package["publish"].is_null());
    published.cloned().collect()
}

#[test]
fn published_crates_have_what_a_registry_asks_for() {
    let all = published();
    assert!(all.iter().any(|package| package["name"] == "graph-runtime"));
    let mut missing = Vec::new();
    for package in &all {
        let name = package["name"].as_str().unwrap();
        let folder = Path::new(package["manifest_path"].as_str().unwrap())
            .parent()
            .unwrap();
        for field in ["description", "license", "rust_version", "readme"] {
            if package[field].is_null() {
                missing.push(format!("{name}: {field}"));
            }
        }
        for field in ["keywords", "categories"] {
            if package[field].as_array().is_none_or(Vec::is_empty) {
                missing.push(format!("{name}: {field}"));
            }
        }
        let readme = package["readme"].as_str().unwrap_or_default();
        for file in [readme, "LICENSE-APACHE", "LICENSE-MIT"] {
            if !folder.join(file).is_file() {
                missing.push(format!("{name}: the file {file}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// In a registry there are no paths, so what a crate is built with must have a version.
#[test]
fn published_crates_are_built_with_crates_of_a_version() {
    let mut without = Vec::new();
    for package in &published() {
        for dependency in package["dependencies"].as_array().unwrap() {
            if dependency["kind"] != "dev" && dependency["req"] == "*" {
                without.push(format!("{}: {}", package["name"], dependency["name"]));
            }
        }
    }
    assert!(without.is_empty(), "{without:?}");
}
