//! What a `macro_rules` puts in for `$e:expr` or `$t:ty` comes as a group without delimiters. Here the groups go, before all else: what is
//! collected then is what stands there when the same is written by hand, with parentheses where the group kept operands together. The
//! arguments of macros keep their groups: `assert!` prints its condition, and would print the parentheses.

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprParen, ItemFn, Type, TypeParen, token};

/// Takes the groups out of a function.
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

/// Whether an expression means the same wherever it stands.
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
