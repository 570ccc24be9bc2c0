//! The convolution of images: all channels at once or in groups, and what stands behind it.

use super::direct::Conv;
use super::grouped::{Grouped, conv_groups};
use super::side_by_side::SideBySide;
use super::window::Window;
use super::{Function, on_numbers, sizes4};
use crate::matmul::{Behind, Finish, Packed};
use crate::number::Number;
use crate::{Array, DType, KernelError};

/// The convolution of images `[batch, rows, columns, channels]` with filters `[rows, columns, depth, filters]` (a cross-correlation, as
/// everywhere in machine learning). If depth is less than `channels`, there are `channels / depth` groups. 16-bit floats are calculated
/// in `f32`.
///
/// # Errors
/// If the operands don't have four axes or equal dtypes, the channels can't be split into groups, the windows don't fit, or the dtype
/// isn't a number.
pub fn conv2d(
    x: &Array,
    filter: &Array,
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    conv2d_then([x, filter], window, Behind::default(), out)
}

/// [`conv2d`], then a program in place, as in [`matmul_then`](crate::matmul_then): the rows are those of `[.., filters]`.
///
/// # Errors
/// As [`conv2d`] and [`Program::run`](crate::Program::run); or if an added input has neither the result's shape nor that of one of its rows.
///
/// ```
/// # use graph_kernels::{Array, Behind, DType, ElementOp, Operand, Program, Step, Width, Window, conv2d_then};
/// # use smallvec::smallvec;
/// // relu(conv2d(x, filter) + bias)
/// let relu = Step { op: ElementOp::Relu.into(), operands: smallvec![Operand::Input(0)] };
/// let program = Program::behind_sums(&[(DType::F32, Width::Row); 2], &[relu], &[1])?;
/// let (x, filter) = (Array::new(&[1, 1, 3, 1], vec![1f32, 2.0, 3.0]), Array::new(&[1, 1, 1, 2], vec![1f32, -1.0]));
/// let bias = Array::new(&[2], vec![-1f32, 2.0]);
/// let mut out = Array::default();
/// conv2d_then([&x, &filter], Window::default(), Behind::program(&program, &[None, Some(&bias)]), &mut out)?;
/// assert_eq!(out, Array::new(&[1, 1, 3, 2], vec![0f32, 1.0, 1.0, 0.0, 2.0, 0.0]));
/// # Ok::<(), graph_kernels::KernelError>(())
/// ```
pub fn conv2d_then(
    [x, filter]: [&Array; 2],
    window: Window,
    behind: Behind,
    out: &mut Array,
) -> Result<(), KernelError> {
    let conv = Convolution::new(x, filter, window)?;
    let shape = conv.shape();
    out.reset(x.dtype(), &shape)?;
    behind.run(out, |out, finish| {
        let finished = |finish| Finished {
            conv: &conv,
            packed: behind.packed,
            finish,
        };
        match x.dtype() {
            DType::F32 | DType::F64 | DType::I64 => {
                on_numbers("conv2d", [x, filter], &shape, out, &finished(finish))
            }
            // It is calculated in a wider type.
            _ => {
                let plain = finished(&Finish::NOTHING);
                on_numbers("conv2d", [x, filter], &shape, out, &plain)?;
                match out.values_mut::<i32>() {
                    Some(values) if !values.is_empty() => finish.rows(0, values, shape[3]),
                    Some(_) => {}
                    None => finish.array(out),
                }
                Ok(())
            }
        }
    })
}

/// A convolution, in the way that suits its groups.
struct Convolution {
    conv: Conv,
    groups: usize,
    way: Way,
}

/// How groups are calculated.
enum Way {
    /// There is one group.
    Whole,
    /// All at once.
    SideBySide(SideBySide),
    /// One by one.
    OneByOne,
}

impl Convolution {
    fn new(x: &Array, filter: &Array, window: Window) -> Result<Convolution, KernelError> {
        let [batch, height, width, channels] = sizes4("conv2d", x)?;
        let [rows, columns, depth, filters] = sizes4("conv2d", filter)?;
        let groups = conv_groups(channels, depth, filters)?;
        let conv = Conv {
            batch,
            rows: window.span(0, height, rows)?,
            columns: window.span(1, width, columns)?,
            channels: depth,
            filters: filters / groups,
        };
        conv.check_band()?;
        let way = if groups == 1 {
            Way::Whole
        } else if SideBySide::suits(depth, conv.filters) {
            Way::SideBySide(SideBySide {
                batch,
                rows: conv.rows,
                columns: conv.columns,
                groups,
                depth,
                filters,
            })
        } else {
            Way::OneByOne
        };
        Ok(Convolution { conv, groups, way })
    }

    fn shape(&self) -> [usize; 4] {
        let Conv { rows, columns, .. } = self.conv;
        let filters = self.conv.filters * self.groups;
        [self.conv.batch, rows.windows, columns.windows, filters]
    }
}

/// A convolution and what stands behind it.
struct Finished<'a> {
    conv: &'a Convolution,
    packed: Option<&'a Packed>,
    finish: &'a Finish<'a>,
}

impl Function<2> for Finished<'_> {
    fn run<T: Number>(&self, operands: [&[T]; 2], out: &mut [T]) {
        let Convolution { conv, groups, way } = self.conv;
        match way {
            Way::Whole => conv.finished(operands, self.packed, out, self.finish),
            Way::SideBySide(conv) => conv.finished(operands, out, self.finish),
            Way::OneByOne => {
                let grouped = Grouped {
                    conv: *conv,
                    groups: *groups,
                    widths: [conv.channels, conv.filters, conv.filters],
                };
                grouped.run(operands, out);
                if !out.is_empty() {
                    self.finish.rows(0, out, conv.filters * groups);
                }
            }
        }
    }
}
