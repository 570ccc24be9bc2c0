//! `graph_assert!` and `graph_print!`: they pass the path of this library to the procedural macros, so that these work under any crate name.

pub use graph_macros::{graph_assert, graph_print};

/// Asserts a condition where `#[graph_fn]` isn't applied: in helpers and in eager code. In a graph it is checked each time the
/// graph runs, in program order, even if nothing uses the values. (Under `#[graph_fn]`, `assert!` does the same.)
///
/// ```
/// # use graph_runtime::{Error, prelude::*};
/// fn root(x: &Tensor<f32>) -> Tensor<f32> {
///     graph_assert!(x.ge(0.0), "no root of", x);
///     x.sqrt()
/// }
///
/// #[graph_fn]
/// fn roots(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
///     Ok(root(&x))
/// }
///
/// let error = roots(tensor([1.0, -4.0])).unwrap_err();
/// assert_eq!(error.message(), "assertion failed: no root of [1 -4]");
/// ```
///
/// The message is like that of [`graph_print!`](macro@crate::graph_print): a format string, the values that follow it, and after a semicolon the options
/// `summarize` and `sep`.
#[doc(alias("assert_equal", "checkify"))]
#[macro_export]
macro_rules! graph_assert {
    ($($tokens:tt)*) => { $crate::macros::graph_assert!(($crate) $($tokens)*) };
}

/// Prints a line when the graph runs, in program order, as TensorFlow's `tf.print` does. Outside of graph functions it prints
/// at once.
///
/// ```
/// # use graph_runtime::prelude::*;
/// #[graph_fn]
/// fn train(x: Tensor<f32>) {
///     let (step, loss) = (3, x.sum());
///     graph_print!("step {step}: loss {loss}");        // step 3: loss 4.5
///     graph_print!("step", step, "loss", loss);        // step 3 loss 4.5
///     graph_print!("both: {:?}", [&x, &x]);            // both: [[1.5 3], [1.5 3]]
///     graph_print!(x, x; sep = " | ", end = "!\n");    // [1.5 3] | [1.5 3]!
/// }
/// # let printed = graph_runtime::collect_prints(|| train(tensor([1.5, 3.0]))).1;
/// # assert_eq!(printed, ["step 3: loss 4.5", "step 3 loss 4.5", "both: [[1.5 3], [1.5 3]]", "[1.5 3] | [1.5 3]!"]);
/// ```
///
/// If the first argument is a string, it is a format string. The other values follow, separated by spaces. Tensors and variables
/// show their values in that run, wherever they are formatted: in a `Vec`, or in a struct with `#[derive(Debug)]`. They are written
/// as `tf.print` writes them; format options behind the colon of a placeholder have no effect on them. Everything else is formatted
/// while tracing. Options follow after a semicolon:
///
/// | option | | by default |
/// |---|---|---|
/// | `summarize` | how many entries are shown at each edge of a long axis; -1 shows all | 3 |
/// | `sep` | the text between the values | `" "` |
/// | `end` | the text at the end | `"\n"` |
/// | `to` | `stdout`, `stderr`, a level of the `log` crate (`log::Level::Warn`), or a file by its path (`"losses.txt"`), which the text is appended to | `stdout` |
///
/// If a file can't be written, the run fails with an error.
#[macro_export]
macro_rules! graph_print {
    ($($tokens:tt)*) => { $crate::macros::graph_print!(($crate) $($tokens)*) };
}
