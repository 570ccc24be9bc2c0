//! Applying a function element by element: to one operand, to two or to three with NumPy broadcasting. Equal shapes and
//! scalars take straight loops that the compiler vectorizes; everything else walks a [`Nest`].

use crate::dispatch::typed;
use crate::nest::{Nest, broadcast_shapes, broadcast_strides};
use crate::{Array, Element, KernelError};

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
pub(crate) fn map<A, O: Element>(a: View<A>, out: &mut Array, f: impl Fn(&A) -> O) {
    for (o, a) in out.reset_as(a.shape).iter_mut().zip(a.values) {
        *o = f(a);
    }
}

/// `out[i] = f(a[i], b[i])` with broadcasting.
pub(crate) fn zip<A, B, O: Element>(
    a: View<A>,
    b: View<B>,
    out: &mut Array,
    f: impl Fn(&A, &B) -> O,
) -> Result<(), KernelError> {
    if a.shape == b.shape {
        let out = out.reset_as(a.shape);
        each(out, a.values, b.values, f);
    } else if let ([], [b]) = (b.shape, b.values) {
        map(a, out, |a| f(a, b));
    } else if let ([], [a]) = (a.shape, a.values) {
        map(b, out, |b| f(a, b));
    } else {
        let shape = broadcast_shapes(a.shape, b.shape)?;
        zip_strided(a, b, &shape, out.reset_as(&shape), f);
    }
    Ok(())
}

/// [`zip`] of two operands of one dtype, of which the first is typed already.
pub(crate) fn zip_same<T: Element, O: Element>(
    op: &str,
    (a, values): (&Array, &[T]),
    b: &Array,
    out: &mut Array,
    f: impl Fn(&T, &T) -> O,
) -> Result<(), KernelError> {
    zip(
        View::new(a.shape(), values),
        View::new(b.shape(), typed(op, b)?),
        out,
        f,
    )
}

#[inline(always)]
fn each<A, B, O>(out: &mut [O], a: &[A], b: &[B], f: impl Fn(&A, &B) -> O) {
    for ((o, a), b) in out.iter_mut().zip(a).zip(b) {
        *o = f(a, b);
    }
}

fn zip_strided<A, B, O>(
    a: View<A>,
    b: View<B>,
    shape: &[usize],
    out: &mut [O],
    f: impl Fn(&A, &B) -> O,
) {
    let nest = Nest::new(
        shape,
        [
            &broadcast_strides(a.shape, shape),
            &broadcast_strides(b.shape, shape),
        ],
    );
    let mut rows = out.chunks_exact_mut(nest.inner.max(1));
    nest.for_each([0, 0], |[i, j]| {
        let Some(row) = rows.next() else { return };
        let (a, b) = (&a.values[i..], &b.values[j..]);
        match nest.strides {
            [0, _] => row.iter_mut().zip(b).for_each(|(o, b)| *o = f(&a[0], b)),
            [_, 0] => row.iter_mut().zip(a).for_each(|(o, a)| *o = f(a, &b[0])),
            _ => each(row, a, b, &f),
        }
    });
}

/// `out[i] = f(a[i], b[i], c[i])` with broadcasting of all three.
pub(crate) fn zip3<A, B, C, O: Element>(
    a: View<A>,
    b: View<B>,
    c: View<C>,
    out: &mut Array,
    f: impl Fn(&A, &B, &C) -> O,
) -> Result<(), KernelError> {
    let shape = broadcast_shapes(a.shape, &broadcast_shapes(b.shape, c.shape)?)?;
    let strides = [a.shape, b.shape, c.shape].map(|operand| broadcast_strides(operand, &shape));
    let nest = Nest::new(&shape, [&strides[0], &strides[1], &strides[2]]);
    let out = out.reset_as(&shape);
    let mut rows = out.chunks_exact_mut(nest.inner.max(1));
    nest.for_each([0; 3], |[i, j, k]| {
        let Some(row) = rows.next() else { return };
        let (a, b, c) = (&a.values[i..], &b.values[j..], &c.values[k..]);
        let [sa, sb, sc] = nest.strides.map(|s| s as usize);
        if (sa, sb, sc) == (1, 1, 1) {
            for (((o, a), b), c) in row.iter_mut().zip(a).zip(b).zip(c) {
                *o = f(a, b, c);
            }
        } else {
            for (n, o) in row.iter_mut().enumerate() {
                *o = f(&a[n * sa], &b[n * sb], &c[n * sc]);
            }
        }
    });
    Ok(())
}
