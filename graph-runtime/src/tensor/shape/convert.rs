//! Conversions between static shapes: forgetting what the type knows, or claiming more, which is checked while tracing and when run.

use graph_kernels::Element;

use super::{Dyn, KnownShape, SameSize, ShapeSpec, Size};
use crate::graph::Shape;
use crate::ops::{self, Attr, Attrs};
use crate::tensor::{IntoTensor, Number, Tensor, ones, tensor, zeros};
use crate::trace::AnyTensor;

/// Static shapes that are compatible with `Target`: where both know a size, it is the same.
#[diagnostic::on_unimplemented(
    message = "a tensor of shape `{Self}` can't be of shape `{Target}`",
    label = "this has shape `{Self}`, but shape `{Target}` is expected"
)]
pub trait FitsShape<Target> {}

impl<Target> FitsShape<Target> for Dyn {}

macro_rules! fits {
    ($(($($a:ident $b:ident)*))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($a: SameSize<$b>, $b: Size),*> FitsShape<($($b,)*)> for ($($a,)*) {}
        impl<$($a: Size),*> FitsShape<Dyn> for ($($a,)*) {}
    )* };
}
fits! { () (A B) (A B C D) (A B C D E F) (A B C D E F G H) (A B C D E F G H I J) (A B C D E F G H I J K L) }

/// A static shape as a value.
pub(crate) fn spec_of<S: ShapeSpec>() -> Shape {
    match S::SIZES {
        Some(sizes) => Shape::of(sizes.iter().copied()),
        None => Shape::unknown(),
    }
}

/// The sizes of a static shape that knows all of them.
fn known_sizes<S: KnownShape>() -> Vec<usize> {
    let sizes = S::SIZES.unwrap_or_default();
    sizes
        .iter()
        .copied()
        .map(Option::unwrap_or_default)
        .collect()
}

impl<T: Element, S> Tensor<T, S> {
    /// The same tensor, with a type that doesn't know the shape.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x: Tensor<i32, S1<2>> = Tensor::of([1, 2]);
    /// let y: Tensor<i32> = x.dynamic();
    /// # assert_eq!(y.to_vec(), [1, 2]);
    /// ```
    pub fn dynamic(self) -> Tensor<T> {
        Tensor::from_any(self.into_any())
    }

    /// The same tensor, with a type that knows more or less of its shape. What the types can't decide is checked: at once if the tensor has
    /// values, while tracing if the trace knows the shape, otherwise when the graph runs.
    ///
    /// # Errors
    /// If the tensor's shape doesn't match the new type.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x = tensor([[1, 2, 3], [4, 5, 6]]);
    /// let y = x.with_shape::<shape![_, 3]>();
    /// let product: Tensor<i32, shape![_, 1]> = y.matmul(Tensor::<i32, S2<3, 1>>::of_ones());
    /// # assert_eq!(product.to_vec(), [6, 15]);
    /// ```
    #[doc(alias("ensure_shape"))]
    #[track_caller]
    pub fn with_shape<S2: ShapeSpec>(&self) -> Tensor<T, S2>
    where
        S: FitsShape<S2>,
    {
        Tensor::from_any(of_shape(&self.any, spec_of::<S2>()))
    }
}

/// The tensor with a check that it has this shape; there is no check if that is known.
#[track_caller]
pub(crate) fn of_shape(x: &AnyTensor, shape: Shape) -> AnyTensor {
    if shape.covers(&x.shape()) {
        return x.clone();
    }
    let attrs = Attrs::new().with("shape", Attr::Shape(shape));
    AnyTensor::apply(&ops::RELAX_SHAPE, attrs, &[x])
}

/// Tensors whose type knows all sizes.
impl<T: Element, S: KnownShape> Tensor<T, S> {
    /// Zeros (`false`, empty strings), in the shape of the type.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x: Tensor<f32, S2<2, 3>> = Tensor::of_zeros();
    /// assert_eq!(x.to_vec(), [0.0; 6]);
    /// ```
    #[track_caller]
    pub fn of_zeros() -> Tensor<T, S> {
        Tensor::from_any(zeros::<T>(known_sizes::<S>().as_slice()).into_any())
    }
}

impl<T: Number, S: KnownShape> Tensor<T, S> {
    /// Ones (`true`), in the shape of the type.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x: Tensor<f32, S2<2, 3>> = Tensor::of_ones();
    /// assert_eq!(x.to_vec(), [1.0; 6]);
    /// ```
    #[track_caller]
    pub fn of_ones() -> Tensor<T, S> {
        Tensor::from_any(ones::<T>(known_sizes::<S>().as_slice()).into_any())
    }
}

/// A Rust value whose type determines the shape of its tensor: a scalar, or an array nested up to four deep.
#[diagnostic::on_unimplemented(
    message = "the type `{Self}` does not tell the sizes of a tensor of `{T}`",
    label = "expected a scalar or an array (nested up to four deep)",
    note = "`tensor(values)` takes vectors and slices too"
)]
pub trait SizedValues<T>: IntoTensor<T> {
    /// The shape.
    type Shape;
}

impl<T: Element> SizedValues<T> for T {
    type Shape = super::S0;
}

macro_rules! arrays {
    ($($type:ty, $shape:ty: [$($n:ident),*];)*) => { $(
        impl<T: Element, $(const $n: usize),*> SizedValues<T> for $type {
            type Shape = $shape;
        }
    )* };
}
arrays! {
    [T; A], super::S1<A>: [A];
    [[T; B]; A], super::S2<A, B>: [A, B];
    [[[T; C]; B]; A], super::S3<A, B, C>: [A, B, C];
    [[[[T; D]; C]; B]; A], super::S4<A, B, C, D>: [A, B, C, D];
}

impl<T: Element, S> Tensor<T, S> {
    /// A tensor with the given values, a scalar or an array, whose type knows its shape.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x: Tensor<i32, S2<2, 3>> = Tensor::of([[1, 2, 3], [4, 5, 6]]);
    /// # assert_eq!(x.to_vec(), [1, 2, 3, 4, 5, 6]);
    /// ```
    #[track_caller]
    pub fn of<V: SizedValues<T, Shape = S>>(values: V) -> Tensor<T, S> {
        Tensor::from_any(tensor(values).into_any())
    }
}
