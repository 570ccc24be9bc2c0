//! Names as sets: those that code mentions, that patterns bind and that hide others. The walk of [`Liveness`](super::Liveness) is made of these.

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

/// Takes out what a pattern binds: behind it, these are other variables.
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

/// Those among some names that are used later.
pub fn named(names: &[String], live: &Live) -> Live {
    let used = names.iter().filter(|name| live.contains(*name));
    used.cloned().collect()
}

/// Takes out names that code binds anew, and gives those that are of variables around it, which are used behind it.
pub fn hide(names: &[String], live: &mut Live) -> Live {
    let outer = named(names, live);
    live.retain(|name| !outer.contains(name));
    outer
}

/// The statement that declares each name of a block first.
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
