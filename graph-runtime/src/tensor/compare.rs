//! Comparisons and logic: elementwise and broadcasting, with a `Tensor<bool>` as the result.

use graph_kernels::Element;

use super::{AsOperand, Broadcast, Common, Float, Number, Tensor};
use crate::ops::{self, Attrs};

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => { $(
        $(#[$doc])*
        #[track_caller]
        pub fn $name<R: AsOperand<T>>(&self, other: R) -> Tensor<bool, Common<S, R::Shape>>
        where
            S: Broadcast<R::Shape>,
        {
            self.binary(&ops::$op, other)
        }
    )* };
}

impl<T: Number, S> Tensor<T, S> {
    comparisons! {
        /// `self < other`, elementwise and broadcasting; false where either is NaN.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 2, 3]).lt(2).to_vec(), [true, false, false]);
        /// ```
        #[doc(alias("less"))]
        lt => LESS;
        /// `self <= other`, elementwise and broadcasting; false where either is NaN.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 2, 3]).le(2).to_vec(), [true, true, false]);
        /// ```
        #[doc(alias("less_equal"))]
        le => LESS_EQUAL;
        /// `self > other`, elementwise and broadcasting; false where either is NaN.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 2, 3]).gt(2).to_vec(), [false, false, true]);
        /// ```
        #[doc(alias("greater"))]
        gt => GREATER;
        /// `self >= other`, elementwise and broadcasting; false where either is NaN.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 2, 3]).ge(2).to_vec(), [false, true, true]);
        /// ```
        #[doc(alias("greater_equal"))]
        ge => GREATER_EQUAL;
    }
}

impl<T: Element, S> Tensor<T, S> {
    comparisons! {
        /// Whether the elements are equal, elementwise and broadcasting, for every element type; NaN equals nothing.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor(["a", "b"]).equal("b").to_vec(), [false, true]);
        /// ```
        equal => EQUAL;
        /// Whether the elements differ, elementwise and broadcasting, for every element type; NaN differs from everything.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 2]).not_equal(tensor([1, 3])).to_vec(), [false, true]);
        /// ```
        not_equal => NOT_EQUAL;
        /// [`equal`](Self::equal) under a name like that of [`lt`](Self::lt).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 2, 3]).eq(2).to_vec(), [false, true, false]);
        /// ```
        eq => EQUAL;
        /// [`not_equal`](Self::not_equal) under a name like that of [`lt`](Self::lt).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 2, 3]).ne(2).to_vec(), [true, false, true]);
        /// ```
        ne => NOT_EQUAL;
    }
}

impl<S> Tensor<bool, S> {
    /// True where both operands are true, elementwise and broadcasting. Both operands are evaluated.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([true, false]).logical_and(true).to_vec(), [true, false]);
    /// ```
    #[track_caller]
    pub fn logical_and<R: AsOperand<bool>>(&self, other: R) -> Tensor<bool, Common<S, R::Shape>>
    where
        S: Broadcast<R::Shape>,
    {
        self.binary(&ops::LOGICAL_AND, other)
    }

    /// True where at least one operand is true, elementwise and broadcasting. Both operands are evaluated.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([true, false]).logical_or(false).to_vec(), [true, false]);
    /// ```
    #[track_caller]
    pub fn logical_or<R: AsOperand<bool>>(&self, other: R) -> Tensor<bool, Common<S, R::Shape>>
    where
        S: Broadcast<R::Shape>,
    {
        self.binary(&ops::LOGICAL_OR, other)
    }

    /// True where exactly one operand is true, elementwise and broadcasting.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([true, false]).logical_xor(true).to_vec(), [false, true]);
    /// ```
    #[track_caller]
    pub fn logical_xor<R: AsOperand<bool>>(&self, other: R) -> Tensor<bool, Common<S, R::Shape>>
    where
        S: Broadcast<R::Shape>,
    {
        self.binary(&ops::LOGICAL_XOR, other)
    }

    /// True where the element is false: the method form of `!`. Keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([true, false]).logical_not().to_vec(), [false, true]);
    /// ```
    #[track_caller]
    pub fn logical_not(&self) -> Tensor<bool, S> {
        self.unary(&ops::LOGICAL_NOT, Attrs::default())
    }
}

impl<T: Float, S> Tensor<T, S> {
    /// Whether the values are equal up to rounding, elementwise and broadcasting: `|self - other| <= absolute + relative * |other|`, as
    /// NumPy's. An infinity is close to itself alone, NaN to nothing.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let near = tensor([1.0, 2.0, 3.0]).isclose(tensor([1.0, 2.1, 4.0]), 0.0, 0.2);
    /// assert_eq!(near.to_vec(), [true, true, false]);
    /// ```
    #[track_caller]
    pub fn isclose(&self, other: impl AsOperand<T>, relative: f64, absolute: f64) -> Tensor<bool> {
        let (x, y) = (
            self.to_dynamic(),
            Tensor::<T>::from_any(other.into_operand()),
        );
        let room = y.abs() * T::from_f64(relative) + T::from_f64(absolute);
        let near = (&x - &y).abs().le(room) & y.is_finite();
        near | x.equal(&y)
    }

    /// Whether all values are equal up to rounding: [`isclose`](Self::isclose) with NumPy's `relative` 1e-5 and `absolute` 1e-8.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert!(tensor([0.1f64, 0.2]).sum().allclose(0.3).item());
    /// ```
    #[track_caller]
    pub fn allclose(&self, other: impl AsOperand<T>) -> Tensor<bool> {
        self.isclose(other, 1e-5, 1e-8).all()
    }
}
