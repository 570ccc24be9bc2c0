//! Functions over the rows of tensors: [`map_fn`], [`fold`] and [`scan`]; and [`reduce`] and [`accumulate`], which take no initial
//! state. In a graph each is one `while_loop` that collects its results in [`TensorArray`]s, so it works for any number of rows and
//! for any function that can be traced.

use graph_kernels::Element;

use crate::control_flow::while_loop;
use crate::error::{Caller, Error, Location};
use crate::ops::{self, Attrs};
use crate::state::GraphState;
use crate::tensor::{Dyn, ShapeSpec, Tensor, tensor};
use crate::tensor_array::TensorArray;
use crate::trace::{self, AnyTensor};
use crate::tuples::up_to_six;

/// A value with rows along the first axis: a tensor, or a (nested) tuple of up to six tensors, by value or by reference.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no rows",
    label = "expected a tensor or a tuple of tensors"
)]
pub trait Elems {
    /// One row: the same structure, with tensors of any shape.
    type Row: GraphState;

    /// Row `i`.
    #[doc(hidden)]
    #[track_caller]
    fn row(&self, i: &Tensor<i32>) -> Self::Row;

    /// Visits the tensors of the value.
    #[doc(hidden)]
    fn tensors(&self, visit: &mut dyn FnMut(&AnyTensor));
}

impl<T: Element, S> Elems for Tensor<T, S> {
    type Row = Tensor<T, Dyn>;

    fn row(&self, i: &Tensor<i32>) -> Tensor<T> {
        self.get(i)
    }

    fn tensors(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        visit(self.as_any());
    }
}

impl<X: Elems + ?Sized> Elems for &X {
    type Row = X::Row;

    fn row(&self, i: &Tensor<i32>) -> X::Row {
        (**self).row(i)
    }

    fn tensors(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        (**self).tensors(visit);
    }
}

/// A value that can be a row: a tensor, or a (nested) tuple of up to six tensors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be stacked",
    label = "expected a tensor or a tuple of tensors"
)]
pub trait Rows: GraphState + Clone {
    /// The same structure with tensors of any shape: one row, or all rows stacked.
    type Free: GraphState;
    /// The arrays that collect the rows.
    #[doc(hidden)]
    type Arrays: GraphState;

    /// The stacked result for zero rows of this row's shape.
    #[doc(hidden)]
    #[track_caller]
    fn none(&self) -> Self::Free;

    /// Empty arrays for a number of rows.
    #[doc(hidden)]
    #[track_caller]
    fn arrays(count: &Count) -> Self::Arrays;

    /// Writes this value as row `i` of the arrays.
    #[doc(hidden)]
    #[track_caller]
    fn write(self, arrays: Self::Arrays, i: &Tensor<i32>) -> Self::Arrays;

    /// Stacks all rows that were written.
    #[doc(hidden)]
    #[track_caller]
    fn stack(arrays: Self::Arrays) -> Self::Free;
}

impl<T: Element, S: ShapeSpec> Rows for Tensor<T, S> {
    type Free = Tensor<T, Dyn>;
    type Arrays = TensorArray<T>;

    fn none(&self) -> Tensor<T> {
        self.clone().dynamic().expand_dims(0).get(..0)
    }

    fn arrays(count: &Count) -> TensorArray<T> {
        match count.known {
            Some(known) => TensorArray::new(known),
            None => TensorArray::new(&count.tensor),
        }
    }

    fn write(self, mut array: TensorArray<T>, i: &Tensor<i32>) -> TensorArray<T> {
        array.write(i, self)
    }

    fn stack(array: TensorArray<T>) -> Tensor<T> {
        array.stack()
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => { $(
        impl<$($name: Elems),*> Elems for ($($name,)*) {
            type Row = ($($name::Row,)*);
            fn row(&self, i: &Tensor<i32>) -> Self::Row {
                ($(self.$index.row(i),)*)
            }
            fn tensors(&self, visit: &mut dyn FnMut(&AnyTensor)) {
                $(self.$index.tensors(visit);)*
            }
        }

        impl<$($name: Rows),*> Rows for ($($name,)*) {
            type Free = ($($name::Free,)*);
            type Arrays = ($($name::Arrays,)*);
            fn none(&self) -> Self::Free {
                ($(self.$index.none(),)*)
            }
            fn arrays(count: &Count) -> Self::Arrays {
                ($($name::arrays(count),)*)
            }
            fn write(self, arrays: Self::Arrays, i: &Tensor<i32>) -> Self::Arrays {
                ($(self.$index.write(arrays.$index, i),)*)
            }
            fn stack(arrays: Self::Arrays) -> Self::Free {
                ($($name::stack(arrays.$index),)*)
            }
        }
    )* };
}
up_to_six!(tuples);

/// What [`fold`] and [`scan`] begin with: a state, or a reference to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the state of a `fold` or `scan`",
    label = "expected a tensor, or a tuple or struct of tensors"
)]
pub trait Initial<S> {
    /// The state.
    #[doc(hidden)]
    fn into_state(self) -> S;
}

// The bounds let the compiler find the type of the state: a reference is none.
impl<S: GraphState> Initial<S> for S {
    fn into_state(self) -> S {
        self
    }
}

impl<S: GraphState + Clone> Initial<S> for &S {
    fn into_state(self) -> S {
        self.clone()
    }
}

/// The number of rows.
#[doc(hidden)]
pub struct Count {
    known: Option<usize>,
    tensor: Tensor<i32>,
}

impl Count {
    /// The number of rows, which all tensors of a value must agree on.
    #[track_caller]
    fn of(elems: &impl Elems) -> Count {
        let mut first = None;
        let mut known = None;
        let mut wrong = None;
        elems.tensors(&mut |tensor| {
            first.get_or_insert_with(|| tensor.clone());
            match (known, tensor.shape().dims().map(<[_]>::first)) {
                (_, Some(None)) => wrong = Some(SCALAR.to_owned()),
                (Some(n), Some(Some(Some(m)))) if n != *m => {
                    wrong = Some(format!("Dimensions {n} and {m} are not compatible"));
                }
                (None, Some(Some(Some(n)))) => known = Some(*n),
                _ => {}
            }
        });
        if let Some(message) = wrong {
            trace::fail(Error::trace(message, Location::caller()));
        }
        let small = known.and_then(|n| i32::try_from(n).ok());
        let tensor = match (small, first) {
            (Some(n), _) => tensor(n),
            (None, Some(first)) => {
                let sizes = AnyTensor::apply(&ops::SHAPE_OF, Attrs::default(), &[&first]);
                Tensor::<i32>::from_any(sizes).get(0)
            }
            (None, None) => tensor(0),
        };
        Count { known, tensor }
    }
}

const SCALAR: &str = "Elements in elems must be 1+ dimensional Tensors, not scalars";

/// The function's results for each row, stacked: `[n, ..]` for tensors `[n, ..]`. The function is called for one row after the
/// other. It returns a tensor or a tuple of tensors of any dtypes, with the same shape for each row. (`tf.map_fn`)
///
/// Zero rows give zero rows. Run eagerly, the function isn't called then, so the result has shape `[0]`.
///
/// # Errors
/// If a tensor is a scalar, the tensors have different numbers of rows, or the results different shapes.
///
/// ```
/// use graph_runtime::prelude::*;
///
/// #[graph_fn]
/// fn halves(x: Tensor<i32>) -> Tensor<f32> {
///     map_fn(|row| row.cast::<f32>() * 0.5, x)
/// }
/// assert_eq!(halves(tensor([[1, 2], [3, 4]])).to_vec(), [0.5, 1.0, 1.5, 2.0]);
///
/// let (sums, products) = map_fn(|(a, b)| (&a + &b, a * b), (tensor([1, 2]), tensor([3, 4])));
/// assert_eq!((sums.to_vec(), products.to_vec()), (vec![4, 6], vec![3, 8]));
/// ```
#[doc(alias("vectorized_map", "vmap", "pmap"))]
#[track_caller]
pub fn map_fn<X: Elems, Y: Rows>(mut f: impl FnMut(X::Row) -> Y, elems: X) -> Y::Free {
    let (count, caller) = (Count::of(&elems), Caller::here());
    let (_, arrays) = while_loop(
        |(i, _)| i.lt(&count.tensor),
        |(i, arrays)| {
            let y = f(caller.stands_in(|| elems.row(&i)));
            let arrays = caller.stands_in(|| y.write(arrays, &i));
            (i + 1, arrays)
        },
        (tensor(0), Y::arrays(&count)),
    );
    Y::stack(arrays)
}

/// Calls the function with the state and each row, first to last, and returns the final state. (`tf.foldl`)
///
/// # Errors
/// If a tensor is a scalar, the tensors have different numbers of rows, or the state changes its shape.
///
/// ```
/// use graph_runtime::prelude::*;
/// let digits = fold(|number, digit| number * 10 + digit, tensor([1, 2, 3]), tensor(0));
/// assert_eq!(digits.item(), 123);
/// ```
#[doc(alias("foldl"))]
#[track_caller]
pub fn fold<X: Elems, S: GraphState>(
    f: impl FnMut(S, X::Row) -> S,
    elems: X,
    initial: impl Initial<S>,
) -> S {
    walk(&Walk::of(elems, FORWARDS), initial.into_state(), f)
}

/// Like [`fold`], from the last row to the first. (`tf.foldr`)
///
/// ```
/// use graph_runtime::prelude::*;
/// let digits = graph_runtime::fold_right(|number, digit| number * 10 + digit, tensor([1, 2, 3]), tensor(0));
/// assert_eq!(digits.item(), 321);
/// ```
#[doc(alias("foldr"))]
#[track_caller]
pub fn fold_right<X: Elems, S: GraphState>(
    f: impl FnMut(S, X::Row) -> S,
    elems: X,
    initial: impl Initial<S>,
) -> S {
    walk(&Walk::of(elems, BACKWARDS), initial.into_state(), f)
}

/// Like [`fold`], beginning with the first row as the state. (`tf.foldl` without an initializer)
///
/// # Errors
/// As [`fold`], and if there are no rows.
///
/// ```
/// use graph_runtime::{reduce, tensor};
/// assert_eq!(reduce(|number, digit| number * 10 + digit, tensor([1, 2, 3])).item(), 123);
/// ```
#[track_caller]
pub fn reduce<X: Elems>(f: impl FnMut(X::Row, X::Row) -> X::Row, elems: X) -> X::Row {
    let (first, rest) = Walk::of(elems, FORWARDS).after_first();
    walk(&rest, first, f)
}

/// Like [`reduce`], from the last row to the first. (`tf.foldr` without an initializer)
///
/// ```
/// use graph_runtime::{reduce_right, tensor};
/// assert_eq!(reduce_right(|number, digit| number * 10 + digit, tensor([1, 2, 3])).item(), 321);
/// ```
#[track_caller]
pub fn reduce_right<X: Elems>(f: impl FnMut(X::Row, X::Row) -> X::Row, elems: X) -> X::Row {
    let (first, rest) = Walk::of(elems, BACKWARDS).after_first();
    walk(&rest, first, f)
}

/// The state after each row, stacked: `[n, ..]`. (`tf.scan` with an initializer)
///
/// # Errors
/// As [`fold`].
///
/// ```
/// use graph_runtime::prelude::*;
/// let sums = scan(|sum, x| sum + x, tensor([1, 2, 3]), tensor(10));
/// assert_eq!(sums.to_vec(), [11, 13, 16]);
///
/// let start = tensor(10);
/// assert_eq!(scan(|sum, x| sum + x, tensor([1, 2, 3]), &start).to_vec(), [11, 13, 16]);
/// ```
#[track_caller]
pub fn scan<X: Elems, S: Rows>(
    f: impl FnMut(S, X::Row) -> S,
    elems: X,
    initial: impl Initial<S>,
) -> S::Free {
    let (way, initial) = (Walk::of(elems, FORWARDS), initial.into_state());
    if way.count.known == Some(0) {
        return initial.none();
    }
    gather_states(&way, S::arrays(&way.count), initial, f)
}

/// Like [`scan`], from the last row to the first: row `i` of the result is the state after row `i` of the tensors.
///
/// ```
/// use graph_runtime::prelude::*;
/// let sums = graph_runtime::scan_right(|sum, x| sum * 10 + x, tensor([1, 2, 3]), tensor(0));
/// assert_eq!(sums.to_vec(), [321, 32, 3]);
/// ```
#[track_caller]
pub fn scan_right<X: Elems, S: Rows>(
    f: impl FnMut(S, X::Row) -> S,
    elems: X,
    initial: impl Initial<S>,
) -> S::Free {
    let (way, initial) = (Walk::of(elems, BACKWARDS), initial.into_state());
    if way.count.known == Some(0) {
        return initial.none();
    }
    gather_states(&way, S::arrays(&way.count), initial, f)
}

/// Like [`scan`], beginning with the first row as the state. (`tf.scan` without an initializer)
///
/// # Errors
/// As [`fold`], and if there are no rows.
///
/// ```
/// use graph_runtime::{accumulate, tensor};
/// assert_eq!(accumulate(|sum, x| sum + x, tensor([1, 2, 3])).to_vec(), [1, 3, 6]);
/// ```
#[track_caller]
pub fn accumulate<X: Elems<Row: Rows>>(
    f: impl FnMut(X::Row, X::Row) -> X::Row,
    elems: X,
) -> <X::Row as Rows>::Free {
    states_after_first(Walk::of(elems, FORWARDS), f)
}

/// Like [`accumulate`], from the last row to the first. (`tf.scan` with `reverse` and without an initializer)
///
/// ```
/// use graph_runtime::{accumulate_right, tensor};
/// assert_eq!(accumulate_right(|sum, x| sum + x, tensor([1, 2, 3])).to_vec(), [6, 5, 3]);
/// ```
#[track_caller]
pub fn accumulate_right<X: Elems<Row: Rows>>(
    f: impl FnMut(X::Row, X::Row) -> X::Row,
    elems: X,
) -> <X::Row as Rows>::Free {
    states_after_first(Walk::of(elems, BACKWARDS), f)
}

/// One pass over the rows, forwards or backwards.
struct Walk<X> {
    elems: X,
    count: Count,
    /// The number of rows that were already processed when the pass begins.
    done: i32,
    backwards: bool,
}

const FORWARDS: bool = false;
const BACKWARDS: bool = true;

impl<X: Elems> Walk<X> {
    #[track_caller]
    fn of(elems: X, backwards: bool) -> Self {
        Walk {
            count: Count::of(&elems),
            elems,
            done: 0,
            backwards,
        }
    }

    /// The number of the row that follows after `i` rows.
    #[track_caller]
    fn place(&self, i: &Tensor<i32>) -> Tensor<i32> {
        if self.backwards {
            &self.count.tensor - 1 - i
        } else {
            i.clone()
        }
    }

    /// The row that follows after `i` rows, and its number.
    #[track_caller]
    fn row(&self, i: &Tensor<i32>) -> (Tensor<i32>, X::Row) {
        let place = self.place(i);
        let row = self.elems.row(&place);
        (place, row)
    }

    /// The first row, and a pass over the remaining rows.
    #[track_caller]
    fn after_first(self) -> (X::Row, Self) {
        let (_, first) = self.row(&tensor(0));
        (first, Walk { done: 1, ..self })
    }
}

#[track_caller]
fn walk<X: Elems, S: GraphState>(
    way: &Walk<X>,
    initial: S,
    mut f: impl FnMut(S, X::Row) -> S,
) -> S {
    let caller = Caller::here();
    let (_, last) = while_loop(
        |(i, _)| i.lt(&way.count.tensor),
        |(i, state)| {
            let state = f(state, caller.stands_in(|| way.row(&i).1));
            (i + 1, state)
        },
        (tensor(way.done), initial),
    );
    last
}

#[track_caller]
fn gather_states<X: Elems, S: Rows>(
    way: &Walk<X>,
    arrays: S::Arrays,
    initial: S,
    mut f: impl FnMut(S, X::Row) -> S,
) -> S::Free {
    let caller = Caller::here();
    let (_, _, arrays) = while_loop(
        |(i, ..)| i.lt(&way.count.tensor),
        |(i, state, arrays)| {
            let (at, row) = caller.stands_in(|| way.row(&i));
            let state = f(state, row);
            let arrays = caller.stands_in(|| state.clone().write(arrays, &at));
            (i + 1, state, arrays)
        },
        (tensor(way.done), initial, arrays),
    );
    S::stack(arrays)
}

#[track_caller]
fn states_after_first<X: Elems<Row: Rows>>(
    way: Walk<X>,
    f: impl FnMut(X::Row, X::Row) -> X::Row,
) -> <X::Row as Rows>::Free {
    let (first, rest) = way.after_first();
    let arrays = X::Row::arrays(&rest.count);
    let arrays = first.clone().write(arrays, &rest.place(&tensor(0)));
    gather_states(&rest, arrays, first, f)
}
