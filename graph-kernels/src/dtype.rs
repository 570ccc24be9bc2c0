//! Element types: the closed set of dtypes. [`Element`](crate::Element) maps Rust types to them.

use std::fmt;

/// The element type of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DType {
    /// 32-bit IEEE float.
    F32,
    /// 64-bit IEEE float.
    F64,
    /// 16-bit IEEE float. It is only stored: arithmetic is done in `float32` and rounded.
    F16,
    /// 16-bit float with 8 exponent bits. It is only stored: arithmetic is done in `float32` and rounded.
    BF16,
    /// 32-bit signed integer; arithmetic wraps.
    I32,
    /// 64-bit signed integer; arithmetic wraps.
    I64,
    /// 8-bit unsigned integer; arithmetic wraps.
    U8,
    /// 8-bit signed integer; arithmetic wraps.
    I8,
    /// 16-bit signed integer; arithmetic wraps.
    I16,
    /// 16-bit unsigned integer; arithmetic wraps.
    U16,
    /// 32-bit unsigned integer; arithmetic wraps.
    U32,
    /// 64-bit unsigned integer; arithmetic wraps.
    U64,
    /// Truth value.
    Bool,
    /// UTF-8 string.
    Str,
}

impl DType {
    /// Every dtype, in declaration order.
    pub const ALL: [DType; 14] = [
        DType::F32,
        DType::F64,
        DType::F16,
        DType::BF16,
        DType::I32,
        DType::I64,
        DType::U8,
        DType::I8,
        DType::I16,
        DType::U16,
        DType::U32,
        DType::U64,
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
            DType::I8 => "int8",
            DType::I16 => "int16",
            DType::U16 => "uint16",
            DType::U32 => "uint32",
            DType::U64 => "uint64",
            DType::Bool => "bool",
            DType::Str => "string",
        }
    }

    /// The number of bytes of a value in an array; for a `string` without its text.
    ///
    /// ```
    /// # use graph_kernels::DType;
    /// assert_eq!(DType::F32.bytes(), 4);
    /// ```
    pub fn bytes(self) -> usize {
        match self {
            DType::U8 | DType::I8 | DType::Bool => 1,
            DType::F16 | DType::BF16 | DType::I16 | DType::U16 => 2,
            DType::F32 | DType::I32 | DType::U32 => 4,
            DType::F64 | DType::I64 | DType::U64 => 8,
            DType::Str => size_of::<String>(),
        }
    }

    /// The dtype with this [`name`](Self::name), if there is one.
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.name() == name)
    }

    /// True for `float32`, `float64`, `float16` and `bfloat16`.
    pub fn is_float(self) -> bool {
        matches!(self, DType::F32 | DType::F64) || self.is_half()
    }

    /// True for the floats of 16 bits, `float16` and `bfloat16`.
    pub fn is_half(self) -> bool {
        matches!(self, DType::F16 | DType::BF16)
    }

    /// True for the integers, with a sign or without, of 8 to 64 bits.
    pub fn is_integer(self) -> bool {
        !self.is_float() && !matches!(self, DType::Bool | DType::Str)
    }

    /// True for the integers that ops accept as positions, counts and seeds: `int32` and `int64`.
    pub fn is_index(self) -> bool {
        matches!(self, DType::I32 | DType::I64)
    }

    /// True for `uint8`, `uint16`, `uint32` and `uint64`.
    pub fn is_unsigned(self) -> bool {
        matches!(self, DType::U8 | DType::U16 | DType::U32 | DType::U64)
    }

    /// True for the dtypes in which kernels calculate: `float32`, `float64`, `int32` and `int64`. Products and sums of other numbers are
    /// calculated in one of these, and the result is rounded or truncated once.
    pub fn is_calculated_with(self) -> bool {
        self.is_index() || self.is_float() && !self.is_half()
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
