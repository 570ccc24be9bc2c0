//! Gradients of functions, as an alternative to the tape: [`grad`], [`value_and_grad`], [`vjp`], [`jvp`], [`jacobian`] and
//! [`hessian`], as in JAX. A function is anything that can be called with a reference to its argument: a tensor, a variable, or a
//! tuple, array, `Vec` or map of them. A function that takes a tensor by value must be wrapped in a closure, `|x: &Tensor<f32>|
//! f(x.clone())`. A bound that accepted both kinds would tell Rust nothing about the parameter type of a closure, so `grad(|x|
//! f(x))` wouldn't compile for an `f` that takes a reference. The compiler shows the line of `f` in the error for an unsuitable
//! function, so the comment on that line says what to write. The gradient is zeros where the result doesn't depend on the argument.
//! Tensors that the function captures are constants, even if one is the very tensor that the function is applied to; only variables
//! are tracked wherever they are read.

use super::accumulator::ForwardAccumulator;
use super::outputs::Outputs;
use super::sources::{Sources, Targets};
use super::tape::GradientTape;
use crate::error::Location;
use crate::state::Nest;
use crate::trace::Parts;

/// The gradient of a function. A result of more than one value is summed.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::autodiff::grad;
///
/// let cube = |x: &Tensor<f64>| x * x * x;
/// let slope = grad(cube);
/// let curvature = grad(grad(cube));
/// let x = tensor(2.0);
/// assert_eq!((slope(&x).item(), curvature(&x).item()), (12.0, 12.0));
/// ```
pub fn grad<X: Sources, Y: Targets>(
    f: impl Fn(&X) -> Y, // `grad(f)(&x)`; of an `f` that takes a tensor: `grad(|x: &Tensor<_>| f(x.clone()))`
) -> impl Fn(&X) -> X::Filled {
    let value_and_grad = value_and_grad(f);
    move |x| value_and_grad(x).1
}

/// The value of a function and its gradient.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::autodiff::value_and_grad;
///
/// let line = |(w, b): &(Tensor<f32>, Tensor<f32>)| (w * tensor([1.0, 2.0])).sum() + b;
/// let (y, (dw, db)) = value_and_grad(line)(&(tensor([3.0, 4.0]), tensor(0.5)));
/// assert_eq!(y.item(), 11.5);
/// assert_eq!((dw.to_vec(), db.item()), (vec![1.0, 2.0], 1.0));
/// ```
#[doc(alias("value_and_gradient"))]
pub fn value_and_grad<X: Sources, Y: Targets>(
    f: impl Fn(&X) -> Y, // `value_and_grad(f)(&x)`; of an `f` that takes a tensor: `value_and_grad(|x: &Tensor<_>| f(x.clone()))`
) -> impl Fn(&X) -> (Y, X::Filled) {
    #[track_caller]
    fn both<X: Sources, Y: Targets>(f: &impl Fn(&X) -> Y, x: &X) -> (Y, X::Filled) {
        let apart = x.apart(&Location::caller());
        let x = apart.as_ref().unwrap_or(x);
        let tape = GradientTape::new();
        tape.watch(x);
        let y = f(x);
        let gradient = tape.gradient_or_zeros(&y, x);
        (y, gradient)
    }
    move |x| both(&f, x)
}

/// The value of a function at `x`, and a function that maps gradients with respect to this value to gradients with respect to `x`:
/// the product of a vector with the Jacobian.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::autodiff::vjp;
///
/// let (y, back) = vjp(|x: &Tensor<f32>| x * x, &tensor([1.0, 2.0]));
/// assert_eq!(y.to_vec(), [1.0, 4.0]);
/// assert_eq!(back(&tensor([1.0, 0.0])).to_vec(), [2.0, 0.0]);
/// ```
#[track_caller]
pub fn vjp<X: Sources + Clone, Y: Targets + Clone, F: Fn(&X) -> Y>(
    f: F,
    x: &X,
) -> (Y, impl Fn(&Y) -> X::Filled + use<X, Y, F>) {
    let x = x.apart(&Location::caller()).unwrap_or_else(|| x.clone());
    let tape = GradientTape::persistent();
    tape.watch(&x);
    let y = f(&x);
    let of = y.clone();
    (y, move |weights: &Y| {
        tape.gradient_or_zeros_with(&of, weights, &x)
    })
}

/// The value of a function at `x`, and its change when `x` changes by `dx`: the product of the Jacobian with a vector. `dx` has the
/// structure of `x`; the change has that of the value.
///
/// This is forward mode, like [`ForwardAccumulator`](super::ForwardAccumulator).
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::autodiff::jvp;
///
/// let (y, dy) = jvp(|x: &Tensor<f64>| x * x, &tensor([1.0, 2.0]), &tensor([1.0, 10.0]));
/// assert_eq!((y.to_vec(), dy.to_vec()), (vec![1.0, 4.0], vec![2.0, 40.0]));
/// ```
#[track_caller]
pub fn jvp<X: Sources, Y: Nest>(f: impl Fn(&X) -> Y, x: &X, dx: &impl Targets) -> (Y, Y) {
    let location = Location::caller();
    let apart = x.apart(&location);
    let x = apart.as_ref().unwrap_or(x);
    let forward = ForwardAccumulator::new(x, dx);
    let y = f(x);
    forward.end();
    let Some(parts) = Parts::of(&y) else {
        // An `Err` has no tangent.
        return (f(x), y);
    };
    let dy = parts.rebuild(forward.changes_or_zeros(&parts.leaves, &location));
    (y, dy)
}

/// The derivatives of each value of a function's result with respect to each value of `x`. The shape is that of the result followed
/// by that of the source. With several results or several sources there is one Jacobian for each pair; see [`Outputs`].
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::autodiff::jacobian;
///
/// let f = |x: &Tensor<f64>| x * x;
/// assert_eq!(jacobian(f)(&tensor([1.0, 2.0])).to_vec(), [2.0, 0.0, 0.0, 4.0]);
/// ```
#[doc(alias("jacrev", "jacfwd"))]
pub fn jacobian<X: Sources, Y: Outputs>(
    f: impl Fn(&X) -> Y, // `jacobian(f)(&x)`; of an `f` that takes a tensor: `jacobian(|x: &Tensor<_>| f(x.clone()))`
) -> impl Fn(&X) -> Y::Each<X::Filled> {
    #[track_caller]
    fn of<X: Sources, Y: Outputs>(f: &impl Fn(&X) -> Y, x: &X) -> Y::Each<X::Filled> {
        let apart = x.apart(&Location::caller());
        let x = apart.as_ref().unwrap_or(x);
        let tape = GradientTape::persistent();
        tape.watch(x);
        let y = f(x);
        tape.jacobian(&y, x)
    }
    move |x| of(&f, x)
}

/// The second derivatives of a function with a scalar result. For a tuple `(a, b)` they are `((aa, ab), (ba, bb))`, for a struct of
/// tensors a list of such structs.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::autodiff::hessian;
///
/// let f = |x: &Tensor<f64>| (x * x * x).sum();
/// assert_eq!(hessian(f)(&tensor([1.0, 2.0])).to_vec(), [6.0, 0.0, 0.0, 12.0]);
///
/// let f = |(x, y): &(Tensor<f64>, Tensor<f64>)| x * x * y;
/// let ((xx, xy), (yx, yy)) = hessian(f)(&(tensor(3.0), tensor(5.0)));
/// assert_eq!([xx, xy, yx, yy].map(|d| d.item()), [10.0, 6.0, 6.0, 0.0]);
/// ```
pub fn hessian<X: Sources<Filled: Outputs>, Y: Targets>(
    f: impl Fn(&X) -> Y, // `hessian(f)(&x)`; of an `f` that takes a tensor: `hessian(|x: &Tensor<_>| f(x.clone()))`
) -> impl Fn(&X) -> <X::Filled as Outputs>::Each<X::Filled> {
    jacobian(grad(f))
}
