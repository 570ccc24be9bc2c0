//! Convolution and pooling of images `[batch, rows, columns, channels]`.

use super::super::activation::Activation;
use super::super::initial::{glorot_uniform, zero};
use super::{finished, input, rows};
use crate::function::{Argument, Signature};
use crate::nn::{Module, Visitor};
use crate::tensor::{AsOperand, Padding, Tensor, Window};
use crate::variable::Variable;

/// The strides and the padding of a layer's window. In a signature it is a plain value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moves(pub(super) Window);

impl Argument for Moves {
    fn trace_type(&self, signature: &mut Signature) {
        signature.text(&format!("{:?}", self.0));
    }
}

impl Module for Moves {
    fn visit(&self, _: &mut Visitor<'_>) {}
}

/// A convolution: `activation(conv2d(x, kernel) + bias)`. The kernel is `[rows, columns, channels, filters]` and is initialized by Glorot's
/// uniform distribution, the bias by zeros. By default strides are 1 and there is no padding. (`keras.layers.Conv2D`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::{Activation, Conv2D};
/// let layer = Conv2D::new(3, 16, [3, 3]).same_padding().activation(Activation::Relu);
/// let y = layer.call(zeros::<f32>(&[1, 8, 8, 3]));
/// assert_eq!(y.shape().to_string(), "[1,8,8,16]");
/// ```
#[derive(Clone, Module)]
pub struct Conv2D {
    kernel: Variable<f32>,
    bias: Option<Variable<f32>>,
    window: Moves,
    activation: Activation,
}

impl Conv2D {
    /// Makes a layer with `filters` filters of `size` (rows, columns) for images with `channels` channels.
    #[track_caller]
    pub fn new(channels: usize, filters: usize, size: [usize; 2]) -> Conv2D {
        let [rows, columns] = size;
        let shape = [rows, columns, channels, filters];
        let area = rows * columns;
        Conv2D {
            kernel: glorot_uniform("kernel", &shape, area * channels, area * filters),
            bias: Some(zero("bias", &[filters])),
            window: Moves(Window::default()),
            activation: Activation::Linear,
        }
    }

    /// Applies an activation to the output.
    #[must_use]
    pub fn activation(mut self, activation: Activation) -> Conv2D {
        self.activation = activation;
        self
    }

    /// Sets the strides: the distances, in rows and columns, between the positions of the filters.
    #[must_use]
    pub fn strides(mut self, strides: [usize; 2]) -> Conv2D {
        self.window.0.strides = strides;
        self
    }

    /// Pads the image with zeros, so that with strides of 1 the output has its size.
    #[must_use]
    pub fn same_padding(mut self) -> Conv2D {
        self.window.0.padding = Padding::Same;
        self
    }

    /// Leaves out the bias.
    #[must_use]
    pub fn without_bias(mut self) -> Conv2D {
        self.bias = None;
        self
    }

    /// The layer's output `[batch, rows', columns', filters]`.
    ///
    /// # Errors
    /// As [`Tensor::conv2d`].
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>) -> Tensor<f32> {
        let x = rows(x, "Conv2D", &["batch", "rows", "columns"], &self.kernel, 2);
        let y = x.conv2d(&self.kernel, self.window.0);
        finished(y, self.bias.as_ref(), self.activation)
    }

    /// The filters, `[rows, columns, channels, filters]`.
    pub fn kernel(&self) -> &Variable<f32> {
        &self.kernel
    }

    /// The bias, `[filters]`.
    pub fn bias(&self) -> Option<&Variable<f32>> {
        self.bias.as_ref()
    }
}

/// Defines the layers that reduce each window to one value.
macro_rules! pools {
    ($($(#[$doc:meta])* $name:ident => $pool:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Module)]
        pub struct $name {
            size: [usize; 2],
            window: Moves,
        }

        impl $name {
            /// Makes a layer with adjacent windows of `size` (rows, columns). Rows and columns at the edges that don't fill a window are
            /// left out.
            pub fn new(size: [usize; 2]) -> $name {
                let window = Window { strides: size, ..Window::default() };
                $name { size, window: Moves(window) }
            }

            /// Sets the distances, in rows and columns, between windows.
            #[must_use]
            pub fn strides(mut self, strides: [usize; 2]) -> $name {
                self.window.0.strides = strides;
                self
            }

            /// Pads the image, so that windows may extend over its edges.
            #[must_use]
            pub fn same_padding(mut self) -> $name {
                self.window.0.padding = Padding::Same;
                self
            }

            /// The layer's output `[batch, rows', columns', channels]`.
            ///
            /// # Errors
            #[doc = concat!("As [`Tensor::", stringify!($pool), "`].")]
            #[track_caller]
            pub fn call(&self, x: impl AsOperand<f32>) -> Tensor<f32> {
                input(x).$pool(self.size, self.window.0)
            }
        }
    )* };
}
pools! {
    /// The largest value of each window. (`keras.layers.MaxPooling2D`)
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// use graph_runtime::nn::MaxPool2D;
    /// let x = tensor([1.0, 3.0, 2.0, 5.0]).reshape(&[1, 2, 2, 1]);
    /// assert_eq!(MaxPool2D::new([2, 2]).call(x).item(), 5.0);
    /// ```
    #[doc(alias("MaxPooling2D"))]
    MaxPool2D => max_pool2d;
    /// The mean of each window. (`keras.layers.AveragePooling2D`)
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// use graph_runtime::nn::AvgPool2D;
    /// let x = tensor([1.0, 3.0, 2.0, 6.0]).reshape(&[1, 2, 2, 1]);
    /// assert_eq!(AvgPool2D::new([2, 2]).call(x).item(), 3.0);
    /// ```
    #[doc(alias("AveragePooling2D"))]
    AvgPool2D => avg_pool2d;
}

/// The mean of each channel over the whole image: `[batch, channels]`. (`keras.layers.GlobalAveragePooling2D`)
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::nn::GlobalAvgPool2D;
/// let y = GlobalAvgPool2D.call(ones::<f32>(&[2, 4, 4, 3]));
/// assert_eq!(y.shape().to_string(), "[2,3]");
/// ```
#[doc(alias("GlobalAveragePooling2D", "AdaptiveAvgPool2d"))]
#[derive(Clone, Copy, Debug, Default, Module)]
pub struct GlobalAvgPool2D;

impl GlobalAvgPool2D {
    /// The layer's output `[batch, channels]`.
    #[track_caller]
    pub fn call(&self, x: impl AsOperand<f32>) -> Tensor<f32> {
        input(x).mean_axes(&[1, 2], false)
    }
}
