//! Constants as Rust writes them.

use graph_runtime::{Array, DType};

/// The values of an array, one text each, or nothing for a dtype without literals of its own.
pub fn of_array(array: &Array) -> Option<Vec<String>> {
    macro_rules! numbers {
        ($type:ident) => {
            array
                .values::<$type>()?
                .iter()
                .map(|n| format!(concat!("{:?}_", stringify!($type)), n))
                .collect()
        };
    }
    macro_rules! floats {
        ($type:ident) => {
            array
                .values::<$type>()?
                .iter()
                .map(|n| match n {
                    n if n.is_nan() => concat!(stringify!($type), "::NAN").to_owned(),
                    n if n.is_infinite() && *n > 0.0 => {
                        concat!(stringify!($type), "::INFINITY").to_owned()
                    }
                    n if n.is_infinite() => concat!(stringify!($type), "::NEG_INFINITY").to_owned(),
                    n => format!(concat!("{:?}_", stringify!($type)), n),
                })
                .collect()
        };
    }
    Some(match array.dtype() {
        DType::F32 => floats!(f32),
        DType::F64 => floats!(f64),
        DType::I8 => numbers!(i8),
        DType::I16 => numbers!(i16),
        DType::I32 => numbers!(i32),
        DType::I64 => numbers!(i64),
        DType::U8 => numbers!(u8),
        DType::U16 => numbers!(u16),
        DType::U32 => numbers!(u32),
        DType::U64 => numbers!(u64),
        DType::Bool => array
            .values::<bool>()?
            .iter()
            .map(bool::to_string)
            .collect(),
        DType::Str => array
            .values::<String>()?
            .iter()
            .map(|text| format!("{text:?}"))
            .collect(),
        DType::F16 | DType::BF16 => return None,
    })
}

/// Values as nested arrays of Rust.
pub fn nested(values: &[String], sizes: &[usize]) -> String {
    let Some((count, inner)) = sizes.split_first() else {
        return values.concat();
    };
    let rows = values.chunks(values.len() / count);
    let rows: Vec<String> = rows.map(|row| nested(row, inner)).collect();
    format!("[{}]", rows.join(", "))
}

/// The Rust type of a dtype's elements.
pub fn element(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "f32",
        DType::F64 => "f64",
        DType::F16 => "f16",
        DType::BF16 => "bf16",
        DType::I8 => "i8",
        DType::I16 => "i16",
        DType::I32 => "i32",
        DType::I64 => "i64",
        DType::U8 => "u8",
        DType::U16 => "u16",
        DType::U32 => "u32",
        DType::U64 => "u64",
        DType::Bool => "bool",
        DType::Str => "String",
    }
}

/// An integer where Rust would take a literal for `i32`.
pub fn integer(n: i64) -> String {
    match i32::try_from(n) {
        Ok(n) => n.to_string(),
        Err(_) => format!("{n}_i64"),
    }
}
