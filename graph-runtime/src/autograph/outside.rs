//! `a < b` and `for x in a` on tensors, which work only in graph functions. Elsewhere they don't compile, because Rust's operators
//! need values, and a symbolic tensor has none. This file implements them with bounds that nothing meets, so that the compiler's
//! message points to the attribute: for the comparison by the name of the trait, for the loop by the line of the implementation.

use crate::tensor::Tensor;

/// Implemented by no type: tensors can be compared by `<`, `==` and so on only under `#[graph_fn]`. Elsewhere use `a.lt(b)` and `a.equal(b)`.
pub trait ComparedUnderGraphFnOnly {}

/// Implemented by no type: a `for` can loop over the rows of a tensor only under `#[graph_fn]`. Elsewhere write `a.iter()`,
/// use `map_fn`, `fold` or `scan`, or get the rows by `a.unstack(0)`.
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
impl<T, S> IntoIterator for Tensor<T, S> // only under `#[graph_fn]`; elsewhere: `for x in tensor.unstack(0)`
where Tensor<T, S>: LoopedOverUnderGraphFnOnly {
    type Item = <Self::IntoIter as Iterator>::Item;
    type IntoIter = <Tensor<T, S> as LoopedOverUnderGraphFnOnly>::Rows;
    fn into_iter(self) -> Self::IntoIter {
        unreachable!("nothing implements the bound")
    }
}

#[rustfmt::skip]
impl<T, S> IntoIterator for &Tensor<T, S> // only under `#[graph_fn]`; elsewhere: `for x in tensor.unstack(0)`
where Tensor<T, S>: LoopedOverUnderGraphFnOnly {
    type Item = <Self::IntoIter as Iterator>::Item;
    type IntoIter = <Tensor<T, S> as LoopedOverUnderGraphFnOnly>::Rows;
    fn into_iter(self) -> Self::IntoIter {
        unreachable!("nothing implements the bound")
    }
}
