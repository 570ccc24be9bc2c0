//! Methods whose meaning depends on a type. `x[i].method(…)`: an item of a Rust collection is a place, which the method may change; an
//! item of a tensor is a value; the type of `x` decides. `[1, 2, 3].method(&x)`: see `autograph/sought.rs` in the runtime.

use syn::spanned::Spanned;
use syn::{Expr, ExprIndex, ExprMethodCall, Ident, Lit, UnOp, parse_quote_spanned};

use super::expression::unwraps;
use super::{Collector, has_infer};
use crate::syntax::{Access, Construct, Item, ItemMethod, Sought, UnwrappedItem};

impl Collector {
    pub fn item_method(&mut self, mut call: ExprMethodCall, mut index: ExprIndex) -> Expr {
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
        let mut held = Vec::new();
        self.hold_positions(&mut index.expr, &mut held);
        let unwrapped = (unwraps(&call) && self.may_repeat(&index.index)).then(|| index.clone());
        let looked_at = self.looked_at(&index.expr);
        let at = self.index(*index.index.clone());
        let mut positions = Vec::new();
        let place = self.item_place(Expr::Index(index), &mut positions);
        self.arguments(&mut call);
        let message = call.args.first().cloned();
        let method = ItemMethod {
            base: looked_at,
            index: at,
            place,
            positions,
            call,
        };
        let called = self.construct(span, Construct::ItemMethod(method));
        let called = match unwrapped {
            Some(index) => self.unwrapped_item(index, called, message),
            None => called,
        };
        held.into_iter()
            .rfold(called, |called, (name, position)| {
                parse_quote_spanned!(span=> (match #position { #name => #called }))
            })
    }

    /// `x[i].unwrap()`, given as `taken`. If there is nothing to unwrap, the branch that a tensor decides fails.
    fn unwrapped_item(&mut self, index: ExprIndex, taken: Expr, message: Option<Expr>) -> Expr {
        let through = self.failing();
        if through.is_empty() {
            return taken;
        }
        let span = index.span();
        let unwrapped = UnwrappedItem {
            item: self.item(index, Access::Reference),
            taken,
            message,
            through,
        };
        self.construct(span, Construct::UnwrappedItem(unwrapped))
    }

    /// Replaces the positions within a place that must not be evaluated twice by variables, which are pushed with the positions.
    fn hold_positions(&mut self, place: &mut Expr, held: &mut Vec<(Ident, Expr)>) {
        match place {
            Expr::Index(e) => {
                self.hold_positions(&mut e.expr, held);
                if !self.may_repeat(&e.index) {
                    let span = e.index.span();
                    let name = self.fresh("position", span);
                    let copy = parse_quote_spanned!(span=> ::core::clone::Clone::clone(&#name));
                    let position = std::mem::replace(&mut *e.index, copy);
                    held.push((name, self.index(position)));
                }
            }
            Expr::Field(e) => self.hold_positions(&mut e.base, held),
            Expr::Paren(e) => self.hold_positions(&mut e.expr, held),
            Expr::Unary(e) => self.hold_positions(&mut e.expr, held),
            _ => {}
        }
    }

    /// True for a position that may be evaluated twice: a literal, a variable or a field of one, a calculation with numbers.
    fn may_repeat(&self, position: &Expr) -> bool {
        match position {
            Expr::Lit(_) | Expr::Path(_) => true,
            Expr::Field(e) => self.may_repeat(&e.base),
            Expr::Paren(e) => self.may_repeat(&e.expr),
            Expr::Unary(e) => self.may_repeat(&e.expr),
            Expr::Cast(e) => self.may_repeat(&e.expr),
            Expr::Tuple(e) => e.elems.iter().all(|item| self.may_repeat(item)),
            Expr::Range(e) => {
                let ends = [&e.start, &e.end].into_iter().flatten();
                ends.into_iter().all(|end| self.may_repeat(end))
            }
            Expr::Binary(e) => self.may_repeat(&e.left) && self.may_repeat(&e.right),
            _ => false,
        }
    }

    /// True for a method of an array or range of literals with one reference as its argument, such as `[1, 2, 3].contains(&x)`. The type
    /// behind the reference must be known without this method, because generated code asks for it earlier.
    pub fn is_about_values(&self, call: &ExprMethodCall) -> bool {
        let (Some(Expr::Reference(told)), 1) = (call.args.first(), call.args.len()) else {
            return false;
        };
        told.mutability.is_none()
            && is_of_values(&call.receiver)
            && self.has_written_type(&told.expr)
    }

    /// True for a variable with a written type, as parameters have, or a part of such a variable, including the items that a loop takes
    /// from it.
    pub fn has_written_type(&self, place: &Expr) -> bool {
        match place {
            Expr::Reference(e) => self.has_written_type(&e.expr),
            Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                name.is_some_and(|name| {
                    name == "self" || self.scopes.get(&name).is_some_and(|var| var.is_typed)
                })
            }
            Expr::Field(e) => self.has_written_type(&e.base),
            Expr::Paren(e) => self.has_written_type(&e.expr),
            Expr::Unary(e) => matches!(e.op, UnOp::Deref(_)) && self.has_written_type(&e.expr),
            _ => false,
        }
    }

    /// True for a cast, and for a calculation with a value of a written type: no later code tells its type.
    pub fn tells_type(&self, value: &Expr) -> bool {
        let is_known = |operand: &Expr| self.has_written_type(operand) || self.tells_type(operand);
        match value {
            Expr::Cast(e) => !has_infer(&e.ty),
            Expr::Paren(e) => self.tells_type(&e.expr),
            Expr::Unary(e) => !matches!(e.op, UnOp::Deref(_)) && is_known(&e.expr),
            Expr::Binary(e) => is_known(&e.left),
            _ => false,
        }
    }

    /// A call that [is about values](Self::is_about_values).
    pub fn sought(&mut self, mut call: ExprMethodCall) -> Expr {
        let span = call.span();
        self.arguments(&mut call);
        let sought = call.args[0].clone();
        self.construct(span, Construct::Sought(Sought { sought, call }))
    }

    fn arguments(&mut self, call: &mut ExprMethodCall) {
        let arguments = std::mem::take(&mut call.args);
        call.args = arguments.into_iter().map(|a| self.value(a, None)).collect();
    }

    /// The collection behind an index, used in place; it may be an item itself.
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

    /// An item as a Rust place. Its positions are pushed with variables for them, the last one first: they are evaluated before anything
    /// is borrowed.
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

fn is_of_values(expr: &Expr) -> bool {
    match expr {
        Expr::Array(array) => !array.elems.is_empty() && array.elems.iter().all(is_value),
        Expr::Range(range) => {
            let ends = [&range.start, &range.end];
            ends.into_iter()
                .all(|end| end.as_deref().is_some_and(is_value))
        }
        Expr::Paren(inner) => is_of_values(&inner.expr),
        _ => false,
    }
}

fn is_value(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_) | Lit::Float(_) | Lit::Str(_)),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_value(&unary.expr),
        _ => false,
    }
}

/// True for a variable, a field, an item or a dereference: it may be evaluated twice.
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
