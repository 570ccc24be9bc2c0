//! Every method of `Tensor` outside of graph functions, compared with values calculated by hand; and the inferred types of
//! literals, which are tested by compiling these lines.

// The tests include borrowed operands.
#![allow(clippy::needless_borrows_for_generic_args, clippy::op_ref)]

mod conversion;
mod elementwise;
mod indexing;
mod operators;
mod printing;
mod reductions;
mod shapes;

use graph_runtime::tensor::*;

/// The text of the panic with which `f` ends.
fn panic_of<R>(f: impl FnOnce() -> R) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f))
        .err()
        .expect("a panic");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(other) => other.downcast_ref::<&str>().expect("a text").to_string(),
    }
}

/// The shape and the values.
fn parts<T: graph_runtime::Element>(x: &Tensor<T>) -> (Vec<usize>, Vec<T>) {
    (x.array().shape().to_vec(), x.to_vec())
}
