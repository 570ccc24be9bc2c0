//! Where the value of an expression comes from: the ends of its branches, and whether it has a value at all.

use syn::{Block, Expr};

/// The expressions that a value can come from: the ends of its branches.
pub fn ends<'a>(expr: &'a Expr, found: &mut Vec<&'a Expr>) {
    match expr {
        Expr::If(e) => {
            block_ends(&e.then_branch, found);
            if let Some((_, other)) = &e.else_branch {
                ends(other, found);
            }
        }
        Expr::Match(e) => e.arms.iter().for_each(|arm| ends(&arm.body, found)),
        Expr::Block(e) => block_ends(&e.block, found),
        Expr::Paren(e) => ends(&e.expr, found),
        other if expr_diverges(other) => {}
        other => found.push(other),
    }
}

fn block_ends<'a>(block: &'a Block, found: &mut Vec<&'a Expr>) {
    if let Some(syn::Stmt::Expr(expr, None)) = block.stmts.last()
        && !diverges(block)
    {
        ends(expr, found);
    }
}

/// True if control can't reach the end of the block, as far as the syntax says.
pub fn diverges(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match stmt {
        syn::Stmt::Expr(expr, _) => expr_diverges(expr),
        syn::Stmt::Macro(m) => macro_diverges(&m.mac),
        _ => false,
    })
}

/// True if the expression never has a value, as far as the syntax says.
pub fn expr_diverges(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Block(e) => e.label.is_none() && diverges(&e.block),
        Expr::Paren(e) => expr_diverges(&e.expr),
        Expr::If(e) => if_diverges(e),
        Expr::Match(e) => match_diverges(e),
        Expr::Macro(m) => macro_diverges(&m.mac),
        _ => false,
    }
}

/// True if a jump leaves every branch.
pub fn if_diverges(e: &syn::ExprIf) -> bool {
    let otherwise = e.else_branch.as_ref();
    diverges(&e.then_branch) && otherwise.is_some_and(|(_, other)| expr_diverges(other))
}

/// True if a jump leaves every arm.
pub fn match_diverges(e: &syn::ExprMatch) -> bool {
    e.arms.iter().all(|arm| expr_diverges(&arm.body))
}

/// True for `panic!` and similar macros.
pub fn macro_diverges(mac: &syn::Macro) -> bool {
    let name = mac
        .path
        .segments
        .last()
        .map(|s| s.ident.to_string())
        .unwrap_or_default();
    ["panic", "unreachable", "todo", "unimplemented"].contains(&name.as_str())
}
