//! One use of an op, and its gradients: by differences, and by the rules in all ways in which a rule can run. The function that is
//! differentiated is the weighted sum of the result's values.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use graph_runtime::graph::Shape;
use graph_runtime::ops::{self, Attr, Attrs, OpDef};
use graph_runtime::prelude::*;
use graph_runtime::tensor::AnyTensor;
use graph_runtime::{Array, DType, while_loop};

use crate::draw::Draw;

pub type Float = Tensor<f64>;

/// The step of the central differences.
pub const STEP: f64 = 1e-5;

/// What a trace knows about the operands' shapes.
#[derive(Clone, Copy, PartialEq)]
pub enum Known {
    All,
    Ranks,
    Nothing,
}

/// One use of an op.
#[derive(Clone)]
pub struct Use {
    pub op: &'static OpDef,
    attrs: Attrs,
    /// Gradients are computed with respect to the `float64` ones.
    operands: Vec<Array>,
    /// Whether the gradient can be differentiated.
    pub smooth: bool,
    /// Whether the gradient requires that the ranks of the operands are known.
    pub needs_ranks: bool,
}

impl fmt::Debug for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?} {:?}", self.op.name, self.attrs, self.operands)
    }
}

impl Use {
    pub fn new(op: &'static OpDef, operands: impl Into<Vec<Array>>) -> Use {
        Use {
            op,
            attrs: Attrs::new(),
            operands: operands.into(),
            smooth: true,
            needs_ranks: false,
        }
    }

    /// Adds an attribute.
    pub fn with(mut self, attr: Attr) -> Use {
        let name = self.op.attrs[self.attrs.len()];
        self.attrs = self.attrs.with(name, attr);
        self
    }

    /// Adds an attribute that is a list.
    pub fn ints<N: Copy + TryInto<i64>>(self, values: &[N]) -> Use {
        let value = |n: &N| (*n).try_into().ok().expect("a small number");
        self.with(Attr::Ints(values.iter().map(value).collect()))
    }

    pub fn int(self, value: i64) -> Use {
        self.with(Attr::Int(value))
    }

    pub fn flag(self, value: bool) -> Use {
        self.with(Attr::Bool(value))
    }

    /// Marks the use as one whose gradient isn't differentiated.
    pub fn kinked(mut self) -> Use {
        self.smooth = false;
        self
    }

    /// Sets some floats of the first operand to 0.
    pub fn with_zeros(mut self) -> Use {
        let values = self.operands[0].values_mut::<f64>().expect("floats");
        values.iter_mut().step_by(3).for_each(|v| *v = 0.0);
        self
    }

    /// The shape of the result.
    pub fn shape(&self) -> Vec<usize> {
        self.result(&self.floats()).shape().to_vec()
    }

    pub fn needs_ranks(mut self) -> Use {
        self.needs_ranks = true;
        self
    }

    /// The operands with respect to which gradients are computed.
    pub fn floats(&self) -> Vec<Array> {
        let floats = self.operands.iter().filter(|x| x.dtype() == DType::F64);
        floats.cloned().collect()
    }

    pub fn result(&self, floats: &[Array]) -> Array {
        let mut next = floats.iter();
        let operands = self.operands.iter().map(|x| match x.dtype() {
            DType::F64 => next.next().expect("one for each"),
            _ => x,
        });
        let operands: Vec<&Array> = operands.collect();
        let mut out = Array::default();
        (self.op.kernel)(&operands, &self.attrs, &mut out).unwrap_or_else(|e| panic!("{e}"));
        out
    }

    /// The weights of the result's values.
    pub fn weights(&self) -> Array {
        let result = self.result(&self.floats());
        Draw::new(result.len() as u64).floats(result.shape(), 0.5, 1.5)
    }

    /// The weights of the first gradients in the sum whose gradients are the second ones.
    pub fn directions(&self) -> Vec<Array> {
        let floats = self.floats().into_iter().enumerate();
        let direction =
            |(n, x): (usize, Array)| Draw::new(7 + n as u64).floats(x.shape(), 0.5, 1.5);
        floats.map(direction).collect()
    }

    /// The gradients by differences.
    pub fn differences(&self) -> Vec<Array> {
        let weights = self.weights();
        differences(&self.floats(), |floats| dot(&self.result(floats), &weights))
    }

    /// The gradients of the sum of the first gradients with respect to the operands and the weights, by differences.
    pub fn second_differences(&self) -> Vec<Array> {
        let directions = self.directions();
        let mut points = self.floats();
        points.push(self.weights());
        differences(&points, |points| {
            let (weights, floats) = points.split_last().expect("the weights are there");
            let used = self.at(floats);
            let first = used.gradients(Known::All, &tensors(floats), &float(weights));
            let first = first.iter().map(|g| (*g.as_any().array()).clone());
            first.zip(&directions).map(|(g, d)| dot(&g, d)).sum()
        })
    }

    /// The same use with other floats.
    pub fn at(&self, floats: &[Array]) -> Use {
        let mut next = floats.iter().cloned();
        let mut used = self.clone();
        let own = used.operands.iter_mut().filter(|x| x.dtype() == DType::F64);
        own.for_each(|x| *x = next.next().expect("one for each"));
        used
    }

    pub fn eager(&self) -> Vec<Array> {
        let gradients = self.gradients(
            Known::All,
            &tensors(&self.floats()),
            &float(&self.weights()),
        );
        arrays(&gradients)
    }

    pub fn traced(&self, known: Known) -> Vec<Array> {
        self.run(known, traced)
    }

    /// The gradient of a sum over three iterations of a loop.
    pub fn looped(&self, known: Known) -> Vec<Array> {
        self.run(known, looped)
    }

    pub fn second_traced(&self) -> Vec<Array> {
        self.run(Known::All, second_traced)
    }

    pub fn second_eager(&self) -> Vec<Array> {
        let gradients = self.second(&tensors(&self.floats()), &float(&self.weights()));
        arrays(&gradients)
    }

    pub fn run(&self, known: Known, f: fn(u64, Vec<Float>, Float) -> Vec<Float>) -> Vec<Array> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        CURRENT.set(Some((Rc::new(self.clone()), known)));
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let gradients = f(number, tensors(&self.floats()), float(&self.weights()));
        CURRENT.set(None);
        arrays(&gradients)
    }

    /// Applies the op in a trace that knows this much about the operands' shapes.
    pub fn apply(&self, known: Known, floats: &[Float]) -> Float {
        let mut next = floats.iter().map(Tensor::as_any).cloned();
        let operands = self.operands.iter().map(|x| {
            let tensor = match x.dtype() {
                DType::F64 => next.next().expect("one for each"),
                _ => AnyTensor::constant(x.clone()),
            };
            let shape = match known {
                Known::All => return tensor,
                Known::Ranks => Shape::of(vec![None; x.rank()]),
                Known::Nothing => Shape::unknown(),
            };
            let attrs = Attrs::new().with("shape", Attr::Shape(shape));
            AnyTensor::apply(&ops::RELAX_SHAPE, attrs, &[&tensor])
        });
        let operands: Vec<AnyTensor> = operands.collect();
        let operands: Vec<&AnyTensor> = operands.iter().collect();
        Tensor::from_any(AnyTensor::apply(self.op, self.attrs.clone(), &operands))
    }

    pub fn gradients(&self, known: Known, floats: &[Float], weights: &Float) -> Vec<Float> {
        let floats = floats.to_vec();
        let tape = GradientTape::new();
        tape.watch(&floats);
        let y = self.apply(known, &floats);
        found(tape.gradient_with(&y, weights, &floats), &floats)
    }

    fn looped_gradients(&self, known: Known, floats: &[Float], weights: &Float) -> Vec<Float> {
        let floats = floats.to_vec();
        let tape = GradientTape::new();
        tape.watch(&floats);
        let state = (tensor(0), floats.clone(), tensor(0.0f64));
        let (_, _, sum) = while_loop(
            |(i, ..)| i.lt(3),
            |(i, floats, sum)| {
                let y = self.apply(known, &floats);
                // The same floats, written so that they aren't loop-invariant to the tracer.
                let one = i.cast::<f64>() * 0.0 + 1.0;
                let floats = floats.iter().map(|x| x * &one).collect();
                (i + 1, floats, sum + (y * weights).sum())
            },
            state,
        );
        found(tape.gradient(&sum, &floats), &floats)
    }

    /// The gradients, with respect to the operands and the weights, of the sum of the first gradients, each times its direction.
    fn second(&self, floats: &[Float], weights: &Float) -> Vec<Float> {
        let mut points = floats.to_vec();
        points.push(weights.clone());
        let tape = GradientTape::new();
        tape.watch(&points);
        let first = self.gradients(Known::All, floats, weights);
        let sums = first
            .iter()
            .zip(self.directions())
            .map(|(g, d)| (g * float(&d)).sum());
        let sum = sums
            .reduce(|a, b| a + b)
            .expect("something is differentiated");
        let gradients = tape.gradient(&sum, &points).into_iter();
        let zeros = |x: &Float| x * 0.0;
        gradients
            .zip(&points)
            .map(|(g, x)| g.unwrap_or_else(|| zeros(x)))
            .collect()
    }

    /// Fails if the gradients aren't `times` the expected ones, up to rounding.
    pub fn compare(&self, actual: &[Array], expected: &[Array], times: f64) -> Result<(), String> {
        for (n, (actual, expected)) in actual.iter().zip(expected).enumerate() {
            if actual.shape() != expected.shape() {
                return Err(format!("gradient {n} of shape {:?}", actual.shape()));
            }
            for (a, e) in values(actual).iter().zip(values(expected)) {
                let e = e * times;
                let close = (a - e).abs() <= 1e-5 * (1.0 + e.abs());
                if !close {
                    return Err(format!(
                        "gradient {n} is {actual:?}, not {expected:?} times {times}"
                    ));
                }
            }
        }
        Ok(())
    }
}

thread_local! {
    static CURRENT: RefCell<Option<(Rc<Use>, Known)>> = const { RefCell::new(None) };
}

pub fn current() -> (Rc<Use>, Known) {
    CURRENT
        .with_borrow(Clone::clone)
        .expect("a use is being checked")
}

#[graph_fn]
fn traced(_number: u64, floats: Vec<Float>, weights: Float) -> Vec<Float> {
    let (used, known) = current();
    used.gradients(known, &floats, &weights)
}

#[graph_fn]
fn looped(_number: u64, floats: Vec<Float>, weights: Float) -> Vec<Float> {
    let (used, known) = current();
    used.looped_gradients(known, &floats, &weights)
}

#[graph_fn]
fn second_traced(_number: u64, floats: Vec<Float>, weights: Float) -> Vec<Float> {
    current().0.second(&floats, &weights)
}

/// The gradients. A missing one becomes NaN and not a panic, so that the error that explains it is reported.
fn found(gradients: Vec<Option<Float>>, floats: &[Float]) -> Vec<Float> {
    let all = gradients.into_iter().zip(floats);
    all.map(|(g, x)| g.unwrap_or_else(|| x * f64::NAN))
        .collect()
}

pub fn float(x: &Array) -> Float {
    Tensor::from_any(AnyTensor::concrete(Arc::new(x.clone())))
}

pub fn tensors(all: &[Array]) -> Vec<Float> {
    all.iter().map(float).collect()
}

pub fn arrays(all: &[Float]) -> Vec<Array> {
    all.iter().map(|x| (*x.as_any().array()).clone()).collect()
}

pub fn values(x: &Array) -> &[f64] {
    x.values::<f64>()
        .expect("gradients are of the operands' dtype")
}

/// The sum of the products, without numbers that represent nothing, such as the largest value of an empty array.
fn dot(a: &Array, b: &Array) -> f64 {
    let pairs = values(a).iter().zip(values(b));
    pairs
        .filter(|(a, _)| a.abs() < 1e300)
        .map(|(a, b)| a * b)
        .sum()
}

/// Central differences of a function of arrays, varying one value at a time.
fn differences(points: &[Array], f: impl Fn(&[Array]) -> f64) -> Vec<Array> {
    let mut moved = points.to_vec();
    let mut all = Vec::new();
    for n in 0..points.len() {
        let mut slopes = Vec::new();
        for (i, x) in values(&points[n]).iter().enumerate() {
            let mut at = |x: f64| {
                moved[n].values_mut::<f64>().expect("floats")[i] = x;
                f(&moved)
            };
            slopes.push((at(x + STEP) - at(x - STEP)) / (2.0 * STEP));
            at(*x);
        }
        all.push(Array::new(points[n].shape(), slopes));
    }
    all
}
