//! `GradientTape`: records computations and differentiates them. Under a trace it sweeps over the graph; in eager code it uses the
//! ops that a recorder saw.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::jacobian;
use super::outputs::Outputs;
use super::record::Recorder;
use super::sources::{Source, Sources, Targets, all_sources, all_targets};
use super::sweep::{self, Moment, Span, is_differentiable};
use super::term::Term;
use crate::error::{Error, Location};
use crate::tensor::{Float, Tensor};
use crate::trace::{self, AnyTensor};
use crate::variable::Place;

/// Records operations from its creation on, and computes gradients of their results: with respect to the tensors that it
/// [watches](Self::watch), and to every variable that was read meanwhile. It works in eager code and in graph functions, also
/// through `if`, `while` and `for` over tensors.
///
/// A tape computes gradients once: [`gradient`](Self::gradient) consumes it. A [`persistent`](Self::persistent) tape can do so any number of times.
///
/// ```
/// # use graph_runtime::prelude::*;
/// #[graph_fn]
/// fn slope(x: Tensor<f32>) -> Tensor<f32> {
///     let tape = GradientTape::new();
///     tape.watch(&x);
///     let mut y = x.clone();
///     while y.abs() < 100.0 {
///         y = y * x;
///     }
///     tape.gradient(&y, &x).unwrap()
/// }
/// // 3 · 3 · 3 · 3 · 3 = x⁵, and its slope is 5 x⁴.
/// assert_eq!(slope(tensor(3.0)).item(), 405.0);
/// ```
#[derive(Debug)]
pub struct GradientTape(pub(super) Tape);

/// A [`GradientTape`] that can compute gradients any number of times. It records as long as it lives.
///
/// ```
/// # use graph_runtime::prelude::*;
/// let x = tensor(3.0f64);
/// let tape = GradientTape::persistent();
/// tape.watch(&x);
/// let y = &x * &x;
/// let z = &y * &y;
/// assert_eq!(tape.gradient(&z, &x).unwrap().item(), 108.0);
/// assert_eq!(tape.gradient(&y, &x).unwrap().item(), 6.0);
/// ```
#[derive(Debug)]
pub struct PersistentTape(Tape);

pub(super) enum Tape {
    /// The record is a part of the graph, with the tensors that are watched.
    Traced {
        span: RefCell<Span>,
        watched: RefCell<Vec<AnyTensor>>,
    },
    Eager(Rc<Recorder>),
}

impl std::fmt::Debug for Tape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Tape::Traced { .. } => "a tape of a graph function",
            Tape::Eager(_) => "a tape of eager code",
        })
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        if let Tape::Eager(recorder) = self {
            recorder.end();
        }
    }
}

impl Default for GradientTape {
    fn default() -> GradientTape {
        GradientTape::new()
    }
}

const OUT_OF_ITS_FUNCTION: &str = "this tape was begun while a graph function was traced, and that has ended. A tape and its \
     gradient belong into one function, or both outside";

impl Tape {
    fn new() -> Tape {
        if trace::is_tracing() {
            return Tape::Traced {
                span: RefCell::new(Span::since(Moment::now())),
                watched: RefCell::default(),
            };
        }
        Tape::Eager(Recorder::begin())
    }

    pub fn watch(&self, tensors: impl IntoIterator<Item = AnyTensor>) {
        for tensor in tensors {
            match self {
                Tape::Traced { watched, .. } => watched.borrow_mut().push(tensor),
                Tape::Eager(recorder) => recorder.watch(&tensor),
            }
        }
    }

    fn watch_sources(&self, sources: &impl Sources) {
        self.watch(
            all_sources(sources)
                .into_iter()
                .filter_map(Source::into_tensor),
        );
    }

    /// Stops recording.
    pub fn end(&self) {
        if let Tape::Eager(recorder) = self {
            recorder.end();
        }
    }

    /// Runs a function without recording it.
    #[doc(alias("no_grad"))]
    fn stop_recording<R>(&self, f: impl FnOnce() -> R) -> R {
        match self {
            Tape::Eager(recorder) => recorder.without(f),
            Tape::Traced { span, .. } if trace::is_tracing() => {
                let begin = Moment::now();
                let result = f();
                span.borrow_mut().without.push([begin, Moment::now()]);
                result
            }
            Tape::Traced { .. } => f(),
        }
    }

    /// Deletes the record, and begins a new one.
    fn reset(&self) {
        match self {
            Tape::Eager(recorder) => recorder.reset(),
            Tape::Traced { span, watched } => {
                watched.take();
                if trace::is_tracing() {
                    span.replace(Span::since(Moment::now()));
                }
            }
        }
    }

    /// The variables that were read while recording.
    fn variables(&self) -> Vec<Arc<Place>> {
        match self {
            Tape::Eager(recorder) => recorder.variables(),
            Tape::Traced { span, .. } if trace::is_tracing() => {
                sweep::variables_read(&span.borrow())
            }
            Tape::Traced { .. } => Vec::new(),
        }
    }

    /// The gradients of the weighted sum of the targets; without weights, of their sum.
    #[track_caller]
    pub fn gradients(
        &self,
        targets: Vec<AnyTensor>,
        weights: Option<Vec<AnyTensor>>,
        sources: &[Source],
        location: &Location,
    ) -> Vec<Option<AnyTensor>> {
        let weights = weights.unwrap_or_else(|| {
            let ones = |t: &AnyTensor| Term::new(t.clone(), location).full_like(1.0).tensor;
            targets.iter().map(ones).collect()
        });
        let weighted = targets.into_iter().zip(weights);
        let weighted = weighted.filter(|(target, _)| is_differentiable(target.dtype()));
        let weighted = weighted.collect();
        let gradients = match self {
            Tape::Eager(recorder) => recorder.gradients(weighted, sources, location),
            Tape::Traced { .. } if !trace::is_tracing() => {
                Err(Error::trace(OUT_OF_ITS_FUNCTION, location.clone()))
            }
            Tape::Traced { span, watched } => sweep::gradients(
                &span.borrow(),
                &watched.borrow(),
                weighted,
                sources,
                location,
            ),
        };
        trace::or_fail(gradients)
    }

    /// The gradients, in the structure of the sources.
    fn gradient<X: Sources>(
        &self,
        target: &impl Targets,
        weights: Option<Vec<AnyTensor>>,
        sources: &X,
        location: &Location,
    ) -> X::Gradients {
        let gradients = self.gradients(
            all_targets(target),
            weights,
            &all_sources(sources),
            location,
        );
        let mut gradients = gradients.into_iter();
        sources.gradients(&mut || gradients.next().flatten())
    }

    fn gradient_or_zeros<X: Sources>(
        &self,
        target: &impl Targets,
        weights: Option<Vec<AnyTensor>>,
        sources: &X,
        location: &Location,
    ) -> X::Filled {
        let all = all_sources(sources);
        let gradients = self.gradients(all_targets(target), weights, &all, location);
        let mut filled = all.iter().zip(gradients).map(|(source, gradient)| {
            gradient.unwrap_or_else(|| {
                let like = Term::new(source.value(location), location);
                like.zeros_like().tensor
            })
        });
        sources.filled(&mut || filled.next().expect("a gradient for each source"))
    }

    fn jacobian<Y: Outputs, X: Sources>(
        &self,
        target: &Y,
        sources: &X,
        location: &Location,
    ) -> Y::Each<X::Filled> {
        let all = all_sources(sources);
        let mut targets = all_targets(target).into_iter();
        target.each(&mut || {
            let target = targets.next().expect("a tensor in each place");
            let gradients =
                |weights| self.gradients(vec![target.clone()], Some(vec![weights]), &all, location);
            let mut filled = jacobian::of(&target, &all, location, gradients).into_iter();
            sources.filled(&mut || filled.next().expect("a Jacobian for each source"))
        })
    }
}

impl GradientTape {
    /// A tape that begins to record now, until [`gradient`](Self::gradient) consumes it or it is dropped.
    #[must_use]
    pub fn new() -> GradientTape {
        GradientTape(Tape::new())
    }

    /// A tape that can compute gradients more than once.
    #[must_use]
    pub fn persistent() -> PersistentTape {
        PersistentTape(Tape::new())
    }

    /// From now on records all computations from a tensor, or from the tensors in a tuple, array, `Vec` and so on. Variables
    /// needn't be watched. Only floats are differentiated.
    #[doc(alias("requires_grad"))]
    pub fn watch(&self, tensors: impl Sources) {
        self.0.watch_sources(&tensors);
    }

    /// Runs a function without recording it: no gradient flows through its computations, and they cost the tape no memory.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x = tensor(3.0);
    /// let tape = GradientTape::new();
    /// tape.watch(&x);
    /// let scale = tape.stop_recording(|| &x * 10.0);
    /// assert_eq!(tape.gradient(&(&x * &scale), &x).unwrap().item(), 30.0);
    /// ```
    #[doc(alias("no_grad", "inference_mode"))]
    pub fn stop_recording<R>(&self, f: impl FnOnce() -> R) -> R {
        self.0.stop_recording(f)
    }

    /// Deletes the record and the list of watched tensors, as if the tape were new.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x = tensor(3.0);
    /// let tape = GradientTape::new();
    /// tape.watch(&x);
    /// let y = &x * &x;
    /// tape.reset();
    /// tape.watch(&x);
    /// assert_eq!(tape.gradient(&(&x * &y), &x).unwrap().item(), 9.0);
    /// ```
    pub fn reset(&self) {
        self.0.reset();
    }

    /// The float variables that were read while the tape recorded.
    pub(crate) fn variables(&self) -> Vec<Arc<Place>> {
        self.0.variables()
    }

    /// The gradient of `target` with respect to each of the `sources`, in their structure. It is `None` where `target` doesn't
    /// depend on a source through differentiable operations. A target of several values is summed.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let (w, b) = (Variable::new(tensor([1.0, -1.0])), Variable::new(tensor(0.5)));
    /// let tape = GradientTape::new();
    /// let loss = (&w * tensor([1.0, 2.0])).sum() + &b;
    /// let (dw, db) = tape.gradient(&loss, (&w, &b));
    /// assert_eq!(dw.unwrap().to_vec(), [1.0, 2.0]);
    /// assert_eq!(db.unwrap().item(), 1.0);
    /// ```
    #[doc(alias("backward"))]
    #[track_caller]
    pub fn gradient<X: Sources>(self, target: &impl Targets, sources: X) -> X::Gradients {
        // The gradient itself isn't recorded.
        self.0.end();
        self.0.gradient(target, None, &sources, &Location::caller())
    }

    /// Like [`gradient`](Self::gradient), with zeros instead of `None`.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let (x, unused) = (tensor(3.0), tensor([1.0, 2.0]));
    /// let tape = GradientTape::new();
    /// tape.watch((&x, &unused));
    /// let y = &x * &x;
    /// let (dx, none) = tape.gradient_or_zeros(&y, (&x, &unused));
    /// assert_eq!((dx.item(), none.to_vec()), (6.0, vec![0.0, 0.0]));
    /// ```
    #[track_caller]
    pub fn gradient_or_zeros<X: Sources>(self, target: &impl Targets, sources: X) -> X::Filled {
        self.0.end();
        self.0
            .gradient_or_zeros(target, None, &sources, &Location::caller())
    }

    /// Like [`gradient`](Self::gradient), for the weighted sum of the target's values. The weights can be the gradients of a later
    /// computation with respect to the target.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x = tensor([1.0, 2.0]);
    /// let tape = GradientTape::new();
    /// tape.watch(&x);
    /// let y = &x * &x;
    /// let dx = tape.gradient_with(&y, &tensor([10.0, 0.0]), &x);
    /// assert_eq!(dx.unwrap().to_vec(), [20.0, 0.0]);
    /// ```
    #[track_caller]
    pub fn gradient_with<X: Sources>(
        self,
        target: &impl Targets,
        weights: &impl Targets,
        sources: X,
    ) -> X::Gradients {
        self.0.end();
        let weights = Some(all_targets(weights));
        self.0
            .gradient(target, weights, &sources, &Location::caller())
    }

    /// The derivatives of each value of `target` with respect to each value of the sources. The shape is that of the target
    /// followed by that of the source. For a target of several tensors, each of them has its own; see [`Outputs`].
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x = tensor([1.0, 2.0]);
    /// let tape = GradientTape::new();
    /// tape.watch(&x);
    /// let y = &x * &x;
    /// assert_eq!(tape.jacobian(&y, &x).to_vec(), [2.0, 0.0, 0.0, 4.0]);
    /// ```
    #[track_caller]
    pub fn jacobian<Y: Outputs, X: Sources>(self, target: &Y, sources: &X) -> Y::Each<X::Filled> {
        self.0.end();
        self.0.jacobian(target, sources, &Location::caller())
    }

    /// The [`jacobian`](Self::jacobian) of each example of a batch separately. Each example of the target `[batch, y..]` must
    /// depend only on the same example of the source `[batch, x..]`. The result has the shape `[batch, y.., x..]`. The cost is one
    /// gradient for each value of an example of the target.
    ///
    /// # Errors
    /// If the batch sizes differ, or the target's rank isn't known while tracing.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x = tensor([[1.0, 2.0], [3.0, 4.0]]);
    /// let tape = GradientTape::new();
    /// tape.watch(&x);
    /// let y = &x * &x;
    /// let slopes = tape.batch_jacobian(&y, &x);
    /// assert_eq!(slopes.to_vec(), [2.0, 0.0, 0.0, 4.0, 6.0, 0.0, 0.0, 8.0]);
    /// ```
    #[track_caller]
    pub fn batch_jacobian<T: Float, S, U: Float, S2>(
        self,
        target: &Tensor<T, S>,
        source: &Tensor<U, S2>,
    ) -> Tensor<U> {
        let sum = jacobian::over_the_batch(target, source);
        self.0.end();
        let jacobian = self.0.jacobian(&sum, source, &Location::caller());
        jacobian::batch_first(&sum, jacobian)
    }
}

impl PersistentTape {
    /// See [`GradientTape::watch`].
    pub fn watch(&self, tensors: impl Sources) {
        self.0.watch_sources(&tensors);
    }

    /// See [`GradientTape::stop_recording`].
    #[doc(alias("no_grad"))]
    pub fn stop_recording<R>(&self, f: impl FnOnce() -> R) -> R {
        self.0.stop_recording(f)
    }

    /// See [`GradientTape::reset`].
    pub fn reset(&self) {
        self.0.reset();
    }

    pub(crate) fn variables(&self) -> Vec<Arc<Place>> {
        self.0.variables()
    }

    /// See [`GradientTape::gradient`].
    #[track_caller]
    pub fn gradient<X: Sources>(&self, target: &impl Targets, sources: X) -> X::Gradients {
        self.0.gradient(target, None, &sources, &Location::caller())
    }

    /// See [`GradientTape::gradient_or_zeros`].
    #[track_caller]
    pub fn gradient_or_zeros<X: Sources>(&self, target: &impl Targets, sources: X) -> X::Filled {
        self.0
            .gradient_or_zeros(target, None, &sources, &Location::caller())
    }

    /// See [`GradientTape::gradient_with`].
    #[track_caller]
    pub fn gradient_with<X: Sources>(
        &self,
        target: &impl Targets,
        weights: &impl Targets,
        sources: X,
    ) -> X::Gradients {
        let weights = Some(all_targets(weights));
        self.0
            .gradient(target, weights, &sources, &Location::caller())
    }

    /// Like [`gradient_with`](Self::gradient_with), with zeros instead of `None`.
    #[track_caller]
    pub fn gradient_or_zeros_with<X: Sources>(
        &self,
        target: &impl Targets,
        weights: &impl Targets,
        sources: X,
    ) -> X::Filled {
        let weights = Some(all_targets(weights));
        self.0
            .gradient_or_zeros(target, weights, &sources, &Location::caller())
    }

    /// See [`GradientTape::jacobian`].
    #[track_caller]
    pub fn jacobian<Y: Outputs, X: Sources>(&self, target: &Y, sources: X) -> Y::Each<X::Filled> {
        self.0.jacobian(target, &sources, &Location::caller())
    }

    /// See [`GradientTape::batch_jacobian`].
    #[track_caller]
    pub fn batch_jacobian<T: Float, S, U: Float, S2>(
        &self,
        target: &Tensor<T, S>,
        source: &Tensor<U, S2>,
    ) -> Tensor<U> {
        let sum = jacobian::over_the_batch(target, source);
        let jacobian = self.0.jacobian(&sum, source, &Location::caller());
        jacobian::batch_first(&sum, jacobian)
    }
}
