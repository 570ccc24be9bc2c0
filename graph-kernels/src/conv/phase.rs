//! The pixels along an axis that are one convolution of a transposed convolution: every so many of them, as far apart as windows are.

use smallvec::SmallVec;

use super::window::Span;

/// As many as windows are steps apart.
pub(super) type Phases = SmallVec<[Phase; 4]>;

/// Pixels along an axis that lie as far apart as windows do: the same places of windows reach all of them, so that a convolution gives them.
#[derive(Clone, Copy)]
pub(super) struct Phase {
    /// The first pixel.
    pub pixel: usize,
    /// The windows of the convolution.
    pub span: Span,
    /// The first of the places, and the steps between them.
    place: usize,
    step: usize,
}

impl Phase {
    /// The pixels from one on, unless the padding is wider than a window, so that the first windows reach none.
    pub fn new(span: Span, pixel: usize) -> Option<Phase> {
        let Span {
            stride, dilation, ..
        } = span;
        let common = greatest_common_divisor(stride, dilation);
        let step = stride / common;
        // The pixel's place in the padded image, less where a window begins, is the place's.
        let at = isize::try_from(pixel.checked_add(span.before)?).ok()?;
        let reaches = |place: &usize| (place * dilation) % stride == at as usize % stride;
        let place = (0..step.min(span.places)).find(reaches);
        let places = place.map_or(0, |place| (span.places - place).div_ceil(step));
        let (place, dilation) = (place.unwrap_or(0), dilation / common);
        // The convolution takes the last place first. Where it begins for this pixel, and the window that its first place is in:
        let end = place * span.dilation + places.saturating_sub(1) * dilation * stride;
        let before = match places {
            0 => 0,
            _ => usize::try_from((end as isize - at) / stride as isize).ok()?,
        };
        Some(Phase {
            pixel,
            span: Span {
                windows: span.size.saturating_sub(pixel).div_ceil(stride),
                places,
                stride: 1,
                dilation,
                before,
                size: span.windows,
            },
            place,
            step,
        })
    }

    /// The places of the filters, the last one first.
    pub fn places(self) -> impl Iterator<Item = usize> {
        (0..self.span.places)
            .rev()
            .map(move |n| self.place + n * self.step)
    }
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}
