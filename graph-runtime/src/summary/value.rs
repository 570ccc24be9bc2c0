//! `SummaryValue`: what a summary takes as its value or its step.

use graph_kernels::{Array, Element};

use crate::tensor::Tensor;
use crate::trace::AnyTensor;
use crate::variable::Variable;

/// What a summary takes: a tensor, a variable, a number, a text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be written as a summary",
    label = "expected a tensor, a variable, a number or a text"
)]
pub trait SummaryValue {
    /// The untyped tensor; a plain value becomes a constant.
    #[doc(hidden)]
    fn tensor(&self) -> AnyTensor;
}

impl<V: SummaryValue + ?Sized> SummaryValue for &V {
    fn tensor(&self) -> AnyTensor {
        (**self).tensor()
    }
}

impl<T: Element, S> SummaryValue for Tensor<T, S> {
    fn tensor(&self) -> AnyTensor {
        self.as_any().clone()
    }
}

impl<T: Element, S> SummaryValue for Variable<T, S> {
    #[track_caller]
    fn tensor(&self) -> AnyTensor {
        self.read().into_any()
    }
}

/// Rust values, and the elements that they become.
macro_rules! plain {
    ($($value:ty as $element:ty;)*) => { $(
        impl SummaryValue for $value {
            fn tensor(&self) -> AnyTensor {
                AnyTensor::constant(Array::scalar(*self as $element))
            }
        }
    )* };
}
plain! {
    f32 as f32; f64 as f64; bool as bool;
    i8 as i8; i16 as i16; i32 as i32; i64 as i64; isize as i64;
    u8 as u8; u16 as u16; u32 as u32; u64 as u64; usize as i64;
}

impl SummaryValue for str {
    fn tensor(&self) -> AnyTensor {
        AnyTensor::constant(Array::scalar(self.to_owned()))
    }
}

impl SummaryValue for String {
    fn tensor(&self) -> AnyTensor {
        self.as_str().tensor()
    }
}
