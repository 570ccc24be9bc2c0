//! Conversion between Rust values and tensors: [`tensor`] makes a tensor of a scalar, array, vector or slice; [`Tensor::item`] and
//! [`Tensor::to_vec`] read the values. With the feature `ndarray`, its arrays convert in both directions (`of_ndarray.rs`).

use std::borrow::Borrow;
use std::sync::Arc;

use graph_kernels::{Array, Element, len_of};

use super::{AnyTensor, Tensor};
use crate::device::Device;
use crate::error::{Error, Location, Result};
use crate::graph::Shape;
use crate::trace;

/// A Rust value that can become a tensor of `T`: `T` itself, `[T; N]` nested up to four deep, `Vec<T>`, `&[T]`, rows of known length in
/// either (`Vec<[T; N]>`, `&[[T; N]]`); for strings also `&str` in
/// each of these. With the feature `ndarray`, also an owned, borrowed or viewed array of that crate.
///
/// The element type is a parameter of the trait, not an associated type, so that the type of literals is inferred from the context: `let x:
/// Tensor<f32> = tensor([1.0, 2.0])`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot become a tensor of `{T}`",
    label = "expected a scalar, an array (nested up to four deep), a `Vec` or a slice",
    note = "elements are f32, f64, f16, bf16, i8 to i64, u8 to u64, bool or String; sizes are `as i32` or `as i64` first",
    note = "arrays of ndarray need the feature `ndarray` of graph-runtime"
)]
pub trait IntoTensor<T> {
    /// The values, row-major, with their shape.
    fn into_array(self) -> Array;
}

/// A tensor with the given values: a scalar, an array (nested up to four deep), a vector or a slice; with the feature `ndarray`, an array of
/// that crate. While tracing it is a constant of the graph.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(tensor(7).item(), 7);
/// assert_eq!(tensor([[1, 2, 3], [4, 5, 6]]).shape().to_string(), "[2,3]");
/// assert_eq!(tensor(vec![[1, 2, 3], [4, 5, 6]]).shape().to_string(), "[2,3]"); // rows of known length, as many as there are
/// let words: Tensor<String> = tensor(["to", "be"]);
/// let half: Tensor<f32> = tensor(0.5);
/// # assert_eq!((words.dim(0), half.item()), (2, 0.5));
/// ```
#[doc(alias("array", "asarray", "as_tensor", "from_numpy"))]
#[doc(alias("constant", "convert_to_tensor"))]
#[track_caller]
pub fn tensor<T: Element, V: IntoTensor<T>>(value: V) -> Tensor<T> {
    Tensor::from_any(AnyTensor::constant(value.into_array()))
}

/// Implements [`IntoTensor`] and `From`. Each line is one kind of value: its generic parameters, its type, the element type, and the array.
macro_rules! values {
    ($([$($parameters:tt)*] $type:ty => $element:ty: |$value:ident| $array:expr;)*) => { $(
        impl<$($parameters)*> IntoTensor<$element> for $type {
            fn into_array(self) -> Array {
                let $value = self;
                $array
            }
        }

        impl<$($parameters)*> From<$type> for Tensor<$element> {
            #[track_caller]
            fn from(value: $type) -> Self {
                tensor(value)
            }
        }
    )* };
}
values! {
    [T: Element] T => T: |value| Array::scalar(value);
    [] &str => String: |value| Array::scalar(value.to_string());
    [T: Element] Vec<T> => T: |values| Array::new(&[values.len()], values);
    ['a, T: Element] &'a Vec<T> => T: |values| values.as_slice().into_array();
    ['a, T: Element] &'a [T] => T: |values| Array::copy_of(&[values.len()], values);
    [T: Element, const B: usize] Vec<[T; B]> => T: |rows| Array::new(&[rows.len(), B], rows.into_flattened());
    [T: Element, const B: usize, const C: usize] Vec<[[T; C]; B]> => T: |rows| {
        Array::new(&[rows.len(), B, C], rows.into_flattened().into_flattened())
    };
    ['a, T: Element, const B: usize, const C: usize] &'a Vec<[[T; C]; B]> => T: |rows| rows.as_slice().into_array();
    ['a, T: Element, const B: usize, const C: usize] &'a [[[T; C]; B]] => T: |rows| {
        Array::copy_of(&[rows.len(), B, C], rows.as_flattened().as_flattened())
    };
    ['a, T: Element, const B: usize] &'a Vec<[T; B]> => T: |rows| rows.as_slice().into_array();
    ['a, T: Element, const B: usize] &'a [[T; B]] => T: |rows| Array::copy_of(&[rows.len(), B], rows.as_flattened());
    ['s] Vec<&'s str> => String: |values| values.as_slice().into_array();
    ['a, 's] &'a [&'s str] => String: |values| values.iter().map(|s| s.to_string()).collect::<Vec<_>>().into_array();
}

// This module uses the macro above, so it is declared after it.
#[cfg(feature = "ndarray")]
mod of_ndarray;

/// Implements one depth of nested arrays: the sizes from the outermost in, and a `flatten` for each inner level.
macro_rules! nested_arrays {
    ($($type:ty, $strs:ty: [$($n:ident),*] $($flatten:ident)*;)*) => { $( values! {
        [T: Element, $(const $n: usize),*] $type => T: |array| {
            Array::new::<T>(&[$($n),*], array.into_iter()$(.$flatten())*.collect())
        };
        ['a, T: Element, $(const $n: usize),*] &'a $type => T: |array| array.clone().into_array();
        ['s, $(const $n: usize),*] $strs => String: |array| {
            Array::new(&[$($n),*], array.into_iter()$(.$flatten())*.map(str::to_string).collect())
        };
    } )* };
}
nested_arrays! {
    [T; A], [&'s str; A]: [A];
    [[T; B]; A], [[&'s str; B]; A]: [A, B] flatten;
    [[[T; C]; B]; A], [[[&'s str; C]; B]; A]: [A, B, C] flatten flatten;
    [[[[T; D]; C]; B]; A], [[[[&'s str; D]; C]; B]; A]: [A, B, C, D] flatten flatten flatten;
}

impl<T: Element> Tensor<T> {
    /// A tensor of the given shape with these values, row-major.
    ///
    /// # Errors
    /// If the number of values isn't the product of the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = Tensor::from_vec([2, 2], vec![1, 2, 3, 4])?;
    /// assert_eq!(x.t().to_vec(), [1, 3, 2, 4]);
    /// # Ok::<(), graph_runtime::error::Error>(())
    /// ```
    #[doc(alias("from_slice"))]
    #[track_caller]
    pub fn from_vec(shape: impl AsRef<[usize]>, values: Vec<T>) -> Result<Tensor<T>> {
        let shape = shape.as_ref();
        let size = len_of(shape);
        if size == Some(values.len()) {
            return Ok(Tensor::from_any(AnyTensor::constant(Array::new(
                shape, values,
            ))));
        }
        let size = size.map_or("too many".to_string(), |n| n.to_string());
        let shape = Shape::known(shape);
        let message = format!(
            "{} values cannot have the shape {shape} ({size} elements)",
            values.len()
        );
        Err(Error::trace(message, Location::caller()))
    }
}

impl<T: Element, S> Tensor<T, S> {
    /// The values as an array with their shape.
    ///
    /// # Panics
    /// If the tensor is symbolic, while tracing: the graph function ends with an error.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).array().shape(), [2]);
    /// ```
    #[doc(alias("numpy"))]
    #[track_caller]
    pub fn array(&self) -> Arc<Array> {
        self.any.array()
    }

    /// The device that holds the values.
    ///
    /// ```
    /// # use graph_runtime::{device::Device, tensor::*};
    /// assert_eq!(tensor([1, 2]).device(), Device::cpu());
    /// ```
    #[track_caller]
    pub fn device(&self) -> Device {
        self.any.device()
    }

    /// The same values on another device; the tensor itself if it is there already. Gradients go through. Strings stay on the host.
    ///
    /// In a graph function this is the tensor itself, because all of a call runs on one device.
    ///
    /// # Panics
    /// If the device has too little memory, or doesn't answer.
    ///
    /// ```
    /// use graph_runtime::device::Device;
    /// use graph_runtime::prelude::*;
    ///
    /// let x = tensor([1, 2]);
    /// let y = match Device::cuda(0) {
    ///     Ok(gpu) => (x.to(gpu) * 2).to(Device::cpu()), // computed there, brought back
    ///     Err(_) => x * 2,
    /// };
    /// assert_eq!(y.device(), Device::cpu());
    /// ```
    #[doc(alias("cuda", "cpu"))]
    #[track_caller]
    pub fn to(&self, device: impl Borrow<Device>) -> Tensor<T, S> {
        Tensor::from_any(self.any.to(*device.borrow()))
    }

    /// The values, row-major.
    ///
    /// # Panics
    /// If the tensor is symbolic, while tracing: the graph function ends with an error.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).to_vec(), [1, 2, 3, 4]);
    /// ```
    #[doc(alias("tolist", "to_vec1", "to_vec2", "to_vec3", "into_data"))]
    #[track_caller]
    pub fn to_vec(&self) -> Vec<T> {
        typed(&self.array()).to_vec()
    }

    /// The value of a tensor with one element, of any rank.
    ///
    /// # Panics
    /// If the tensor doesn't have exactly one element, or is symbolic, while tracing.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([2, 3]).sum().item(), 5);
    /// ```
    #[doc(alias("to_scalar", "to_vec0", "into_scalar"))]
    #[track_caller]
    pub fn item(&self) -> T {
        let array = self.array();
        let [value] = typed::<T>(&array) else {
            let message = format!(
                "item() needs a tensor with one element, not one of shape {}",
                self.shape()
            );
            trace::fail(Error::run(message, Location::caller()));
        };
        value.clone()
    }

    /// With the feature `ndarray`: the values as an `ndarray` array of the same shape.
    #[cfg(not(feature = "ndarray"))]
    #[doc(hidden)]
    pub fn to_ndarray(&self) -> std::convert::Infallible
    where
        Self: crate::features::NeedsNdarray,
    {
        crate::features::NeedsNdarray::never(self)
    }
}

/// The values of an array whose element type is known to be `T`.
fn typed<T: Element>(array: &Array) -> &[T] {
    array
        .values()
        .expect("a tensor's array has its element type")
}
