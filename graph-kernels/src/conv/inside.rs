//! Iterates over the places of each window that lie in the image, for a few neighbouring channels at a time, so that what a kernel
//! accumulates for these channels stays in registers.

use std::ops::Range;

use super::window::Span;
use crate::simd::MulAdd;
use crate::simd::{Kernel, Level};

/// The rows and columns of one window that lie in the image.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    /// The index of the window, counted from the first row of windows asked for.
    pub window: usize,
    pub rows: usize,
    pub columns: usize,
    /// The first place in the window, and the pixel that it covers.
    place: [usize; 2],
    pixel: usize,
    /// The distance to the next row in places and in pixels, and to the next column in pixels.
    places: usize,
    down: usize,
    pub right: usize,
}

impl Inside {
    /// The number of places.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.rows * self.columns
    }

    /// The index of the pixel at a row and column of these places.
    #[inline(always)]
    pub fn pixel(&self, row: usize, column: usize) -> usize {
        self.pixel + row * self.down + column * self.right
    }

    /// The index in the window of the place at a row and column.
    #[inline(always)]
    pub fn place(&self, row: usize, column: usize) -> usize {
        (self.place[0] + row) * self.places + self.place[1] + column
    }
}

/// The work that is done for each window.
pub(super) trait EachWindow {
    /// Whether four registers of channels at a time are faster than one. True where there is little work for each value.
    const BY_FOUR: bool = false;

    /// The highest instruction-set level that it is compiled for.
    const UP_TO: Level;

    /// Does the work for `W` channels from `channel` on. Must be `#[inline(always)]`.
    fn block<M: MulAdd, const W: usize>(&mut self, window: &Inside, channel: usize);
}

/// Does the work for all channels of the windows in some rows.
pub(super) struct Windows<F> {
    pub spans: [Span; 2],
    pub rows: Range<usize>,
    pub channels: usize,
    pub each: F,
}

impl<F: EachWindow> Kernel for Windows<F> {
    type Output = ();
    const UP_TO: Level = F::UP_TO;

    #[inline(always)]
    fn run<M: MulAdd>(mut self) {
        let ([rows, columns], channels) = (self.spans, self.channels);
        let mut window = 0;
        for row in self.rows {
            let down = rows.inside(row);
            for column in 0..columns.windows {
                let right = columns.inside(column);
                let inside = Inside {
                    window,
                    rows: down.len(),
                    columns: right.len(),
                    place: [down.start, right.start],
                    pixel: match down.is_empty() || right.is_empty() {
                        true => 0,
                        false => {
                            let line = rows.at(row, down.start) * columns.size;
                            line + columns.at(column, right.start)
                        }
                    },
                    places: columns.places,
                    down: rows.dilation * columns.size,
                    right: columns.dilation,
                };
                window += 1;
                let mut channel = 0;
                if const { F::BY_FOUR } {
                    while channel + 4 * WIDE <= channels {
                        self.each.block::<M, { 4 * WIDE }>(&inside, channel);
                        channel += 4 * WIDE;
                    }
                }
                while channel + WIDE <= channels {
                    self.each.block::<M, WIDE>(&inside, channel);
                    channel += WIDE;
                }
                while channel + NARROW <= channels {
                    self.each.block::<M, NARROW>(&inside, channel);
                    channel += NARROW;
                }
                while channel < channels {
                    self.each.block::<M, 1>(&inside, channel);
                    channel += 1;
                }
            }
        }
    }
}

/// The number of 32-bit values in a register: of AVX-512 (`WIDE`), and of any vector instructions (`NARROW`).
const WIDE: usize = 16;
const NARROW: usize = 4;
