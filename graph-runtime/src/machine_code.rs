//! Whether loops over scalars, and chains of elementwise ops, become machine code. The code is made by `graph-jit`, which is there with the feature `jit`.

use graph_kernels::codegen::{JUMPS, compile_words_after};

/// Says whether loops over scalars, and chains of elementwise ops, that run long become machine code, for all threads. With the feature `jit` they do, unless the
/// environment variable `GRAPH_JIT` is `off`; without it nothing does. Results and errors are the same.
///
/// ```
/// use graph_runtime::{prelude::*, use_machine_code};
///
/// #[graph_fn]
/// fn halvings(mut n: Tensor<i64>) -> Tensor<i64> {
///     let mut count = tensor(0i64);
///     while n > 1 {
///         n = n / 2;
///         count += 1;
///     }
///     count
/// }
///
/// use_machine_code(false);
/// assert_eq!(halvings(tensor(1000)).item(), 9);
/// # use_machine_code(true);
/// ```
pub fn use_machine_code(on: bool) {
    register();
    compile_words_after(on.then_some(JUMPS));
}

/// Makes machine code possible, before the first graph runs.
pub(crate) fn register() {
    #[cfg(feature = "jit")]
    graph_jit::register();
}
