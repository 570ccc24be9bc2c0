//! The interface of gradient rules: one use of an op, and the gradient with respect to its result. A rule computes the gradients
//! with respect to the operands.

use super::term::Term;
use crate::error::{Error, Location};
use crate::graph::TensorType;
use crate::ops::{Attrs, OpDef};
use crate::trace::{self, AnyTensor};

/// A gradient rule: calls `Backward::give` for the operands whose gradient is wanted.
pub type Rule = fn(&mut Backward<'_>);

/// One use of an op, being differentiated.
pub struct Backward<'a> {
    pub(super) op: &'static OpDef,
    pub(super) attrs: &'a Attrs,
    pub(super) operands: &'a [AnyTensor],
    pub(super) output: &'a AnyTensor,
    pub(super) upstream: AnyTensor,
    /// Which operands need a gradient.
    pub(super) wanted: &'a [bool],
    /// The gradients with respect to the operands so far.
    pub(super) gradients: Vec<Option<AnyTensor>>,
    pub(super) location: &'a Location,
}

impl Backward<'_> {
    /// The op.
    pub(crate) fn op(&self) -> &'static OpDef {
        self.op
    }

    /// The attributes of this use.
    pub(crate) fn attrs(&self) -> &Attrs {
        self.attrs
    }

    /// How many operands there are.
    pub(crate) fn operands(&self) -> usize {
        self.operands.len()
    }

    /// An operand.
    pub(crate) fn x(&self, i: usize) -> Term {
        Term::new(self.operands[i].clone(), self.location)
    }

    /// The result.
    pub(crate) fn y(&self) -> Term {
        Term::new(self.output.clone(), self.location)
    }

    /// The gradient with respect to the result, which has its shape.
    pub(crate) fn g(&self) -> Term {
        Term::new(self.upstream.clone(), self.location)
    }

    /// The static type of an operand.
    pub(crate) fn ty(&self, i: usize) -> TensorType {
        self.operands[i].ty()
    }

    /// Whether the gradient with respect to an operand is wanted.
    pub(crate) fn wants(&self, i: usize) -> bool {
        self.wanted[i]
    }

    /// Records an error that says why there is no gradient; tracing then fails.
    pub(crate) fn refuse(&self, why: &str) {
        trace::record(Error::trace(why.to_owned(), self.location.clone()));
    }

    /// Adds to the gradient with respect to an operand.
    pub(crate) fn give(&mut self, i: usize, gradient: Term) {
        if !self.wanted[i] {
            return;
        }
        self.gradients[i] = Some(match self.gradients[i].take() {
            None => gradient.tensor,
            Some(sum) => {
                Term::new(sum, self.location)
                    .plus_gradient(&gradient)
                    .tensor
            }
        });
    }

    /// Adds to the gradient with respect to an operand that was broadcast to the result's shape.
    pub(crate) fn give_broadcast(&mut self, i: usize, gradient: impl FnOnce(&Self) -> Term) {
        if self.wanted[i] {
            let gradient = gradient(self).sum_to(&self.x(i));
            self.give(i, gradient);
        }
    }

    /// Replaces the gradient with respect to an operand by `add` of the gradient so far, which is zeros if there is none. For
    /// gradients that are 0 outside of a part, so that the part is added in place.
    pub(crate) fn add_to(&mut self, i: usize, add: impl FnOnce(&Self, Term) -> Term) {
        if !self.wanted[i] {
            return;
        }
        let sum = match self.gradients[i].take() {
            None => self.x(i).zeros_like(),
            Some(sum) => Term::new(sum, self.location),
        };
        self.gradients[i] = Some(add(self, sum).tensor);
    }
}
