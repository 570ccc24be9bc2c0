//! `match`. Patterns stay Rust's. If they are integers, booleans, strings and names, the scrutinee may be a tensor; if an arm has a
//! guard, the guard may be one.

use quote::quote;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Arm, Expr, ExprMatch, Lit, Pat, UnOp};

use super::branch::{Facts, Way};
use super::classes::{classes, constant};
use super::conditions::is_bool;
use super::literal::{choose, gives_literals, gives_references, lift_ends};
use super::operator::compares;
use super::{Collector, Want};
use crate::activity;
use crate::scope::Known;
use crate::syntax::{Bound, Classes, Construct, Decides, FlowId, Guard};

impl Collector {
    pub fn match_expr(&mut self, e: ExprMatch, want: Want<'_>) -> Expr {
        let mut expr = Expr::Match(e);
        if let Want::Value(_) = want {
            lift_ends(&mut expr, self);
        }
        let Expr::Match(e) = expr else {
            unreachable!("a `match` stays one")
        };
        if matches!(want, Want::Value(_)) && gives_references(&Expr::Match(e.clone())) {
            return self.rust_match(e, want);
        }
        let classes = classes(&e);
        let guarded = e
            .arms
            .iter()
            .any(|arm| guard(&arm.pat).is_some_and(|g| !is_bool(g)));
        if classes.is_none() && !guarded {
            return self.rust_match(e, want);
        }
        self.graph_match(e, classes, want)
    }

    fn rust_match(&mut self, mut e: ExprMatch, want: Want<'_>) -> Expr {
        *e.expr = self.scrutinee(*e.expr);
        let unset = self.scopes.unset();
        for mut arm in std::mem::take(&mut e.arms) {
            self.scopes.set_unset(&unset);
            self.rename_shadows(&mut arm);
            e.arms
                .push(self.arm(arm, want, |collector, guard| collector.condition(guard)));
        }
        Expr::Match(e)
    }

    /// The scrutinee: a tuple is built from its parts, anything else is used in place.
    fn scrutinee(&mut self, scrutinee: Expr) -> Expr {
        match scrutinee {
            Expr::Tuple(tuple) => {
                self.tuple_of_parts(tuple, |collector, path| match path.path.is_ident("self") {
                    true => collector.taken(path),
                    false => collector.place(Expr::Path(path)),
                })
            }
            other => self.place(other),
        }
    }

    /// The scrutinee of a match on numbers or strings, which is a value. A value behind a reference is only read. `number` is one in the patterns.
    fn matched(&mut self, scrutinee: Expr, number: Option<Lit>) -> Expr {
        let is_looked_at = match &scrutinee {
            Expr::Path(path) => {
                let name = path.path.get_ident();
                let var = name.and_then(|name| self.scopes.get(&name.to_string()));
                var.is_some_and(|var| var.known != Known::Number)
            }
            Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
            Expr::Reference(reference) => reference.mutability.is_none(),
            _ => false,
        };
        if !is_looked_at {
            return self.operand(scrutinee);
        }
        let span = scrutinee.span();
        let number = number.filter(|_| self.may_be_untold(&scrutinee));
        let place = self.place(scrutinee);
        self.construct(span, Construct::Scrutinee { place, number })
    }

    /// True if a use may be what tells the type of the value: it is a variable without a written type.
    fn may_be_untold(&self, value: &Expr) -> bool {
        let Expr::Path(path) = value else {
            return false;
        };
        let name = path.path.get_ident().map(ToString::to_string);
        let var = name.and_then(|name| self.scopes.get(&name));
        var.is_some_and(|var| var.known == Known::Nothing && !var.is_typed)
    }

    /// True if the expression is a variable that is used again after this mention.
    fn is_used_later(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|name| self.liveness.is_used_later(name)),
            _ => false,
        }
    }

    /// The scrutinee when an arm binds it as a whole: plain Rust takes only `Copy` values from behind a reference.
    fn taken_scrutinee(&mut self, scrutinee: Expr) -> Expr {
        match &scrutinee {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                let span = scrutinee.span();
                let place = self.place(scrutinee);
                self.construct(span, Construct::Again(place))
            }
            _ => self.scrutinee(scrutinee),
        }
    }

    /// A tuple scrutinee; `variable` collects the variables in it.
    fn tuple_of_parts(
        &mut self,
        mut tuple: syn::ExprTuple,
        variable: impl Fn(&mut Self, syn::ExprPath) -> Expr,
    ) -> Expr {
        let parts = tuple.elems.into_iter().map(|part| match part {
            Expr::Path(path) => variable(self, path),
            Expr::Field(_) | Expr::Index(_) => self.place(part),
            other => self.value(other, None),
        });
        tuple.elems = parts.collect();
        Expr::Tuple(tuple)
    }

    fn arm(
        &mut self,
        arm: Arm,
        want: Want<'_>,
        collect_guard: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Arm {
        let attrs = arm.attrs.clone();
        self.under(&attrs, |collector| {
            collector.compiled_arm(arm, want, collect_guard)
        })
    }

    fn compiled_arm(
        &mut self,
        mut arm: Arm,
        want: Want<'_>,
        collect_guard: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Arm {
        self.scopes.push();
        self.declare(&arm.pat, Known::Nothing, false);
        if let Pat::Guard(guard) = &mut arm.pat {
            *guard.guard = collect_guard(self, (*guard.guard).clone());
        }
        *arm.body = match want {
            Want::Nothing => self.statement(*arm.body),
            Want::Value(expected) => self.value_or_lift(*arm.body, expected),
        };
        self.scopes.pop();
        if arm.comma.is_none() {
            arm.comma = Some(Default::default());
        }
        arm
    }

    fn graph_match(&mut self, mut e: ExprMatch, classes: Option<Classes>, want: Want<'_>) -> Expr {
        let span = e.match_token.span();
        let chooses = want.is_open() && gives_literals(&Expr::Match(e.clone()));
        let exits = activity::exits(|v| {
            e.arms
                .iter()
                .for_each(|arm| syn::visit::Visit::visit_expr(v, &arm.body))
        });
        let places = activity::changes(&self.scopes, |v| {
            e.arms
                .iter()
                .for_each(|arm| syn::visit::Visit::visit_arm(v, arm))
        });
        let ways: Vec<Way<'_>> = e.arms.iter().map(|arm| Way::Expr(&arm.body)).collect();
        let unset = self.unset_in(&places, &ways);
        let never_ends = crate::ends::match_diverges(&e);
        let fails = activity::may_fail(|v| syn::visit::Visit::visit_expr_match(v, &e));
        let facts = Facts {
            places,
            unset,
            leaves: !exits.is_empty() || (fails && self.captures == 0),
            never_ends,
        };
        // If an arm binds the whole scrutinee, it may be moved, and the next pass needs it again. This is right for a value that the
        // `match` moves in any case, and for a number or tensor, whose drop has no effect.
        let moved = classes.is_none()
            && e.arms.iter().any(names_whole)
            && (e.arms.iter().all(|arm| binding(&arm.pat).is_some())
                || e.arms.iter().any(|arm| is_compared_with_number(&arm.pat))
                || (!self.is_used_later(&e.expr) && binds_whole(&e.arms)));
        // The parts of a tuple are moved into it, and the next pass needs them again.
        let is_tuple = classes.is_none() && matches!(*e.expr, Expr::Tuple(_));
        let scrutinee = match classes {
            _ if is_tuple => *e.expr,
            Some(_) => match *e.expr {
                Expr::Tuple(tuple) => {
                    let parts = tuple.elems.into_iter();
                    let parts = parts.map(|e| self.matched(e, None)).collect();
                    self.construct(span, Construct::Scrutinees(parts))
                }
                other => {
                    let number = e.arms.iter().find_map(|arm| number(&arm.pat));
                    self.matched(other, number)
                }
            },
            None if binds_whole(&e.arms) => self.taken_scrutinee(*e.expr),
            None => self.scrutinee(*e.expr),
        };
        let binds = classes.is_some();
        let entered = self.enter_branch("match_stmt", span, &exits);
        let flow = entered.flow;
        if chooses {
            for arm in &mut e.arms {
                choose(&mut arm.body, flow, &mut self.tree);
            }
        }
        let mut guards = Vec::new();
        let scrutinee = match scrutinee {
            Expr::Path(path) if moved => self.taken(path),
            Expr::Tuple(tuple) if is_tuple => self.tuple_of_parts(tuple, Self::taken),
            other => other,
        };
        let last = e.arms.len().saturating_sub(1);
        let arms = e.arms.into_iter().enumerate();
        let arms: Vec<Arm> = arms
            .map(|(i, arm)| {
                let binds = binds && (i == last || constant(&arm.pat).is_none());
                self.branch(|collector| collector.graph_arm(arm, want, flow, binds, &mut guards))
            })
            .collect();
        let decides = Decides::Match {
            scrutinee,
            classes,
            guards,
            arms,
        };
        self.decided(entered, decides, want, facts)
    }

    fn graph_arm(
        &mut self,
        mut arm: Arm,
        want: Want<'_>,
        flow: FlowId,
        binds: bool,
        guards: &mut Vec<syn::Ident>,
    ) -> Arm {
        self.rename_shadows(&mut arm);
        let span = arm.pat.span();
        let name = binding(&arm.pat).filter(|_| binds);
        let in_body = name.clone().filter(|name| mentions(&arm.body, name));
        let mut arm = self.arm(arm, want, |collector, guard| {
            if is_bool(&guard) {
                return collector.condition(guard);
            }
            let span = guard.span();
            let kind = collector.open_kind(span);
            guards.push(kind.clone());
            let name = name.filter(|name| mentions(&guard, name));
            collector.captures += 1;
            let test = collector.condition(guard);
            collector.captures -= 1;
            let guard = Guard {
                flow,
                kind,
                test,
                name,
            };
            collector.construct(span, Construct::Guard(guard))
        });
        if let Some(name) = in_body {
            let body = *arm.body;
            let bound = Bound { flow, name, body };
            arm.body = Box::new(self.construct(span, Construct::Bound(bound)));
        }
        arm
    }

    /// Renames the variables that an arm binds and that shadow variables of a loop or block around it.
    fn rename_shadows(&mut self, arm: &mut Arm) {
        for mut rename in self.shadows(&arm.pat) {
            rename.visit_arm_mut(arm);
        }
    }
}

/// A number in a pattern, without its sign.
fn number(pat: &Pat) -> Option<Lit> {
    let of_bound = |bound: &Option<Box<Expr>>| match bound.as_deref() {
        Some(Expr::Lit(lit)) => Some(lit.lit.clone()),
        _ => None,
    };
    let lit = match pat {
        Pat::Guard(guard) => number(&guard.pat),
        Pat::Paren(inner) => number(&inner.pat),
        Pat::Or(or) => or.cases.iter().find_map(number),
        Pat::Ident(syn::PatIdent {
            subpat: Some((_, sub)),
            ..
        }) => number(sub),
        Pat::Range(range) => of_bound(&range.start).or_else(|| of_bound(&range.end)),
        Pat::Lit(lit) => Some(lit.lit.clone()),
        _ => None,
    };
    lit.filter(|lit| matches!(lit, Lit::Int(_) | Lit::Float(_)))
}

/// True if the code names the variable.
fn mentions(code: &Expr, name: &syn::Ident) -> bool {
    let names = crate::macros::idents(quote!(#code));
    // A format string may mention it, too.
    names.contains(name) || quote!(#code).to_string().contains(&format!("{{{name}"))
}

fn guard(pat: &Pat) -> Option<&Expr> {
    match pat {
        Pat::Guard(guard) => Some(&guard.guard),
        _ => None,
    }
}

/// True if a guard compares the whole scrutinee, by its name in the arm, with a number: then the scrutinee is a number or a tensor.
fn is_compared_with_number(pat: &Pat) -> bool {
    struct Find(syn::Ident, bool);
    impl<'ast> syn::visit::Visit<'ast> for Find {
        fn visit_expr_binary(&mut self, e: &'ast syn::ExprBinary) {
            let is_name = |side: &Expr| matches!(side, Expr::Path(p) if p.path.is_ident(&self.0));
            let is_number = |side: &Expr| matches!(side, Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_) | Lit::Float(_)));
            let both = |a, b| is_name(a) && is_number(b);
            self.1 |=
                compares(&e.op).is_some() && (both(&e.left, &e.right) || both(&e.right, &e.left));
            syn::visit::visit_expr_binary(self, e);
        }
    }
    let (Some(name), Some(guard)) = (binding(pat), guard(pat)) else {
        return false;
    };
    let mut find = Find(name, false);
    syn::visit::Visit::visit_expr(&mut find, guard);
    find.1
}

/// True if an arm binds the whole scrutinee and uses the name. An unused name may be a constant or an enum variant, which moves nothing;
/// rustc warns about an unused variable, unless its name begins with `_`.
fn names_whole(arm: &Arm) -> bool {
    binding(&arm.pat).is_some_and(|name| {
        name.to_string().starts_with('_')
            || mentions(&arm.body, &name)
            || guard(&arm.pat).is_some_and(|guard| mentions(guard, &name))
    })
}

/// True if one arm takes the whole scrutinee by value, and no arm matches on its contents.
fn binds_whole(arms: &[Arm]) -> bool {
    let is_rest = |pat: &Pat| match pat {
        Pat::Guard(guard) => matches!(*guard.pat, Pat::Wild(_)),
        other => matches!(other, Pat::Wild(_)),
    };
    let binds = |arm: &Arm| binding(&arm.pat).is_some();
    arms.iter().any(names_whole) && arms.iter().all(|arm| binds(arm) || is_rest(&arm.pat))
}

/// The name that an arm gives to the whole scrutinee.
fn binding(pat: &Pat) -> Option<syn::Ident> {
    match pat {
        Pat::Guard(guard) => binding(&guard.pat),
        Pat::Paren(inner) => binding(&inner.pat),
        Pat::Ident(p) if p.by_ref.is_none() => Some(p.ident.clone()),
        _ => None,
    }
}
