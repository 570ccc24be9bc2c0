//! What came of a run, to the last bit.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use graph_runtime::{Array, DType, Element};

use crate::value::numbers;

/// What a run gave and printed.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The results.
    pub results: Vec<Array>,
    /// The lines that it printed.
    pub lines: Vec<String>,
}

/// What a run gave, or why it failed.
pub type Ran = Result<Outcome, String>;

thread_local! {
    /// Whether panics of this thread are caught, and say nothing until then.
    static CATCHES: Cell<bool> = const { Cell::new(false) };
}

/// Makes panics say nothing where they are caught.
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

/// Runs something; a panic is a failure.
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

/// Whether two runs gave the same to the last bit, and printed the same.
pub fn same(a: &Outcome, b: &Outcome) -> bool {
    let mut pairs = a.results.iter().zip(&b.results);
    a.lines == b.lines && a.results.len() == b.results.len() && pairs.all(|(a, b)| same_array(a, b))
}

/// Whether two runs of a program with gradients gave nearly the same. A gradient is calculated in another order at once and in a graph, and
/// where there is none one has zeros and the other nothing, which are not the same beside infinities. So only numbers are compared.
pub fn nearly_same(a: &Outcome, b: &Outcome) -> bool {
    let near = |(a, b): (&Array, &Array)| {
        if a.shape() != b.shape() || a.dtype() != b.dtype() {
            return false;
        }
        let distance = match a.dtype() {
            DType::F64 => 1e-7,
            DType::F32 => 1e-2,
            // What is told apart may be told apart otherwise.
            _ => return true,
        };
        let (a, b) = (numbers(a), numbers(b));
        let finite = a.iter().chain(&b).filter(|v| v.is_finite());
        let scale = finite.fold(1.0, |scale: f64, v| scale.max(v.abs()));
        let mut pairs = a.iter().zip(&b);
        pairs.all(|(a, b)| !(a - b).is_finite() || (a - b).abs() <= distance * scale)
    };
    a.results.len() == b.results.len() && a.results.iter().zip(&b.results).all(near)
}

/// Whether two arrays are the same. All NaNs are alike: which bits an operation of two NaNs gives is up to the machine's instructions.
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

/// The results in a line each, of long ones the beginning.
pub fn shown(ran: &Ran) -> String {
    match ran {
        Err(error) => format!("fails: {error}"),
        Ok(outcome) => {
            let results = outcome.results.iter().map(shown_array);
            let lines = outcome.lines.iter().map(|line| format!("printed {line}"));
            results.chain(lines).collect::<Vec<_>>().join("\n    ")
        }
    }
}

/// An array in a line.
pub fn shown_array(array: &Array) -> String {
    let values = crate::for_dtype!(array.dtype(), T => {
        let values = array.values::<T>().expect("the dtype says so");
        let dots = if values.len() > 12 { ", .." } else { "" };
        let values: Vec<String> = values.iter().take(12).map(|v| format!("{v:?}")).collect();
        format!("{}{dots}", values.join(", "))
    });
    format!("{}{:?} {values}", array.dtype(), array.shape())
}
