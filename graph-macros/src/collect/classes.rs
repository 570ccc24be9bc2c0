//! The values that the patterns of a `match` cover, if they are numbers, truth values, strings and names: then the scrutinee may be a
//! tensor, and the runtime divides its values into classes that every pattern treats alike.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Arm, Expr, ExprMatch, Lit, LitStr, Macro, Pat, RangeLimits, UnOp};

use crate::macros;
use crate::syntax::Classes;

/// The values that the arms of a `match` cover, if the scrutinee may be a tensor.
pub(super) fn classes(e: &ExprMatch) -> Option<Classes> {
    let numbers = of_numbers(&e.arms).or_else(|| of_tuples(e));
    numbers.map(Classes::Numbers).or_else(|| of_texts(&e.arms))
}

/// `matches!` as a `match` whose value is a truth value, if the scrutinee may be a tensor.
pub(super) fn of_matches(mac: &Macro) -> Option<ExprMatch> {
    let (scrutinee, pattern) = macros::matches_arguments(mac)?;
    let e: ExprMatch =
        syn::parse2(quote!(match #scrutinee { #pattern => true, _ => false })).ok()?;
    classes(&e).map(|_| e)
}

/// The classes for patterns that are strings.
fn of_texts(arms: &[Arm]) -> Option<Classes> {
    let mut texts = Vec::new();
    let last = arms.len().saturating_sub(1);
    let covered: Option<Vec<TokenStream>> = arms
        .iter()
        .enumerate()
        .map(|(i, arm)| {
            let named = constant(&arm.pat).filter(|_| i < last);
            let mut ranges = Vec::new();
            texts_of(&arm.pat, &mut texts, &mut ranges).filter(|()| named.is_none())?;
            Some(quote!(&[#(#ranges),*]))
        })
        .collect();
    let covered = covered.filter(|_| !texts.is_empty())?;
    // A string longer than all of them, so that it equals none.
    let other: String = texts
        .iter()
        .map(LitStr::value)
        .chain(["?".to_owned()])
        .collect();
    Some(Classes::Texts(texts, other, quote!(&[#(#covered),*])))
}

fn texts_of(pat: &Pat, texts: &mut Vec<LitStr>, ranges: &mut Vec<TokenStream>) -> Option<()> {
    match pat {
        Pat::Guard(guard) => texts_of(&guard.pat, texts, ranges),
        Pat::Paren(inner) => texts_of(&inner.pat, texts, ranges),
        Pat::Or(or) => or.cases.iter().try_for_each(|case| {
            texts_of(case, texts, ranges).filter(|()| constant(case).is_none())
        }),
        Pat::Ident(p) if p.by_ref.is_some() => None,
        Pat::Ident(syn::PatIdent {
            subpat: Some((_, sub)),
            ..
        }) => texts_of(sub, texts, ranges),
        Pat::Wild(_) | Pat::Ident(_) => {
            ranges.push(quote!((i128::MIN, i128::MAX)));
            Some(())
        }
        Pat::Lit(syn::PatLit {
            lit: Lit::Str(text),
            ..
        }) => {
            let known = texts.iter().position(|t| t.value() == text.value());
            let at = known.unwrap_or_else(|| {
                texts.push(text.clone());
                texts.len() - 1
            });
            let at = proc_macro2::Literal::i128_suffixed(at as i128);
            ranges.push(exactly(quote!(#at)));
            Some(())
        }
        _ => None,
    }
}

/// The values that each arm covers, if all patterns are integers, booleans, ranges of integers, names and `_`, and at least one is a
/// number or truth value: then all patterns have such a type, including constants.
fn of_numbers(arms: &[Arm]) -> Option<TokenStream> {
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

/// The classes for a tuple of such values with patterns that are tuples of literals, ranges and `_`: one list of arms per position.
fn of_tuples(e: &ExprMatch) -> Option<TokenStream> {
    let Expr::Tuple(scrutinee) = &*e.expr else {
        return None;
    };
    let positions = scrutinee.elems.len();
    if !(2..=4).contains(&positions) {
        return None;
    }
    let mut literals = vec![false; positions];
    let mut arms: Vec<Vec<TokenStream>> = vec![Vec::new(); positions];
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
    // At a position without a literal the value may have any type, and only Rust can match it.
    literals
        .iter()
        .all(|l| *l)
        .then(|| quote!(#(&[#(#arms),*]),*))
}

/// A pattern that is only a name and is a constant. A variable would match everything, so where other arms or alternatives follow, the
/// name is a constant.
pub(super) fn constant(pat: &Pat) -> Option<&syn::Ident> {
    match pat {
        Pat::Paren(inner) => constant(&inner.pat),
        Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
            Some(&p.ident)
        }
        _ => None,
    }
}

/// The range of one value.
fn exactly(value: TokenStream) -> TokenStream {
    quote!((#value, #value))
}

/// Adds the inclusive ranges that a pattern covers; returns whether it contains a literal, or `None` for any other pattern.
fn ranges_of(pat: &Pat, ranges: &mut Vec<TokenStream>) -> Option<bool> {
    let mut add = |low: TokenStream, high: TokenStream| ranges.push(quote!((#low, #high)));
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

/// A bound that is a number, as an `i128`. A path in a pattern with numbers is a constant number.
fn bound(expr: &Expr) -> Option<TokenStream> {
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
