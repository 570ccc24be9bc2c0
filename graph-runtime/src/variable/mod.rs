//! Variables: state that outlives a call. A variable is a place that holds a value; all its handles share the place. Outside of graph
//! functions, its methods act at once. In a graph function they become nodes, which read and write in the order of the program each time
//! the graph runs. Variables use `tensor/`, whose values they hold; a graph's table of variables uses them.
//!
//! [The guide](crate::guide::state) has a page on state.

mod arith;
mod display;
mod part;

use std::borrow::Borrow;
use std::ops::Deref;
use std::sync::Arc;

use graph_kernels::Element;

pub use graph_ir::device::Place;
pub use part::VariablePart;

use crate::device::Device;
use crate::error::{Error, Location};
use crate::graph::{Shape, TensorType};
use crate::ops::{self, Attrs, OpDef};
use crate::signature::{Argument, Holds, Signature};
use crate::tensor::{
    Absorb, Additive, AsOperand, Dyn, FitsShape, IndexElement, Number, Position, RowIndex,
    ShapeSpec, Tensor, TensorIndex, set_part_arguments,
};
use crate::trace::{self, AnyTensor};

/// A value that programs can change: read and assigned eagerly and in graph functions. There it may be an argument, a field of one, or a
/// `static`. Cloning gives another handle of the same variable. `S` is the static shape, as for a [`Tensor`].
///
/// A graph function that takes a variable as an argument gets another variable in another call, even if its body also names that variable
/// as a `static`. So a function should either take a variable as an argument or name it, not both.
///
/// # Errors
/// An assignment that fails changes nothing. If a run fails later, earlier assignments stay, as in TensorFlow; an error while tracing comes
/// before any assignment. To be safe, compute everything that may fail first, and then assign.
///
/// ```
/// # use graph_runtime::prelude::*;
/// #[graph_fn]
/// fn count(total: &Variable<i32>, n: Tensor<i32>) -> Tensor<i32> {
///     if n > 0 {
///         total.assign_add(n);
///     }
///     total.read()
/// }
/// let total = Variable::new(tensor(0));
/// count(&total, tensor(3));
/// count(&total, tensor(-5));
/// assert_eq!(count(&total, tensor(4)).item(), 7);
/// assert_eq!(total.to_string(), "<tf.Variable 'Variable:0' shape=() dtype=int32, numpy=7>");
/// ```
#[doc(alias("Var"))]
pub struct Variable<T, S = Dyn> {
    place: Arc<Place>,
    /// The tensor to which the variable dereferences.
    lent: Tensor<T, S>,
}

impl<T, S> Clone for Variable<T, S> {
    fn clone(&self) -> Self {
        Variable::at(self.place.clone())
    }
}

/// A variable dereferences to a tensor, so it has all methods of [`Tensor`], which read the variable when they are called. Code that takes
/// a `&Tensor` of it also reads it at each use; a clone of that tensor keeps the value that was read.
///
/// ```
/// # use graph_runtime::prelude::*;
/// fn mean_square(x: &Tensor<f32>) -> Tensor<f32> {
///     x.square().mean()
/// }
/// let v = Variable::new(tensor([1.0, 3.0]));
/// assert_eq!((v.sum().item(), mean_square(&v).item()), (4.0, 5.0));
/// ```
impl<T, S> Deref for Variable<T, S> {
    type Target = Tensor<T, S>;
    fn deref(&self) -> &Tensor<T, S> {
        &self.lent
    }
}

/// Making a variable.
impl<T: Element, S: ShapeSpec> Variable<T, S> {
    /// Makes a variable with an initial value. Its shape is that of the type, where sizes that the type leaves open may change; if the type
    /// doesn't know the shape, it is that of the value.
    ///
    /// In a graph function it is made once, while tracing, and must be kept outside of the function, for example in a `OnceLock`. The
    /// initial value can't depend on the arguments.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::new(tensor([1.0, 2.0]));
    /// assert_eq!(v.read().to_vec(), [1.0, 2.0]);
    /// let rows: Variable<f32, shape![_, 2]> = Variable::new(tensor([[1.0, 2.0]]).with_shape());
    /// assert_eq!(rows.shape().to_string(), "[?,2]");
    /// ```
    #[track_caller]
    pub fn new(value: Tensor<T, S>) -> Variable<T, S> {
        Variable::named("Variable", value)
    }

    /// Makes a variable with a name, which messages and the text of graphs show.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// assert_eq!(Variable::named("step", tensor(0)).name(), "step");
    /// ```
    #[track_caller]
    pub fn named(name: &str, value: Tensor<T, S>) -> Variable<T, S> {
        let shape = S::SIZES.map(|sizes| Shape::of(sizes.iter().copied()));
        make(name, shape, value.as_any())
    }

    /// Makes a variable whose values may have several shapes: `None` is a size that may change.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::with_shape(tensor([1]), &[None]);
    /// v.assign(tensor([1, 2, 3]));
    /// assert_eq!(v.read().to_vec(), [1, 2, 3]);
    /// ```
    ///
    /// # Panics
    /// If the value doesn't have that shape (in a graph function, it fails).
    #[track_caller]
    pub fn with_shape(value: Tensor<T, S>, shape: &[Option<usize>]) -> Variable<T, Dyn> {
        make(
            "Variable",
            Some(Shape::of(shape.iter().copied())),
            value.as_any(),
        )
    }
}

#[track_caller]
fn make<T: Element, S>(name: &str, shape: Option<Shape>, value: &AnyTensor) -> Variable<T, S> {
    let location = Location::caller();
    let value = trace::or_fail(trace::initial_value(value, &location));
    let shape = shape.unwrap_or_else(|| Shape::known(value.shape()));
    let place = Place::new(name, TensorType::new(T::DTYPE, shape), value);
    let place = place.map_err(|message| Error::run(message, location.clone()));
    let place = Arc::new(trace::or_fail(place));
    trace::created(&place, location);
    Variable::at(place)
}

/// Reading and writing.
impl<T: Element, S> Variable<T, S> {
    /// The value now; in a graph, the value at this point of the program. Later assignments don't change the tensor.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::new(tensor(1));
    /// let before = v.read();
    /// v.assign(tensor(50));
    /// assert_eq!((before.item(), v.item()), (1, 50));
    /// ```
    #[doc(alias("read_value"))]
    #[track_caller]
    pub fn read(&self) -> Tensor<T, S> {
        Tensor::from_any(trace::read_variable(&self.place, Location::caller()))
    }

    /// Assigns a new value. Returns the variable itself, to be read or used further.
    ///
    /// # Errors
    /// If the value doesn't have the variable's shape: it panics, or in a graph function fails.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::new(tensor(1));
    /// assert_eq!((v.assign(&v + 1) * 10).item(), 20);
    /// ```
    #[track_caller]
    pub fn assign(&self, value: impl AsOperand<T, Shape: FitsShape<S>>) -> &Self {
        trace::assign_variable(&self.place, &value.into_operand(), Location::caller());
        self
    }

    /// Writes updates at index vectors, which work as in [`Tensor::scatter_update`]. Only those rows are touched.
    ///
    /// # Errors
    /// As [`assign`](Self::assign); when run, if a position is out of range. Then the variable is unchanged.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::new(tensor([1, 2, 3]));
    /// v.scatter_update(&tensor([[2], [0]]), tensor([30, 10]));
    /// assert_eq!(v.read().to_vec(), [10, 2, 30]);
    /// ```
    #[track_caller]
    pub fn scatter_update<I: IndexElement>(
        &self,
        indices: impl AsOperand<I>,
        updates: impl AsOperand<T>,
    ) -> &Self {
        self.update(
            &ops::SCATTER_UPDATE,
            &[&indices.into_operand(), &updates.into_operand()],
        )
    }

    /// Assigns a new value to a part of the variable: an element, a row, a range of rows, or any other index of [`Tensor::get`] without a
    /// [`NewAxis`](crate::tensor::NewAxis). The value broadcasts to the part, and only the part is touched. (`v[i, 0].assign(x)` and
    /// `v[1:3].assign(x)` in TensorFlow)
    ///
    /// # Errors
    /// As [`assign`](Self::assign); if a position is out of bounds or the value doesn't broadcast to the part. Then the variable is
    /// unchanged.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::new(tensor([[1, 2], [3, 4], [5, 6]]));
    /// v.assign_at((-1, 0), 50);
    /// v.assign_at(0, tensor([10, 20]));
    /// assert_eq!(v.read().to_vec(), [10, 20, 3, 4, 50, 6]);
    /// v.assign_at((1.., 1), 0);
    /// assert_eq!(v.read().to_vec(), [10, 20, 3, 0, 50, 0]);
    /// ```
    #[track_caller]
    pub fn assign_at(&self, index: impl TensorIndex, value: impl AsOperand<T>) -> &Self {
        self.set_part(
            set_part_arguments(index.into_parts()),
            &value.into_operand(),
        );
        self
    }

    /// Assigns a value to the part that [`set_part_arguments`] describes.
    #[track_caller]
    fn set_part(&self, (attrs, bounds): (Attrs, Vec<AnyTensor>), value: &AnyTensor) {
        let operands: Vec<&AnyTensor> = std::iter::once(value).chain(&bounds).collect();
        let location = Location::caller();
        trace::update_variable(&self.place, &ops::SET_PART, attrs, &operands, location);
    }

    /// [`scatter_update`](Self::scatter_update) under TensorFlow's name.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::new(tensor([1, 2, 3]));
    /// v.scatter_nd_update(tensor([[2]]), tensor([30]));
    /// assert_eq!(v.read().to_vec(), [1, 2, 30]);
    /// ```
    #[track_caller]
    pub fn scatter_nd_update<I: IndexElement>(
        &self,
        indices: impl AsOperand<I>,
        updates: impl AsOperand<T>,
    ) -> &Self {
        self.scatter_update(indices, updates)
    }

    #[track_caller]
    fn update(&self, op: &'static OpDef, operands: &[&AnyTensor]) -> &Self {
        let attrs = Attrs::default();
        trace::update_variable(&self.place, op, attrs, operands, Location::caller());
        self
    }

    /// The value of a variable with one element.
    ///
    /// # Panics
    /// If the variable doesn't have exactly one element; inside a graph function, where it has no value yet.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// assert_eq!(Variable::new(tensor(2.5)).item(), 2.5);
    /// ```
    #[track_caller]
    pub fn item(&self) -> T {
        self.read().item()
    }
}

/// Adding to a variable.
impl<T: Additive, S> Variable<T, S> {
    /// Adds to the variable atomically: no other thread can write in between.
    ///
    /// # Errors
    /// As [`assign`](Self::assign).
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::new(tensor([1, 2]));
    /// v.assign_add(tensor([10, 20])).assign_add(1);
    /// assert_eq!(v.read().to_vec(), [12, 23]);
    /// ```
    #[track_caller]
    pub fn assign_add<D: AsOperand<T>>(&self, delta: D) -> &Self
    where
        S: Absorb<D::Shape>,
    {
        self.update(&ops::ADD, &[&delta.into_operand()])
    }
}

/// Variables of numbers.
impl<T: Number, S> Variable<T, S> {
    /// Subtracts from the variable atomically: no other thread can write in between.
    ///
    /// # Errors
    /// As [`assign`](Self::assign).
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::new(tensor([1.0, 2.0]));
    /// v.assign_sub(0.5 * tensor([1.0, 2.0]));
    /// assert_eq!(v.read().to_vec(), [0.5, 1.0]);
    /// ```
    #[track_caller]
    pub fn assign_sub<D: AsOperand<T>>(&self, delta: D) -> &Self
    where
        S: Absorb<D::Shape>,
    {
        self.update(&ops::SUB, &[&delta.into_operand()])
    }

    /// Adds updates at index vectors, which work as in [`Tensor::scatter_add`].
    ///
    /// # Errors
    /// As [`scatter_update`](Self::scatter_update).
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::new(tensor([1, 2, 3]));
    /// v.scatter_add(&tensor([[1], [1]]), tensor([10, 20]));
    /// assert_eq!(v.read().to_vec(), [1, 32, 3]);
    /// ```
    #[track_caller]
    pub fn scatter_add<I: IndexElement>(
        &self,
        indices: impl AsOperand<I>,
        updates: impl AsOperand<T>,
    ) -> &Self {
        self.update(
            &ops::SCATTER_ADD,
            &[&indices.into_operand(), &updates.into_operand()],
        )
    }

    /// Subtracts updates at index vectors, which work as in [`Tensor::scatter_sub`].
    ///
    /// # Errors
    /// As [`scatter_update`](Self::scatter_update).
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::new(tensor([1, 2, 3]));
    /// v.scatter_sub(&tensor([[1]]), tensor([10]));
    /// assert_eq!(v.read().to_vec(), [1, -8, 3]);
    /// ```
    #[track_caller]
    pub fn scatter_sub<I: IndexElement>(
        &self,
        indices: impl AsOperand<I>,
        updates: impl AsOperand<T>,
    ) -> &Self {
        self.update(
            &ops::SCATTER_SUB,
            &[&indices.into_operand(), &updates.into_operand()],
        )
    }
}

impl<T, S> Variable<T, S> {
    /// A handle of a place, whose type must be this one.
    pub(crate) fn at(place: Arc<Place>) -> Variable<T, S> {
        Variable {
            lent: Tensor::of_variable(place.clone()),
            place,
        }
    }

    /// The place behind this handle.
    pub(crate) fn place(&self) -> &Arc<Place> {
        &self.place
    }

    /// Moves the variable to another device, where it stays from then on, and returns the variable itself. This happens at once, even while a graph
    /// function is traced. [`device`](Tensor::device) says where a variable is.
    ///
    /// # Panics
    /// If the device has too little memory, or doesn't answer. Then the variable stays where it was.
    ///
    /// ```
    /// use graph_runtime::device::Device;
    /// use graph_runtime::prelude::*;
    ///
    /// let v = Variable::new(tensor([1.0, 2.0]));
    /// v.to(Device::cpu());
    /// assert_eq!(v.device(), Device::cpu());
    /// ```
    #[doc(alias("cuda", "cpu"))]
    #[track_caller]
    pub fn to(&self, device: impl Borrow<Device>) -> &Self {
        trace::move_variable(&self.place, *device.borrow(), &Location::caller());
        self
    }

    /// The name of the variable: `Variable` unless it was [`named`](Self::named).
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// assert_eq!(Variable::new(tensor(0)).name(), "Variable");
    /// ```
    pub fn name(&self) -> &str {
        self.place.name()
    }

    /// The declared shape, which all values have.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// assert_eq!(Variable::new(tensor([1, 2])).shape().to_string(), "[2]");
    /// ```
    pub fn shape(&self) -> Shape {
        self.place.ty().shape.clone()
    }

    /// The dtype.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// assert_eq!(Variable::new(tensor(1)).dtype(), graph_runtime::DType::I32);
    /// ```
    pub fn dtype(&self) -> graph_kernels::DType {
        self.place.ty().dtype
    }
}

impl<T, S> Argument for Variable<T, S> {
    fn trace_type(&self, signature: &mut Signature) {
        signature.variable(&self.place);
    }
    fn holds(_: usize) -> Holds {
        Holds::Variables
    }
}

/// As a position, a variable is its value.
impl<I: IndexElement, S> RowIndex for &Variable<I, S> {
    fn into_position(self) -> Position {
        self.read().into_position()
    }
}

/// As an operand, a variable is its value.
impl<T: Element, S> AsOperand<T> for Variable<T, S> {
    type Shape = S;
    fn into_operand(self) -> AnyTensor {
        self.read().into_any()
    }
}

impl<T: Element, S> AsOperand<T> for &Variable<T, S> {
    type Shape = S;
    fn into_operand(self) -> AnyTensor {
        self.read().into_any()
    }
}
