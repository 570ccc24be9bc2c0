//! Metrics: averages over all values since the last reset. The state is in variables, so a graph function can update a metric: the update
//! is part of its graph, and the result is a tensor.

use super::losses::labels;
use crate::nn::Module;
use crate::tensor::{AsOperand, IndexElement, Tensor, tensor};
use crate::variable::Variable;

/// The mean of values, which may be weighted. (`keras.metrics.Mean`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::metrics::Mean;
/// let loss = Mean::new();
/// loss.update(tensor([1.0, 2.0]));
/// loss.update(6.0);
/// assert_eq!(loss.result().item(), 3.0);
/// loss.reset();
/// assert_eq!(loss.result().item(), 0.0);
/// ```
#[derive(Clone, Module)]
pub struct Mean {
    #[module(frozen)]
    total: Variable<f32>,
    #[module(frozen)]
    count: Variable<f32>,
}

impl Default for Mean {
    fn default() -> Mean {
        Mean::new()
    }
}

impl Mean {
    /// Makes a mean without values, whose result is 0.
    #[track_caller]
    pub fn new() -> Mean {
        Mean {
            total: Variable::named("total", tensor(0.0)),
            count: Variable::named("count", tensor(0.0)),
        }
    }

    /// Adds values.
    #[track_caller]
    pub fn update(&self, values: impl AsOperand<f32>) {
        let values = Tensor::<f32>::from_any(values.into_operand());
        self.total.assign_add(values.sum());
        self.count.assign_add(values.size().cast::<f32>());
    }

    /// Adds values with weights. If the weights have fewer axes, they belong to the first axes: weights `[n]` are one for each row of
    /// values `[n, m]`.
    #[track_caller]
    pub fn update_weighted(&self, values: impl AsOperand<f32>, weights: impl AsOperand<f32>) {
        let values = Tensor::<f32>::from_any(values.into_operand());
        let mut weights = Tensor::<f32>::from_any(weights.into_operand());
        let axes = |x: &Tensor<f32>| x.shape().rank();
        if let (Some(wanted), Some(has)) = (axes(&values), axes(&weights)) {
            for _ in has..wanted {
                weights = weights.expand_dims(-1);
            }
        }
        self.total.assign_add((&values * &weights).sum());
        self.count.assign_add((values.ones_like() * weights).sum());
    }

    /// The mean of all values; 0 if there are none.
    #[track_caller]
    pub fn result(&self) -> Tensor<f32> {
        let count = self.count.read();
        let mean = self.total.read() / &count;
        count.equal(0.0).select(0.0, mean)
    }

    /// Removes all values.
    #[track_caller]
    pub fn reset(&self) {
        self.total.assign(0.0);
        self.count.assign(0.0);
    }
}

/// Defines metrics that are the share of examples for which a test holds.
macro_rules! accuracies {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* };)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Module)]
        pub struct $name {
            share: Mean,
            $($field: $type,)*
        }

        impl $name {
            /// Makes a metric without examples, whose result is 0.
            #[track_caller]
            pub fn new($($field: $type),*) -> $name {
                $name { share: Mean::new(), $($field,)* }
            }

            /// Adds examples: labels `[..]` or `[.., 1]`, which are class numbers, and predictions `[.., classes]`, which are logits or
            /// probabilities.
            #[track_caller]
            pub fn update<I: IndexElement>(&self, truth: impl AsOperand<I>, predicted: impl AsOperand<f32>) {
                let predicted = Tensor::<f32>::from_any(predicted.into_operand());
                let truth = labels(truth, &predicted);
                self.share.update(self.right(&truth, &predicted).cast::<f32>());
            }

            /// The share of the examples with a right prediction.
            #[track_caller]
            pub fn result(&self) -> Tensor<f32> {
                self.share.result()
            }

            /// Removes all examples.
            #[track_caller]
            pub fn reset(&self) {
                self.share.reset();
            }
        }
    )* };
}
accuracies! {
    /// The share of examples whose class has the highest prediction. (`keras.metrics.SparseCategoricalAccuracy`)
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// use graph_runtime::nn::metrics::SparseCategoricalAccuracy;
    /// let accuracy = SparseCategoricalAccuracy::new();
    /// accuracy.update(tensor([1, 0]), tensor([[0.1, 0.9], [0.2, 0.8]]));
    /// assert_eq!(accuracy.result().item(), 0.5);
    /// ```
    SparseCategoricalAccuracy {};
    /// The share of examples whose class is among the `k` with the highest predictions. Classes with predictions equal to the `k`-th
    /// highest count as among them. An example is wrong if its label is no class or one of its predictions is NaN or infinite.
    /// (`keras.metrics.SparseTopKCategoricalAccuracy`)
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// use graph_runtime::nn::metrics::SparseTopKCategoricalAccuracy;
    /// let accuracy = SparseTopKCategoricalAccuracy::new(2);
    /// accuracy.update(tensor([2, 1]), tensor([[0.1, 0.9, 0.8], [0.5, 0.2, 0.3]]));
    /// assert_eq!(accuracy.result().item(), 0.5);
    /// ```
    SparseTopKCategoricalAccuracy { k: usize };
}

impl Default for SparseCategoricalAccuracy {
    fn default() -> SparseCategoricalAccuracy {
        SparseCategoricalAccuracy::new()
    }
}

impl SparseCategoricalAccuracy {
    #[track_caller]
    fn right<I: IndexElement>(&self, truth: &Tensor<I>, predicted: &Tensor<f32>) -> Tensor<bool> {
        predicted.argmax(-1).equal(truth.cast::<i64>())
    }
}

impl SparseTopKCategoricalAccuracy {
    #[track_caller]
    fn right<I: IndexElement>(&self, truth: &Tensor<I>, predicted: &Tensor<f32>) -> Tensor<bool> {
        predicted.in_top_k(truth, self.k)
    }
}
