//! Iterators over the rows of tensors for `for`, with the names of Rust's iterators: `x.iter()`, `x.zip(&y)` and `x.enumerate()`. In a graph
//! function the `for` is a loop of the graph (`elements.rs` chooses that), elsewhere a plain one over values. For Rust's iterator methods with
//! closures there are `map_fn`, `fold` and `scan`.

use graph_kernels::{Array, DType, Element};

use super::items::{Items, Iterate, Limit, TensorRows};
use crate::error::{Error, Location};
use crate::kind::Graph;
use crate::ops::{self, Attr, Attrs};
use crate::tensor::Tensor;
use crate::trace::{self, AnyTensor};
use crate::variable::Variable;

/// The rows of tensors, one by one, for a `for`. ([`Tensor::iter`])
#[must_use = "nothing happens before a `for` runs over it"]
pub struct Iter<I>(I);

impl<T: Element, S> Tensor<T, S> {
    /// The rows along the first axis, for a `for`. In a graph function, `for row in x.iter()` is the same as `for row in x`, a loop of the graph;
    /// elsewhere it is a plain loop over the rows of a tensor with values. [`zip`](Self::zip) adds the rows of another tensor,
    /// [`enumerate`](Self::enumerate) adds row numbers.
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
    pub fn iter(&self) -> Iter<TensorRows<T>> {
        Iter(self.items())
    }

    /// Pairs of a row and a row of another tensor, for a `for`, until one of them ends: `x.iter().zip(y)`.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn dot(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    ///     let mut sum = tensor(0.0);
    ///     for (x, y) in x.zip(&y) {
    ///         sum += x * y;
    ///     }
    ///     sum
    /// }
    /// assert_eq!(dot(tensor([1.0, 2.0]), tensor([10.0, 100.0])).item(), 210.0);
    /// ```
    #[track_caller]
    pub fn zip<J: WithRows>(&self, other: J) -> Iter<Pairs<TensorRows<T>, J::Rows>> {
        self.iter().zip(other)
    }

    /// Pairs of a number (an `i32` scalar, counted from 0) and a row, for a `for`: `x.iter().enumerate()`.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x = tensor([[1, 2], [3, 4]]);
    /// for (i, row) in x.enumerate() {
    ///     assert_eq!(row.to_vec(), [2 * i.item() + 1, 2 * i.item() + 2]);
    /// }
    /// ```
    #[track_caller]
    pub fn enumerate(&self) -> Iter<Numbered<TensorRows<T>>> {
        self.iter().enumerate()
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
    pub fn into_iter(self) -> Iter<TensorRows<T>> {
        Iter(self.items())
    }
}

impl<I: Counted> Iter<I> {
    /// Pairs of a row and a row of another tensor, until one of them ends.
    #[track_caller]
    pub fn zip<J: WithRows>(self, other: J) -> Iter<Pairs<I, J::Rows>> {
        Iter(Pairs(self.0, other.rows()))
    }

    /// Pairs of a number (an `i32` scalar, counted from 0) and a row.
    pub fn enumerate(self) -> Iter<Numbered<I>> {
        Iter(Numbered(self.0, 0))
    }
}

impl<I> Iter<I> {
    /// The same for a loop of the graph.
    pub(super) fn walk(self) -> Walk<I> {
        Walk(self.0)
    }
}

/// The rows for a `for` in a graph function. ([`Iter`] is also a Rust iterable.)
pub struct Walk<I>(I);

#[diagnostic::do_not_recommend]
impl<I: Counted> Iterate for Walk<I> {
    type Kind = Graph;
    type Items = I;
    fn items(self) -> I {
        self.0
    }
}

impl<I: Counted> IntoIterator for Iter<I> {
    type Item = I::Item;
    type IntoIter = Values<I>;

    /// # Errors
    /// While a graph function is traced, which would put each row into the graph.
    #[track_caller]
    fn into_iter(self) -> Values<I> {
        if trace::is_tracing() {
            let message = "plain Rust code iterates over the rows of a tensor while a graph function is traced, which would put each of them into \
                           the graph. Write the `for` in a function under `#[graph_fn]`, or take the rows by `x.unstack(0)`";
            trace::fail(Error::trace(message, Location::caller()));
        }
        Values(self.0)
    }
}

/// The rows as Rust values, for a plain loop.
pub struct Values<I>(I);

impl<I: Counted> Iterator for Values<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        self.0.next(None)
    }
}

/// What has rows that go together with others: a tensor, a variable, [`Tensor::iter`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no rows that go together with those of a tensor",
    label = "expected a tensor, a variable, or `x.iter()`"
)]
pub trait WithRows {
    /// The rows.
    type Rows: Counted;
    /// The rows.
    #[track_caller]
    fn rows(self) -> Self::Rows;
}

impl<I: Counted> WithRows for Iter<I> {
    type Rows = I;
    fn rows(self) -> I {
        self.0
    }
}

macro_rules! with_rows {
    ($($type:ty),*) => { $(
        impl<T: Element, S> WithRows for $type {
            type Rows = TensorRows<T>;
            fn rows(self) -> TensorRows<T> {
                self.items()
            }
        }
    )* };
}
with_rows!(Tensor<T, S>, &Tensor<T, S>, Variable<T, S>, &Variable<T, S>);

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

impl<T: Element> Counted for TensorRows<T> {}
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

    fn known_len(&self) -> Option<usize> {
        Some(self.0.known_len()?.min(self.1.known_len()?))
    }

    fn next(&mut self, counter: Option<&AnyTensor>) -> Option<Self::Item> {
        Some((self.0.next(counter)?, self.1.next(counter)?))
    }
}

/// Items with their numbers; the second field is the next number, if Rust counts.
pub struct Numbered<I>(I, i32);

impl<I: Counted> Items for Numbered<I> {
    type Item = (Tensor<i32>, I::Item);

    fn limit(&mut self) -> Option<Limit> {
        self.0.limit()
    }

    fn known_len(&self) -> Option<usize> {
        self.0.known_len()
    }

    fn next(&mut self, counter: Option<&AnyTensor>) -> Option<Self::Item> {
        let number = match counter {
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
