//! Compiler messages for methods that a `Vec` has and a `TensorArray` hasn't. Such a method exists, but requires a trait that nothing
//! implements; the trait's message says what to write.

use graph_kernels::Element;

use super::TensorArray;
use crate::tensor::Tensor;

/// Required by `len`.
#[diagnostic::on_unimplemented(
    message = "a `TensorArray` has no `len()`, because its size may be known only when the graph runs",
    label = "`size()` is a `Tensor<i32>`"
)]
pub trait HasLen {
    /// Replaces the value that the method would return.
    fn never<R>(&self) -> R;
}

/// Required by `pop`.
#[diagnostic::on_unimplemented(
    message = "a `TensorArray` has no `pop()`, because it never gets smaller",
    label = "not in a `TensorArray`",
    note = "count the rows in use: `n -= 1; let last = array.read(n);`, and for a push `array.write(n, row); n += 1;`"
)]
pub trait HasPop {
    /// Replaces the value that the method would return.
    fn never<R>(&self) -> R;
}

impl<T: Element> TensorArray<T> {
    /// Only for the compiler's message.
    #[doc(hidden)]
    pub fn len(&self) -> Tensor<i32>
    where
        Self: HasLen,
    {
        HasLen::never(self)
    }

    /// Only for the compiler's message.
    #[doc(hidden)]
    pub fn pop(&mut self) -> Tensor<T>
    where
        Self: HasPop,
    {
        HasPop::never(self)
    }
}
