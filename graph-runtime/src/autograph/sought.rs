//! `[1, 2, 3].contains(&x)` and `(0..10).contains(&x)`: a method of literal numbers or strings with a reference as its argument.
//! The type behind the reference decides: a tensor is tested for membership in the graph; for anything else, Rust's own method is called.

use std::ops::{Range, RangeInclusive};

use graph_kernels::Element;

use crate::tensor::{Number, Tensor, tensor};

/// The value that is searched for.
pub struct Sought<'a, X: ?Sized>(&'a X);

/// Wraps the value that is searched for, to choose by its type.
#[inline(always)]
pub fn sought<X: ?Sized>(x: &X) -> Sought<'_, X> {
    Sought(x)
}

/// Tensors.
pub trait SoughtTensor<T> {
    #[doc(hidden)]
    fn among<C: Holds<T>>(
        self,
        values: &C,
        method: impl FnOnce(&C, &C::Item) -> bool,
    ) -> Tensor<bool>;
}

/// Everything else.
pub trait SoughtValue<'a, X: ?Sized + 'a> {
    #[doc(hidden)]
    fn among<'c, C, Y>(&self, values: &'c C, method: impl FnOnce(&'c C, &'a X) -> Y) -> Y;
}

macro_rules! tensors {
    ($($type:ty)*) => { $(
        impl<T: Element, S> SoughtTensor<T> for Sought<'_, $type> {
            #[track_caller]
            fn among<C: Holds<T>>(self, values: &C, _: impl FnOnce(&C, &C::Item) -> bool) -> Tensor<bool> {
                values.holds(&Tensor::from_any(self.0.as_any().clone()))
            }
        }
    )* };
}
tensors! { Tensor<T, S> &Tensor<T, S> }

impl<'a, X: ?Sized> SoughtValue<'a, X> for Sought<'a, X> {
    #[inline(always)]
    fn among<'c, C, Y>(&self, values: &'c C, method: impl FnOnce(&'c C, &'a X) -> Y) -> Y {
        method(values, self.0)
    }
}

/// Collections that a tensor with elements `T` can be tested against.
pub trait Holds<T> {
    /// The Rust type of an item.
    #[doc(hidden)]
    type Item;
    #[doc(hidden)]
    fn holds(&self, x: &Tensor<T>) -> Tensor<bool>;
}

impl<T: Number, const N: usize> Holds<T> for [T; N] {
    type Item = T;
    #[track_caller]
    fn holds(&self, x: &Tensor<T>) -> Tensor<bool> {
        any(self.iter().map(|value| x.equal(tensor(value.clone()))))
    }
}

impl<'a, const N: usize> Holds<String> for [&'a str; N] {
    type Item = &'a str;
    #[track_caller]
    fn holds(&self, x: &Tensor<String>) -> Tensor<bool> {
        any(self.iter().map(|value| x.equal(*value)))
    }
}

#[track_caller]
fn any(mut equal: impl Iterator<Item = Tensor<bool>>) -> Tensor<bool> {
    let first = equal.next().unwrap_or_else(|| tensor(false));
    equal.fold(first, |found, is_it| found.logical_or(is_it))
}

impl<T: Number> Holds<T> for Range<T> {
    type Item = T;
    #[track_caller]
    fn holds(&self, x: &Tensor<T>) -> Tensor<bool> {
        let begun = x.ge(tensor(self.start.clone()));
        begun.logical_and(x.lt(tensor(self.end.clone())))
    }
}

impl<T: Number> Holds<T> for RangeInclusive<T> {
    type Item = T;
    #[track_caller]
    fn holds(&self, x: &Tensor<T>) -> Tensor<bool> {
        let begun = x.ge(tensor(self.start().clone()));
        begun.logical_and(x.le(tensor(self.end().clone())))
    }
}
