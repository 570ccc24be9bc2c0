//! What only a graph function does with tensors: `a < b` and `for x in a`. Elsewhere they don't compile, for what Rust asks of them is asked of
//! values, and a symbolic tensor has none. What is here implements them on conditions that never hold, so that the compiler's messages lead to the
//! attribute: of the first it names the trait, of the second it shows the lines.

use crate::tensor::Tensor;

/// Implemented by nothing: tensors are compared by `<`, `==` and their like under `#[graph_fn]` only. Elsewhere `a.lt(b)` and `a.equal(b)` do it.
pub trait ComparedUnderGraphFnOnly {}

/// Implemented by nothing: a `for` runs over the rows of a tensor under `#[graph_fn]` only. Elsewhere `map_fn`, `fold` and `scan` do it, or
/// `a.unstack(0)` gives them.
pub trait LoopedOverUnderGraphFnOnly {
    /// The rows.
    type Rows: Iterator;
}

impl<T, S, R> PartialEq<R> for Tensor<T, S>
where
    Tensor<T, S>: ComparedUnderGraphFnOnly,
{
    fn eq(&self, _: &R) -> bool {
        unreachable!("nothing implements the bound")
    }
}

impl<T, S, R> PartialOrd<R> for Tensor<T, S>
where
    Tensor<T, S>: ComparedUnderGraphFnOnly,
{
    fn partial_cmp(&self, _: &R) -> Option<std::cmp::Ordering> {
        unreachable!("nothing implements the bound")
    }
}

#[rustfmt::skip] // The compiler shows the header.
impl<T, S> IntoIterator for Tensor<T, S> // `for x in tensor` is for functions under `#[graph_fn]`
where Tensor<T, S>: LoopedOverUnderGraphFnOnly {
    type Item = <Self::IntoIter as Iterator>::Item;
    type IntoIter = <Tensor<T, S> as LoopedOverUnderGraphFnOnly>::Rows;
    fn into_iter(self) -> Self::IntoIter {
        unreachable!("nothing implements the bound")
    }
}

#[rustfmt::skip]
impl<T, S> IntoIterator for &Tensor<T, S> // `for x in &tensor` is for functions under `#[graph_fn]`
where Tensor<T, S>: LoopedOverUnderGraphFnOnly {
    type Item = <Self::IntoIter as Iterator>::Item;
    type IntoIter = <Tensor<T, S> as LoopedOverUnderGraphFnOnly>::Rows;
    fn into_iter(self) -> Self::IntoIter {
        unreachable!("nothing implements the bound")
    }
}
