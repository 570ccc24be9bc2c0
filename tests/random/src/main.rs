//! Runs random programs for a given time: `cargo run --release -p graph-tests-random -- --seeds 0..1000000 --minutes 60`.
//!
//! A file (`--file`, by default `target/random-programs.txt`) records what was run and found; the next run with the same file continues from
//! there. `--everything` compares everything for each program, instead of one thing in turn. `--threads` is the number of programs that run
//! at once.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use graph_tests_random::check;
use graph_tests_random::ways::Choice;
use lexopt::prelude::*;

/// The number of seeds that a thread takes at once.
const BATCH: u64 = 200;

/// The command-line arguments.
struct Arguments {
    seeds: Range<u64>,
    time: Duration,
    threads: usize,
    everything: bool,
    file: PathBuf,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = arguments()?;
    let summary = Summary::read(&arguments.file, &arguments.seeds)?;
    let state = Mutex::new(summary);
    // Without a limit, there is no such time.
    let end = Instant::now().checked_add(arguments.time);
    std::thread::scope(|threads| {
        for _ in 0..arguments.threads {
            threads.spawn(|| work(&arguments, &state, end));
        }
    });
    let summary = state.into_inner()?;
    print!("{}", summary.text());
    Ok(())
}

fn arguments() -> Result<Arguments, Box<dyn std::error::Error>> {
    let mut arguments = Arguments {
        seeds: 0..10_000_000,
        time: Duration::MAX,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        everything: false,
        file: PathBuf::from("target/random-programs.txt"),
    };
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("seeds") => arguments.seeds = range(&parser.value()?.string()?)?,
            Long("minutes") => {
                let minutes: u64 = parser.value()?.parse()?;
                arguments.time = Duration::from_secs(60 * minutes);
            }
            Long("threads") => arguments.threads = parser.value()?.parse()?,
            Long("everything") => arguments.everything = true,
            Long("file") => arguments.file = parser.value()?.into(),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(arguments)
}

/// Parses `A..B`.
fn range(text: &str) -> Result<Range<u64>, Box<dyn std::error::Error>> {
    let (low, high) = text.split_once("..").ok_or("seeds are given as A..B")?;
    Ok(low.parse()?..high.parse()?)
}

/// Runs batches of seeds until all are done or the time is over.
fn work(arguments: &Arguments, state: &Mutex<Summary>, end: Option<Instant>) {
    let lock = || state.lock().expect("checks catch what panics");
    while end.is_none_or(|end| Instant::now() < end) {
        let Some(batch) = lock().take() else { return };
        for seed in batch.clone() {
            let choice = match arguments.everything {
                true => Choice::everything(seed),
                false => Choice::of_seed(seed),
            };
            if let Err(finding) = check(&choice) {
                eprintln!("{finding}");
                lock().found(&finding.disagreement.kind, seed);
            }
        }
        let mut summary = lock();
        summary.done(&batch);
        if let Err(error) = summary.write(&arguments.file) {
            eprintln!("{}: {error}", arguments.file.display());
        }
    }
}

/// The progress and the findings of a run.
struct Summary {
    seeds: Range<u64>,
    /// The first seed that no batch has taken.
    next: u64,
    /// The batches that were begun and aren't finished.
    open: Vec<Range<u64>>,
    programs: u64,
    /// The seeds of the findings of each kind.
    findings: BTreeMap<String, Vec<u64>>,
}

impl Summary {
    /// Reads a file for these seeds; if there is no file, the summary is empty.
    fn read(path: &Path, seeds: &Range<u64>) -> Result<Summary, Box<dyn std::error::Error>> {
        let mut summary = Summary {
            seeds: seeds.clone(),
            next: seeds.start,
            open: Vec::new(),
            programs: 0,
            findings: BTreeMap::new(),
        };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(summary),
            Err(error) => return Err(error.into()),
        };
        for line in text.lines() {
            let (key, value) = line.split_once(": ").ok_or("a line without a colon")?;
            match key {
                "seeds" if range(value)? != *seeds => {
                    return Err("the file is of other seeds".into());
                }
                "seeds" => {}
                "programs" => summary.programs = value.parse()?,
                "next" => summary.next = value.parse()?,
                kind => {
                    let seeds: Result<Vec<u64>, _> = value.split(' ').map(str::parse).collect();
                    summary.findings.insert(kind.to_owned(), seeds?);
                }
            }
        }
        Ok(summary)
    }

    /// Takes the next batch of seeds.
    fn take(&mut self) -> Option<Range<u64>> {
        let batch = self.next..(self.next + BATCH).min(self.seeds.end);
        self.next = batch.end;
        let any = !batch.is_empty();
        self.open.extend(any.then(|| batch.clone()));
        any.then_some(batch)
    }

    fn done(&mut self, batch: &Range<u64>) {
        self.open.retain(|open| open != batch);
        self.programs += batch.end - batch.start;
    }

    fn found(&mut self, kind: &str, seed: u64) {
        // A key in the file ends at a colon.
        let kind = kind.replace(':', ";");
        self.findings.entry(kind).or_default().push(seed);
    }

    /// The text of the file. Batches that aren't finished, and all after the first of them, will run again when the file is read.
    fn text(&self) -> String {
        let begun = self.open.iter().map(|open| open.start);
        let next = begun.min().unwrap_or(self.next);
        let Range { start, end } = self.seeds;
        let mut text = format!(
            "seeds: {start}..{end}\nnext: {next}\nprograms: {}\n",
            self.programs
        );
        for (kind, seeds) in &self.findings {
            let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
            text.push_str(&format!("{kind}: {}\n", seeds.join(" ")));
        }
        text
    }

    /// Writes the file as a whole or not at all.
    fn write(&self, path: &Path) -> io::Result<()> {
        let new = path.with_extension("new");
        fs::write(&new, self.text())?;
        fs::rename(new, path)
    }
}
