//! Elementwise mathematics: unary functions, which keep the shape, and binary functions that have no operator.

use super::{AsOperand, Broadcast, Common, CommonOfThree, Float, Number, Tensor};
use crate::ops::{self, Attrs};

macro_rules! elementwise {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => { $(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(&self) -> Tensor<T, S> {
            self.unary(&ops::$op, Attrs::default())
        }
    )* };
}

macro_rules! broadcasting {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => { $(
        $(#[$doc])*
        #[track_caller]
        pub fn $name<R: AsOperand<T>>(&self, other: R) -> Tensor<T, Common<S, R::Shape>>
        where
            S: Broadcast<R::Shape>,
        {
            self.binary(&ops::$op, other)
        }
    )* };
}

pub(super) use {broadcasting, elementwise};

impl<T: Number, S> Tensor<T, S> {
    elementwise! {
        /// The absolute value. The smallest integer of the type wraps to itself.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([-2, 3]).abs().to_vec(), [2, 3]);
        /// ```
        #[doc(alias("absolute"))]
        abs => ABS;
        /// The sign: -1, 0 or 1.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([-2, 0, 3]).sign().to_vec(), [-1, 0, 1]);
        /// ```
        #[doc(alias("sgn"))]
        sign => SIGN;
        /// `x * x`.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([-2, 3]).square().to_vec(), [4, 9]);
        /// ```
        #[doc(alias("sqr"))]
        square => SQUARE;
        /// `max(x, 0)`.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([-2.0, 3.0]).relu().to_vec(), [0.0, 3.0]);
        /// ```
        relu => RELU;
    }

    broadcasting! {
        /// The quotient rounded towards minus infinity, as Python's `//`. An integer divisor of zero is an error.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([7, -7]).floor_div(2).to_vec(), [3, -4]);
        /// ```
        #[doc(alias("floordiv", "floor_divide"))]
        floor_div => FLOOR_DIV;
        /// The remainder with the divisor's sign, as Python's `%`. An integer divisor of zero is an error.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([7, -7]).floor_mod(3).to_vec(), [1, 2]);
        /// ```
        #[doc(alias("mod", "floormod", "remainder"))]
        floor_mod => FLOOR_MOD;
        /// `self` to the power of `other`. Integers wrap, and a negative integer exponent is an error.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([2, 3]).pow(3).to_vec(), [8, 27]);
        /// ```
        #[doc(alias("power"))]
        pow => POW;
        /// The larger of the two, elementwise and broadcasting; NaN if either is.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 5]).maximum(3).to_vec(), [3, 5]);
        /// ```
        maximum => MAXIMUM;
        /// The smaller of the two, elementwise and broadcasting; NaN if either is.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 5]).minimum(3).to_vec(), [1, 3]);
        /// ```
        minimum => MINIMUM;
    }

    /// Limits the values to `low..=high`. Both bounds broadcast.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([-5, 2, 9]).clip(0, 4).to_vec(), [0, 2, 4]);
    /// ```
    #[track_caller]
    pub fn clip<L: AsOperand<T>, H: AsOperand<T>>(
        &self,
        low: L,
        high: H,
    ) -> Tensor<T, CommonOfThree<S, L::Shape, H::Shape>>
    where
        S: Broadcast<L::Shape, Output: Broadcast<H::Shape>>,
    {
        self.maximum(low).minimum(high)
    }

    /// [`clip`](Self::clip) under TensorFlow's name.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([-5, 2, 9]).clip_by_value(0, 4).to_vec(), [0, 2, 4]);
    /// ```
    #[track_caller]
    pub fn clip_by_value<L: AsOperand<T>, H: AsOperand<T>>(
        &self,
        low: L,
        high: H,
    ) -> Tensor<T, CommonOfThree<S, L::Shape, H::Shape>>
    where
        S: Broadcast<L::Shape, Output: Broadcast<H::Shape>>,
    {
        self.clip(low, high)
    }

    /// The real quotient, as Python's `/`: integers give `f64` (those of 8 and 16 bits `f32`), floats keep their type.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([7, 8]).true_div(2).to_vec(), [3.5, 4.0]);
    /// ```
    #[doc(alias("truediv", "true_divide"))]
    #[track_caller]
    pub fn true_div<R: AsOperand<T>>(&self, other: R) -> Tensor<T::Quotient, Common<S, R::Shape>>
    where
        S: Broadcast<R::Shape>,
    {
        self.binary(&ops::TRUE_DIV, other)
    }
}

impl<T: Float, S> Tensor<T, S> {
    elementwise! {
        /// e to the power of x.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).exp().to_vec(), [1.0]);
        /// ```
        exp => EXP;
        /// The natural logarithm; NaN below zero.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1.0]).log().to_vec(), [0.0]);
        /// ```
        log => LOG;
        /// The square root; NaN below zero.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([9.0]).sqrt().to_vec(), [3.0]);
        /// ```
        sqrt => SQRT;
        /// One over the square root: `1 / sqrt(x)`.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([4.0]).rsqrt().to_vec(), [0.5]);
        /// ```
        rsqrt => RSQRT;
        /// The sine of an angle in radians.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).sin().to_vec(), [0.0]);
        /// ```
        sin => SIN;
        /// The cosine of an angle in radians.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).cos().to_vec(), [1.0]);
        /// ```
        cos => COS;
        /// The hyperbolic tangent.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).tanh().to_vec(), [0.0]);
        /// ```
        tanh => TANH;
        /// `1 / (1 + exp(-x))`.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).sigmoid().to_vec(), [0.5]);
        /// ```
        #[doc(alias("expit", "logistic"))]
        sigmoid => SIGMOID;
        /// Rounds down: the largest integer that is not larger than the value.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1.5, -1.5]).floor().to_vec(), [1.0, -2.0]);
        /// ```
        floor => FLOOR;
        /// Rounds up: the smallest integer that is not smaller than the value.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1.5, -1.5]).ceil().to_vec(), [2.0, -1.0]);
        /// ```
        ceil => CEIL;
        /// Rounds to the nearest integer. Halves round to the even integer, as in TensorFlow (unlike Rust's `round`).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.5, 1.5, 2.4]).round().to_vec(), [0.0, 2.0, 2.0]);
        /// ```
        round => ROUND;
        /// [`round`](Self::round) under the name of TensorFlow and NumPy. Halves round to the even integer.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([-1.5, 0.5, 2.5]).rint().to_vec(), [-2.0, 0.0, 2.0]);
        /// ```
        rint => ROUND;
    }

    /// True where the value is NaN. Keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.0, f64::NAN]).is_nan().to_vec(), [false, true]);
    /// ```
    #[doc(alias("isnan"))]
    #[track_caller]
    pub fn is_nan(&self) -> Tensor<bool, S> {
        self.unary(&ops::IS_NAN, Attrs::default())
    }
}

/// The larger of two operands: [`Tensor::maximum`] as a function, of which both operands may be plain values.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(maximum(0, tensor([-1, 2])).to_vec(), [0, 2]);
/// ```
#[track_caller]
pub fn maximum<T: Number>(a: impl AsOperand<T>, b: impl AsOperand<T>) -> Tensor<T> {
    Tensor::<T>::from_any(a.into_operand()).maximum(b)
}

/// The smaller of two operands: [`Tensor::minimum`] as a function, of which both operands may be plain values.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(minimum(0, tensor([-1, 2])).to_vec(), [-1, 0]);
/// ```
#[track_caller]
pub fn minimum<T: Number>(a: impl AsOperand<T>, b: impl AsOperand<T>) -> Tensor<T> {
    Tensor::<T>::from_any(a.into_operand()).minimum(b)
}
