//! Making new tensors: filled with a value, counting, and identity matrices.

use graph_kernels::{Element, range_len};

use super::gather::count;
use super::{AnyTensor, AsOperand, Float, Multiplicative, Number, Sizes, Tensor, of_shape};
use crate::graph::Shape;
use crate::ops::{self, Attr, Attrs};
use crate::trace;

/// A tensor of the given shape in which every element has this value. The shape may be a vector tensor, the value a scalar tensor.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(fill(&[2, 2], 7).to_vec(), [7; 4]);
/// assert_eq!(fill(tensor([3]), 7).to_vec(), [7; 3]);
/// ```
#[track_caller]
pub fn fill<T: Element>(shape: impl Sizes<usize>, value: impl AsOperand<T>) -> Tensor<T> {
    let shape = shape.into_sizes();
    Tensor::from_any(shape.apply(&value.into_operand(), (&ops::FILL, "shape"), &ops::FILL_TO))
}

pub use fill as full;

/// A tensor of zeros (`false`, empty strings) of the given shape.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(zeros::<f32>(&[3]).to_vec(), [0.0; 3]);
/// ```
#[doc(alias("empty"))]
#[track_caller]
pub fn zeros<T: Element>(shape: impl Sizes<usize>) -> Tensor<T> {
    fill(shape, T::default())
}

/// A tensor of ones (`true`) of the given shape.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(ones::<f32>(&[3]).to_vec(), [1.0; 3]);
/// ```
#[track_caller]
pub fn ones<T: Multiplicative>(shape: impl Sizes<usize>) -> Tensor<T> {
    fill(shape, T::ONE)
}

/// The square matrix of shape `[n, n]` with ones on its diagonal.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(eye::<i32>(2).to_vec(), [1, 0, 0, 1]);
/// ```
#[doc(alias("identity"))]
#[track_caller]
pub fn eye<T: Number>(n: usize) -> Tensor<T> {
    eye_rectangular(n, n)
}

/// The matrix of shape `[rows, columns]` with ones on its diagonal.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(eye_rectangular::<i32>(2, 3).to_vec(), [1, 0, 0, 0, 1, 0]);
/// ```
#[track_caller]
pub fn eye_rectangular<T: Number>(rows: usize, columns: usize) -> Tensor<T> {
    let attrs = Attrs::new()
        .with("rows", count(rows))
        .with("cols", count(columns))
        .with("dtype", Attr::DType(T::DTYPE));
    Tensor::from_any(AnyTensor::apply(&ops::EYE, attrs, &[]))
}

/// The numbers from `start` up to but without `limit` in steps of `delta`: `[n]`. Empty if `delta` leads away from `limit`. In a graph the
/// size is known while tracing if all three are Rust numbers.
///
/// # Errors
/// If `delta` is 0.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(range(2, 5, 1).to_vec(), [2, 3, 4]);
/// assert_eq!(range(5, 0, -2).to_vec(), [5, 3, 1]);
/// ```
#[doc(alias("arange"))]
#[track_caller]
#[rustfmt::skip] // The compiler shows the line to whoever gives no step.
pub fn range<T: Number>( // From, up to, step: `range(0, 5, 1)`; of a `usize`: `range(0, n as i32, 1)`
    start: impl AsOperand<T>,
    limit: impl AsOperand<T>,
    delta: impl AsOperand<T>,
) -> Tensor<T> {
    let operands = [
        start.into_operand(),
        limit.into_operand(),
        delta.into_operand(),
    ];
    let numbers = trace::latest_numbers(&operands.each_ref());
    let range = AnyTensor::apply(&ops::RANGE, Attrs::default(), &operands.each_ref());
    // Of Rust numbers the size is known. Where they are wrong, the op says so when run.
    let size = numbers.and_then(|[start, limit, delta]| range_len(&start, &limit, &delta).ok());
    Tensor::from_any(match size {
        Some(size) => of_shape(&range, Shape::known(&[size])),
        None => range,
    })
}

/// `count` evenly spaced numbers from `start` to `stop`, both included: `[count]`.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(linspace(0.0, 1.0, 5).to_vec(), [0.0, 0.25, 0.5, 0.75, 1.0]);
/// ```
#[track_caller]
pub fn linspace<T: Float>(
    start: impl AsOperand<T>,
    stop: impl AsOperand<T>,
    count: usize,
) -> Tensor<T> {
    Tensor::from_any(AnyTensor::apply(
        &ops::LINSPACE,
        Attrs::new().with("count", self::count(count)),
        &[&start.into_operand(), &stop.into_operand()],
    ))
}

/// Zeros (`false`, empty strings) in the shape of another tensor: [`Tensor::zeros_like`] as a function.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(zeros_like(tensor([1, 2])).to_vec(), [0, 0]);
/// ```
#[doc(alias("new_zeros", "empty_like"))]
#[track_caller]
pub fn zeros_like<T: Element, A: AsOperand<T>>(x: A) -> Tensor<T, A::Shape> {
    Tensor::from_any(x.into_operand()).zeros_like()
}

/// Ones in the shape of another tensor: [`Tensor::ones_like`] as a function.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(ones_like(tensor([5, 6])).to_vec(), [1, 1]);
/// ```
#[doc(alias("new_ones"))]
#[track_caller]
pub fn ones_like<T: Number, A: AsOperand<T>>(x: A) -> Tensor<T, A::Shape> {
    Tensor::from_any(x.into_operand()).ones_like()
}

/// [`zeros`], [`ones`] and [`eye`] as functions of the type, for code in which the type's name tells the reader more.
impl<T: Element> Tensor<T> {
    /// Zeros (`false`, empty strings) of the given shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(Tensor::<f32>::zeros(&[3]).to_vec(), [0.0; 3]);
    /// ```
    #[track_caller]
    pub fn zeros(shape: impl Sizes<usize>) -> Tensor<T> {
        zeros(shape)
    }
}

impl<T: Multiplicative> Tensor<T> {
    /// Ones (`true`) of the given shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(Tensor::<f32>::ones(&[3]).to_vec(), [1.0; 3]);
    /// ```
    #[track_caller]
    pub fn ones(shape: impl Sizes<usize>) -> Tensor<T> {
        ones(shape)
    }
}

impl<T: Number> Tensor<T> {
    /// The square matrix of shape `[n, n]` with ones on its diagonal.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(Tensor::<f32>::eye(2).to_vec(), [1.0, 0.0, 0.0, 1.0]);
    /// ```
    #[doc(alias("identity"))]
    #[track_caller]
    pub fn eye(n: usize) -> Tensor<T> {
        eye(n)
    }
}

impl<T: Element, S> Tensor<T, S> {
    /// Zeros in the shape of this tensor, even if that is known only when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).zeros_like().to_vec(), [0, 0]);
    /// ```
    #[doc(alias("new_zeros", "empty_like"))]
    #[track_caller]
    pub fn zeros_like(&self) -> Tensor<T, S> {
        self.full_like(T::default())
    }

    /// The same value everywhere, in the shape of this tensor, even if that is known only when run. The value may be a scalar tensor.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).full_like(7).to_vec(), [7, 7]);
    /// ```
    #[track_caller]
    pub fn full_like(&self, value: impl AsOperand<T>) -> Tensor<T, S> {
        Tensor::from_any(fill(self.sizes(), value).into_any())
    }
}

impl<T: Number, S> Tensor<T, S> {
    /// Ones in the shape of this tensor, even if that is known only when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([5, 6]).ones_like().to_vec(), [1, 1]);
    /// ```
    #[doc(alias("new_ones"))]
    #[track_caller]
    pub fn ones_like(&self) -> Tensor<T, S> {
        self.full_like(T::ONE)
    }
}
