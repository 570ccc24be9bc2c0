//! `x[i].method(…)`. The item of a Rust collection is a place, which the method may change; that of a tensor is a value. The type of `x` picks
//! one of the two.

use syn::spanned::Spanned;
use syn::{Expr, ExprIndex, ExprMethodCall, Ident, UnOp, parse_quote_spanned};

use super::Collector;
use crate::syntax::{Access, Construct, Item, ItemMethod};

impl Collector {
    pub fn item_method(&mut self, mut call: ExprMethodCall, index: ExprIndex) -> Expr {
        let span = index.span();
        let with = |call: &ExprMethodCall, receiver: Expr| {
            let mut call = call.clone();
            *call.receiver = receiver;
            Expr::MethodCall(call)
        };
        if !is_place(&index.expr) {
            let base = self.place(*index.expr);
            let index = self.index(*index.index);
            self.arguments(&mut call);
            let how = Access::OfValue;
            let item = self.construct(span, Construct::Item(Item { base, index, how }));
            return with(&call, item);
        }
        let looked_at = self.looked_at(&index.expr);
        let at = self.index(*index.index.clone());
        let mut positions = Vec::new();
        let place = self.item_place(Expr::Index(index), &mut positions);
        self.arguments(&mut call);
        let method = ItemMethod {
            base: looked_at,
            index: at,
            place,
            positions,
            call,
        };
        self.construct(span, Construct::ItemMethod(method))
    }

    fn arguments(&mut self, call: &mut ExprMethodCall) {
        let arguments = std::mem::take(&mut call.args);
        call.args = arguments.into_iter().map(|a| self.value(a, None)).collect();
    }

    /// What is indexed, looked at: a place, or an item of what is indexed itself.
    fn looked_at(&mut self, base: &Expr) -> Expr {
        match base {
            Expr::Index(index) => {
                let span = index.span();
                let item = self.item(index.clone(), Access::Place);
                self.construct(span, Construct::Whole(item))
            }
            Expr::Unary(_) => {
                let base = self.place(base.clone());
                self.construct(base.span(), Construct::Whole(base))
            }
            other => self.place(other.clone()),
        }
    }

    /// An item as a place of Rust, and what stands for its positions, the last one first: they are known before anything is borrowed.
    fn item_place(&mut self, place: Expr, positions: &mut Vec<(Ident, Expr, Expr)>) -> Expr {
        match place {
            Expr::Index(index) => {
                let span = index.span();
                let looked_at = self.looked_at(&index.expr);
                let at = self.index(*index.index);
                let name = self.fresh("at", span);
                positions.push((name.clone(), looked_at, at));
                let base = self.item_place(*index.expr, positions);
                parse_quote_spanned!(span=> #base[#name])
            }
            Expr::Unary(_) => {
                let base = self.place(place);
                self.construct(base.span(), Construct::Whole(base))
            }
            other => self.place(other),
        }
    }
}

/// True for a variable, a field, an item of one or what is behind one: it may be named twice.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(e) => is_place(&e.base),
        Expr::Index(e) => is_place(&e.expr),
        Expr::Paren(e) => is_place(&e.expr),
        Expr::Unary(e) => matches!(e.op, UnOp::Deref(_)) && is_place(&e.expr),
        _ => false,
    }
}
