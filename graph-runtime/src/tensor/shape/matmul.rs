//! Matrix products and transposes of static shapes.

use super::{Any, BroadcastSize, Const, Dyn, One, Size};

/// Sizes that may be equal: the same size, or one of them unknown.
pub trait SameSize<Other> {}
impl<const N: usize> SameSize<Const<N>> for Const<N> {}
impl<const N: usize> SameSize<Any> for Const<N> {}
impl<const N: usize> SameSize<Const<N>> for Any {}
impl SameSize<Any> for Any {}
impl SameSize<One> for One {}
impl SameSize<One> for Any {}
impl SameSize<Any> for One {}
impl SameSize<Const<1>> for One {}
impl SameSize<One> for Const<1> {}

/// Static shapes by which a matrix of shape `Left` can be multiplied: `[.., m, k] · [.., k, n]` is `[.., m, n]`; leading axes broadcast.
#[diagnostic::on_unimplemented(
    message = "matrices of the shapes `{Left}` and `{Self}` can't be multiplied",
    label = "the right factor has shape `{Self}`, the left one has shape `{Left}`",
    note = "`[.., m, k]` times `[.., k, n]`: the last size on the left is the second-to-last on the right, and both have at least \
            two axes; `x.dynamic()` leaves the check to the run"
)]
pub trait RightFactor<Left> {
    /// The product's shape.
    type Product;
}

impl<Right> RightFactor<Dyn> for Right {
    type Product = Dyn;
}

/// Implements the product for one pair of ranks: the leading axes of the left or the right operand, and the pairs of aligned axes.
macro_rules! product {
    ([$($left:ident)*] [$($right:ident)*] [$($a:ident $b:ident)*]) => {
        #[diagnostic::do_not_recommend]
        impl<$($left: Size,)* $($right: Size,)* $($a: BroadcastSize<$b>, $b: Size,)* M: Size, N: Size, J: SameSize<K>, K: Size>
            RightFactor<($($left,)* $($a,)* M, J,)> for ($($right,)* $($b,)* K, N,)
        {
            type Product = ($($left,)* $($right,)* $(<$a as BroadcastSize<$b>>::Output,)* M, N,);
        }
    };
}

macro_rules! with_leading_axes {
    ($($pairs:tt: $([$($extra:ident)*])*;)*) => { $(
        product! { [] [] $pairs }
        $(product! { [$($extra)*] [] $pairs })*
        $(product! { [] [$($extra)*] $pairs })*
    )* };
}
with_leading_axes! {
    []: [P] [P Q] [P Q R] [P Q R T];
    [A B]: [P] [P Q] [P Q R];
    [A B C D]: [P] [P Q];
    [A B C D E F]: [P];
    [A B C D E F G H]: ;
}

/// Shapes with at least two axes, and [`Dyn`].
#[diagnostic::on_unimplemented(
    message = "a tensor of shape `{Self}` is not a matrix",
    label = "it has fewer than two axes"
)]
pub trait Matrix {
    /// The shape with its last two axes swapped.
    type Swapped;
    /// The shape with its axes in the opposite order.
    type Reversed;
}

impl Matrix for Dyn {
    type Swapped = Dyn;
    type Reversed = Dyn;
}

macro_rules! matrices {
    ($([$($batch:ident)*] [$($reversed:ident)*];)*) => { $(
        impl<$($batch: Size,)* M: Size, N: Size> Matrix for ($($batch,)* M, N) {
            type Swapped = ($($batch,)* N, M);
            type Reversed = (N, M, $($reversed,)*);
        }
        impl<$($batch: Size,)* M: Size, N: Size> RightFactor<($($batch,)* M, N)> for Dyn {
            type Product = Dyn;
        }
    )* };
}
matrices! {
    [] [];
    [A] [A];
    [A B] [B A];
    [A B C] [C B A];
    [A B C D] [D C B A];
}

/// The shape of a product.
pub type Product<Left, Right> = <Right as RightFactor<Left>>::Product;
/// A shape with its last two axes swapped.
pub type Swapped<A> = <A as Matrix>::Swapped;
