//! Groups of element types as trait bounds: which tensors have arithmetic, which have a logarithm, which can be an index. Each group is
//! listed once, here. The traits are closed because [`Element`] is.

use graph_kernels::{Element, bf16, f16};

/// Numbers: `f32`, `f64`, `f16`, `bf16`, and the integers `i8` to `i64` and `u8` to `u64`.
#[diagnostic::on_unimplemented(
    message = "a tensor of `{Self}` has no arithmetic",
    label = "expected a number",
    note = "of truth values, `count_nonzero()` counts those that are true, `all()` and `any()` combine them, and `cast::<f32>()` makes 1 and 0 of them"
)]
#[doc(alias("subtract", "divide", "broadcast_sub", "broadcast_div"))]
pub trait Number: Additive + Multiplicative {
    /// The type of a real quotient: `f64` for integers of 32 and 64 bits, `f32` for those of 8 and 16 bits, the type itself for floats.
    type Quotient: Float;
}

/// Floats: `f32`, `f64`, and the 16-bit `f16` and `bf16`, whose arithmetic is done in `f32`.
#[diagnostic::on_unimplemented(
    message = "this needs a tensor of floats, not of `{Self}`",
    label = "expected f32, f64, f16 or bf16",
    note = "`x.cast::<f32>()` converts"
)]
pub trait Float: Signed {
    /// The value of this type that is nearest to `value`: for constants where the element type is a parameter. In a graph function, the
    /// literals beside an operator, as in `x * 0.5`, have the element type without it.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn decayed<T: Float>(x: Tensor<T>) -> Tensor<T> {
    ///     (x * 0.5).maximum(T::from_f64(-1.0))
    /// }
    /// assert_eq!(decayed(tensor([3.0f32])).item(), 1.5);
    /// assert_eq!(decayed(tensor([-3.0f64])).item(), -1.0);
    /// ```
    fn from_f64(value: f64) -> Self;

    /// The smallest number that isn't an infinity.
    #[doc(hidden)]
    const LOWEST: Self;

    /// The largest number that isn't an infinity.
    #[doc(hidden)]
    const HIGHEST: Self;
}

/// Numbers with a sign: all but `u8` to `u64`.
#[doc(alias("negative"))]
#[diagnostic::on_unimplemented(message = "a tensor of `{Self}` cannot be negated")]
pub trait Signed: Number {}

/// Types with `&`, `|`, `^` and `!`: integers and `bool`.
#[diagnostic::on_unimplemented(
    message = "a tensor of `{Self}` has no bit operations",
    label = "expected integers or bool"
)]
#[doc(alias("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "invert"))]
pub trait Bits: Element {
    /// The op behind `!`.
    #[doc(hidden)]
    fn not_op() -> &'static crate::ops::OpDef;
}

/// Integers: `i8`, `i16`, `i32`, `i64`, `u8`, `u16`, `u32`, `u64`.
#[diagnostic::on_unimplemented(
    message = "this needs a tensor of integers, not of `{Self}`",
    label = "expected `i8` to `i64` or `u8` to `u64`"
)]
pub trait Integer: Number + Bits {}

/// Types with `+`: numbers, and strings, which it joins.
#[diagnostic::on_unimplemented(
    message = "tensors of `{Self}` cannot be added",
    label = "expected numbers or strings"
)]
#[doc(alias("broadcast_add"))]
pub trait Additive: Element {}

/// Types with `*`: numbers, and `bool`, whose product is true where both operands are.
#[diagnostic::on_unimplemented(
    message = "tensors of `{Self}` cannot be multiplied",
    label = "expected numbers or bool"
)]
#[doc(alias("multiply", "broadcast_mul"))]
pub trait Multiplicative: Element {
    /// The number one, or `true`.
    const ONE: Self;
    /// The op behind `*`.
    #[doc(hidden)]
    fn product_op() -> &'static crate::ops::OpDef {
        &crate::ops::MUL
    }
}

/// Integers that index: `i32`, `i64`.
#[diagnostic::on_unimplemented(
    message = "a tensor of `{Self}` cannot be an index",
    label = "expected i32 or i64"
)]
pub trait IndexElement: Number {
    /// The largest value: the end of a range that is open at its end.
    #[doc(hidden)]
    const MAX: Self;
}

macro_rules! numbers {
    ($($type:ty, $one:expr, $quotient:ty;)*) => { $(
        impl Number for $type {
            type Quotient = $quotient;
        }
        impl Additive for $type {}
        impl Multiplicative for $type {
            const ONE: Self = $one;
        }
    )* };
}
numbers! {
    f32, 1.0, f32; f64, 1.0, f64; f16, f16::ONE, f16; bf16, bf16::ONE, bf16; i32, 1, f64; i64, 1, f64; u8, 1, f32;
    i8, 1, f32; i16, 1, f32; u16, 1, f32; u32, 1, f64; u64, 1, f64;
}

macro_rules! group {
    ($trait:ident: $($type:ty),*) => { $( impl $trait for $type {} )* };
}
macro_rules! floats {
    ($($type:ty: $of:expr;)*) => { $( impl Float for $type {
        fn from_f64(value: f64) -> Self { $of(value) }
        const LOWEST: Self = <$type>::MIN;
        const HIGHEST: Self = <$type>::MAX;
    } )* };
}
floats! { f32: |v| v as f32; f64: |v| v; f16: f16::from_f64; bf16: bf16::from_f64; }

group!(Signed: f32, f64, f16, bf16, i8, i16, i32, i64);
group!(Integer: i8, i16, i32, i64, u8, u16, u32, u64);
group!(Additive: String);

impl Multiplicative for bool {
    const ONE: Self = true;
    fn product_op() -> &'static crate::ops::OpDef {
        &crate::ops::LOGICAL_AND
    }
}

macro_rules! bits {
    ($($type:ty => $op:ident),*) => { $(
        impl Bits for $type { fn not_op() -> &'static crate::ops::OpDef { &crate::ops::$op } }
    )* };
}
bits!(
    i8 => BIT_NOT, i16 => BIT_NOT, i32 => BIT_NOT, i64 => BIT_NOT,
    u8 => BIT_NOT, u16 => BIT_NOT, u32 => BIT_NOT, u64 => BIT_NOT,
    bool => LOGICAL_NOT
);

macro_rules! index_elements {
    ($($type:ty),*) => { $( impl IndexElement for $type { const MAX: Self = <$type>::MAX; } )* };
}
index_elements!(i32, i64);
