//! Lists of sizes as arguments: Rust numbers, which are known while tracing, or an integer vector, which is known when run.

use graph_kernels::{Array, Element};

use super::{AnyTensor, IndexElement, Tensor};
use crate::ops::{Attr, Attrs, OpDef};

/// A list of sizes: `&[N]`, `&[N; K]` or `&Vec<N>` of Rust numbers, or a vector tensor of `i32` or `i64`, whose values are known only
/// when run. With Rust numbers more is known of the result's shape while tracing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of sizes",
    label = "expected `&[{N}]` or a vector tensor of i32 or i64"
)]
pub trait Sizes<N> {
    /// The list.
    #[doc(hidden)]
    fn into_sizes(self) -> SizeList;
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

macro_rules! lists {
    ($($number:ty)*) => { $(
        impl Sizes<$number> for &[$number] {
            fn into_sizes(self) -> SizeList {
                // What no tensor has room for is as far out.
                SizeList::Known(self.iter().map(|&n| i64::try_from(n).unwrap_or(i64::MAX)).collect())
            }
        }

        impl<const K: usize> Sizes<$number> for &[$number; K] {
            fn into_sizes(self) -> SizeList {
                self.as_slice().into_sizes()
            }
        }

        impl Sizes<$number> for &Vec<$number> {
            fn into_sizes(self) -> SizeList {
                self.as_slice().into_sizes()
            }
        }
    )* };
}
lists!(usize isize);

impl<N, I: IndexElement, S> Sizes<N> for Tensor<I, S> {
    fn into_sizes(self) -> SizeList {
        SizeList::Tensor(self.into_any())
    }
}

impl<N, I: IndexElement, S> Sizes<N> for &Tensor<I, S> {
    fn into_sizes(self) -> SizeList {
        SizeList::Tensor(self.as_any().clone())
    }
}

impl<N> Sizes<N> for SizeList {
    fn into_sizes(self) -> SizeList {
        self
    }
}

impl<T: Element, S> Tensor<T, S> {
    /// The shape, as Rust numbers if they are known.
    #[track_caller]
    pub(crate) fn sizes(&self) -> SizeList {
        match self.shape().to_known() {
            Some(shape) => Sizes::<usize>::into_sizes(shape.as_slice()),
            None => SizeList::Tensor(self.shape_tensor().into_any()),
        }
    }
}

impl SizeList {
    /// Applies an op to `x` and the sizes: the one that takes them as an attribute, or the one that takes them as an operand.
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

    /// Applies a random op to a seed and what else it needs, for these sizes: as the attribute `shape`, or as the last operand.
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
        let attrs = Attrs(shape.into_iter().chain(dtype).collect());
        let operands: Vec<&AnyTensor> = operands.iter().collect();
        AnyTensor::apply(op, attrs, &operands)
    }

    /// The sizes as a vector.
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
