//! Broadcasting of shapes in types, as NumPy's: aligned at the last axis, a missing leading axis and a [`One`] repeat.

use super::{Any, Const, Dyn, One, S0, Size};

/// The shape of an elementwise op's result: of this shape and another.
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

/// Shapes that stay as they are when an operand of shape `Other` is added to such a tensor in place.
#[diagnostic::on_unimplemented(
    message = "a tensor of shape `{Self}` can't take an operand of shape `{Other}` by an assigning operator",
    label = "the result would not have shape `{Self}`",
    note = "write `let z = &x + &y;` where the result has a larger shape than `x`"
)]
pub trait Absorb<Other> {}

#[diagnostic::do_not_recommend]
impl<S: Broadcast<Other, Output = S>, Other> Absorb<Other> for S {}

/// The common size of two axes that meet.
pub trait BroadcastSize<Other> {
    /// The size that both repeat to. A size that is known only at run time may be 1 and repeat, so it decides nothing.
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

/// The leading axes of the left operand alone, those of the right one alone, and the pairs of axes that meet.
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

/// So many pairs, with none or several leading axes on either side.
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

/// Two shapes' common shape.
pub type Common<A, B> = <A as Broadcast<B>>::Output;
/// Three shapes' common shape.
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
