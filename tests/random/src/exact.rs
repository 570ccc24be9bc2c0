//! The outcome of a run, compared to the last bit.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use graph_runtime::{Array, DType, Element};

use crate::value::numbers;

/// What a run returned and printed.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The results.
    pub results: Vec<Array>,
    /// The lines that it printed.
    pub lines: Vec<String>,
    /// The values of the variables afterwards.
    pub variables: Vec<Array>,
}

/// How a run failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The message.
    pub message: String,
    /// The lines that it had printed.
    pub lines: Vec<String>,
    /// The values of the variables afterwards.
    pub variables: Vec<Array>,
}

impl Failure {
    /// A failure before anything was done.
    pub fn at_once(message: impl ToString) -> Failure {
        Failure {
            message: message.to_string(),
            lines: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// What is wrong and on which line. A graph also says in which iteration or branch, which eager code doesn't know.
    pub fn reason(&self) -> &str {
        let line = self.message.find("\n  at ").unwrap_or(0);
        let around = self.message[line..].find(", in ");
        &self.message[..around.map_or(self.message.len(), |at| line + at)]
    }

    /// The line of the failure.
    pub fn line(&self) -> &str {
        let reason = self.reason();
        &reason[reason.find("\n  at ").unwrap_or(0)..]
    }

    /// The kind of the failure: the words before the first number or name.
    pub fn kind(&self) -> &str {
        let ends = |c: char| !c.is_alphabetic() && c != ' ' && c != '\'';
        let end = self.message.find(ends).unwrap_or(self.message.len());
        self.message[..end].trim_end()
    }

    /// Whether two runs failed for the same reason after the same effects. A message that has floats may differ in them, if these may.
    pub fn is_same(&self, other: &Failure, floats: Floats) -> bool {
        same_text(self.reason(), other.reason(), floats)
            && same_lines(&self.lines, &other.lines, floats)
            && same_arrays(&self.variables, &other.variables, floats)
    }
}

/// The outcome of a run, or how it failed.
pub type Ran = Result<Outcome, Failure>;

thread_local! {
    /// Whether panics of this thread are caught; those that are print no message.
    static CATCHES: Cell<bool> = const { Cell::new(false) };
}

/// Installs a panic hook that prints nothing for panics that are caught.
fn be_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !CATCHES.get() {
                before(info);
            }
        }));
    });
}

/// Runs a closure and turns a panic into a failure.
pub fn caught<R>(f: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
    be_quiet();
    let around = CATCHES.replace(true);
    let caught = catch_unwind(AssertUnwindSafe(f));
    CATCHES.set(around);
    caught.unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|s| s.to_string()));
        Err(text.unwrap_or_else(|| "a panic without a text".to_owned()))
    })
}

/// How exactly a way must compute with floats. Everything else is the same to the last bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Floats {
    /// To the last bit.
    Same,
    /// Up to the rounding of another device's functions and sums, which later ops may have made larger.
    Near,
}

/// Whether two runs returned the same, printed the same, and left the same values in variables.
pub fn same(a: &Outcome, b: &Outcome, floats: Floats) -> bool {
    same_lines(&a.lines, &b.lines, floats)
        && same_arrays(&a.results, &b.results, floats)
        && same_arrays(&a.variables, &b.variables, floats)
}

fn same_arrays(a: &[Array], b: &[Array], floats: Floats) -> bool {
    let is_same = |(a, b): (&Array, &Array)| match floats {
        Floats::Near if a.dtype().is_float() => near_array(a, b),
        _ => same_array(a, b),
    };
    a.len() == b.len() && a.iter().zip(b).all(is_same)
}

fn same_lines(a: &[String], b: &[String], floats: Floats) -> bool {
    let mut pairs = a.iter().zip(b);
    a.len() == b.len() && pairs.all(|(a, b)| same_text(a, b, floats))
}

/// Whether two texts are the same, perhaps up to the numbers in them. How numbers are aligned depends on their digits.
fn same_text(a: &str, b: &str, floats: Floats) -> bool {
    let words = |text: &str| -> String {
        let is_word = |c: &char| c.is_alphabetic() || matches!(c, '[' | ']' | ',');
        text.chars().filter(is_word).collect()
    };
    a == b || floats == Floats::Near && words(a) == words(b)
}

/// Whether two runs of a program with gradients returned nearly the same. Eager code and a graph compute a gradient in different orders.
/// Where there is no gradient, one has zeros and the other nothing, and next to infinities these differ. So only finite numbers are
/// compared.
pub fn nearly_same(a: &Outcome, b: &Outcome) -> bool {
    let near = |(a, b): (&Array, &Array)| near_array(a, b);
    let all_near = |a: &[Array], b: &[Array]| a.len() == b.len() && a.iter().zip(b).all(near);
    all_near(&a.results, &b.results) && all_near(&a.variables, &b.variables)
}

/// Whether two arrays have the same type, and floats that are nearly equal where they are finite.
fn near_array(a: &Array, b: &Array) -> bool {
    if a.shape() != b.shape() || a.dtype() != b.dtype() {
        return false;
    }
    let distance = match a.dtype() {
        DType::F64 => 1e-7,
        DType::F32 => 1e-2,
        // Integers and truth values aren't compared: they may depend on a float by a comparison.
        _ => return true,
    };
    let (a, b) = (numbers(a), numbers(b));
    let finite = a.iter().chain(&b).filter(|v| v.is_finite());
    let scale = finite.fold(1.0, |scale: f64, v| scale.max(v.abs()));
    let mut pairs = a.iter().zip(&b);
    pairs.all(|(a, b)| !(a - b).is_finite() || (a - b).abs() <= distance * scale)
}

/// Whether two arrays are equal. All NaNs are equal, because the bits of a NaN that an operation returns depend on the machine.
pub fn same_array(a: &Array, b: &Array) -> bool {
    fn all<T: Element>(a: &Array, b: &Array, same: impl Fn(&T, &T) -> bool) -> bool {
        match (a.values::<T>(), b.values::<T>()) {
            (Some(a), Some(b)) => a.iter().zip(b).all(|(a, b)| same(a, b)),
            _ => false,
        }
    }
    if a.shape() != b.shape() || a.dtype() != b.dtype() {
        return false;
    }
    match a.dtype() {
        DType::F64 => all(a, b, |a: &f64, b: &f64| {
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
        }),
        DType::F32 => all(a, b, |a: &f32, b: &f32| {
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
        }),
        dtype => crate::for_dtype!(dtype, T => all(a, b, |a: &T, b: &T| a == b)),
    }
}

/// The outcome as text, one line for each value; long lines are cut.
pub fn shown(ran: &Ran) -> String {
    let (ending, lines, variables) = match ran {
        Err(f) => (
            vec![format!("fails: {}", f.message)],
            &f.lines,
            &f.variables,
        ),
        Ok(outcome) => {
            let results = outcome.results.iter().map(shown_array).collect();
            (results, &outcome.lines, &outcome.variables)
        }
    };
    let lines = lines.iter().map(|line| format!("printed {line}"));
    let variables = variables.iter().map(shown_array);
    let variables = variables.map(|value| format!("a variable has {value}"));
    let all = ending.into_iter().chain(lines).chain(variables);
    all.collect::<Vec<_>>().join("\n    ")
}

/// An array as one line of text.
pub fn shown_array(array: &Array) -> String {
    let values = crate::for_dtype!(array.dtype(), T => {
        let values = array.values::<T>().expect("the dtype says so");
        let dots = if values.len() > 12 { ", .." } else { "" };
        let values: Vec<String> = values.iter().take(12).map(|v| format!("{v:?}")).collect();
        format!("{}{dots}", values.join(", "))
    });
    format!("{}{:?} {values}", array.dtype(), array.shape())
}
