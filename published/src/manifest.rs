//! Rewrites the crate's manifest: without the parts that its tests don't need, and with graph-runtime.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::Fault;
use crate::list::Entry;
use crate::source::{repository, tested_files};

/// Rewrites the manifest of a copied crate. `attributed` says whether graph-runtime becomes one of its dependencies.
pub fn prepare(folder: &Path, entry: &Entry, attributed: bool) -> Result<(), Fault> {
    let path = folder.join("Cargo.toml");
    let mut manifest: Table = toml::from_str(&fs::read_to_string(&path)?)?;
    for section in ["bench", "example", "profile", "badges", "workspace"] {
        manifest.remove(section);
    }
    // The copy is a workspace of its own, whatever the folders around it are.
    manifest.insert("workspace".to_owned(), Value::Table(Table::new()));
    manifest.insert("profile".to_owned(), profile()?);
    let package = table(&mut manifest, "package");
    package.remove("rust-version");
    for automatic in ["autobenches", "autoexamples"] {
        package.insert(automatic.to_owned(), Value::Boolean(false));
    }
    for name in &entry.without {
        fs::remove_file(folder.join("tests").join(format!("{name}.rs")))?;
    }
    if let Some(Value::Array(tests)) = manifest.get_mut("test") {
        let is_left_out = |test: &Value| {
            entry
                .without
                .iter()
                .any(|n| test["name"].as_str() == Some(n))
        };
        tests.retain(|test| !is_left_out(test));
    }
    let text = text_of_tests(folder)?;
    drop_unused(&mut manifest, &text);
    if let Some(Value::Table(targets)) = manifest.get_mut("target") {
        for (_, target) in targets.iter_mut() {
            if let Value::Table(target) = target {
                drop_unused(target, &text);
            }
        }
    }
    if attributed {
        let runtime = repository().join("graph-runtime");
        let mut dependency = Table::new();
        let runtime = runtime.to_str().ok_or("the repository's path isn't text")?;
        dependency.insert("path".to_owned(), Value::String(runtime.to_owned()));
        table(&mut manifest, "dependencies")
            .insert("graph-runtime".to_owned(), Value::Table(dependency));
    }
    fs::write(path, toml::to_string(&manifest)?)?;
    Ok(())
}

/// A profile without debug information, because it builds faster.
fn profile() -> Result<Value, Fault> {
    Ok(toml::from_str("[dev]\ndebug = 0\nincremental = false\n")?)
}

fn table<'a>(manifest: &'a mut Table, name: &str) -> &'a mut Table {
    let entry = manifest
        .entry(name)
        .or_insert_with(|| Value::Table(Table::new()));
    if !entry.is_table() {
        *entry = Value::Table(Table::new());
    }
    entry.as_table_mut().expect("it is one now")
}

/// Removes the development dependencies that no test mentions: those of benchmarks and of generators.
fn drop_unused(manifest: &mut Table, text: &str) {
    if let Some(Value::Table(dependencies)) = manifest.get_mut("dev-dependencies") {
        let is_named = |name: &str| text.contains(&name.replace('-', "_"));
        dependencies.retain(|name, _| is_named(name));
    }
}

/// All Rust code of which tests are built.
fn text_of_tests(folder: &Path) -> Result<String, Fault> {
    let files = tested_files(folder)?;
    let texts = files.iter().map(fs::read_to_string);
    Ok(texts.collect::<Result<String, _>>()?)
}

/// The root file of a crate's library.
pub fn library(folder: &Path) -> Result<PathBuf, Fault> {
    let manifest: Table = toml::from_str(&fs::read_to_string(folder.join("Cargo.toml"))?)?;
    let path = manifest
        .get("lib")
        .and_then(|lib| lib.get("path")?.as_str());
    Ok(path.unwrap_or("src/lib.rs").into())
}
