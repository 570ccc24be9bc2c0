//! Padding: values around an array, either one value everywhere or the array mirrored at its borders.

use smallvec::SmallVec;

use crate::dispatch::{alike, dispatch, shape_text};
use crate::nest::{Nest, row_major};
use crate::{Array, Dims, Element, KernelError};

fn value_error(text: String) -> KernelError {
    KernelError::Value(text)
}

/// The number of values before and behind each axis.
pub struct Paddings(SmallVec<[(usize, usize); 6]>);

impl Paddings {
    /// One pair for each axis of an array of `rank`.
    ///
    /// # Errors
    /// `Paddings must be non-negative: -1 2`, or if there isn't one pair for each axis.
    pub fn new(before: &[i64], after: &[i64], rank: usize) -> Result<Paddings, KernelError> {
        if before.len() != rank || after.len() != rank {
            return Err(KernelError::Shape(format!(
                "The first dimension of paddings must be the rank of inputs, which is {rank}, not {}",
                before.len()
            )));
        }
        let pair = |(before, after): (&i64, &i64)| {
            usize::try_from(*before)
                .ok()
                .zip(usize::try_from(*after).ok())
                .ok_or_else(|| {
                    value_error(format!("Paddings must be non-negative: {before} {after}"))
                })
        };
        before
            .iter()
            .zip(after)
            .map(pair)
            .collect::<Result<_, _>>()
            .map(Paddings)
    }

    /// The number of values before and behind an axis.
    pub fn at(&self, axis: usize) -> (usize, usize) {
        self.0[axis]
    }

    /// A size with the padding of its axis; `None` if that overflows.
    pub fn padded(&self, axis: usize, size: usize) -> Option<usize> {
        let (before, after) = self.0[axis];
        size.checked_add(before)?.checked_add(after)
    }

    fn shape(&self, shape: &[usize]) -> Result<Dims, KernelError> {
        let padded = shape
            .iter()
            .enumerate()
            .map(|(axis, n)| self.padded(axis, *n));
        let padded: Option<Dims> = padded.collect();
        padded.ok_or_else(|| {
            value_error(format!(
                "the paddings of shape {} are too large",
                shape_text(shape)
            ))
        })
    }
}

/// Copies `x` into the middle of the larger array, in runs that are contiguous in both.
fn copy_inside<T: Element>(
    x: &Array,
    values: &[T],
    shape: &[usize],
    paddings: &Paddings,
    out: &mut [T],
) {
    let steps = row_major(shape);
    let start: usize = (steps.iter().enumerate())
        .map(|(axis, step)| paddings.at(axis).0 * *step as usize)
        .sum();
    if x.is_empty() {
        return;
    }
    let nest = Nest::new(x.shape(), [&row_major(x.shape()), &steps]);
    let [from_step, to_step] = nest.strides.map(|step| step as usize);
    nest.for_each([0, start], |[from, to]| match (from_step, to_step) {
        (1, 1) => out[to..to + nest.inner].clone_from_slice(&values[from..from + nest.inner]),
        // A last axis of size 1 that is padded.
        _ => (out[to..].iter_mut().step_by(to_step))
            .zip(values[from..].iter().step_by(from_step))
            .take(nest.inner)
            .for_each(|(o, v)| o.clone_from(v)),
    });
}

/// `x` with `value`, a scalar, before and behind each axis.
///
/// # Errors
/// `Paddings must be non-negative: -1 2`, or if the paddings, the value's dtype or its rank don't fit.
pub fn pad(
    x: &Array,
    value: &Array,
    before: &[i64],
    after: &[i64],
    out: &mut Array,
) -> Result<(), KernelError> {
    let paddings = Paddings::new(before, after, x.rank())?;
    let shape = paddings.shape(x.shape())?;
    if value.rank() != 0 {
        return Err(KernelError::Shape("`pad` takes a scalar value".to_owned()));
    }
    out.reset(x.dtype(), &shape)?;
    dispatch!(moved x, v => {
        let value = &alike("pad", x, value)?[0];
        let out = out.reset_like(x, &shape)?;
        out.fill(Clone::clone(value));
        copy_inside(x, v, &shape, &paddings, out);
        Ok(())
    })
}

/// How an array is mirrored at its borders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// The border itself isn't repeated: `3 2 | 1 2 3 | 2 1`.
    Reflect,
    /// The border is repeated: `2 1 | 1 2 3 | 3 2`.
    Symmetric,
}

impl Mirror {
    /// The name of the attribute: `reflect` or `symmetric`.
    pub fn name(self) -> &'static str {
        match self {
            Mirror::Reflect => "reflect",
            Mirror::Symmetric => "symmetric",
        }
    }

    /// The mirror of a [`name`](Self::name), if there is one.
    pub fn from_name(name: &str) -> Option<Mirror> {
        [Mirror::Reflect, Mirror::Symmetric]
            .into_iter()
            .find(|mirror| mirror.name() == name)
    }

    /// Fails if an axis has fewer values than are mirrored.
    ///
    /// # Errors
    /// `paddings must be less than the dimension size: 3, 2 not less than 3`.
    pub fn check(self, (before, after): (usize, usize), size: usize) -> Result<(), KernelError> {
        let most = before.max(after);
        let text = match self {
            _ if most == 0 => return Ok(()),
            Mirror::Reflect if most >= size => "less than the dimension size",
            Mirror::Symmetric if most > size => "no greater than the dimension size",
            _ => return Ok(()),
        };
        let relation = match self {
            Mirror::Reflect => "not less than",
            Mirror::Symmetric => "greater than",
        };
        Err(value_error(format!(
            "paddings must be {text}: {before}, {after} {relation} {size}"
        )))
    }
}

/// `x` mirrored before and behind each axis.
///
/// # Errors
/// `paddings must be less than the dimension size: 3, 2 not less than 3`, or if the paddings don't fit.
pub fn mirror_pad(
    x: &Array,
    mirror: Mirror,
    before: &[i64],
    after: &[i64],
    out: &mut Array,
) -> Result<(), KernelError> {
    let paddings = Paddings::new(before, after, x.rank())?;
    for (axis, size) in x.shape().iter().enumerate() {
        mirror.check(paddings.at(axis), *size)?;
    }
    let shape = paddings.shape(x.shape())?;
    out.reset(x.dtype(), &shape)?;
    dispatch!(moved x, v => {
        let out = out.reset_like(x, &shape)?;
        copy_inside(x, v, &shape, &paddings, out);
        // Starting with the last axis: the values that an axis mirrors are then already padded along the later axes.
        for axis in (0..shape.len()).rev() {
            mirror_axis(out, &shape, axis, paddings.at(axis), mirror);
        }
        Ok(())
    })
}

fn mirror_axis<T: Element>(
    out: &mut [T],
    shape: &[usize],
    axis: usize,
    (before, after): (usize, usize),
    mirror: Mirror,
) {
    let inner: usize = shape[axis + 1..].iter().product();
    let len = shape[axis];
    let apart = usize::from(mirror == Mirror::Reflect);
    if inner == 0 || len == 0 || before + after == 0 {
        return;
    }
    let end = len - after;
    for block in out.chunks_exact_mut(len * inner) {
        let (front, middle) = block.split_at_mut(before * inner);
        for n in 0..before {
            copy_row(middle, n + apart, front, before - 1 - n, inner);
        }
        let (middle, back) = block.split_at_mut(end * inner);
        for n in 0..after {
            copy_row(middle, end - 1 - apart - n, back, n, inner);
        }
    }
}

/// Copies a row of `len` values.
fn copy_row<T: Element>(from: &[T], row: usize, to: &mut [T], at: usize, len: usize) {
    to[at * len..(at + 1) * len].clone_from_slice(&from[row * len..(row + 1) * len]);
}
