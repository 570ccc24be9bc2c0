//! What a machine register holds: an integer of some size, or a float.

use cranelift_codegen::ir::{Type, types};
use graph_kernels::{DType, Register};

/// The type of a value in machine code. Several dtypes share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
}

/// A register of a word program, while it holds a value of a kind. It may hold values of other kinds before and after.
pub type TypedRegister = (Register, Kind);

impl Kind {
    pub const ALL: [Kind; 6] = [
        Kind::I8,
        Kind::I16,
        Kind::I32,
        Kind::I64,
        Kind::F32,
        Kind::F64,
    ];

    /// `None` for strings. The 16-bit floats are kept as their bits.
    pub fn of(dtype: DType) -> Option<Kind> {
        Some(match dtype {
            DType::Bool | DType::U8 | DType::I8 => Kind::I8,
            DType::F16 | DType::BF16 | DType::I16 | DType::U16 => Kind::I16,
            DType::I32 | DType::U32 => Kind::I32,
            DType::I64 | DType::U64 => Kind::I64,
            DType::F32 => Kind::F32,
            DType::F64 => Kind::F64,
            DType::Str => return None,
        })
    }

    pub fn ty(self) -> Type {
        match self {
            Kind::I8 => types::I8,
            Kind::I16 => types::I16,
            Kind::I32 => types::I32,
            Kind::I64 => types::I64,
            Kind::F32 => types::F32,
            Kind::F64 => types::F64,
        }
    }
}

/// How a dtype is calculated with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Signed,
    Unsigned,
    Float,
    Bool,
    /// 16-bit floats, for which there are no instructions.
    Half,
}

impl Class {
    /// `None` for strings.
    pub fn of(dtype: DType) -> Option<Class> {
        Some(match dtype {
            DType::I8 | DType::I16 | DType::I32 | DType::I64 => Class::Signed,
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => Class::Unsigned,
            DType::F32 | DType::F64 => Class::Float,
            DType::Bool => Class::Bool,
            DType::F16 | DType::BF16 => Class::Half,
            DType::Str => return None,
        })
    }

    pub fn is_integer(self) -> bool {
        matches!(self, Class::Signed | Class::Unsigned)
    }
}
