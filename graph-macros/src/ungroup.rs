//! Fragments of a `macro_rules`, such as `$e:expr` or `$t:ty`, arrive as groups without delimiters. This removes the groups before
//! everything else: collecting then sees the code as if it were written by hand, with parentheses where a group kept operands together.
//! The arguments of macros keep their groups: `assert!` prints its condition, and would print the parentheses.

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprParen, ItemFn, Type, TypeParen, token};

/// Removes the groups in a function.
pub fn ungroup(function: &mut ItemFn) {
    Ungroup.visit_item_fn_mut(function);
}

struct Ungroup;

impl VisitMut for Ungroup {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        while let Expr::Group(group) = expr {
            let span = group.group_token.span;
            let inner = (*group.expr).clone();
            *expr = match is_one(&inner) {
                true => inner,
                false => Expr::Paren(ExprParen {
                    attrs: group.attrs.clone(),
                    paren_token: token::Paren(span),
                    expr: Box::new(inner),
                }),
            };
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        while let Type::Group(group) = ty {
            let span = group.group_token.span;
            let inner = (*group.elem).clone();
            *ty = match inner {
                Type::TraitObject(_) | Type::ImplTrait(_) => Type::Paren(TypeParen {
                    attrs: Vec::new(),
                    paren_token: token::Paren(span),
                    elem: Box::new(inner),
                }),
                inner => inner,
            };
        }
        visit_mut::visit_type_mut(self, ty);
    }
}

/// Whether an expression means the same in any context without parentheses.
fn is_one(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Path(_)
            | Expr::Lit(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Macro(_)
            | Expr::Array(_)
            | Expr::Tuple(_)
            | Expr::Paren(_)
            | Expr::Group(_)
    )
}
