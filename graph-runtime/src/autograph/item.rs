//! Indexing. `x[i]` as a value becomes `x.get_item(i)`: Rust's indexing and a copy for Rust collections, a slice of the graph for
//! tensors.

use std::ops::{Deref, Index};

use graph_kernels::Element;

use crate::tensor::{Tensor, TensorIndex};

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
    fn get_item(&self, index: I) -> Self::Item
    where
        Self::Item: Clone + Sized;
    /// `&x[i]`.
    fn item_ref(&self, index: I) -> &Self::Item;
}

#[diagnostic::do_not_recommend]
impl<C: Index<I> + ?Sized, I> IndexedBy<I> for C {
    type Item = C::Output;
    #[inline]
    #[track_caller]
    fn get_item(&self, index: I) -> C::Output
    where
        C::Output: Clone + Sized,
    {
        self[index].clone()
    }
    #[inline]
    #[track_caller]
    fn item_ref(&self, index: I) -> &C::Output {
        &self[index]
    }
}

/// Indexing of tensors.
pub trait TensorItem<T: Element> {
    /// `x[i]` as a value: a row, or a slice.
    fn get_item<I: TensorIndex>(&self, index: I) -> Tensor<T>;
    /// `&x[i]`.
    fn item_ref<I: TensorIndex>(&self, index: I) -> Row<T>;
}

/// A part of a tensor where a reference is due.
pub struct Row<T>(Tensor<T>);

impl<T> Deref for Row<T> {
    type Target = Tensor<T>;
    fn deref(&self) -> &Tensor<T> {
        &self.0
    }
}

impl<T: Element, S> TensorItem<T> for Tensor<T, S> {
    #[track_caller]
    fn get_item<I: TensorIndex>(&self, index: I) -> Tensor<T> {
        self.get(index)
    }
    #[track_caller]
    fn item_ref<I: TensorIndex>(&self, index: I) -> Row<T> {
        Row(self.get(index))
    }
}
