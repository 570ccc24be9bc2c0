//! Ranges with a tensor as a bound. Their length is counted in 64 bits, because the length of a range of `i32`s may exceed an
//! `i32`. A length that exceeds 64 bits is an error.

use graph_kernels::{Array, DType, Element};

use super::items::{Items, Iterate, Limit};
use crate::error::Location;
use crate::graph::Message;
use crate::kind::Graph;
use crate::ops::{self, Attr, Attrs, OneValue, OpDef};
use crate::tensor::Tensor;
use crate::trace::{self, AnyTensor};
use crate::variable::Variable;

/// A range with a tensor as a bound: `start`, `start + step`, … before `end`.
#[derive(Clone)]
pub struct TensorRange<T> {
    start: AnyTensor,
    /// The length: an `int32` tensor if it certainly fits, else `int64`.
    count: AnyTensor,
    /// The difference between neighbours. All arithmetic wraps, so a step that exceeds the numbers' type does no harm.
    step: i64,
    next: i64,
    location: Location,
    element: std::marker::PhantomData<T>,
}

/// The element types of ranges: integers.
#[allow(private_bounds)]
pub trait Countable: Element + Bound {}

impl<T: Countable> TensorRange<T> {
    #[track_caller]
    fn new(start: End, end: End, inclusive: bool, location: Location) -> TensorRange<T> {
        // From this start on, the length fits the numbers' type.
        let fits = start.known.is_some_and(|n| n >= i64::from(inclusive));
        let end = trace::scalar(&end.tensor, OneValue::Range, &location);
        let mut range = TensorRange {
            start: trace::scalar(&start.tensor, OneValue::Range, &location),
            count: end.clone(),
            step: 1,
            next: 0,
            location,
            element: std::marker::PhantomData,
        };
        range.count = range.length(&end, inclusive, fits);
        range
    }

    /// The length of the range up to `end` with step 1.
    fn length(&self, end: &AnyTensor, inclusive: bool, fits: bool) -> AnyTensor {
        let dtype = match T::DTYPE {
            DType::U64 => DType::U64,
            DType::I32 | DType::I64 if fits => T::DTYPE,
            _ => DType::I64,
        };
        let [first, last] = [&self.start, end].map(|bound| self.cast(bound, dtype));
        let span = self.apply(&ops::SUB, &self.apply(&ops::MAXIMUM, &last, &first), &first);
        let count = if inclusive {
            let one_more = self.apply(&ops::GREATER_EQUAL, &last, &first);
            self.apply(&ops::ADD, &span, &self.cast(&one_more, dtype))
        } else {
            span.clone()
        };
        if dtype == DType::U64 || T::DTYPE == DType::I64 && !fits {
            let [span, count] = [&span, &count].map(|length| self.cast(length, DType::I64));
            self.check(&self.apply(&ops::MINIMUM, &span, &count), end, inclusive);
            return count;
        }
        count
    }

    /// Fails the run if a length has wrapped.
    fn check(&self, length: &AnyTensor, end: &AnyTensor, inclusive: bool) {
        let holds = self.apply(&ops::GREATER_EQUAL, length, &number(0, DType::I64));
        let dots = if inclusive { "..=" } else { ".." };
        let texts = ["the range ", dots, " has more numbers than an `i64` counts"];
        let message = Message::new(texts.map(str::to_owned).into());
        let bounds = [self.start.clone(), end.clone()];
        trace::assert_that(&holds, message, &bounds, self.location.clone());
    }

    fn apply(&self, op: &'static OpDef, a: &AnyTensor, b: &AnyTensor) -> AnyTensor {
        trace::apply(op, Attrs::default(), &[a, b], self.location.clone())
    }

    fn cast(&self, tensor: &AnyTensor, dtype: DType) -> AnyTensor {
        if tensor.dtype() == dtype {
            return tensor.clone();
        }
        let attrs = Attrs::new().with("dtype", Attr::DType(dtype));
        trace::apply(&ops::CAST, attrs, &[tensor], self.location.clone())
    }

    /// The number at a position.
    fn at(&self, position: &AnyTensor) -> AnyTensor {
        let position = self.cast(position, T::DTYPE);
        let offset = match self.step {
            1 => position,
            step => {
                let step = self.cast(&number(step, DType::I64), T::DTYPE);
                self.apply(&ops::MUL, &position, &step)
            }
        };
        self.apply(&ops::ADD, &self.start, &offset)
    }

    /// The same numbers in reverse order.
    pub fn rev(self) -> TensorRange<T> {
        let last = self.apply(&ops::SUB, &self.count, &number(1, self.count.dtype()));
        TensorRange {
            start: self.at(&last),
            step: self.step.wrapping_neg(),
            ..self
        }
    }

    /// Every `step`-th number, beginning with the first.
    ///
    /// # Panics
    /// If `step` is 0, like [`Iterator::step_by`].
    pub fn step_by(self, step: usize) -> TensorRange<T> {
        assert!(step != 0, "a range can't advance by steps of 0");
        let dtype = self.count.dtype();
        // A step longer than the largest possible length leaves one number, and so does the longest step.
        let longest = if dtype == DType::I32 {
            i64::from(i32::MAX)
        } else {
            i64::MAX
        };
        let steps = i64::try_from(step).unwrap_or(longest).min(longest);
        let [one, steps] = [1, steps].map(|n| number(n, dtype));
        // For an empty range: one less than none, rounded down to -1.
        let whole = self.apply(
            &ops::FLOOR_DIV,
            &self.apply(&ops::SUB, &self.count, &one),
            &steps,
        );
        TensorRange {
            count: self.apply(&ops::ADD, &whole, &one),
            step: self.step.wrapping_mul(step as i64),
            ..self
        }
    }
}

/// A scalar of a dtype, `int32` or `int64`; bits that don't fit are dropped.
fn number(value: i64, dtype: DType) -> AnyTensor {
    AnyTensor::constant(Array::of_word(dtype, value as u64))
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
        Some(Limit::Count(self.count.clone()))
    }
    fn next(&mut self, counter: Option<&AnyTensor>) -> Option<Tensor<T>> {
        let position = match counter {
            Some(counter) => counter.clone(),
            None => {
                let count = self.cast(&self.count, DType::I64).array();
                let count = count.values::<i64>().and_then(<[i64]>::first);
                if count.is_none_or(|count| *count <= self.next) {
                    return None;
                }
                self.next += 1;
                number(self.next - 1, DType::I64)
            }
        };
        Some(Tensor::from_any(self.at(&position)))
    }
}

/// The bounds of a range in a `for`, before they become a Rust range or a [`TensorRange`].
pub struct Bounds<A, B>(std::cell::Cell<Option<(A, B)>>);

/// Wraps the bounds of a range in a `for`.
pub fn bounds<A, B>(start: A, end: B) -> Bounds<A, B> {
    Bounds(std::cell::Cell::new(Some((start, end))))
}

/// Bounds of a Rust range.
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

/// Bounds of which at least one is a tensor.
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
                TensorRange::new(start.end(), end.end(), false, Location::caller())
            }
            #[track_caller]
            fn range_inclusive(&self) -> TensorRange<T> {
                let (start, end) = self.0.take().expect("new bounds");
                TensorRange::new(start.end(), end.end(), true, Location::caller())
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
    [S] T, Variable<T, S>;
    [S] T, &Variable<T, S>;
    [S] Variable<T, S>, T;
    [S] &Variable<T, S>, T;
    [S R] Variable<T, S>, Tensor<T, R>;
    [S R] &Variable<T, S>, Tensor<T, R>;
    [S R] Tensor<T, S>, Variable<T, R>;
    [S R] Tensor<T, S>, &Variable<T, R>;
    [S R] Variable<T, S>, Variable<T, R>;
    [S R] &Variable<T, S>, &Variable<T, R>;
}

/// Bounds that make no range; implemented only for the compiler's message.
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

/// Implemented by no type: required where two bounds make no range.
#[diagnostic::on_unimplemented(
    message = "can't count from `{Self}` to `{B}`",
    label = "no range from `{Self}` to `{B}`",
    note = "a range has bounds of one integer type, or of a tensor of it: `0..n` for `n: Tensor<i32>`, `0i64..n` for `n: Tensor<i64>`"
)]
pub trait CountTo<B> {}

/// One end of a range.
pub(crate) struct End {
    tensor: AnyTensor,
    /// Its number, if it is known while tracing.
    known: Option<i64>,
}

trait Bound {
    fn end(self) -> End;
}
impl<T: Element, S> Bound for Tensor<T, S> {
    fn end(self) -> End {
        End {
            tensor: self.into_any(),
            known: None,
        }
    }
}
impl<T: Element, S> Bound for &Tensor<T, S> {
    fn end(self) -> End {
        self.clone().end()
    }
}

/// A variable is read when the range is made.
impl<T: Element, S> Bound for Variable<T, S> {
    #[track_caller]
    fn end(self) -> End {
        self.read().end()
    }
}
impl<T: Element, S> Bound for &Variable<T, S> {
    #[track_caller]
    fn end(self) -> End {
        self.read().end()
    }
}

macro_rules! numbers {
    ($($type:ty)*) => { $(
        impl Countable for $type {}
        impl Bound for $type {
            fn end(self) -> End {
                End {
                    tensor: AnyTensor::constant(Array::scalar(self)),
                    known: i64::try_from(self).ok(),
                }
            }
        }
    )* };
}
numbers! { i8 i16 i32 i64 u8 u16 u32 u64 }
