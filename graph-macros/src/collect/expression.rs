//! Expressions: each is collected according to its position, as a statement, as a value that is taken, or as a place that is only read.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Ident, Pat, Stmt, Type, parse_quote};

use super::invocation::Collected;
use super::shared::several;
use super::{Collector, Want, build, literal};
use crate::macros;
use crate::rename::Rename;
use crate::scope::{Known, bindings, is_primitive};
use crate::syntax::{Construct, FlowId, Kept, KeptWhat, Receiver, Unwrapped, What};

impl Collector {
    /// An expression whose value isn't used.
    pub fn statement(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::If(e) => self.if_expr(e, Want::Nothing),
            Expr::Match(e) => self.match_expr(e, Want::Nothing),
            Expr::Block(mut e) if e.label.is_none() => {
                e.block = self.block(e.block, Want::Nothing);
                Expr::Block(e)
            }
            other => self.expr(other),
        }
    }

    /// A value; a literal is lifted if a tensor may be expected.
    pub fn value_or_lift(&mut self, expr: Expr, expected: Option<&Type>) -> Expr {
        if self.wants_lift(&expr, expected) {
            return self.lift(expr);
        }
        let may_be_shaped = matches!(
            expr,
            Expr::Path(_) | Expr::Field(_) | Expr::Binary(_) | Expr::Call(_) | Expr::MethodCall(_)
        );
        let span = expr.span();
        let value = self.value(expr, expected);
        match may_be_shaped && self.has_shapes && expected.is_some_and(may_have_shape) {
            true => self.construct(span, Construct::OfShape(value)),
            false => value,
        }
    }

    /// An expression whose value is taken: moved, copied or returned.
    pub fn value(&mut self, expr: Expr, expected: Option<&Type>) -> Expr {
        match expr {
            Expr::Path(path) => self.taken(path),
            Expr::Field(field) => self.taken_field(field),
            Expr::Index(e) => self.index_value(e),
            Expr::If(e) => self.if_expr(e, Want::Value(expected)),
            Expr::Match(e) => self.match_expr(e, Want::Value(expected)),
            Expr::Block(mut e) if e.label.is_none() => {
                e.block = self.block(e.block, Want::Value(expected));
                Expr::Block(e)
            }
            Expr::Unsafe(mut e) => {
                e.block = self.block(e.block, Want::Value(expected));
                Expr::Unsafe(e)
            }
            Expr::Paren(mut e) => {
                *e.expr = self.value_or_lift(*e.expr, expected);
                Expr::Paren(e)
            }
            Expr::Tuple(mut e) => {
                let types: Vec<Option<Type>> = literal::tuple_types(expected, e.elems.len());
                e.elems = e
                    .elems
                    .into_iter()
                    .zip(&types)
                    .map(|(v, ty)| self.value_or_lift(v, ty.as_ref()))
                    .collect();
                Expr::Tuple(e)
            }
            Expr::Call(e) => self.call(e, expected),
            Expr::Block(e) => self.labelled_block(e, Want::Value(expected)),
            Expr::Loop(e) => self.loop_expr(e, expected),
            other => self.expr(other),
        }
    }

    /// A variable taken by value.
    pub fn taken(&mut self, path: syn::ExprPath) -> Expr {
        let Some(root) = path.path.get_ident().cloned() else {
            return Expr::Path(path);
        };
        // `self` of a `&mut self` method, which is used again behind the body.
        if root == "self" && self.scopes.get("self").is_some() {
            return self.construct(root.span(), Construct::Reborrowed);
        }
        self.taken_place(Expr::Path(path), &root)
    }

    /// The value that a `let` with a refutable pattern looks into. A closure, as the body is, would borrow the variable `self` for it, not what
    /// `self` refers to.
    pub fn looked_into(&mut self, value: Expr) -> Expr {
        match value {
            Expr::Path(path) if path.path.is_ident("self") => self.taken(path),
            other => self.place(other),
        }
    }

    /// A field of a variable taken by value.
    fn taken_field(&mut self, field: syn::ExprField) -> Expr {
        match root(&field).cloned() {
            Some(root) if root == "self" && !self.owns_self => self.lent_field(field),
            Some(root) if root != "self" => match self.scopes.get(&root.to_string()) {
                Some(var) if var.known == Known::Plain => self.lent_field(field),
                _ => self.taken_place(Expr::Field(field), &root),
            },
            _ => self.place(Expr::Field(field)),
        }
    }

    /// A field behind a reference, taken by value. Plain Rust allows this only for a `Copy` value, so a tensor can be copied, too.
    fn lent_field(&mut self, field: syn::ExprField) -> Expr {
        let span = field.span();
        let place = self.place(Expr::Field(field));
        self.construct(span, Construct::Again(place))
    }

    /// A place taken by value. A tensor is copied if the place is used later, or if the code is in a branch that may run again for
    /// another branch.
    fn taken_place(&mut self, place: Expr, root: &Ident) -> Expr {
        let Some(var) = self.scopes.get(&root.to_string()) else {
            return place;
        };
        let (known, depth) = (var.known, var.depth);
        // If a closure takes a variable that is also used elsewhere, plain Rust requires a `Copy` type. (A variable that only the closure
        // uses is captured by value. If the closure gives a tensor away and then runs again, no type can tell: a closure captures what it
        // may move, whether the move is reached or not.) A `&mut` reference is reborrowed instead of moved, so the variable must
        // certainly not be one.
        let is_captured = var.body < self.bodies.len() && known == Known::Nothing;
        if is_captured && var.is_owned && self.liveness.is_shared(root) {
            return self.construct(root.span(), Construct::Captured(place));
        }
        // A closure moves what it captures by value in any case.
        let is_used_later = self.liveness.is_used_later(root) && var.body == self.bodies.len();
        let branches = self.branches_from(depth);
        let span = root.span();
        match known {
            Known::Number | Known::Plain | Known::MutRef => place,
            _ if branches.is_empty() && !is_used_later => place,
            _ if self.captures > 0 && is_used_later => {
                self.construct(span, Construct::Coerced(place))
            }
            Known::Nothing if branches.is_empty() => self.construct(span, Construct::Again(place)),
            Known::Nothing => {
                let taken = match is_used_later {
                    true => self.construct(span, Construct::Again(place.clone())),
                    false => place.clone(),
                };
                self.kept(span, branches, KeptWhat::Place { place, taken })
            }
        }
    }

    /// A value that is moved in code that may run again for another branch.
    pub fn kept(&mut self, span: Span, flows: Vec<FlowId>, what: KeptWhat) -> Expr {
        self.construct(span, Construct::Kept(Kept { flows, what }))
    }

    /// Any other expression; only its parts are collected.
    pub fn expr(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::If(_)
            | Expr::Match(_)
            | Expr::Index(_)
            | Expr::Tuple(_)
            | Expr::Call(_)
            | Expr::Loop(_) => self.value(expr, None),
            Expr::While(e) => self.while_expr(e),
            Expr::ForLoop(e) => self.for_expr(e),
            Expr::Block(e) => self.block_expr(e),
            Expr::Break(e) => self.break_expr(e),
            Expr::Continue(e) => self.continue_expr(e),
            Expr::Return(e) => self.return_expr(e),
            Expr::Binary(e) => self.binary(e),
            Expr::Unary(e) => self.unary(e),
            Expr::Assign(e) => self.assign(e),
            Expr::Closure(e) => self.closure(e),
            Expr::MethodCall(e) => self.method_call(e),
            Expr::Reference(e) => self.reference(e),
            Expr::Macro(mut e) => match self.macro_call(e.mac.clone()) {
                Collected::Macro(mac) => {
                    e.mac = mac;
                    Expr::Macro(e)
                }
                Collected::Expr(expr) => expr,
            },
            Expr::Array(mut e) => {
                e.elems = e.elems.into_iter().map(|v| self.value(v, None)).collect();
                Expr::Array(e)
            }
            Expr::Repeat(mut e) => {
                *e.expr = self.value(*e.expr, None);
                Expr::Repeat(e)
            }
            Expr::Struct(e) => self.structure(e),
            Expr::Paren(mut e) => {
                *e.expr = self.expr(*e.expr);
                Expr::Paren(e)
            }
            Expr::Group(e) => self.expr(*e.expr),
            Expr::Field(mut e) => {
                *e.base = self.place(*e.base);
                Expr::Field(e)
            }
            Expr::Cast(mut e) => {
                *e.expr = match *e.ty {
                    // A reference isn't moved, but lent.
                    Type::Ptr(_) => self.place(*e.expr),
                    _ => self.value(*e.expr, None),
                };
                Expr::Cast(e)
            }
            Expr::Range(mut e) => {
                e.start = e.start.map(|s| Box::new(self.value(*s, None)));
                e.end = e.end.map(|s| Box::new(self.value(*s, None)));
                Expr::Range(e)
            }
            Expr::Try(e) => self.tried(e),
            Expr::Let(mut e) => {
                *e.expr = self.looked_into(*e.expr);
                self.declare(&e.pat, Known::Nothing, false);
                Expr::Let(e)
            }
            Expr::Unsafe(_) => self.value(expr, None),
            other => other,
        }
    }

    fn structure(&mut self, mut e: syn::ExprStruct) -> Expr {
        for field in &mut e.fields {
            let shorthand = field.colon_token.is_none();
            let value = self.value(field.expr.clone(), None);
            if shorthand && !matches!(value, Expr::Path(_)) {
                field.colon_token = Some(Default::default());
            }
            field.expr = value;
        }
        match e.rest.take() {
            Some(rest) => self.structure_from(e, *rest),
            None => Expr::Struct(e),
        }
    }

    /// `S { x: y, ..base }`: the fields that aren't written are moved out of the base. If one branch moves them, the other branch needs
    /// them, too.
    fn structure_from(&mut self, mut e: syn::ExprStruct, base: Expr) -> Expr {
        let variable = match &base {
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        let var = variable.and_then(|name| self.scopes.get(&name.to_string()));
        let branches = match var {
            Some(var) if var.known == Known::Nothing && var.body == self.bodies.len() => {
                self.branches_from(var.depth)
            }
            _ => Vec::new(),
        };
        if branches.is_empty() {
            e.rest = Some(Box::new(self.expr(base)));
            return Expr::Struct(e);
        }
        let span = e.path.span();
        let structure = e;
        self.kept(span, branches, KeptWhat::Base { structure, base })
    }

    /// The constructs from a nesting depth on whose code may run again.
    fn branches_from(&self, depth: usize) -> Vec<FlowId> {
        let around = self.flows[depth.min(self.flows.len())..].iter();
        around
            .map(|around| around.id)
            .filter(|id| self.leaving || !matches!(self.tree[*id].what, What::Loop { .. }))
            .collect()
    }

    /// An expression used in place: borrowed, matched on, or the receiver of a method. Nothing is moved out of it here.
    pub fn place(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::Path(_) => expr,
            Expr::Index(mut e) => {
                *e.expr = self.place(*e.expr);
                *e.index = self.index(*e.index);
                Expr::Index(e)
            }
            Expr::Field(mut e) => {
                *e.base = self.place(*e.base);
                Expr::Field(e)
            }
            Expr::Unary(mut e) if matches!(e.op, syn::UnOp::Deref(_)) => {
                *e.expr = self.place(*e.expr);
                Expr::Unary(e)
            }
            Expr::Paren(mut e) => {
                *e.expr = self.place(*e.expr);
                Expr::Paren(e)
            }
            // The macro may expand to a place, and a copy would be another place.
            Expr::Macro(e) if macros::is_unknown(&e.mac) => Expr::Macro(e),
            other => self.expr(other),
        }
    }

    fn call(&mut self, mut call: syn::ExprCall, expected: Option<&Type>) -> Expr {
        *call.func = match *call.func {
            Expr::Path(path) => Expr::Path(path),
            other => self.place(other),
        };
        let wrapper = matches!(&*call.func, Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Some" || s.ident == "Ok"));
        let inner = expected
            .filter(|_| wrapper)
            .and_then(literal::first_argument);
        let first = self.before_self(&call.args);
        let shared = self.share(several(call.args.iter()));
        call.args = call
            .args
            .into_iter()
            .map(|a| self.value_or_lift(a, inner.as_ref()))
            .collect();
        self.end_sharing(shared);
        let taken = self.take_out(&mut call.args, first);
        self.behind_values(Expr::Call(call), taken)
    }

    fn method_call(&mut self, mut call: syn::ExprMethodCall) -> Expr {
        if let Expr::Index(index) = &*call.receiver {
            let index = index.clone();
            return self.item_method(call, index);
        }
        if self.is_about_values(&call) {
            return self.sought(call);
        }
        let unwrapped = unwraps(&call).then(|| self.unwrapped(&call.receiver));
        *call.receiver = self.place(*call.receiver);
        let shared = self.share(several(call.args.iter()));
        call.args = call.args.into_iter().map(|a| self.value(a, None)).collect();
        self.end_sharing(shared);
        let Some(receiver) = unwrapped else {
            return Expr::MethodCall(call);
        };
        let through = match receiver {
            Receiver::Other => Vec::new(),
            _ => self.failing(),
        };
        if through.is_empty() && receiver != Receiver::Reused {
            return Expr::MethodCall(call);
        }
        let span = call.method.span();
        let unwrapped = Unwrapped {
            call,
            receiver,
            through,
        };
        self.construct(span, Construct::Unwrapped(unwrapped))
    }

    /// The receiver of `unwrap` or `expect`. For these two methods, types say whether they are the standard library's. No type says what
    /// another method does to its receiver: such a method gets `x` itself, and if it takes `x` by value, rustc reports the move.
    fn unwrapped(&self, receiver: &Expr) -> Receiver {
        match receiver {
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) if self.is_reused(name) => Receiver::Reused,
                _ => Receiver::Place,
            },
            Expr::Field(field) if root(field).is_some() => Receiver::Place,
            Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) | Expr::Try(_) => Receiver::Value,
            _ => Receiver::Other,
        }
    }

    /// True for a variable that is needed again, in another branch or later.
    fn is_reused(&self, name: &Ident) -> bool {
        let Some(var) = self.scopes.get(&name.to_string()) else {
            return false;
        };
        let is_needed =
            self.liveness.is_used_later(name) || !self.branches_from(var.depth).is_empty();
        var.known == Known::Nothing && var.body == self.bodies.len() && is_needed
    }

    fn closure(&mut self, closure: syn::ExprClosure) -> Expr {
        let moves_self = closure.capture.is_some()
            && self.scopes.get("self").is_some()
            && macros::idents(closure.body.to_token_stream())
                .iter()
                .any(|name| name == "self");
        match moves_self {
            true => self.closure_over_self(closure),
            false => self.closure_itself(closure),
        }
    }

    /// A `move` closure in a `&mut self` method: it captures a reference of its own, because `self` is used again behind the body.
    fn closure_over_self(&mut self, mut closure: syn::ExprClosure) -> Expr {
        let span = closure.span();
        let name = Ident::new("self", span);
        let mut rename = Rename::inner(&name);
        rename.visit_expr_mut(&mut closure.body);
        let own = rename.to().clone();
        self.scopes.push();
        self.declare(&parse_quote!(#own), Known::MutRef, false);
        let closure = self.closure_itself(closure);
        self.scopes.pop();
        self.construct(span, Construct::OverSelf { own, closure })
    }

    fn closure_itself(&mut self, mut closure: syn::ExprClosure) -> Expr {
        let is_named = std::mem::take(&mut self.names_closure);
        // `check` reports such closures.
        if closure.asyncness.is_some() {
            return Expr::Closure(closure);
        }
        self.scopes.push();
        // A branch inside the closure doesn't run the code around the closure again.
        let flows = std::mem::take(&mut self.flows);
        for pat in &closure.inputs {
            let ty = match pat {
                Pat::Type(typed) => Some(&*typed.ty),
                _ => None,
            };
            self.declare_parameter(pat, ty);
            for (name, _) in bindings(pat) {
                if let Some(var) = self.scopes.get_mut(&name.to_string()) {
                    var.is_untold = var.is_inferred && is_named;
                }
            }
        }
        let result = match &closure.output {
            syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
            syn::ReturnType::Default => None,
        };
        let block: Block = match *closure.body {
            Expr::Block(e) if e.label.is_none() => e.block,
            other => build::block(vec![Stmt::Expr(other, None)]),
        };
        let block = self.own_frame(block);
        let block = self.body(block, result, Vec::new());
        self.flows = flows;
        self.scopes.pop();
        *closure.body = match single_expression(&block) {
            Some(expr) if matches!(closure.output, syn::ReturnType::Default) => expr.clone(),
            _ => Expr::Block(build::block_expr(None, block)),
        };
        Expr::Closure(closure)
    }
}

/// True for a call with the form of `Option::unwrap`, or of `Option::expect` with a string.
pub(super) fn unwraps(call: &syn::ExprMethodCall) -> bool {
    let arguments: Vec<&Expr> = call.args.iter().collect();
    match arguments.as_slice() {
        [] => call.method == "unwrap",
        [text] => call.method == "expect" && is_text(text),
        _ => false,
    }
}

/// True for `"…"` and `&format!("…")`.
fn is_text(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(lit) => matches!(lit.lit, syn::Lit::Str(_)),
        Expr::Reference(reference) => {
            matches!(&*reference.expr, Expr::Macro(e) if e.mac.path.is_ident("format"))
        }
        _ => false,
    }
}

/// True for a type that may be a tensor type with a shape.
fn may_have_shape(ty: &Type) -> bool {
    matches!(ty, Type::Path(_)) && !is_primitive(ty)
}

/// The variable that a field belongs to.
pub fn root(field: &syn::ExprField) -> Option<&Ident> {
    match &*field.base {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(inner) => root(inner),
        _ => None,
    }
}

fn single_expression(block: &Block) -> Option<&Expr> {
    match block.stmts.as_slice() {
        [Stmt::Expr(expr, None)] => Some(expr),
        _ => None,
    }
}
