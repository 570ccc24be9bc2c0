//! Attention. `cache.rs` has that of sequences that grow.

mod cache;

use super::super::initial::{glorot_uniform, zero};
use super::rows;
use crate::nn::Module;
use crate::tensor::{AsOperand, Tensor, concat, tensor};
use crate::variable::Variable;

pub use cache::AttentionCache;

/// The score of a key that the mask hides.
const FORBIDDEN: f32 = -1e9;

/// Attention with several heads: for each query, a head gives the mean of the values, weighted by how similar their keys are to the query.
/// (`keras.layers.MultiHeadAttention`; Vaswani et al., 2017)
///
/// Each head computes `softmax(q · kᵀ / sqrt(key_dim)) · v`, where `q`, `k` and `v` are linear projections of queries, keys and values. The
/// results of the heads are concatenated and projected once more.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::MultiHeadAttention;
/// let layer = MultiHeadAttention::new(16, 4, 8).causal();
/// let x = zeros::<f32>(&[2, 5, 16]);
/// assert_eq!(layer.call(&x, &x).shape().to_string(), "[2,5,16]");
/// ```
#[doc(alias("MultiHeadDotProductAttention"))]
#[derive(Clone, Module)]
pub struct MultiHeadAttention {
    query: Projection,
    key: Projection,
    value: Projection,
    attention_output: Projection,
    heads: usize,
    key_dim: usize,
    causal: bool,
}

/// A linear layer between a row and its rows for all heads.
#[derive(Clone, Module)]
struct Projection {
    kernel: Variable<f32>,
    bias: Variable<f32>,
}

impl Projection {
    #[track_caller]
    fn new(kernel: [usize; 3], bias: &[usize]) -> Projection {
        let [a, b, c] = kernel;
        Projection {
            kernel: glorot_uniform("kernel", &kernel, a * b, a * c),
            bias: zero("bias", bias),
        }
    }

    /// Takes `[batch, time, inputs]` to `[batch, time, outputs]`. The kernel has three axes; the two of the heads are merged for the
    /// product.
    #[track_caller]
    fn call(&self, x: &Tensor<f32>, inputs: usize, outputs: usize) -> Tensor<f32> {
        let kernel = self
            .kernel
            .read()
            .reshape(&[inputs as isize, outputs as isize]);
        x.matmul(kernel) + self.bias.read().reshape(&[outputs as isize])
    }
}

impl MultiHeadAttention {
    /// Makes a layer for queries, keys and values of `width` numbers, with `heads` heads that compare vectors of `key_dim` numbers.
    #[track_caller]
    pub fn new(width: usize, heads: usize, key_dim: usize) -> MultiHeadAttention {
        let into = || Projection::new([width, heads, key_dim], &[heads, key_dim]);
        MultiHeadAttention {
            query: into(),
            key: into(),
            value: into(),
            attention_output: Projection::new([heads, key_dim, width], &[width]),
            heads,
            key_dim,
            causal: false,
        }
    }

    /// Hides later positions from each query: it attends only to its own position and those before it.
    #[must_use]
    pub fn causal(mut self) -> MultiHeadAttention {
        self.causal = true;
        self
    }

    /// The layer's output `[batch, time, width]` for queries `[batch, time, width]`. `value`, `[batch, places, width]`, is both the keys
    /// and the values.
    ///
    /// A query for which the mask hides all positions attends to all of them alike.
    ///
    /// # Errors
    /// If the tensors don't have these shapes.
    #[track_caller]
    pub fn call(&self, query: impl AsOperand<f32>, value: impl AsOperand<f32>) -> Tensor<f32> {
        self.attend(query, value, None)
    }

    /// [`call`](Self::call) that attends only where the mask is true. The mask broadcasts to `[batch, heads, time, places]`.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// use graph_runtime::nn::MultiHeadAttention;
    /// let layer = MultiHeadAttention::new(16, 4, 8);
    /// let x = zeros::<f32>(&[2, 5, 16]);
    /// // The second sequence has only three positions.
    /// let mask = tensor([5, 3]).sequence_mask(Some(5)).reshape(&[2, 1, 1, 5]);
    /// assert_eq!(layer.call_masked(&x, &x, mask).shape().to_string(), "[2,5,16]");
    /// ```
    #[track_caller]
    pub fn call_masked(
        &self,
        query: impl AsOperand<f32>,
        value: impl AsOperand<f32>,
        mask: impl AsOperand<bool>,
    ) -> Tensor<f32> {
        let mask = Tensor::from_any(mask.into_operand());
        self.attend(query, value, Some(mask))
    }

    #[track_caller]
    fn attend(
        &self,
        query: impl AsOperand<f32>,
        value: impl AsOperand<f32>,
        mask: Option<Tensor<bool>>,
    ) -> Tensor<f32> {
        let kernel = &self.query.kernel;
        let query = &rows(query, "MultiHeadAttention", &["batch", "time"], kernel, 0);
        let value = &rows(value, "MultiHeadAttention", &["batch", "places"], kernel, 0);
        let [q, k, v] = self.projected(query, value);
        let mut scores = self.scores(q, &k);
        if let Some(mask) = mask {
            scores = mask.select(scores, FORBIDDEN);
        }
        if self.causal {
            let allowed = scores.ones_like().tril(0).gt(0.0);
            scores = allowed.select(scores, FORBIDDEN);
        }
        self.output(scores, &v)
    }

    /// Queries, keys and values by head: `[batch, heads, time, key_dim]`.
    #[track_caller]
    fn projected(&self, query: &Tensor<f32>, value: &Tensor<f32>) -> [Tensor<f32>; 3] {
        let (width, inner) = (self.width(), self.heads * self.key_dim);
        [
            self.split(&self.query.call(query, width, inner)),
            self.split(&self.key.call(value, width, inner)),
            self.split(&self.value.call(value, width, inner)),
        ]
    }

    /// How similar keys are to queries: `[batch, heads, time, places]`.
    #[track_caller]
    fn scores(&self, q: Tensor<f32>, k: &Tensor<f32>) -> Tensor<f32> {
        let scale = 1.0 / (self.key_dim as f32).sqrt();
        (q * scale).matmul_t(k)
    }

    /// The values weighted by the scores, projected to `[batch, time, width]`.
    #[track_caller]
    fn output(&self, scores: Tensor<f32>, v: &Tensor<f32>) -> Tensor<f32> {
        let (width, inner) = (self.width(), self.heads * self.key_dim);
        let mixed = scores.softmax(-1).matmul(v).permute([0, 2, 1, 3]);
        let mixed = with_tail(&mixed, &[inner]);
        self.attention_output.call(&mixed, inner, width)
    }

    fn width(&self) -> usize {
        let shape = self.attention_output.bias.shape();
        shape.size().unwrap_or_default()
    }

    /// Splits `[batch, time, heads * key_dim]` into `[batch, heads, time, key_dim]`.
    #[track_caller]
    fn split(&self, x: &Tensor<f32>) -> Tensor<f32> {
        with_tail(x, &[self.heads, self.key_dim]).permute([0, 2, 1, 3])
    }
}

/// Replaces the sizes after `[batch, time]`; the values stay the same.
#[track_caller]
fn with_tail(x: &Tensor<f32>, tail: &[usize]) -> Tensor<f32> {
    let shape = x.shape();
    let (batch, time) = match shape.dims() {
        Some([batch, time, ..]) => (*batch, *time),
        _ => (None, None),
    };
    let tail = tail.iter().map(|n| *n as isize);
    match (batch, time) {
        (batch, Some(time)) => {
            let batch = batch.map_or(-1, |n| n as isize);
            x.reshape(
                &[batch, time as isize]
                    .into_iter()
                    .chain(tail)
                    .collect::<Vec<_>>(),
            )
        }
        (Some(batch), None) => x.reshape(
            &[batch as isize, -1]
                .into_iter()
                .chain(tail)
                .collect::<Vec<_>>(),
        ),
        (None, None) => {
            let tail: Vec<i32> = tail.map(|n| n as i32).collect();
            let head = x.shape_tensor().slice(&[0], &[2]);
            x.reshape(concat([head, tensor(tail)], 0))
        }
    }
}
