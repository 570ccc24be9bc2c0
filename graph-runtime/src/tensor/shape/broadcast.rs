//! Broadcasting of static shapes as in NumPy: shapes are aligned at the last axis, and missing leading axes and [`One`] repeat.

use super::{Any, Const, Dyn, One, S0, Size};

/// Computes the static shape of an elementwise op's result from the shapes of its two operands.
#[diagnostic::on_unimplemented(
    message = "tensors of the shapes `{Self}` and `{Other}` don't broadcast to a common shape",
    label = "this has shape `{Other}`, the other operand has shape `{Self}`",
    note = "aligned at their last axes, two sizes must be equal, or one of them `One` or missing; `x.dynamic()` leaves the check \
            to the run"
)]
pub trait Broadcast<Other> {
    /// The common shape.
    type Output;
}

impl<Other> Broadcast<Other> for Dyn {
    type Output = Dyn;
}

/// Static shapes that stay the same when an operand of shape `Other` is combined with such a tensor by an assigning operator.
#[diagnostic::on_unimplemented(
    message = "a tensor of shape `{Self}` can't take an operand of shape `{Other}` by an assigning operator",
    label = "the result would not have shape `{Self}`",
    note = "write `let z = &x + &y;` where the result has a larger shape than `x`"
)]
pub trait Absorb<Other> {}

#[diagnostic::do_not_recommend]
impl<S: Broadcast<Other, Output = S>, Other> Absorb<Other> for S {}

/// Computes the common size of two aligned axes.
pub trait BroadcastSize<Other> {
    /// The size to which both axes broadcast. A size known only at run time may be 1 and repeat, so it doesn't determine the result.
    type Output: Size;
}

impl<const N: usize> BroadcastSize<Const<N>> for Const<N> {
    type Output = Const<N>;
}

macro_rules! sizes {
    ($([$($n:tt)*] $a:ty, $b:ty => $output:ty;)*) => { $(
        impl<$($n)*> BroadcastSize<$b> for $a {
            type Output = $output;
        }
    )* };
}
sizes! {
    [] Any, Any => Any;
    [const N: usize] Any, Const<N> => Any;
    [const N: usize] Const<N>, Any => Any;
    [] Any, One => Any;
    [] One, Any => Any;
    [] One, One => One;
    [const N: usize] One, Const<N> => Const<N>;
    [const N: usize] Const<N>, One => Const<N>;
}

/// Implements broadcasting for one pair of ranks: the leading axes of the left or the right operand, and the pairs of aligned axes.
macro_rules! broadcast {
    ([$($left:ident)*] [$($right:ident)*] [$($a:ident $b:ident)*]) => {
        #[diagnostic::do_not_recommend]
        impl<$($left: Size,)* $($right: Size,)* $($a: BroadcastSize<$b>, $b: Size),*>
            Broadcast<($($right,)* $($b,)*)> for ($($left,)* $($a,)*)
        {
            type Output = ($($left,)* $($right,)* $(<$a as BroadcastSize<$b>>::Output,)*);
        }
    };
}

/// Implements broadcasting for the given pairs of aligned axes, with zero or more leading axes on either side.
macro_rules! with_leading_axes {
    ($($pairs:tt: $([$($extra:ident)*])*;)*) => { $(
        broadcast! { [] [] $pairs }
        $(broadcast! { [$($extra)*] [] $pairs })*
        $(broadcast! { [] [$($extra)*] $pairs })*
    )* };
}
with_leading_axes! {
    []: [P] [P Q] [P Q R] [P Q R T] [P Q R T U] [P Q R T U V];
    [A B]: [P] [P Q] [P Q R] [P Q R T] [P Q R T U];
    [A B C D]: [P] [P Q] [P Q R] [P Q R T];
    [A B C D E F]: [P] [P Q] [P Q R];
    [A B C D E F G H]: [P] [P Q];
    [A B C D E F G H I J]: [P];
    [A B C D E F G H I J K L]: ;
}

macro_rules! with_dyn {
    ($(($($size:ident)*))*) => { $(
        impl<$($size: Size),*> Broadcast<Dyn> for ($($size,)*) {
            type Output = Dyn;
        }
    )* };
}
with_dyn! { () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }

/// The common shape of two static shapes.
pub type Common<A, B> = <A as Broadcast<B>>::Output;
/// The common shape of three static shapes.
pub type CommonOfThree<A, B, C> = Common<Common<A, B>, C>;

const _: () = {
    const fn holds<A, B, C>()
    where
        A: Broadcast<B, Output = C>,
    {
    }
    holds::<(Const<2>, Const<3>), S0, (Const<2>, Const<3>)>();
    holds::<S0, (Const<2>, Const<3>), (Const<2>, Const<3>)>();
    holds::<(Any, Const<3>), (Const<3>,), (Any, Const<3>)>();
    holds::<(Const<3>,), (Any, Const<2>, One), (Any, Const<2>, Const<3>)>();
    holds::<(Const<2>, Any), (Any, Const<3>), (Any, Any)>();
};
