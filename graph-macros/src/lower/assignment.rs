//! Assignments: what is assigned, a variable, an item, a tuple of them, and what becomes of a literal or a number that is given to it.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, Ident};

use super::literal::{choose, is_literal};
use super::{Lower, What};
use crate::macros;
use crate::scope::Known;

impl Lower {
    /// `x += y` and its kin.
    pub fn compound(&mut self, binary: ExprBinary) -> Expr {
        let ExprBinary {
            attrs,
            left,
            op,
            right,
        } = binary;
        let names_item = matches!(*left, Expr::Index(_)) && shares_names(&left, &right);
        let right = self.operand(*right);
        let left = self.target(*left);
        self.initialize(&left);
        if names_item {
            return changed_item(left, op, right);
        }
        Expr::Binary(ExprBinary {
            attrs,
            left: Box::new(left),
            op,
            right: Box::new(right),
        })
    }

    pub fn assign(&mut self, mut assign: syn::ExprAssign) -> Expr {
        let is_tensor = self.is_tensor_variable(&assign.left);
        let lift = match is_literal(&assign.right) {
            true => self.may_be_tensor(&assign.left),
            false => is_tensor && self.scopes.is_number(&assign.right),
        };
        if let Some(construct) = self.initializing(&assign.left) {
            choose(&mut assign.right, &construct);
        }
        *assign.right = match *assign.right {
            literal if lift => self.lift(literal),
            other if is_tensor && self.has_shapes => {
                let span = other.span();
                let value = self.value(other, None);
                code!(span=> ag__::of_shape(#value))
            }
            other => self.value(other, None),
        };
        *assign.left = self.target(*assign.left);
        self.initialize(&assign.left);
        Expr::Assign(assign)
    }

    fn target(&mut self, target: Expr) -> Expr {
        match target {
            Expr::Tuple(mut tuple) => {
                tuple.elems = tuple.elems.into_iter().map(|t| self.target(t)).collect();
                Expr::Tuple(tuple)
            }
            Expr::Array(mut array) => {
                array.elems = array.elems.into_iter().map(|t| self.target(t)).collect();
                Expr::Array(array)
            }
            Expr::Call(_) | Expr::Struct(_) => target,
            Expr::Index(index) => self.item_to_assign(index),
            other => self.place(other),
        }
    }

    /// `x[i]` where it is assigned.
    fn item_to_assign(&mut self, index: syn::ExprIndex) -> Expr {
        let span = index.span();
        let item = self.item_mut(index);
        code!(span=> *#item)
    }

    fn item_mut(&mut self, index: syn::ExprIndex) -> Expr {
        let span = index.span();
        let base = match *index.expr {
            Expr::Index(outer) => self.item_mut(outer),
            other @ (Expr::Unary(_) | Expr::Reference(_)) => {
                let base = self.place(other);
                code!(span=> (#base))
            }
            other => self.place(other),
        };
        let index = self.index(*index.index);
        code!(span=> #base.item_mut__(#index))
    }

    /// The branch that gives a variable its first value, if no type is written for the variable.
    fn initializing(&self, target: &Expr) -> Option<Ident> {
        let Expr::Path(path) = target else {
            return None;
        };
        let var = self.scopes.get(&path.path.get_ident()?.to_string())?;
        let region = self.regions.get(var.depth..)?.last()?;
        let is_first = var.uninitialized && var.known == Known::Nothing;
        (is_first && matches!(region.what, What::Branch)).then(|| region.ident.clone())
    }

    fn is_tensor_variable(&self, target: &Expr) -> bool {
        matches!(target, Expr::Path(_)) && self.scopes.known_expr(target) == Known::Tensor
    }

    fn may_be_tensor(&self, target: &Expr) -> bool {
        match target {
            Expr::Path(path) => {
                let var = path
                    .path
                    .get_ident()
                    .and_then(|name| self.scopes.get(&name.to_string()));
                var.is_none_or(|v| {
                    v.known == Known::Tensor || (!v.known.is_plain() && !v.uninitialized)
                })
            }
            Expr::Field(_) | Expr::Unary(_) | Expr::Index(_) => true,
            _ => false,
        }
    }

    /// From here on the variable has a value.
    fn initialize(&mut self, target: &Expr) {
        match target {
            Expr::Path(path) => {
                let Some(name) = path.path.get_ident().map(Ident::to_string) else {
                    return;
                };
                // What an iteration of a loop sets isn't set in the next one.
                let in_branches = |depth: usize| {
                    let around = self.regions[depth.min(self.regions.len())..].iter();
                    around.clone().all(|r| matches!(r.what, What::Branch))
                };
                if let Some(var) = self.scopes.get_mut(&name)
                    && in_branches(var.depth)
                {
                    var.uninitialized = false;
                }
            }
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|t| self.initialize(t)),
            _ => {}
        }
    }
}

/// True if both have a name in common.
fn shares_names(left: &Expr, right: &Expr) -> bool {
    let of = |expr: &Expr| macros::idents(expr.to_token_stream());
    let right = of(right);
    of(left).iter().any(|name| right.contains(name))
}

/// `x[i] += y` where `y` looks at `x`: its value is taken before `x` is borrowed, as Rust does for numbers.
fn changed_item(item: Expr, op: BinOp, value: Expr) -> Expr {
    let span = item.span();
    let name = Ident::new("value", Span::mixed_site());
    code!(span=> match #value {
        #name => #item #op #name
    })
}
