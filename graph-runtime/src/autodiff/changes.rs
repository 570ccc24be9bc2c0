//! The state of an accumulator in eager code: the tangents ("changes") of the live tensors. After each op that runs, the tangent of
//! its result is computed; accumulators and tapes that were begun earlier see these computations like any other ops.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::sources::Source;
use super::sweep::is_differentiable;
use super::tangent::Change;
use super::term::Term;
use super::witnesses::{Witness, begin, end};
use crate::device::WeakStorage;
use crate::error::{Location, Result};
use crate::ops::{Attrs, OpDef};
use crate::trace::{AnyTensor, Identity, Repr};
use crate::variable::Place;

/// Tensors and variables with their tangents.
#[derive(Default)]
pub(super) struct Changes {
    tensors: RefCell<Tensors>,
    variables: Vec<(Arc<Place>, AnyTensor)>,
}

/// Tensors with their tangents. The tensors aren't kept alive: one that nobody holds needs no tangent any more.
#[derive(Default)]
struct Tensors {
    known: FxHashMap<Identity, (WeakStorage, AnyTensor)>,
    /// How many entries there may be before those of freed tensors are removed.
    limit: usize,
}

impl Tensors {
    fn insert(&mut self, tensor: &AnyTensor, change: AnyTensor) {
        let Repr::Concrete(value) = &tensor.repr else {
            return;
        };
        if self.known.len() >= self.limit {
            self.known.retain(|_, (value, _)| value.is_alive());
            self.limit = 64 + 2 * self.known.len();
        }
        // While the weak handle exists, the address can't be reused by another array.
        self.known
            .insert(tensor.identity(), (value.downgrade(), change));
    }
}

impl Changes {
    /// Begins to follow ops, until [`end`](Self::end).
    pub fn begin(pairs: Vec<(Source, AnyTensor)>) -> Rc<Changes> {
        let mut changes = Changes::default();
        for (source, change) in pairs {
            match source {
                Source::Tensor(tensor) => {
                    let sum = match changes.of(&tensor) {
                        None => change,
                        Some(known) => {
                            let location = Location::unknown();
                            let known = Term::new(known, &location);
                            (known + Term::new(change, &location)).tensor
                        }
                    };
                    changes.set(&tensor, sum);
                }
                Source::Variable(place) => changes.variables.push((place, change)),
            }
        }
        let changes = Rc::new(changes);
        begin(Witness::Accumulator(changes.clone()));
        changes
    }

    pub fn end(self: &Rc<Self>) {
        end(|witness| matches!(witness, Witness::Accumulator(own) if Rc::ptr_eq(own, self)));
    }

    /// The tangent of a tensor.
    pub fn of(&self, tensor: &AnyTensor) -> Option<AnyTensor> {
        let tensors = self.tensors.borrow();
        let (_, change) = tensors.known.get(&tensor.identity())?;
        Some(change.clone())
    }

    pub fn set(&self, tensor: &AnyTensor, change: AnyTensor) {
        if is_differentiable(tensor.dtype()) {
            self.tensors.borrow_mut().insert(tensor, change);
        }
    }

    /// The tangent of a variable's value.
    pub fn of_variable(&self, place: &Arc<Place>) -> Option<AnyTensor> {
        let mut known = self.variables.iter();
        let (_, change) = known.find(|(own, _)| Arc::ptr_eq(own, place))?;
        Some(change.clone())
    }

    /// Computes the tangent of an op's result from those of its operands.
    pub fn follow(
        &self,
        op: &'static OpDef,
        attrs: &Attrs,
        operands: &[&AnyTensor],
        output: &AnyTensor,
        location: &Location,
    ) -> Result<()> {
        let changes: Vec<Option<AnyTensor>> = operands.iter().map(|t| self.of(t)).collect();
        if changes.iter().all(Option::is_none) {
            return Ok(());
        }
        let operands: Vec<AnyTensor> = operands.iter().map(|t| (*t).clone()).collect();
        let change = Change {
            op,
            attrs,
            operands: &operands,
            output,
            changes: &changes,
            location,
        };
        if let Some(change) = change.of_output()? {
            self.set(output, change);
        }
        Ok(())
    }
}
