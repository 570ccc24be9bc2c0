//! Inputs that the matrix product before a program adds, while its values are in registers.

use super::{Program, Step, Width, build};
use crate::block::Block;
use crate::dispatch::shape_text;
use crate::{DType, KernelError};

impl Program {
    /// The program of some steps behind a matrix product or a convolution. The product adds the inputs `sums`, in order, before it is written; the first
    /// input of the program is the product with these sums. There may be no steps. Each added input has the shape of the product or is a
    /// row of it, and no step reads it. Such a program runs in [`matmul_then`](crate::matmul_then) and
    /// [`conv2d_then`](crate::conv2d_then) only.
    ///
    /// # Errors
    /// As [`of_rows`](Self::of_rows), or if an added input has another dtype than the first input, or a dtype whose products are rounded
    /// or truncated before anything is added.
    ///
    /// ```
    /// # use graph_kernels::{Array, Behind, DType, ElementOp, Operand, Program, Step, Width, matmul_then};
    /// # use smallvec::smallvec;
    /// // relu(x * y + bias)
    /// let relu = Step { op: ElementOp::Relu.into(), operands: smallvec![Operand::Input(0)] };
    /// let program = Program::behind_sums(&[(DType::F32, Width::Row); 2], &[relu], &[1])?;
    /// let (x, y) = (Array::new(&[1, 2], vec![1f32, 2.0]), Array::new(&[2, 2], vec![1f32, 0.0, 0.0, 1.0]));
    /// let bias = Array::new(&[2], vec![10f32, -20.0]);
    /// let mut out = Array::default();
    /// matmul_then([&x, &y], [false; 2], Behind::program(&program, &[None, Some(&bias)]), &mut out)?;
    /// assert_eq!(out, Array::new(&[1, 2], vec![11f32, 0.0]));
    /// # Ok::<(), graph_kernels::KernelError>(())
    /// ```
    pub fn behind_sums(
        inputs: &[(DType, Width)],
        steps: &[Step],
        sums: &[usize],
    ) -> Result<Program, KernelError> {
        let dtype = |n: usize| inputs.get(n).map(|(dtype, _)| *dtype);
        let is_added_up = |n: &usize| match dtype(*n) {
            Some(own) => own.is_calculated_with() && Some(own) == dtype(0),
            None => false,
        };
        if !sums.iter().all(is_added_up) {
            let text = "a product adds only arrays of its own dtype, and only in float32, float64, int32 and int64";
            return Err(KernelError::DType(text.to_owned()));
        }
        let mut program =
            build::program(inputs.into(), steps, steps.len().checked_sub(1).as_slice())?;
        program.sums = sums.into();
        // What the product adds is shaped in other ways than what code reads.
        program.compiled = None;
        Ok(program)
    }

    /// Checks that no product has to add inputs for this program.
    ///
    /// # Errors
    /// If one has to.
    #[inline]
    pub(super) fn check_no_sums(&self) -> Result<(), KernelError> {
        if self.sums.is_empty() {
            return Ok(());
        }
        let text = "a program with inputs that a product adds runs behind a product only";
        Err(KernelError::Value(text.to_owned()))
    }

    /// Checks that each added input has the product's shape or that of a row of it.
    ///
    /// # Errors
    /// If an input has another shape.
    pub(super) fn check_sums<'a>(
        &self,
        product: &[usize],
        inputs: impl Iterator<Item = &'a [usize]>,
    ) -> Result<(), KernelError> {
        let is_row = |shape: &[usize]| match (shape, product) {
            ([ones @ .., n], [.., row]) => n == row && ones.iter().all(|size| *size == 1),
            _ => false,
        };
        let fits = |(n, shape)| !self.adds(n) || shape == product || is_row(shape);
        if inputs.enumerate().all(fits) {
            return Ok(());
        }
        let product = shape_text(product);
        Err(KernelError::Shape(format!(
            "an array that is added to a product of shape {product} must have that shape or be one row of it"
        )))
    }

    /// True for an input that the product adds.
    pub(super) fn adds(&self, input: usize) -> bool {
        self.sums.contains(&input)
    }
}

/// The values of the inputs that a product adds.
#[derive(Clone, Copy)]
pub(crate) struct Sums<'a> {
    inputs: &'a [usize],
    values: &'a [Option<Block<'a>>],
}

impl<'a> Sums<'a> {
    /// Nothing is added.
    pub const NONE: Sums<'a> = Sums {
        inputs: &[],
        values: &[],
    };

    pub(super) fn of(program: &'a Program, values: &'a [Option<Block<'a>>]) -> Sums<'a> {
        Sums {
            inputs: &program.sums,
            values,
        }
    }

    /// The values in the order in which they are added.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Block<'a>> {
        self.inputs.iter().filter_map(|input| self.values[*input])
    }
}
