//! Choosing elementwise between two tensors.

use graph_kernels::Element;

use super::{AnyTensor, AsOperand, Broadcast, CommonOfThree, Tensor};
use crate::ops::{self, Attrs};

/// The result of a selection with a condition `C` between `A` and `B`: a tensor of `T` with the common shape of the three.
type Chosen<T, C, A, B> =
    Tensor<T, CommonOfThree<C, <A as AsOperand<T>>::Shape, <B as AsOperand<T>>::Shape>>;

/// `a` where `condition` is true, `b` elsewhere: elementwise, and all three broadcast. Both `a` and `b` are evaluated.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let x = tensor([1, -2, 3]);
/// assert_eq!(select(x.gt(0), &x, 0).to_vec(), [1, 0, 3]);
/// ```
#[doc(alias("where", "where_cond"))]
#[track_caller]
pub fn select<T: Element, C: AsOperand<bool>, A: AsOperand<T>, B: AsOperand<T>>(
    condition: C,
    a: A,
    b: B,
) -> Chosen<T, C::Shape, A, B>
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
    /// `a` where this tensor is true, `b` elsewhere: [`select`] as a method.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([true, false]).select(1, 2).to_vec(), [1, 2]);
    /// ```
    #[doc(alias("where", "where_cond", "masked_fill"))]
    #[track_caller]
    pub fn select<T: Element, A: AsOperand<T>, B: AsOperand<T>>(
        &self,
        a: A,
        b: B,
    ) -> Chosen<T, S, A, B>
    where
        S: Broadcast<A::Shape, Output: Broadcast<B::Shape>>,
    {
        select(self, a, b)
    }
}
