//! Phases of a transposed convolution: the pixels along an axis with the stride of the windows. Each phase is an ordinary convolution.

use smallvec::SmallVec;

use super::window::Span;

/// One phase for each offset below the stride.
pub(super) type Phases = SmallVec<[Phase; 4]>;

/// Pixels along an axis with the stride of the windows. The same places of windows reach each of them, so one convolution calculates them
/// all.
#[derive(Clone, Copy)]
pub(super) struct Phase {
    /// The first pixel.
    pub pixel: usize,
    /// The windows of the convolution that calculates this phase.
    pub span: Span,
    /// The first place of the filters that reaches the phase, and the stride between such places.
    place: usize,
    step: usize,
}

impl Phase {
    /// The phase that begins at `pixel`; `None` if the padding is wider than a window, so that the first windows reach no pixel.
    pub fn new(span: Span, pixel: usize) -> Option<Phase> {
        let Span {
            stride, dilation, ..
        } = span;
        let common = greatest_common_divisor(stride, dilation);
        let step = stride / common;
        // A place is the pixel's position in the padded image minus the start of its window.
        let at = isize::try_from(pixel.checked_add(span.before)?).ok()?;
        let reaches = |place: &usize| (place * dilation) % stride == at as usize % stride;
        let place = (0..step.min(span.places)).find(reaches);
        let places = place.map_or(0, |place| (span.places - place).div_ceil(step));
        let (place, dilation) = (place.unwrap_or(0), dilation / common);
        // The convolution takes the last place first. Its position for this pixel, and from that the padding before:
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

    /// The places of the filters that reach the phase, the last one first.
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
