//! The transposed convolution: the gradient of a convolution with respect to its input, also used to enlarge images. With strides of 1 it
//! is a convolution with reversed filters. With larger strides each [phase](super::phase) of pixels is a convolution with a part of the
//! filters. With few filters, or padding wider than a window, windows are multiplied and added to the image.

use super::direct::Conv;
use super::phase::{Phase, Phases};
use super::window::{Span, Window};
use super::{Function, on_floats, sizes4};
use crate::dispatch::shape_text;
use crate::matmul::{Matrix, cost, plain_product};
use crate::number::Number;
use crate::{Array, KernelError, parallel, scratch};

/// The transpose of the convolution that takes images of `size` (rows, columns) with `filter` `[rows, columns, filters, channels]` to
/// images like `x` `[batch, rows, columns, channels]`; returns `[batch, size.., filters]`. 16-bit floats are calculated in `f32`.
///
/// # Errors
/// If the operands don't have four axes or equal dtypes, their channels differ, the convolution would give images of another size than `x`
/// has, or they aren't floats.
pub fn conv2d_transpose(
    x: &Array,
    filter: &Array,
    size: [usize; 2],
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    let [batch, height, width, channels] = sizes4("conv2d_transpose", x)?;
    let [rows, columns, filters, depth] = sizes4("conv2d_transpose", filter)?;
    if channels != depth {
        let (x, filter) = (shape_text(x.shape()), shape_text(filter.shape()));
        return Err(KernelError::Shape(format!(
            "input depth must be equal to filter depth: {channels} vs {depth} ({x} and {filter})"
        )));
    }
    let spans = [
        window.span(0, size[0], rows)?,
        window.span(1, size[1], columns)?,
    ];
    let conv = Transposed::new(batch, spans, channels, filters);
    for (span, actual) in [(conv.rows, height), (conv.columns, width)] {
        if span.windows != actual {
            let Span {
                windows,
                size,
                places,
                stride,
                dilation,
                ..
            } = span;
            return Err(KernelError::Shape(format!(
                "Size of out_backprop doesn't match computed: actual = {actual}, computed = {windows} input: {size} \
                 filter: {places} output: {actual} stride: {stride} dilation: {dilation}"
            )));
        }
    }
    let shape = [batch, size[0], size[1], filters];
    on_floats("conv2d_transpose", [x, filter], &shape, out, &conv)
}

pub(super) struct Transposed {
    batch: usize,
    rows: Span,
    columns: Span,
    channels: usize,
    filters: usize,
    /// The phases along rows and columns, if the result is calculated by convolutions.
    phases: Option<[Phases; 2]>,
}

/// With this many filters or fewer, one product with all places of a window is faster than a convolution, whose tiles would be narrow.
const FEW: usize = 3;

/// Each phase of rows with each phase of columns.
fn pairs([rows, columns]: &[Phases; 2]) -> impl Iterator<Item = [Phase; 2]> {
    rows.iter()
        .flat_map(|row| columns.iter().map(|column| [*row, *column]))
}

impl Function<2> for Transposed {
    fn run<T: Number>(&self, [x, filter]: [&[T]; 2], out: &mut [T]) {
        out.fill(T::ZERO);
        let (line, image) = (
            self.columns.windows * self.channels,
            self.rows.size * self.columns.size * self.filters,
        );
        if x.is_empty() || image == 0 {
            return;
        }
        if let Some(phases) = &self.phases {
            pairs(phases).for_each(|phases| self.write_phase(phases, x, filter, out));
            return;
        }
        let places = self.rows.places * self.columns.places * self.filters;
        let nanoseconds = cost(x.len(), places, 1);
        // [places.., channels], read across.
        let filter = Matrix::new(filter, places, self.channels).t();
        parallel::for_each_chunk(out, image, nanoseconds, |start, out| {
            let x = &x[start / image * line * self.rows.windows..];
            scratch::with(self.columns.windows * places, |values| {
                for (window, x) in x.chunks_exact(line).take(self.rows.windows).enumerate() {
                    let x = Matrix::new(x, self.columns.windows, self.channels);
                    plain_product(x, filter, values);
                    self.scatter(window, values, out);
                }
            });
        });
    }
}

impl Transposed {
    /// The transposed convolution from images of `channels` channels to images of `filters` channels.
    pub fn new(
        batch: usize,
        [rows, columns]: [Span; 2],
        channels: usize,
        filters: usize,
    ) -> Transposed {
        let mut conv = Transposed {
            batch,
            rows,
            columns,
            channels,
            filters,
            phases: None,
        };
        conv.phases = conv.in_phases();
        conv
    }

    fn in_phases(&self) -> Option<[Phases; 2]> {
        if self.filters <= FEW {
            return None;
        }
        let along = |span: Span| {
            let phases = (0..span.stride.min(span.size)).map(|pixel| Phase::new(span, pixel));
            phases.collect::<Option<Phases>>()
        };
        let phases = [along(self.rows)?, along(self.columns)?];
        let fit = pairs(&phases).all(|phases| {
            let conv = self.conv(phases);
            conv.covered() == 0 || conv.check_band().is_ok()
        });
        fit.then_some(phases)
    }

    /// The convolution that calculates the pixels of a phase.
    fn conv(&self, [rows, columns]: [Phase; 2]) -> Conv {
        Conv {
            batch: self.batch,
            rows: rows.span,
            columns: columns.span,
            channels: self.channels,
            filters: self.filters,
        }
    }

    /// Writes the pixels of a phase; the phase has at least one place that reaches it.
    fn write_phase<T: Number>(&self, phases: [Phase; 2], x: &[T], filter: &[T], out: &mut [T]) {
        let conv = self.conv(phases);
        let pixels = self.batch * conv.rows.windows * conv.columns.windows;
        if pixels * conv.covered() == 0 {
            return;
        }
        scratch::with(conv.covered() * self.filters, |turned| {
            self.turn(phases, filter, turned);
            if [self.rows.stride, self.columns.stride] == [1, 1] {
                return conv.run([x, turned], out);
            }
            scratch::with(pixels * self.filters, |part| {
                conv.run([x, turned], part);
                self.spread(phases, part, out);
            });
        });
    }

    /// The filters' places of a phase, `[rows, columns, filters, channels]`, as `[rows, columns, channels, filters]`, last row and column
    /// first.
    fn turn<T: Number>(&self, [rows, columns]: [Phase; 2], filter: &[T], turned: &mut [T]) {
        let size = self.filters * self.channels;
        let places = rows.places().flat_map(|row| {
            let first = row * self.columns.places;
            columns.places().map(move |column| first + column)
        });
        for (place, to) in places.zip(turned.chunks_exact_mut(size)) {
            let from = &filter[place * size..][..size];
            for (c, to) in to.chunks_exact_mut(self.filters).enumerate() {
                for (to, row) in to.iter_mut().zip(from.chunks_exact(self.channels)) {
                    *to = row[c];
                }
            }
        }
    }

    /// Copies the pixels of a phase to their positions in the images.
    fn spread<T: Number>(&self, [rows, columns]: [Phase; 2], part: &[T], out: &mut [T]) {
        let line = self.columns.size * self.filters;
        let from = part.chunks_exact(columns.span.windows * self.filters);
        let to = out
            .chunks_exact_mut(self.rows.size * line)
            .flat_map(|image| {
                let lines = image.chunks_exact_mut(line).skip(rows.pixel);
                lines.step_by(self.rows.stride)
            });
        for (from, to) in from.zip(to) {
            let pixels = to.chunks_exact_mut(self.filters).skip(columns.pixel);
            let pixels = pixels.step_by(self.columns.stride);
            for (from, to) in from.chunks_exact(self.filters).zip(pixels) {
                to.copy_from_slice(from);
            }
        }
    }

    /// Adds the products of a row of windows to the image.
    fn scatter<T: Number>(&self, row: usize, values: &[T], out: &mut [T]) {
        let (rows, columns, filters) = (self.rows, self.columns, self.filters);
        let window = rows.places * columns.places * filters;
        for (column, values) in values.chunks_exact(window).enumerate() {
            for p in rows.inside(row) {
                for q in columns.inside(column) {
                    let values = &values[(p * columns.places + q) * filters..][..filters];
                    let at = (rows.at(row, p) * columns.size + columns.at(column, q)) * filters;
                    for (o, v) in out[at..at + filters].iter_mut().zip(values) {
                        *o = o.add(*v);
                    }
                }
            }
        }
    }
}
