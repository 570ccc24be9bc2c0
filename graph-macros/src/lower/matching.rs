//! `match`. Patterns stay Rust's. Where they are integers, booleans and names, the scrutinee may be a tensor; where an arm has a
//! guard, the guard may be.

use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Arm, Expr, ExprMatch, Lit, Pat, RangeLimits, UnOp};

use super::branch::{Replayed, Way, is_bool};
use super::literal::{choose, gives_literals, gives_references, lift_ends};
use super::operator::compares;
use super::{Lower, Want, What};
use crate::activity;
use crate::scope::Known;

impl Lower {
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
        let classes = classes(&e.arms).or_else(|| tuple_classes(&e));
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
        e.arms = e
            .arms
            .into_iter()
            .map(|arm| self.arm(arm, want, |lower, guard| lower.condition(guard)))
            .collect();
        Expr::Match(e)
    }

    /// A tuple of comparisons is built; anything else is looked at in place.
    fn scrutinee(&mut self, scrutinee: Expr) -> Expr {
        match scrutinee {
            Expr::Tuple(tuple) => {
                self.tuple_of_parts(tuple, |lower, path| match path.path.is_ident("self") {
                    true => lower.taken(path),
                    false => lower.place(Expr::Path(path)),
                })
            }
            other => self.place(other),
        }
    }

    /// A tuple to match; variables in it are taken as `variable` does.
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
        mut arm: Arm,
        want: Want<'_>,
        lower_guard: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Arm {
        for mut rename in self.shadows(&arm.pat) {
            rename.visit_arm_mut(&mut arm);
        }
        self.scopes.push();
        self.declare(&arm.pat, Known::Nothing, false);
        if let Pat::Guard(guard) = &mut arm.pat {
            *guard.guard = lower_guard(self, (*guard.guard).clone());
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

    fn graph_match(
        &mut self,
        mut e: ExprMatch,
        classes: Option<proc_macro2::TokenStream>,
        want: Want<'_>,
    ) -> Expr {
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
        // Where an arm gives the whole a name, it may be moved; and the next pass needs it, too. It must be one that is moved in any case, or
        // that nothing happens to when it is dropped.
        let moved = classes.is_none()
            && (e.arms.iter().all(|arm| binding(&arm.pat).is_some())
                || self.scopes.known_expr(&e.expr) == Known::Tensor
                || e.arms.iter().any(|arm| is_compared_with_number(&arm.pat)));
        // The parts of a tuple are moved into it, and the next pass needs them, too.
        let is_tuple = classes.is_none() && matches!(*e.expr, Expr::Tuple(_));
        let scrutinee = match classes {
            _ if is_tuple => *e.expr,
            Some(_) => match *e.expr {
                Expr::Tuple(tuple) => {
                    let name = ["Two", "Three", "Four"][tuple.elems.len() - 2];
                    let name = syn::Ident::new(name, span);
                    let parts: Vec<Expr> =
                        tuple.elems.into_iter().map(|e| self.operand(e)).collect();
                    code!(span=> ag__::#name(#(#parts),*))
                }
                other => self.operand(other),
            },
            None => self.scrutinee(*e.expr),
        };
        let binds = classes.is_some();
        let ident = self.fresh("match_stmt", span);
        if chooses {
            e.arms
                .iter_mut()
                .for_each(|arm| choose(&mut arm.body, &ident));
        }
        let mut kinds = Vec::new();
        let escape = self.escape_kind(&exits, span);
        self.enter(ident.clone(), What::Branch, Vec::new());
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
                self.graph_arm(arm, want, &ident, binds, &mut kinds)
            })
            .collect();
        let region = self.regions.pop().expect("entered above");
        let kinds = kinds
            .iter()
            .rev()
            .fold(quote!(()), |rest, kind| quote!((&#kind, #rest)));
        let of = escape.map(|kind| quote_spanned!(span=> .of(&#kind)));
        let (begin, matched) = match classes {
            Some(classes) => (
                quote_spanned!(span=> ag__::match_stmt(#scrutinee, &[#classes], #kinds)#of),
                quote_spanned!(span=> #ident.value()),
            ),
            None => (
                quote_spanned!(span=> ag__::match_guards(#kinds)#of),
                quote_spanned!(span=> #scrutinee),
            ),
        };
        let code = quote_spanned!(span=> match #matched { #(#arms)* });
        self.replayed(Replayed {
            region,
            begin,
            code,
            want,
            places,
            unset,
            leaves: !exits.is_empty(),
            keeps_temporaries: true,
        })
    }

    fn graph_arm(
        &mut self,
        arm: Arm,
        want: Want<'_>,
        ident: &syn::Ident,
        binds: bool,
        kinds: &mut Vec<syn::Ident>,
    ) -> Arm {
        let span = arm.pat.span();
        let name = if binds { binding(&arm.pat) } else { None };
        let bind = name
            .as_ref()
            .map(|name| quote_spanned!(span=> let #name = #ident.bind(#name);));
        let mut arm = self.arm(arm, want, |lower, guard| {
            if is_bool(&guard) {
                return lower.condition(guard);
            }
            let span = guard.span();
            let kind = lower.fresh("kind", span);
            if let Some(body) = lower.bodies.last_mut() {
                body.kinds.push(kind.clone());
            }
            kinds.push(kind.clone());
            let bind = bind.as_ref().filter(|_| mentions(&guard, &name));
            lower.captures += 1;
            let guard = lower.condition(guard);
            lower.captures -= 1;
            match bind {
                Some(bind) => code!(span=> { #bind #ident.test(&#kind, || #guard) }),
                None => code!(span=> #ident.test(&#kind, || #guard)),
            }
        });
        if let Some(bind) = bind.as_ref().filter(|_| mentions(&arm.body, &name)) {
            let body = &arm.body;
            arm.body = Box::new(code!(span=> { #bind #body }));
        }
        arm
    }
}

/// True if the code names the variable.
fn mentions(code: &Expr, name: &Option<syn::Ident>) -> bool {
    let names = crate::macros::idents(quote!(#code));
    // A format string may name it, too.
    let text = quote!(#code).to_string();
    name.as_ref()
        .is_some_and(|name| names.contains(name) || text.contains(&format!("{{{name}")))
}

fn guard(pat: &Pat) -> Option<&Expr> {
    match pat {
        Pat::Guard(guard) => Some(&guard.guard),
        _ => None,
    }
}

/// True if a guard compares the whole, by the name that the arm gives it, with a number: it is a number then, or a tensor.
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

/// The name that an arm gives to the whole scrutinee.
fn binding(pat: &Pat) -> Option<syn::Ident> {
    match pat {
        Pat::Guard(guard) => binding(&guard.pat),
        Pat::Paren(inner) => binding(&inner.pat),
        Pat::Ident(p) if p.by_ref.is_none() => Some(p.ident.clone()),
        _ => None,
    }
}

/// The values that each arm covers, if all patterns are integers, booleans, ranges of integers, names and `_`, and at least one is a
/// number or truth value: then all of them are of such a type, constants included.
fn classes(arms: &[Arm]) -> Option<proc_macro2::TokenStream> {
    let mut literals = false;
    let last = arms.len().saturating_sub(1);
    let arms: Option<Vec<_>> = arms
        .iter()
        .enumerate()
        .map(|(i, arm)| {
            let mut ranges = Vec::new();
            match constant(&arm.pat).filter(|_| i < last) {
                Some(name) => ranges.push(exactly(quote!((#name as i128)))),
                None => literals |= ranges_of(&arm.pat, &mut ranges)?,
            }
            Some(quote!(&[#(#ranges),*]))
        })
        .collect();
    literals.then_some(())?;
    arms.map(|arms| quote!(&[#(#arms),*]))
}

/// The same for a tuple of such values matched by tuples of literals, ranges and `_`: one list of arms per position.
fn tuple_classes(e: &ExprMatch) -> Option<proc_macro2::TokenStream> {
    let Expr::Tuple(scrutinee) = &*e.expr else {
        return None;
    };
    let positions = scrutinee.elems.len();
    if !(2..=4).contains(&positions) {
        return None;
    }
    let mut literals = vec![false; positions];
    let mut arms: Vec<Vec<proc_macro2::TokenStream>> = vec![Vec::new(); positions];
    for arm in &e.arms {
        let pat = match &arm.pat {
            Pat::Guard(guard) => &guard.pat,
            other => other,
        };
        for (i, arms) in arms.iter_mut().enumerate() {
            let mut ranges = Vec::new();
            match pat {
                Pat::Wild(_) => ranges.push(quote!((i128::MIN, i128::MAX))),
                Pat::Tuple(tuple)
                    if tuple.elems.len() == positions
                        && !matches!(tuple.elems[i], Pat::Ident(_)) =>
                {
                    literals[i] |= ranges_of(&tuple.elems[i], &mut ranges)?;
                }
                _ => return None,
            }
            arms.push(quote!(&[#(#ranges),*]));
        }
    }
    // A position without a literal may hold anything, which only Rust can match.
    literals
        .iter()
        .all(|l| *l)
        .then(|| quote!(#(&[#(#arms),*]),*))
}

/// A lone name. As a variable it would match everything, so where other arms or alternatives follow, it is a constant.
fn constant(pat: &Pat) -> Option<&syn::Ident> {
    match pat {
        Pat::Paren(inner) => constant(&inner.pat),
        Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
            Some(&p.ident)
        }
        _ => None,
    }
}

/// The range of one value.
fn exactly(value: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    quote!((#value, #value))
}

/// Adds the inclusive ranges that a pattern covers; says whether there was a literal. `None` for any other pattern.
fn ranges_of(pat: &Pat, ranges: &mut Vec<proc_macro2::TokenStream>) -> Option<bool> {
    let mut add = |low: proc_macro2::TokenStream, high: proc_macro2::TokenStream| {
        ranges.push(quote!((#low, #high)))
    };
    match pat {
        Pat::Guard(guard) => ranges_of(&guard.pat, ranges),
        Pat::Paren(inner) => ranges_of(&inner.pat, ranges),
        Pat::Or(or) => {
            let mut literals = false;
            for case in &or.cases {
                match constant(case) {
                    Some(name) => ranges.push(exactly(quote!((#name as i128)))),
                    None => literals |= ranges_of(case, ranges)?,
                }
            }
            Some(literals)
        }
        Pat::Wild(_) => {
            add(quote!(i128::MIN), quote!(i128::MAX));
            Some(false)
        }
        Pat::Ident(p) if p.by_ref.is_none() => match &p.subpat {
            None => {
                add(quote!(i128::MIN), quote!(i128::MAX));
                Some(false)
            }
            Some((_, sub)) => ranges_of(sub, ranges),
        },
        Pat::Lit(lit) => {
            ranges.push(exactly(bound(&Expr::Lit(lit.clone()))?));
            Some(true)
        }
        Pat::Path(path) => {
            ranges.push(exactly(bound(&Expr::Path(path.clone()))?));
            Some(false)
        }
        Pat::Range(range) => {
            let low = match &range.start {
                Some(start) => bound(start)?,
                None => quote!(i128::MIN),
            };
            let high = match (&range.end, &range.limits) {
                (Some(end), RangeLimits::Closed(_)) => bound(end)?,
                (Some(end), RangeLimits::HalfOpen(_)) => {
                    let end = bound(end)?;
                    quote!((#end - 1))
                }
                (None, _) => quote!(i128::MAX),
            };
            add(low, high);
            Some(
                [&range.start, &range.end]
                    .into_iter()
                    .flatten()
                    .any(|e| !matches!(**e, Expr::Path(_))),
            )
        }
        _ => None,
    }
}

/// A bound that is a number, as an `i128`. A path beside numbers is the name of one.
fn bound(expr: &Expr) -> Option<proc_macro2::TokenStream> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) => {
                let value: i128 = int.base10_parse().ok()?;
                let literal = proc_macro2::Literal::i128_suffixed(value);
                Some(quote!(#literal))
            }
            Lit::Bool(b) => Some(if b.value {
                quote!(1i128)
            } else {
                quote!(0i128)
            }),
            _ => None,
        },
        Expr::Path(path) => Some(quote!((#path as i128))),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            let inner = bound(&unary.expr)?;
            Some(quote!((-#inner)))
        }
        _ => None,
    }
}
