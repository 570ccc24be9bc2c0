//! How variables vary together: covariances and correlations, as NumPy has them. Each row is a variable, each column an observation.

use super::{Float, Tensor};

impl<T: Float, S> Tensor<T, S> {
    /// The covariances of the rows, divided by the number of observations less 1: `[.., variables, n]` gives `[.., variables, variables]`.
    /// NaN if there are fewer than two observations. (`numpy.cov`)
    ///
    /// # Errors
    /// If there are fewer than two axes.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]);
    /// assert_eq!(x.cov().to_vec(), [1.0, -1.0, -1.0, 1.0]);
    /// ```
    #[doc(alias("covariance"))]
    #[track_caller]
    pub fn cov(&self) -> Tensor<T> {
        let x = self.to_dynamic();
        let distances = &x - x.mean_axes(&[-1], true);
        let others = x.shape_tensor().get(-1).cast::<T>() - T::ONE;
        distances.matmul_t(&distances) / others
    }

    /// The correlations of the rows, from -1 to 1: `[.., variables, n]` gives `[.., variables, variables]`. NaN where a variable doesn't vary.
    /// (`numpy.corrcoef`)
    ///
    /// # Errors
    /// If there are fewer than two axes.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]);
    /// assert_eq!(x.corrcoef().to_vec(), [1.0, -1.0, -1.0, 1.0]);
    /// ```
    #[doc(alias("correlation", "pearson"))]
    #[track_caller]
    pub fn corrcoef(&self) -> Tensor<T> {
        let covariances = self.cov();
        let deviations = covariances.diag_part().sqrt();
        let scales = deviations.expand_dims(-1) * deviations.expand_dims(-2);
        (covariances / scales).clip(T::from_f64(-1.0), T::ONE)
    }
}
