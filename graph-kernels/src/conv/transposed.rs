//! The transposed convolution: what a convolution's gradient does to its input, and how images grow. Where windows are a step of 1 apart,
//! it is a convolution with the filters turned round; else windows are multiplied and added to the image.

use super::direct::Conv;
use super::window::{Span, Window};
use super::{Binary, on_floats, sizes4};
use crate::dispatch::shape_text;
use crate::matmul::{Matrix, cost, plain_product};
use crate::number::Number;
use crate::{Array, KernelError, parallel, scratch};

/// The transpose of the convolution that takes images of `size` (rows, columns) with `filter` `[rows, columns, filters, channels]` to images like
/// `x` `[batch, rows, columns, channels]`; gives `[batch, size.., filters]`. 16-bit floats are calculated with in `f32`.
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
    on_floats("conv2d_transpose", (x, filter), &shape, out, &conv)
}

pub(super) struct Transposed {
    rows: Span,
    columns: Span,
    channels: usize,
    filters: usize,
    /// The same as a convolution with the filters turned round, if it is one.
    direct: Option<Conv>,
}

/// The windows of the convolution that undoes one whose windows are a step of 1 apart.
fn turned(span: Span) -> Option<Span> {
    let before = ((span.places - 1) * span.dilation).checked_sub(span.before)?;
    (span.stride == 1).then_some(Span {
        windows: span.size,
        size: span.windows,
        before,
        ..span
    })
}

impl Binary for Transposed {
    fn run<T: Number>(&self, x: &[T], filter: &[T], out: &mut [T]) {
        out.fill(T::ZERO);
        let (line, image) = (
            self.columns.windows * self.channels,
            self.rows.size * self.columns.size * self.filters,
        );
        if x.is_empty() || image == 0 {
            return;
        }
        if let Some(direct) = &self.direct {
            return scratch::with(filter.len(), |turned| {
                self.turn(filter, turned);
                direct.run(x, turned, out);
            });
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
    /// From images of so many channels to images of so many filters.
    pub fn new(
        batch: usize,
        [rows, columns]: [Span; 2],
        channels: usize,
        filters: usize,
    ) -> Transposed {
        let mut conv = Transposed {
            rows,
            columns,
            channels,
            filters,
            direct: None,
        };
        conv.direct = conv.as_convolution(batch);
        conv
    }

    fn as_convolution(&self, batch: usize) -> Option<Conv> {
        let conv = Conv {
            batch,
            rows: turned(self.rows)?,
            columns: turned(self.columns)?,
            channels: self.channels,
            filters: self.filters,
        };
        conv.check_band().is_ok().then_some(conv)
    }

    /// The filters `[rows, columns, filters, channels]` as `[rows, columns, channels, filters]`, the last row and column first.
    fn turn<T: Number>(&self, filter: &[T], turned: &mut [T]) {
        let place = self.filters * self.channels;
        let places = filter.chunks_exact(place).rev();
        for (from, to) in places.zip(turned.chunks_exact_mut(place)) {
            for (c, to) in to.chunks_exact_mut(self.filters).enumerate() {
                for (to, row) in to.iter_mut().zip(from.chunks_exact(self.channels)) {
                    *to = row[c];
                }
            }
        }
    }

    /// Adds what a row of windows gives to the image.
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
