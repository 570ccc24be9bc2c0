//! Shows the progress of an example's training: on a terminal as a bar below the lines, elsewhere as lines only. The graph prints both as messages
//! of the log.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use log::{Level, LevelFilter, Log, Metadata, Record};

/// The log level of messages that are the number of a step and its loss.
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

/// The number of steps done, and of all steps, and the loss of each step since the beginning.
struct Bar {
    done: usize,
    steps: usize,
    losses: Vec<f32>,
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

    /// Takes a message of the level `STEP`: the number of the step, and the loss.
    fn step(&mut self, message: &str) {
        let mut parts = message.split_whitespace();
        self.done = parts.next().and_then(|n| n.parse().ok()).unwrap_or(0);
        self.losses
            .extend(parts.next().and_then(|loss| loss.parse::<f32>().ok()));
        if self.drawn.elapsed() >= PAUSE {
            self.draw();
        }
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
        losses: Vec::new(),
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

/// Removes the bar, and shows how the loss went.
pub fn end() {
    if let Some(bar) = shown().take() {
        bar.clear();
        if let Some(curve) = curve(&bar.losses) {
            say(curve);
        }
    }
}

/// Numbers as a line of columns, each as high as the mean of its part; before and behind it the first and the last of these means.
fn curve(values: &[f32]) -> Option<String> {
    let part = values.len().div_ceil(BAR).max(1);
    let mean = |part: &[f32]| part.iter().sum::<f32>() / part.len() as f32;
    let means: Vec<f32> = values.chunks(part).map(mean).collect();
    let (first, last) = (means.first()?, means.last()?);
    let highest = means.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let column =
        |mean: &f32| ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][(mean / highest * 7.99) as usize];
    let columns: String = means.iter().map(column).collect();
    Some(format!("loss {first:.3} {columns} {last:.3}"))
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
                bar.step(&record.args().to_string());
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
                losses: Vec::new(),
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

    #[test]
    fn a_curve_is_as_high_as_the_loss() {
        assert_eq!(curve(&[4.0, 2.0, 0.0]).unwrap(), "loss 4.000 █▄▁ 0.000");
        assert_eq!(curve(&[]), None);
        assert_eq!(curve(&[0.0, 0.0]).unwrap(), "loss 0.000 ▁▁ 0.000");
        let long: Vec<f32> = (0..400).map(|i| 400.0 - i as f32).collect();
        assert!(curve(&long).unwrap().starts_with("loss 395.500 █"));
        assert_eq!(
            curve(&long).unwrap().chars().filter(|c| *c == '█').count(),
            5
        );
        assert!(curve(&[1.0, f32::NAN]).is_some());
    }
}
