//! Variables: state that outlives a call. A variable is a place with a value; its handles share it. Outside of graph functions its
//! methods act at once. In one they become nodes of the graph, which read and write in the order written, each time the graph
//! runs. Between `tensor/`, whose values they hold, and the graph, whose table names them.

mod arith;
mod display;
mod part;

use std::ops::Deref;
use std::sync::Arc;

use graph_kernels::Element;

pub(crate) use display::tuple;
pub use graph_ir::device::Place;
pub use part::Part;

use crate::error::{Error, Location};
use crate::function::{Argument, Holds, Signature};
use crate::graph::{Shape, TensorType};
use crate::ops::{self, Attrs, OpDef};
use crate::tensor::any::AnyTensor;
use crate::tensor::{
    Absorb, Additive, AsOperand, Dyn, FitsShape, IndexElement, Number, ShapeSpec, Tensor,
    TensorIndex, place_of,
};
use crate::trace;

/// A value that programs change: read and assigned eagerly and in graph functions, where it may be a parameter, a field of
/// one, or a `static`. Cloning gives another handle of the same variable. `S` is what the type says of the shape, as for a
/// [`Tensor`].
///
/// In a graph function, a variable that is an argument is another one in another call, also where the body calls it by the name
/// of a `static`: a function takes a variable as an argument or finds it itself, not both.
///
/// # Errors
/// An assignment that fails changes nothing. If a run fails behind it, what was assigned before stays, as in TensorFlow; an error while
/// tracing comes before any assignment. Compute what may fail first, then assign.
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
pub struct Variable<T, S = Dyn> {
    place: Arc<Place>,
    /// What it lends where a tensor is due.
    lent: Tensor<T, S>,
}

impl<T, S> Clone for Variable<T, S> {
    fn clone(&self) -> Self {
        Variable::at(self.place.clone())
    }
}

/// All methods of a [`Tensor`] read the variable when they are called. So does whoever is given a reference to it as one to a tensor, each time it
/// uses it; a clone of that is a tensor that was read.
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

/// Making one.
impl<T: Element, S: ShapeSpec> Variable<T, S> {
    /// A variable that holds the value at first. Its shape is what the type says, with sizes that may change where it leaves
    /// them open; if the type says nothing, the value's.
    ///
    /// In a graph function it is made while tracing, once, and must be kept outside, in a `OnceLock` for instance; the first
    /// value can't depend on the arguments.
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

    /// A variable with a name for people, in messages and graph text.
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

    /// A variable that may hold values of several shapes: `None` is a size that changes.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::with_shape(tensor([1]), &[None]);
    /// v.assign(tensor([1, 2, 3]));
    /// assert_eq!(v.read().to_vec(), [1, 2, 3]);
    /// ```
    ///
    /// # Panics
    /// If the value isn't of that shape (in a graph function: fails).
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
    /// What it holds now; in a graph, at this point of the program. Later changes don't change the tensor.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let v = Variable::new(tensor(1));
    /// let before = v.read();
    /// v.assign(tensor(50));
    /// assert_eq!((before.item(), v.item()), (1, 50));
    /// ```
    #[track_caller]
    pub fn read(&self) -> Tensor<T, S> {
        Tensor::from_any(trace::read_variable(&self.place, Location::caller()))
    }

    /// Gives it a new value. The variable itself is returned, to read or to go on with.
    ///
    /// # Errors
    /// If the value's shape isn't the variable's: panics, in a graph function fails.
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

    /// Writes updates at rows of positions, as [`Tensor::scatter_update`] takes them; only those rows are touched.
    ///
    /// # Errors
    /// As [`assign`](Self::assign); if a position is out of range, when run. Then the variable is as it was.
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

    /// Gives a part of what it holds a new value, which broadcasts to the part: an element, a row, a range of rows, or whatever else
    /// [`Tensor::get`] takes as an index but a [`NewAxis`](crate::tensor::NewAxis). Only the part is touched. (`v[i, 0].assign(x)` and
    /// `v[1:3].assign(x)` in TensorFlow)
    ///
    /// # Errors
    /// As [`assign`](Self::assign), if a position is out of bounds or the value doesn't fit into the part. Then the variable is as it was.
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
        self.set_part(place_of(index.into_parts()), &value.into_operand());
        self
    }

    /// Gives a value to the part at a [place](place_of).
    #[track_caller]
    fn set_part(&self, (attrs, bounds): (Attrs, Vec<AnyTensor>), value: &AnyTensor) {
        let operands: Vec<&AnyTensor> = std::iter::once(value).chain(&bounds).collect();
        let location = Location::caller();
        trace::update_variable(&self.place, &ops::SET_PART, attrs, &operands, location);
    }

    /// [`scatter_update`](Self::scatter_update), by TensorFlow's name.
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

    /// The value of a variable that holds one.
    ///
    /// # Panics
    /// If it holds several or none; inside a graph function, where it has no value yet.
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

/// Additions.
impl<T: Additive, S> Variable<T, S> {
    /// Adds to what it holds, with nothing in between for other threads.
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

/// Numbers.
impl<T: Number, S> Variable<T, S> {
    /// Subtracts from what it holds, with nothing in between for other threads.
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

    /// Adds updates at rows of positions, as [`Tensor::scatter_add`] takes them.
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

    /// Subtracts updates at rows of positions, as [`Tensor::scatter_sub`] takes them.
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
    /// A handle of a place whose type is this one's.
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

    /// What people call it: `Variable` unless it was [`named`](Self::named).
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// assert_eq!(Variable::new(tensor(0)).name(), "Variable");
    /// ```
    pub fn name(&self) -> &str {
        self.place.name()
    }

    /// The declared shape, which all its values have.
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

/// A variable beside a tensor stands for what it holds.
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
