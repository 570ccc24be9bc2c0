//! Element types: the closed set of dtypes and the Rust types that stand for them.

use std::fmt;

use crate::array::Buffer;
use crate::values::Values;
use crate::{bf16, f16};

/// The element type of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DType {
    /// 32-bit IEEE float.
    F32,
    /// 64-bit IEEE float.
    F64,
    /// 16-bit IEEE float: storage, whose arithmetic is done in `float32` and rounded.
    F16,
    /// 16-bit float of 8 exponent bits: storage, whose arithmetic is done in `float32` and rounded.
    BF16,
    /// 32-bit signed integer; arithmetic wraps.
    I32,
    /// 64-bit signed integer; arithmetic wraps.
    I64,
    /// 8-bit unsigned integer; arithmetic wraps.
    U8,
    /// Truth value.
    Bool,
    /// UTF-8 string.
    Str,
}

impl DType {
    /// Every dtype, in declaration order.
    pub const ALL: [DType; 9] = [
        DType::F32,
        DType::F64,
        DType::F16,
        DType::BF16,
        DType::I32,
        DType::I64,
        DType::U8,
        DType::Bool,
        DType::Str,
    ];

    /// The name of the dtype as TensorFlow and NumPy write it, such as `float32`.
    pub fn name(self) -> &'static str {
        match self {
            DType::F32 => "float32",
            DType::F64 => "float64",
            DType::F16 => "float16",
            DType::BF16 => "bfloat16",
            DType::I32 => "int32",
            DType::I64 => "int64",
            DType::U8 => "uint8",
            DType::Bool => "bool",
            DType::Str => "string",
        }
    }

    /// How many bytes a value takes in an array; of a `string` without its text.
    ///
    /// ```
    /// # use graph_kernels::DType;
    /// assert_eq!(DType::F32.bytes(), 4);
    /// ```
    pub fn bytes(self) -> usize {
        match self {
            DType::U8 | DType::Bool => 1,
            DType::F16 | DType::BF16 => 2,
            DType::F32 | DType::I32 => 4,
            DType::F64 | DType::I64 => 8,
            DType::Str => size_of::<String>(),
        }
    }

    /// The dtype with this [`name`](Self::name), if there is one.
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.name() == name)
    }

    /// True for `float32`, `float64`, `float16` and `bfloat16`.
    pub fn is_float(self) -> bool {
        matches!(self, DType::F32 | DType::F64 | DType::F16 | DType::BF16)
    }

    /// True for `int32`, `int64` and `uint8`.
    pub fn is_integer(self) -> bool {
        matches!(self, DType::I32 | DType::I64 | DType::U8)
    }

    /// True for floats and integers.
    pub fn is_number(self) -> bool {
        self.is_float() || self.is_integer()
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A Rust type that can be the element of an array: `f32`, `f64`, `f16`, `bf16`, `i32`, `i64`, `u8`, `bool`,
/// `String`.
#[diagnostic::on_unimplemented(
    message = "a tensor can't hold elements of type `{Self}`",
    label = "expected `f32`, `f64`, `f16`, `bf16`, `i32`, `i64`, `u8`, `bool` or `String`"
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
}

macro_rules! elements {
    ($($type:ty, $variant:ident, $dtype:ident);* $(;)?) => { $(
        impl Element for $type {
            const DTYPE: DType = DType::$dtype;
            fn of(buffer: &Buffer) -> Option<&[Self]> {
                match buffer { Buffer::$variant(v) => Some(v), _ => None }
            }
            fn of_mut(buffer: &mut Buffer) -> Option<&mut [Self]> {
                match buffer { Buffer::$variant(v) => Some(v), _ => None }
            }
            fn wrap(values: Values<Self>) -> Buffer { Buffer::$variant(values) }
        }
    )* };
}
elements! { f32, F32, F32; f64, F64, F64; f16, F16, F16; bf16, BF16, BF16; i32, I32, I32; i64, I64, I64; u8, U8, U8; bool, Bool, Bool; String, Str, Str }
