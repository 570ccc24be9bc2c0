//! What the syntax of a condition says: its `let`s, and whether it can only be a `bool`.

use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, UnOp};

use super::classes::of_matches;
use crate::macros;
use crate::rename::Rename;

/// The patterns of the `let`s of a condition.
pub(super) fn let_patterns(condition: &Expr, pats: &mut Vec<syn::Pat>) {
    match condition {
        Expr::Let(e) => pats.push((*e.pat).clone()),
        Expr::Binary(e) if matches!(e.op, BinOp::And(_)) => {
            let_patterns(&e.left, pats);
            let_patterns(&e.right, pats);
        }
        _ => {}
    }
}

/// Renames a variable from the `let` that binds it on; returns whether such a `let` was found.
pub(super) fn rename_behind_lets(condition: &mut Expr, rename: &mut Rename) -> bool {
    match condition {
        Expr::Let(e) => {
            let before = e.pat.to_token_stream().to_string();
            rename.visit_pat_mut(&mut e.pat);
            before != e.pat.to_token_stream().to_string()
        }
        Expr::Binary(e) if matches!(e.op, BinOp::And(_)) => {
            if rename_behind_lets(&mut e.left, rename) {
                rename.visit_expr_mut(&mut e.right);
                return true;
            }
            rename_behind_lets(&mut e.right, rename)
        }
        _ => false,
    }
}

/// The operands of a chain of `&&`.
pub(super) fn chain(condition: Expr) -> Vec<Expr> {
    match condition {
        Expr::Binary(e) if matches!(e.op, BinOp::And(_)) && has_let_binary(&e) => {
            let mut operands = chain(*e.left);
            operands.extend(chain(*e.right));
            operands
        }
        other => vec![other],
    }
}

pub(super) fn has_let_binary(e: &syn::ExprBinary) -> bool {
    has_let(&e.left) || has_let(&e.right)
}

/// True if the condition is a `let`, or a chain with one.
pub(super) fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(e) if matches!(e.op, BinOp::And(_)) => has_let_binary(e),
        _ => false,
    }
}

/// True if the condition is a `bool` whatever the types.
pub(super) fn is_bool(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Lit(lit) => matches!(lit.lit, syn::Lit::Bool(_)),
        Expr::Paren(e) => is_bool(&e.expr),
        Expr::Unary(e) => matches!(e.op, UnOp::Not(_)) && is_bool(&e.expr),
        Expr::Binary(e) if matches!(e.op, BinOp::And(_) | BinOp::Or(_)) => {
            is_bool(&e.left) && is_bool(&e.right)
        }
        Expr::Macro(e) => match macros::name(&e.mac).as_str() {
            "matches" => of_matches(&e.mac).is_none(),
            name => name == "cfg",
        },
        _ => false,
    }
}
