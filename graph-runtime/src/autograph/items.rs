//! The iterables of `for`: Rust iterators, and the rows of a tensor. (Ranges with tensor bounds are in `range`, datasets in `elements`.)

use graph_kernels::{Array, Element};

use crate::error::Location;
use crate::graph::Message;
use crate::kind::{Graph, Kind, Rust};
use crate::ops::{self, Attrs};
use crate::tensor::Tensor;
use crate::trace::AnyTensor;
use crate::variable::Variable;
use crate::{Error, trace};

/// An iterable of a `for … in`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something a `for` can run over",
    label = "expected a Rust iterator, a tensor or a range",
    note = "to count, write a range: `0..n`"
)]
pub trait Iterate {
    /// Whether Rust or the graph decides about the number of iterations.
    type Kind: Kind;
    /// The items.
    type Items: Items;
    /// The items.
    #[track_caller]
    fn items(self) -> Self::Items;
}

/// The items of a `for`, one after the other.
pub trait Items {
    /// One item.
    type Item;
    /// The bound on the number of iterations, if the graph decides. A loop that is being traced asks for it once, before its first item.
    fn limit(&mut self) -> Option<Limit>;
    /// The number of items, if a trace knows it.
    fn known_len(&self) -> Option<usize> {
        None
    }
    /// The next item; in a traced loop the item with this number.
    fn next(&mut self, counter: Option<&AnyTensor>) -> Option<Self::Item>;
}

/// The bound on the number of iterations of a loop in a graph.
pub enum Limit {
    /// This many items: an `int32` or `int64` scalar; the counter has the same dtype.
    Count(AnyTensor),
    /// As long as the iteration over a dataset has elements.
    Elements(AnyTensor),
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator> Iterate for I {
    type Kind = Rust;
    type Items = RustItems<I::IntoIter>;
    fn items(self) -> Self::Items {
        RustItems(self.into_iter())
    }
}

/// The items of a Rust iterator.
pub struct RustItems<I>(I);

impl<I: Iterator> Items for RustItems<I> {
    type Item = I::Item;
    fn limit(&mut self) -> Option<Limit> {
        None
    }
    #[inline]
    fn next(&mut self, _: Option<&AnyTensor>) -> Option<I::Item> {
        self.0.next()
    }
}

/// The rows of a tensor along its first axis.
pub struct TensorRows<T> {
    tensor: Tensor<T>,
    next: usize,
    location: Location,
}

#[diagnostic::do_not_recommend]
impl<T: Element, S> Iterate for Tensor<T, S> {
    type Kind = Graph;
    type Items = TensorRows<T>;
    fn items(self) -> TensorRows<T> {
        TensorRows::of(self.into_any())
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, S> Iterate for &Tensor<T, S> {
    type Kind = Graph;
    type Items = TensorRows<T>;
    fn items(self) -> TensorRows<T> {
        TensorRows::of(self.as_any().clone())
    }
}

/// A variable is read when the loop begins.
#[diagnostic::do_not_recommend]
impl<T: Element, S> Iterate for Variable<T, S> {
    type Kind = Graph;
    type Items = TensorRows<T>;
    fn items(self) -> TensorRows<T> {
        TensorRows::of(self.read().into_any())
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, S> Iterate for &Variable<T, S> {
    type Kind = Graph;
    type Items = TensorRows<T>;
    fn items(self) -> TensorRows<T> {
        TensorRows::of(self.read().into_any())
    }
}

impl<T: Element> TensorRows<T> {
    #[track_caller]
    fn of(tensor: AnyTensor) -> TensorRows<T> {
        let location = Location::caller();
        if tensor.shape().rank() == Some(0) {
            trace::fail(Error::trace(
                format!("{NO_ROWS}, not {}", tensor.ty()),
                location,
            ));
        }
        TensorRows {
            tensor: Tensor::from_any(tensor),
            next: 0,
            location,
        }
    }

    fn apply(&self, op: &'static ops::OpDef, operands: &[&AnyTensor]) -> AnyTensor {
        trace::apply(op, Attrs::default(), operands, self.location.clone())
    }
}

const NO_ROWS: &str = "a `for` over a tensor takes its rows, so it must have at least one axis";

impl<T: Element> Items for TensorRows<T> {
    type Item = Tensor<T>;
    fn limit(&mut self) -> Option<Limit> {
        let tensor = self.tensor.as_any();
        let first = AnyTensor::constant(Array::scalar(0i32));
        if tensor.shape().rank().is_none() {
            let rank = self.apply(&ops::RANK_OF, &[tensor]);
            let has_rows = self.apply(&ops::GREATER, &[&rank, &first]);
            let message = Message::from(NO_ROWS.to_owned());
            trace::assert_that(&has_rows, message, &[], self.location.clone());
        }
        let sizes = self.apply(&ops::SHAPE_OF, &[tensor]);
        Some(Limit::Count(self.apply(&ops::INDEX, &[&sizes, &first])))
    }
    fn known_len(&self) -> Option<usize> {
        *self.tensor.as_any().shape().dims()?.first()?
    }
    fn next(&mut self, counter: Option<&AnyTensor>) -> Option<Tensor<T>> {
        let counter = match counter {
            Some(counter) => counter.clone(),
            None if self.next >= self.tensor.dim(0) => return None,
            None => {
                self.next += 1;
                AnyTensor::constant(Array::scalar(self.next as i64 - 1))
            }
        };
        let row = self.apply(&ops::INDEX, &[self.tensor.as_any(), &counter]);
        Some(Tensor::from_any(row))
    }
}
