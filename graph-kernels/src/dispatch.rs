//! From the dtype of an array to typed code: the one place where kernels choose by dtype.

use crate::{Array, DType, Element, KernelError};

/// Runs `$body` with `$v` bound to the typed values of an array, for the dtypes of a class. `number` and `integer` leave out the integers
/// without kernels of their own (`widened` handles them); the others are `float`, `plain` (all but strings) and `any`, and the last two
/// take integers as the type in which they are kept. Every other dtype is a [`KernelError::DType`] that names the op.
///
/// `moved` is for all dtypes and gives the values as integers of their size, so that a kernel which only moves values is compiled once
/// per size. [`Array::reset_like`] and [`Array::stored`] are used with it.
macro_rules! dispatch {
    (any $op:expr, $array:expr, $v:ident => $body:expr) => {
        dispatch!(@ [F32 F64 F16 BF16 I32|U32 I64|U64 U8|I8 U16|I16 Bool Str] $op, $array, $v => $body)
    };
    (moved $array:expr, $v:ident => $body:expr) => {
        match $array.buffer() {
            $crate::Buffer::U8(_) | $crate::Buffer::I8(_) => dispatch!(@moved $array, u8, $v => $body),
            $crate::Buffer::F16(_) | $crate::Buffer::BF16(_) | $crate::Buffer::I16(_) | $crate::Buffer::U16(_) => {
                dispatch!(@moved $array, u16, $v => $body)
            }
            $crate::Buffer::F32(_) | $crate::Buffer::I32(_) | $crate::Buffer::U32(_) => {
                dispatch!(@moved $array, i32, $v => $body)
            }
            $crate::Buffer::F64(_) | $crate::Buffer::I64(_) | $crate::Buffer::U64(_) => {
                dispatch!(@moved $array, i64, $v => $body)
            }
            $crate::Buffer::Bool(_) => dispatch!(@moved $array, bool, $v => $body),
            $crate::Buffer::Str(_) => dispatch!(@moved $array, String, $v => $body),
        }
    };
    (@moved $array:expr, $type:ty, $v:ident => $body:expr) => {{
        let $v = $crate::dispatch::moved::<$type>(&$array);
        $body
    }};
    (plain $op:expr, $array:expr, $v:ident => $body:expr) => {
        dispatch!(@ [F32 F64 F16 BF16 I32|U32 I64|U64 U8|I8 U16|I16 Bool] $op, $array, $v => $body)
    };
    (number $op:expr, $array:expr, $v:ident => $body:expr) => {
        dispatch!(@ [F32 F64 F16 BF16 I32 I64 U8] $op, $array, $v => $body)
    };
    (float $op:expr, $array:expr, $v:ident => $body:expr) => {
        dispatch!(@ [F32 F64 F16 BF16] $op, $array, $v => $body)
    };
    (integer $op:expr, $array:expr, $v:ident => $body:expr) => {
        dispatch!(@ [I32 I64 U8] $op, $array, $v => $body)
    };
    (@ [$($variant:ident $(|$kept:ident)?)*] $op:expr, $array:expr, $v:ident => $body:expr) => {
        match $array.buffer() {
            $($crate::Buffer::$variant($v) $(| $crate::Buffer::$kept($v))? => $body,)*
            #[allow(unreachable_patterns)]
            other => Err($crate::dispatch::undefined($op, other.dtype())),
        }
    };
}
pub(crate) use dispatch;

/// The values of an array as the type in which they are moved.
pub(crate) fn moved<T: Element>(array: &Array) -> &[T] {
    array.stored().expect("the dtype is moved as this type")
}

/// Runs `$body` with `$T` bound to the Rust type of a dtype, for every dtype but strings, which are a [`KernelError::DType`] that names
/// the op.
macro_rules! of_dtype {
    ($op:expr, $dtype:expr, $T:ident => $body:expr) => {
        of_dtype!(@ [F32 f32, F64 f64, F16 crate::f16, BF16 crate::bf16, I32 i32, I64 i64, U8 u8,
            I8 i8, I16 i16, U16 u16, U32 u32, U64 u64, Bool bool] $op, $dtype, $T => $body)
    };
    (@ [$($variant:ident $type:ty),*] $op:expr, $dtype:expr, $T:ident => $body:expr) => {
        match $dtype {
            $($crate::DType::$variant => {
                type $T = $type;
                $body
            })*
            $crate::DType::Str => Err($crate::dispatch::undefined($op, $crate::DType::Str)),
        }
    };
}
pub(crate) use of_dtype;

/// The error of an op that isn't defined for a dtype.
pub(crate) fn undefined(op: &str, dtype: DType) -> KernelError {
    KernelError::DType(format!("`{op}` is not defined for {dtype}"))
}

/// The values of an operand that must be of dtype `T`.
pub(crate) fn typed<'a, T: Element>(op: &str, array: &'a Array) -> Result<&'a [T], KernelError> {
    array.values::<T>().ok_or_else(|| {
        KernelError::DType(format!(
            "`{op}` takes an operand of {}, not {}",
            T::DTYPE,
            array.dtype()
        ))
    })
}

/// The values, as the type in which they are moved, of an operand that must have the dtype of another one.
pub(crate) fn alike<'a, T: Element>(
    op: &str,
    like: &Array,
    array: &'a Array,
) -> Result<&'a [T], KernelError> {
    let values = array.stored::<T>();
    values
        .filter(|_| like.dtype() == array.dtype())
        .ok_or_else(|| {
            KernelError::DType(format!(
                "`{op}` takes an operand of {}, not {}",
                like.dtype(),
                array.dtype()
            ))
        })
}

/// The values, as the type in which they are moved and mutable, of an array that must have the dtype of another one.
pub(crate) fn alike_mut<'a, T: Element>(
    op: &str,
    like: &Array,
    array: &'a mut Array,
) -> Result<&'a mut [T], KernelError> {
    let dtype = array.dtype();
    let values = array.stored_mut::<T>();
    let values = values.filter(|_| like.dtype() == dtype);
    values.ok_or_else(|| undefined(op, dtype))
}

/// An `int32` or `int64` scalar as a number.
pub(crate) fn int_scalar(op: &str, array: &Array) -> Result<i64, KernelError> {
    integer(array).ok_or_else(|| match array.buffer() {
        crate::Buffer::I32(_) | crate::Buffer::I64(_) => KernelError::Shape(format!(
            "`{op}` takes a scalar index, not an array of rank {}",
            array.rank()
        )),
        other => undefined(op, other.dtype()),
    })
}

/// The value of an integer scalar; `None` for anything else.
#[inline]
pub(crate) fn integer(array: &Array) -> Option<i64> {
    let value = match array.buffer() {
        crate::Buffer::I32(values) => i64::from(*values.first()?),
        crate::Buffer::I64(values) => *values.first()?,
        _ => return None,
    };
    array.shape().is_empty().then_some(value)
}

/// A shape as error messages show it: `[2,3]`.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("[{}]", sizes.join(","))
}
