//! Buffers: the values of an array without its shape, and the Rust types of the values.

use std::fmt;

use crate::values::Values;
use crate::{DType, bf16, f16};

/// The values of an array, row-major. Integer types that differ only in their sign are kept as one Rust type, so that code that moves
/// values is compiled once for both; the variant tells the sign.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Buffer {
    F32(Values<f32>),
    F64(Values<f64>),
    F16(Values<f16>),
    BF16(Values<bf16>),
    I32(Values<i32>),
    I64(Values<i64>),
    U8(Values<u8>),
    I8(Values<u8>),
    I16(Values<u16>),
    U16(Values<u16>),
    U32(Values<i32>),
    U64(Values<i64>),
    Bool(Values<bool>),
    Str(Values<String>),
}

/// Runs `$body` with `$v` bound to the values in a [`Buffer`], as the Rust type in which they are kept.
macro_rules! with_buffer {
    ($buffer:expr, $v:ident => $body:expr) => {
        match $buffer {
            $crate::Buffer::F32($v) => $body,
            $crate::Buffer::F64($v) => $body,
            $crate::Buffer::F16($v) => $body,
            $crate::Buffer::BF16($v) => $body,
            $crate::Buffer::I32($v) | $crate::Buffer::U32($v) => $body,
            $crate::Buffer::I64($v) | $crate::Buffer::U64($v) => $body,
            $crate::Buffer::U8($v) | $crate::Buffer::I8($v) => $body,
            $crate::Buffer::I16($v) | $crate::Buffer::U16($v) => $body,
            $crate::Buffer::Bool($v) => $body,
            $crate::Buffer::Str($v) => $body,
        }
    };
}
pub(crate) use with_buffer;

impl Buffer {
    /// An empty buffer of a dtype.
    pub fn empty(dtype: DType) -> Buffer {
        match dtype {
            DType::F32 => Buffer::F32(Values::new()),
            DType::F64 => Buffer::F64(Values::new()),
            DType::F16 => Buffer::F16(Values::new()),
            DType::BF16 => Buffer::BF16(Values::new()),
            DType::I32 => Buffer::I32(Values::new()),
            DType::I64 => Buffer::I64(Values::new()),
            DType::U8 => Buffer::U8(Values::new()),
            DType::I8 => Buffer::I8(Values::new()),
            DType::I16 => Buffer::I16(Values::new()),
            DType::U16 => Buffer::U16(Values::new()),
            DType::U32 => Buffer::U32(Values::new()),
            DType::U64 => Buffer::U64(Values::new()),
            DType::Bool => Buffer::Bool(Values::new()),
            DType::Str => Buffer::Str(Values::new()),
        }
    }

    /// A buffer of default values.
    pub(crate) fn zeros(dtype: DType, len: usize) -> Buffer {
        let mut buffer = Buffer::empty(dtype);
        with_buffer!(&mut buffer, v => v.resize(len));
        buffer
    }

    /// The dtype of the values.
    pub fn dtype(&self) -> DType {
        match self {
            Buffer::F32(_) => DType::F32,
            Buffer::F64(_) => DType::F64,
            Buffer::F16(_) => DType::F16,
            Buffer::BF16(_) => DType::BF16,
            Buffer::I32(_) => DType::I32,
            Buffer::I64(_) => DType::I64,
            Buffer::U8(_) => DType::U8,
            Buffer::I8(_) => DType::I8,
            Buffer::I16(_) => DType::I16,
            Buffer::U16(_) => DType::U16,
            Buffer::U32(_) => DType::U32,
            Buffer::U64(_) => DType::U64,
            Buffer::Bool(_) => DType::Bool,
            Buffer::Str(_) => DType::Str,
        }
    }
}

/// A Rust type that can be the element of an array: `f32`, `f64`, `f16`, `bf16`, `i8` to `i64`, `u8` to `u64`, `bool`,
/// `String`.
#[diagnostic::on_unimplemented(
    message = "a tensor can't hold elements of type `{Self}`",
    label = "expected `f32`, `f64`, `f16`, `bf16`, `i8` to `i64`, `u8` to `u64`, `bool` or `String`"
)]
pub trait Element: Clone + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The dtype this type stands for.
    const DTYPE: DType;
    /// The values of a buffer of this dtype.
    fn of(buffer: &Buffer) -> Option<&[Self]>;
    /// The values of a buffer of this dtype, mutable.
    fn of_mut(buffer: &mut Buffer) -> Option<&mut [Self]>;
    /// Wraps values as a buffer.
    fn wrap(values: Values<Self>) -> Buffer;

    /// The values of a buffer of any dtype that is moved as this type: see [`Array::stored`](crate::Array).
    #[doc(hidden)]
    fn stored(buffer: &Buffer) -> Option<&[Self]> {
        Self::of(buffer)
    }
    /// As [`stored`](Self::stored), mutable.
    #[doc(hidden)]
    fn stored_mut(buffer: &mut Buffer) -> Option<&mut [Self]> {
        Self::of_mut(buffer)
    }
}

/// The element types, and for each the dtypes that are moved as it.
macro_rules! elements {
    ($($type:ty, $variant:ident $(, moves $($moved:ident)*)?;)*) => { $(
        impl Element for $type {
            const DTYPE: DType = DType::$variant;
            fn of(buffer: &Buffer) -> Option<&[Self]> {
                match buffer { Buffer::$variant(v) => Some(v), _ => None }
            }
            fn of_mut(buffer: &mut Buffer) -> Option<&mut [Self]> {
                match buffer { Buffer::$variant(v) => Some(v), _ => None }
            }
            fn wrap(values: Values<Self>) -> Buffer { Buffer::$variant(values) }
            $(
                fn stored(buffer: &Buffer) -> Option<&[Self]> {
                    match buffer {
                        Buffer::$variant(v) => Some(v),
                        $(Buffer::$moved(v) => Some(bytemuck::cast_slice(v)),)*
                        _ => None,
                    }
                }
                fn stored_mut(buffer: &mut Buffer) -> Option<&mut [Self]> {
                    match buffer {
                        Buffer::$variant(v) => Some(v),
                        $(Buffer::$moved(v) => Some(bytemuck::cast_slice_mut(v)),)*
                        _ => None,
                    }
                }
            )?
        }
    )* };
}
elements! {
    f32, F32;
    f64, F64;
    f16, F16;
    bf16, BF16;
    i32, I32, moves U32 F32;
    i64, I64, moves U64 F64;
    u8, U8, moves I8;
    u16, U16, moves I16 F16 BF16;
    bool, Bool;
    String, Str;
}

/// The types whose values are kept in memory as another type of the same size.
macro_rules! kept_as {
    ($($type:ty, $variant:ident, $kept:ty;)*) => { $(
        impl Element for $type {
            const DTYPE: DType = DType::$variant;
            fn of(buffer: &Buffer) -> Option<&[Self]> {
                match buffer { Buffer::$variant(v) => Some(bytemuck::cast_slice(v)), _ => None }
            }
            fn of_mut(buffer: &mut Buffer) -> Option<&mut [Self]> {
                match buffer { Buffer::$variant(v) => Some(bytemuck::cast_slice_mut(v)), _ => None }
            }
            fn wrap(values: Values<Self>) -> Buffer { Buffer::$variant(values.cast::<$kept>()) }
        }
    )* };
}
kept_as! {
    i8, I8, u8;
    i16, I16, u16;
    u32, U32, i32;
    u64, U64, i64;
}
