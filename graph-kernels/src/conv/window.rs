//! The positions of the windows of a convolution or pooling in an image.

use crate::KernelError;

/// The padding around an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Padding {
    /// No padding: every window lies inside.
    #[default]
    Valid,
    /// Enough padding for `ceil(size / stride)` windows along an axis; if it is odd, the larger half is behind.
    Same,
    /// Rows above and below, columns to the left and to the right.
    Explicit([[usize; 2]; 2]),
}

/// How windows slide over the rows and columns of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Distances between neighbouring windows: rows, columns.
    pub strides: [usize; 2],
    /// Distances between neighbouring places in a window: rows, columns.
    pub dilations: [usize; 2],
    /// The padding around the image.
    pub padding: Padding,
}

impl Default for Window {
    /// Steps of 1, no padding.
    fn default() -> Window {
        Window {
            strides: [1, 1],
            dilations: [1, 1],
            padding: Padding::Valid,
        }
    }
}

/// The windows along one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// How many windows there are.
    pub windows: usize,
    /// The number of places in a window.
    pub places: usize,
    /// The distance between neighbouring windows.
    pub stride: usize,
    /// The distance between neighbouring places in a window.
    pub dilation: usize,
    /// How far before the image the first window begins: the padding before.
    pub before: usize,
    /// The size of the image.
    pub size: usize,
}

impl Window {
    /// The windows of `places` places along an axis (0: rows, 1: columns) of the given size.
    ///
    /// # Errors
    /// If a stride, a dilation or the number of places is 0, or the window is larger than the padded image.
    pub fn count(&self, axis: usize, size: usize, places: usize) -> Result<usize, KernelError> {
        Ok(self.span(axis, size, places)?.windows)
    }

    /// The windows of `places` places along an axis (0: rows, 1: columns) of the given size.
    ///
    /// # Errors
    /// As [`count`](Window::count).
    pub fn span(&self, axis: usize, size: usize, places: usize) -> Result<Span, KernelError> {
        let wrong = |text: String| KernelError::Shape(text);
        let (stride, dilation) = (self.strides[axis], self.dilations[axis]);
        if stride == 0 || dilation == 0 || places == 0 {
            return Err(wrong(
                "strides, dilations and window sizes must be positive".to_owned(),
            ));
        }
        let extent = (places - 1)
            .checked_mul(dilation)
            .and_then(|steps| steps.checked_add(1))
            .filter(|extent| *extent <= isize::MAX as usize)
            .ok_or_else(|| {
                wrong(format!(
                    "a window of {places} places {dilation} apart is too large"
                ))
            })?;
        let (before, after) = match self.padding {
            Padding::Valid => (0, 0),
            Padding::Explicit(pads) => (pads[axis][0], pads[axis][1]),
            Padding::Same => {
                let windows = size.div_ceil(stride);
                let covered = (windows.saturating_sub(1) * stride).saturating_add(extent);
                let pads = if size == 0 {
                    0
                } else {
                    covered.saturating_sub(size)
                };
                (pads / 2, pads - pads / 2)
            }
        };
        let padded = size
            .checked_add(before)
            .and_then(|size| size.checked_add(after));
        let padded = padded
            .ok_or_else(|| wrong(format!("a padding of {before} and {after} is too large")))?;
        let windows = match self.padding {
            Padding::Same => size.div_ceil(stride),
            _ => match padded.checked_sub(extent) {
                Some(room) => room / stride + 1,
                None => {
                    return Err(wrong(format!(
                        "Negative dimension size caused by subtracting {extent} from {padded}"
                    )));
                }
            },
        };
        Ok(Span {
            windows,
            places,
            stride,
            dilation,
            before,
            size,
        })
    }
}

impl Span {
    /// The range of the window's places that lie in the image.
    #[inline(always)]
    pub fn inside(&self, window: usize) -> std::ops::Range<usize> {
        let start = window * self.stride;
        // Place p is at start + p * dilation - before, which must be from 0 to size - 1.
        let reached = |size: usize| match self.dilation {
            // This avoids the division, which would take most of a small window's time.
            1 => size,
            dilation => size.div_ceil(dilation),
        };
        let first = reached(self.before.saturating_sub(start));
        let end = reached((self.size + self.before).saturating_sub(start));
        first.min(self.places)..end.clamp(first.min(self.places), self.places)
    }

    /// The position in the image of a window's place, which must be [`inside`](Self::inside).
    #[inline(always)]
    pub fn at(&self, window: usize, place: usize) -> usize {
        window * self.stride + place * self.dilation - self.before
    }

    /// How many rows or columns of the padded image `windows` neighbouring windows cover.
    pub fn covered(&self, windows: usize) -> usize {
        (windows - 1) * self.stride + (self.places - 1) * self.dilation + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(stride: usize, dilation: usize, padding: Padding) -> Window {
        Window {
            strides: [stride; 2],
            dilations: [dilation; 2],
            padding,
        }
    }

    #[test]
    fn sizes_and_paddings_are_tensorflows() {
        let span = |size, places, window: Window| {
            let span = window.span(0, size, places).unwrap();
            (span.windows, span.before)
        };
        assert_eq!(span(5, 3, window(1, 1, Padding::Valid)), (3, 0));
        assert_eq!(span(5, 3, window(2, 1, Padding::Valid)), (2, 0));
        assert_eq!(span(6, 3, window(2, 1, Padding::Same)), (3, 0));
        assert_eq!(span(5, 2, window(1, 1, Padding::Same)), (5, 0));
        assert_eq!(span(5, 3, window(1, 2, Padding::Same)), (5, 2));
        assert_eq!(span(2, 1, window(3, 1, Padding::Same)), (1, 0));
        assert_eq!(
            span(5, 3, window(1, 1, Padding::Explicit([[1, 2], [0, 0]]))),
            (6, 1)
        );
    }

    #[test]
    fn hostile_sizes_are_errors() {
        let error = window(1, 1, Padding::Valid).span(0, 2, 3).unwrap_err();
        assert_eq!(
            error.to_string(),
            "Negative dimension size caused by subtracting 3 from 2"
        );
        for (stride, dilation, padding, places) in [
            (0, 1, Padding::Same, 3),
            (1, 0, Padding::Same, 3),
            (1, 1, Padding::Same, 0),
            (1, usize::MAX, Padding::Same, 3),
            (1, 1, Padding::Explicit([[usize::MAX, 1], [0, 0]]), 3),
        ] {
            assert!(
                window(stride, dilation, padding)
                    .span(0, 5, places)
                    .is_err()
            );
        }
    }

    #[test]
    fn places_inside_are_those_that_lie_in_the_image() {
        for (size, places, stride, dilation) in
            [(5, 3, 1, 1), (5, 3, 2, 2), (1, 4, 1, 1), (7, 2, 3, 3)]
        {
            for padding in [Padding::Same, Padding::Explicit([[4, 5], [0, 0]])] {
                let span = window(stride, dilation, padding)
                    .span(0, size, places)
                    .unwrap();
                for at in 0..span.windows {
                    let place = |p: usize| (at * stride + p * dilation).checked_sub(span.before);
                    let inside: Vec<usize> = (0..places)
                        .filter(|p| place(*p).is_some_and(|at| at < size))
                        .collect();
                    assert_eq!(span.inside(at).collect::<Vec<_>>(), inside, "{span:?} {at}");
                }
            }
        }
    }
}
