//! Profiles: how long each instruction of the plans that ran took, as a table and as a trace for a browser.

use std::cell::RefCell;
use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use super::{PROFILING, TransferRow};
use crate::device::Done;
use crate::error::Location;
use crate::plan::{Instruction, Plan};
use crate::scoped::scoped;

thread_local! {
    static PROFILE: RefCell<Profile> = RefCell::new(Profile::default());
}

/// Runs `f` and returns its result, with the cost of each instruction of the graphs that this thread ran meanwhile. The graphs run
/// as usual, so the profile shows the optimized code. Eager ops aren't in it.
///
/// ```
/// use graph_runtime::{debug, prelude::*};
///
/// #[graph_fn]
/// fn squares(x: Tensor<f32>) -> Tensor<f32> {
///     (&x * &x).sum()
/// }
///
/// let (sum, profile) = debug::profile(|| squares(tensor([1.0, 2.0, 3.0])));
/// assert_eq!(sum.item(), 14.0);
/// let row = &profile.functions()[0].rows[0];
/// assert_eq!((row.calls, row.bytes), (1, 4 * 4)); // three numbers read, one written
/// println!("{profile}");
///
/// let mut trace = Vec::new();                     // a file for chrome://tracing or ui.perfetto.dev
/// profile.write_chrome_trace(&mut trace).unwrap();
/// ```
pub fn profile<R>(f: impl FnOnce() -> R) -> (R, Profile) {
    let _scope = PROFILING.scope(true);
    scoped(&PROFILE, Profile::default(), f)
}

/// The cost of runs of graphs, instruction by instruction.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    functions: Vec<FunctionProfile>,
    transfers: Vec<TransferRow>,
    spans: Vec<Span>,
    began: Option<Instant>,
    /// The total time of the instructions of all runs that have ended.
    ended: Duration,
}

/// The cost of one trace of a graph function.
#[derive(Clone, Debug)]
pub struct FunctionProfile {
    /// The function's name.
    pub name: String,
    /// How often the graph ran.
    pub runs: u64,
    /// One row per instruction of the plan, in its order.
    pub rows: Vec<Row>,
    /// Identifies the plan.
    plan: u64,
}

/// The cost of one instruction, summed over all runs.
#[derive(Clone, Debug)]
pub struct Row {
    /// The op, or the fused ops: `mul+add`.
    pub name: String,
    /// The instruction as the listing of the plan shows it.
    pub instruction: String,
    /// The user's line.
    pub location: Location,
    /// How often it completed.
    pub calls: u64,
    /// How many of the calls were a loop over scalars, or a chain of elementwise ops, that had become machine code by their end.
    pub as_code: u64,
    /// Its total time, without the other graphs that it ran: functions over the elements of a dataset.
    pub time: Duration,
    /// How many bytes it read and wrote.
    pub bytes: u64,
}

/// One execution of an instruction.
#[derive(Clone, Copy, Debug)]
struct Span {
    function: usize,
    row: usize,
    /// The start, relative to the beginning of the profile.
    start: Duration,
    time: Duration,
    bytes: u64,
}

impl Profile {
    /// The traces that ran, in the order of their first runs.
    pub fn functions(&self) -> &[FunctionProfile] {
        &self.functions
    }

    /// What this thread copied between devices, in the order of the first copies, those of eager ops included.
    pub fn transfers(&self) -> &[TransferRow] {
        &self.transfers
    }

    /// The total time of all instructions.
    pub fn time(&self) -> Duration {
        let rows = self.functions.iter().flat_map(|f| &f.rows);
        rows.map(|row| row.time).sum()
    }

    /// Writes every execution of an instruction as an event of Chrome's trace format, which `chrome://tracing` and
    /// <https://ui.perfetto.dev> show.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write_chrome_trace(&self, mut writer: impl io::Write) -> io::Result<()> {
        writer.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        for (i, span) in self.spans.iter().enumerate() {
            writer.write_all(if i > 0 { b",\n" } else { b"\n" })?;
            self.write_event(span, &mut writer)?;
        }
        writer.write_all(b"\n]}\n")
    }

    fn write_event(&self, span: &Span, writer: &mut impl io::Write) -> io::Result<()> {
        let function = &self.functions[span.function];
        let row = &function.rows[span.row];
        let micros = |time: Duration| time.as_nanos() as f64 / 1e3;
        write!(
            writer,
            "{{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":{},\"cat\":{},\"ts\":{:.3},\"dur\":{:.3},\
             \"args\":{{\"instruction\":{},\"line\":{},\"bytes\":{}}}}}",
            Json(&row.name),
            Json(&function.name),
            micros(span.start),
            micros(span.time),
            Json(&row.instruction),
            Json(&row.location.to_string()),
            span.bytes
        )
    }

    /// The index of a plan's figures, which are created for a new plan.
    fn function(&mut self, name: &str, plan: &Plan) -> usize {
        let known = self.functions.iter().position(|f| f.plan == plan.id);
        known.unwrap_or_else(|| {
            let rows = plan.instructions.iter().zip(&plan.locations);
            self.functions.push(FunctionProfile {
                name: name.to_owned(),
                runs: 0,
                rows: rows.map(|(i, location)| Row::new(i, location)).collect(),
                plan: plan.id,
            });
            self.functions.len() - 1
        })
    }
}

impl Row {
    fn new(instruction: &Instruction, location: &Location) -> Row {
        Row {
            name: instruction.name(),
            instruction: instruction.to_string(),
            location: location.clone(),
            calls: 0,
            as_code: 0,
            time: Duration::ZERO,
            bytes: 0,
        }
    }
}

impl fmt::Display for Profile {
    /// A table for each function, with the instructions in the order of its plan, and one of the copies between devices, if there were any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.time().as_secs_f64();
        for function in &self.functions {
            writeln!(f, "{}, runs: {}", function.name, function.runs)?;
            writeln!(
                f,
                "{:>9} {:>12} {:>6} {:>12}  instruction",
                "calls", "time", "%", "bytes"
            )?;
            for row in &function.rows {
                let time = format!("{:.1} µs", row.time.as_secs_f64() * 1e6);
                let share = 100.0 * row.time.as_secs_f64() / total.max(f64::MIN_POSITIVE);
                write!(
                    f,
                    "{:>9} {time:>12} {share:>6.1} {:>12}  {}  ({})",
                    row.calls, row.bytes, row.instruction, row.location
                )?;
                match row.as_code {
                    0 => writeln!(f)?,
                    calls => writeln!(f, "  machine code in {calls} calls")?,
                }
            }
        }
        if !self.transfers.is_empty() {
            writeln!(f, "copies between devices")?;
            writeln!(f, "{:>9} {:>12}  device", "copies", "bytes")?;
        }
        self.transfers
            .iter()
            .try_for_each(|row| writeln!(f, "{row}"))
    }
}

/// A JSON string. (A JSON library would implement comparisons between its numbers and Rust's, which makes types ambiguous in our users' code.)
struct Json<'a>(&'a str);

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}

/// Adds a copy between devices to this thread's profile.
pub(super) fn transferred(row: TransferRow) {
    PROFILE.with_borrow_mut(|profile| TransferRow::add(&mut profile.transfers, row));
}

/// What one run adds to the profile of its thread.
pub(super) struct Recorder {
    began: Instant,
    /// The total time of ended runs when the instruction began.
    ended: Duration,
    spans: Vec<Timed>,
}

/// An instruction that has run.
struct Timed {
    row: usize,
    began: Instant,
    /// The time with and without other runs inside it.
    whole: Duration,
    own: Duration,
    bytes: u64,
    as_code: bool,
}

/// The total time of the instructions of all runs that have ended on this thread.
fn ended() -> Duration {
    PROFILE.with_borrow(|profile| profile.ended)
}

impl Recorder {
    pub fn new() -> Recorder {
        Recorder {
            began: Instant::now(),
            ended: Duration::ZERO,
            spans: Vec::new(),
        }
    }

    /// Called when an instruction begins.
    pub fn before(&mut self) {
        self.ended = ended();
        self.began = Instant::now();
    }

    /// Called when an instruction has completed.
    pub fn after(&mut self, done: &Done<'_>) {
        let whole = self.began.elapsed();
        self.spans.push(Timed {
            row: done.at,
            began: self.began,
            whole,
            own: whole.saturating_sub(ended() - self.ended),
            bytes: bytes(done),
            as_code: done.instruction.has_code(),
        });
    }

    /// Adds the run to this thread's profile.
    pub fn finish(self, name: &str, plan: &Plan) {
        PROFILE.with_borrow_mut(|profile| {
            let began = *profile.began.get_or_insert(self.began);
            let began = self
                .spans
                .first()
                .map_or(began, |first| began.min(first.began));
            let function = profile.function(name, plan);
            profile.functions[function].runs += 1;
            for timed in self.spans {
                let figures = &mut profile.functions[function].rows[timed.row];
                figures.calls += 1;
                figures.as_code += u64::from(timed.as_code);
                figures.time += timed.own;
                figures.bytes += timed.bytes;
                profile.ended += timed.own;
                profile.spans.push(Span {
                    function,
                    row: timed.row,
                    start: timed.began.saturating_duration_since(began),
                    time: timed.whole,
                    bytes: timed.bytes,
                });
            }
        });
    }
}

/// How many bytes an instruction read and wrote; swapping two slots moves none.
fn bytes(done: &Done<'_>) -> u64 {
    let mut bytes = 0;
    if !matches!(done.instruction, Instruction::Swap(..)) {
        done.instruction.visit_places(|source| {
            let array = done.array(source);
            bytes += (array.len() * array.dtype().bytes()) as u64;
        });
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_as_json_has_them() {
        let text = "print [\"a\\n\"] with\n\u{1} µ";
        assert_eq!(
            Json(text).to_string(),
            r#""print [\"a\\n\"] with\u000a\u0001 µ""#
        );
        let read: String = serde_json::from_str(&Json(text).to_string()).unwrap();
        assert_eq!(read, text);
    }
}
