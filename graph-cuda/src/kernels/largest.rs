//! Where the largest value of each window of images is.

use graph_kernels::{DType, ElementOp, Span};

use super::map::thread_and_step;
use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Launch};
use crate::ptx::{self, Code, Operand, Reg, Width};

const THREADS: u32 = 256;

/// A kernel that finds the largest values of windows. NaN is larger than all others, and of equal values the first one counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Largest {
    /// The dtype of the values.
    pub dtype: DType,
}

/// The windows along one axis, as registers.
struct Axis {
    windows: Reg,
    places: Reg,
    stride: Reg,
    dilation: Reg,
    before: Reg,
    size: Reg,
}

impl Axis {
    fn parameters(code: &mut Code) -> Axis {
        Axis {
            windows: code.parameter(),
            places: code.parameter(),
            stride: code.parameter(),
            dilation: code.parameter(),
            before: code.parameter(),
            size: code.parameter(),
        }
    }

    /// Where the window begins; before the image, this is a negative number.
    fn begin(&self, code: &mut Code, window: Reg) -> Reg {
        let begin = code.mul(window, self.stride);
        code.sub(begin, self.before)
    }
}

/// The parameters of the windows along an axis.
fn parameters(span: &Span) -> [u64; 6] {
    [
        span.windows,
        span.places,
        span.stride,
        span.dilation,
        span.before,
        span.size,
    ]
    .map(|size| size as u64)
}

/// A number divided, and what is left.
fn divided(code: &mut Code, number: Reg, by: Reg) -> (Reg, Reg) {
    let quotient = code.div(number, by);
    let whole = code.mul(quotient, by);
    (quotient, code.sub(number, whole))
}

impl Largest {
    /// Whether a value takes the place of the largest one so far.
    fn is_larger(&self, code: &mut Code, value: Reg, largest: Reg) -> Option<Reg> {
        let larger = ptx::element(code, ElementOp::Greater, self.dtype, &[value, largest])?;
        if !self.dtype.is_float() {
            return Some(larger);
        }
        let [is_nan, was_nan] =
            [value, largest].map(|x| ptx::element(code, ElementOp::IsNan, self.dtype, &[x]));
        let predicate = Width::Predicate;
        let not = code.op(predicate, "not.pred", &[was_nan?.into()]);
        let first = code.op(predicate, "and.pred", &[is_nan?.into(), not.into()]);
        Some(code.op(predicate, "or.pred", &[larger.into(), first.into()]))
    }
}

impl Description for Largest {
    fn threads(&self) -> u32 {
        THREADS
    }

    fn write(&self, code: &mut Code) {
        let wide = Width::Double;
        let (out, x) = (code.address(), code.address());
        let (count, channels) = (code.parameter(), code.parameter());
        let [rows, columns] = [0; 2].map(|_| Axis::parameters(code));
        let (thread, step) = thread_and_step(code, wide);
        let n = code.copy(thread, wide);
        code.count_up(n, count, step, |code| {
            let (window, channel) = divided(code, n, channels);
            let (line, column) = divided(code, window, columns.windows);
            let (image, row) = divided(code, line, rows.windows);
            let (top, left) = (rows.begin(code, row), columns.begin(code, column));
            let first_line = code.mul(image, rows.size);
            let found = code.copy(-1, wide);
            let zero = ptx::constant(code, self.dtype, 0);
            let largest = code.copy(zero, ptx::width(self.dtype));
            let p = code.copy(0, wide);
            code.count_up(p, rows.places, 1, |code| {
                let y = code.mul_add(p, rows.dilation, top);
                // As unsigned numbers, so that what is before the image is too large.
                let inside = code.compare("lt", y, rows.size);
                code.when(inside, |code| {
                    let line = code.add(first_line, y);
                    let line = code.mul(line, columns.size);
                    let q = code.copy(0, wide);
                    code.count_up(q, columns.places, 1, |code| {
                        let x_at = code.mul_add(q, columns.dilation, left);
                        let inside = code.compare("lt", x_at, columns.size);
                        code.when(inside, |code| {
                            let pixel = code.add(line, x_at);
                            let at = code.mul_add(pixel, channels, channel);
                            let value = code.load(self.dtype, x, at);
                            let none = [found.into(), Operand::Int(-1)];
                            let none = code.op(Width::Predicate, "setp.eq.s64", &none);
                            let Some(larger) = self.is_larger(code, value, largest) else {
                                return;
                            };
                            let taken = [none.into(), larger.into()];
                            let taken = code.op(Width::Predicate, "or.pred", &taken);
                            code.when(taken, |code| {
                                code.assign(found, at);
                                code.assign(largest, value);
                            });
                        });
                    });
                });
            });
            code.store(DType::I64, out, n, found);
        });
    }
}

impl Kernels {
    /// Writes for each window and channel where in the images the largest value is, or -1 if the window is outside.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn largest(
        &self,
        out: &Buffer,
        (dtype, x): (DType, &Buffer),
        [count, channels]: [usize; 2],
        spans: &[Span; 2],
    ) -> Result<(), Failed> {
        let mut all = vec![out.address(), x.address(), count as u64, channels as u64];
        all.extend(spans.iter().flat_map(parameters));
        let blocks = count.div_ceil(THREADS as usize);
        let launch = Launch {
            blocks: (self.blocks(blocks, 16), 1),
            parameters: &all,
        };
        // SAFETY: the parameters are in the order in which `Largest::write` reads them. Only pixels inside of the images are read.
        unsafe { self.launch(&Largest { dtype }, &launch) }
    }
}
