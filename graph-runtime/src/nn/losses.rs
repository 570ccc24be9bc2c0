//! Loss functions: how wrong predictions are, as one number for each example. The true values are the first argument, as in Keras. The loss
//! of a batch is the mean: `losses::mean_squared_error(&y, &prediction).mean()`.
//!
//! Functions whose names end with `_from_logits` take logits, from which a softmax or sigmoid would make probabilities. They stay precise
//! for probabilities close to 0 or 1, so prefer them. The others take probabilities and limit them to 10⁻⁷..1 - 10⁻⁷.
//!
//! If only one operand has an additional last axis of size 1, that axis is ignored, as in Keras: true values `[n]` and predictions `[n,
//! 1]`, from a last layer with one unit, are not broadcast to `[n, n]`.

use crate::tensor::{AsOperand, IndexElement, Tensor};

/// The smallest distance of a probability to 0 and 1; closer ones are moved to it.
const EPSILON: f32 = 1e-7;

/// The two operands as tensors. If they differ only in a last axis of size 1, they get the same rank.
#[track_caller]
fn both(truth: impl AsOperand<f32>, predicted: impl AsOperand<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let truth = Tensor::from_any(truth.into_operand());
    let predicted = Tensor::from_any(predicted.into_operand());
    let (short, long) = (aligned(&truth, &predicted), aligned(&predicted, &truth));
    (short.unwrap_or(truth), long.unwrap_or(predicted))
}

/// `x` with the rank of `other`, or `None` if the shapes don't differ only in a last axis of size 1. That axis is removed from the one that
/// has it; but if the result would be a vector, it is added to the one that lacks it, so that there is an axis to take the mean over.
#[track_caller]
fn aligned(x: &Tensor<f32>, other: &Tensor<f32>) -> Option<Tensor<f32>> {
    let (x_shape, other_shape) = (x.shape(), other.shape());
    let (sizes, others) = (x_shape.dims()?, other_shape.dims()?);
    if others.len() == 2 && sizes.len() == 1 && others[1] == Some(1) {
        return Some(x.expand_dims(-1));
    }
    let longer = sizes.len() == others.len() + 1 && others.len() != 1;
    (longer && sizes.last() == Some(&Some(1))).then(|| x.squeeze(&[-1]))
}

/// Labels `[..]` for predictions `[.., classes]`. From labels `[.., 1]` the last axis is removed.
#[track_caller]
pub(super) fn labels<I: IndexElement>(
    truth: impl AsOperand<I>,
    predicted: &Tensor<f32>,
) -> Tensor<I> {
    let truth = Tensor::<I>::from_any(truth.into_operand());
    let shape = truth.shape();
    let same_rank = shape.rank().is_some() && shape.rank() == predicted.shape().rank();
    let last = shape.dims().and_then(|sizes| *sizes.last()?);
    if same_rank && last == Some(1) {
        truth.squeeze(&[-1])
    } else {
        truth
    }
}

#[track_caller]
fn limited(probabilities: &Tensor<f32>) -> Tensor<f32> {
    probabilities.clip(EPSILON, 1.0 - EPSILON)
}

/// The cross entropy between labels and logits. Labels `[..]` or `[.., 1]` are class numbers; with logits `[.., classes]` they give `[..]`.
/// (`keras.losses.sparse_categorical_crossentropy` with `from_logits=True`)
///
/// # Errors
/// When run, if a label isn't in `0..classes`.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::losses::sparse_categorical_crossentropy_from_logits;
/// let loss = sparse_categorical_crossentropy_from_logits(tensor([1, 0]), tensor([[0.0, 0.0], [50.0, 0.0]]));
/// assert_eq!(loss.to_vec(), [2f32.ln(), 0.0]);
/// ```
#[doc(alias("cross_entropy", "SparseCategoricalCrossentropy", "CrossEntropyLoss"))]
#[track_caller]
pub fn sparse_categorical_crossentropy_from_logits<I: IndexElement>(
    truth: impl AsOperand<I>,
    logits: impl AsOperand<f32>,
) -> Tensor<f32> {
    let logits = Tensor::<f32>::from_any(logits.into_operand());
    let truth = labels(truth, &logits);
    logits.sparse_softmax_cross_entropy(truth)
}

/// The cross entropy between labels and probabilities. Labels `[..]` or `[.., 1]` are class numbers; with probabilities `[.., classes]`,
/// which are divided by their sum, they give `[..]`. (`keras.losses.sparse_categorical_crossentropy`)
///
/// # Errors
/// When run, if a label isn't in `0..classes`.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::losses::sparse_categorical_crossentropy;
/// let loss = sparse_categorical_crossentropy(tensor([1]), tensor([[0.5, 0.5]]));
/// assert!((loss.item() - 2f32.ln()).abs() < 1e-6);
/// ```
#[track_caller]
pub fn sparse_categorical_crossentropy<I: IndexElement>(
    truth: impl AsOperand<I>,
    probabilities: impl AsOperand<f32>,
) -> Tensor<f32> {
    let probabilities = Tensor::<f32>::from_any(probabilities.into_operand());
    let truth = labels(truth, &probabilities);
    limited(&probabilities)
        .log()
        .sparse_softmax_cross_entropy(truth)
}

/// The cross entropy between true probabilities and logits, both `[.., classes]`: `[..]`. (`keras.losses.categorical_crossentropy` with
/// `from_logits=True`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::losses::categorical_crossentropy_from_logits;
/// let loss = categorical_crossentropy_from_logits(tensor([[0.0, 1.0]]), tensor([[0.0, 0.0]]));
/// assert_eq!(loss.item(), 2f32.ln());
/// ```
#[doc(alias("CategoricalCrossentropy"))]
#[track_caller]
pub fn categorical_crossentropy_from_logits(
    truth: impl AsOperand<f32>,
    logits: impl AsOperand<f32>,
) -> Tensor<f32> {
    let (truth, logits) = both(truth, logits);
    logits.softmax_cross_entropy(truth)
}

/// The cross entropy between true and predicted probabilities, both `[.., classes]`: `[..]`. The predicted ones are divided by their sum.
/// (`keras.losses.categorical_crossentropy`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::losses::categorical_crossentropy;
/// let loss = categorical_crossentropy(tensor([[0.0, 1.0]]), tensor([[3.0, 1.0]]));
/// assert!((loss.item() - 4f32.ln()).abs() < 1e-6);
/// ```
#[track_caller]
pub fn categorical_crossentropy(
    truth: impl AsOperand<f32>,
    probabilities: impl AsOperand<f32>,
) -> Tensor<f32> {
    let (truth, predicted) = both(truth, probabilities);
    let shares = &predicted / predicted.sum_axes(&[-1], true);
    -(truth * limited(&shares).log()).sum_axis(-1)
}

/// The binary cross entropy between true probabilities and logits, averaged over the last axis: `[.., n]` gives `[..]`.
/// (`keras.losses.binary_crossentropy` with `from_logits=True`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::losses::binary_crossentropy_from_logits;
/// let loss = binary_crossentropy_from_logits(tensor([[1.0], [0.0]]), tensor([[0.0], [-1000.0]]));
/// assert_eq!(loss.to_vec(), [2f32.ln(), 0.0]);
/// ```
#[doc(alias(
    "binary_cross_entropy_with_logits",
    "BCEWithLogitsLoss",
    "BinaryCrossentropy"
))]
#[track_caller]
pub fn binary_crossentropy_from_logits(
    truth: impl AsOperand<f32>,
    logits: impl AsOperand<f32>,
) -> Tensor<f32> {
    let (truth, logits) = both(truth, logits);
    logits.sigmoid_cross_entropy(truth).mean_axis(-1)
}

/// The binary cross entropy between true and predicted probabilities, averaged over the last axis: `[.., n]` gives `[..]`.
/// (`keras.losses.binary_crossentropy`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::losses::binary_crossentropy;
/// let loss = binary_crossentropy(tensor([[1.0, 0.0]]), tensor([[0.5, 0.5]]));
/// assert!((loss.item() - 2f32.ln()).abs() < 1e-6);
/// ```
#[doc(alias("binary_cross_entropy", "BCELoss"))]
#[track_caller]
pub fn binary_crossentropy(
    truth: impl AsOperand<f32>,
    probabilities: impl AsOperand<f32>,
) -> Tensor<f32> {
    let (truth, predicted) = both(truth, probabilities);
    let p = limited(&predicted);
    let yes = &truth * p.log();
    let no = (1.0 - &truth) * (1.0 - &p).log();
    -(yes + no).mean_axis(-1)
}

/// The mean over the last axis of the squared differences: `[.., n]` gives `[..]`. (`keras.losses.mean_squared_error`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::losses::mean_squared_error;
/// let loss = mean_squared_error(tensor([[1.0, 2.0]]), tensor([[1.0, 5.0]]));
/// assert_eq!(loss.to_vec(), [4.5]);
/// ```
#[doc(alias("mse", "MeanSquaredError", "MSELoss"))]
#[track_caller]
pub fn mean_squared_error(
    truth: impl AsOperand<f32>,
    predicted: impl AsOperand<f32>,
) -> Tensor<f32> {
    let (truth, predicted) = both(truth, predicted);
    (predicted - truth).square().mean_axis(-1)
}

/// The mean over the last axis of the absolute differences: `[.., n]` gives `[..]`. (`keras.losses.mean_absolute_error`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::losses::mean_absolute_error;
/// let loss = mean_absolute_error(tensor([[1.0, 2.0]]), tensor([[1.0, 5.0]]));
/// assert_eq!(loss.to_vec(), [1.5]);
/// ```
#[doc(alias("mae", "l1_loss", "MeanAbsoluteError", "L1Loss"))]
#[track_caller]
pub fn mean_absolute_error(
    truth: impl AsOperand<f32>,
    predicted: impl AsOperand<f32>,
) -> Tensor<f32> {
    let (truth, predicted) = both(truth, predicted);
    (predicted - truth).abs().mean_axis(-1)
}

/// The Huber loss, averaged over the last axis: half the squared difference up to `delta`, and linear beyond it. `[.., n]` gives `[..]`.
/// (`keras.losses.huber`; Huber, 1964)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::losses::huber;
/// let loss = huber(tensor([[0.0], [0.0]]), tensor([[0.5], [3.0]]), 1.0);
/// assert_eq!(loss.to_vec(), [0.125, 2.5]);
/// ```
#[doc(alias("huber_loss", "SmoothL1Loss"))]
#[track_caller]
pub fn huber(
    truth: impl AsOperand<f32>,
    predicted: impl AsOperand<f32>,
    delta: f32,
) -> Tensor<f32> {
    let (truth, predicted) = both(truth, predicted);
    let away = (predicted - truth).abs();
    let square = away.square() * 0.5;
    let line = &away * delta - 0.5 * delta * delta;
    away.le(delta).select(square, line).mean_axis(-1)
}
