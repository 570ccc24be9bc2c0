//! Method calls on items: `x[i].method()`. If `x` is a tensor, the method is called on a row; if it is a collection, the item is a
//! place that the method may change. Generated code contains both calls, and a probe of the type chooses one:
//!
//! ```text
//! if ag::indexed(&x).gives_rows() { (*x.row__(i)).method() } else { x[ag::indexed(&x).at(i)].method() }
//! ```
//!
//! Rust type-checks both calls for every `x`. So a collection has a `row__` that is never called, and a tensor an `Index` that is
//! never used. A receiver that isn't a place needs no choice: `f(x)[i].method()` becomes `ag::rvalue(f(x))[i].method()`, because
//! the wrapper can store the row.

use std::any::Any;
use std::cell::OnceCell;
use std::ops::{Deref, DerefMut, Index, IndexMut};

use graph_kernels::Element;

use super::item::Row;
use crate::tensor::{Tensor, TensorIndex};
use crate::variable::{Variable, VariablePart};

/// An indexed value; its type decides.
pub struct Indexed<'a, X: ?Sized>(&'a X);

/// Wraps an indexed value, to choose by its type.
#[inline(always)]
pub fn indexed<X: ?Sized>(x: &X) -> Indexed<'_, X> {
    Indexed(x)
}

/// Tensors and variables.
pub trait IndexedTensor {
    #[doc(hidden)]
    fn gives_rows(self) -> bool;
    #[doc(hidden)]
    fn at<I>(self, index: I) -> Never;
}

/// Everything else.
pub trait IndexedPlace {
    #[doc(hidden)]
    fn gives_rows(&self) -> bool;
    #[doc(hidden)]
    fn at<I>(&self, index: I) -> I;
}

impl<X: ?Sized> IndexedPlace for Indexed<'_, X> {
    #[inline(always)]
    fn gives_rows(&self) -> bool {
        let _ = self.0;
        false
    }
    #[inline(always)]
    fn at<I>(&self, index: I) -> I {
        index
    }
}

impl<X: HasRows> IndexedTensor for Indexed<'_, X> {
    #[inline(always)]
    fn gives_rows(self) -> bool {
        true
    }
    fn at<I>(self, _: I) -> Never {
        unreachable!("a tensor is no place")
    }
}

/// A tensor, or a pointer to one: variables, references, guards, a `LazyLock`.
pub trait HasRows {}
impl<T: Element, S> HasRows for Tensor<T, S> {}
impl<P: Deref<Target: HasRows>> HasRows for P {}

/// An uninhabited index type.
pub enum Never {}

/// The types by which Rust's own `Index` of a tensor works: only `Never`, of which no value exists.
#[diagnostic::on_unimplemented(
    message = "a tensor is indexed by `[]` in a graph function only",
    label = "outside of one, write `.get(…)`",
    note = "add `#[graph_fn]` to the function, or write `x.get(i)`, `x.get((i, j))`, `x.get(1..)` for `x[i]`, `x[(i, j)]`, `x[1..]`"
)]
pub trait OfGraphFunction {}
#[diagnostic::do_not_recommend]
impl OfGraphFunction for Never {}

macro_rules! never_indexed {
    ($($type:ty => $output:ty;)*) => { $(
        impl<T: Element, S, I: OfGraphFunction> Index<I> for $type {
            type Output = $output;
            fn index(&self, _: I) -> &$output {
                unreachable!("there is no such index")
            }
        }
        impl<T: Element, S, I: OfGraphFunction> IndexMut<I> for $type {
            fn index_mut(&mut self, _: I) -> &mut $output {
                unreachable!("there is no such index")
            }
        }
    )* };
}
never_indexed! {
    Tensor<T, S> => Tensor<T>;
    Variable<T, S> => VariablePart<T, S>;
}

/// Indexing of variables. It reads them.
#[doc(hidden)]
impl<T: Element, S> Variable<T, S> {
    /// `v[i]` as a value.
    #[track_caller]
    pub fn item__<I: TensorIndex>(&self, index: I) -> Tensor<T> {
        self.read().get(index)
    }
    /// `&v[i]`.
    #[track_caller]
    pub fn item_ref__<I: TensorIndex>(&self, index: I) -> Row<T> {
        Row(self.read().get(index))
    }
    /// `v[i] = y`: exists only for the compiler's message that names the variable's methods for this.
    pub fn item_mut__<I, Y>(&self, _: I) -> Box<Y>
    where
        Self: ItemsAssigned,
    {
        unreachable!("no program gets here")
    }
    /// `v[i]` as the receiver of a method: one of a tensor, or one that assigns.
    #[track_caller]
    pub fn row__<I: TensorIndex>(&self, index: I) -> Box<VariablePart<T, S>> {
        Box::new(self.part(index))
    }
}

/// Implemented by no type: required where an item of a variable is assigned.
#[diagnostic::on_unimplemented(
    message = "the items of a variable are given values by a method",
    label = "a variable keeps its items, and is told to change them",
    note = "write `v[i].assign(x)` or `v[i].assign_add(x)`; `v.assign(x)` changes all of it"
)]
pub trait ItemsAssigned {}

/// An indexed value, with room for the row of a tensor.
pub struct Rvalue<X> {
    value: X,
    row: OnceCell<Box<dyn Any>>,
}

/// Wraps a value that is indexed.
#[inline(always)]
pub fn rvalue<X>(value: X) -> Rvalue<X> {
    Rvalue {
        value,
        row: OnceCell::new(),
    }
}

impl<X> Deref for Rvalue<X> {
    type Target = X;
    #[inline(always)]
    fn deref(&self) -> &X {
        &self.value
    }
}

impl<X> DerefMut for Rvalue<X> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut X {
        &mut self.value
    }
}

macro_rules! rows_of_values {
    ($($type:ty)*) => { $(
        impl<T: Element, S, I: TensorIndex> Index<I> for Rvalue<$type> {
            type Output = Tensor<T>;
            #[track_caller]
            fn index(&self, index: I) -> &Tensor<T> {
                let row = self.value.item__(index);
                let row = self.row.get_or_init(|| Box::new(row));
                row.downcast_ref().expect("a value is indexed once")
            }
        }
    )* };
}
rows_of_values! { Tensor<T, S> &Tensor<T, S> Variable<T, S> &Variable<T, S> }
