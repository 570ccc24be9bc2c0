//! The table of elementwise functions: a function is defined by its row and nowhere else.
//!
//! A row names the op, its name in messages, the class of dtypes `T` that it is defined for, its operands, its result and its value.
//! `rounding` marks functions that use [`MulAdd`](crate::math::MulAdd), whose results may differ by instruction set; they call the
//! functions of [`Math`](crate::math::Math) with `M`. `slow` marks functions that divide or take a root. `near` is a way to the same value without branches for some operands; `near_by` is
//! one for some last operands that are equal at all positions. `refuses` names the error for integers that the function isn't defined
//! for.

use super::convert::Convert;
use super::function::{ElementError, Entry, Function, Near};
use super::half::Halved;
use super::integer::{AsKept, ByWords, InWider, OfWider, Portable};
use crate::block::Lane;
use crate::math::Math;
use crate::number::{Bits, Float, Integer, Number};
use crate::simd::MulAdd;
use crate::{DType, bf16, f16};

/// Floats.
trait Real: Float + Math {}
impl<T: Float + Math> Real for T {}

/// Numbers whose result has low bits that depend only on the low bits of the operands, so that the sign makes no difference.
trait LowBits: Number {}
impl<T: Number> LowBits for T {}

/// Numbers whose quotient is of another type.
trait Divided: Number {}
impl<T: Number> Divided for T {}

/// Integers of which every bit is inverted.
trait Inverted: Integer {}
impl<T: Integer> Inverted for T {}

/// Target types of rare conversions.
trait Rare: Convert {}
impl<T: Convert> Rare for T {}

/// Truth values.
trait Truth: Lane {}
impl Truth for bool {}

/// Declares the ops: the enum, a [`Function`] for each, and the lookup by op and dtype.
macro_rules! element_table {
    ($($(#[$doc:meta])* $op:ident $name:literal: $class:ident $($pace:ident)? ($($operand:ident: $of:ty),*) -> $output:ty $value:block
        $(refuses $error:ident if $refused:block)? $(near $near:block if $is_near:block)?
        $(near_by $near_by:block if $is_near_by:block)?;)*) => {
        /// A function that is applied element by element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ElementOp {
            $($(#[$doc])* $op,)*
        }

        impl ElementOp {
            /// Every function of the table.
            pub const ALL: &'static [ElementOp] = &[$(ElementOp::$op),*];

            /// The function's name in messages, which is that of its op.
            pub fn name(self) -> &'static str {
                match self {
                    $(ElementOp::$op => $name,)*
                }
            }

            /// The number of operands.
            pub fn arity(self) -> usize {
                match self {
                    $(ElementOp::$op => [$(stringify!($operand)),*].len(),)*
                }
            }

            /// The function for a dtype, if it is defined for it.
            pub(super) fn of_dtype(self, dtype: DType) -> Option<&'static Entry> {
                match self {
                    $(ElementOp::$op => dtypes!($class dtype, functions::$op),)*
                }
            }
        }

        pub(crate) mod functions {
            use super::*;

            $(
                pub struct $op;

                impl<T: $class> Function<T> for $op {
                    type Operands = ($($of,)*);
                    type Output = $output;
                    const ROUNDS: bool = pace!(rounding $($pace)?);
                    const SLOW: bool = pace!(slow $($pace)?);
                    const ERROR: Option<ElementError> = error!(T $($error)?);

                    #[inline(always)]
                    fn call<M: MulAdd>(($($operand,)*): Self::Operands) -> Self::Output $value

                    #[inline(always)]
                    #[allow(unused_variables)]
                    fn refuses(($($operand,)*): Self::Operands) -> bool {
                        false $(|| $refused)?
                    }

                    const NEAR: Near = near!($(values $near)? $(one_last $near_by)?);

                    #[inline(always)]
                    #[allow(unused_variables)]
                    fn is_near(($($operand,)*): Self::Operands) -> bool {
                        false $(|| $is_near)? $(|| $is_near_by)?
                    }

                    #[inline(always)]
                    fn near<M: MulAdd>(($($operand,)*): Self::Operands) -> Self::Output {
                        first!($($near)? $($near_by)? $value)
                    }
                }
            )*
        }

        /// The same functions over symbols, whose types take the names of the plain ones.
        #[allow(non_camel_case_types)]
        mod formulas {
            use super::functions;
            use super::super::symbolic::*;
            use crate::DType;
            use crate::element::ElementError;
            use crate::element::function::Near;
            use crate::formula::{Symbol, Unknown};
            use crate::simd::MulAdd;

            type f32 = Symbol<std::primitive::f32>;
            type f64 = Symbol<std::primitive::f64>;
            type i32 = Symbol<std::primitive::i32>;
            type f16 = Unknown;
            type bf16 = Unknown;
            type i64 = Unknown;
            type u8 = Unknown;
            type i8 = Unknown;
            type i16 = Unknown;
            type u16 = Unknown;
            type u32 = Unknown;
            type u64 = Unknown;

            $(
                impl<T: $class> Formula<T> for functions::$op {
                    type Operands = ($($of,)*);
                    type Output = $output;
                    const FAILS: bool = {
                        let error: Option<ElementError> = error!(T $($error)?);
                        error.is_some()
                    };
                    const NEAR: Near = near!($(values $near)? $(one_last $near_by)?);

                    fn call<M: MulAdd>(($($operand,)*): Self::Operands) -> Self::Output $value

                    #[allow(unused_variables)]
                    fn refuses(($($operand,)*): Self::Operands) -> bool {
                        false $(|| $refused)?
                    }

                    #[allow(unused_variables)]
                    fn is_near(($($operand,)*): Self::Operands) -> bool {
                        false $(|| $is_near)? $(|| $is_near_by)?
                    }

                    fn near<M: MulAdd>(($($operand,)*): Self::Operands) -> Self::Output {
                        first!($($near)? $($near_by)? $value)
                    }
                }
            )*

            impl crate::element::ElementOp {
                /// What records the function for a dtype, if it is defined for it and the dtype has symbols.
                pub(in crate::element) fn recording(self, dtype: DType) -> Option<Record> {
                    match self {
                        $(crate::element::ElementOp::$op => recorded!($class dtype, functions::$op),)*
                    }
                }
            }
        }
    };
}

/// The entry of a function at a dtype, if the dtype belongs to the class. A class lists the dtypes with compiled code of their own, those
/// calculated in a wider float or integer, and the integers implemented in other ways (see [`integer`](super::integer)).
macro_rules! dtypes {
    (Lane $($rest:tt)*) => {
        dtypes!(@ Itself [F32 f32, F64 f64, F16 f16, BF16 bf16, I32 i32, I64 i64, U8 u8, U16 u16, Bool bool]
            AsKept [I8 i8, I16 i16, U32 u32, U64 u64]; $($rest)*)
    };
    (Convert $($rest:tt)*) => {
        dtypes!(@ Itself [F32 f32, F64 f64, F16 f16, BF16 bf16, I32 i32, I64 i64, U8 u8, Bool bool]
            OfWider [I8 i8, I16 i16, U16 u16, U32 u32] ByWords [U64 u64]; $($rest)*)
    };
    (Rare $($rest:tt)*) => {
        dtypes!(@ Portable [F32 f32]
            ByWords [F64 f64, F16 f16, BF16 bf16, I32 i32, I64 i64, U8 u8, I8 i8, I16 i16, U16 u16, U32 u32, U64 u64, Bool bool];
            $($rest)*)
    };
    (Number $($rest:tt)*) => {
        dtypes!(@ Itself [F32 f32, F64 f64, I32 i32, I64 i64, U8 u8] Halved [F16 f16, BF16 bf16]
            InWider [I8 i8, I16 i16, U16 u16, U32 u32] Portable [U64 u64]; $($rest)*)
    };
    (LowBits $($rest:tt)*) => {
        dtypes!(@ Itself [F32 f32, F64 f64, I32 i32, I64 i64, U8 u8] Halved [F16 f16, BF16 bf16]
            InWider [I16 i16, U16 u16] AsKept [I8 i8, U32 u32, U64 u64]; $($rest)*)
    };
    (Divided $($rest:tt)*) => {
        dtypes!(@ Itself [F32 f32, F64 f64, I32 i32, I64 i64, U8 u8] Halved [F16 f16, BF16 bf16]
            Portable [I8 i8, I16 i16, U16 u16, U32 u32, U64 u64]; $($rest)*)
    };
    (Real $($rest:tt)*) => { dtypes!(@ Itself [F32 f32, F64 f64] Halved [F16 f16, BF16 bf16]; $($rest)*) };
    (Integer $($rest:tt)*) => {
        dtypes!(@ Itself [I32 i32, I64 i64, U8 u8] Portable [I8 i8, I16 i16, U16 u16, U32 u32, U64 u64]; $($rest)*)
    };
    (Inverted $($rest:tt)*) => {
        dtypes!(@ Itself [I32 i32, I64 i64, U8 u8] InWider [I16 i16, U16 u16] AsKept [I8 i8, U32 u32, U64 u64]; $($rest)*)
    };
    (Bits $($rest:tt)*) => {
        dtypes!(@ Itself [I32 i32, I64 i64, U8 u8, Bool bool] InWider [I16 i16, U16 u16] AsKept [I8 i8, U32 u32, U64 u64];
            $($rest)*)
    };
    (Truth $($rest:tt)*) => { dtypes!(@ Itself [Bool bool]; $($rest)*) };
    (@ $($way:ident [$($variant:ident $type:ty),*])*; $dtype:ident, $function:path) => {
        match $dtype {
            $($(DType::$variant => Some(entry!($way $function, $type)),)*)*
            #[allow(unreachable_patterns)]
            _ => None,
        }
    };
}

/// The entry of a function at a type, implemented in one of the ways.
macro_rules! entry {
    (Itself $function:path, $type:ty) => {
        <$function as Function<$type>>::ENTRY
    };
    (AsKept $function:path, $type:ty) => {
        AsKept::<$function, $type>::ENTRY
    };
    ($way:ident $function:path, $type:ty) => {
        <$way<$function> as Function<$type>>::ENTRY
    };
}

/// Whether a row has this mark.
macro_rules! pace {
    (rounding rounding) => {
        true
    };
    (slow slow) => {
        true
    };
    ($asked:ident $($other:ident)?) => {
        false
    };
}

macro_rules! near {
    () => {
        Near::Never
    };
    (values $near:block) => {
        Near::Values
    };
    (one_last $near:block) => {
        Near::OneLast
    };
}

macro_rules! first {
    ($value:block) => {
        $value
    };
    ($near:block $value:block) => {
        $near
    };
}

macro_rules! error {
    ($type:ident) => {
        None
    };
    ($type:ident $error:ident) => {
        if $type::IS_INTEGER {
            Some(ElementError::$error)
        } else {
            None
        }
    };
}

element_table! {
    /// `a + b`; integers wrap.
    Add "add": LowBits (a: T, b: T) -> T { a.add(b) };
    /// `a - b`; integers wrap.
    Sub "sub": LowBits (a: T, b: T) -> T { a.sub(b) };
    /// `a * b`; integers wrap.
    Mul "mul": LowBits (a: T, b: T) -> T { a.mul(b) };
    /// `a / b` as in Rust: integers truncate.
    Div "div": Number slow (a: T, b: T) -> T { a.div(b) } refuses DivisionByZero if { b == T::ZERO }
        near_by { a.div_power(b) } if { b.is_power() };
    /// `a % b` as in Rust: the remainder has the sign of `a`.
    Rem "rem": Number slow (a: T, b: T) -> T { a.rem(b) } refuses DivisionByZero if { b == T::ZERO }
        near_by { a.sub(a.div_power(b).mul(b)) } if { b.is_power() };
    /// `a / b` rounded down.
    FloorDiv "floor_div": Number slow (a: T, b: T) -> T { a.floor_div(b) } refuses DivisionByZero if { b == T::ZERO }
        near_by { a.floor_div_power(b) } if { b.is_power() };
    /// The remainder of [`FloorDiv`](ElementOp::FloorDiv): it has the sign of `b`.
    FloorMod "floor_mod": Number slow (a: T, b: T) -> T { a.floor_mod(b) } refuses DivisionByZero if { b == T::ZERO }
        near_by { a.sub(a.floor_div_power(b).mul(b)) } if { b.is_power() };
    /// `a / b`: of integers the `float64` quotient (of those of 8 and 16 bits in `float32`), of floats the quotient.
    TrueDiv "true_div": Divided slow (a: T, b: T) -> T::Quotient { a.quotient(b) };
    /// `a / b`, and 0 where `b` is 0.
    DivNoNan "divide_no_nan": Real slow (a: T, b: T) -> T { if b == T::ZERO { T::ZERO } else { a.div(b) } };
    /// `a` to the power `b`; integers wrap.
    Pow "pow": Number rounding (a: T, b: T) -> T { a.pow::<M>(b) } refuses NegativeExponent if { b < T::ZERO };
    /// The larger of `a` and `b`; NaN wins.
    Maximum "maximum": Number (a: T, b: T) -> T { Number::maximum(a, b) };
    /// The smaller of `a` and `b`; NaN wins.
    Minimum "minimum": Number (a: T, b: T) -> T { Number::minimum(a, b) };
    /// `(a - b) * (a - b)`.
    SquaredDifference "squared_difference": LowBits (a: T, b: T) -> T { let d = a.sub(b); d.mul(d) };
    /// The angle of the point (`b`, `a`).
    Atan2 "atan2": Real rounding (a: T, b: T) -> T { a.atan2::<M>(b) };
    /// `a * log(b)`, and 0 where `a` is 0.
    Xlogy "xlogy": Real rounding (a: T, b: T) -> T { if a == T::ZERO { T::ZERO } else { a.mul(Math::log::<M>(b)) } };
    /// `a * log(1 + b)`, and 0 where `a` is 0.
    Xlog1py "xlog1py": Real rounding (a: T, b: T) -> T { if a == T::ZERO { T::ZERO } else { a.mul(b.log1p::<M>()) } };
    /// `a / b`, and 0 where `a` is 0.
    Xdivy "xdivy": Real slow (a: T, b: T) -> T { if a == T::ZERO { T::ZERO } else { a.div(b) } };
    /// `a` where it is positive, else `a * b`.
    LeakyRelu "leaky_relu": Real (a: T, b: T) -> T { if a > T::ZERO { a } else { a.mul(b) } };

    /// `a & b`.
    BitAnd "bit_and": Bits (a: T, b: T) -> T { a & b };
    /// `a | b`.
    BitOr "bit_or": Bits (a: T, b: T) -> T { a | b };
    /// `a ^ b`.
    BitXor "bit_xor": Bits (a: T, b: T) -> T { a ^ b };
    /// `!a`, bit by bit.
    BitNot "bit_not": Inverted (a: T) -> T { !a };
    /// `a << b`; `b` is clamped to the range from 0 to one less than the number of bits.
    LeftShift "left_shift": Integer (a: T, b: T) -> T { a.left_shift(b) };
    /// `a >> b`, keeping the sign; shifts out of range are as for [`LeftShift`](ElementOp::LeftShift).
    RightShift "right_shift": Integer (a: T, b: T) -> T { a.right_shift(b) };

    /// `a < b`.
    Less "less": Number (a: T, b: T) -> bool { a < b };
    /// `a <= b`.
    LessEqual "less_equal": Number (a: T, b: T) -> bool { a <= b };
    /// `a > b`.
    Greater "greater": Number (a: T, b: T) -> bool { a > b };
    /// `a >= b`.
    GreaterEqual "greater_equal": Number (a: T, b: T) -> bool { a >= b };
    /// `a == b`.
    Equal "equal": Lane (a: T, b: T) -> bool { a == b };
    /// `a != b`.
    NotEqual "not_equal": Lane (a: T, b: T) -> bool { a != b };
    /// `a && b`.
    LogicalAnd "logical_and": Truth (a: bool, b: bool) -> bool { a & b };
    /// `a || b`.
    LogicalOr "logical_or": Truth (a: bool, b: bool) -> bool { a | b };
    /// `a != b` of truth values.
    LogicalXor "logical_xor": Truth (a: bool, b: bool) -> bool { a ^ b };
    /// `!a` of truth values.
    LogicalNot "logical_not": Truth (a: bool) -> bool { !a };
    /// `a` where `c` is true, else `b`.
    Select "select": Lane (c: bool, a: T, b: T) -> T { if c { a } else { b } };

    /// `-x`; integers wrap.
    Neg "neg": LowBits (x: T) -> T { x.neg() };
    /// The absolute value; integers wrap.
    Abs "abs": Number (x: T) -> T { Number::abs(x) };
    /// -1, 0 or 1; NaN stays.
    Sign "sign": Number (x: T) -> T { x.sign() };
    /// `x * x`.
    Square "square": LowBits (x: T) -> T { x.mul(x) };
    /// The larger of `x` and 0; NaN stays.
    Relu "relu": Number (x: T) -> T { if x < T::ZERO { T::ZERO } else { x } };
    /// `x` between 0 and 6; NaN stays.
    Relu6 "relu6": Number (x: T) -> T {
        let six = T::from_usize(6);
        if x < T::ZERO { T::ZERO } else if x > six { six } else { x }
    };
    /// `1 / x`.
    Reciprocal "reciprocal": Real slow (x: T) -> T { T::ONE.div(x) };
    /// The square root.
    Sqrt "sqrt": Real slow (x: T) -> T { x.sqrt() };
    /// One over the square root.
    Rsqrt "rsqrt": Real slow (x: T) -> T { T::ONE.div(x.sqrt()) };
    /// The cube root.
    Cbrt "cbrt": Real rounding (x: T) -> T { x.cbrt::<M>() };
    /// `e` to the power `x`.
    Exp "exp": Real rounding (x: T) -> T { Math::exp::<M>(x) };
    /// 2 to the power `x`.
    Exp2 "exp2": Real rounding (x: T) -> T { x.exp2::<M>() };
    /// `exp(x) - 1`, accurate near 0.
    Expm1 "expm1": Real rounding (x: T) -> T { x.expm1::<M>() };
    /// The natural logarithm.
    Log "log": Real rounding (x: T) -> T { Math::log::<M>(x) };
    /// `log(1 + x)`, accurate near 0.
    Log1p "log1p": Real rounding (x: T) -> T { x.log1p::<M>() };
    /// The logarithm to base 2.
    Log2 "log2": Real rounding (x: T) -> T { x.log2::<M>() };
    /// The logarithm to base 10.
    Log10 "log10": Real rounding (x: T) -> T { x.log10::<M>() };
    /// The sine.
    Sin "sin": Real rounding (x: T) -> T { Math::sin::<M>(x) } near { x.near_sin::<M>() } if { x.is_near() };
    /// The cosine.
    Cos "cos": Real rounding (x: T) -> T { Math::cos::<M>(x) } near { x.near_cos::<M>() } if { x.is_near() };
    /// The tangent.
    Tan "tan": Real rounding (x: T) -> T { Math::tan::<M>(x) } near { x.near_tan::<M>() } if { x.is_near() };
    /// The arcsine.
    Asin "asin": Real rounding (x: T) -> T { x.asin::<M>() };
    /// The arccosine.
    Acos "acos": Real rounding (x: T) -> T { x.acos::<M>() };
    /// The arctangent.
    Atan "atan": Real rounding (x: T) -> T { x.atan::<M>() };
    /// The hyperbolic sine.
    Sinh "sinh": Real rounding (x: T) -> T { x.sinh::<M>() };
    /// The hyperbolic cosine.
    Cosh "cosh": Real rounding (x: T) -> T { x.cosh::<M>() };
    /// The hyperbolic tangent.
    Tanh "tanh": Real rounding (x: T) -> T { Math::tanh::<M>(x) };
    /// The inverse of the hyperbolic sine.
    Asinh "asinh": Real rounding (x: T) -> T { x.asinh::<M>() };
    /// The inverse of the hyperbolic cosine.
    Acosh "acosh": Real rounding (x: T) -> T { x.acosh::<M>() };
    /// The inverse of the hyperbolic tangent.
    Atanh "atanh": Real rounding (x: T) -> T { x.atanh::<M>() };
    /// The error function.
    Erf "erf": Real rounding (x: T) -> T { x.erf::<M>() };
    /// `1 - erf(x)`, accurate where that is small.
    Erfc "erfc": Real rounding (x: T) -> T { x.erfc::<M>() };
    /// `1 / (1 + exp(-x))`.
    Sigmoid "sigmoid": Real rounding (x: T) -> T { x.sigmoid::<M>() };
    /// `log(1 + exp(x))`.
    Softplus "softplus": Real rounding (x: T) -> T { x.softplus::<M>() };
    /// `x / (1 + |x|)`.
    Softsign "softsign": Real slow (x: T) -> T { x.div(T::ONE.add(Number::abs(x))) };
    /// `x` where it is positive, else `exp(x) - 1`.
    Elu "elu": Real rounding (x: T) -> T { if x < T::ZERO { x.expm1::<M>() } else { x } };
    /// [`Elu`](ElementOp::Elu) scaled so that layers of it keep mean and variance.
    Selu "selu": Real rounding (x: T) -> T {
        let (scale, scaled_alpha) = (T::of_f64(1.050_700_987_355_480_5), T::of_f64(1.758_099_340_847_376_8));
        if x < T::ZERO { scaled_alpha.mul(x.expm1::<M>()) } else { scale.mul(x) }
    };
    /// The next integer below.
    Floor "floor": Real (x: T) -> T { x.floor() };
    /// The next integer above.
    Ceil "ceil": Real (x: T) -> T { x.ceil() };
    /// The nearest integer, halves to the even one.
    Round "round": Real (x: T) -> T { x.round() };
    /// The integer part.
    Trunc "trunc": Real (x: T) -> T { x.trunc() };
    /// True where `x` is not a number.
    IsNan "is_nan": Real (x: T) -> bool { Number::is_nan(x) };
    /// True where `x` is an infinity.
    IsInf "is_inf": Real (x: T) -> bool { Number::abs(x) == T::HIGHEST };
    /// True where `x` is neither NaN nor an infinity.
    IsFinite "is_finite": Real (x: T) -> bool { Number::abs(x) < T::HIGHEST };

    /// The value as `float32`.
    ToF32 "cast": Convert (x: T) -> f32 { x.convert() };
    /// The value as `float64`.
    ToF64 "cast": Convert (x: T) -> f64 { x.convert() };
    /// The value as `float16`.
    ToF16 "cast": Convert (x: T) -> f16 { x.convert() };
    /// The value as `bfloat16`.
    ToBF16 "cast": Convert (x: T) -> bf16 { x.convert() };
    /// The value as `int32`.
    ToI32 "cast": Convert (x: T) -> i32 { x.convert() };
    /// The value as `int64`.
    ToI64 "cast": Convert (x: T) -> i64 { x.convert() };
    /// The value as `uint8`.
    ToU8 "cast": Convert (x: T) -> u8 { x.convert() };
    /// The value as `int8`.
    ToI8 "cast": Rare (x: T) -> i8 { x.convert() };
    /// The value as `int16`.
    ToI16 "cast": Rare (x: T) -> i16 { x.convert() };
    /// The value as `uint16`.
    ToU16 "cast": Rare (x: T) -> u16 { x.convert() };
    /// The value as `uint32`.
    ToU32 "cast": Rare (x: T) -> u32 { x.convert() };
    /// The value as `uint64`.
    ToU64 "cast": Rare (x: T) -> u64 { x.convert() };
    /// True where the value isn't 0.
    ToBool "cast": Convert (x: T) -> bool { x.convert() };
}
