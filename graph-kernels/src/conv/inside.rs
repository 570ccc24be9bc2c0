//! The places of windows that lie in the image, window by window, some neighbouring channels at a time: what a kernel calculates for
//! these stays in registers, however few or many channels there are.

use std::ops::Range;

use super::window::Span;
use crate::simd::MulAdd;
use crate::simd::{Kernel, Level};

/// The places of one window that lie in the image: some rows and columns of them.
#[derive(Clone, Copy)]
pub(super) struct Inside {
    /// The number of the window, counted from the first row of windows asked for.
    pub window: usize,
    pub rows: usize,
    pub columns: usize,
    /// The first place, and the pixel that it lies on.
    place: [usize; 2],
    pixel: usize,
    /// How many places and pixels it is to the next row, and pixels to the next column.
    places: usize,
    down: usize,
    pub right: usize,
}

impl Inside {
    /// How many places there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.rows * self.columns
    }

    /// The number of the pixel in some row and column of these places.
    #[inline(always)]
    pub fn pixel(&self, row: usize, column: usize) -> usize {
        self.pixel + row * self.down + column * self.right
    }

    /// The number of a place in the window.
    #[inline(always)]
    pub fn place(&self, row: usize, column: usize) -> usize {
        (self.place[0] + row) * self.places + self.place[1] + column
    }
}

/// What is done with each window.
pub(super) trait EachWindow {
    /// Whether four registers of channels at a time are better than one: where there is little to do for each.
    const BY_FOUR: bool = false;

    /// The best level that it is compiled for.
    const UP_TO: Level;

    /// Does it for `W` channels from one on. Must be `#[inline(always)]`.
    fn block<M: MulAdd, const W: usize>(&mut self, window: &Inside, channel: usize);
}

/// Something done for all channels of the windows of some rows.
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

/// A register of AVX-512, if the values have 32 bits, and one of any vector instructions.
const WIDE: usize = 16;
const NARROW: usize = 4;
