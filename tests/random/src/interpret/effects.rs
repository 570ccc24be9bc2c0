//! Prints and assertions.

use graph_runtime::DType;
use graph_runtime::prelude::*;

use crate::for_dtype;
use crate::value::Value;

/// Prints a value. Of floats, only their number is printed, because another test checks their text.
pub fn print(value: &Value) {
    match value.0.dtype() {
        DType::F64 => graph_print!("{} floats", value.typed::<f64>().size()),
        DType::F32 => graph_print!("{} floats", value.typed::<f32>().size()),
        dtype => for_dtype!(dtype, T => graph_print!("{}", value.typed::<T>())),
    }
}

/// Fails if the condition is false. The message shows a value, or the number of floats.
pub fn assert(condition: Tensor<bool>, shown: &Value) {
    match shown.0.dtype() {
        DType::F64 => graph_assert!(condition, "{} floats", shown.typed::<f64>().size()),
        DType::F32 => graph_assert!(condition, "{} floats", shown.typed::<f32>().size()),
        dtype => for_dtype!(dtype, T => graph_assert!(condition, "{}", shown.typed::<T>())),
    }
}
