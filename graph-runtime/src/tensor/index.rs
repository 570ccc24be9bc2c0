//! Indexing: [`Tensor::get`] with positions, ranges and the other index parts, and the ops that take or replace rows.
//!
//! Leading positions are taken by one `index` op. All ranges of Rust numbers become one `strided_slice`. A range whose bounds or step are
//! tensors becomes a `slice_axis` (or `slice_rows`), a position after a range an `index_axis`. New axes are inserted last. Parts after an
//! [`Ellipsis`](super::Ellipsis) count their axes from the end, so the rank need not be known.

use graph_kernels::Element;

use super::parts::{AxisIndex, IndexPart, Position, RowIndex, Slice};
use super::{AnyTensor, AsOperand, SizeList, Sizes, Tensor, axis_attr};
use crate::error::{Error, Location};
use crate::ops::{self, Attr, Attrs};
use crate::trace;
use crate::tuples::up_to_six;

/// An index as [`Tensor::get`] takes it: an [`AxisIndex`] of the first axis, or a tuple (of up to six) or array of them for the first axes.
#[diagnostic::on_unimplemented(
    message = "a tensor cannot be indexed by `{Self}`",
    label = "expected a position, a range, or a tuple of up to six of them",
    note = "`x.gather(&indices)` takes several positions at once"
)]
pub trait TensorIndex {
    /// The parts of the index, one for each axis.
    #[doc(hidden)]
    fn into_parts(self) -> Vec<IndexPart>;
}

impl<I: AxisIndex> TensorIndex for I {
    fn into_parts(self) -> Vec<IndexPart> {
        vec![self.into_part()]
    }
}

/// An array is the same as a tuple of its elements: `x[[i, j]]` is an element of a matrix, as in the `ndarray` crate.
impl<I: AxisIndex, const N: usize> TensorIndex for [I; N] {
    fn into_parts(self) -> Vec<IndexPart> {
        self.into_iter().map(AxisIndex::into_part).collect()
    }
}

macro_rules! tuples {
    ($(($($name:ident $field:tt),*))*) => { $(
        impl<$($name: AxisIndex),*> TensorIndex for ($($name,)*) {
            fn into_parts(self) -> Vec<IndexPart> {
                vec![$(self.$field.into_part()),*]
            }
        }
    )* };
}
up_to_six!(tuples);

/// Applies the parts of an index.
#[track_caller]
pub(crate) fn take(x: &AnyTensor, parts: Vec<IndexPart>) -> AnyTensor {
    let (front, back) = around_the_rest(&parts);
    let is_leading = |part: &&IndexPart| matches!(part, IndexPart::At(_));
    let leading = front.iter().take_while(is_leading).count();
    let mut x = x.clone();
    if leading > 0 {
        let positions = front[..leading].iter().filter_map(|part| match part {
            IndexPart::At(i) => Some(i.to_any()),
            _ => None,
        });
        let operands: Vec<AnyTensor> = [x].into_iter().chain(positions).collect();
        let operands: Vec<&AnyTensor> = operands.iter().collect();
        x = AnyTensor::apply(&ops::INDEX, Attrs::default(), &operands);
    }
    let front = &front[leading..];
    x = slice_known(x, front, back);
    x = slice_dynamic(x, front, back);
    x = drop_positions(x, front, back);
    new_axes(x, front, back)
}

/// Splits the parts into those before and those after the ellipsis. Without an ellipsis, the second list is empty.
#[track_caller]
fn around_the_rest(parts: &[IndexPart]) -> (&[IndexPart], &[IndexPart]) {
    let rest = parts
        .iter()
        .position(|part| matches!(part, IndexPart::Rest));
    let (front, back) = match rest {
        Some(at) => (&parts[..at], &parts[at + 1..]),
        None => (parts, &[][..]),
    };
    if back.iter().any(|part| matches!(part, IndexPart::Rest)) {
        trace::fail(Error::trace(
            "an index has one `Ellipsis` at most",
            Location::caller(),
        ));
    }
    (front, back)
}

/// The attributes of the `set_part` op for an index, and the operands that follow the value.
#[track_caller]
pub(crate) fn set_part_arguments(parts: Vec<IndexPart>) -> (Attrs, Vec<AnyTensor>) {
    if parts.iter().any(|part| matches!(part, IndexPart::New)) {
        trace::fail(Error::trace(
            "an index to assign at has no `NewAxis`",
            Location::caller(),
        ));
    }
    let (front, back) = around_the_rest(&parts);
    let (mut axes, mut masks, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
    for (axis, part) in of_axes(front, back) {
        let none = Position::Known(0);
        let (begin, end, step, mask) = match part {
            IndexPart::At(at) => (at, &none, &Position::Known(1), 4),
            IndexPart::Slice(Slice { begin, end, step }) => {
                let mask = mask(begin.is_none(), end.is_none());
                let or_none = |bound| Option::unwrap_or(bound, &none);
                (or_none(begin.as_ref()), or_none(end.as_ref()), step, mask)
            }
            _ => continue,
        };
        axes.push(axis);
        masks.push(mask);
        bounds.extend([begin.to_any(), end.to_any(), step.to_any()]);
    }
    let attrs = Attrs::new()
        .with("axes", Attr::Ints(axes))
        .with("masks", Attr::Ints(masks));
    (attrs, bounds)
}

/// The parts that consume an axis of the tensor, each with its axis: counted from the first before the ellipsis, from the last after it.
fn of_axes<'a>(
    front: &'a [IndexPart],
    back: &'a [IndexPart],
) -> impl Iterator<Item = (i64, &'a IndexPart)> {
    let stands = |part: &&IndexPart| matches!(part, IndexPart::At(_) | IndexPart::Slice(_));
    let behind = back.iter().filter(stands).count() as i64;
    let front = (0..).zip(front.iter().filter(stands));
    front.chain((-behind..).zip(back.iter().filter(stands)))
}

/// A range of Rust numbers as begin, end and step.
type KnownSlice = (Option<i64>, Option<i64>, i64);

/// The range as Rust numbers, or `None` if a bound or the step is a tensor.
fn known(slice: &Slice) -> Option<KnownSlice> {
    let bound = |bound: &Option<Position>| match bound {
        None => Some(None),
        Some(position) => position.known().map(Some),
    };
    Some((
        bound(&slice.begin)?,
        bound(&slice.end)?,
        slice.step.known()?,
    ))
}

/// Applies the ranges of Rust numbers as one slice; does nothing if they take everything.
#[track_caller]
fn slice_known(x: AnyTensor, front: &[IndexPart], back: &[IndexPart]) -> AnyTensor {
    let slices: Vec<(i64, KnownSlice)> = of_axes(front, back)
        .filter_map(|(axis, part)| match part {
            IndexPart::Slice(slice) => Some((axis, known(slice)?)),
            _ => None,
        })
        .filter(|(_, slice)| *slice != (None, None, 1))
        .collect();
    if slices.is_empty() {
        return x;
    }
    AnyTensor::apply(&ops::STRIDED_SLICE, slice_attrs(&slices), &[&x])
}

fn slice_attrs(slices: &[(i64, KnownSlice)]) -> Attrs {
    let list =
        |value: fn(&(i64, KnownSlice)) -> i64| Attr::Ints(slices.iter().map(value).collect());
    Attrs::new()
        .with("axes", list(|(axis, _)| *axis))
        .with("begins", list(|(_, (begin, ..))| begin.unwrap_or(0)))
        .with("ends", list(|(_, (_, end, _))| end.unwrap_or(0)))
        .with("steps", list(|(_, (.., step))| *step))
        .with(
            "masks",
            list(|(_, (begin, end, _))| mask(begin.is_none(), end.is_none())),
        )
}

/// The bit mask of the bounds that a slice leaves out.
fn mask(no_begin: bool, no_end: bool) -> i64 {
    i64::from(no_begin) + 2 * i64::from(no_end)
}

/// Applies the ranges with a tensor as a bound or step.
#[track_caller]
fn slice_dynamic(mut x: AnyTensor, front: &[IndexPart], back: &[IndexPart]) -> AnyTensor {
    for (axis, part) in of_axes(front, back) {
        let IndexPart::Slice(slice) = part else {
            continue;
        };
        if known(slice).is_some() {
            continue;
        }
        let Slice { begin, end, step } = slice;
        let or = |bound: &Option<Position>, absent: i64| {
            bound.clone().unwrap_or(Position::Known(absent)).to_any()
        };
        if axis == 0 && step.known() == Some(1) {
            let operands = [&x, &or(begin, 0), &or(end, i64::MAX)];
            x = AnyTensor::apply(&ops::SLICE_ROWS, Attrs::default(), &operands);
            continue;
        }
        let attrs = Attrs::new()
            .with("axis", Attr::Int(axis))
            .with("mask", Attr::Int(mask(begin.is_none(), end.is_none())));
        let operands = [&x, &or(begin, 0), &or(end, 0), &step.to_any()];
        x = AnyTensor::apply(&ops::SLICE_AXIS, attrs, &operands);
    }
    x
}

/// Takes the positions after the first range. Those before the ellipsis are taken from the last to the first, those after it from the first
/// to the last, so that no axis that is still to be taken changes its number.
#[track_caller]
fn drop_positions(mut x: AnyTensor, front: &[IndexPart], back: &[IndexPart]) -> AnyTensor {
    let mut positions: Vec<(i64, &Position)> = of_axes(front, back)
        .filter_map(|(axis, part)| match part {
            IndexPart::At(i) => Some((axis, i)),
            _ => None,
        })
        .collect();
    let in_front = positions.iter().filter(|(axis, _)| *axis >= 0).count();
    positions[..in_front].reverse();
    for (axis, i) in positions {
        let attrs = Attrs::new().with("axis", Attr::Int(axis));
        x = AnyTensor::apply(&ops::INDEX_AXIS, attrs, &[&x, &i.to_any()]);
    }
    x
}

/// Inserts the new axes: those before the ellipsis from the first to the last, those after it from the last to the first.
#[track_caller]
fn new_axes(mut x: AnyTensor, front: &[IndexPart], back: &[IndexPart]) -> AnyTensor {
    let mut insert = |axis: isize| x = AnyTensor::apply(&ops::EXPAND_DIMS, axis_attr(axis), &[&x]);
    let stays = |part: &&IndexPart| !matches!(part, IndexPart::At(_));
    for (axis, part) in (0..).zip(front.iter().filter(stays)) {
        if matches!(part, IndexPart::New) {
            insert(axis);
        }
    }
    for (after, part) in (0..).zip(back.iter().rev().filter(stays)) {
        if matches!(part, IndexPart::New) {
            insert(-1 - after);
        }
    }
    x
}

impl<T: Element, S> Tensor<T, S> {
    /// The part at an index. A position on the first axis removes that axis; a range keeps it and is clipped to the size. A tuple indexes
    /// several axes; in it, [`NewAxis`](super::NewAxis) adds an axis and [`Ellipsis`](super::Ellipsis) stands for all axes that are left.
    /// Negative numbers count from the end. Positions, and bounds and [steps](super::AxisRange::by) of ranges, may be scalar tensors.
    ///
    /// # Errors
    /// When run, if a position is out of bounds.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.get(-1).to_vec(), [4, 5, 6]);
    /// assert_eq!(x.get((.., 1..)).to_vec(), [2, 3, 5, 6]);
    /// assert_eq!(x.get((tensor(1), 0)).item(), 4);
    /// assert_eq!(x.get((Ellipsis, tensor(1)..)).to_vec(), [2, 3, 5, 6]);
    /// assert_eq!(x.get((.., (..).by(-2), NewAxis)).shape().to_string(), "[2,2,1]");
    /// ```
    #[doc(alias("strided_slice", "index"))]
    #[track_caller]
    pub fn get(&self, index: impl TensorIndex) -> Tensor<T> {
        Tensor::from_any(take(&self.any, index.into_parts()))
    }

    /// Row `i` of the first axis: [`get`](Self::get) with one position.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).row(1).to_vec(), [3, 4]);
    /// ```
    #[track_caller]
    pub fn row(&self, i: impl RowIndex) -> Tensor<T> {
        self.get(i)
    }

    /// Every `step`-th element along one axis from `begin` up to but without `end`, clipped to the size. A negative step goes backwards.
    /// `None` means the beginning or the end of the axis.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3, 4]).slice_axis(0, None, None, -2).to_vec(), [4, 2]);
    /// ```
    #[doc(alias("narrow"))]
    #[track_caller]
    pub fn slice_axis(
        &self,
        axis: isize,
        begin: Option<isize>,
        end: Option<isize>,
        step: isize,
    ) -> Tensor<T> {
        let wide = |bound: Option<isize>| bound.map(|b| b as i64);
        let slice = (axis as i64, (wide(begin), wide(end), step as i64));
        self.unary(&ops::STRIDED_SLICE, slice_attrs(&[slice]))
    }

    /// The part that begins at `begin` and has the given sizes, with one number for each axis in both lists; the size -1 takes the rest of
    /// the axis. Both may be vector tensors. Nothing is clipped.
    ///
    /// # Errors
    /// If the lists don't have one number for each axis; when run, if the part isn't inside the tensor.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2], [3, 4], [5, 6]]);
    /// assert_eq!(x.slice(&[1, 0], &[-1, 1]).to_vec(), [3, 5]);
    /// assert_eq!(x.slice(tensor([2, 0]), &[1, 2]).to_vec(), [5, 6]);
    /// ```
    #[doc(alias("dynamic_slice"))]
    #[track_caller]
    pub fn slice(&self, begin: impl Sizes<usize>, size: impl Sizes<isize>) -> Tensor<T> {
        let begin = begin.into_sizes().to_any();
        Tensor::from_any(match size.into_sizes() {
            SizeList::Known(sizes) => {
                let attrs = Attrs::new().with("sizes", Attr::Ints(sizes));
                AnyTensor::apply(&ops::SLICE, attrs, &[&self.any, &begin])
            }
            SizeList::Tensor(sizes) => {
                AnyTensor::apply(&ops::SLICE_TO, Attrs::new(), &[&self.any, &begin, &sizes])
            }
        })
    }

    /// A copy in which row `i` of the first axis is replaced. The new row must have the shape of a row.
    ///
    /// # Errors
    /// When run, if there is no such row.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3]).with_row(1, 20).to_vec(), [1, 20, 3]);
    /// ```
    #[track_caller]
    pub fn with_row(&self, i: impl RowIndex, row: impl AsOperand<T>) -> Tensor<T> {
        let (i, row) = (i.into_position().to_any(), row.into_operand());
        Tensor::from_any(AnyTensor::apply(
            &ops::SET_ROW,
            Attrs::default(),
            &[&self.any, &i, &row],
        ))
    }

    /// A copy in which the part that [`get`](Self::get) takes at this index is replaced. The value broadcasts to the part. In a graph
    /// function, `x[i] = value` does the same to the variable `x`. (`x.at[i].set(value)` in JAX)
    ///
    /// # Errors
    /// If the index has a [`NewAxis`](super::NewAxis); when run, if a position is out of bounds or the value doesn't broadcast to the part.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2], [3, 4], [5, 6]]);
    /// assert_eq!(x.with_part((-1, 0), 50).to_vec(), [1, 2, 3, 4, 50, 6]);
    /// assert_eq!(x.with_part((1.., 1), 0).to_vec(), [1, 2, 3, 0, 5, 0]);
    /// ```
    #[doc(alias("at", "slice_scatter", "select_scatter", "dynamic_update_slice"))]
    #[track_caller]
    pub fn with_part(&self, index: impl TensorIndex, value: impl AsOperand<T>) -> Tensor<T> {
        let mut whole = self.any.clone();
        set_part(&mut whole, index, &value.into_operand(), Location::caller());
        Tensor::from_any(whole)
    }
}

/// Replaces a part of an array. A row of exactly the right shape is written by an op of its own, which is the fastest in loops over small
/// arrays.
#[track_caller]
pub(crate) fn set_part(
    x: &mut AnyTensor,
    index: impl TensorIndex,
    value: &AnyTensor,
    location: Location,
) {
    let parts = index.into_parts();
    if let [IndexPart::At(at)] = &parts[..]
        && is_row(x, value)
    {
        let operands = [&at.to_any(), value];
        return trace::update(&ops::SET_ROW, Attrs::default(), x, &operands, location);
    }
    let (attrs, bounds) = set_part_arguments(parts);
    let operands: Vec<&AnyTensor> = std::iter::once(value).chain(&bounds).collect();
    trace::update(&ops::SET_PART, attrs, x, &operands, location);
}

/// Whether the value's shape is known and is that of a row of `x`.
fn is_row(x: &AnyTensor, value: &AnyTensor) -> bool {
    let (x, value) = (x.ty().shape, value.ty().shape);
    match (x.dims(), value.dims()) {
        (Some([_, row @ ..]), Some(value)) => {
            row == value && value.iter().all(|size| size.is_some())
        }
        _ => false,
    }
}
