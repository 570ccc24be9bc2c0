//! Iterators over the rows of tensors for `for`, with the names of Rust's iterators: `x.iter()`, with `zip` and `enumerate`. For
//! Rust's iterator methods with closures there are `map_fn`, `fold` and `scan`.

use graph_kernels::{Array, DType, Element};

use super::items::{Items, Iterate, Limit, Rows};
use crate::kind::Graph;
use crate::ops::{self, Attr, Attrs};
use crate::tensor::Tensor;
use crate::trace::AnyTensor;

/// An iterator for a `for` in a graph function: the rows of tensors, one by one. ([`Tensor::iter`])
#[must_use = "nothing happens before a `for` runs over it"]
pub struct Iter<I>(I);

impl<T: Element, S> Tensor<T, S> {
    /// The rows along the first axis, for a `for` in a graph function. `for row in x.iter()` is the same as `for row in x`.
    /// [`zip`](Iter::zip) adds the rows of another tensor, [`enumerate`](Iter::enumerate) adds row numbers. The `for` becomes a loop of the graph.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn weighted(x: Tensor<f32>, weights: Tensor<f32>) -> Tensor<f32> {
    ///     let mut sum = tensor(0.0);
    ///     for (x, weight) in x.iter().zip(&weights) {
    ///         sum += x * weight;
    ///     }
    ///     sum
    /// }
    /// assert_eq!(weighted(tensor([1.0, 2.0]), tensor([10.0, 100.0])).item(), 210.0);
    /// ```
    #[track_caller]
    pub fn iter(&self) -> Iter<Rows<T>> {
        Iter(self.items())
    }

    /// Like [`iter`](Self::iter), for a tensor that isn't needed any more.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn first_negative(x: Tensor<f32>) -> Tensor<i32> {
    ///     for (i, value) in x.into_iter().enumerate() {
    ///         if value < 0.0 {
    ///             return i;
    ///         }
    ///     }
    ///     -1
    /// }
    /// assert_eq!(first_negative(tensor([1.0, -2.0, -3.0])).item(), 1);
    /// ```
    #[allow(clippy::should_implement_trait)] // It would need values, which a trace doesn't have.
    #[track_caller]
    pub fn into_iter(self) -> Iter<Rows<T>> {
        Iter(self.items())
    }
}

impl<I: Counted> Iter<I> {
    /// Pairs of a row and a row of another tensor, until one of them ends.
    #[track_caller]
    pub fn zip<J: Iterate<Kind = Graph, Items: Counted>>(
        self,
        other: J,
    ) -> Iter<Pairs<I, J::Items>> {
        Iter(Pairs(self.0, other.items()))
    }

    /// Pairs of a number (an `i32` scalar, counted from 0) and a row.
    pub fn enumerate(self) -> Iter<Numbered<I>> {
        Iter(Numbered(self.0, 0))
    }
}

#[diagnostic::do_not_recommend]
impl<I: Counted> Iterate for Iter<I> {
    type Kind = Graph;
    type Items = I;
    fn items(self) -> I {
        self.0
    }
}

/// Items whose number a graph knows before the first one.
pub trait Counted: Items {
    /// The number of items: a scalar.
    fn count(&mut self) -> AnyTensor {
        match self.limit() {
            Some(Limit::Count(count)) => count,
            Some(Limit::Elements(_)) | None => unreachable!("counted items have a number"),
        }
    }
}

impl<T: Element> Counted for Rows<T> {}
impl<I: Counted, J: Counted> Counted for Pairs<I, J> {}
impl<I: Counted> Counted for Numbered<I> {}

/// Pairs of items from two iterators.
pub struct Pairs<I, J>(I, J);

impl<I: Counted, J: Counted> Items for Pairs<I, J> {
    type Item = (I::Item, J::Item);

    fn limit(&mut self) -> Option<Limit> {
        let (one, other) = (to_i32(self.0.count()), to_i32(self.1.count()));
        let least = AnyTensor::apply(&ops::MINIMUM, Attrs::default(), &[&one, &other]);
        Some(Limit::Count(least))
    }

    fn next(&mut self, counter: Option<AnyTensor>) -> Option<Self::Item> {
        Some((self.0.next(counter.clone())?, self.1.next(counter)?))
    }
}

/// Items with their numbers; the second field is the next number, if Rust counts.
pub struct Numbered<I>(I, i32);

impl<I: Counted> Items for Numbered<I> {
    type Item = (Tensor<i32>, I::Item);

    fn limit(&mut self) -> Option<Limit> {
        self.0.limit()
    }

    fn next(&mut self, counter: Option<AnyTensor>) -> Option<Self::Item> {
        let number = match &counter {
            Some(counter) => to_i32(counter.clone()),
            None => AnyTensor::constant(Array::scalar(self.1)),
        };
        self.1 += 1;
        Some((Tensor::from_any(number), self.0.next(counter)?))
    }
}

fn to_i32(number: AnyTensor) -> AnyTensor {
    if number.dtype() == DType::I32 {
        return number;
    }
    let attrs = Attrs::new().with("dtype", Attr::DType(DType::I32));
    AnyTensor::apply(&ops::CAST, attrs, &[&number])
}
