//! Static shapes: what a tensor's Rust type knows of its shape, the second parameter of [`Tensor`](super::Tensor). [`Dyn`] knows nothing. A
//! tuple of sizes knows the rank and, for each axis, either its size or that the size is known only at run time. The traits of this folder
//! compute the result type of each op, so that operands whose shapes can't match don't compile.

mod axis;
mod broadcast;
mod convert;
mod matmul;
mod reshape;

pub use axis::{Axis, AxisOf, HasAxis, NewAxisOf, RoomFor};
pub use broadcast::{Absorb, Broadcast, BroadcastSize, Common, CommonOfThree};
pub use convert::{FitsShape, SizedValues};
pub(crate) use convert::{of_shape, spec_of};
pub use matmul::{Matrix, Product, RightFactor, SameSize, Swapped};

/// A static shape that knows nothing: any rank and any sizes. They are known when run, or while tracing (see
/// [`Tensor::shape`](super::Tensor::shape)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dyn;

/// A size known at compile time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Const<const N: usize>;

/// A size known only at run time: `None` in TensorFlow's shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Any;

/// A size of 1 that broadcasts. (`Const<1>` doesn't: otherwise a generic program could compile only because its `N` happens to be 1.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct One;

/// The size of one axis in a type: [`Const<N>`](Const), [`Any`] or [`One`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the size of an axis",
    label = "expected `Const<N>`, `Any` or `One`"
)]
pub trait Size: BroadcastSize<Self, Output = Self> + SameSize<Self> + Copy + 'static {
    /// The size, if the type knows it.
    const SIZE: Option<usize>;
}

impl<const N: usize> Size for Const<N> {
    const SIZE: Option<usize> = Some(N);
}

impl Size for Any {
    const SIZE: Option<usize> = None;
}

impl Size for One {
    const SIZE: Option<usize> = Some(1);
}

/// The shape of a scalar.
pub type S0 = ();
/// The shape `[A]`.
pub type S1<const A: usize> = (Const<A>,);
/// The shape `[A, B]`.
pub type S2<const A: usize, const B: usize> = (Const<A>, Const<B>);
/// The shape `[A, B, C]`.
pub type S3<const A: usize, const B: usize, const C: usize> = (Const<A>, Const<B>, Const<C>);
/// The shape `[A, B, C, D]`.
pub type S4<const A: usize, const B: usize, const C: usize, const D: usize> =
    (Const<A>, Const<B>, Const<C>, Const<D>);
/// The shape `[A, B, C, D, E]`.
pub type S5<const A: usize, const B: usize, const C: usize, const D: usize, const E: usize> =
    (Const<A>, Const<B>, Const<C>, Const<D>, Const<E>);
/// The shape `[A, B, C, D, E, F]`.
pub type S6<
    const A: usize,
    const B: usize,
    const C: usize,
    const D: usize,
    const E: usize,
    const F: usize,
> = (Const<A>, Const<B>, Const<C>, Const<D>, Const<E>, Const<F>);

/// A static shape: [`Dyn`], or a tuple of up to six [`Size`]s, outermost first. The macro `shape!` writes one, with `_` for the sizes that
/// are known only at run time.
///
/// ```
/// # use graph_runtime::prelude::*;
/// fn logits(x: Tensor<f32, shape![_, 784]>, w: &Tensor<f32, shape![784, 10]>) -> Tensor<f32, shape![_, 10]> {
///     x.matmul(w)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the shape of a tensor",
    label = "expected `Dyn`, or a tuple of sizes as `shape![_, 784]` writes it"
)]
pub trait ShapeSpec:
    Broadcast<S0, Output = Self>
    + Broadcast<Self, Output = Self>
    + Broadcast<Dyn, Output = Dyn>
    + Copy
    + 'static
{
    /// The sizes that the type knows, outermost first; `None` if it doesn't know the rank.
    const SIZES: Option<&'static [Option<usize>]>;
    /// The shape of the result when all axes are reduced.
    type Reduced: ShapeSpec;
}

impl ShapeSpec for Dyn {
    const SIZES: Option<&'static [Option<usize>]> = None;
    type Reduced = Dyn;
}

/// Static shapes whose sizes are all known.
#[diagnostic::on_unimplemented(
    message = "the sizes of `{Self}` are not all known at compile time",
    label = "a tensor of this shape can't be made without being told its sizes"
)]
pub trait KnownShape: ShapeSpec {}

/// Sizes that are known at compile time.
#[doc(hidden)]
pub trait KnownSize: Size {}
impl<const N: usize> KnownSize for Const<N> {}
impl KnownSize for One {}

macro_rules! shapes {
    ($(($($size:ident)*))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($size: Size),*> ShapeSpec for ($($size,)*) {
            const SIZES: Option<&'static [Option<usize>]> = Some(&[$($size::SIZE),*]);
            type Reduced = S0;
        }
        #[diagnostic::do_not_recommend]
        impl<$($size: KnownSize),*> KnownShape for ($($size,)*) {}
    )* };
}
shapes! { () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }

/// A static shape as a type, with the sizes outermost first: a number or the name of a constant, `_` for a size known only at run time,
/// `One` for a size of 1 that broadcasts. `Tensor<f32, shape![_, 784]>` is a batch of vectors; `shape![..]` is any shape of any rank.
///
/// ```
/// # use graph_runtime::prelude::*;
/// const CLASSES: usize = 10;
/// let scores: Tensor<f32, shape![2, CLASSES]> = Tensor::of_zeros();
/// assert_eq!(scores.shape().to_string(), "[2,10]");
/// ```
#[macro_export]
macro_rules! shape {
    (@size _) => { $crate::tensor::Any };
    (@size One) => { $crate::tensor::One };
    (@size $size:literal) => { $crate::tensor::Const<$size> };
    (@size $size:ident) => { $crate::tensor::Const<$size> };
    (@size $size:tt) => { $crate::tensor::Const<$size> };
    (..) => { $crate::tensor::Dyn };
    ($($size:tt),* $(,)?) => { ($($crate::shape!(@size $size),)*) };
}
