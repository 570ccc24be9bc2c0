//! Every method of `Tensor` outside a graph function, against values worked out by hand; and the inference of
//! literals, which these lines exercise by compiling.

// Borrowed operands are among the kinds that are tested.
#![allow(clippy::needless_borrows_for_generic_args, clippy::op_ref)]

mod conversion;
mod elementwise;
mod indexing;
mod operators;
mod printing;
mod reductions;
mod shapes;

use graph_runtime::tensor::*;

/// The text of the panic that `f` ends with.
fn panic_of<R>(f: impl FnOnce() -> R) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f))
        .err()
        .expect("a panic");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(other) => other.downcast_ref::<&str>().expect("a text").to_string(),
    }
}

/// Shape and values at once.
fn parts<T: graph_runtime::Element>(x: &Tensor<T>) -> (Vec<usize>, Vec<T>) {
    (x.array().shape().to_vec(), x.to_vec())
}
