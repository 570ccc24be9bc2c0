//! Assignments: the target (a variable, an item, a tuple of these), and the value, which may be a literal or a number that becomes a
//! tensor.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprBinary, Ident};

use super::Collector;
use super::literal::{choose, is_literal};
use crate::macros;
use crate::syntax::{Access, Construct, FlowId, Item, What};

impl Collector {
    /// `x += y` and the other compound assignments.
    pub fn compound(&mut self, binary: ExprBinary) -> Expr {
        let ExprBinary {
            attrs,
            left,
            op,
            right,
        } = binary;
        let names_item = matches!(*left, Expr::Index(_)) && shares_names(&left, &right);
        let right = match self.float_beside(&left, &right) {
            Some(constant) => constant,
            None => self.operand(*right),
        };
        let left = self.target(*left);
        self.initialize(&left);
        if names_item {
            let span = left.span();
            let (item, value) = (left, right);
            return self.construct(span, Construct::ChangedItem { item, op, value });
        }
        Expr::Binary(ExprBinary {
            attrs,
            left: Box::new(left),
            op,
            right: Box::new(right),
        })
    }

    pub fn assign(&mut self, mut assign: syn::ExprAssign) -> Expr {
        let may_be_tensor = self.may_be_tensor(&assign.left);
        let is_variable = matches!(&*assign.left, Expr::Path(_));
        let is_item = matches!(&*assign.left, Expr::Index(_));
        let lift = match is_literal(&assign.right) {
            true => may_be_tensor,
            false => {
                may_be_tensor && (is_variable || is_item) && self.scopes.is_number(&assign.right)
            }
        };
        if let Some(construct) = self.initializing(&assign.left) {
            choose(&mut assign.right, construct, &mut self.tree);
        }
        *assign.right = match *assign.right {
            literal if lift => self.lift(literal),
            other if may_be_tensor && is_variable && self.has_shapes => {
                let span = other.span();
                let value = self.value(other, None);
                self.construct(span, Construct::OfShape(value))
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
            Expr::Index(index) => self.item_mut(index, Access::Assigned),
            other => self.place(other),
        }
    }

    /// `x[i]` as the target of an assignment.
    fn item_mut(&mut self, index: syn::ExprIndex, how: Access) -> Expr {
        let span = index.span();
        let base = match *index.expr {
            Expr::Index(outer) => self.item_mut(outer, Access::Mutable),
            other @ (Expr::Unary(_) | Expr::Reference(_)) => {
                let base = self.place(other);
                self.construct(span, Construct::Whole(base))
            }
            other => self.place(other),
        };
        let index = self.index(*index.index);
        self.construct(span, Construct::Item(Item { base, index, how }))
    }

    /// The branch that gives a variable its first value, if the variable's type isn't written.
    fn initializing(&self, target: &Expr) -> Option<FlowId> {
        let Expr::Path(path) = target else {
            return None;
        };
        let var = self.scopes.get(&path.path.get_ident()?.to_string())?;
        let flow = self.flows.get(var.depth..)?.last()?.id;
        let is_first = var.uninitialized && !var.is_typed;
        (is_first && matches!(self.tree[flow].what, What::Branch)).then_some(flow)
    }

    fn may_be_tensor(&self, target: &Expr) -> bool {
        match target {
            Expr::Path(path) => {
                let var = path
                    .path
                    .get_ident()
                    .and_then(|name| self.scopes.get(&name.to_string()));
                var.is_none_or(|v| !v.known.is_plain() && (v.is_typed || !v.uninitialized))
            }
            Expr::Field(_) | Expr::Unary(_) | Expr::Index(_) => true,
            _ => false,
        }
    }

    /// Records that the variable has a value from here on.
    fn initialize(&mut self, target: &Expr) {
        match target {
            Expr::Path(path) => {
                let Some(name) = path.path.get_ident().map(Ident::to_string) else {
                    return;
                };
                // A value that is set in one iteration of a loop isn't set in the next one.
                let in_branches = |depth: usize| {
                    let around = self.flows[depth.min(self.flows.len())..].iter();
                    around
                        .clone()
                        .all(|around| matches!(self.tree[around.id].what, What::Branch))
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

/// True if both expressions use the same name.
fn shares_names(left: &Expr, right: &Expr) -> bool {
    let of = |expr: &Expr| macros::idents(expr.to_token_stream());
    let right = of(right);
    of(left).iter().any(|name| right.contains(name))
}
