//! Summaries: what a training writes for TensorBoard. A [`Writer`] has methods that write at once. [`summary_scalar!`](crate::summary_scalar)
//! and its siblings write from inside graph functions, each time the graph runs, to the writer that is set then.
//!
//! ```
//! use graph_runtime::{prelude::*, summary, summary_scalar};
//!
//! #[graph_fn]
//! fn train(w: &Variable<f32>, step: &Tensor<i64>) {
//!     let loss = (w - 3.0).square();
//!     summary_scalar!("loss", loss, step);
//!     w.assign_sub((w - 3.0) * 0.2);
//! }
//!
//! # fn main() -> std::io::Result<()> {
//! # let folder = std::env::temp_dir().join(format!("graph-summary-{}", std::process::id()));
//! let writer = summary::Writer::new(&folder)?;
//! let w = Variable::new(tensor(0.0f32));
//! {
//!     let _scope = writer.as_default();
//!     for step in 0..10 {
//!         train(&w, &tensor(step));
//!     }
//! }
//! writer.flush()?;
//! # std::fs::remove_dir_all(folder)
//! # }
//! ```
//!
//! `tensorboard --logdir FOLDER` shows the folder, or all folders in it as one run each.
//!
//! Nothing needs to be traced again when a writer is set. While none is, a graph runs without its summaries and without what only they need,
//! as if they weren't written in the program.

mod value;
mod writer;

use crate::error::Location;
use crate::graph::Summary;
pub use crate::graph::SummaryKind;
use crate::trace;
pub use graph_formats::events::HParam;
pub use value::SummaryValue;
pub use writer::{Scope, Writer, clear_default, record_if};

/// Writes a summary, as the macros do. In a graph function it is written each time the graph runs, in program order.
///
/// # Errors
/// If the value isn't of the kind, or the file can't be written: as for an assertion that fails.
#[track_caller]
pub fn write(
    kind: SummaryKind,
    tag: impl AsRef<str>,
    value: impl SummaryValue,
    step: impl SummaryValue,
) {
    let tag = tag.as_ref().to_owned();
    let (value, step) = (value.tensor(), step.tensor());
    trace::summary(Summary { kind, tag }, &value, &step, Location::caller());
}

/// Writes a number under a tag, at a step: `summary_scalar!("loss", loss, step)`. The value is a tensor without axes, a variable, or a number; the
/// step is an integer, as a tensor, a variable or a number.
///
/// In a graph function it is an effect like [`graph_print!`](crate::graph_print): it happens each time the graph runs, in program order, also in
/// branches and loops. It goes to the writer that is set in that thread at that time ([`Writer::as_default`](crate::summary::Writer::as_default)). If
/// there is none, it costs nothing.
///
/// ```
/// use graph_runtime::{prelude::*, summary_scalar};
///
/// #[graph_fn]
/// fn halve(mut x: Tensor<f32>) -> Tensor<f32> {
///     let mut step = tensor(0i64);
///     while x > 1.0 {
///         x /= 2.0;
///         if step % 10 == 0 {
///             summary_scalar!("halving/x", x, step);
///         }
///         step += 1;
///     }
///     x
/// }
/// assert_eq!(halve(tensor(40.0)).item(), 0.625); // no writer is set
/// ```
#[macro_export]
macro_rules! summary_scalar {
    ($tag:expr, $value:expr, $step:expr $(,)?) => {
        $crate::summary::write($crate::summary::SummaryKind::Scalar, &$tag, &$value, &$step)
    };
}

/// Writes how the elements of a tensor are distributed: `summary_histogram!("weights", w, step)`. Like
/// [`summary_scalar!`](crate::summary_scalar), but of a tensor of any shape. Infinities and NaNs aren't counted.
#[macro_export]
macro_rules! summary_histogram {
    ($tag:expr, $value:expr, $step:expr $(,)?) => {
        $crate::summary::write(
            $crate::summary::SummaryKind::Histogram,
            &$tag,
            &$value,
            &$step,
        )
    };
}

/// Writes images, of shape `[n, height, width, channels]`: `summary_image!("digits", images, step)`. Floats are from 0 to 1, bytes from 0 to
/// 255; there are 1 to 4 channels: gray, gray with alpha, RGB, RGBA. The first three images are kept. Otherwise like
/// [`summary_scalar!`](crate::summary_scalar).
#[macro_export]
macro_rules! summary_image {
    ($tag:expr, $value:expr, $step:expr $(,)?) => {
        $crate::summary::write($crate::summary::SummaryKind::Image, &$tag, &$value, &$step)
    };
}

/// Writes text, which may be Markdown: `summary_text!("samples", text, step)`. The value is a string or a tensor of strings. Otherwise like
/// [`summary_scalar!`](crate::summary_scalar).
#[macro_export]
macro_rules! summary_text {
    ($tag:expr, $value:expr, $step:expr $(,)?) => {
        $crate::summary::write($crate::summary::SummaryKind::Text, &$tag, &$value, &$step)
    };
}
