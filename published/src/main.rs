//! Puts `#[graph_fn]` on the functions of published crates and runs their tests.
//!
//! ```sh
//! cargo run -p graph-published                               # all crates of crates.toml; an hour or more on two cores
//! cargo run -p graph-published -- itoa hex                   # these crates; the others keep their earlier results
//! cargo run -p graph-published -- --kind methods itoa        # only methods
//! cargo run -p graph-published -- --list mine.toml --out /tmp/mine    # other crates, and another folder for the results
//! ```
//!
//! The results are `TABLE.md` and `results.json`; the compiled copies of the crates stay in `target/published`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use graph_published::Fault;
use graph_published::functions::Kind;
use graph_published::list::{self, Entry};
use graph_published::report::{CrateReport, markdown};
use graph_published::survey::Workshop;

struct Arguments {
    list: PathBuf,
    out: PathBuf,
    kinds: Vec<Kind>,
    names: Vec<String>,
}

fn main() -> Result<(), Fault> {
    let arguments = arguments()?;
    let entries = list::read(&arguments.list)?;
    let shop = Workshop::standard();
    let is_asked =
        |entry: &&Entry| arguments.names.is_empty() || arguments.names.contains(&entry.name);
    let asked = Mutex::new(entries.iter().filter(is_asked));
    let results = Mutex::new(Results::read(&arguments.out, &entries)?);
    // Cargo builds one crate at a time in a folder. Meanwhile the tests of another crate run.
    std::thread::scope(|scope| {
        let work = || {
            while let Some(entry) = next(&asked) {
                let report = shop.survey(entry, &arguments.kinds);
                let told = report.and_then(|report| lock(&results).put(report, &entries));
                told.unwrap_or_else(|fault| eprintln!("{} {}: {fault}", entry.name, entry.version));
            }
        };
        (0..WORKERS).for_each(|_| drop(scope.spawn(work)));
    });
    Ok(())
}

/// The number of crates that are handled at the same time.
const WORKERS: usize = 2;

fn next<'a>(entries: &Mutex<impl Iterator<Item = &'a Entry>>) -> Option<&'a Entry> {
    lock(entries).next()
}

/// A panic of another worker doesn't matter: the data are valid at each moment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn arguments() -> Result<Arguments, Fault> {
    use lexopt::prelude::*;
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut arguments = Arguments {
        list: here.join("crates.toml"),
        out: here.to_owned(),
        kinds: Vec::new(),
        names: Vec::new(),
    };
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("list") => arguments.list = parser.value()?.into(),
            Long("out") => arguments.out = parser.value()?.into(),
            Long("kind") => arguments.kinds.push(kind(&parser.value()?.string()?)?),
            Value(name) => arguments.names.push(name.string()?),
            _ => return Err(argument.unexpected().into()),
        }
    }
    if arguments.kinds.is_empty() {
        arguments.kinds = vec![Kind::Functions, Kind::Methods];
    }
    Ok(arguments)
}

fn kind(word: &str) -> Result<Kind, Fault> {
    let kinds = [Kind::Functions, Kind::Methods, Kind::Tests];
    let kind = kinds.into_iter().find(|kind| kind.word() == word);
    Ok(kind.ok_or("the kinds are `functions`, `methods` and `tests`")?)
}

fn tell(report: &CrateReport) {
    for (kind, run) in &report.runs {
        let (failed, newly) = (run.failed.len(), run.newly_failing.len());
        println!(
            "{} {kind}: {failed} of {} don't compile, {newly} of {} tests pass no longer; tests {:.1} s, then {:.1} s",
            report.entry.name,
            run.attributed,
            run.tests_before,
            run.seconds_before,
            run.seconds_after
        );
    }
}

/// The results of this run and of earlier ones.
struct Results {
    folder: PathBuf,
    crates: Vec<CrateReport>,
}

impl Results {
    fn read(folder: &Path, entries: &[Entry]) -> Result<Results, Fault> {
        let path = folder.join("results.json");
        let mut crates: Vec<CrateReport> = match path.exists() {
            true => serde_json::from_str(&fs::read_to_string(path)?)?,
            false => Vec::new(),
        };
        crates.retain(|report| entries.iter().any(|entry| entry.name == report.entry.name));
        let folder = folder.to_owned();
        Ok(Results { folder, crates })
    }

    /// Adds a report, and writes the files, because a run may be stopped at any time.
    fn put(&mut self, mut report: CrateReport, entries: &[Entry]) -> Result<(), Fault> {
        tell(&report);
        if let Some(at) = self
            .crates
            .iter()
            .position(|r| r.entry.name == report.entry.name)
        {
            let mut runs = self.crates.remove(at).runs;
            runs.append(&mut report.runs);
            report.runs = runs;
        }
        self.crates.push(report);
        let place = |report: &CrateReport| entries.iter().position(|e| e.name == report.entry.name);
        self.crates.sort_by_key(place);
        fs::create_dir_all(&self.folder)?;
        let json = serde_json::to_string_pretty(&self.crates)?;
        fs::write(self.folder.join("results.json"), json + "\n")?;
        fs::write(self.folder.join("TABLE.md"), markdown(&self.crates))?;
        Ok(())
    }
}
