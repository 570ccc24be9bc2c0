//! Lowering: a function body in, the same body out, with operators in the places where types must choose between
//! Rust and the graph. Native control flow stays native; around it stands what a tensor condition needs to run the
//! code once per branch. Each file lowers one family of forms.

/// An expression from tokens, without parsing them: what is lowered already needn't be taken apart again at each level
/// around it. The tokens must bind like a call or a block.
macro_rules! code {
    ($span:expr=> $($tokens:tt)*) => {
        syn::Expr::Verbatim(quote::quote_spanned!($span=> $($tokens)*))
    };
}

mod branch;
mod leave;
pub(crate) mod literal;
mod matching;
mod operator;
mod repeat;

use std::collections::{HashMap, HashSet};

use proc_macro2::Span;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Ident, Lifetime, Local, Pat, Stmt, Type, parse_quote};

use crate::activity::{self, Exit, Place};
use crate::errors::Errors;
use crate::macros;
use crate::rename::Rename;
use crate::scope::{Known, Scopes, Var, bindings, known_type};

/// A construct around the place being lowered that a tensor may decide about.
pub(crate) struct Region {
    /// The variable that holds it, such as `if_stmt`.
    pub ident: Ident,
    /// The label of the loop it runs in.
    pub label: Lifetime,
    pub is_labelled: bool,
    pub what: What,
    /// The places that `break` and `continue` of it take along.
    pub places: Vec<Place>,
    /// The kinds of the conditions that decide about leaving it.
    pub escapes: Vec<Ident>,
    /// The type of the value that `break` takes out of it, where it is written down.
    pub result: Option<Type>,
}

/// What a region is.
pub(crate) enum What {
    Branch,
    /// A loop, or a block with this label.
    Loop {
        label: Option<String>,
    },
    Block {
        label: String,
    },
}

/// A body whose `return` is its own: a function or a closure.
pub(crate) struct Body {
    /// The declared result.
    pub result: Option<Type>,
    /// The first region inside.
    pub regions: usize,
    /// Kinds to declare at the top.
    pub kinds: Vec<Ident>,
    /// The `&mut` parameters, which a `return` takes along.
    pub written: Vec<proc_macro2::TokenStream>,
}

/// The lowering of one function.
pub(crate) struct Lower {
    pub errors: Errors,
    pub scopes: Scopes,
    pub regions: Vec<Region>,
    pub bodies: Vec<Body>,
    counters: HashMap<&'static str, usize>,
    /// Where each name stands in the function.
    mentions: HashMap<String, Vec<macros::Position>>,
    /// The names that stand inside closures.
    captured: HashSet<String>,
    /// True inside the value of a `return` or `break`: behind it a replayed loop goes on.
    pub leaving: bool,
    /// How many loops that Rust runs without a region stand around, and conditions of loops.
    pub repeated: usize,
    /// The variable that the statement changes.
    pub changing: Option<String>,
}

impl Lower {
    /// The lowering of a function with these tokens.
    pub fn new(function: &syn::ItemFn) -> Lower {
        let mut mentions = HashMap::new();
        macros::mentions(quote::ToTokens::to_token_stream(function), &mut mentions);
        let captured = activity::captured(&function.block);
        Lower {
            errors: Errors::default(),
            scopes: Scopes::default(),
            regions: Vec::new(),
            bodies: Vec::new(),
            counters: HashMap::new(),
            mentions,
            captured,
            leaving: false,
            repeated: 0,
            changing: None,
        }
    }

    /// True if a variable that may be of any type isn't named any more behind this mention of it, and nothing runs the mention
    /// again: then it can as well be moved, which needs no `Clone`.
    pub fn is_last_use(&self, name: &Ident, var: &Var) -> bool {
        let at = macros::position(name.span());
        let text = name.to_string();
        let later = self
            .mentions
            .get(&text)
            .map_or(0, |all| all.iter().filter(|p| **p >= at).count());
        let again = self.repeated > 0
            || self.changing.as_ref() == Some(&text)
            || self.captured.contains(&text);
        later == 1
            && !again
            && var.known == Known::Nothing
            && var.depth == self.regions.len()
            && var.body == self.bodies.len()
    }

    /// A variable name for generated code: invisible to the user's, readable in expanded code.
    pub fn fresh(&mut self, name: &'static str, span: Span) -> Ident {
        let count = self.counters.entry(name).or_default();
        *count += 1;
        let name = if *count == 1 {
            name.to_owned()
        } else {
            format!("{name}_{count}")
        };
        Ident::new(&name, Span::mixed_site().located_at(span))
    }

    pub fn label(ident: &Ident) -> Lifetime {
        Lifetime::new(&format!("'{ident}"), ident.span())
    }

    // ---- bodies, blocks, statements ----

    /// Lowers a body whose `return` is its own.
    pub fn body(
        &mut self,
        block: Block,
        result: Option<Type>,
        written: Vec<proc_macro2::TokenStream>,
    ) -> Block {
        let returns = result.clone();
        self.bodies.push(Body {
            result,
            regions: self.regions.len(),
            kinds: Vec::new(),
            written,
        });
        let mut block = self.block(block, Want::Value(returns.as_ref()));
        let body = self.bodies.pop().expect("pushed above");
        let kinds = body
            .kinds
            .iter()
            .map(|kind| -> Stmt { parse_quote!(let #kind = ag__::kind();) });
        block.stmts.splice(0..0, kinds);
        block
    }

    /// Lowers a block with a scope of its own.
    pub fn block(&mut self, block: Block, want: Want<'_>) -> Block {
        self.scopes.push();
        let count = block.stmts.len();
        let mut stmts = Vec::with_capacity(count);
        let mut rest = block.stmts;
        rest.reverse();
        while let Some(mut stmt) = rest.pop() {
            if let Stmt::Local(local) = &mut stmt {
                for mut rename in self.shadows(&local.pat) {
                    rename.visit_pat_mut(&mut local.pat);
                    rest.iter_mut().for_each(|stmt| rename.visit_stmt_mut(stmt));
                }
            }
            let last = rest.is_empty();
            stmts.extend(self.stmt(stmt, last, want));
        }
        self.scopes.pop();
        Block {
            brace_token: block.brace_token,
            stmts,
        }
    }

    /// New names for those that a pattern binds and that a loop or block around takes along: both must stay nameable.
    pub fn shadows(&self, pat: &Pat) -> Vec<Rename> {
        let names = bindings(pat).into_iter().map(|(name, _)| name);
        let taken_along = |name: &Ident| {
            let id = self.scopes.get(&name.to_string()).map(|v| v.id);
            self.regions
                .iter()
                .flat_map(|r| &r.places)
                .any(|p| name == &p.root && Some(p.id) == id)
        };
        names
            .filter(taken_along)
            .map(|name| Rename::inner(&name))
            .collect()
    }

    fn stmt(&mut self, stmt: Stmt, last: bool, want: Want<'_>) -> Vec<Stmt> {
        match stmt {
            // What an attribute such as `cfg` is about must stay one statement.
            Stmt::Expr(mut expr, semi) if !(last && semi.is_none()) && has_attributes(&expr) => {
                let attrs = take_attributes(&mut expr);
                let expr = self.statement(expr);
                vec![parse_quote!(#(#attrs)* { #expr; })]
            }
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(expr, None) if last => match want {
                Want::Value(expected) => vec![Stmt::Expr(self.value_or_lift(expr, expected), None)],
                Want::Nothing => vec![Stmt::Expr(self.statement(expr), None)],
            },
            Stmt::Expr(mut expr, semi) => {
                let attrs = take_attrs(&mut expr);
                let lowered = self.statement(expr);
                let Some(first) = attrs.first() else {
                    return vec![Stmt::Expr(lowered, semi)];
                };
                let block = code!(first.span()=> #(#attrs)* { #lowered #semi });
                vec![Stmt::Expr(block, None)]
            }
            Stmt::Macro(mut stmt) => {
                let is_tail = last && stmt.semi_token.is_none();
                // A macro that isn't known may declare variables: as a statement it stays as it is.
                if !is_tail && macros::arguments(&stmt.mac).is_none() {
                    return vec![Stmt::Macro(stmt)];
                }
                match self.macro_call(stmt.mac.clone()) {
                    Lowered::Macro(mac) => {
                        stmt.mac = mac;
                        vec![Stmt::Macro(stmt)]
                    }
                    Lowered::Expr(expr) if is_tail => vec![Stmt::Expr(expr, None)],
                    Lowered::Expr(expr) => vec![Stmt::Expr(expr, Some(Default::default()))],
                }
            }
            Stmt::Item(item) => vec![Stmt::Item(self.item(item))],
        }
    }

    fn local(&mut self, mut local: Local) -> Vec<Stmt> {
        let annotation = match &local.pat {
            Pat::Type(typed) => Some((*typed.ty).clone()),
            _ => None,
        };
        let mut known = annotation
            .as_ref()
            .map(known_type)
            .unwrap_or(Known::Nothing);
        let mut uninitialized = false;
        match local.init.take() {
            Some(mut init) => {
                if known == Known::Nothing {
                    known = self.scopes.known_expr(&init.expr);
                }
                let expected = annotation.as_ref().filter(|ty| !has_infer(ty));
                let in_place = init.diverge.is_some()
                    || !matches!(strip_type(&local.pat), Pat::Ident(p) if p.by_ref.is_none());
                *init.expr = if in_place && matches!(&*init.expr, Expr::Index(_)) {
                    self.place(*init.expr)
                } else if literal::wants_lift(&init.expr, expected) {
                    self.lift(*init.expr)
                } else {
                    self.value(*init.expr, expected)
                };
                if let Some((else_token, diverge)) = init.diverge.take() {
                    init.diverge = Some((else_token, Box::new(self.statement(*diverge))));
                }
                local.init = Some(init);
            }
            None => {
                uninitialized = true;
                // Under a tensor condition each branch is traced, so each assigns.
                if let Pat::Ident(p) = strip_type_mut(&mut local.pat) {
                    p.mutability.get_or_insert_with(Default::default);
                }
            }
        }
        // A tuple of literals is no tensor, but its parts may still be anything.
        if !matches!(strip_type(&local.pat), Pat::Ident(_)) {
            known = Known::Nothing;
        }
        let shadowed = self.maybe_shadowed(&local);
        self.declare(&local.pat, known, uninitialized);
        for (name, outer) in shadowed {
            if let Some(var) = self.scopes.get_mut(&name) {
                var.mutable |= outer.mutable;
                var.known = if var.known == outer.known {
                    outer.known
                } else {
                    Known::Nothing
                };
            }
        }
        vec![Stmt::Local(local)]
    }

    /// The variables that a `let` under `cfg` shadows if it is compiled at all: what holds of either may hold afterwards.
    fn maybe_shadowed(&self, local: &Local) -> Vec<(String, Var)> {
        if !local
            .attrs
            .iter()
            .any(|attribute| attribute.path().is_ident("cfg"))
        {
            return Vec::new();
        }
        let names = bindings(&local.pat)
            .into_iter()
            .map(|(name, _)| name.to_string());
        names
            .filter_map(|name| self.scopes.get(&name).cloned().map(|var| (name, var)))
            .collect()
    }

    /// Declares the names of a pattern.
    pub fn declare(&mut self, pat: &Pat, known: Known, uninitialized: bool) {
        let depth = self.regions.len();
        for (name, mutable) in bindings(pat) {
            self.scopes.declare(
                &name,
                Var {
                    mutable,
                    known,
                    uninitialized,
                    open: false,
                    id: 0,
                    depth,
                    body: self.bodies.len(),
                },
            );
        }
    }

    fn item(&mut self, item: syn::Item) -> syn::Item {
        let syn::Item::Fn(mut item) = item else {
            return item;
        };
        let is_graph_fn = item.attrs.iter().any(|a| {
            a.path()
                .segments
                .last()
                .is_some_and(|s| s.ident == "graph_fn")
        });
        if is_graph_fn || item.sig.constness.is_some() || item.sig.asyncness.is_some() {
            return syn::Item::Fn(item);
        }
        // A nested function sees none of the variables around it.
        let scopes = std::mem::take(&mut self.scopes);
        let regions = std::mem::take(&mut self.regions);
        let bodies = std::mem::take(&mut self.bodies);
        self.scopes.push();
        for (pat, ty) in item.sig.inputs.iter().filter_map(crate::scope::parameter) {
            self.declare(pat, known_type(ty), false);
        }
        let result = match &item.sig.output {
            syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
            syn::ReturnType::Default => None,
        };
        let block = self.own_frame(*item.block, result.clone());
        item.block = Box::new(self.body(block, result, Vec::new()));
        (self.scopes, self.regions, self.bodies) = (scopes, regions, bodies);
        syn::Item::Fn(item)
    }

    /// A body that isn't a graph function's: a `return` in it that a tensor may decide about leaves a labelled block.
    fn own_frame(&mut self, block: Block, result: Option<Type>) -> Block {
        let exits = activity::exits(|v| syn::visit::Visit::visit_block(v, &block));
        if !exits.contains(&Exit::Return) {
            return block;
        }
        let label = Lifetime::new("'body", Span::mixed_site());
        let block = leave::returns_to_breaks(block, &label);
        let _ = result;
        parse_quote!({ #label: #block })
    }

    // ---- expressions ----

    /// An expression whose value nobody takes.
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

    /// A value, or a literal where a tensor may be due.
    pub fn value_or_lift(&mut self, expr: Expr, expected: Option<&Type>) -> Expr {
        let lift = literal::wants_lift(&expr, expected);
        if lift {
            self.lift(expr)
        } else {
            self.value(expr, expected)
        }
    }

    /// An expression whose value is taken: moved, copied or returned.
    pub fn value(&mut self, expr: Expr, expected: Option<&Type>) -> Expr {
        match expr {
            Expr::Path(path) => self.taken(path),
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

    /// A variable taken by value. Inside a branch that may run once more for the other side, a tensor is cloned.
    pub fn taken(&mut self, path: syn::ExprPath) -> Expr {
        let Some(ident) = path.path.get_ident().cloned() else {
            return Expr::Path(path);
        };
        let Some(var) = self.scopes.get(&ident.to_string()) else {
            return Expr::Path(path);
        };
        let (known, depth) = (var.known, var.depth);
        let around = self.regions[depth.min(self.regions.len())..].iter();
        let branches: Vec<Ident> = around
            .filter(|r| self.leaving || !matches!(r.what, What::Loop { .. }))
            .map(|r| r.ident.clone())
            .collect();
        match known {
            _ if branches.is_empty() => Expr::Path(path),
            Known::Plain | Known::MutRef => Expr::Path(path),
            // A method, so that a mismatch is told of the tensors, not of references to them.
            Known::Tensor => code!(ident.span()=> #ident.clone()),
            Known::Nothing => {
                let graph = branches.iter().map(|b| quote_spanned!(ident.span()=> if #b.is_graph() { #b.replays().keep(&#ident) } else));
                let rust = branches
                    .iter()
                    .map(|b| quote_spanned!(ident.span()=> #b.rust();));
                code!(ident.span()=> (#(#graph)* { #(#rust)* #ident }))
            }
        }
    }

    /// Any other expression: its parts are lowered.
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
                Lowered::Macro(mac) => {
                    e.mac = mac;
                    Expr::Macro(e)
                }
                Lowered::Expr(expr) => expr,
            },
            Expr::Array(mut e) => {
                e.elems = e.elems.into_iter().map(|v| self.value(v, None)).collect();
                Expr::Array(e)
            }
            Expr::Repeat(mut e) => {
                *e.expr = self.value(*e.expr, None);
                Expr::Repeat(e)
            }
            Expr::Struct(mut e) => {
                for field in &mut e.fields {
                    let shorthand = field.colon_token.is_none();
                    let value = self.value(field.expr.clone(), None);
                    if shorthand && !matches!(value, Expr::Path(_)) {
                        field.colon_token = Some(Default::default());
                    }
                    field.expr = value;
                }
                if let Some(rest) = e.rest.take() {
                    e.rest = Some(Box::new(self.expr(*rest)));
                }
                Expr::Struct(e)
            }
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
                if self.scopes.known_expr(&e.expr) == Known::Tensor {
                    let ty = quote::ToTokens::to_token_stream(&e.ty);
                    let message =
                        format!("`as` casts Rust numbers, not tensors: write `.cast::<{ty}>()`");
                    self.errors.push(&e, &message);
                }
                *e.expr = self.value(*e.expr, None);
                Expr::Cast(e)
            }
            Expr::Range(mut e) => {
                e.start = e.start.map(|s| Box::new(self.value(*s, None)));
                e.end = e.end.map(|s| Box::new(self.value(*s, None)));
                Expr::Range(e)
            }
            Expr::Try(mut e) => {
                self.refuse_try(&e);
                *e.expr = self.value(*e.expr, None);
                Expr::Try(e)
            }
            Expr::Let(mut e) => {
                *e.expr = self.place(*e.expr);
                self.declare(&e.pat, Known::Nothing, false);
                Expr::Let(e)
            }
            Expr::Unsafe(_) => self.value(expr, None),
            Expr::Async(e) => {
                self.errors.push(&e, "`async` blocks are not supported in a graph function: a trace runs at once, without suspending. Compute the future's value before the call and pass it in");
                Expr::Async(e)
            }
            Expr::Await(e) => {
                self.errors.push(&e, "`.await` is not supported in a graph function: a trace runs at once, without suspending. Await before the call and pass the value in");
                Expr::Await(e)
            }
            Expr::TryBlock(e) => {
                self.errors.push(&e, "`try` blocks are not supported in a graph function: use a closure that returns a `Result`");
                Expr::TryBlock(e)
            }
            Expr::Yield(e) => {
                self.errors.push(&e, "`yield` is not supported in a graph function: collect into a `Vec` or a tensor instead");
                Expr::Yield(e)
            }
            other => other,
        }
    }

    /// `?` in a function that can't return what it gives: rustc would speak of a closure, which the body becomes.
    fn refuse_try(&mut self, e: &syn::ExprTry) {
        let Some(ty) = self.bodies.last().and_then(|b| b.result.as_ref()) else {
            return;
        };
        if known_type(ty) == Known::Tensor || crate::scope::is_primitive(ty) {
            let ty = quote::ToTokens::to_token_stream(ty)
                .to_string()
                .replace(' ', "");
            let message = format!(
                "`?` needs a function that returns a `Result` or an `Option`: this one returns `{ty}`"
            );
            self.errors.push(&e.question_token, &message);
        }
    }

    /// An expression used in place: borrowed, matched on, called methods on. Nothing is moved out of it here.
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
        call.args = call
            .args
            .into_iter()
            .map(|a| self.value_or_lift(a, inner.as_ref()))
            .collect();
        Expr::Call(call)
    }

    fn method_call(&mut self, mut call: syn::ExprMethodCall) -> Expr {
        *call.receiver = match *call.receiver {
            Expr::Index(index) => self.index_receiver(index, &call.method),
            Expr::Path(path) if CONSUMERS.contains(&call.method.to_string().as_str()) => {
                self.taken(path)
            }
            other => self.place(other),
        };
        call.args = call.args.into_iter().map(|a| self.value(a, None)).collect();
        Expr::MethodCall(call)
    }

    fn closure(&mut self, mut closure: syn::ExprClosure) -> Expr {
        if closure.asyncness.is_some() {
            self.errors.push(&closure, "`async` closures are not supported in a graph function: a trace runs at once, without suspending");
            return Expr::Closure(closure);
        }
        self.scopes.push();
        for pat in &closure.inputs {
            let known = match pat {
                Pat::Type(typed) => known_type(&typed.ty),
                _ => Known::Nothing,
            };
            self.declare(pat, known, false);
        }
        let result = match &closure.output {
            syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
            syn::ReturnType::Default => None,
        };
        let block: Block = match *closure.body {
            Expr::Block(e) if e.label.is_none() => e.block,
            other => parse_quote!({ #other }),
        };
        let block = self.own_frame(block, result.clone());
        // What is outside of the closure is not run again by what is inside.
        let regions = std::mem::take(&mut self.regions);
        let block = self.body(block, result, Vec::new());
        self.regions = regions;
        self.scopes.pop();
        *closure.body = match single_expression(&block) {
            Some(expr) if matches!(closure.output, syn::ReturnType::Default) => expr.clone(),
            _ => parse_quote!(#block),
        };
        Expr::Closure(closure)
    }

    fn macro_call(&mut self, mac: syn::Macro) -> Lowered {
        let name = macros::name(&mac);
        match name.as_str() {
            "matches" => self.matches_macro(mac),
            "assert" | "debug_assert" | "assert_eq" | "debug_assert_eq" | "assert_ne"
            | "debug_assert_ne" => self.assert_macro(mac, &name),
            _ => {
                if let Some((value, count)) = macros::repeat_arguments(&mac) {
                    let value = self.value(value, None);
                    return Lowered::Macro(with_tokens(mac, quote::quote!(#value; #count)));
                }
                let Some(arguments) = macros::arguments(&mac) else {
                    return self.unknown_macro(mac);
                };
                // An argument may be borrowed while the next one is evaluated.
                self.repeated += 1;
                let arguments = arguments
                    .into_iter()
                    .map(|a| self.macro_argument(a, name == "vec"));
                let arguments: Vec<Expr> = arguments.collect();
                self.repeated -= 1;
                Lowered::Macro(with_tokens(mac, quote::quote!(#(#arguments),*)))
            }
        }
    }

    /// A macro that isn't known may take the variables it is given by value: inside a branch it gets clones of tensors.
    fn unknown_macro(&mut self, mac: syn::Macro) -> Lowered {
        let mut names: Vec<Ident> = macros::idents(mac.tokens.clone());
        names.sort();
        names.dedup();
        let depth_of = |name: &Ident| {
            let var = self.scopes.get(&name.to_string())?;
            let taken = !var.mutable && matches!(var.known, Known::Tensor | Known::Nothing);
            taken.then_some(var.depth.min(self.regions.len()))
        };
        let taken: Vec<(Ident, usize)> = names
            .into_iter()
            .filter_map(|n| depth_of(&n).map(|d| (n, d)))
            .collect();
        let depth = taken
            .iter()
            .map(|(_, depth)| *depth)
            .min()
            .unwrap_or(self.regions.len());
        let around = self.regions[depth..]
            .iter()
            .filter(|r| !matches!(r.what, What::Loop { .. }));
        let branches: Vec<&Ident> = around.map(|r| &r.ident).collect();
        if branches.is_empty() {
            return Lowered::Macro(mac);
        }
        let names: Vec<&Ident> = taken.iter().map(|(name, _)| name).collect();
        let graph = branches.iter().map(|b| quote::quote!(if #b.is_graph() { #(let #names = #b.replays().keep(&#names);)* #mac } else));
        Lowered::Expr(code!(mac.path.span()=> (#(#graph)* { #(#branches.rust();)* #mac })))
    }

    fn macro_argument(&mut self, argument: Expr, by_value: bool) -> Expr {
        match argument {
            // `name = value` of a format string.
            Expr::Assign(mut e) if matches!(*e.left, Expr::Path(_)) => {
                *e.right = self.place(*e.right);
                Expr::Assign(e)
            }
            Expr::Index(e) => self.index_value(e),
            other if by_value => self.value(other, None),
            other => self.place(other),
        }
    }

    fn matches_macro(&mut self, mac: syn::Macro) -> Lowered {
        let Some((expr, rest)) = macros::matches_arguments(&mac) else {
            return Lowered::Macro(mac);
        };
        let expr = self.place(expr);
        Lowered::Macro(with_tokens(mac, quote::quote!(#expr, #rest)))
    }

    fn assert_macro(&mut self, mac: syn::Macro, name: &str) -> Lowered {
        let Some(mut arguments) = macros::arguments(&mac) else {
            return Lowered::Macro(mac);
        };
        let (debug, name) = match name.strip_prefix("debug_") {
            Some(name) => (true, name),
            None => (false, name),
        };
        let operands = if name == "assert" { 1 } else { 2 };
        if arguments.len() < operands {
            return Lowered::Macro(mac);
        }
        let span = arguments[0].span();
        let rest: Vec<Expr> = arguments
            .split_off(operands)
            .into_iter()
            .map(|a| self.macro_argument(a, false))
            .collect();
        let message: Expr = match rest.as_slice() {
            [] => code!(span=> || None),
            rest => code!(span=> || Some(format!(#(#rest),*))),
        };
        let expr: Expr = if name == "assert" {
            let condition = arguments.remove(0);
            let text = macros::text(&condition);
            let condition = self.condition(condition);
            code!(span=> ag__::assert_stmt(#condition, #text, #message))
        } else {
            let right = self.compared(arguments.remove(1));
            let left = self.compared(arguments.remove(0));
            let method = Ident::new(name, span);
            code!(span=> ag__::cmp(&#left, &#right).#method(#message))
        };
        Lowered::Expr(if debug {
            code!(span=> if cfg!(debug_assertions) { #expr })
        } else {
            expr
        })
    }
}

/// Methods that take their receiver by value.
const CONSUMERS: &[&str] = &[
    "unwrap",
    "expect",
    "unwrap_or",
    "unwrap_or_else",
    "unwrap_or_default",
    "unwrap_err",
    "ok_or",
    "ok_or_else",
    "into_iter",
    "into",
    "into_boxed_slice",
    "into_bytes",
    "into_inner",
];

/// Whether the value of a block is taken, and what type it has.
#[derive(Clone, Copy)]
pub(crate) enum Want<'a> {
    Nothing,
    Value(Option<&'a Type>),
}

enum Lowered {
    Macro(syn::Macro),
    Expr(Expr),
}

/// The attributes, such as `cfg`, of an expression that lowering may replace.
macro_rules! attributes {
    ($expr:expr, $($borrow:tt)+) => {
        match $expr {
            Expr::Assign(e) => Some($($borrow)+ e.attrs),
            Expr::Binary(e) => Some($($borrow)+ e.attrs),
            Expr::Break(e) => Some($($borrow)+ e.attrs),
            Expr::Continue(e) => Some($($borrow)+ e.attrs),
            Expr::Call(e) => Some($($borrow)+ e.attrs),
            Expr::ForLoop(e) => Some($($borrow)+ e.attrs),
            Expr::If(e) => Some($($borrow)+ e.attrs),
            Expr::Loop(e) => Some($($borrow)+ e.attrs),
            Expr::Match(e) => Some($($borrow)+ e.attrs),
            Expr::MethodCall(e) => Some($($borrow)+ e.attrs),
            Expr::Return(e) => Some($($borrow)+ e.attrs),
            Expr::While(e) => Some($($borrow)+ e.attrs),
            _ => None,
        }
    };
}

fn has_attributes(expr: &Expr) -> bool {
    attributes!(expr, &).is_some_and(|attrs: &Vec<_>| !attrs.is_empty())
}

fn take_attributes(expr: &mut Expr) -> Vec<syn::Attribute> {
    attributes!(expr, &mut)
        .map(std::mem::take)
        .unwrap_or_default()
}

/// The attributes of a statement, which hold for all that it becomes. Those of formatters and the like are dropped.
fn take_attrs(expr: &mut Expr) -> Vec<syn::Attribute> {
    let attrs = match expr {
        Expr::If(e) => &mut e.attrs,
        Expr::While(e) => &mut e.attrs,
        Expr::ForLoop(e) => &mut e.attrs,
        Expr::Loop(e) => &mut e.attrs,
        Expr::Match(e) => &mut e.attrs,
        Expr::Block(e) => &mut e.attrs,
        Expr::Call(e) => &mut e.attrs,
        Expr::MethodCall(e) => &mut e.attrs,
        Expr::Assign(e) => &mut e.attrs,
        Expr::Binary(e) => &mut e.attrs,
        Expr::Return(e) => &mut e.attrs,
        Expr::Break(e) => &mut e.attrs,
        Expr::Continue(e) => &mut e.attrs,
        _ => return Vec::new(),
    };
    let kept = |attr: &syn::Attribute| attr.path().segments.len() == 1;
    std::mem::take(attrs).into_iter().filter(kept).collect()
}

fn with_tokens(mut mac: syn::Macro, tokens: proc_macro2::TokenStream) -> syn::Macro {
    mac.tokens = tokens;
    mac
}

fn strip_type(pat: &Pat) -> &Pat {
    match pat {
        Pat::Type(typed) => &typed.pat,
        other => other,
    }
}

fn strip_type_mut(pat: &mut Pat) -> &mut Pat {
    match pat {
        Pat::Type(typed) => &mut typed.pat,
        other => other,
    }
}

/// True if a type has `_` or `impl` in it, so that it can't annotate another variable.
pub(crate) fn has_infer(ty: &Type) -> bool {
    let text = quote::ToTokens::to_token_stream(ty).to_string();
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word == "_" || word == "impl")
}

fn single_expression(block: &Block) -> Option<&Expr> {
    match block.stmts.as_slice() {
        [Stmt::Expr(expr, None)] => Some(expr),
        _ => None,
    }
}
