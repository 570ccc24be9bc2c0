//! How far training is: on a terminal a bar with the lines above it, elsewhere the lines. Both come from the graph, as messages of
//! the log.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;

use indicatif::{ProgressBar, ProgressStyle};
use log::{Level, LevelFilter, Log, Metadata, Record};

/// The level of a step's number.
pub const STEP: Level = Level::Trace;
/// The level of a line.
pub const LINE: Level = Level::Info;

static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// Writes a line to the standard output. If nobody reads it any more, as behind `| head`, the program has nothing left to do.
pub fn say(line: impl Display) {
    if let Err(error) = writeln!(std::io::stdout(), "{line}") {
        if error.kind() != ErrorKind::BrokenPipe {
            eprintln!("can't write: {error}");
        }
        std::process::exit(1);
    }
}

/// A bar that is there until it ends.
pub struct Progress(Option<ProgressBar>);

/// Shows from now on how many of the steps are done.
pub fn begin(steps: usize) -> Progress {
    let bar = std::io::stderr().is_terminal().then(|| {
        let bar = ProgressBar::new(steps as u64);
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} steps, {eta} left");
        bar.set_style(style.expect("a template"));
        BAR.get_or_init(|| bar).clone()
    });
    // A second logger is refused, and the first one goes on.
    if log::set_logger(&Logger).is_ok() {
        log::set_max_level(if bar.is_some() {
            LevelFilter::Trace
        } else {
            LevelFilter::Info
        });
    }
    Progress(bar)
}

impl Progress {
    /// Takes the bar away.
    pub fn end(self) {
        if let Some(bar) = self.0 {
            bar.finish_and_clear();
        }
    }
}

struct Logger;

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        match (BAR.get(), record.level()) {
            (Some(bar), STEP) => {
                bar.set_position(record.args().to_string().trim().parse().unwrap_or(0))
            }
            (_, STEP) => {}
            (Some(bar), _) => bar.println(record.args().to_string()),
            (None, _) => say(record.args()),
        }
    }

    fn flush(&self) {}
}
