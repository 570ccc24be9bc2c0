//! Liveness: which mentions of a local variable are followed by another use, that is, on some path from the mention the variable is used
//! before it is assigned. Plain Rust allows such a mention to take the value only if its type is `Copy`; generated code may copy tensors
//! there, and may move values without another use. The walk goes backwards through the syntax, so it visits the code that runs last
//! first, and repeats loops until nothing is added. It may miss a use (after a name is declared anew); it decides nothing for types that
//! are neither `Copy` nor tensors.

mod names;

use std::collections::{HashMap, HashSet};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Arm, BinOp, Block, Expr, ExprClosure, Ident, Local, Pat, Stmt};

use crate::activity::is_assignment;
use crate::macros::{self, Position, position};
use crate::scope::bindings;

use names::{bound_by_lets, first_declarations, hide, named, names, pattern_names, undeclare};

/// The variables that are used later, at one point of the code.
type Live = HashSet<String>;

/// The facts about the mentions in a function.
#[derive(Default)]
pub struct Liveness {
    /// Mentions that are followed by another use.
    later: HashSet<Position>,
    /// Mentions of variables that a closure or a reference may borrow: they must not be moved.
    held: HashSet<Position>,
    /// Mentions of variables that are assigned as a whole somewhere.
    assigned: HashSet<Position>,
    /// Positions of several mentions: a macro has written each with the same token, so nothing distinguishes them.
    repeated: HashSet<Position>,
    /// The variables that are used behind each `while`.
    behind: HashMap<Position, Live>,
    /// Mentions in closures of variables that are also used after the closure, or by another value that lives at the same time.
    shared: HashSet<Position>,
}

impl Liveness {
    pub fn of(block: &Block) -> Liveness {
        let mut walk = Walk::default();
        walk.block(block, &mut Live::new());
        Liveness {
            repeated: repeated(block),
            ..walk.found()
        }
    }

    /// True if the variable is used again after this mention.
    pub fn is_used_later(&self, mention: &Ident) -> bool {
        self.later.contains(&position(mention.span()))
    }

    /// True if nothing needs the value of the variable after this mention.
    pub fn is_last_use(&self, mention: &Ident) -> bool {
        !self.is_used_later(mention) && !self.held.contains(&position(mention.span()))
    }

    /// True if nothing is known to need the value of the variable after this mention: [this](Self::is_last_use), or a mention at the same
    /// position may be the one with another use.
    pub fn may_be_last_use(&self, mention: &Ident) -> bool {
        self.is_last_use(mention) || self.repeated.contains(&position(mention.span()))
    }

    /// True if something other than the closure that contains the mention needs the variable from there on.
    pub fn is_shared(&self, mention: &Ident) -> bool {
        self.shared.contains(&position(mention.span()))
    }

    /// True if a variable of this name is used behind the loop.
    pub fn is_used_behind(&self, looped: &syn::Token![while], name: &str) -> bool {
        let behind = self.behind.get(&position(looped.span));
        behind.is_none_or(|names| names.contains(name))
    }

    /// True if the variable is assigned somewhere, so that a construct may carry it after this mention.
    pub fn is_assigned(&self, mention: &Ident) -> bool {
        self.assigned.contains(&position(mention.span()))
    }
}

/// A loop or labelled block around the code.
struct JumpTarget {
    label: Option<String>,
    is_loop: bool,
    /// The variables that are live at the target of `break`.
    behind: Live,
    /// The variables that are live at the target of `continue`.
    next: Live,
}

#[derive(Default)]
struct Walk {
    behind: HashMap<Position, Live>,
    later: HashSet<Position>,
    shared: HashSet<Position>,
    /// The variables that a closure or a reference may borrow.
    held: Live,
    /// The variables that are assigned.
    assigned: Live,
    /// The mentions of each variable.
    mentions: HashMap<String, HashSet<Position>>,
    jump_targets: Vec<JumpTarget>,
}

impl Walk {
    /// The facts, by the positions of mentions in the source: a name may be changed before it is looked up.
    fn found(self) -> Liveness {
        let mentions = |names: &Live| {
            let found = names.iter().filter_map(|name| self.mentions.get(name));
            found.flatten().copied().collect()
        };
        Liveness {
            held: mentions(&self.held),
            assigned: mentions(&self.assigned),
            later: self.later,
            shared: self.shared,
            behind: self.behind,
            repeated: HashSet::new(),
        }
    }

    /// Code that runs separately, such as a closure: jumps in it don't reach the loops around it.
    fn apart(&mut self, walk: impl FnOnce(&mut Self)) {
        let jump_targets = std::mem::take(&mut self.jump_targets);
        walk(self);
        self.jump_targets = jump_targets;
    }

    fn mention(&mut self, name: &Ident, live: &mut Live) {
        let (text, at) = (name.to_string(), position(name.span()));
        self.mentions.entry(text.clone()).or_default().insert(at);
        if !live.insert(text) {
            self.later.insert(at);
        }
    }

    /// Code whose order of evaluation isn't known: it uses each name in it.
    fn tokens(&mut self, tokens: TokenStream, live: &mut Live) {
        for name in macros::idents(tokens) {
            self.mention(&name, live);
        }
    }

    // ---- blocks ----

    fn block(&mut self, block: &Block, live: &mut Live) {
        let outer = live.clone();
        let first = first_declarations(block);
        first.keys().for_each(|name| {
            live.remove(name);
        });
        for (at, stmt) in block.stmts.iter().enumerate().rev() {
            match stmt {
                Stmt::Local(local) => {
                    for (name, _) in bindings(&local.pat) {
                        let name = name.to_string();
                        live.remove(&name);
                        // Before that declaration, the name refers to a variable outside the block.
                        if first.get(&name) == Some(&at) && outer.contains(&name) {
                            live.insert(name);
                        }
                    }
                    self.local(local, live);
                }
                Stmt::Expr(expr, _) => self.expr(expr, live),
                Stmt::Macro(stmt) => self.invocation(&stmt.mac, live),
                Stmt::Item(syn::Item::Fn(item)) => {
                    self.apart(|walk| walk.block(&item.block, &mut Live::new()));
                }
                Stmt::Item(_) => {}
            }
        }
    }

    fn local(&mut self, local: &Local, live: &mut Live) {
        let Some(init) = &local.init else { return };
        if let Some((_, diverge)) = &init.diverge {
            let mut other = Live::new();
            self.expr(diverge, &mut other);
            live.extend(other);
        }
        self.hold_borrowed(&init.expr);
        self.expr(&init.expr, live);
    }

    /// `let r = &x`: while `r` lives, `x` can't be moved.
    fn hold_borrowed(&mut self, init: &Expr) {
        if let Expr::Reference(reference) = init {
            let names = macros::idents(reference.expr.to_token_stream());
            let names = names.iter().map(|name| name.to_string());
            self.held.extend(names);
        }
    }

    // ---- expressions ----

    fn expr(&mut self, expr: &Expr, live: &mut Live) {
        match expr {
            Expr::Path(path) => {
                if let Some(name) = path.path.get_ident() {
                    self.mention(name, live);
                }
            }
            Expr::Assign(e) => self.assign(&e.left, &e.right, live),
            Expr::Binary(e) => self.binary(e, live),
            Expr::If(e) => {
                let mut otherwise = live.clone();
                if let Some((_, other)) = &e.else_branch {
                    self.expr(other, &mut otherwise);
                }
                let mut bound = Vec::new();
                bound_by_lets(&e.cond, &mut bound);
                let outer = hide(&bound, live);
                let outer: Live = outer.union(&named(&bound, &otherwise)).cloned().collect();
                self.block(&e.then_branch, live);
                live.extend(otherwise);
                self.expr(&e.cond, live);
                live.extend(outer);
            }
            Expr::Let(e) => {
                undeclare(&e.pat, live);
                self.expr(&e.expr, live);
            }
            Expr::Match(e) => {
                let behind = std::mem::take(live);
                for arm in &e.arms {
                    self.arm(arm, &behind, live);
                }
                self.expr(&e.expr, live);
            }
            Expr::While(e) => {
                let behind = self.behind.entry(position(e.while_token.span));
                behind.or_default().extend(live.iter().cloned());
                self.looped(&e.label, live, |walk, next, behind| {
                    walk.block(&e.body, next);
                    next.extend(behind.iter().cloned());
                    walk.expr(&e.cond, next);
                });
            }
            Expr::Loop(e) => self.looped(&e.label, live, |walk, next, _| {
                walk.block(&e.body, next);
            }),
            Expr::ForLoop(e) => {
                let bound = pattern_names(&e.pat);
                self.looped(&e.label, live, |walk, next, behind| {
                    let outer = hide(&bound, next);
                    walk.block(&e.body, next);
                    undeclare(&e.pat, next);
                    next.extend(outer);
                    next.extend(behind.iter().cloned());
                });
                self.expr(&e.expr, live);
            }
            Expr::Block(e) => {
                if let Some(label) = &e.label {
                    self.jump_targets.push(JumpTarget {
                        label: Some(label.name.ident.to_string()),
                        is_loop: false,
                        behind: live.clone(),
                        next: Live::new(),
                    });
                }
                self.block(&e.block, live);
                if e.label.is_some() {
                    self.jump_targets.pop();
                }
            }
            Expr::Unsafe(e) => self.block(&e.block, live),
            Expr::Return(e) => {
                live.clear();
                e.expr.iter().for_each(|value| self.expr(value, live));
            }
            Expr::Break(e) => {
                *live = self
                    .jump_target(&e.label)
                    .map_or_else(Live::new, |f| f.behind.clone());
                e.expr.iter().for_each(|value| self.expr(value, live));
            }
            Expr::Continue(e) => {
                *live = self
                    .jump_target(&e.label)
                    .map_or_else(Live::new, |f| f.next.clone());
            }
            Expr::Closure(e) => self.closure(e, live),
            Expr::MethodCall(e) => {
                // The receiver may be borrowed while the arguments are computed.
                self.sequence([&*e.receiver].into_iter().chain(&e.args), live, 1);
            }
            Expr::Call(e) => {
                self.sequence(&e.args, live, 0);
                self.expr(&e.func, live);
            }
            Expr::Tuple(e) => self.sequence(&e.elems, live, 0),
            Expr::Array(e) => self.sequence(&e.elems, live, 0),
            Expr::Struct(e) => {
                e.rest.iter().for_each(|rest| self.expr(rest, live));
                let values: Vec<&Expr> = e.fields.iter().map(|f| &f.expr).collect();
                self.sequence(values, live, 0);
            }
            Expr::Index(e) => {
                self.expr(&e.index, live);
                self.expr(&e.expr, live);
            }
            Expr::Range(e) => {
                e.end.iter().for_each(|end| self.expr(end, live));
                e.start.iter().for_each(|start| self.expr(start, live));
            }
            Expr::Repeat(e) => {
                // The value is copied, so its variable stays.
                live.extend(names(&e.expr));
                self.expr(&e.expr, live);
            }
            Expr::Macro(e) => self.invocation(&e.mac, live),
            Expr::Paren(e) => self.expr(&e.expr, live),
            Expr::Group(e) => self.expr(&e.expr, live),
            Expr::Field(e) => self.expr(&e.base, live),
            Expr::Unary(e) => self.expr(&e.expr, live),
            Expr::Cast(e) => self.expr(&e.expr, live),
            Expr::Reference(e) => self.expr(&e.expr, live),
            Expr::Try(e) => self.expr(&e.expr, live),
            other => self.tokens(other.to_token_stream(), live),
        }
    }

    /// Expressions that are evaluated one after the other: an expression may hold its borrows while the next ones run. The first
    /// `receivers` of them borrow the variables that they name.
    fn sequence<'e>(
        &mut self,
        exprs: impl IntoIterator<Item = &'e Expr>,
        live: &mut Live,
        receivers: usize,
    ) {
        let exprs: Vec<&Expr> = exprs.into_iter().collect();
        for (at, expr) in exprs.iter().enumerate().rev() {
            let borrows = |(n, e): &(usize, &&Expr)| {
                *n < receivers || matches!(e, Expr::Reference(_) | Expr::Closure(_))
            };
            let before = exprs[..at].iter().enumerate().filter(borrows);
            let held = before.flat_map(|(_, e)| names(e)).collect();
            self.holding(held, expr, live);
        }
    }

    /// An expression that runs while something borrows the variables `held`.
    fn holding(&mut self, mut held: Live, expr: &Expr, live: &mut Live) {
        held.retain(|name| !live.contains(name));
        live.extend(held.iter().cloned());
        self.expr(expr, live);
        let named: Live = names(expr).collect();
        live.retain(|name| !held.contains(name) || named.contains(name));
    }

    fn assign(&mut self, left: &Expr, right: &Expr, live: &mut Live) {
        self.target(left, live);
        self.expr(right, live);
    }

    /// The target of an assignment. A variable that is assigned as a whole doesn't need its old value; for any other target only a part
    /// is assigned.
    fn target(&mut self, target: &Expr, live: &mut Live) {
        match target {
            Expr::Path(path) => {
                if let Some(name) = path.path.get_ident() {
                    live.remove(&name.to_string());
                    self.assigned.insert(name.to_string());
                }
            }
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|e| self.target(e, live)),
            Expr::Paren(inner) => self.target(&inner.expr, live),
            other => self.expr(other, live),
        }
    }

    fn binary(&mut self, e: &syn::ExprBinary, live: &mut Live) {
        match e.op {
            op if is_assignment(&op) => {
                self.expr(&e.left, live);
                self.expr(&e.right, live);
            }
            // The right side may not run.
            BinOp::And(_) | BinOp::Or(_) => {
                let without = live.clone();
                self.expr(&e.right, live);
                live.extend(without);
                self.expr(&e.left, live);
            }
            BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_)
            | BinOp::Eq(_)
            | BinOp::Ne(_) => {
                // The left side is borrowed while the right side runs.
                self.holding(names(&e.left).collect(), &e.right, live);
                self.expr(&e.left, live);
            }
            _ => {
                self.expr(&e.right, live);
                self.expr(&e.left, live);
            }
        }
    }

    fn arm(&mut self, arm: &Arm, behind: &Live, live: &mut Live) {
        let mut own = behind.clone();
        let outer = hide(&pattern_names(&arm.pat), &mut own);
        self.expr(&arm.body, &mut own);
        if let Pat::Guard(guard) = &arm.pat {
            // The next arms may run after the guard, and the variables that it reads are bound after it.
            own.extend(live.iter().cloned());
            let bound = crate::scope::bindings(&arm.pat).into_iter();
            own.extend(bound.map(|(name, _)| name.to_string()));
            self.expr(&guard.guard, &mut own);
        }
        undeclare(&arm.pat, &mut own);
        live.extend(own);
        live.extend(outer);
    }

    /// A loop: `pass` goes backwards through one iteration, from the variables that are live where the next one begins to those that are
    /// live where this one begins.
    fn looped(
        &mut self,
        label: &Option<syn::Label>,
        live: &mut Live,
        pass: impl Fn(&mut Self, &mut Live, &Live),
    ) {
        let behind = std::mem::take(live);
        loop {
            self.jump_targets.push(JumpTarget {
                label: label.as_ref().map(|l| l.name.ident.to_string()),
                is_loop: true,
                behind: behind.clone(),
                next: live.clone(),
            });
            let mut begin = live.clone();
            pass(self, &mut begin, &behind);
            self.jump_targets.pop();
            let before = live.len();
            live.extend(begin);
            if live.len() == before {
                return;
            }
        }
    }

    fn jump_target(&self, label: &Option<syn::Lifetime>) -> Option<&JumpTarget> {
        let label = label.as_ref().map(|l| l.ident.to_string());
        self.jump_targets.iter().rev().find(|target| match &label {
            Some(_) => target.label == label,
            None => target.is_loop,
        })
    }

    /// A closure is a body of its own, and may be called again: no use of a captured variable in it is the last one.
    fn closure(&mut self, closure: &ExprClosure, live: &mut Live) {
        let mut own: Live = names(&closure.body).collect();
        let mentions = macros::idents(closure.body.to_token_stream()).into_iter();
        let shared = mentions.filter(|name| live.contains(&name.to_string()));
        self.shared.extend(shared.map(|name| position(name.span())));
        closure
            .inputs
            .iter()
            .for_each(|pat| undeclare(pat, &mut own));
        self.held.extend(own.iter().cloned());
        live.extend(own.iter().cloned());
        self.apart(|walk| walk.expr(&closure.body, &mut own));
    }

    fn invocation(&mut self, mac: &syn::Macro, live: &mut Live) {
        match macros::arguments(mac) {
            Some(arguments) => {
                // Names in a format string are uses, too, and the arguments are borrowed at the same time.
                let mut mentioned = HashMap::new();
                macros::mentions(mac.tokens.clone(), &mut mentioned);
                if macros::name(mac) != "vec" {
                    live.extend(mentioned.into_keys());
                }
                arguments
                    .values
                    .iter()
                    .rev()
                    .for_each(|e| self.expr(e, live));
            }
            None => self.tokens(mac.tokens.clone(), live),
        }
    }
}

/// The positions at which a block has several names.
fn repeated(block: &Block) -> HashSet<Position> {
    let mut seen = HashSet::new();
    let names = macros::idents(block.to_token_stream()).into_iter();
    let positions = names.map(|name| position(name.span()));
    positions.filter(|at| !seen.insert(*at)).collect()
}
