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
}

/// The outcome of a run, or why it failed.
pub type Ran = Result<Outcome, String>;

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

/// Whether two runs returned the same to the last bit and printed the same.
pub fn same(a: &Outcome, b: &Outcome) -> bool {
    let mut pairs = a.results.iter().zip(&b.results);
    a.lines == b.lines && a.results.len() == b.results.len() && pairs.all(|(a, b)| same_array(a, b))
}

/// Whether two runs of a program with gradients returned nearly the same. Eager code and a graph compute a gradient in different orders.
/// Where there is no gradient, one has zeros and the other nothing, and next to infinities these differ. So only finite numbers are
/// compared.
pub fn nearly_same(a: &Outcome, b: &Outcome) -> bool {
    let near = |(a, b): (&Array, &Array)| {
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
    };
    a.results.len() == b.results.len() && a.results.iter().zip(&b.results).all(near)
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

/// The results as text, one line each; long lines are cut.
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
