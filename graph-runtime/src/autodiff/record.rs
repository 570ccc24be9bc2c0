//! The record of a tape in eager code: the ops that it saw, and the reverse pass over them.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::backward::Backward;
use super::call::Call;
use super::sources::Source;
use super::sweep::is_differentiable;
use super::term::Term;
use super::witnesses::{Witness, begin, end, unseen_by};
use crate::error::{Location, Result};
use crate::ops::{Attrs, OpDef};
use crate::trace::{AnyTensor, Identity};
use crate::variable::Place;

/// A tape's record.
#[derive(Default)]
pub(super) struct Recorder {
    entries: RefCell<Vec<Rc<Entry>>>,
    watched: RefCell<FxHashSet<Identity>>,
    /// Keeps the watched tensors alive, which are identified by address.
    kept: RefCell<Vec<AnyTensor>>,
}

/// One op that a tape saw.
pub(super) struct Entry {
    pub kind: Kind,
    pub inputs: Vec<AnyTensor>,
    /// Which inputs depend on a watched tensor.
    pub wanted: Vec<bool>,
    pub outputs: Vec<AnyTensor>,
    pub location: Location,
}

pub(super) enum Kind {
    Primitive(&'static OpDef, Attrs),
    Read(Arc<Place>),
    Call(Call),
}

impl Recorder {
    /// A recorder that begins to record now.
    pub fn begin() -> Rc<Recorder> {
        let recorder = Rc::new(Recorder::default());
        begin(Witness::Tape(recorder.clone()));
        recorder
    }

    fn is(self: &Rc<Self>, witness: &Witness) -> bool {
        matches!(witness, Witness::Tape(own) if Rc::ptr_eq(own, self))
    }

    /// Stops recording.
    pub fn end(self: &Rc<Self>) {
        end(|witness| self.is(witness));
    }

    /// Runs a function without recording it.
    pub fn without<R>(self: &Rc<Self>, f: impl FnOnce() -> R) -> R {
        unseen_by(|witness| self.is(witness), f)
    }

    /// Deletes the record.
    pub fn reset(&self) {
        self.entries.take();
        self.watched.take();
        self.kept.take();
    }

    /// The variables that were read, in the order of their first reads.
    pub fn variables(&self) -> Vec<Arc<Place>> {
        let mut all: Vec<Arc<Place>> = Vec::new();
        for entry in self.entries.borrow().iter() {
            let read = match &entry.kind {
                Kind::Read(place) => vec![place.clone()],
                Kind::Call(call) => call.variables(),
                Kind::Primitive(..) => Vec::new(),
            };
            for place in read {
                if !all.iter().any(|known| Arc::ptr_eq(known, &place)) {
                    all.push(place);
                }
            }
        }
        all
    }

    /// Records an op, if one of its operands is watched.
    pub fn see(
        &self,
        op: &'static OpDef,
        attrs: &Attrs,
        operands: &[&AnyTensor],
        output: &AnyTensor,
        location: &Location,
    ) {
        let wanted: Vec<bool> = operands.iter().map(|t| self.watches(t)).collect();
        if wanted.contains(&true) {
            self.push(Entry {
                kind: Kind::Primitive(op, attrs.clone()),
                inputs: operands.iter().map(|t| (*t).clone()).collect(),
                wanted,
                outputs: vec![output.clone()],
                location: location.clone(),
            });
        }
    }

    /// Records that a variable was read.
    pub fn see_read(&self, place: &Arc<Place>, output: &AnyTensor, location: &Location) {
        self.push(Entry {
            kind: Kind::Read(place.clone()),
            inputs: Vec::new(),
            wanted: Vec::new(),
            outputs: vec![output.clone()],
            location: location.clone(),
        });
    }

    pub fn watch(&self, tensor: &AnyTensor) {
        self.watched.borrow_mut().insert(tensor.identity());
        self.kept.borrow_mut().push(tensor.clone());
    }

    pub fn watches(&self, tensor: &AnyTensor) -> bool {
        is_differentiable(tensor.dtype()) && self.watched.borrow().contains(&tensor.identity())
    }

    pub fn push(&self, entry: Entry) {
        let outputs = entry.outputs.iter().map(AnyTensor::identity);
        self.watched.borrow_mut().extend(outputs);
        self.entries.borrow_mut().push(Rc::new(entry));
    }

    /// The gradients of the weighted sum of the targets with respect to the sources; `None` for sources that no target depends on.
    pub fn gradients(
        &self,
        targets: Vec<(AnyTensor, AnyTensor)>,
        sources: &[Source],
        location: &Location,
    ) -> Result<Vec<Option<AnyTensor>>> {
        let mut adjoints = Adjoints::default();
        for (target, weight) in targets {
            if self.watches(&target) {
                adjoints.add(&target, weight, location);
            }
        }
        let entries = self.entries.borrow().clone();
        for entry in entries.iter().rev() {
            adjoints.go_back(entry)?;
        }
        let gradient = |source: &Source| match source {
            Source::Tensor(tensor) => adjoints.tensor(tensor).cloned(),
            Source::Variable(place) => adjoints.variable(place).cloned(),
        };
        Ok(sources.iter().map(gradient).collect())
    }
}

fn key(place: &Arc<Place>) -> usize {
    Arc::as_ptr(place) as usize
}

/// The gradients found so far.
#[derive(Default)]
pub(super) struct Adjoints {
    tensors: FxHashMap<Identity, AnyTensor>,
    variables: FxHashMap<usize, AnyTensor>,
}

impl Adjoints {
    /// The gradient with respect to a tensor.
    pub fn tensor(&self, tensor: &AnyTensor) -> Option<&AnyTensor> {
        self.tensors.get(&tensor.identity())
    }

    /// The gradient with respect to a variable's value, summed over its reads.
    pub fn variable(&self, place: &Arc<Place>) -> Option<&AnyTensor> {
        self.variables.get(&key(place))
    }

    pub fn set_variable(&mut self, place: &Arc<Place>, sum: AnyTensor) {
        self.variables.insert(key(place), sum);
    }

    pub fn add(&mut self, tensor: &AnyTensor, gradient: AnyTensor, location: &Location) {
        let sum = sum(self.tensors.remove(&tensor.identity()), gradient, location);
        self.tensors.insert(tensor.identity(), sum);
    }

    fn go_back(&mut self, entry: &Entry) -> Result<()> {
        if let Kind::Call(call) = &entry.kind {
            let mut outputs = entry.outputs.iter();
            return match outputs.any(|output| self.tensor(output).is_some()) {
                true => call.go_back(self, entry),
                false => Ok(()),
            };
        }
        let Some(upstream) = self.tensor(&entry.outputs[0]).cloned() else {
            return Ok(());
        };
        match &entry.kind {
            Kind::Call(_) => {}
            Kind::Read(place) => {
                let known = self.variables.remove(&key(place));
                let sum = sum(known, upstream, &entry.location);
                self.variables.insert(key(place), sum);
            }
            Kind::Primitive(op, attrs) => {
                let Some(rule) = super::rules::rule(op) else {
                    return Ok(());
                };
                let mut backward = Backward {
                    op,
                    attrs,
                    operands: &entry.inputs,
                    output: &entry.outputs[0],
                    upstream,
                    wanted: &entry.wanted,
                    gradients: vec![None; entry.inputs.len()],
                    location: &entry.location,
                };
                rule(&mut backward);
                let gradients = std::mem::take(&mut backward.gradients);
                for (input, gradient) in entry.inputs.iter().zip(gradients) {
                    if let Some(gradient) = gradient {
                        self.add(input, gradient, &entry.location);
                    }
                }
            }
        }
        Ok(())
    }
}

fn sum(known: Option<AnyTensor>, gradient: AnyTensor, location: &Location) -> AnyTensor {
    match known {
        None => gradient,
        Some(sum) => {
            let gradient = Term::new(gradient, location);
            Term::new(sum, location).plus_gradient(&gradient).tensor
        }
    }
}
