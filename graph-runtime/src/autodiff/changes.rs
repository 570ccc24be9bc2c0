//! What an accumulator of eager code knows: by how much tensors change that are still there. Each op that runs is followed by what
//! its result changes by, which accumulators and tapes that were begun before see as any other ops.

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
use crate::tensor::AnyTensor;
use crate::tensor::any::{Identity, Repr};
use crate::variable::Place;

/// What changes, and by how much.
#[derive(Default)]
pub(super) struct Changes {
    tensors: RefCell<Tensors>,
    variables: Vec<(Arc<Place>, AnyTensor)>,
}

/// The tensors that change. None of them is kept alive: what nobody holds any more needs no change.
#[derive(Default)]
struct Tensors {
    known: FxHashMap<Identity, (WeakStorage, AnyTensor)>,
    /// How many there may be until those that are gone are looked for.
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
        // While the weak handle is there, the address is no other array's.
        self.known
            .insert(tensor.identity(), (value.downgrade(), change));
    }
}

impl Changes {
    /// From now on until [`end`](Self::end).
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

    /// By how much a tensor changes.
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

    /// By how much what a variable holds changes.
    pub fn of_variable(&self, place: &Arc<Place>) -> Option<AnyTensor> {
        let mut known = self.variables.iter();
        let (_, change) = known.find(|(own, _)| Arc::ptr_eq(own, place))?;
        Some(change.clone())
    }

    /// Lets the result of an op that has run change as its operands do.
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
