//! How windows slide over images, and how large they are, as arguments: all of it, or the part that isn't the default.

use super::{Padding, Window};

/// How windows slide: a [`Window`]; the strides alone, one number or `[rows, columns]`; a [`Padding`] alone; or strides and padding, as in
/// `(2, Padding::Same)`.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let image = tensor([1.0, 2.0, 3.0, 4.0]).reshape([1, 1, 4, 1]);
/// let ones = ones::<f64>([1, 2, 1, 1]);
/// assert_eq!(image.conv2d(&ones, 1).to_vec(), [3.0, 5.0, 7.0]);
/// assert_eq!(image.conv2d(&ones, Padding::Same).to_vec(), [3.0, 5.0, 7.0, 4.0]);
/// assert_eq!(image.conv2d(&ones, (2, Padding::Same)).to_vec(), [3.0, 7.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't say how windows slide",
    label = "expected strides, a `Padding`, both as `(1, Padding::Same)`, or a `Window`"
)]
pub trait IntoWindow {
    /// All of it.
    #[doc(hidden)]
    fn into_window(self) -> Window;
}

impl IntoWindow for Window {
    fn into_window(self) -> Window {
        self
    }
}

impl IntoWindow for Padding {
    fn into_window(self) -> Window {
        (1, self).into_window()
    }
}

impl IntoWindow for usize {
    fn into_window(self) -> Window {
        (self, Padding::default()).into_window()
    }
}

impl IntoWindow for [usize; 2] {
    fn into_window(self) -> Window {
        (self, Padding::default()).into_window()
    }
}

impl<S: RowsColumns> IntoWindow for (S, Padding) {
    fn into_window(self) -> Window {
        let (strides, padding) = self;
        Window {
            strides: strides.pair(),
            padding,
            ..Window::default()
        }
    }
}

/// A number of rows and one of columns: `[2, 3]`, or one number for both.
#[diagnostic::on_unimplemented(
    message = "`{Self}` isn't a number of rows and one of columns",
    label = "expected `[usize; 2]`, or one `usize` for both"
)]
pub trait RowsColumns {
    /// The two numbers.
    #[doc(hidden)]
    fn pair(self) -> [usize; 2];
}

impl RowsColumns for usize {
    fn pair(self) -> [usize; 2] {
        [self, self]
    }
}

impl RowsColumns for [usize; 2] {
    fn pair(self) -> [usize; 2] {
        self
    }
}
