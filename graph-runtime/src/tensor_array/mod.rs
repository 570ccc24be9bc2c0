//! `TensorArray`: rows that are written one by one, for example in a loop, and stacked at the end.
//!
//! An array is one tensor of all rows, which the ops of `ops/list.rs` take and return by value: a write gives a new tensor. If the old
//! tensor isn't used again, which is the usual case, the row is written in place.

mod form;
mod missing;

use std::fmt;

use graph_kernels::{DType, Element};

use crate::error::{Error, Location};
use crate::graph::Shape;
use crate::ops::{self, Attr, Attrs};
use crate::state::{GraphState, Nest};
use crate::tensor::{AsOperand, IndexElement, Position, RowIndex, Tensor, tensor};
use crate::trace::{self, AnyTensor};

use form::Form;

/// An array of rows of one dtype and shape, which is written row by row: `tf.TensorArray`.
///
/// An array has a fixed number of rows ([`new`](Self::new)) or grows when it is written ([`dynamic`](Self::dynamic)). All rows have the
/// same shape: that of the first row written, unless [`element_shape`](Self::element_shape) sets it before. Rows that weren't written are
/// zeros. A row may be written and read any number of times.
///
/// A method that changes an array also returns it: `array.write(i, row);` and `array = array.write(i, row);` do the same. Branches and
/// loops with a tensor condition carry arrays.
///
/// ```
/// use graph_runtime::prelude::*;
///
/// #[graph_fn]
/// fn squares(n: Tensor<i32>) -> Tensor<i32> {
///     let mut squares = TensorArray::new(&n);
///     for i in 0..n {
///         squares.write(&i, &i * &i);
///     }
///     squares.stack()
/// }
/// assert_eq!(squares(tensor(4)).to_vec(), [0, 1, 4, 9]);
/// ```
pub struct TensorArray<T> {
    list: Tensor<T>,
    form: Form,
}

impl<T> Clone for TensorArray<T> {
    fn clone(&self) -> Self {
        TensorArray {
            list: self.list.clone(),
            form: self.form.clone(),
        }
    }
}

impl<T: Element> TensorArray<T> {
    /// Makes an array with a fixed number of rows. The number may be a scalar tensor. The first row that is written sets the shape of the
    /// rows.
    ///
    /// # Errors
    /// When run, if the size is negative.
    #[track_caller]
    #[rustfmt::skip] // The compiler shows the line to whoever gives no size.
    pub fn new(size: impl RowIndex) -> TensorArray<T> { // One that grows as it is written: `TensorArray::dynamic()`
        let size = size.into_position();
        let known = match &size {
            Position::Known(size) => usize::try_from(*size).ok(),
            Position::Tensor(_) => None,
        };
        TensorArray::with_form(&size.to_any(), Form::new(false, known))
    }

    /// Makes an array without rows, which grows when it is written.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let array = TensorArray::dynamic().write(2, 7);
    /// assert_eq!(array.stack().to_vec(), [0, 0, 7]);
    /// ```
    #[track_caller]
    pub fn dynamic() -> TensorArray<T> {
        TensorArray::with_form(&0.into_operand(), Form::new(true, None))
    }

    #[track_caller]
    fn with_form(size: &AnyTensor, form: Form) -> TensorArray<T> {
        let attrs = Attrs::new()
            .with("dtype", Attr::DType(T::DTYPE))
            .with("shape", Attr::Shape(form.whole()));
        TensorArray {
            list: Tensor::from_any(AnyTensor::apply(&ops::LIST_NEW, attrs, &[size])),
            form,
        }
    }

    /// Sets the shape of the rows, so that the array can be read and stacked before any row was written, and so that tracing knows the
    /// shapes of the results.
    ///
    /// # Errors
    /// If a row of another shape was written before.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let array = TensorArray::<f32>::new(2).element_shape(&[3]);
    /// assert_eq!(array.stack().to_vec(), [0.0; 6]);
    /// ```
    #[track_caller]
    pub fn element_shape(self, shape: &[usize]) -> TensorArray<T> {
        self.see(&Shape::known(shape));
        let list = self.rows();
        TensorArray { list, ..self }
    }

    /// Makes an array of the rows of a tensor: `TensorArray(..).unstack(rows)`.
    ///
    /// # Errors
    /// If `rows` is a scalar.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let array = TensorArray::from_rows(&tensor([[1, 2], [3, 4]]));
    /// assert_eq!(array.read(1).to_vec(), [3, 4]);
    /// ```
    #[track_caller]
    pub fn from_rows(rows: impl AsOperand<T>) -> TensorArray<T> {
        let rows = &Tensor::<T>::from_any(rows.into_operand());
        let size = rows.as_any().shape().dims().and_then(|dims| *dims.first()?);
        TensorArray::new(0).filled(rows, Form::new(false, size))
    }

    /// Replaces the rows of the array by those of a tensor. If the array grows, it gets as many rows as the tensor has.
    ///
    /// # Errors
    /// If `rows` is a scalar, or the array has a known fixed size and `rows` has another number of rows.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let array = TensorArray::new(2).unstack(&tensor([5, 6]));
    /// assert_eq!(array.read(0).item(), 5);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler shows the line to whoever has no array yet.
    pub fn unstack(self, rows: impl AsOperand<T>) -> TensorArray<T> { // Of the rows alone: `TensorArray::from_rows(rows)`
        let form = self.form.clone();
        self.filled(&Tensor::<T>::from_any(rows.into_operand()), form)
    }

    #[track_caller]
    fn filled<S>(self, rows: &Tensor<T, S>, form: Form) -> TensorArray<T> {
        let array = TensorArray {
            list: Tensor::from_any(rows.as_any().clone()),
            form,
        };
        let shape = rows.as_any().shape();
        let Some(dims) = shape.dims() else {
            return array;
        };
        let Some((count, row)) = dims.split_first() else {
            array.wrong("Tensor must be at least a vector, but saw shape: []".to_owned());
            return self;
        };
        if let (Some(size), Some(count)) = (array.form.size, count)
            && size != *count
        {
            array.wrong(format!(
                "Operation expected a list with {size} elements but got a list with {count} elements."
            ));
        }
        array.see(&Shape::of(row.iter().copied()));
        array
    }

    /// Replaces row `i` and returns the array. If the array grows and `i` is after the last row, the rows between are zeros.
    ///
    /// # Errors
    /// When run, `Trying to modify element 7 in a list with 3 elements.`; if the row doesn't have the shape of the others.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let array = TensorArray::new(3).write(0, 1.5).write(2, 2.5);
    /// assert_eq!(array.stack().to_vec(), [1.5, 0.0, 2.5]);
    /// ```
    #[track_caller]
    pub fn write(&mut self, i: impl RowIndex, row: impl AsOperand<T>) -> TensorArray<T> {
        self.put(&i.into_position().to_any(), &row.into_operand());
        self.clone()
    }

    #[track_caller]
    fn put(&mut self, i: &AnyTensor, row: &AnyTensor) {
        self.see(&row.shape());
        self.update(&ops::LIST_WRITE, [i, row]);
    }

    /// Adds a row at the end of an array that grows: `array.write(array.size(), row)`.
    ///
    /// # Errors
    /// When run, if the array has a fixed size; if the row doesn't have the shape of the others.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let mut array = TensorArray::dynamic();
    /// array.push(5);
    /// array.push(6);
    /// assert_eq!(array.stack().to_vec(), [5, 6]);
    /// ```
    #[track_caller]
    pub fn push(&mut self, row: impl AsOperand<T>) {
        let end = self.size().into_any();
        self.put(&end, &row.into_operand());
    }

    /// Replaces several rows, row `indices[k]` by row `k` of a tensor, and returns the array.
    ///
    /// # Errors
    /// As [`write`](Self::write), or if the number of indices isn't the number of rows.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let array = TensorArray::new(3).scatter(&tensor([2, 0]), &tensor([7, 8]));
    /// assert_eq!(array.stack().to_vec(), [8, 0, 7]);
    /// ```
    #[track_caller]
    pub fn scatter<I: IndexElement>(
        &mut self,
        indices: impl AsOperand<I>,
        rows: impl AsOperand<T>,
    ) -> TensorArray<T> {
        let (indices, rows) = (indices.into_operand(), rows.into_operand());
        if let Some([_, row @ ..]) = rows.shape().dims() {
            self.see(&Shape::of(row.iter().copied()));
        }
        self.update(&ops::LIST_SCATTER, [&indices, &rows]);
        self.clone()
    }

    #[track_caller]
    fn update(&mut self, op: &'static ops::OpDef, others: [&AnyTensor; 2]) {
        let attrs = Attrs::new().with("grows", Attr::Bool(self.form.grows));
        AnyTensor::update(op, attrs, self.list.any_mut(), &others);
    }

    /// Row `i`.
    ///
    /// # Errors
    /// When run, `Trying to access element 7 in a list with 3 elements.`, or if no row was written and the shape of a row isn't known.
    #[track_caller]
    pub fn read(&self, i: impl RowIndex) -> Tensor<T> {
        let i = i.into_position().to_any();
        let operands = [self.list.as_any(), &i];
        Tensor::from_any(AnyTensor::apply(&ops::LIST_READ, self.known(), &operands))
    }

    /// The rows at several positions, as one tensor.
    ///
    /// # Errors
    /// When run, if an index is out of range, or if no row was written and the shape of a row isn't known.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let array = TensorArray::from_rows(&tensor([1, 2, 3]));
    /// assert_eq!(array.gather(&tensor([2, 0])).to_vec(), [3, 1]);
    /// ```
    #[track_caller]
    pub fn gather<I: IndexElement>(&self, indices: impl AsOperand<I>) -> Tensor<T> {
        self.rows().gather(indices)
    }

    /// All rows as one tensor `[n, ..]`. If there are no rows, sizes of a row that are unknown are 0, and if nothing is known of a row, the
    /// result is `[0]`. A graph also knows the rows that a loop would write, even if the loop never runs; eager code doesn't.
    ///
    /// # Errors
    /// When run, if there are rows, but none was written and the shape of a row isn't known.
    #[track_caller]
    pub fn stack(&self) -> Tensor<T> {
        self.rows()
    }

    /// Joins all rows along their first axis: `[n * m, ..]` for rows of shape `[m, ..]`.
    ///
    /// # Errors
    /// If the rows are scalars; as [`stack`](Self::stack).
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// let array = TensorArray::from_rows(&tensor([[1, 2], [3, 4]]));
    /// assert_eq!(array.concat().to_vec(), [1, 2, 3, 4]);
    /// ```
    #[track_caller]
    pub fn concat(&self) -> Tensor<T> {
        let rows = self.rows();
        Tensor::from_any(AnyTensor::apply(
            &ops::LIST_CONCAT,
            Attrs::default(),
            &[rows.as_any()],
        ))
    }

    /// The number of rows.
    ///
    /// ```
    /// use graph_runtime::prelude::*;
    /// assert_eq!(TensorArray::dynamic().write(4, 1).size().item(), 5);
    /// ```
    #[track_caller]
    pub fn size(&self) -> Tensor<i32> {
        match self.form.size.and_then(|size| i32::try_from(size).ok()) {
            Some(size) => tensor(size),
            None => self.list.shape_tensor().get(0),
        }
    }

    /// The dtype of the rows.
    pub fn dtype(&self) -> DType {
        T::DTYPE
    }

    /// The rows as a tensor with the known shape.
    #[track_caller]
    fn rows(&self) -> Tensor<T> {
        let list = self.list.as_any();
        Tensor::from_any(AnyTensor::apply(&ops::LIST_ROWS, self.known(), &[list]))
    }

    /// The known shape as the attribute `shape`.
    fn known(&self) -> Attrs {
        Attrs::new().with("shape", Attr::Shape(self.form.whole()))
    }

    /// Notes the shape of a row.
    #[track_caller]
    fn see(&self, row: &Shape) {
        if let Err(message) = self.form.see(row) {
            self.wrong(message);
        }
    }

    #[track_caller]
    fn wrong(&self, message: String) {
        trace::record(Error::trace(message, Location::caller()));
    }
}

impl<T: Element> fmt::Debug for TensorArray<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {}", self.form, T::DTYPE)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> Nest for TensorArray<T> {
    type Structure = Form;
    fn structure(&self) -> Option<Form> {
        Some(self.form.clone())
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        visit(self.list.as_any());
    }
    fn rebuild(structure: &Form, next: &mut dyn FnMut() -> AnyTensor) -> Self {
        TensorArray {
            list: Tensor::from_any(next()),
            form: structure.clone(),
        }
    }
}
#[diagnostic::do_not_recommend]
impl<T: Element> GraphState for TensorArray<T> {}
