//! Shows the progress of the training: on a terminal as a bar below the lines, elsewhere as lines only. The graph prints both as messages
//! of the log.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use log::{Level, LevelFilter, Log, Metadata, Record};

/// The log level of messages that are the number of a step.
pub const STEP: Level = Level::Trace;
/// The log level of messages that are lines.
pub const LINE: Level = Level::Info;

/// The width of the bar in characters.
const BAR: usize = 40;
/// The width of the line that holds the bar.
const WIDTH: usize = 78;
/// The minimum time between two updates of the terminal.
const PAUSE: Duration = Duration::from_millis(50);

/// The bar, while it is shown.
static SHOWN: Mutex<Option<Bar>> = Mutex::new(None);

/// Writes a line to standard output. If nobody reads it any more, as with `| head`, the program ends.
pub fn say(line: impl Display) {
    if let Err(error) = writeln!(std::io::stdout(), "{line}") {
        if error.kind() != ErrorKind::BrokenPipe {
            eprintln!("can't write: {error}");
        }
        std::process::exit(1);
    }
}

/// The number of steps done, and of all steps.
struct Bar {
    done: usize,
    steps: usize,
    start: Instant,
    drawn: Instant,
}

impl Bar {
    fn text(&self) -> String {
        let (done, steps) = (self.done.min(self.steps), self.steps.max(1));
        let full = "█".repeat(BAR * done / steps);
        let left = match done {
            0 => String::new(),
            _ => {
                let share = (steps - done) as f64 / done as f64;
                let seconds = self.start.elapsed().as_secs_f64() * share;
                format!(", {seconds:.0} s left")
            }
        };
        format!("{full:░<BAR$} {done}/{steps} steps{left}")
    }

    /// Draws the bar over its last state. Errors of the terminal are ignored.
    fn draw(&mut self) {
        self.drawn = Instant::now();
        let _ = write!(std::io::stderr(), "\r{:WIDTH$}", self.text());
    }

    fn clear(&self) {
        let _ = write!(std::io::stderr(), "\r{:WIDTH$}\r", "");
    }
}

/// Begins to show the bar, for this number of steps.
pub fn begin(steps: usize) {
    let is_terminal = std::io::stderr().is_terminal();
    let now = Instant::now();
    *shown() = is_terminal.then_some(Bar {
        done: 0,
        steps,
        start: now,
        drawn: now,
    });
    // A second logger is refused, and the first one stays.
    if log::set_logger(&Logger).is_ok() {
        log::set_max_level(if is_terminal {
            LevelFilter::Trace
        } else {
            LevelFilter::Info
        });
    }
}

/// Removes the bar.
pub fn end() {
    if let Some(bar) = shown().take() {
        bar.clear();
    }
}

/// Locks the bar, even if a thread panicked while it held the lock.
fn shown() -> impl std::ops::DerefMut<Target = Option<Bar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Logger;

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        match (&mut *shown(), record.level()) {
            (Some(bar), STEP) => {
                bar.done = record.args().to_string().trim().parse().unwrap_or(0);
                if bar.drawn.elapsed() >= PAUSE {
                    bar.draw();
                }
            }
            (None, STEP) => {}
            (Some(bar), _) => {
                bar.clear();
                say(record.args());
                bar.draw();
            }
            (None, _) => say(record.args()),
        }
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_as_full_as_steps_are_done() {
        let text = |done, steps| {
            let (start, drawn) = (Instant::now(), Instant::now());
            let bar = Bar {
                done,
                steps,
                start,
                drawn,
            };
            bar.text()
        };
        assert_eq!(text(0, 4), format!("{} 0/4 steps", "░".repeat(40)));
        let half = format!("{}{} 2/4 steps, ", "█".repeat(20), "░".repeat(20));
        assert!(text(2, 4).starts_with(&half));
        assert!(text(9, 4).starts_with(&format!("{} 4/4", "█".repeat(40))));
        assert!(text(0, 0).ends_with(" 0/1 steps"));
    }
}
