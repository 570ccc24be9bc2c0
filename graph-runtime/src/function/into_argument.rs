//! What a call accepts for a parameter that takes a tensor by value: what ops accept there, too.

use graph_kernels::Element;

use crate::tensor::Tensor;
use crate::variable::Variable;

/// Arguments for a parameter of type `P`: a `P`; and if that is a tensor, also a reference to one, and a variable, which is read then. A
/// graph function that takes a `Tensor<f32>` accepts `impl IntoArgument<Tensor<f32>>`.
///
/// ```
/// # use graph_runtime::prelude::*;
/// #[graph_fn]
/// fn centred(x: Tensor<f32>) -> Tensor<f32> {
///     let mean = x.mean();
///     x - mean
/// }
/// let x = tensor([1.0, 3.0]);
/// assert_eq!(centred(&x).to_vec(), [-1.0, 1.0]);
/// assert_eq!(centred(x).to_vec(), [-1.0, 1.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be given for a parameter of type `{P}`",
    label = "expected a `{P}`, or a reference to one",
    note = "`tensor(…)` makes a tensor of numbers, `x.cast::<U>()` converts a tensor's elements, `x.dynamic()` forgets the shape in its type, and `x.with_shape()` checks it and puts it there; of a `Result`, `?` or `.unwrap()` takes the tensor"
)]
pub trait IntoArgument<P> {
    /// The value for the parameter.
    #[doc(hidden)]
    #[track_caller]
    fn into_argument(self) -> P;
}

impl<P> IntoArgument<P> for P {
    fn into_argument(self) -> P {
        self
    }
}

macro_rules! tensors {
    ($($type:ty: $value:ident => $tensor:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element, S> IntoArgument<Tensor<T, S>> for $type {
            fn into_argument(self) -> Tensor<T, S> {
                let $value = self;
                $tensor
            }
        }
    )* };
}
tensors! {
    &Tensor<T, S>: tensor => tensor.clone();
    &&Tensor<T, S>: tensor => (*tensor).clone();
    Variable<T, S>: variable => variable.read();
    &Variable<T, S>: variable => variable.read();
}
