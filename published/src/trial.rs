//! Runs the tests of a crate, one binary after the other, with time limits.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::Fault;
use crate::check::{BUILD, Cargo};

/// The result of each test: `None` if it passed, else the reason why it didn't.
pub type Results = BTreeMap<String, Option<String>>;

/// A run of a crate's tests.
#[derive(Default)]
pub struct Trial {
    /// Their results.
    pub results: Results,
    /// The total time that they took, to a tenth of a second.
    pub seconds: f64,
}

/// Time limits.
#[derive(Clone, Copy)]
struct Limits {
    /// The limit for a test binary, and for all tests together that are run alone because others ended their binary.
    all: Duration,
    /// The limit for one test that is run alone.
    alone: Duration,
}

/// The limits without the attribute. A test that takes longer doesn't count as passing.
const AT_FIRST: Limits = Limits {
    all: Duration::from_secs(60),
    alone: Duration::from_secs(4),
};

/// With the attribute, the limits are longer by this multiple of the time without it. In these unoptimized builds, a call under the
/// attribute takes a quarter of a microsecond and a call of plain Rust ten nanoseconds, and some tests do little else than call.
const TIMES: u32 = 30;

impl Limits {
    fn after(before: &Trial) -> Limits {
        let more = Duration::from_secs_f64(before.seconds) * TIMES;
        Limits {
            all: AT_FIRST.all + more,
            alone: AT_FIRST.alone + more,
        }
    }
}

/// A test that keeps a trace for each of its many values could otherwise use up the machine's memory.
const WITH_LITTLE_MEMORY: &str = "ulimit -v 6000000; exec \"$0\" \"$@\"";

#[derive(Deserialize)]
struct Artifact {
    executable: Option<PathBuf>,
    target: Option<Target>,
    profile: Option<Profile>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

/// Builds the tests and runs them. `before` has the results of an earlier run; tests that didn't pass there aren't run again.
pub fn run(cargo: &Cargo, before: Option<&Trial>) -> Result<Trial, Fault> {
    let output = cargo.command(&BUILD).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let artifacts = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Artifact>(line).ok());
    let mut results = Results::new();
    let mut time = Duration::ZERO;
    for artifact in artifacts {
        if let Artifact {
            executable: Some(path),
            target: Some(target),
            profile: Some(Profile { test: true }),
        } = artifact
        {
            let prefix = match target.kind.iter().any(|kind| kind == "test") {
                true => format!("{}: ", target.name),
                false => String::new(),
            };
            let binary = Binary {
                path,
                prefix,
                folder: &cargo.folder,
                limits: before.map_or(AT_FIRST, Limits::after),
            };
            let start = Instant::now();
            binary.run(before.map(|before| &before.results), &mut results)?;
            time += start.elapsed();
        }
    }
    let seconds = (time.as_secs_f64() * 10.0).round() / 10.0;
    Ok(Trial { results, seconds })
}

/// The result of a test binary.
struct Output {
    /// Its output.
    text: String,
    failed: bool,
    /// How it ended, if neither successfully nor by failed tests.
    end: Option<String>,
}

/// A test binary.
struct Binary<'a> {
    path: PathBuf,
    /// The prefix of the names of its tests.
    prefix: String,
    folder: &'a Path,
    limits: Limits,
}

impl Binary<'_> {
    fn run(&self, known: Option<&Results>, results: &mut Results) -> Result<(), Fault> {
        let skipped = self.skipped(known);
        let words: Vec<&str> = skipped.iter().flat_map(|name| ["--skip", name]).collect();
        let exact: &[&str] = if words.is_empty() { &[] } else { &["--exact"] };
        let words = [exact, &words].concat();
        let Output { text, failed, end } = self.output(&words, self.limits.all)?;
        let mut found = parse(&text);
        if !text.lines().any(|line| line.starts_with("running ")) {
            // A program without the test harness counts as one test.
            let failed = failed.then(|| "failed".to_owned());
            results.insert(format!("{}all", self.prefix), end.or(failed));
            return Ok(());
        }
        if let Some(end) = end {
            let all = self.names(known)?;
            let missing = all
                .iter()
                .filter(|name| !found.contains_key(*name) && !skipped.contains(name))
                .cloned()
                .collect();
            self.run_alone(missing, &end, &mut found)?;
        }
        results.extend(
            found
                .into_iter()
                .map(|(name, result)| (format!("{}{name}", self.prefix), result)),
        );
        Ok(())
    }

    /// Runs the tests that a binary didn't finish, one by one.
    fn run_alone(&self, names: Vec<String>, end: &str, found: &mut Results) -> Result<(), Fault> {
        let start = Instant::now();
        for name in names {
            if start.elapsed() > self.limits.all {
                found.insert(
                    name,
                    Some(format!("{end}, and not run alone for want of time")),
                );
                continue;
            }
            let Output { text, end, .. } = self.output(&["--exact", &name], self.limits.alone)?;
            let mut alone = parse(&text);
            // If there is no result, the test ended the binary; an ignored test has neither a result nor such an end.
            match (alone.remove(&name), end) {
                (Some(result), _) => found.insert(name, result),
                (None, Some(end)) => found.insert(name, Some(end)),
                (None, None) => None,
            };
        }
        Ok(())
    }

    /// The tests of an earlier run that belong to this binary.
    fn mine<'r>(
        &self,
        known: &'r Results,
    ) -> impl Iterator<Item = (&'r str, &'r Option<String>)> + use<'r, '_> {
        let mine = known
            .iter()
            .filter_map(|(name, why)| Some((name.strip_prefix(&self.prefix)?, why)));
        // Tests of the library have no prefix, but those of all other binaries have one.
        mine.filter(|(name, _)| !self.prefix.is_empty() || !name.contains(": "))
    }

    /// The tests that didn't pass in an earlier run.
    fn skipped(&self, known: Option<&Results>) -> Vec<String> {
        let mine = known.into_iter().flat_map(|known| self.mine(known));
        let failed = mine.filter(|(_, why)| why.is_some());
        failed.map(|(name, _)| name.to_owned()).collect()
    }

    fn names(&self, known: Option<&Results>) -> Result<Vec<String>, Fault> {
        if let Some(known) = known {
            return Ok(self.mine(known).map(|(name, _)| name.to_owned()).collect());
        }
        let listed = self.output(&["--list"], self.limits.all)?;
        let names = listed
            .text
            .lines()
            .filter_map(|line| line.strip_suffix(": test"));
        Ok(names.map(str::to_owned).collect())
    }

    fn output(&self, words: &[&str], limit: Duration) -> Result<Output, Fault> {
        let log = self.path.with_extension("log");
        let file = File::create(&log)?;
        let mut child = Command::new("sh")
            .args(["-c", WITH_LITTLE_MEMORY])
            .arg(&self.path)
            .args(words)
            .current_dir(self.folder)
            .env("CARGO_MANIFEST_DIR", self.folder)
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()?;
        let start = Instant::now();
        let status = loop {
            match child.try_wait()? {
                Some(status) => break Some(status),
                None if start.elapsed() > limit => break None,
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        let end = match status {
            None => {
                child.kill()?;
                child.wait()?;
                Some(format!("not finished after {} s", limit.as_secs()))
            }
            Some(status) if status.success() => None,
            // The exit code with which the harness reports failed tests.
            Some(status) if status.code() == Some(101) => None,
            Some(status) => Some(format!("the binary ended with {status}")),
        };
        let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        fs::remove_file(log)?;
        let failed = !status.is_some_and(|status| status.success());
        Ok(Output { text, failed, end })
    }
}

/// Parses the results that the harness printed. An ignored test has none.
fn parse(text: &str) -> Results {
    let mut results = Results::new();
    for line in text.lines() {
        let Some((name, end)) = line
            .strip_prefix("test ")
            .and_then(|rest| rest.rsplit_once(" ... "))
        else {
            continue;
        };
        let name = name
            .split(" - should panic")
            .next()
            .unwrap_or(name)
            .to_owned();
        match end {
            "ok" => results.insert(name, None),
            "FAILED" => {
                let why = panic_of(text, &name);
                results.insert(name, Some(why))
            }
            _ => None,
        };
    }
    results
}

/// The output of a failed test.
fn panic_of(text: &str, name: &str) -> String {
    let Some((_, said)) = text.split_once(&format!("---- {name} stdout ----\n")) else {
        return "failed".to_owned();
    };
    let said = said.split("\n---- ").next().unwrap_or(said);
    let mut lines = said
        .lines()
        .skip_while(|line| !line.contains("panicked at"));
    let place = lines.next().unwrap_or_default();
    let place = place
        .split("panicked at ")
        .last()
        .unwrap_or_default()
        .trim_end_matches(':');
    match lines.next() {
        Some(message) => format!("{message} ({place})"),
        None => "failed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn results_of_a_harness() {
        let text = "
running 4 tests
test good ... ok
test bad::one ... FAILED
test panics - should panic ... ok
test later ... ignored

failures:

---- bad::one stdout ----

thread 'bad::one' (7) panicked at src/lib.rs:3:5:
left and right differ
";
        let results: Vec<_> = parse(text).into_iter().collect();
        let expected = [
            ("bad::one", Some("left and right differ (src/lib.rs:3:5)")),
            ("good", None),
            ("panics", None),
        ];
        let expected = expected.map(|(name, why)| (name.to_owned(), why.map(str::to_owned)));
        assert_eq!(results, expected);
    }
}
