//! One crate, from its source to the effects of the attribute.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Fault;
use crate::blame::{Blamed, Settled, settle};
use crate::check::{Cargo, CompileError};
use crate::functions::Kind;
use crate::list::Entry;
use crate::manifest::prepare;
use crate::report::{CrateReport, FailedFunction, FailedTest, Run};
use crate::rewrite::{MARK, Sources};
use crate::source::{copy, repository, same_versions, unpacked};
use crate::trial::{self, Results, Trial};

/// The folders in which the tool works.
pub struct Workshop {
    /// The folder of the copies.
    pub work: PathBuf,
    /// The folder in which cargo builds.
    pub target: PathBuf,
}

impl Workshop {
    /// The folders inside the repository's `target`.
    pub fn standard() -> Workshop {
        let folder = repository().join("target/published");
        let (work, target) = (folder.join("crates"), folder.join("target"));
        Workshop { work, target }
    }

    /// All runs of one crate.
    pub fn survey(&self, entry: &Entry, kinds: &[Kind]) -> Result<CrateReport, Fault> {
        let source = unpacked(entry, &self.work)?;
        let plain = self.copied(entry, &source, false)?;
        let before = trial::run(&plain, None)?;
        let cargo = self.copied(entry, &source, true)?;
        let sources = Sources::read(&cargo.folder)?;
        let seen = seen(&sources, &cargo)?;
        let mut runs = BTreeMap::new();
        for kind in kinds {
            let run = run(&sources, &cargo, &before, &seen, *kind)?;
            runs.insert(kind.word().to_owned(), run);
        }
        Ok(CrateReport {
            entry: entry.clone(),
            runs,
        })
    }

    fn copied(&self, entry: &Entry, source: &Path, attributed: bool) -> Result<Cargo, Fault> {
        let word = if attributed { "attributed" } else { "plain" };
        let folder = self.work.join(&entry.name).join(word);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        copy(source, &folder)?;
        prepare(&folder, entry, attributed)?;
        same_versions(&folder)?;
        let (target, features) = (self.target.clone(), entry.features.clone());
        Ok(Cargo {
            folder,
            target,
            features,
        })
    }
}

/// For each function, whether the compiler sees it. Some are for other platforms or features.
fn seen(sources: &Sources, cargo: &Cargo) -> Result<Vec<bool>, Fault> {
    let mut seen = vec![false; sources.functions.len()];
    for integration in [false, true] {
        sources.mark(integration)?;
        for error in cargo.check()? {
            let index = error
                .message
                .strip_prefix(MARK)
                .and_then(|index| index.parse::<usize>().ok());
            if let Some(seen) = index.and_then(|index| seen.get_mut(index)) {
                *seen = true;
            }
        }
    }
    Ok(seen)
}

/// A run with the attribute on all functions of a kind.
fn run(
    sources: &Sources,
    cargo: &Cargo,
    before: &Trial,
    seen: &[bool],
    kind: Kind,
) -> Result<Run, Fault> {
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    if kind == Kind::Methods && sources.without_body > 0 {
        refused.insert("without a body".to_owned(), sources.without_body);
    }
    let mut on = vec![false; seen.len()];
    for (index, function) in sources.functions.iter().enumerate() {
        if !seen[index] || function.kind != kind {
            continue;
        }
        match function.refusal {
            Some(why) => *refused.entry(why.to_owned()).or_default() += 1,
            None => on[index] = true,
        }
    }
    let attributed = on.iter().filter(|on| **on).count();
    let Settled {
        blamed, unlinkable, ..
    } = settle(sources, cargo, on)?;
    let passed_before: Vec<&String> = passed(&before.results).collect();
    let after = match unlinkable {
        Some(_) => Trial::default(),
        None => trial::run(cargo, Some(before))?,
    };
    let newly_failing = passed_before
        .iter()
        .filter_map(|test| failure(test, &after.results))
        .collect::<Vec<_>>();
    Ok(Run {
        seen: attributed + refused.values().sum::<usize>(),
        refused,
        attributed,
        failed: blamed
            .iter()
            .map(|blamed| failed(sources, blamed))
            .collect(),
        tests_before: passed_before.len(),
        tests_passed: passed_before.len() - newly_failing.len(),
        newly_failing,
        unlinkable: unlinkable.map(|error| error.message),
        seconds_before: before.seconds,
        seconds_after: after.seconds,
    })
}

fn passed(results: &Results) -> impl Iterator<Item = &String> {
    results
        .iter()
        .filter(|(_, why)| why.is_none())
        .map(|(name, _)| name)
}

fn failure(test: &str, after: &Results) -> Option<FailedTest> {
    let message = match after.get(test) {
        Some(None) => return None,
        Some(Some(why)) => why.clone(),
        None => "not there".to_owned(),
    };
    let test = test.to_owned();
    Some(FailedTest { test, message })
}

fn failed(sources: &Sources, blamed: &Blamed) -> FailedFunction {
    let function = &sources.functions[blamed.function];
    let CompileError {
        code,
        message,
        locations,
    } = blamed.error.clone();
    let is_inside = |line: &usize| (function.lines.0..=function.lines.1).contains(line);
    FailedFunction {
        function: function.name.clone(),
        file: sources.path(function).display().to_string(),
        line: function.lines.0,
        code,
        message,
        at: locations
            .iter()
            .map(|location| location.line)
            .find(is_inside),
    }
}
