//! Inputs that a program reads rolled: values that leave an axis at its end come in at its beginning. Further inputs hold the shifts. So
//! a step over the neighbours of a torus copies no array; a block is put together in the nearest cache, if it isn't contiguous anyway.

use super::layout::Layout;
use super::source::{Form, Rolled};
use super::{Program, Width};
use crate::indices::int_vector;
use crate::{Array, KernelError};

/// An input that is read rolled.
#[derive(Clone, Debug)]
pub(super) struct RollOf {
    input: usize,
    /// The index of the input that holds the shift.
    pub shift: usize,
    /// The number of values of the axis with all axes behind it, and of those alone.
    block: usize,
    inner: usize,
}

impl Program {
    /// This program, where `input` is rolled along one of its axes, as in [`roll`](crate::roll). The shift is a vector of one integer, given as one more
    /// input behind all others.
    ///
    /// `None` if the program isn't [prepared](Self::known) for shapes where this input has a value for each element, or works by rows.
    ///
    /// ```
    /// # use graph_kernels::{Array, DType, ElementOp, Operand, Program, Step};
    /// # use smallvec::smallvec;
    /// // x + roll(x, 1)
    /// let add = Step { op: ElementOp::Add.into(), operands: smallvec![Operand::Input(0), Operand::Input(1)] };
    /// let program = Program::new(&[DType::F32; 2], &[add])?.known(&[&[3], &[3]]);
    /// let program = program.with_roll(1, 0).expect("the input has as many values as the result");
    /// let x = Array::new(&[3], vec![1f32, 2.0, 3.0]);
    /// let mut out = Array::default();
    /// program.run(&[Some(&x), Some(&x), Some(&Array::new(&[1], vec![1]))], &mut out)?;
    /// assert_eq!(out, Array::new(&[3], vec![4f32, 3.0, 5.0]));
    /// # Ok::<(), graph_kernels::KernelError>(())
    /// ```
    pub fn with_roll(mut self, input: usize, axis: usize) -> Option<Program> {
        let known = self.known.as_ref()?;
        let shape = known.shape(input)?;
        let inner: usize = shape.get(axis + 1..)?.iter().product();
        let block = inner * shape.get(axis)?;
        let is_whole = matches!(known.layout.forms.get(input)?, Form::Whole);
        if self.by_rows || !is_whole || block == 0 || self.inputs[input].1 == Width::Column {
            return None;
        }
        let shift = self.arity();
        self.rolls.push(RollOf {
            input,
            shift,
            block,
            inner,
        });
        self.reads_parts = true;
        Some(self)
    }

    /// The layout with the rolled inputs of a run.
    ///
    /// # Errors
    /// If a shift isn't a vector of one integer.
    pub(super) fn rolled(
        &self,
        layout: &Layout,
        given: &[Option<&Array>],
    ) -> Result<Layout, KernelError> {
        let mut layout = layout.clone();
        for roll in &self.rolls {
            let shifts = given[roll.input].and(given[roll.shift]);
            let shifts = shifts.map(|shift| int_vector("roll", shift));
            let shift = match shifts.transpose()?.as_deref() {
                Some([shift]) => *shift,
                _ => {
                    let text = "a rolled input has one shift, and neither is overwritten";
                    return Err(KernelError::Shape(text.to_owned()));
                }
            };
            let len = roll.block / roll.inner;
            layout.forms[roll.input] = Form::Rolled(Rolled {
                block: roll.block,
                places: shift.rem_euclid(len as i64) as usize * roll.inner,
            });
        }
        Ok(layout)
    }
}
