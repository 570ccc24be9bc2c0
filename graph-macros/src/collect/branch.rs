//! `if`. If the condition can only be a `bool`, the `if` stays as it is. Any other condition may be a tensor: the `if` is put into a loop
//! that runs once for a `bool`, and once per branch while the branches of a tensor condition are traced.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Block, Expr, ExprIf, Ident, Stmt, Token, Type, parse_quote_spanned};

use super::build::{all, block, block_expr, break_to, when};
use super::conditions::{
    chain, has_let, has_let_binary, is_bool, let_patterns, rename_behind_lets,
};
use super::literal::{choose, choose_end, gives_literals, gives_references, lift_ends};
use super::{Around, Collector, Want};
use crate::activity::{self, ChangedPlace, Exit, How};
use crate::scope::Known;
use crate::syntax::{Branch, Carried, Carry, Construct, Decides, Flow, FlowId, What};

impl Collector {
    pub fn if_expr(&mut self, mut e: ExprIf, want: Want<'_>) -> Expr {
        let want = match (want, &e.else_branch) {
            // The type may be an alias of `()`; if it isn't, the error message mentions the missing `else`.
            (Want::Value(Some(Type::Path(_))), None) => {
                let span = e.if_token.span();
                let otherwise = self.construct(span, Construct::Otherwise);
                let otherwise = block_expr(None, block(vec![Stmt::Expr(otherwise, None)]));
                let token = Token![else](span);
                e.else_branch = Some((token, Box::new(Expr::Block(otherwise))));
                want
            }
            (_, None) => Want::Nothing,
            (want, Some(_)) => want,
        };
        if let Want::Value(_) = want {
            let mut expr = Expr::If(e);
            lift_ends(&mut expr, self);
            let Expr::If(lifted) = expr else {
                unreachable!("an `if` stays one")
            };
            e = lifted;
        }
        if has_let(&e.cond) {
            return self.if_let(e, want);
        }
        let references = matches!(want, Want::Value(_)) && gives_references(&Expr::If(e.clone()));
        if references || is_bool(&e.cond) {
            return self.rust_if(e, want);
        }
        self.graph_if(e, want)
    }

    /// An `if` whose condition is certainly a `bool`.
    fn rust_if(&mut self, mut e: ExprIf, want: Want<'_>) -> Expr {
        let mut pats = Vec::new();
        let_patterns(&e.cond, &mut pats);
        for mut rename in pats.iter().flat_map(|pat| self.shadows(pat)) {
            rename_behind_lets(&mut e.cond, &mut rename);
            rename.visit_block_mut(&mut e.then_branch);
        }
        self.scopes.push();
        *e.cond = match *e.cond {
            Expr::Let(looked) if is_self(&looked.expr) => {
                self.declare(&looked.pat, Known::Nothing, false);
                Expr::Let(looked)
            }
            other => self.let_condition(other),
        };
        let unset = self.scopes.unset();
        e.then_branch = self.block(e.then_branch, want);
        self.scopes.pop();
        let behind = self.scopes.unset();
        self.scopes.set_unset(&unset);
        e.else_branch = e
            .else_branch
            .map(|(token, other)| (token, Box::new(self.else_expr(*other, want))));
        self.scopes.set_since(&unset, &behind);
        match &*e.cond {
            Expr::Let(looked) if is_self(&looked.expr) => match_of_if_let(&e, looked),
            _ => Expr::If(e),
        }
    }

    /// Collects a branch. Each branch begins with the same variables without a value, so they are restored at its end.
    pub fn branch<R>(&mut self, collect: impl FnOnce(&mut Self) -> R) -> R {
        let unset = self.scopes.unset();
        let collected = collect(self);
        self.scopes.set_unset(&unset);
        collected
    }

    fn else_expr(&mut self, expr: Expr, want: Want<'_>) -> Expr {
        let collected = match expr {
            Expr::If(e) => self.if_expr(e, want),
            Expr::Block(mut e) => {
                e.block = self.block(e.block, want);
                Expr::Block(e)
            }
            other => self.statement(other),
        };
        match collected {
            Expr::If(_) | Expr::Block(_) => collected,
            other => Expr::Block(block_expr(None, block(vec![Stmt::Expr(other, None)]))),
        }
    }

    /// An `if let` chain. Conditions that aren't `let`s are `bool`s; only those behind the last `let` may be a tensor.
    fn if_let(&mut self, e: ExprIf, want: Want<'_>) -> Expr {
        let Some((lets, condition)) = behind_lets(&e.cond) else {
            return self.rust_if(e, want);
        };
        let token = e.if_token;
        let nested = |then: Block| {
            let inner = when(token, condition, then);
            when(token, lets, block(vec![Stmt::Expr(Expr::If(inner), None)]))
        };
        let Some((_, otherwise)) = e.else_branch else {
            return self.if_expr(nested(e.then_branch), want);
        };
        // `if let P = x && c { A } else { B }`  ⇒  `'chain: { if let P = x { if c { break 'chain A } } B }`
        let ident = self.fresh("chain", token.span());
        let label = Self::label(&ident);
        let then = Expr::Block(block_expr(None, e.then_branch));
        let semi = Some(Default::default());
        let (then, last) = match want {
            Want::Nothing => (
                vec![
                    Stmt::Expr(then, None),
                    Stmt::Expr(break_to(&label, None), semi),
                ],
                semi,
            ),
            Want::Value(_) => (vec![Stmt::Expr(break_to(&label, Some(then)), semi)], None),
        };
        let chosen = Stmt::Expr(Expr::If(nested(block(then))), None);
        let stmts = vec![chosen, Stmt::Expr(*otherwise, last)];
        self.labelled_block(block_expr(Some(label), block(stmts)), want)
    }

    /// A condition that contains `let`s.
    fn let_condition(&mut self, condition: Expr) -> Expr {
        match condition {
            Expr::Binary(mut e) if matches!(e.op, BinOp::And(_)) && has_let_binary(&e) => {
                *e.left = self.let_condition(*e.left);
                *e.right = self.let_condition(*e.right);
                Expr::Binary(e)
            }
            Expr::Let(_) => self.expr(condition),
            other => self.condition(other),
        }
    }

    fn graph_if(&mut self, mut e: ExprIf, want: Want<'_>) -> Expr {
        let span = e.if_token.span();
        let chooses = want.is_open() && gives_literals(&Expr::If(e.clone()));
        let exits = activity::exits(|v| syn::visit::Visit::visit_expr_if(v, &e));
        let places = activity::changes(&self.scopes, |v| {
            syn::visit::Visit::visit_block(v, &e.then_branch);
            e.else_branch
                .iter()
                .for_each(|(_, other)| syn::visit::Visit::visit_expr(v, other));
        });
        let never_ends = crate::ends::if_diverges(&e);
        let fails = activity::may_fail(|v| syn::visit::Visit::visit_expr_if(v, &e));
        let otherwise = e.else_branch.as_ref().map(|(_, other)| &**other);
        let unset = self.unset_in(
            &places,
            &[
                Way::Block(&e.then_branch),
                otherwise.map_or(Way::Nothing, Way::Expr),
            ],
        );
        let facts = Facts {
            places,
            unset,
            leaves: !exits.is_empty() || (fails && self.captures == 0),
            never_ends,
        };
        let condition = self.condition(*e.cond);
        let entered = self.enter_branch("if_stmt", span, &exits);
        let flow = entered.flow;
        if chooses {
            choose_end(&mut e.then_branch, flow, &mut self.tree);
            e.else_branch
                .iter_mut()
                .for_each(|(_, other)| choose(other, flow, &mut self.tree));
        }
        let then_branch = self.branch(|collector| collector.block(e.then_branch, want));
        let otherwise = e
            .else_branch
            .map(|(_, other)| self.branch(|collector| collector.else_expr(*other, want)));
        let decides = Decides::If {
            condition,
            then_branch,
            otherwise,
        };
        self.decided(entered, decides, want, facts)
    }

    /// Begins a branching construct.
    pub fn enter_branch(&mut self, name: &'static str, span: Span, exits: &[Exit]) -> Entered {
        let flow = self.flow(name, span, What::Branch);
        let escape = self.escape_kind(exits, span);
        self.enter(flow, Vec::new());
        Entered { flow, span, escape }
    }

    /// Completes a branching construct, given its branches.
    pub fn decided(
        &mut self,
        entered: Entered,
        decides: Decides,
        want: Want<'_>,
        facts: Facts,
    ) -> Expr {
        self.flows.pop();
        let unset = facts.unset;
        let others = facts.places.into_iter();
        let others = others.filter(|p| !unset.iter().any(|u| u.root == p.root));
        let (deferred, state): (Vec<ChangedPlace>, Vec<ChangedPlace>) =
            others.partition(|p| self.is_uninitialized(p));
        let carried = unset.iter().map(unset_variable);
        let carried = carried
            .chain(state.iter().map(|place| self.carried_place(place)))
            .collect();
        let way_out = facts.leaves.then(|| self.way_out());
        for place in &deferred {
            let outside = self.flows.len();
            if let Some(var) = self
                .scopes
                .get_mut(&place.root)
                .filter(|v| outside <= v.depth)
            {
                var.uninitialized = false;
            }
        }
        let branch = Branch {
            flow: entered.flow,
            decides,
            gives: want.gives(),
            carried,
            outputs: deferred.into_iter().map(|place| place.expr).collect(),
            way_out,
            never_ends: facts.never_ends,
            escape: entered.escape,
        };
        self.construct(entered.span, Construct::Branch(branch))
    }

    /// The variables without a value that get none in at least one of the ways.
    pub fn unset_in(&self, places: &[ChangedPlace], ways: &[Way<'_>]) -> Vec<ChangedPlace> {
        let leaves_unset = |place: &ChangedPlace, way: &Way<'_>| {
            let changes = |visit: &dyn Fn(&mut activity::Changes<'_>)| {
                activity::changes(&self.scopes, |v| visit(v))
                    .iter()
                    .any(|p| p.root == place.root)
            };
            match way {
                Way::Nothing => true,
                Way::Block(block) => {
                    !crate::ends::diverges(block)
                        && !changes(&|v| syn::visit::Visit::visit_block(v, block))
                }
                Way::Expr(expr) => {
                    !crate::ends::expr_diverges(expr)
                        && !changes(&|v| syn::visit::Visit::visit_expr(v, expr))
                }
            }
        };
        let unset = places
            .iter()
            .filter(|p| self.is_uninitialized(p) && ways.iter().any(|way| leaves_unset(p, way)));
        unset.cloned().collect()
    }

    /// The variables that a loop changes. One without a value is an error if a tensor decides the loop.
    pub fn loop_variables(&self, places: &[ChangedPlace]) -> Vec<Carried> {
        let (unset, set): (Vec<&ChangedPlace>, Vec<&ChangedPlace>) =
            places.iter().partition(|p| self.is_uninitialized(p));
        let unset = unset.into_iter().map(unset_variable);
        unset
            .chain(set.into_iter().map(|place| self.carried_place(place)))
            .collect()
    }

    /// A place that a construct changes, as a carried variable.
    pub fn carried_place(&self, place: &ChangedPlace) -> Carried {
        let name = place.expr.to_token_stream().to_string().replace(' ', "");
        let how = match (place.how, &place.expr) {
            (How::ByMethod, _) => Carry::Received,
            (How::ByCall, expr) => {
                let called = self.scopes.variable(expr);
                Carry::Called(called.map(|var| var.changes.clone()).unwrap_or_default())
            }
            (How::Pointed, _) => Carry::Pointed,
            (How::Assigned, Expr::Unary(_)) => Carry::Behind,
            (How::Assigned, _) => Carry::Assigned,
        };
        Carried {
            name: name.trim_start_matches('*').to_owned(),
            place: place.expr.clone(),
            how,
        }
    }

    pub fn is_uninitialized(&self, place: &ChangedPlace) -> bool {
        matches!(place.expr, Expr::Path(_))
            && self
                .scopes
                .get(&place.root)
                .is_some_and(|v| v.uninitialized)
    }

    /// The kind of a condition that decides whether loops or blocks around it are left. They need to know this kind.
    pub fn escape_kind(&mut self, exits: &[Exit], span: Span) -> Option<Ident> {
        let first = self.bodies.last().map_or(0, |b| b.flows);
        let mut crossed = Vec::new();
        for exit in exits {
            for around in self.flows[first..].iter().rev() {
                let flow = &self.tree[around.id];
                let has_exits = !matches!(flow.what, What::Branch);
                if has_exits && !crossed.contains(&around.id) {
                    crossed.push(around.id);
                }
                if flow.is_target(exit) {
                    break;
                }
            }
        }
        if crossed.is_empty() {
            return None;
        }
        let kind = self.open_kind(span);
        for flow in crossed {
            self.tree[flow].escapes.push(kind.clone());
        }
        Some(kind)
    }

    /// Adds a flow of the function; its code is collected next.
    pub fn flow(&mut self, name: &'static str, span: Span, what: What) -> FlowId {
        let ident = self.fresh(name, span);
        let label = Self::label(&ident);
        self.tree.flows.push(Flow {
            ident,
            label,
            is_labelled: false,
            what,
            escapes: Vec::new(),
        });
        FlowId(self.tree.flows.len() - 1)
    }

    /// Enters a flow.
    pub fn enter(&mut self, id: FlowId, places: Vec<ChangedPlace>) {
        self.flows.push(Around {
            id,
            places,
            result: None,
        });
    }
}

/// A branching construct that was begun; its branches are collected next.
pub(crate) struct Entered {
    pub flow: FlowId,
    /// The user's location, whose line the errors of a run name.
    span: Span,
    /// The kind of its condition, if loops around need to know it.
    escape: Option<Ident>,
}

/// Facts about the code of a branching construct.
pub(crate) struct Facts {
    /// The places that it may change.
    pub places: Vec<ChangedPlace>,
    /// The places without a value that don't get one in every branch.
    pub unset: Vec<ChangedPlace>,
    /// True if a jump may leave it.
    pub leaves: bool,
    /// True if a jump leaves it in every branch.
    pub never_ends: bool,
}

/// A variable without a value, as a carried variable.
fn unset_variable(place: &ChangedPlace) -> Carried {
    Carried {
        name: place.root.clone(),
        place: place.expr.clone(),
        how: Carry::Unset,
    }
}

/// A way through a branching construct.
pub(crate) enum Way<'a> {
    /// A missing `else`.
    Nothing,
    Block(&'a Block),
    Expr(&'a Expr),
}

/// The parts of a condition up to its last `let` and behind it, if a tensor may decide the second.
pub(super) fn behind_lets(condition: &Expr) -> Option<(Expr, Expr)> {
    let mut operands = chain(condition.clone());
    let last_let = operands.iter().rposition(|o| matches!(o, Expr::Let(_)))?;
    let behind = operands.split_off(last_let + 1);
    match behind.iter().all(is_bool) {
        true => None,
        false => Some((all(operands)?, all(behind)?)),
    }
}

fn is_self(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident("self"))
}

/// `if let P = self { A } else { B }` as `match self { P => A, _ => B }`. For an `if let`, a closure, as the body is, would borrow the variable
/// `self`; for a `match` it borrows what `self` refers to, which lives longer.
fn match_of_if_let(e: &ExprIf, looked: &syn::ExprLet) -> Expr {
    let (pat, value, then) = (&looked.pat, &looked.expr, &e.then_branch);
    let span = e.if_token.span();
    let otherwise = match &e.else_branch {
        Some((_, other)) => quote::quote_spanned!(span=> #other),
        None => quote::quote_spanned!(span=> {}),
    };
    parse_quote_spanned! {span=>
        match #value { #pat => #then, _ => #otherwise }
    }
}
