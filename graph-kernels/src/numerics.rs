//! `check_numerics`: fails on infinities and NaN.

use crate::dispatch::dispatch;
use crate::number::Number;
use crate::{Array, KernelError};

/// Fails if a float is infinite or NaN.
///
/// # Errors
/// `.. : Tensor had Inf values`, `.. NaN ..`, `.. Inf and NaN ..`, with the message in front.
pub fn check_numerics(x: &Array, message: &str) -> Result<(), KernelError> {
    let found = dispatch!(float "check_numerics", x, v => Ok(kinds(v)))?;
    match found {
        None => Ok(()),
        Some(kinds) => Err(KernelError::Value(format!(
            "{message} : Tensor had {kinds} values"
        ))),
    }
}

/// Which kinds of values that aren't finite occur, if any.
fn kinds<T: Number>(x: &[T]) -> Option<&'static str> {
    // A value minus itself is 0, or NaN if the value isn't finite.
    let is_bad = |v: T| v.sub(v).is_nan();
    // All values are checked, so that the loop has no branch.
    if !x.iter().fold(false, |bad, v| bad | is_bad(*v)) {
        return None;
    }
    let nan = x.iter().any(|v| v.is_nan());
    let infinite = x.iter().any(|v| is_bad(*v) && !v.is_nan());
    Some(match (infinite, nan) {
        (true, true) => "Inf and NaN",
        (true, false) => "Inf",
        _ => "NaN",
    })
}
