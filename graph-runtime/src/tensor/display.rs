//! How a tensor prints: its values as NumPy writes them, or as the format options say (`{:.3}`, `{:8}`, `{:e}`). A symbolic tensor has no values and prints its static type. In a message of the
//! graph it is a placeholder, which the run replaces by the values.

use std::fmt;
use std::sync::Arc;

use graph_kernels::Array;
use graph_kernels::format::{Spec, numpy};

use super::{AnyTensor, Repr, Tensor};
use crate::device;
use crate::error::Location;
use crate::trace::{self, Style};

impl<T, S> fmt::Display for Tensor<T, S> {
    /// The values as NumPy's `str` writes them, or `Tensor(symbolic, …)` while tracing. A width, a precision, a sign and an alignment are
    /// those of each value.
    ///
    /// ```
    /// use graph_runtime::tensor;
    /// let x = tensor([[1.0, 0.5], [2.0 / 3.0, 20.0]]);
    /// assert_eq!(format!("{x:.3}"), "[[1.000 0.500]\n [0.667 20.000]]");
    /// assert_eq!(format!("{x:6.2}"), "[[  1.00   0.50]\n [  0.67  20.00]]");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_values(&self.any, Spec::from(&*f), f)
    }
}

impl<T, S> fmt::LowerExp for Tensor<T, S> {
    /// Like [`Display`](fmt::Display), with each number as Rust's `{:e}` writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_values(&self.any, Spec::from(&*f).with_exponent(), f)
    }
}

fn write_values(tensor: &AnyTensor, spec: Spec, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if let Some(mark) = tensor.mark(Style::Display, spec) {
        return f.write_str(&mark);
    }
    match concrete(tensor) {
        Some(array) => f.write_str(&numpy(&array, &spec)),
        None => write!(f, "{tensor:?}"),
    }
}

impl<T, S> fmt::Debug for Tensor<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.any, f)
    }
}

impl fmt::Display for AnyTensor {
    /// As a [`Tensor`] prints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_values(self, Spec::from(&*f), f)
    }
}

impl fmt::Debug for AnyTensor {
    /// `Tensor(shape=[2], dtype=int32, [1 2])`, with a matrix on lines of its own; while tracing `Tensor(symbolic, shape=[?],
    /// dtype=int32)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spec = Spec::from(&*f);
        if let Some(mark) = self.mark(Style::Debug, spec) {
            return f.write_str(&mark);
        }
        let ty = self.ty();
        let Some(array) = concrete(self) else {
            return write!(
                f,
                "Tensor(symbolic, shape={}, dtype={})",
                ty.shape, ty.dtype
            );
        };
        let before = if array.rank() > 1 { '\n' } else { ' ' };
        write!(
            f,
            "Tensor(shape={}, dtype={},{before}{})",
            ty.shape,
            ty.dtype,
            numpy(&array, &spec)
        )
    }
}

impl AnyTensor {
    /// The placeholder that is written instead of the tensor while a message of the graph is formatted.
    fn mark(&self, style: Style, spec: Spec) -> Option<String> {
        trace::mark(style, spec, |_| self.clone())
    }
}

/// The values to show. Arguments of the function being traced show none, because the graph is for all values.
fn concrete(tensor: &AnyTensor) -> Option<Arc<Array>> {
    match &tensor.repr {
        Repr::Concrete(value) if !tensor.is_symbolic() => {
            device::transfers_are_of(&Location::unknown());
            value.to_host().ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use graph_kernels::DType;

    use super::*;

    #[test]
    fn a_tensor_without_a_value_shows_its_static_type() {
        let x = Tensor::<i32>::from_any(AnyTensor::new(Repr::Poisoned(DType::I32)));
        let expected = "Tensor(symbolic, shape=[*], dtype=int32)";
        assert_eq!(
            (format!("{x:?}"), x.to_string()),
            (expected.to_string(), expected.to_string())
        );
    }
}
