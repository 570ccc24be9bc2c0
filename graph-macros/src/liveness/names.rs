//! Sets of names: those that code mentions, that patterns bind, and that shadow others. The walk of [`Liveness`](super::Liveness) uses
//! them.

use std::collections::HashMap;

use quote::ToTokens;
use syn::{Block, Expr, Pat, Stmt};

use super::Live;
use crate::macros;
use crate::scope::bindings;

/// The names among an expression's tokens.
pub fn names(expr: &Expr) -> impl Iterator<Item = String> + use<> {
    let names = macros::idents(expr.to_token_stream());
    names.into_iter().map(|name| name.to_string())
}

/// Removes the names that a pattern binds: after it, they are other variables.
pub fn undeclare(pat: &Pat, live: &mut Live) {
    for (name, _) in bindings(pat) {
        live.remove(&name.to_string());
    }
}

pub fn pattern_names(pat: &Pat) -> Vec<String> {
    let names = bindings(pat).into_iter();
    names.map(|(name, _)| name.to_string()).collect()
}

/// The names that the `let`s of a condition bind.
pub fn bound_by_lets(condition: &Expr, bound: &mut Vec<String>) {
    match condition {
        Expr::Let(e) => bound.extend(pattern_names(&e.pat)),
        Expr::Binary(e) => {
            bound_by_lets(&e.left, bound);
            bound_by_lets(&e.right, bound);
        }
        _ => {}
    }
}

/// The names that are used later.
pub fn named(names: &[String], live: &Live) -> Live {
    let used = names.iter().filter(|name| live.contains(*name));
    used.cloned().collect()
}

/// Removes the names that code binds anew, and returns those that are live: after the code, they are the outer variables again.
pub fn hide(names: &[String], live: &mut Live) -> Live {
    let outer = named(names, live);
    live.retain(|name| !outer.contains(name));
    outer
}

/// For each name of a block, the first statement that declares it.
pub fn first_declarations(block: &Block) -> HashMap<String, usize> {
    let mut first = HashMap::new();
    for (at, stmt) in block.stmts.iter().enumerate() {
        if let Stmt::Local(local) = stmt {
            for (name, _) in bindings(&local.pat) {
                first.entry(name.to_string()).or_insert(at);
            }
        }
    }
    first
}
