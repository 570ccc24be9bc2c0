//! `let`: the variables' values, and what the syntax says about the variables.

use quote::ToTokens;
use syn::visit::Visit;
use syn::{Expr, Ident, Local, Pat, Stmt, Token, Type};

use super::literal::beside_calls;
use super::{Collector, has_infer, repeat};
use crate::activity::{self, How};
use crate::macros;
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
        let (mut is_told, mut is_alone) = (false, false);
        let mut uninitialized = false;
        let mut changes = Vec::new();
        match local.init.take() {
            Some(mut init) => {
                // A written type may differ from the value's type: a pointer made from a reference.
                if annotation.as_ref().is_none_or(has_infer) {
                    known = self.scopes.known_expr(&init.expr);
                }
                is_owned_value = self.scopes.is_owned_value(&init.expr);
                is_told = self.tells_type(&init.expr);
                is_alone = self.takes_no_mutable_reference(&init.expr);
                if let Expr::Closure(closure) = &*init.expr {
                    self.names_closure = true;
                    changes = self.changed_by(closure);
                }
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
            var.is_typed = annotation.as_ref().map_or(is_told, |ty| !has_infer(ty));
            var.is_owned = annotation.as_ref().map_or(is_owned_value, scope::is_owned);
            (var.is_alone, var.changes) = (is_alone, changes);
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

    /// True for a value that is made without `&mut` references, as far as the syntax says: of variables that hold none and can't change.
    fn takes_no_mutable_reference(&self, value: &Expr) -> bool {
        let is_fixed = |name: &Ident| match self.scopes.get(&name.to_string()) {
            Some(var) => !var.mutable && (var.is_alone || var.known.is_plain()),
            None => name != "mut" && (name != "self" || !self.owns_self),
        };
        macros::idents(value.to_token_stream()).iter().all(is_fixed)
    }

    /// The variables that a closure assigns; if it assigns none, those that its method calls may change.
    fn changed_by(&self, closure: &syn::ExprClosure) -> Vec<Ident> {
        let visit = |v: &mut activity::Changes<'_>| v.visit_expr_closure(closure);
        let places = activity::changes(&self.scopes, visit);
        let named = |how: How| {
            let found = places.iter().filter(|place| place.how == how);
            let mut names: Vec<Ident> = Vec::new();
            for name in found.filter_map(|place| syn::parse_str(&place.root).ok()) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names
        };
        match named(How::Assigned) {
            names if names.is_empty() => named(How::ByMethod),
            names => names,
        }
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
        let is_generic = self.is_generic;
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
            // A type parameter may be a reference.
            var.is_alone = var.is_owned && !is_generic && !mentions_lifetime(ty);
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
                    is_alone: false,
                    changes: Vec::new(),
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

/// True for a type that mentions a lifetime or a reference.
fn mentions_lifetime(ty: &Type) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_lifetime(&mut self, _: &'ast syn::Lifetime) {
            self.0 = true;
        }
        fn visit_type_reference(&mut self, _: &'ast syn::TypeReference) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_type(ty);
    find.0
}
