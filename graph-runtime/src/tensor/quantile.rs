//! Medians and quantiles, as NumPy has them: by sorting, and between the values next to the place by the line through them.

use super::{AsOperand, AxisOf, Float, ShapeSpec, Tensor};
use crate::error::{Error, Location};
use crate::trace;

impl<T: Float, S> Tensor<T, S> {
    /// The median of all elements, a scalar: the value in the middle of them in order, or the mean of the two there. NaN if there is one.
    /// (`numpy.median`)
    ///
    /// # Errors
    /// When run, if there are no elements.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[5.0, 1.0], [2.0, 9.0]]).median().item(), 3.5);
    /// ```
    #[track_caller]
    pub fn median(&self) -> Tensor<T, S::Reduced>
    where
        S: ShapeSpec,
    {
        Tensor::from_any(Ordered::all(&self.to_dynamic()).median().into_any())
    }

    /// The [median](Self::median) along one axis, which is removed; a negative axis counts from the last.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[5.0, 1.0], [2.0, 9.0], [4.0, 8.0]]);
    /// assert_eq!(x.median_axis(0).to_vec(), [4.0, 8.0]);
    /// ```
    #[track_caller]
    pub fn median_axis<A: AxisOf<S>>(&self, axis: A) -> Tensor<T, A::Removed> {
        let ordered = Ordered::along(&self.to_dynamic(), axis.index());
        Tensor::from_any(ordered.median().into_any())
    }

    /// The value that a share `q` of all elements lies below, from 0 for the least to 1 for the greatest; between two elements by the line through
    /// them. NaN if there is one. Of several shares, `[k]`, there are as many values. (`numpy.quantile`)
    ///
    /// # Errors
    /// If `q` is neither a scalar nor a vector; when run, if it isn't from 0 to 1, or if there are no elements.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([3.0, 1.0, 2.0, 9.0]);
    /// assert_eq!(x.quantile(0.5).item(), 2.5);
    /// assert_eq!(x.quantile(tensor([0.0, 0.25, 1.0])).to_vec(), [1.0, 1.75, 9.0]);
    /// ```
    #[doc(alias("percentile"))]
    #[track_caller]
    pub fn quantile(&self, q: impl AsOperand<T>) -> Tensor<T> {
        Ordered::all(&self.to_dynamic()).quantile(&Tensor::from_any(q.into_operand()))
    }

    /// The [quantile](Self::quantile) along one axis, which is removed. Of several shares, `[k]`, the results are rows: `[k, ..]`.
    ///
    /// # Errors
    /// As [`quantile`](Self::quantile), or if there is no such axis.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[5.0, 1.0], [2.0, 9.0], [4.0, 8.0]]);
    /// assert_eq!(x.quantile_axis(0.25, 0).to_vec(), [3.0, 4.5]);
    /// assert_eq!(x.quantile_axis(tensor([0.0, 1.0]), 1).shape().to_string(), "[2,3]");
    /// ```
    #[track_caller]
    pub fn quantile_axis(&self, q: impl AsOperand<T>, axis: isize) -> Tensor<T> {
        let ordered = Ordered::along(&self.to_dynamic(), axis);
        ordered.quantile(&Tensor::from_any(q.into_operand()))
    }
}

/// Rows `[n, ..]` in which the values at each place are in ascending order, NaN last.
struct Ordered<T>(Tensor<T>);

impl<T: Float> Ordered<T> {
    #[track_caller]
    fn all(x: &Tensor<T>) -> Ordered<T> {
        Ordered(x.flatten().sort())
    }

    #[track_caller]
    fn along(x: &Tensor<T>, axis: isize) -> Ordered<T> {
        let rows = if axis == 0 {
            x.clone()
        } else {
            x.moveaxis(axis, 0)
        };
        Ordered(rows.sort_axis(0, false))
    }

    /// The result, or NaN where there is one among the values.
    #[track_caller]
    fn unless_nan(&self, result: Tensor<T>) -> Tensor<T> {
        let last = self.0.get(-1);
        last.is_nan().select(last, result)
    }

    #[track_caller]
    fn median(&self) -> Tensor<T> {
        let count = self.0.len_tensor();
        let (one, other) = ((&count - 1) / 2, &count / 2);
        let is_one = one.equal(&other);
        let (low, high) = (self.0.get(one), self.0.get(other));
        let mean = (&low + high) * T::from_f64(0.5);
        self.unless_nan(is_one.select(low, mean))
    }

    #[track_caller]
    fn quantile(&self, q: &Tensor<T>) -> Tensor<T> {
        let last = self.0.len_tensor().cast::<f64>() - 1.0;
        let place = q.cast::<f64>() * last;
        let (below, above) = (place.floor(), place.ceil());
        let share = self.beside_rows((place - &below).cast::<T>(), q);
        let low = self.0.gather(below.cast::<i64>());
        let high = self.0.gather(above.cast::<i64>());
        let between = (&high - &low) * share + low;
        self.unless_nan(between)
    }

    /// A value for each share, in a shape that broadcasts to rows.
    #[track_caller]
    fn beside_rows(&self, values: Tensor<T>, q: &Tensor<T>) -> Tensor<T> {
        match q.shape().rank() {
            Some(0) => values,
            Some(1) => (1..self.0.rank()).fold(values, |values, _| values.expand_dims(-1)),
            _ => trace::fail(Error::trace(
                format!(
                    "a quantile is of one share or of a vector of them, not of shape {}",
                    q.shape()
                ),
                Location::caller(),
            )),
        }
    }
}
