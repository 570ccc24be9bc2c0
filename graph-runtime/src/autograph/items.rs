//! What `for` runs over: any Rust iterator, the rows of a tensor, a range with tensor bounds. (A dataset: `elements`.)

use graph_kernels::{Array, DType, Element};

use super::kind::{Graph, Kind, Rust};
use crate::ops::{self, Attr, Attrs};
use crate::tensor::Tensor;
use crate::tensor::any::AnyTensor;

/// What can stand behind `for … in`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something a `for` can run over",
    label = "expected a Rust iterator, a tensor or a range",
    note = "to count, write a range: `0..n`"
)]
pub trait Iterate {
    /// Whether Rust or the graph decides about the number of iterations.
    type Kind: Kind;
    /// The items.
    type Items: Items;
    /// The items.
    fn items(self) -> Self::Items;
}

/// The items of a `for`, one after the other.
pub trait Items {
    /// One item.
    type Item;
    /// How long the loop goes on, where the graph decides. Asked once, by a loop that is being traced, before its first item.
    fn limit(&mut self) -> Option<Limit>;
    /// The next item; the one with this number in a traced loop.
    fn next(&mut self, counter: Option<AnyTensor>) -> Option<Self::Item>;
}

/// How long a loop of a graph goes on.
pub enum Limit {
    /// For so many items: an `int32` scalar.
    Count(AnyTensor),
    /// As long as an iteration over a dataset has elements.
    Elements(AnyTensor),
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator> Iterate for I {
    type Kind = Rust;
    type Items = RustItems<I::IntoIter>;
    fn items(self) -> Self::Items {
        RustItems(self.into_iter())
    }
}

/// The items of a Rust iterator.
pub struct RustItems<I>(I);

impl<I: Iterator> Items for RustItems<I> {
    type Item = I::Item;
    fn limit(&mut self) -> Option<Limit> {
        None
    }
    fn next(&mut self, _: Option<AnyTensor>) -> Option<I::Item> {
        self.0.next()
    }
}

/// The rows of a tensor along its first axis.
pub struct Rows<T> {
    tensor: Tensor<T>,
    next: i32,
}

#[diagnostic::do_not_recommend]
impl<T: Element, S> Iterate for Tensor<T, S> {
    type Kind = Graph;
    type Items = Rows<T>;
    fn items(self) -> Rows<T> {
        Rows {
            tensor: Tensor::from_any(self.into_any()),
            next: 0,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, S> Iterate for &Tensor<T, S> {
    type Kind = Graph;
    type Items = Rows<T>;
    fn items(self) -> Rows<T> {
        Rows {
            tensor: Tensor::from_any(self.as_any().clone()),
            next: 0,
        }
    }
}

impl<T: Element> Items for Rows<T> {
    type Item = Tensor<T>;
    fn limit(&mut self) -> Option<Limit> {
        Some(Limit::Count(self.tensor.len_tensor().into_any()))
    }
    fn next(&mut self, counter: Option<AnyTensor>) -> Option<Tensor<T>> {
        let counter = match counter {
            Some(counter) => counter,
            None if self.next as usize >= self.tensor.dim(0) => return None,
            None => {
                self.next += 1;
                AnyTensor::constant(Array::scalar(self.next - 1))
            }
        };
        Some(Tensor::from_any(AnyTensor::apply(
            &ops::INDEX,
            Attrs::default(),
            &[self.tensor.as_any(), &counter],
        )))
    }
}

/// A range of which a bound is a tensor: `start`, `start + step`, … before `end`.
#[derive(Clone)]
pub struct TensorRange<T> {
    start: AnyTensor,
    end: AnyTensor,
    step: i64,
    next: i32,
    element: std::marker::PhantomData<T>,
}

/// The numbers that count: `int32` and `int64`.
#[allow(private_bounds)]
pub trait Countable: Element + Bound {
    /// A number of this type.
    #[doc(hidden)]
    fn of_i64(value: i64) -> Array;
}
impl Countable for i32 {
    fn of_i64(value: i64) -> Array {
        Array::scalar(value as i32)
    }
}
impl Countable for i64 {
    fn of_i64(value: i64) -> Array {
        Array::scalar(value)
    }
}

fn apply(op: &'static ops::OpDef, a: &AnyTensor, b: &AnyTensor) -> AnyTensor {
    AnyTensor::apply(op, Attrs::default(), &[a, b])
}

impl<T: Countable> TensorRange<T> {
    pub(crate) fn new(start: AnyTensor, end: AnyTensor, inclusive: bool) -> TensorRange<T> {
        let end = if inclusive {
            apply(&ops::ADD, &end, &Self::number(1))
        } else {
            end
        };
        TensorRange {
            start,
            end,
            step: 1,
            next: 0,
            element: std::marker::PhantomData,
        }
    }

    fn number(value: i64) -> AnyTensor {
        AnyTensor::constant(T::of_i64(value))
    }

    /// How many numbers: (end - start) / step, rounded up, at least 0.
    fn len(&self) -> AnyTensor {
        let span = apply(&ops::SUB, &self.end, &self.start);
        let span = apply(
            &ops::ADD,
            &span,
            &Self::number(self.step - self.step.signum()),
        );
        apply(
            &ops::MAXIMUM,
            &apply(&ops::DIV, &span, &Self::number(self.step)),
            &Self::number(0),
        )
    }

    /// The numbers from the last to the first.
    pub fn rev(self) -> TensorRange<T> {
        let last = apply(&ops::SUB, &self.len(), &Self::number(1));
        let last = apply(
            &ops::ADD,
            &self.start,
            &apply(&ops::MUL, &last, &Self::number(self.step)),
        );
        let end = apply(&ops::SUB, &self.start, &Self::number(self.step.signum()));
        TensorRange {
            start: last,
            end,
            step: -self.step,
            ..self
        }
    }

    /// Every `step`-th number, from the first.
    ///
    /// # Panics
    /// If `step` is 0, like [`Iterator::step_by`].
    pub fn step_by(self, step: usize) -> TensorRange<T> {
        assert!(step != 0, "a range can't advance by steps of 0");
        TensorRange {
            step: self.step * step as i64,
            ..self
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Countable> Iterate for TensorRange<T> {
    type Kind = Graph;
    type Items = TensorRange<T>;
    fn items(self) -> TensorRange<T> {
        self
    }
}

impl<T: Countable> Items for TensorRange<T> {
    type Item = Tensor<T>;
    fn limit(&mut self) -> Option<Limit> {
        Some(Limit::Count(cast(&self.len(), DType::I32)))
    }
    fn next(&mut self, counter: Option<AnyTensor>) -> Option<Tensor<T>> {
        let counter = match counter {
            Some(counter) => cast(&counter, T::DTYPE),
            None => {
                let len = cast(&self.len(), DType::I32).array();
                if len
                    .values::<i32>()
                    .is_none_or(|v| v.first().is_none_or(|n| self.next >= *n))
                {
                    return None;
                }
                self.next += 1;
                Self::number(i64::from(self.next) - 1)
            }
        };
        let offset = if self.step == 1 {
            counter
        } else {
            apply(&ops::MUL, &counter, &Self::number(self.step))
        };
        Some(Tensor::from_any(apply(&ops::ADD, &self.start, &offset)))
    }
}

fn cast(tensor: &AnyTensor, dtype: DType) -> AnyTensor {
    if tensor.dtype() == dtype {
        return tensor.clone();
    }
    AnyTensor::apply(
        &ops::CAST,
        Attrs::new().with("dtype", Attr::DType(dtype)),
        &[tensor],
    )
}

/// The bounds of a range in a `for`, on their way to a Rust range or a [`TensorRange`].
pub struct Bounds<A, B>(std::cell::Cell<Option<(A, B)>>);

/// The bounds of a range in a `for`.
pub fn bounds<A, B>(start: A, end: B) -> Bounds<A, B> {
    Bounds(std::cell::Cell::new(Some((start, end))))
}

/// Bounds that Rust can count between.
pub trait RustBounds<T> {
    /// `start..end`.
    fn range(self) -> std::ops::Range<T>;
    /// `start..=end`.
    fn range_inclusive(self) -> std::ops::RangeInclusive<T>;
}

impl<T> RustBounds<T> for Bounds<T, T>
where
    std::ops::Range<T>: Iterator,
{
    fn range(self) -> std::ops::Range<T> {
        let (start, end) = self.0.into_inner().expect("new bounds");
        start..end
    }
    fn range_inclusive(self) -> std::ops::RangeInclusive<T> {
        let (start, end) = self.0.into_inner().expect("new bounds");
        start..=end
    }
}

/// Bounds of which one is a tensor.
pub trait TensorBounds<T> {
    /// `start..end`.
    fn range(&self) -> TensorRange<T>;
    /// `start..=end`.
    fn range_inclusive(&self) -> TensorRange<T>;
}

macro_rules! tensor_bounds {
    ($([$($s:ident)*] $a:ty, $b:ty;)*) => { $(
        impl<T: Countable $(, $s)*> TensorBounds<T> for Bounds<$a, $b> {
            #[track_caller]
            fn range(&self) -> TensorRange<T> {
                let (start, end) = self.0.take().expect("new bounds");
                TensorRange::new(start.bound(), end.bound(), false)
            }
            #[track_caller]
            fn range_inclusive(&self) -> TensorRange<T> {
                let (start, end) = self.0.take().expect("new bounds");
                TensorRange::new(start.bound(), end.bound(), true)
            }
        }
    )* };
}
tensor_bounds! {
    [S] T, Tensor<T, S>;
    [S] Tensor<T, S>, T;
    [S R] Tensor<T, S>, Tensor<T, R>;
    [S] T, &Tensor<T, S>;
    [S] &Tensor<T, S>, T;
    [S R] Tensor<T, S>, &Tensor<T, R>;
    [S R] &Tensor<T, S>, Tensor<T, R>;
    [S R] &Tensor<T, S>, &Tensor<T, R>;
}

/// Bounds that neither Rust nor the graph counts between: only there to say so.
pub trait Uncountable<A, B> {
    /// `start..end`.
    fn range(&mut self) -> std::ops::Range<i32>
    where
        A: CountTo<B>,
    {
        0..0
    }
    /// `start..=end`.
    fn range_inclusive(&mut self) -> std::ops::Range<i32>
    where
        A: CountTo<B>,
    {
        0..0
    }
}
impl<A, B> Uncountable<A, B> for Bounds<A, B> {}

/// Implemented by nothing: asked for where nothing counts from one bound to the other.
#[diagnostic::on_unimplemented(
    message = "can't count from `{Self}` to `{B}`",
    label = "no range from `{Self}` to `{B}`",
    note = "a range has bounds of one integer type, or of a tensor of it: `0..n` for `n: Tensor<i32>`, `0i64..n` for `n: Tensor<i64>`"
)]
pub trait CountTo<B> {}

trait Bound {
    fn bound(self) -> AnyTensor;
}
impl<T: Element, S> Bound for Tensor<T, S> {
    fn bound(self) -> AnyTensor {
        self.into_any()
    }
}
impl<T: Element, S> Bound for &Tensor<T, S> {
    fn bound(self) -> AnyTensor {
        self.as_any().clone()
    }
}
impl Bound for i32 {
    fn bound(self) -> AnyTensor {
        AnyTensor::constant(Array::scalar(self))
    }
}
impl Bound for i64 {
    fn bound(self) -> AnyTensor {
        AnyTensor::constant(Array::scalar(self))
    }
}
