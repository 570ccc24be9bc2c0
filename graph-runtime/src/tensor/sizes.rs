//! Lists of sizes as arguments: Rust numbers, which are known while tracing, or integer tensors, whose values are known when run.

use graph_kernels::{Array, DType, Element};

use super::{AnyTensor, IndexElement, Position, RangeBound, Tensor};
use crate::graph::Shape;
use crate::ops::{self, Attr, Attrs, OpDef};
use crate::tuples::up_to_six;

/// A list of sizes. It is one of these: an array or `Vec` of Rust numbers or of scalar tensors of `i32` or `i64`, a reference to one, or a
/// slice; a tuple that mixes numbers and tensors; one size alone; or a vector tensor, such as [`shape_tensor`](Tensor::shape_tensor) gives.
/// With Rust numbers, tracing knows more of the result's shape.
///
/// ```
/// # use graph_runtime::prelude::*;
/// #[graph_fn]
/// fn padded(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
///     concat([&x, &zeros([n - x.len_tensor()])], 0)
/// }
/// assert_eq!(padded(tensor([1.0, 2.0]), tensor(4)).to_vec(), [1.0, 2.0, 0.0, 0.0]);
///
/// let n = tensor(2);
/// assert_eq!(tensor([1, 2, 3, 4]).reshape((&n, -1)).shape().to_string(), "[2,2]");
/// assert_eq!(ones::<f32>((&n, 3)).shape().to_string(), "[2,3]");
/// assert_eq!(zeros::<f32>([2, 3]).shape().to_string(), "[2,3]");
/// assert_eq!(zeros::<f32>(&[2, 3]).shape().to_string(), "[2,3]");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of sizes",
    label = "expected `[{N}]`, scalar tensors of i32 or i64 (`[n]`, `(n, 3)`), or a vector tensor"
)]
pub trait Sizes<N> {
    /// The list.
    #[doc(hidden)]
    #[track_caller]
    fn into_sizes(self) -> SizeList;
}

/// One of the sizes of a tuple: a Rust number, or a scalar tensor of `i32` or `i64`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a size",
    label = "expected a `{N}` or a scalar tensor of i32 or i64"
)]
pub trait OneSize<N> {
    /// The size.
    #[doc(hidden)]
    fn into_size(self) -> Position;
}

/// A list of sizes.
#[doc(hidden)]
#[derive(Clone)]
pub enum SizeList {
    /// Rust numbers.
    Known(Vec<i64>),
    /// An integer vector.
    Tensor(AnyTensor),
}

/// Implements lists of one integer type where another one, or the same, is expected, so that a length or an index needs no cast.
macro_rules! lists {
    ($($number:ty: $($given:ty)*;)*) => { $($(
        impl OneSize<$number> for $given {
            fn into_size(self) -> Position {
                Position::Known(self.bound())
            }
        }

        impl Sizes<$number> for $given {
            fn into_sizes(self) -> SizeList {
                list::<$number, _>([self])
            }
        }

        impl Sizes<$number> for &[$given] {
            fn into_sizes(self) -> SizeList {
                list::<$number, _>(self.iter().copied())
            }
        }

        impl Sizes<$number> for &Vec<$given> {
            fn into_sizes(self) -> SizeList {
                Sizes::<$number>::into_sizes(self.as_slice())
            }
        }

        impl Sizes<$number> for Vec<$given> {
            fn into_sizes(self) -> SizeList {
                Sizes::<$number>::into_sizes(self.as_slice())
            }
        }
    )*)* };
}
lists! {
    usize: usize isize i32 i64;
    isize: usize isize i32 i64;
}

/// Implements arrays. Arrays of the expected integer type may have any length; arrays of other integers and of tensors have at least one
/// element. So `[]` is always a list of the expected type, and its type can be inferred. A list of literals has the type `i32`, Rust's
/// default.
macro_rules! arrays {
    ($($number:ty: $($other:ty)*;)*) => { $(
        impl<const K: usize> Sizes<$number> for [$number; K] {
            fn into_sizes(self) -> SizeList {
                Sizes::<$number>::into_sizes(self.as_slice())
            }
        }

        impl<const K: usize> Sizes<$number> for &[$number; K] {
            fn into_sizes(self) -> SizeList {
                Sizes::<$number>::into_sizes(self.as_slice())
            }
        }

        $(arrays!(@lengths $number, $other: 1 2 3 4 5 6);)*
    )* };
    (@lengths $number:ty, $other:ty: $($len:literal)*) => { $(
        impl Sizes<$number> for [$other; $len] {
            fn into_sizes(self) -> SizeList {
                Sizes::<$number>::into_sizes(self.as_slice())
            }
        }

        impl Sizes<$number> for &[$other; $len] {
            fn into_sizes(self) -> SizeList {
                Sizes::<$number>::into_sizes(self.as_slice())
            }
        }
    )* };
}
arrays! {
    usize: isize i32 i64;
    isize: usize i32 i64;
}

/// The sizes as numbers if all are numbers, otherwise as a vector tensor.
#[track_caller]
fn list<N, I: OneSize<N>>(sizes: impl IntoIterator<Item = I>) -> SizeList {
    let sizes: Vec<Position> = sizes.into_iter().map(OneSize::into_size).collect();
    let known: Option<Vec<i64>> = sizes.iter().map(Position::known).collect();
    match known {
        Some(known) => SizeList::Known(known),
        None => SizeList::Tensor(vector(&sizes)),
    }
}

/// Stacks sizes to a vector of `int64`.
#[track_caller]
fn vector(sizes: &[Position]) -> AnyTensor {
    let mut wide = Vec::new();
    for size in sizes {
        wide.push(match size {
            Position::Known(size) => AnyTensor::constant(Array::scalar(*size)),
            Position::Tensor(size) if size.dtype() == DType::I64 => size.clone(),
            Position::Tensor(size) => {
                let dtype = Attrs::new().with("dtype", Attr::DType(DType::I64));
                AnyTensor::apply(&ops::CAST, dtype, &[size])
            }
        });
    }
    let sizes: Vec<&AnyTensor> = wide.iter().collect();
    AnyTensor::apply(&ops::STACK, Attrs::new().with("axis", Attr::Int(0)), &sizes)
}

impl<N, I: IndexElement, S> OneSize<N> for Tensor<I, S> {
    fn into_size(self) -> Position {
        Position::Tensor(self.into_any())
    }
}

impl<N, I: IndexElement, S> OneSize<N> for &Tensor<I, S> {
    fn into_size(self) -> Position {
        Position::Tensor(self.as_any().clone())
    }
}

/// Implements lists of tensors. Arrays have an implementation for each length except 0. So `&[]` is always a list of numbers, and its type
/// can be inferred.
macro_rules! lists_of_tensors {
    ($($tensor:ty: $($len:literal)*;)*) => { $(
        impl<N, I: IndexElement, S> Sizes<N> for &[$tensor] {
            fn into_sizes(self) -> SizeList {
                list::<N, _>(self.iter().map(|size| size.to_dynamic()))
            }
        }

        impl<N, I: IndexElement, S> Sizes<N> for &Vec<$tensor> {
            fn into_sizes(self) -> SizeList {
                Sizes::<N>::into_sizes(self.as_slice())
            }
        }

        impl<N, I: IndexElement, S> Sizes<N> for Vec<$tensor> {
            fn into_sizes(self) -> SizeList {
                Sizes::<N>::into_sizes(self.as_slice())
            }
        }

        $(
            impl<N, I: IndexElement, S> Sizes<N> for [$tensor; $len] {
                fn into_sizes(self) -> SizeList {
                    Sizes::<N>::into_sizes(self.as_slice())
                }
            }

            impl<N, I: IndexElement, S> Sizes<N> for &[$tensor; $len] {
                fn into_sizes(self) -> SizeList {
                    Sizes::<N>::into_sizes(self.as_slice())
                }
            }
        )*
    )* };
}
lists_of_tensors! {
    Tensor<I, S>: 1 2 3 4 5 6;
    &Tensor<I, S>: 1 2 3 4 5 6;
}

macro_rules! tuples {
    ($(($($name:ident $field:tt),*))*) => { $(
        impl<N, $($name: OneSize<N>),*> Sizes<N> for ($($name,)*) {
            fn into_sizes(self) -> SizeList {
                list::<i64, _>([$(self.$field.into_size()),*])
            }
        }
    )* };
}
up_to_six!(tuples);

impl OneSize<i64> for Position {
    fn into_size(self) -> Position {
        self
    }
}

/// A vector of sizes, or a scalar as one size.
impl<N, I: IndexElement, S> Sizes<N> for Tensor<I, S> {
    fn into_sizes(self) -> SizeList {
        match self.any.shape().rank() {
            Some(0) => list::<N, _>([self]),
            _ => SizeList::Tensor(self.into_any()),
        }
    }
}

impl<N, I: IndexElement, S> Sizes<N> for &Tensor<I, S> {
    fn into_sizes(self) -> SizeList {
        Sizes::<N>::into_sizes(self.to_dynamic())
    }
}

/// The shape of another tensor, all of whose sizes must be known.
impl<N> Sizes<N> for Shape {
    fn into_sizes(self) -> SizeList {
        Sizes::<usize>::into_sizes(self.to_vec())
    }
}

impl<N> Sizes<N> for &Shape {
    fn into_sizes(self) -> SizeList {
        Sizes::<usize>::into_sizes(self.to_vec())
    }
}

impl<N> Sizes<N> for SizeList {
    fn into_sizes(self) -> SizeList {
        self
    }
}

impl<T: Element, S> Tensor<T, S> {
    /// The tensor's shape: as Rust numbers if all sizes are known, otherwise as a tensor.
    #[track_caller]
    pub(crate) fn sizes(&self) -> SizeList {
        match self.shape().to_known() {
            Some(shape) => Sizes::<usize>::into_sizes(shape.as_slice()),
            None => SizeList::Tensor(self.shape_tensor().into_any()),
        }
    }
}

impl SizeList {
    /// Applies an op to `x` and the sizes. There are two such ops: one takes known sizes as an attribute, the other takes a tensor as an
    /// operand.
    #[track_caller]
    pub(crate) fn apply(
        self,
        x: &AnyTensor,
        (known, attr): (&'static OpDef, &'static str),
        operand: &'static OpDef,
    ) -> AnyTensor {
        match self {
            SizeList::Known(sizes) => {
                AnyTensor::apply(known, Attrs::new().with(attr, Attr::Ints(sizes)), &[x])
            }
            SizeList::Tensor(sizes) => AnyTensor::apply(operand, Attrs::new(), &[x, &sizes]),
        }
    }

    /// Applies a random op to a seed and other operands. The sizes become the attribute `shape`, or the last operand if they are a tensor.
    #[track_caller]
    pub(crate) fn draw(
        self,
        op: &'static OpDef,
        dtype: Option<(&'static str, Attr)>,
        mut operands: Vec<AnyTensor>,
    ) -> AnyTensor {
        let known = match self {
            SizeList::Known(sizes) => sizes,
            SizeList::Tensor(sizes) => {
                operands.push(sizes);
                Vec::new()
            }
        };
        let shape = Some(("shape", Attr::Ints(known)));
        let attrs = shape.into_iter().chain(dtype).collect();
        let operands: Vec<&AnyTensor> = operands.iter().collect();
        AnyTensor::apply(op, attrs, &operands)
    }

    /// The sizes as a vector tensor.
    #[track_caller]
    pub(crate) fn to_any(&self) -> AnyTensor {
        match self {
            SizeList::Known(sizes) => {
                AnyTensor::constant(Array::new(&[sizes.len()], sizes.clone()))
            }
            SizeList::Tensor(sizes) => sizes.clone(),
        }
    }
}
