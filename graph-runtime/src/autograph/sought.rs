//! `[1, 2, 3].contains(&x)` and `(0..10).contains(&x)`: a method of written numbers that is told a reference. The type behind the reference decides: for
//! a tensor this asks whether it is among them, for anything else it is Rust's method, whichever that is.

use std::ops::{Range, RangeInclusive};

use graph_kernels::Element;

use crate::tensor::{Number, Tensor, tensor};

/// What is looked for.
pub struct Sought<'a, X: ?Sized>(&'a X);

/// What is looked for, to ask for its type.
#[inline(always)]
pub fn sought<X: ?Sized>(x: &X) -> Sought<'_, X> {
    Sought(x)
}

/// Tensors.
pub trait SoughtTensor<T> {
    #[doc(hidden)]
    fn among<C: Holds<T>>(self, numbers: &C, method: impl FnOnce(&C, &T) -> bool) -> Tensor<bool>;
}

/// Everything else.
pub trait SoughtValue<'a, X: ?Sized + 'a> {
    #[doc(hidden)]
    fn among<'c, C, Y>(&self, numbers: &'c C, method: impl FnOnce(&'c C, &'a X) -> Y) -> Y;
}

macro_rules! tensors {
    ($($type:ty)*) => { $(
        impl<T: Number, S> SoughtTensor<T> for Sought<'_, $type> {
            #[track_caller]
            fn among<C: Holds<T>>(self, numbers: &C, _: impl FnOnce(&C, &T) -> bool) -> Tensor<bool> {
                numbers.holds(&Tensor::from_any(self.0.as_any().clone()))
            }
        }
    )* };
}
tensors! { Tensor<T, S> &Tensor<T, S> }

impl<'a, X: ?Sized> SoughtValue<'a, X> for Sought<'a, X> {
    #[inline(always)]
    fn among<'c, C, Y>(&self, numbers: &'c C, method: impl FnOnce(&'c C, &'a X) -> Y) -> Y {
        method(numbers, self.0)
    }
}

/// Numbers among which a tensor may be.
pub trait Holds<T> {
    #[doc(hidden)]
    fn holds(&self, x: &Tensor<T>) -> Tensor<bool>;
}

impl<T: Element, const N: usize> Holds<T> for [T; N] {
    #[track_caller]
    fn holds(&self, x: &Tensor<T>) -> Tensor<bool> {
        let mut found = tensor(false);
        for (i, number) in self.iter().enumerate() {
            let is_it = x.equal(tensor(number.clone()));
            found = if i == 0 {
                is_it
            } else {
                found.logical_or(is_it)
            };
        }
        found
    }
}

impl<T: Number> Holds<T> for Range<T> {
    #[track_caller]
    fn holds(&self, x: &Tensor<T>) -> Tensor<bool> {
        let begun = x.ge(tensor(self.start.clone()));
        begun.logical_and(x.lt(tensor(self.end.clone())))
    }
}

impl<T: Number> Holds<T> for RangeInclusive<T> {
    #[track_caller]
    fn holds(&self, x: &Tensor<T>) -> Tensor<bool> {
        let begun = x.ge(tensor(self.start().clone()));
        begun.logical_and(x.le(tensor(self.end().clone())))
    }
}
