//! `return`, `break` and `continue`. Each construct around the jump that a tensor may decide records the exit and traces its next branch;
//! if Rust decides, the jump is Rust's.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprBreak, ExprContinue, ExprReturn, ExprTry, Lifetime, Type, parse_quote_spanned,
};

use super::Collector;
use crate::activity::Exit;
use crate::macros;
use crate::syntax::{Construct, Flow, FlowId, Jump, Leaves, Return, WayOut, What};

impl Flow {
    /// True if the exit leaves this flow, but no flow around it.
    pub fn is_target(&self, exit: &Exit) -> bool {
        match (&self.what, exit) {
            (What::Loop { .. }, Exit::Break(None) | Exit::Continue(None)) => true,
            (
                What::Loop { label: Some(own) },
                Exit::Break(Some(name)) | Exit::Continue(Some(name)),
            ) => own == name,
            (What::Block { label }, Exit::Break(Some(name))) => label == name,
            _ => false,
        }
    }
}

impl Collector {
    pub fn return_expr(&mut self, e: ExprReturn) -> Expr {
        let span = e.return_token.span();
        let result = self.bodies.last().and_then(|b| b.result.clone());
        let value = e
            .expr
            .map(|value| self.leaving_value(*value, result.as_ref()));
        let leaving = Return {
            value,
            ty: result.filter(|ty| !super::has_infer(ty)),
            way_out: self.way_out(),
        };
        self.construct(span, Construct::Return(leaving))
    }

    /// `?`. If the function doesn't return a `Result` or `Option`, rustc's message would mention the closure that the body becomes.
    pub fn tried(&mut self, mut e: ExprTry) -> Expr {
        *e.expr = self.value(*e.expr, None);
        let result = match self.bodies.as_slice() {
            [function] => function.result.clone(),
            _ => None,
        };
        match result.filter(may_be_no_result) {
            Some(result) => {
                let (span, value) = (e.question_token.span(), *e.expr);
                self.construct(span, Construct::Tried { value, result })
            }
            None => Expr::Try(e),
        }
    }

    pub fn break_expr(&mut self, e: ExprBreak) -> Expr {
        let exit = Exit::Break(e.label.as_ref().map(|l| l.ident.to_string()));
        // A jump outside of a loop. rustc reports one to an unknown label; `check` reports any other.
        let Some(target) = self.frame_of(&exit) else {
            return Expr::Break(e);
        };
        let span = e.break_token.span();
        let result = self.broken_out(target);
        let value = e
            .expr
            .map(|value| self.leaving_value(*value, result.as_ref()));
        self.jump(span, target, Leaves::Break(value))
    }

    pub fn continue_expr(&mut self, e: ExprContinue) -> Expr {
        let exit = Exit::Continue(e.label.as_ref().map(|l| l.ident.to_string()));
        match self.frame_of(&exit) {
            Some(target) => self.jump(e.continue_token.span(), target, Leaves::Continue),
            None => Expr::Continue(e),
        }
    }

    /// The written type of the value that `break` gives a flow.
    fn broken_out(&self, target: usize) -> Option<syn::Type> {
        let around = &self.flows[target];
        // In a nested function or closure, `return` leaves the block that is its body.
        let returns = self.tree[around.id].label.ident == "body";
        let body = self.bodies.last().filter(|_| returns);
        let returned = body.and_then(|b| b.result.clone());
        returned.or_else(|| around.result.clone())
    }

    /// The value of a `return` or `break`.
    fn leaving_value(&mut self, value: Expr, expected: Option<&syn::Type>) -> Expr {
        let outer = std::mem::replace(&mut self.leaving, true);
        let value = self.value_or_lift(value, expected);
        self.leaving = outer;
        value
    }

    /// The flow that a `break` or `continue` names, if it is one of this function's constructs.
    fn frame_of(&self, exit: &Exit) -> Option<usize> {
        let first = self.bodies.last().map_or(0, |b| b.flows);
        (first..self.flows.len())
            .rev()
            .find(|i| self.tree[self.flows[*i].id].is_target(exit))
    }

    fn jump(&mut self, span: Span, target: usize, leaves: Leaves) -> Expr {
        let around = &self.flows[target];
        let shadowed = around
            .places
            .iter()
            .find(|p| self.scopes.get(&p.root).is_some_and(|v| v.id != p.id));
        let set = around.places.iter().filter(|p| !self.is_uninitialized(p));
        let jump = Jump {
            target: around.id,
            leaves,
            carried: set.map(|place| self.carried_place(place)).collect(),
            shadowed: shadowed.map(|p| p.root.clone()),
            through: self.through(target),
        };
        self.construct(span, Construct::Jump(jump))
    }

    /// The flows from the innermost to the one with index `last`. Each gets a label: if it is replayed, it records the exit, and its
    /// next pass begins.
    fn through(&mut self, last: usize) -> Vec<FlowId> {
        let through: Vec<FlowId> = self.flows[last..].iter().rev().map(|r| r.id).collect();
        for id in &through {
            self.tree[*id].is_labelled = true;
        }
        through
    }

    /// The data for leaving the function or closure.
    pub fn way_out(&mut self) -> WayOut {
        let body = self.bodies.last();
        let parameters = body.map(|b| b.parameters.clone()).unwrap_or_default();
        let first = body.map_or(0, |b| b.flows);
        WayOut {
            through: self.through(first),
            parameters,
        }
    }

    /// The flows around a `panic!`, up to the outermost branch. A replayed branch records that it fails, and begins its next pass. In
    /// the body of a traced loop the panic would fail in every iteration, so there it is Rust's. It is also Rust's on the right of `&&`,
    /// which is a closure of generated code that no jump can leave.
    pub fn failing(&mut self) -> Vec<FlowId> {
        if self.captures > 0 {
            return Vec::new();
        }
        let first = self.bodies.last().map_or(0, |b| b.flows);
        let mut through: Vec<FlowId> = self.flows[first..].iter().rev().map(|r| r.id).collect();
        let is_branch = |id: &FlowId| matches!(self.tree[*id].what, What::Branch);
        // Flows outside the outermost branch aren't affected by the failure.
        through.truncate(
            through
                .iter()
                .rposition(is_branch)
                .map_or(0, |last| last + 1),
        );
        for id in &through {
            let flow = &mut self.tree[*id];
            flow.is_labelled |= matches!(flow.what, What::Branch);
        }
        through
    }
}

/// Turns the `return`s of a body into `break`s of a block around it.
pub(crate) fn returns_to_breaks(mut block: Block, label: &Lifetime) -> Block {
    struct Replace<'a>(&'a Lifetime);
    impl VisitMut for Replace<'_> {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            match expr {
                Expr::Closure(_) | Expr::Async(_) => {}
                Expr::Return(e) => {
                    visit_mut::visit_expr_return_mut(self, e);
                    let (label, value, span) = (self.0, &e.expr, e.return_token.span());
                    *expr = match value {
                        Some(value) => parse_quote_spanned!(span=> break #label #value),
                        None => parse_quote_spanned!(span=> break #label ()),
                    };
                }
                _ => visit_mut::visit_expr_mut(self, expr),
            }
        }
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    Replace(label).visit_block_mut(&mut block);
    block
}

/// True for a result type that `?` may not allow. For what is called `Result` or `Option` the code is the user's `?`: that is only shorter.
fn may_be_no_result(ty: &Type) -> bool {
    let Type::Path(path) = ty else {
        return false;
    };
    let last = path.path.segments.last().map(|last| last.ident.to_string());
    let is_result = matches!(
        last.as_deref(),
        Some("Result" | "Option" | "Poll" | "ControlFlow")
    );
    let tokens = macros::idents(ty.to_token_stream());
    !is_result && !tokens.iter().any(|ident| ident == "impl")
}
