//! The operators on variables: they read the variable and then do the same as those on tensors.

use std::ops::*;

use super::Variable;
use crate::tensor::{
    Additive, AsOperand, Bits, Broadcast, Common, Multiplicative, Number, Signed, Tensor,
};

/// Implements one operator with a variable on the left, by value and by reference.
macro_rules! operator {
    ($bound:ident: $($trait:ident $method:ident),*) => { $(
        impl<T: $bound, S: Broadcast<R::Shape>, R: AsOperand<T>> $trait<R> for &Variable<T, S> {
            type Output = Tensor<T, Common<S, R::Shape>>;
            #[track_caller]
            fn $method(self, other: R) -> Self::Output {
                $trait::$method(self.read(), other)
            }
        }

        impl<T: $bound, S: Broadcast<R::Shape>, R: AsOperand<T>> $trait<R> for Variable<T, S> {
            type Output = Tensor<T, Common<S, R::Shape>>;
            #[track_caller]
            fn $method(self, other: R) -> Self::Output {
                $trait::$method(self.read(), other)
            }
        }
    )* };
}
operator! { Additive: Add add }
operator! { Number: Sub sub, Div div, Rem rem }
operator! { Multiplicative: Mul mul }
operator! { Bits: BitAnd bitand, BitOr bitor, BitXor bitxor }

/// Implements one operator with a plain value on the left.
macro_rules! value_on_the_left {
    ($($value:ty: $($trait:ident $method:ident)*;)*) => { $( $(
        impl<S> $trait<&Variable<$value, S>> for $value {
            type Output = Tensor<$value, S>;
            #[track_caller]
            fn $method(self, other: &Variable<$value, S>) -> Tensor<$value, S> {
                $trait::$method(self, other.read())
            }
        }

        impl<S> $trait<Variable<$value, S>> for $value {
            type Output = Tensor<$value, S>;
            #[track_caller]
            fn $method(self, other: Variable<$value, S>) -> Tensor<$value, S> {
                $trait::$method(self, other.read())
            }
        }
    )* )* };
}
value_on_the_left! {
    f32: Add add Sub sub Mul mul Div div Rem rem;
    f64: Add add Sub sub Mul mul Div div Rem rem;
    i32: Add add Sub sub Mul mul Div div Rem rem;
    i64: Add add Sub sub Mul mul Div div Rem rem;
    i8: Add add Sub sub Mul mul Div div Rem rem;
    i16: Add add Sub sub Mul mul Div div Rem rem;
    u8: Add add Sub sub Mul mul Div div Rem rem;
    u16: Add add Sub sub Mul mul Div div Rem rem;
    u32: Add add Sub sub Mul mul Div div Rem rem;
    u64: Add add Sub sub Mul mul Div div Rem rem;
}

impl<T: Signed, S> Neg for &Variable<T, S> {
    type Output = Tensor<T, S>;
    #[track_caller]
    fn neg(self) -> Tensor<T, S> {
        -self.read()
    }
}

impl<T: Bits, S> Not for &Variable<T, S> {
    type Output = Tensor<T, S>;
    #[track_caller]
    fn not(self) -> Tensor<T, S> {
        !self.read()
    }
}
