//! Choosing elementwise between two tensors.

use graph_kernels::Element;

use super::{AnyTensor, AsOperand, Broadcast, CommonOfThree, Tensor};
use crate::ops::{self, Attrs};

/// `a` where `condition` holds, `b` elsewhere: elementwise, all three broadcasting. Both `a` and `b` are evaluated.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let x = tensor([1, -2, 3]);
/// assert_eq!(select(x.gt(0), &x, 0).to_vec(), [1, 0, 3]);
/// ```
#[track_caller]
pub fn select<T: Element, C: AsOperand<bool>, A: AsOperand<T>, B: AsOperand<T>>(
    condition: C,
    a: A,
    b: B,
) -> Tensor<T, CommonOfThree<C::Shape, A::Shape, B::Shape>>
where
    C::Shape: Broadcast<A::Shape, Output: Broadcast<B::Shape>>,
{
    let operands = [condition.into_operand(), a.into_operand(), b.into_operand()];
    Tensor::from_any(AnyTensor::apply(
        &ops::SELECT,
        Attrs::default(),
        &operands.each_ref(),
    ))
}

pub use select as where_;

impl<S> Tensor<bool, S> {
    /// `a` where this is true, `b` elsewhere: [`select`] as a method.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([true, false]).select(1, 2).to_vec(), [1, 2]);
    /// ```
    #[track_caller]
    pub fn select<T: Element, A: AsOperand<T>, B: AsOperand<T>>(
        &self,
        a: A,
        b: B,
    ) -> Tensor<T, CommonOfThree<S, A::Shape, B::Shape>>
    where
        S: Broadcast<A::Shape, Output: Broadcast<B::Shape>>,
    {
        select(self, a, b)
    }
}
