//! The layouts of a program's inputs relative to its output. They follow from the shapes alone, so they are calculated once if the shapes
//! are known ahead.

use smallvec::SmallVec;

use super::source::{Form, Repeated};
use super::{InputPart, Program, Width};
use crate::array::{same_shape, too_large};
use crate::nest::broadcast_with;
use crate::shape::View;
use crate::slices::sliced;
use crate::{Array, Dims, KernelError};

/// The layout of the inputs of a run.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The shape that all inputs broadcast to.
    pub shape: Dims,
    /// How each input is read.
    pub forms: SmallVec<[Form; 4]>,
    /// True if an input has one value for all elements.
    pub uniform: bool,
    /// The length of a row, for a program that works by rows. For other programs a block is one row.
    pub row: Option<usize>,
}

impl Layout {
    /// The layout of inputs with the given shapes.
    pub fn new<'a>(
        program: &Program,
        inputs: impl Iterator<Item = &'a [usize]> + Clone,
    ) -> Result<Layout, KernelError> {
        let mut shape = Dims::new();
        for input in inputs.clone() {
            broadcast_with(&mut shape, input)?;
        }
        let len = shape.iter().try_fold(1usize, |len, n| len.checked_mul(*n));
        len.filter(|len| *len <= isize::MAX as usize)
            .ok_or_else(|| too_large(&shape))?;
        program.check_sums(&shape, inputs.clone())?;
        let forms = inputs.zip(&program.inputs).enumerate();
        let forms = forms.map(|(n, (input, (_, width)))| match width {
            _ if program.adds(n) => Form::Whole,
            Width::Column => Form::new(input, &column(&shape)),
            _ => Form::new(input, &shape),
        });
        let forms: SmallVec<[Form; 4]> = forms.collect();
        Ok(Layout {
            uniform: has_uniform(&forms),
            forms,
            row: match shape.last() {
                Some(row) if program.by_rows => Some((*row).max(1)),
                _ if program.by_rows => Some(1),
                _ => None,
            },
            shape,
        })
    }
}

impl Layout {
    /// The layout of parts of inputs; `None` if a part can't be read in place, or the parts don't broadcast.
    fn of_parts(program: &Program, parts: &[InputPart]) -> Option<Layout> {
        let view = |part: &InputPart| sliced(part.shape, part.slices.iter().copied()).ok();
        let views: Vec<View> = parts.iter().map(view).collect::<Option<_>>()?;
        let mut shape = Dims::new();
        for view in &views {
            broadcast_with(&mut shape, &view.shape).ok()?;
        }
        let read = views.iter().map(|view| &view.shape[..]);
        program.check_sums(&shape, read).ok()?;
        let form = |(n, (part, view)): (usize, (&InputPart, &View))| match part.slices {
            _ if program.adds(n) => Some(Form::Whole),
            [] => Some(Form::new(part.shape, &shape)),
            _ => Repeated::part(view, &shape).map(Form::Repeated),
        };
        let forms = parts.iter().zip(&views).enumerate().map(form);
        let forms: SmallVec<[Form; 4]> = forms.collect::<Option<_>>()?;
        Some(Layout {
            shape,
            uniform: has_uniform(&forms),
            forms,
            row: None,
        })
    }
}

fn has_uniform(forms: &[Form]) -> bool {
    forms.iter().any(|form| matches!(form, Form::Uniform))
}

/// The shape of a value that has one value per row.
fn column(shape: &[usize]) -> Dims {
    let mut column = Dims::from_slice(shape);
    if let Some(last) = column.last_mut() {
        *last = 1;
    }
    column
}

/// A layout, and the shapes of the inputs that it is for.
#[derive(Clone, Debug)]
pub(super) struct Known {
    inputs: SmallVec<[Dims; 4]>,
    pub layout: Layout,
}

impl Known {
    /// The layout of inputs with the given shapes; `None` if they don't fit the program or each other.
    pub fn new(program: &Program, inputs: &[&[usize]]) -> Option<Known> {
        let widths = program.inputs.iter().map(|(_, width)| *width);
        let fit = inputs.len() == program.inputs.len()
            && inputs
                .iter()
                .zip(widths)
                .all(|(shape, width)| width.fits(shape));
        let layout = Layout::new(program, inputs.iter().copied()).ok();
        Some(Known {
            inputs: inputs.iter().map(|shape| Dims::from_slice(shape)).collect(),
            layout: layout.filter(|_| fit)?,
        })
    }

    /// The layout of parts of inputs, for a program that doesn't work by rows; `None` if it can't read them in place.
    pub fn of_parts(program: &Program, parts: &[InputPart]) -> Option<Known> {
        let fit = parts.len() == program.inputs.len() && !program.by_rows;
        Some(Known {
            inputs: parts.iter().map(|part| part.shape.into()).collect(),
            layout: Layout::of_parts(program, parts).filter(|_| fit)?,
        })
    }

    /// The shape of an input, or of the part of it that is read.
    pub fn shape(&self, input: usize) -> Option<&[usize]> {
        self.inputs.get(input).map(|shape| &shape[..])
    }

    /// Whether the inputs have these shapes and the program's dtypes.
    #[inline]
    pub fn is_for(&self, program: &Program, given: &[Option<&Array>], out: &Array) -> bool {
        let mut all = self
            .inputs
            .iter()
            .zip(given)
            .zip(&program.inputs)
            .enumerate();
        given.len() == program.arity()
            && all.all(|(n, ((shape, input), (dtype, _)))| {
                let input = input.unwrap_or(out);
                input.dtype() == *dtype && same_shape(program.shape_read(n, input), shape)
            })
    }
}
