//! Operators: comparisons, `&&` and `||`, arithmetic on variables that stay usable, indexing.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{
    BinOp, Block, Expr, ExprBinary, ExprBlock, ExprUnary, LitBool, Token, UnOp, parse_quote_spanned,
};

use super::expression::root;
use super::literal::is_literal;
use super::{Collector, build};
use crate::activity::{self, is_assignment};
use crate::macros;
use crate::scope::Known;
use crate::syntax::{Access, Asserts, Construct, Item, Logic, Sides};

impl Collector {
    pub fn binary(&mut self, binary: ExprBinary) -> Expr {
        if let Some(with_float) = self.with_float(&binary) {
            return with_float;
        }
        if let Some(method) = compares(&binary.op) {
            return self.comparison(binary, method);
        }
        match binary.op {
            BinOp::And(op) => self.logic(binary, "and", op.span()),
            BinOp::Or(op) => self.logic(binary, "or", op.span()),
            op if is_assignment(&op) => self.compound(binary),
            op => {
                let left = self.operand(*binary.left);
                let right = self.operand(*binary.right);
                Expr::Binary(ExprBinary {
                    attrs: binary.attrs,
                    left: Box::new(left),
                    op,
                    right: Box::new(right),
                })
            }
        }
    }

    fn comparison(&mut self, binary: ExprBinary, method: &'static str) -> Expr {
        let span = binary.span();
        let sides = self.sides(binary);
        self.construct(span, Construct::Compared { sides, method })
    }

    /// The assertion of a comparison, if the condition is one: an error shows the sides that aren't literals or of unknown types.
    pub fn asserted_comparison(&mut self, condition: &Expr, source: &str) -> Option<Asserts> {
        let Expr::Binary(binary) = condition else {
            return None;
        };
        let method = compares(&binary.op)?;
        // What shows a side asks for its type, so the type must be known.
        let is_inferred = |side: &Expr| {
            self.scopes
                .variable(side)
                .is_some_and(|var| var.is_inferred)
        };
        let is_shown = |side: &Expr| !is_literal(side) && !is_inferred(side);
        let shown = |side: &Expr| is_shown(side).then(|| macros::text(side));
        let (left, right) = (shown(&binary.left), shown(&binary.right));
        Some(Asserts::Comparison {
            sides: self.sides(binary.clone()),
            method,
            source: source.to_owned(),
            left,
            right,
        })
    }

    /// The sides of a comparison, which borrows them.
    fn sides(&mut self, binary: ExprBinary) -> Sides {
        let span = binary.span();
        // If the right side has statements, the left side's value is taken before they run.
        let left = match *binary.right {
            Expr::Block(_) | Expr::If(_) | Expr::Match(_)
                if matches!(*binary.left, Expr::Path(_)) =>
            {
                self.construct(span, Construct::Loaded(*binary.left))
            }
            _ => self.compared(*binary.left),
        };
        let right = self.compared(*binary.right);
        Sides { left, right }
    }

    /// A side of a comparison: borrowed, not moved.
    pub fn compared(&mut self, side: Expr) -> Expr {
        match side {
            Expr::Index(index) if !is_range(&index.index) => self.item(index, Access::Place),
            Expr::Binary(_)
            | Expr::Cast(_)
            | Expr::Range(_)
            | Expr::Closure(_)
            | Expr::Unary(_) => {
                let span = side.span();
                let side = self.expr(side);
                self.construct(span, Construct::Whole(side))
            }
            other => self.place(other),
        }
    }

    fn logic(&mut self, binary: ExprBinary, function: &'static str, span: Span) -> Expr {
        let right = &*binary.right;
        let leaves = !activity::exits(|v| syn::visit::Visit::visit_expr(v, right)).is_empty();
        let question_mark = contains_try(right);
        if let Some(block) = block_in(right)
            && !leaves
            && !question_mark
            && self.changes_around(block)
        {
            let (is_and, block) = (matches!(binary.op, BinOp::And(_)), block.block.clone());
            return self.logic_as_if(*binary.left, is_and, block, span);
        }
        // Temporaries of the left side that borrow something are dropped before the right side runs.
        let ends_left = borrows(&binary.left);
        let left = self.condition(*binary.left);
        self.captures += 1;
        let right = self.condition(*binary.right);
        self.captures -= 1;
        // Code that may leave the function can't be in a closure: then it is Rust's operator, for `bool`s only.
        if leaves || question_mark {
            return Expr::Binary(ExprBinary {
                attrs: binary.attrs,
                left: Box::new(left),
                op: binary.op,
                right: Box::new(right),
            });
        }
        let logic = Logic {
            function,
            left,
            ends_left,
            right,
        };
        self.construct(span, Construct::Logic(logic))
    }

    /// Whether a block changes variables that are declared outside it.
    fn changes_around(&self, block: &ExprBlock) -> bool {
        let visit = |v: &mut activity::Changes<'_>| syn::visit::Visit::visit_expr_block(v, block);
        !activity::changes(&self.scopes, visit).is_empty()
    }

    /// `a && { b }` as `if a { b } else { false }`: changes of variables leave a branch, but not a closure.
    fn logic_as_if(&mut self, left: Expr, is_and: bool, right: Block, span: Span) -> Expr {
        let known = |value: bool| {
            let value = LitBool::new(value, span);
            parse_quote_spanned!(span=> { #value })
        };
        let (then_branch, otherwise) = match is_and {
            true => (right, known(false)),
            false => (known(true), right),
        };
        let mut chosen = build::when(Token![if](span), left, then_branch);
        let otherwise = Expr::Block(build::block_expr(None, otherwise));
        chosen.else_branch = Some((Token![else](span), Box::new(otherwise)));
        self.value(Expr::If(chosen), None)
    }

    /// A condition: a value that is tested.
    pub fn condition(&mut self, condition: Expr) -> Expr {
        match condition {
            Expr::Path(path) => self.loaded(Expr::Path(path)),
            Expr::Field(field) => self.loaded(Expr::Field(field)),
            Expr::Paren(inner) => self.condition(*inner.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                let span = unary.span();
                let place = self.place(Expr::Unary(unary));
                self.construct(span, Construct::Loaded(place))
            }
            other => self.value(other, None),
        }
    }

    /// An operand of arithmetic: a variable stays usable afterwards.
    pub fn operand(&mut self, operand: Expr) -> Expr {
        match operand {
            Expr::Path(_) | Expr::Field(_) => self.loaded(operand),
            Expr::Paren(mut inner) => {
                *inner.expr = self.operand(*inner.expr);
                Expr::Paren(inner)
            }
            Expr::Unary(unary)
                if matches!(unary.op, UnOp::Deref(_)) && matches!(&*unary.expr, Expr::Path(_)) =>
            {
                self.construct(unary.span(), Construct::Loaded(Expr::Unary(unary)))
            }
            other => self.value(other, None),
        }
    }

    fn loaded(&mut self, operand: Expr) -> Expr {
        let span = operand.span();
        match &operand {
            Expr::Path(path) => {
                let Some(name) = path.path.get_ident() else {
                    return operand;
                };
                match self.scopes.get(&name.to_string()) {
                    None => operand,
                    Some(var) if var.known.is_plain() => operand,
                    Some(var)
                        if self.is_last_use(name, var) && !self.liveness.is_assigned(name) =>
                    {
                        operand
                    }
                    // In a branch that may run again, or before a construct that gives the variable another value, the variable is cloned
                    // if possible, else moved.
                    Some(var)
                        if self.captures == 0
                            && var.known == Known::Nothing
                            && self.liveness.may_be_last_use(name)
                            && var.body == self.bodies.len() =>
                    {
                        self.construct(span, Construct::Operand(operand))
                    }
                    Some(_) => self.construct(span, Construct::Loaded(operand)),
                }
            }
            Expr::Field(field) if matches!(&*field.base, Expr::Path(_) | Expr::Field(_)) => {
                let is_owned = self.is_part_of_owned(field);
                let operand = self.place(operand);
                match is_owned {
                    true => self.construct(span, Construct::Operand(operand)),
                    false => self.construct(span, Construct::Loaded(operand)),
                }
            }
            _ => self.expr(operand),
        }
    }

    /// True if a field may be moved out of its variable: the syntax says that the variable isn't a reference, and no closure would
    /// capture the variable.
    fn is_part_of_owned(&self, field: &syn::ExprField) -> bool {
        let Some(root) = root(field) else {
            return false;
        };
        let is_owned = match self.scopes.get(&root.to_string()) {
            Some(var) => var.body == self.bodies.len() && (var.is_owned || !var.is_typed),
            None => root == "self" && self.owns_self && self.bodies.len() == 1,
        };
        is_owned && self.captures == 0
    }

    pub fn unary(&mut self, unary: ExprUnary) -> Expr {
        let ExprUnary { attrs, op, expr } = unary;
        let expr = match op {
            UnOp::Deref(_) => self.place(*expr),
            UnOp::Not(_) => self.condition_operand(*expr),
            _ => self.operand(*expr),
        };
        // Rust would expect the operand to have the result's type, which isn't always so in generic code.
        let span = expr.span();
        let expr = match self.tree.at(&expr) {
            Some(Construct::Loaded(place)) => {
                let place = place.clone();
                self.construct(span, Construct::Coerced(place))
            }
            Some(Construct::Operand(_)) => self.construct(span, Construct::Untold(expr)),
            _ => expr,
        };
        Expr::Unary(ExprUnary {
            attrs,
            op,
            expr: Box::new(expr),
        })
    }

    fn condition_operand(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::Paren(mut inner) => {
                *inner.expr = self.condition_operand(*inner.expr);
                Expr::Paren(inner)
            }
            Expr::Binary(binary) => self.binary(binary),
            other => self.operand(other),
        }
    }

    // ---- indexing ----

    /// `x[i]` taken by value.
    pub fn index_value(&mut self, index: syn::ExprIndex) -> Expr {
        self.item(index, Access::Value)
    }

    /// `x[i]`.
    pub fn item(&mut self, index: syn::ExprIndex, how: Access) -> Expr {
        let span = index.span();
        let base = self.place_base(*index.expr);
        let index = self.index(*index.index);
        self.construct(span, Construct::Item(Item { base, index, how }))
    }

    /// The collection behind an index: a nested index is used in place, not copied.
    fn place_base(&mut self, base: Expr) -> Expr {
        match base {
            Expr::Index(index) => self.item(index, Access::Reference),
            Expr::Unary(_) | Expr::Reference(_) | Expr::Binary(_) | Expr::Cast(_) => {
                let span = base.span();
                let base = self.place(base);
                self.construct(span, Construct::Whole(base))
            }
            other => self.place(other),
        }
    }

    /// The expression between the brackets: a variable in it stays usable.
    pub fn index(&mut self, index: Expr) -> Expr {
        match index {
            Expr::Path(_) | Expr::Field(_) => self.loaded(index),
            Expr::Range(mut range) => {
                range.start = range.start.map(|s| Box::new(self.operand(*s)));
                range.end = range.end.map(|s| Box::new(self.operand(*s)));
                Expr::Range(range)
            }
            Expr::Tuple(mut tuple) => {
                tuple.elems = tuple.elems.into_iter().map(|e| self.index(e)).collect();
                Expr::Tuple(tuple)
            }
            other => self.value(other, None),
        }
    }

    /// `&x[i]`, `&mut x`, `&f(x)`.
    pub fn reference(&mut self, mut reference: syn::ExprReference) -> Expr {
        *reference.expr = match *reference.expr {
            Expr::Index(index) if reference.mutability.is_none() => self.item(index, Access::Place),
            other => self.place(other),
        };
        Expr::Reference(reference)
    }
}

/// True if the value may borrow something until the end of the statement: a method call on a method's result.
fn borrows(expr: &Expr) -> bool {
    struct Find(bool);
    impl<'ast> syn::visit::Visit<'ast> for Find {
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            self.0 |= matches!(*call.receiver, Expr::MethodCall(_) | Expr::Call(_));
            syn::visit::visit_expr_method_call(self, call);
        }
    }
    let mut find = Find(false);
    syn::visit::Visit::visit_expr(&mut find, expr);
    find.0
}

fn is_range(expr: &Expr) -> bool {
    matches!(expr, Expr::Range(_))
}

/// True if the expression contains a `?` that leaves the function.
pub(crate) fn contains_try(expr: &Expr) -> bool {
    struct Find(bool);
    impl<'ast> syn::visit::Visit<'ast> for Find {
        fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut find = Find(false);
    syn::visit::Visit::visit_expr(&mut find, expr);
    find.0
}

/// The method for a comparison operator.
pub(super) fn compares(op: &BinOp) -> Option<&'static str> {
    match op {
        BinOp::Lt(_) => Some("lt"),
        BinOp::Le(_) => Some("le"),
        BinOp::Gt(_) => Some("gt"),
        BinOp::Ge(_) => Some("ge"),
        BinOp::Eq(_) => Some("eq"),
        BinOp::Ne(_) => Some("ne"),
        _ => None,
    }
}

/// The block of an expression that is a block without a label, possibly in parentheses.
fn block_in(expr: &Expr) -> Option<&ExprBlock> {
    match expr {
        Expr::Paren(inner) => block_in(&inner.expr),
        Expr::Block(block) if block.label.is_none() => Some(block),
        _ => None,
    }
}
