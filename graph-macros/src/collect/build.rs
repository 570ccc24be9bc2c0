//! Builders of Rust syntax. The syntax isn't parsed from tokens: its parts may already contain constructs, and in a condition not every
//! expression is parsed in the same way as elsewhere.

use syn::{BinOp, Block, Expr, ExprBinary, ExprBlock, ExprBreak, ExprIf, Label, Lifetime, Stmt};

/// `{ … }`.
pub(super) fn block(stmts: Vec<Stmt>) -> Block {
    Block {
        brace_token: Default::default(),
        stmts,
    }
}

/// A block as an expression.
pub(super) fn block_expr(label: Option<Lifetime>, block: Block) -> ExprBlock {
    let label = label.map(|name| Label {
        name,
        colon_token: Default::default(),
    });
    ExprBlock {
        attrs: Vec::new(),
        label,
        block,
    }
}

/// The conditions joined by `&&`.
pub(super) fn all(conditions: Vec<Expr>) -> Option<Expr> {
    conditions.into_iter().reduce(|left, right| {
        Expr::Binary(ExprBinary {
            attrs: Vec::new(),
            left: Box::new(left),
            op: BinOp::And(Default::default()),
            right: Box::new(right),
        })
    })
}

/// `if condition { … }`.
pub(super) fn when(if_token: syn::Token![if], condition: Expr, then_branch: Block) -> ExprIf {
    ExprIf {
        attrs: Vec::new(),
        if_token,
        cond: Box::new(condition),
        then_branch,
        else_branch: None,
    }
}

/// `break 'label value`.
pub(super) fn break_to(label: &Lifetime, value: Option<Expr>) -> Expr {
    Expr::Break(ExprBreak {
        attrs: Vec::new(),
        break_token: Default::default(),
        label: Some(label.clone()),
        expr: value.map(Box::new),
    })
}
