//! Mathematical functions of floats: powers and logarithms, trigonometric and hyperbolic functions, the error function. And shifts of
//! integers.

use super::math::{broadcasting, elementwise};
use super::{AsOperand, Broadcast, Common, Float, Integer, Number, Tensor};
use crate::ops::{self, Attr, Attrs};

impl<T: Float, S> Tensor<T, S> {
    elementwise! {
        /// 2 to the power of x.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([3.0]).exp2().to_vec(), [8.0]);
        /// ```
        exp2 => EXP2;
        /// `exp(x) - 1`, accurate for `x` near 0.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1e-20]).expm1().to_vec(), [1e-20]);
        /// ```
        expm1 => EXPM1;
        /// `log(1 + x)`, accurate for `x` near 0.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1e-20]).log1p().to_vec(), [1e-20]);
        /// ```
        log1p => LOG1P;
        /// The logarithm to base 2; NaN below zero.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([8.0]).log2().to_vec(), [3.0]);
        /// ```
        log2 => LOG2;
        /// The logarithm to base 10; NaN below zero.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1000.0]).log10().to_vec(), [3.0]);
        /// ```
        log10 => LOG10;
        /// The cube root.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([-27.0]).cbrt().to_vec(), [-3.0]);
        /// ```
        cbrt => CBRT;
        /// The reciprocal, `1 / x`.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([4.0]).reciprocal().to_vec(), [0.25]);
        /// ```
        reciprocal => RECIPROCAL;
        /// The integer part: rounds towards zero.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1.7, -1.7]).trunc().to_vec(), [1.0, -1.0]);
        /// ```
        #[doc(alias("fix"))]
        trunc => TRUNC;
        /// The tangent of an angle in radians.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).tan().to_vec(), [0.0]);
        /// ```
        tan => TAN;
        /// The angle whose sine is x, in radians; NaN outside of -1..=1.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).asin().to_vec(), [0.0]);
        /// ```
        #[doc(alias("arcsin"))]
        asin => ASIN;
        /// The angle whose cosine is x, in radians; NaN outside of -1..=1.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1.0]).acos().to_vec(), [0.0]);
        /// ```
        #[doc(alias("arccos"))]
        acos => ACOS;
        /// The angle whose tangent is x, in radians.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).atan().to_vec(), [0.0]);
        /// ```
        #[doc(alias("arctan"))]
        atan => ATAN;
        /// The hyperbolic sine.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).sinh().to_vec(), [0.0]);
        /// ```
        sinh => SINH;
        /// The hyperbolic cosine.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).cosh().to_vec(), [1.0]);
        /// ```
        cosh => COSH;
        /// The inverse of the hyperbolic sine.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).asinh().to_vec(), [0.0]);
        /// ```
        #[doc(alias("arcsinh"))]
        asinh => ASINH;
        /// The inverse of the hyperbolic cosine; NaN below 1.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1.0]).acosh().to_vec(), [0.0]);
        /// ```
        #[doc(alias("arccosh"))]
        acosh => ACOSH;
        /// The inverse of the hyperbolic tangent; NaN outside of -1..=1.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).atanh().to_vec(), [0.0]);
        /// ```
        #[doc(alias("arctanh"))]
        atanh => ATANH;
        /// The error function.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0, 30.0]).erf().to_vec(), [0.0, 1.0]);
        /// ```
        erf => ERF;
        /// `1 - erf(x)`, accurate where the result is small.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).erfc().to_vec(), [1.0]);
        /// ```
        erfc => ERFC;
    }

    broadcasting! {
        /// The angle of the point with `y = self` and `x = other`, in radians.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).atan2(1.0).to_vec(), [0.0]);
        /// ```
        #[doc(alias("arctan2"))]
        atan2 => ATAN2;
        /// The quotient, or 0 where the divisor is 0.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1.0, 6.0]).divide_no_nan(tensor([0.0, 2.0])).to_vec(), [0.0, 3.0]);
        /// ```
        #[doc(alias("div_no_nan"))]
        divide_no_nan => DIVIDE_NO_NAN;
        /// `self * log(other)`, or 0 where `self` is 0.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).xlogy(0.0).to_vec(), [0.0]);
        /// ```
        xlogy => XLOGY;
        /// `self * log(1 + other)`, or 0 where `self` is 0.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0]).xlog1py(-1.0).to_vec(), [0.0]);
        /// ```
        xlog1py => XLOG1PY;
        /// `self / other`, or 0 where `self` is 0.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([0.0, 3.0]).xdivy(tensor([0.0, 2.0])).to_vec(), [0.0, 1.5]);
        /// ```
        xdivy => XDIVY;
    }

    /// True where the value is an infinity. Keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.0, f64::NEG_INFINITY]).is_inf().to_vec(), [false, true]);
    /// ```
    #[doc(alias("isinf"))]
    #[track_caller]
    pub fn is_inf(&self) -> Tensor<bool, S> {
        self.unary(&ops::IS_INF, Attrs::default())
    }

    /// True where the value is neither NaN nor an infinity. Keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.0, f64::NAN]).is_finite().to_vec(), [true, false]);
    /// ```
    #[doc(alias("isfinite"))]
    #[track_caller]
    pub fn is_finite(&self) -> Tensor<bool, S> {
        self.unary(&ops::IS_FINITE, Attrs::default())
    }

    /// The same values, but 0 for NaN, and the largest and the smallest number of the type for the infinities. Keeps the shape.
    /// (`numpy.nan_to_num`)
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([1.5, f64::NAN, f64::NEG_INFINITY]);
    /// assert_eq!(x.nan_to_num().to_vec(), [1.5, 0.0, f64::MIN]);
    /// ```
    #[track_caller]
    pub fn nan_to_num(&self) -> Tensor<T, S> {
        let x = self.to_dynamic();
        let number = x.is_nan().select(T::default(), &x);
        Tensor::from_any(number.clip(T::LOWEST, T::HIGHEST).into_any())
    }

    /// What lies between `self` and `end` at the share `weight`: `self + weight * (end - self)`. All three broadcast. (`torch.lerp`)
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.0, 2.0]).lerp(tensor([5.0, 6.0]), 0.25).to_vec(), [2.0, 3.0]);
    /// ```
    #[track_caller]
    pub fn lerp(&self, end: impl AsOperand<T>, weight: impl AsOperand<T>) -> Tensor<T> {
        let begin = self.to_dynamic();
        let end = Tensor::<T>::from_any(end.into_operand());
        let weight = Tensor::<T>::from_any(weight.into_operand());
        &begin + weight * (end - &begin)
    }

    /// The same values, after a check that none is NaN or infinite. What is computed from the result is computed of finite values; a result
    /// that nobody uses isn't checked. The gradient is checked in the same way.
    ///
    /// [`debug::enable_check_numerics`](crate::debug::enable_check_numerics) checks every op.
    ///
    /// # Errors
    /// When run, with the message and what was found: `loss : Tensor had Inf and NaN values`.
    ///
    /// ```
    /// # use graph_runtime::{Error, prelude::*};
    /// #[graph_fn]
    /// fn entropy(p: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    ///     let bits = p.log2().check_numerics("logarithm");
    ///     Ok(-(p * bits).sum())
    /// }
    /// assert_eq!(entropy(tensor([0.5, 0.5])).unwrap().item(), 1.0);
    /// let error = entropy(tensor([0.0, 1.0])).unwrap_err();
    /// assert!(error.message().starts_with("logarithm : Tensor had Inf values"));
    /// ```
    #[track_caller]
    pub fn check_numerics(&self, message: &str) -> Tensor<T, S> {
        let message = Attr::Text(message.to_owned());
        self.unary(&ops::CHECK_NUMERICS, Attrs::new().with("message", message))
    }
}

impl<T: Number, S> Tensor<T, S> {
    broadcasting! {
        /// The square of the difference.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 5]).squared_difference(3).to_vec(), [4, 4]);
        /// ```
        squared_difference => SQUARED_DIFFERENCE;
    }
}

impl<T: Integer, S> Tensor<T, S> {
    broadcasting! {
        /// Shifts the bits to the left by `other` positions: `<<`. A negative shift is treated as 0, a shift by the number of bits or more
        /// as one less than the number of bits.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([1, 3]).left_shift(4).to_vec(), [16, 48]);
        /// assert_eq!((tensor([1, 3]) << 4).to_vec(), [16, 48]);
        /// ```
        #[doc(alias("shift_left", "bitwise_left_shift"))]
        left_shift => LEFT_SHIFT;
        /// Shifts the bits to the right by `other` positions, keeping the sign: `>>`. Shifts out of range are treated as in
        /// [`left_shift`](Self::left_shift).
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        /// assert_eq!(tensor([-16, 48]).right_shift(4).to_vec(), [-1, 3]);
        /// ```
        #[doc(alias("shift_right", "bitwise_right_shift"))]
        right_shift => RIGHT_SHIFT;
    }
}
