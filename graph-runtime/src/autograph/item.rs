//! Indexing. As a value, `x[i]` becomes `x.item__(i)`: Rust's indexing and a copy for Rust collections, a slice of the graph for
//! tensors. `x[i] = y` becomes `*ag__::target(x.item_mut__(i)) = y`: it assigns an item of a collection, and gives a tensor a new value.
//!
//! `x[i].method()` is different: for a collection, `x[i]` is a place that the method may change, and the method's name doesn't say
//! whether it does. So generated code contains both a row of a tensor and Rust's indexing, and the type of `x` chooses one (`indexed.rs`).

use std::ops::{Deref, DerefMut, Index, IndexMut};

use graph_kernels::Element;

use crate::error::Location;
use crate::tensor::{Tensor, TensorIndex, set_part};

/// Indexing of Rust collections.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be indexed by `{I}`",
    label = "no item of `{Self}` at a `{I}`",
    note = "an index into a Rust collection must be known while tracing; a tensor is an index into a tensor only: `tensor(items)[i]`"
)]
pub trait IndexedBy<I> {
    /// The item.
    type Item: ?Sized;
    /// `x[i]` as a value.
    fn item__(&self, index: I) -> Self::Item
    where
        Self::Item: Clone + Sized;
    /// `&x[i]`.
    fn item_ref__(&self, index: I) -> &Self::Item;
    /// `x[i]` as the target of an assignment.
    fn item_mut__(&mut self, index: I) -> &mut <Self as Index<I>>::Output
    where
        Self: IndexMut<I>;
    /// `x[i]` as the receiver of a method, if `x` is a tensor; never called for a collection.
    #[allow(clippy::mut_from_ref, reason = "there is no value")]
    fn row__(&self, _: I) -> &mut Self::Item {
        unreachable!("a collection has no rows")
    }
}

#[diagnostic::do_not_recommend]
impl<C: Index<I> + ?Sized, I> IndexedBy<I> for C {
    type Item = C::Output;
    #[inline]
    #[track_caller]
    fn item__(&self, index: I) -> C::Output
    where
        C::Output: Clone + Sized,
    {
        self[index].clone()
    }
    #[inline]
    #[track_caller]
    fn item_ref__(&self, index: I) -> &C::Output {
        &self[index]
    }
    #[inline]
    #[track_caller]
    fn item_mut__(&mut self, index: I) -> &mut C::Output
    where
        C: IndexMut<I>,
    {
        &mut self[index]
    }
}

/// The place that an assignment writes. Of a call as the target, the compiler's message about the value's type explains nothing; of a method it
/// would explain how that was found.
#[inline(always)]
pub fn target<P>(item: P) -> P {
    item
}

/// A part of a tensor where a reference is needed.
pub struct Row<T>(pub(super) Tensor<T>);

impl<T> Deref for Row<T> {
    type Target = Tensor<T>;
    fn deref(&self) -> &Tensor<T> {
        &self.0
    }
}

/// Indexing of tensors. These are inherent methods, which Rust prefers to those of a trait.
#[doc(hidden)]
impl<T: Element, S> Tensor<T, S> {
    /// `x[i]` as a value: a row or a slice.
    #[track_caller]
    pub fn item__<I: TensorIndex>(&self, index: I) -> Tensor<T> {
        self.get(index)
    }
    /// `&x[i]`.
    #[track_caller]
    pub fn item_ref__<I: TensorIndex>(&self, index: I) -> Row<T> {
        Row(self.get(index))
    }
    /// `x[i]` as the receiver of a method.
    #[track_caller]
    pub fn row__<I: TensorIndex>(&self, index: I) -> Row<T> {
        Row(self.get(index))
    }
    /// `x[i]` as the target of an assignment.
    #[track_caller]
    pub fn item_mut__<I: TensorIndex + Clone>(&mut self, index: I) -> RowMut<'_, T, S, I> {
        RowMut {
            part: self.get(index.clone()),
            of: self,
            index: Some(index),
            location: Location::caller(),
        }
    }
}

/// A part of a tensor during an assignment. The assigned value is written to the tensor when this is dropped.
pub struct RowMut<'a, T: Element, S, I: TensorIndex> {
    of: &'a mut Tensor<T, S>,
    index: Option<I>,
    part: Tensor<T>,
    location: Location,
}

impl<T: Element, S, I: TensorIndex> Deref for RowMut<'_, T, S, I> {
    type Target = Tensor<T>;
    fn deref(&self) -> &Tensor<T> {
        &self.part
    }
}

impl<T: Element, S, I: TensorIndex> DerefMut for RowMut<'_, T, S, I> {
    fn deref_mut(&mut self) -> &mut Tensor<T> {
        &mut self.part
    }
}

impl<T: Element, S, I: TensorIndex> Drop for RowMut<'_, T, S, I> {
    fn drop(&mut self) {
        // During a panic the tensor stays unchanged.
        if let Some(index) = self.index.take().filter(|_| !std::thread::panicking()) {
            let location = self.location.clone();
            set_part(self.of.any_mut(), index, self.part.as_any(), location);
        }
    }
}
