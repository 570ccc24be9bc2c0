//! Jacobians: the gradients of each value of a target, computed one after the other. In a graph this is one loop over the values.

use graph_kernels::Array;

use super::sources::Source;
use super::term::Term;
use crate::control_flow::while_loop;
use crate::error::{Error, Location};
use crate::graph::{Shape, TensorType};
use crate::ops::{self, Attr, Attrs};
use crate::state::{GraphState, Nest};
use crate::tensor::{Float, Tensor, tensor};
use crate::trace::{self, AnyTensor};

/// The Jacobians of a target with respect to the sources; `gradients` computes the gradients of a weighted sum of the target.
pub(super) fn of(
    target: &AnyTensor,
    sources: &[Source],
    location: &Location,
    gradients: impl Fn(AnyTensor) -> Vec<Option<AnyTensor>>,
) -> Vec<AnyTensor> {
    let y = Term::new(target.clone(), location);
    let x: Vec<Term> = sources
        .iter()
        .map(|source| Term::new(source.value(location), location))
        .collect();
    let count = y.map(&ops::SIZE_OF);
    let rows: Vec<AnyTensor> = x
        .iter()
        .map(|x| list(&count, x, y.shape().size()).tensor)
        .collect();
    let numbers = numbers(&count);
    let limit = Tensor::<i32>::from_any(count.tensor.clone());
    let (_, rows) = while_loop(
        |(i, _)| i.lt(&limit),
        |(i, lists)| {
            let at = Term::new(i.as_any().clone(), location);
            let hot = numbers.with(&ops::EQUAL, &at).cast(y.dtype());
            let found = gradients(hot.reshaped_as(&y).tensor);
            let write = |((list, x), gradient): ((AnyTensor, &Term), Option<AnyTensor>)| {
                let gradient = match gradient {
                    Some(gradient) => Term::new(gradient, location),
                    None => x.zeros_like(),
                };
                let list = Term::new(list, location);
                let attrs = Attrs::new().with("grows", Attr::Bool(false));
                let written = list.apply(&ops::LIST_WRITE, attrs, &[&at, &gradient]);
                written.of_type(&list.ty()).tensor
            };
            let lists = lists.0.into_iter().zip(&x).zip(found).map(write).collect();
            (i + 1, Lists(lists))
        },
        (tensor(0), Lists(rows)),
    );
    let shaped = |(rows, x): (AnyTensor, &Term)| {
        let rows = Term::new(rows, location);
        match (y.shape().to_known(), x.shape().to_known()) {
            (Some(outer), Some(inner)) => rows.reshaped_to(&[&outer[..], &inner[..]].concat()),
            _ => {
                let axis = Attrs::new().with("axis", Attr::Int(0));
                let sizes = y.sizes().apply(&ops::CONCAT, axis, &[&x.sizes()]);
                rows.with(&ops::RESHAPE_TO, &sizes)
            }
        }
        .tensor
    };
    rows.0.into_iter().zip(&x).map(shaped).collect()
}

/// The sum of a target over its batch. If each example depends only on its own example of the source, the Jacobian of this sum
/// holds those of all examples side by side.
#[track_caller]
pub(super) fn over_the_batch<T: Float, S, U: Float, S2>(
    target: &Tensor<T, S>,
    source: &Tensor<U, S2>,
) -> Tensor<T> {
    let (y, x) = (target.shape(), source.shape());
    let batch = |shape: &Shape| shape.dims().map(|dims| dims.first().copied());
    let differ = match (batch(&y), batch(&x)) {
        (Some(None), _) | (_, Some(None)) => true,
        (Some(Some(Some(m))), Some(Some(Some(n)))) => m != n,
        _ => false,
    };
    if differ {
        let message =
            format!("Need first dimension of target shape ({y}) and source shape ({x}) to match.");
        trace::fail(Error::trace(message, Location::caller()));
    }
    target.to_dynamic().sum_axis(0)
}

/// Moves the batch axis to the front: `[y.., batch, x..]` becomes `[batch, y.., x..]`.
#[track_caller]
pub(super) fn batch_first<T: Float, U: Float>(sum: &Tensor<T>, jacobian: Tensor<U>) -> Tensor<U> {
    match sum.rank() {
        0 => jacobian,
        rank => jacobian.moveaxis(rank as isize, 0),
    }
}

/// The numbers 0, 1, .. below a count.
fn numbers(count: &Term) -> Term {
    let number = |n: i32| count.constant(Array::scalar(n));
    let operands = [count, &number(1)];
    number(0).apply(&ops::RANGE, Attrs::new(), &operands)
}

/// A list with room for `count` rows, each of the shape of `x`.
fn list(count: &Term, x: &Term, known: Option<usize>) -> Term {
    let shape = match x.shape().dims() {
        None => Shape::unknown(),
        Some(dims) => Shape::of([known].into_iter().chain(dims.iter().copied())),
    };
    let attrs = Attrs::new()
        .with("dtype", Attr::DType(x.dtype()))
        .with("shape", Attr::Shape(shape.clone()));
    count
        .apply(&ops::LIST_NEW, attrs, &[])
        .of_type(&match x.shape().to_known() {
            Some(_) => TensorType::new(x.dtype(), shape),
            None => TensorType::new(x.dtype(), Shape::unknown()),
        })
}

/// Lists of rows of any dtypes, as the state of a loop.
struct Lists(Vec<AnyTensor>);

#[diagnostic::do_not_recommend]
impl Nest for Lists {
    type Structure = usize;
    fn structure(&self) -> Option<usize> {
        Some(self.0.len())
    }
    fn leaves(&self, visit: &mut dyn FnMut(&AnyTensor)) {
        self.0.iter().for_each(visit);
    }
    fn rebuild(structure: &usize, next: &mut dyn FnMut() -> AnyTensor) -> Self {
        Lists((0..*structure).map(|_| next()).collect())
    }
}

#[diagnostic::do_not_recommend]
impl GraphState for Lists {}
