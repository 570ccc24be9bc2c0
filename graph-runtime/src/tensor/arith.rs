//! The operators: `+ - * / % - ! & | ^ << >>` and their assigning forms, between two tensors or a tensor and a plain value on either side.
//! They follow Rust: integer `/` and `%` truncate, integer arithmetic wraps, an integer divisor of zero is an error when run, and shifts
//! are those of [`Tensor::left_shift`]. Shapes broadcast as in NumPy. The product of two `bool` tensors is their `and`, as in NumPy.
//! (`floor_div`, `floor_mod` and `true_div` are methods.)

use std::ops::*;

use super::{
    Absorb, Additive, AnyTensor, AsOperand, Bits, Broadcast, Common, Integer, Multiplicative,
    Number, Signed, Tensor,
};
use crate::ops::{self, Attrs};

/// Implements one operator with a tensor on the left, by value and by reference, and its assigning form. The right side is any operand.
macro_rules! operator {
    ($bound:ident: $($trait:ident $method:ident, $assign:ident $assign_method:ident => $op:expr;)*) => { $(
        operator! { @on $bound $trait $method $op => Tensor<T, S> }
        operator! { @on $bound $trait $method $op => &Tensor<T, S> }
        // `&x - y` of an `x` that is a reference.
        operator! { @on $bound $trait $method $op => &&Tensor<T, S> }

        impl<T: $bound, S: Absorb<R::Shape>, R: AsOperand<T>> $assign<R> for Tensor<T, S> {
            #[track_caller]
            fn $assign_method(&mut self, other: R) {
                let result = AnyTensor::apply($op, Attrs::default(), &[self.as_any(), &other.into_operand()]);
                *self = Tensor::from_any(result);
            }
        }
    )* };
    (@on $bound:ident $trait:ident $method:ident $op:expr => $tensor:ty) => {
        impl<T: $bound, S: Broadcast<R::Shape>, R: AsOperand<T>> $trait<R> for $tensor {
            type Output = Tensor<T, Common<S, R::Shape>>;
            #[track_caller]
            fn $method(self, other: R) -> Self::Output {
                self.binary($op, other)
            }
        }
    };
}
operator! { Additive: Add add, AddAssign add_assign => &ops::ADD; }
operator! { Number:
    Sub sub, SubAssign sub_assign => &ops::SUB;
    Div div, DivAssign div_assign => &ops::DIV;
    Rem rem, RemAssign rem_assign => &ops::REM;
}
operator! { Multiplicative: Mul mul, MulAssign mul_assign => T::product_op(); }
operator! { Integer:
    Shl shl, ShlAssign shl_assign => &ops::LEFT_SHIFT;
    Shr shr, ShrAssign shr_assign => &ops::RIGHT_SHIFT;
}
operator! { Bits:
    BitAnd bitand, BitAndAssign bitand_assign => &ops::BIT_AND;
    BitOr bitor, BitOrAssign bitor_assign => &ops::BIT_OR;
    BitXor bitxor, BitXorAssign bitxor_assign => &ops::BIT_XOR;
}

/// Implements one operator with a plain value on the left. Each type is listed, because Rust's orphan rule allows no `impl<T>
/// Add<Tensor<T>> for T`.
macro_rules! value_on_the_left {
    ($($value:ty, $elem:ty: $($trait:ident $method:ident)*;)*) => { $( $(
        impl<S> $trait<Tensor<$elem, S>> for $value {
            type Output = Tensor<$elem, S>;
            #[track_caller]
            fn $method(self, other: Tensor<$elem, S>) -> Tensor<$elem, S> {
                $trait::$method(self, &other)
            }
        }

        impl<S> $trait<&Tensor<$elem, S>> for $value {
            type Output = Tensor<$elem, S>;
            #[track_caller]
            fn $method(self, other: &Tensor<$elem, S>) -> Tensor<$elem, S> {
                let value = Tensor::<$elem>::from_any(AsOperand::<$elem>::into_operand(self));
                Tensor::from_any($trait::$method(value, other).into_any())
            }
        }
    )* )* };
}
// No `String` on the left: a second `Add` for `String` would end the coercion in `string + &other_string`.
value_on_the_left! {
    f32, f32: Add add Sub sub Mul mul Div div Rem rem;
    f64, f64: Add add Sub sub Mul mul Div div Rem rem;
    i32, i32: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    i64, i64: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    i8, i8: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    i16, i16: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    u8, u8: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    u16, u16: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    u32, u32: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    u64, u64: Add add Sub sub Mul mul Div div Rem rem BitAnd bitand BitOr bitor BitXor bitxor;
    bool, bool: Mul mul BitAnd bitand BitOr bitor BitXor bitxor;
    &str, String: Add add;
}

/// Implements a prefix operator, which keeps the shape.
macro_rules! prefix {
    ($bound:ident: $trait:ident $method:ident => $op:expr) => {
        impl<T: $bound, S> $trait for &Tensor<T, S> {
            type Output = Tensor<T, S>;
            #[track_caller]
            fn $method(self) -> Tensor<T, S> {
                self.unary($op, Attrs::default())
            }
        }

        impl<T: $bound, S> $trait for Tensor<T, S> {
            type Output = Tensor<T, S>;
            #[track_caller]
            fn $method(self) -> Tensor<T, S> {
                self.unary($op, Attrs::default())
            }
        }
    };
}
prefix!(Signed: Neg neg => &ops::NEG);
prefix!(Bits: Not not => T::not_op());

/// Implements `Sum` and `Product` for iterators of tensors or values. They are added and multiplied in the iterator's order.
macro_rules! of_iterators {
    ($($trait:ident $method:ident: $operator:path, $empty:ident;)*) => { $(
        impl<T: Number, A: AsOperand<T>> std::iter::$trait<A> for Tensor<T> {
            #[track_caller]
            fn $method<I: Iterator<Item = A>>(items: I) -> Tensor<T> {
                let items = items.map(|item| Tensor::<T>::from_any(item.into_operand()));
                items.reduce($operator).unwrap_or_else(|| super::$empty(&[]))
            }
        }
    )* };
}
of_iterators! {
    Sum sum: Add::add, zeros;
    Product product: Mul::mul, ones;
}
