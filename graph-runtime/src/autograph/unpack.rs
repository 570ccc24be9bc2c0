//! The items of a `for` with a tuple pattern: `for (a, b) in pairs`. A row of a tensor is split along its first axis; any other
//! item must be a tuple.

use graph_kernels::{Array, Element};

use super::elements::Elements;
use super::items::{Items, RustItems, TensorRows};
use super::iter::{Counted, Numbered, Pairs};
use super::range::{Countable, TensorRange};
use crate::data::Record;
use crate::error::{Error, Location};
use crate::graph::Message;
use crate::ops::{self, Attrs};
use crate::tensor::Tensor;
use crate::trace::{self, AnyTensor};

/// Items that a tuple pattern can split.
pub trait Unpack: Items {
    /// The value that a pattern of two matches.
    type Pair;
    /// The value that a pattern of three matches.
    type Triple;
    /// The item for a pattern of two.
    #[track_caller]
    fn pair(item: Self::Item) -> Self::Pair;
    /// The item for a pattern of three.
    #[track_caller]
    fn triple(item: Self::Item) -> Self::Triple;
}

impl<T: Element> Unpack for TensorRows<T> {
    type Pair = (Tensor<T>, Tensor<T>);
    type Triple = (Tensor<T>, Tensor<T>, Tensor<T>);
    fn pair(row: Tensor<T>) -> Self::Pair {
        check_size(row.as_any(), 2);
        (row.get(0), row.get(1))
    }
    fn triple(row: Tensor<T>) -> Self::Triple {
        check_size(row.as_any(), 3);
        (row.get(0), row.get(1), row.get(2))
    }
}

/// Checks that a row has as many entries along its first axis as the pattern.
#[track_caller]
fn check_size(row: &AnyTensor, parts: usize) {
    let location = Location::caller();
    let shape = row.shape();
    let message = format!(
        "a row is taken apart into {parts} parts, so it must have {parts} along its first axis"
    );
    match shape.dims() {
        Some([Some(size), ..]) if *size == parts => {}
        Some([None, ..]) | None => {
            let apply = |op, operands: &[&AnyTensor]| {
                trace::apply(op, Attrs::default(), operands, location.clone())
            };
            let sizes = apply(&ops::SHAPE_OF, &[row]);
            let zero = AnyTensor::constant(Array::scalar(0i32));
            let expected = AnyTensor::constant(Array::scalar(parts as i32));
            let size = apply(&ops::INDEX, &[&sizes, &zero]);
            let fits = apply(&ops::EQUAL, &[&size, &expected]);
            trace::assert_that(&fits, Message::from(message), &[], location);
        }
        _ => trace::fail(Error::trace(
            format!("{message}, but it is of shape {shape}"),
            location,
        )),
    }
}

macro_rules! tuples_by_themselves {
    ($(($($generics:tt)*) $items:ty;)*) => { $(
        impl<$($generics)*> Unpack for $items {
            type Pair = Self::Item;
            type Triple = Self::Item;
            #[inline(always)]
            fn pair(item: Self::Item) -> Self::Item {
                item
            }
            #[inline(always)]
            fn triple(item: Self::Item) -> Self::Item {
                item
            }
        }
    )* };
}
tuples_by_themselves! {
    (I: Iterator) RustItems<I>;
    (T: Countable) TensorRange<T>;
    (I: Counted, J: Counted) Pairs<I, J>;
    (I: Counted) Numbered<I>;
    (T: Record) Elements<T>;
}
