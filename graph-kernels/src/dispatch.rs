//! From the dtype of an array to typed code: the one place where kernels choose by dtype.

use crate::{Array, DType, Element, KernelError};

/// Runs `$body` with `$v` bound to the typed values of an array, for the dtypes of a class (`number`, `float`,
/// `integer`, `plain` (all but strings) or `any`); every other dtype is a [`KernelError::DType`] naming the op.
macro_rules! dispatch {
    (any $op:expr, $array:expr, $v:ident => $body:expr) => {
        dispatch!(@ [F32 F64 F16 BF16 I32 I64 U8 Bool Str] $op, $array, $v => $body)
    };
    (plain $op:expr, $array:expr, $v:ident => $body:expr) => {
        dispatch!(@ [F32 F64 F16 BF16 I32 I64 U8 Bool] $op, $array, $v => $body)
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
    (@ [$($variant:ident)*] $op:expr, $array:expr, $v:ident => $body:expr) => {
        match $array.buffer() {
            $($crate::Buffer::$variant($v) => $body,)*
            #[allow(unreachable_patterns)]
            other => Err($crate::dispatch::undefined($op, other.dtype())),
        }
    };
}
pub(crate) use dispatch;

/// Runs `$body` with `$T` standing for the Rust type of a dtype, for every dtype but strings, which are a
/// [`KernelError::DType`] naming the op.
macro_rules! of_dtype {
    ($op:expr, $dtype:expr, $T:ident => $body:expr) => {
        of_dtype!(@ [F32 f32, F64 f64, F16 crate::f16, BF16 crate::bf16, I32 i32, I64 i64, U8 u8, Bool bool]
            $op, $dtype, $T => $body)
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

/// The value of an integer scalar; `None` of anything else.
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
