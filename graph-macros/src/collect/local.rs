//! `let`: the variables' values, and what the syntax says about the variables.

use syn::{Expr, Ident, Local, Pat, Stmt, Token, Type};

use super::literal::beside_calls;
use super::{Collector, has_infer, repeat};
use crate::scope::{self, Known, Var, bindings, known_type};
use crate::syntax::Construct;

impl Collector {
    pub fn local(&mut self, mut local: Local) -> Vec<Stmt> {
        let annotation = match &local.pat {
            Pat::Type(typed) => Some((*typed.ty).clone()),
            _ => None,
        };
        let mut known = annotation
            .as_ref()
            .map(known_type)
            .unwrap_or(Known::Nothing);
        let settled = settled(&local);
        let mut is_owned_value = false;
        let mut uninitialized = false;
        match local.init.take() {
            Some(mut init) => {
                // A written type may differ from the value's type: a pointer made from a reference.
                if annotation.as_ref().is_none_or(has_infer) {
                    known = self.scopes.known_expr(&init.expr);
                }
                is_owned_value = self.scopes.is_owned_value(&init.expr);
                self.names_closure = matches!(&*init.expr, Expr::Closure(_));
                let expected = annotation.as_ref().filter(|ty| !has_infer(ty));
                let in_place = init.diverge.is_some()
                    || !matches!(strip_type(&local.pat), Pat::Ident(p) if p.by_ref.is_none());
                *init.expr = if in_place && matches!(&*init.expr, Expr::Index(_)) {
                    self.place(*init.expr)
                } else if annotation.is_none() && repeat::may_count_to_tensor(&init.expr) {
                    self.iterable(*init.expr)
                } else {
                    self.value_or_lift(*init.expr, expected)
                };
                if let Some((else_token, diverge)) = init.diverge.take() {
                    init.diverge = Some((else_token, Box::new(self.statement(*diverge))));
                }
                local.init = Some(init);
            }
            None => {
                uninitialized = true;
                // With a tensor condition each branch is traced, so each assigns the variable.
                if let Pat::Ident(p) = strip_type_mut(&mut local.pat) {
                    p.mutability.get_or_insert_with(Default::default);
                }
            }
        }
        // A tuple of literals isn't a tensor, but each part may become one.
        if !matches!(strip_type(&local.pat), Pat::Ident(_)) {
            known = Known::Nothing;
        }
        let shadowed = self.maybe_shadowed(&local);
        self.declare(&local.pat, known, uninitialized);
        if let Pat::Ident(p) = strip_type(&local.pat)
            && let Some(var) = self.scopes.get_mut(&p.ident.to_string())
        {
            var.is_typed = annotation.as_ref().is_some_and(|ty| !has_infer(ty));
            var.is_owned = annotation.as_ref().map_or(is_owned_value, scope::is_owned);
        }
        for (name, outer) in shadowed {
            if let Some(var) = self.scopes.get_mut(&name) {
                var.mutable |= outer.mutable;
                var.known = if var.known == outer.known {
                    outer.known
                } else {
                    Known::Nothing
                };
            }
        }
        let mut stmts = vec![Stmt::Local(local)];
        if let Some((variable, literal)) = settled {
            let span = variable.span();
            let settled = self.construct(span, Construct::Settled { variable, literal });
            stmts.push(Stmt::Expr(settled, Some(Token![;](span))));
        }
        stmts
    }

    /// The variables that a `let` under `cfg` shadows if it is compiled: afterwards, the facts about either variable may hold.
    fn maybe_shadowed(&self, local: &Local) -> Vec<(String, Var)> {
        if !local
            .attrs
            .iter()
            .any(|attribute| attribute.path().is_ident("cfg"))
        {
            return Vec::new();
        }
        let names = bindings(&local.pat)
            .into_iter()
            .map(|(name, _)| name.to_string());
        names
            .filter_map(|name| self.scopes.get(&name).cloned().map(|var| (name, var)))
            .collect()
    }

    /// Declares the names of a pattern.
    pub fn declare(&mut self, pat: &Pat, known: Known, uninitialized: bool) {
        self.declare_in(self.bodies.len(), pat, known, uninitialized);
    }

    /// Declares the names of a parameter; the body is collected next.
    pub fn declare_parameter(&mut self, pat: &Pat, ty: Option<&Type>) {
        let known = ty.map_or(Known::Nothing, known_type);
        self.declare_in(self.bodies.len() + 1, pat, known, false);
        for (name, _) in bindings(pat) {
            if let Some(var) = self.scopes.get_mut(&name.to_string()) {
                var.is_inferred = ty.is_none_or(has_infer);
            }
        }
        if let (Some(ty), Pat::Ident(p)) = (ty, strip_type(pat))
            && let Some(var) = self.scopes.get_mut(&p.ident.to_string())
        {
            var.is_typed = !has_infer(ty);
            var.is_owned = scope::is_owned(ty);
        }
    }

    fn declare_in(&mut self, body: usize, pat: &Pat, known: Known, uninitialized: bool) {
        let depth = self.flows.len();
        for (name, mutable) in bindings(pat) {
            self.scopes.declare(
                &name,
                Var {
                    mutable,
                    known,
                    uninitialized,
                    is_typed: false,
                    is_inferred: false,
                    is_untold: false,
                    is_shared: false,
                    is_owned: false,
                    id: 0,
                    depth,
                    body,
                },
            );
        }
    }
}

/// The variable that a `let` makes, and a literal that it may be, if other ends of the value may have any type. Plain Rust gives it the literal's.
fn settled(local: &Local) -> Option<(Ident, Expr)> {
    let Pat::Ident(variable) = &local.pat else {
        return None;
    };
    let init = local.init.as_ref().filter(|_| local.attrs.is_empty())?;
    let branches = matches!(&*init.expr, Expr::If(_) | Expr::Match(_));
    let literal = beside_calls(&init.expr).filter(|_| branches)?;
    Some((variable.ident.clone(), literal.clone()))
}

fn strip_type(pat: &Pat) -> &Pat {
    match pat {
        Pat::Type(typed) => &typed.pat,
        other => other,
    }
}

fn strip_type_mut(pat: &mut Pat) -> &mut Pat {
    match pat {
        Pat::Type(typed) => &mut typed.pat,
        other => other,
    }
}
