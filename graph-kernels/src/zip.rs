//! Applies a function element by element to values of any type: to one operand, or to several with NumPy broadcasting. It is used for
//! strings; numbers and truth values use [`element`](crate::element).

use crate::nest::{Nest, broadcast_shapes, broadcast_strides};
use crate::{Array, Dims, Element, KernelError};

/// A typed view of an operand.
#[derive(Clone, Copy)]
pub(crate) struct View<'a, T> {
    pub shape: &'a [usize],
    pub values: &'a [T],
}

impl<'a, T> View<'a, T> {
    pub fn new(shape: &'a [usize], values: &'a [T]) -> View<'a, T> {
        View { shape, values }
    }
}

/// `out[i] = f(a[i])`.
pub(crate) fn map<A, O: Element>(
    a: View<A>,
    out: &mut Array,
    f: impl Fn(&A) -> O,
) -> Result<(), KernelError> {
    for (o, a) in out.reset_as(a.shape)?.iter_mut().zip(a.values) {
        *o = f(a);
    }
    Ok(())
}

/// Broadcasts `N` shapes against each other and calls `f` with the offsets of the operands' values, for every value of the output.
pub(crate) fn zip<const N: usize, O: Element>(
    shapes: [&[usize]; N],
    out: &mut Array,
    f: impl Fn([usize; N]) -> O,
) -> Result<(), KernelError> {
    let shape = shapes
        .iter()
        .try_fold(Dims::new(), |shape, next| broadcast_shapes(&shape, next))?;
    let strides = shapes.map(|operand| broadcast_strides(operand, &shape));
    let nest = Nest::new(&shape, std::array::from_fn(|n| &*strides[n]));
    let mut out = out.reset_as::<O>(&shape)?.iter_mut();
    nest.for_each([0; N], |offsets| {
        for (k, o) in out.by_ref().take(nest.inner).enumerate() {
            *o = f(std::array::from_fn(|n| {
                offsets[n] + k * nest.strides[n] as usize
            }));
        }
    });
    Ok(())
}
