//! Attention over a sequence that grows: keys and values of earlier positions are kept, not computed anew.

use graph_macros::TraceType;

use super::{FORBIDDEN, MultiHeadAttention};
use crate::error::Location;
use crate::graph::Message;
use crate::nn::layers::rows;
use crate::state::{GraphState, Nest};
use crate::tensor::{AsOperand, Tensor, range, tensor, zeros};
use crate::trace::{self, AnyTensor};

/// The keys and values of the positions that a [`MultiHeadAttention`] has seen, with room for a fixed number of them. It is made of tensors, so
/// branches and loops of a graph carry it.
#[derive(Clone, TraceType)]
pub struct AttentionCache {
    /// `[batch, heads, capacity, key_dim]`.
    keys: Tensor<f32>,
    values: Tensor<f32>,
    /// How many positions are in use.
    length: Tensor<i32>,
}

// By hand, so that no message about another type names this one.
#[diagnostic::do_not_recommend]
impl Nest for AttentionCache {
    type Structure = ();
    fn structure(&self) -> Option<()> {
        Some(())
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        visit(self.keys.as_any());
        visit(self.values.as_any());
        visit(self.length.as_any());
    }
    fn rebuild(_: &(), next: &mut dyn FnMut() -> AnyTensor) -> AttentionCache {
        AttentionCache {
            keys: Tensor::from_any(next()),
            values: Tensor::from_any(next()),
            length: Tensor::from_any(next()),
        }
    }
}
#[diagnostic::do_not_recommend]
impl GraphState for AttentionCache {}

impl AttentionCache {
    /// How many positions were given so far, a scalar.
    pub fn length(&self) -> &Tensor<i32> {
        &self.length
    }
}

impl MultiHeadAttention {
    /// An empty cache for sequences of up to `capacity` positions, for [`call_cached`](Self::call_cached).
    #[track_caller]
    pub fn cache(&self, batch: usize, capacity: usize) -> AttentionCache {
        let empty = || zeros(&[batch, self.heads, capacity, self.key_dim]);
        AttentionCache {
            keys: empty(),
            values: empty(),
            length: tensor(0),
        }
    }

    /// The layer's output for the next positions `[batch, time, width]` of sequences, of which the cache holds the earlier ones: each position
    /// attends to itself and those before it. The results are those of [`causal`](Self::causal) attention of the whole sequence to itself, whether its
    /// positions are given one by one or several at once.
    ///
    /// # Errors
    /// If the tensor doesn't have this shape; when run, if the cache has no room for the positions.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// use graph_runtime::nn::MultiHeadAttention;
    ///
    /// #[graph_fn]
    /// fn continued(layer: &MultiHeadAttention, start: Tensor<f32>, steps: Tensor<i32>) -> Tensor<f32> {
    ///     let mut cache = layer.cache(1, 100);
    ///     let mut last = layer.call_cached(start, &mut cache).get((.., -1..));
    ///     for _ in 0..steps {
    ///         last = layer.call_cached(&last, &mut cache);
    ///     }
    ///     last
    /// }
    /// let layer = MultiHeadAttention::new(16, 4, 8);
    /// let last = continued(&layer, ones(&[1, 5, 16]), tensor(20));
    /// assert_eq!(last.shape().to_string(), "[1,1,16]");
    /// ```
    #[doc(alias("kv_cache", "decode"))]
    #[track_caller]
    pub fn call_cached(&self, x: impl AsOperand<f32>, cache: &mut AttentionCache) -> Tensor<f32> {
        let kernel = &self.query.kernel;
        let x = &rows(x, "MultiHeadAttention", &["batch", "time"], kernel, 0);
        let [q, k, v] = self.projected(x, x);
        let from = cache.length.clone();
        let next = numbers(x, 1);
        let to = &from + next.len_tensor();
        let capacity = cache.keys.shape_tensor().get(2);
        fits(&to.le(&capacity));
        let place = (.., .., from.clone()..to.clone());
        cache.keys = cache.keys.with_part(place.clone(), k);
        cache.values = cache.values.with_part(place, v);
        cache.length = to;
        let seen = numbers(&cache.keys, 2).le((next + from).expand_dims(-1));
        let scores = seen.select(self.scores(q, &cache.keys), FORBIDDEN);
        self.output(scores, &cache.values)
    }
}

/// The numbers of the positions on an axis, from 0.
#[track_caller]
fn numbers(x: &Tensor<f32>, axis: usize) -> Tensor<i32> {
    match x
        .shape()
        .get(axis)
        .and_then(|size| i32::try_from(size).ok())
    {
        Some(size) => tensor((0..size).collect::<Vec<i32>>()),
        None => range(0, x.shape_tensor().get(axis), 1),
    }
}

/// Fails when run if the positions don't fit into the cache.
#[track_caller]
fn fits(room: &Tensor<bool>) {
    let message =
        "the cache of an attention layer has no room for more positions than it was made for";
    trace::assert_that(
        room.as_any(),
        Message::from(message.to_owned()),
        &[],
        Location::caller(),
    );
}
