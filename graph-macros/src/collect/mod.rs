//! Collecting: takes a function body and returns the same body with a construct at each place where types must choose between Rust and
//! the graph. The constructs, and everything that their code depends on, are decided here. Each file collects one family of forms.

mod assignment;
mod branch;
mod build;
mod classes;
mod conditions;
mod expression;
mod float;
mod invocation;
mod labelled;
mod leave;
mod lent;
pub(crate) mod literal;
mod local;
mod matching;
mod methods;
mod operator;
mod repeat;
mod shared;

use std::collections::HashMap;

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Ident, Lifetime, Pat, Stmt, Type, parse_quote};

use self::invocation::Collected;
use self::shared::of_closure_called;
use crate::activity::{self, ChangedPlace, Exit};
use crate::enclosing::parameters_around;
use crate::liveness::Liveness;
use crate::macros;
use crate::rename::Rename;
use crate::scope::{Known, Scopes, Var, bindings};
use crate::syntax::{Carried, Construct, FlowId, Gives, OpenKind, Tree};

/// A flow around the current position.
pub(crate) struct Around {
    pub id: FlowId,
    /// The places that its `break` and `continue` carry.
    pub places: Vec<ChangedPlace>,
    /// The type of its `break` value, if it is written.
    pub result: Option<Type>,
}

/// A body with its own `return`: of a function or a closure.
pub(crate) struct Body {
    /// The declared result.
    pub result: Option<Type>,
    /// The index of the first flow inside it.
    pub flows: usize,
    /// The kinds that are declared at its beginning.
    pub kinds: Vec<OpenKind>,
    /// The `&mut` parameters, which a `return` carries.
    pub parameters: Vec<Carried>,
}

/// The state of collecting one function.
pub(crate) struct Collector {
    pub scopes: Scopes,
    pub tree: Tree,
    /// The flows around the current position, innermost last.
    pub flows: Vec<Around>,
    pub bodies: Vec<Body>,
    counters: HashMap<&'static str, usize>,
    /// The `cfg` conditions around the current position.
    conditions: Vec<TokenStream>,
    /// Which variables are used later.
    pub liveness: Liveness,
    /// True inside the value of a `return` or `break`: after it, a replayed loop continues.
    pub leaving: bool,
    /// The number of closures in generated code around the current position: they capture what they may move, even if the move isn't
    /// reached.
    pub captures: usize,
    /// True if `self` isn't a reference, so that a part of it can be moved out.
    pub owns_self: bool,
    /// True if the function uses types with shapes, so that a tensor may need a conversion to a type with another shape.
    pub has_shapes: bool,
    /// True if the element type of a tensor may be a parameter, of the function or of the `impl` around it.
    pub is_generic: bool,
    /// True where a closure comes next that a `let` names: nothing but its calls tells the types of its parameters.
    pub names_closure: bool,
}

impl Collector {
    /// The initial state for a function.
    pub fn new(function: &syn::ItemFn) -> Collector {
        Collector {
            scopes: Scopes::default(),
            tree: Tree::default(),
            flows: Vec::new(),
            bodies: Vec::new(),
            counters: HashMap::new(),
            conditions: Vec::new(),
            liveness: Liveness::of(&function.block),
            leaving: false,
            captures: 0,
            owns_self: false,
            has_shapes: macros::is_invoked("shape", quote::quote!(#function)),
            is_generic: has_type_parameters(function),
            names_closure: false,
        }
    }

    /// True if a variable that may have any type isn't used after this mention, and the mention isn't replayed: then it can be moved,
    /// which doesn't require `Clone`.
    pub fn is_last_use(&self, name: &Ident, var: &Var) -> bool {
        self.liveness.is_last_use(name)
            && var.known == Known::Nothing
            && var.depth == self.flows.len()
            && var.body == self.bodies.len()
    }

    /// A variable name for generated code: user code can't refer to it, and it is readable in expanded code.
    pub fn fresh(&mut self, name: &'static str, span: Span) -> Ident {
        let count = self.counters.entry(name).or_default();
        *count += 1;
        let name = if *count == 1 {
            name.to_owned()
        } else {
            format!("{name}_{count}")
        };
        crate::expand::generated(&name, span)
    }

    pub fn label(ident: &Ident) -> Lifetime {
        Lifetime::new(&format!("'{ident}"), ident.span())
    }

    /// An expression that stands for a construct.
    pub fn construct(&mut self, span: Span, construct: Construct) -> Expr {
        self.tree.place(span, construct)
    }

    // ---- bodies, blocks, statements ----

    /// Collects a body with its own `return`.
    pub fn body(&mut self, block: Block, result: Option<Type>, parameters: Vec<Carried>) -> Block {
        let returns = result.clone();
        self.bodies.push(Body {
            result,
            flows: self.flows.len(),
            kinds: Vec::new(),
            parameters,
        });
        let mut block = self.block(block, Want::Value(returns.as_ref()));
        let body = self.bodies.pop().expect("pushed above");
        if !body.kinds.is_empty() {
            let kinds = self.construct(Span::call_site(), Construct::Kinds(body.kinds));
            block.stmts.insert(0, Stmt::Expr(kinds, None));
        }
        block
    }

    /// The kind of a condition at the current position; it is declared where the body begins.
    pub fn open_kind(&mut self, span: Span) -> Ident {
        let ident = self.fresh("kind", span);
        let conditions = self.conditions.clone();
        if let Some(body) = self.bodies.last_mut() {
            let ident = ident.clone();
            body.kinds.push(OpenKind { ident, conditions });
        }
        ident
    }

    /// Collects code under these attributes.
    pub fn under<R>(
        &mut self,
        attrs: &[syn::Attribute],
        collect: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let outer = self.conditions.len();
        let asked = attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
        self.conditions
            .extend(asked.filter_map(|attr| attr.parse_args().ok()));
        let collected = collect(self);
        self.conditions.truncate(outer);
        collected
    }

    /// Collects a block with a scope of its own.
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
            // If all later statements are under `cfg`, this one may be the last.
            let last = rest.iter().all(is_conditional) && (rest.is_empty() || !lacks_else(&stmt));
            let attrs = statement_attributes(&mut stmt).cloned().unwrap_or_default();
            let shared = self.share(of_closure_called(&stmt, &rest));
            stmts.extend(self.under(&attrs, |collector| collector.stmt(stmt, last, want)));
            self.end_sharing(shared);
        }
        self.scopes.pop();
        Block {
            brace_token: block.brace_token,
            stmts,
        }
    }

    /// New names for the variables of a pattern that shadow variables carried by a loop or block around it: generated code must be able
    /// to name both.
    pub fn shadows(&self, pat: &Pat) -> Vec<Rename> {
        let names = bindings(pat).into_iter().map(|(name, _)| name);
        let taken_along = |name: &Ident| {
            let id = self.scopes.get(&name.to_string()).map(|v| v.id);
            self.flows
                .iter()
                .flat_map(|r| &r.places)
                .any(|p| name == &p.root && Some(p.id) == id)
        };
        names
            .filter(taken_along)
            .map(|name| Rename::inner(&name))
            .collect()
    }

    fn stmt(&mut self, mut stmt: Stmt, last: bool, want: Want<'_>) -> Vec<Stmt> {
        // A statement under `cfg` must stay one statement; other attributes, such as a lint's, aren't needed any more.
        if let Stmt::Expr(expr, semi) = &mut stmt
            && let Some(attrs) = attributes(expr)
        {
            let attrs: Vec<_> = std::mem::take(attrs)
                .into_iter()
                .filter(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
                .collect();
            if !attrs.is_empty() {
                let (expr, semi) = match want {
                    Want::Value(expected) if last && semi.is_none() => {
                        (self.value_or_lift(expr.clone(), expected), None)
                    }
                    _ => (self.statement(expr.clone()), Some(Default::default())),
                };
                let block = build::block_expr(None, build::block(vec![Stmt::Expr(expr, semi)]));
                let block = syn::ExprBlock { attrs, ..block };
                return vec![Stmt::Expr(Expr::Block(block), None)];
            }
        }
        match stmt {
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(expr, None) if last => match want {
                Want::Value(expected) => vec![Stmt::Expr(self.value_or_lift(expr, expected), None)],
                Want::Nothing => vec![Stmt::Expr(self.statement(expr), None)],
            },
            Stmt::Expr(expr, semi) => vec![Stmt::Expr(self.statement(expr), semi)],
            Stmt::Macro(mut stmt) => {
                let is_tail = last && stmt.semi_token.is_none();
                // An unknown macro may declare variables: as a statement it stays unchanged.
                if !is_tail && macros::arguments(&stmt.mac).is_none() {
                    return vec![Stmt::Macro(stmt)];
                }
                match self.macro_call(stmt.mac.clone()) {
                    Collected::Macro(mac) => {
                        stmt.mac = mac;
                        vec![Stmt::Macro(stmt)]
                    }
                    Collected::Expr(expr) if is_tail => vec![Stmt::Expr(expr, None)],
                    Collected::Expr(expr) => vec![Stmt::Expr(expr, Some(Default::default()))],
                }
            }
            Stmt::Item(item) => vec![Stmt::Item(self.nested_item(item))],
        }
    }

    fn nested_item(&mut self, item: syn::Item) -> syn::Item {
        let syn::Item::Fn(mut item) = item else {
            return item;
        };
        if !is_collected(&item) {
            return syn::Item::Fn(item);
        }
        // A nested function doesn't see the variables around it.
        let scopes = std::mem::take(&mut self.scopes);
        let flows = std::mem::take(&mut self.flows);
        let bodies = std::mem::take(&mut self.bodies);
        self.scopes.push();
        for (pat, ty) in item.sig.inputs.iter().filter_map(crate::scope::parameter) {
            self.declare_parameter(pat, Some(ty));
        }
        let result = match &item.sig.output {
            syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
            syn::ReturnType::Default => None,
        };
        let block = self.own_frame(*item.block);
        item.block = Box::new(self.body(block, result, Vec::new()));
        (self.scopes, self.flows, self.bodies) = (scopes, flows, bodies);
        syn::Item::Fn(item)
    }

    /// The body of a closure or nested function: a `return` that a tensor may decide leaves a labelled block.
    fn own_frame(&mut self, block: Block) -> Block {
        let exits = activity::exits(|v| syn::visit::Visit::visit_block(v, &block));
        if !exits.contains(&Exit::Return) {
            return block;
        }
        let label = Lifetime::new("'body", Span::mixed_site());
        let block = leave::returns_to_breaks(block, &label);
        parse_quote!({ #label: #block })
    }
}

/// True if the function, or the `impl` around it, has a parameter that is a type.
fn has_type_parameters(function: &syn::ItemFn) -> bool {
    let around = parameters_around(function.sig.ident.span());
    let is_type = |p: &String| !p.starts_with('\'') && !p.starts_with("const ");
    function.sig.generics.type_params().next().is_some() || around.iter().any(is_type)
}

/// True for a nested function that is collected with the function around it: it has no `#[graph_fn]` of its own, and is neither `const`
/// nor `async`.
pub(crate) fn is_collected(item: &syn::ItemFn) -> bool {
    let last = |a: &syn::Attribute| a.path().segments.last().map(|s| s.ident.clone());
    let is_graph_fn = item.attrs.iter().filter_map(last).any(|s| s == "graph_fn");
    !is_graph_fn && item.sig.constness.is_none() && item.sig.asyncness.is_none()
}

/// Whether the value of a block is used, and its type.
#[derive(Clone, Copy)]
pub(crate) enum Want<'a> {
    Nothing,
    Value(Option<&'a Type>),
}

impl Want<'_> {
    /// The same for a construct. A type with inferred parts can't annotate another variable.
    pub fn gives(&self) -> Gives {
        match self {
            Want::Nothing => Gives::Nothing,
            Want::Value(ty) => Gives::Value(ty.filter(|ty| !has_infer(ty)).cloned()),
        }
    }

    /// True for a value without a written type.
    pub fn is_open(&self) -> bool {
        matches!(self, Want::Value(ty) if ty.is_none_or(has_infer))
    }
}

/// The attributes, such as `cfg`, of an expression that a construct may replace.
fn attributes(expr: &mut Expr) -> Option<&mut Vec<syn::Attribute>> {
    Some(match expr {
        Expr::Assign(e) => &mut e.attrs,
        Expr::Binary(e) => &mut e.attrs,
        Expr::Block(e) => &mut e.attrs,
        Expr::Break(e) => &mut e.attrs,
        Expr::Call(e) => &mut e.attrs,
        Expr::Continue(e) => &mut e.attrs,
        Expr::ForLoop(e) => &mut e.attrs,
        Expr::If(e) => &mut e.attrs,
        Expr::Loop(e) => &mut e.attrs,
        Expr::Match(e) => &mut e.attrs,
        Expr::MethodCall(e) => &mut e.attrs,
        Expr::Return(e) => &mut e.attrs,
        Expr::Unsafe(e) => &mut e.attrs,
        Expr::While(e) => &mut e.attrs,
        _ => return None,
    })
}

/// True for an `if` that ends without an `else`, so it has no value.
fn lacks_else(stmt: &Stmt) -> bool {
    fn ends_so(expr: &Expr) -> bool {
        match expr {
            Expr::If(e) => e
                .else_branch
                .as_ref()
                .is_none_or(|(_, other)| ends_so(other)),
            _ => false,
        }
    }
    matches!(stmt, Stmt::Expr(expr, None) if ends_so(expr))
}

/// True for a statement under `cfg`, which may not be compiled.
fn is_conditional(stmt: &Stmt) -> bool {
    statement_attributes(&mut stmt.clone())
        .is_some_and(|attrs| attrs.iter().any(|attr| attr.path().is_ident("cfg")))
}

fn statement_attributes(stmt: &mut Stmt) -> Option<&mut Vec<syn::Attribute>> {
    match stmt {
        Stmt::Local(local) => Some(&mut local.attrs),
        Stmt::Expr(expr, _) => attributes(expr),
        Stmt::Macro(mac) => Some(&mut mac.attrs),
        Stmt::Item(_) => None,
    }
}

/// True if a type contains `_` or `impl`, so that it can't annotate another variable.
pub(crate) fn has_infer(ty: &Type) -> bool {
    infers(quote::ToTokens::to_token_stream(ty))
}

/// True if the tokens of a type contain `_` or `impl`, except in the arguments of a macro.
fn infers(tokens: TokenStream) -> bool {
    let mut before = ' ';
    tokens.into_iter().any(|tree| {
        let last = std::mem::replace(&mut before, ' ');
        match tree {
            // An inferred lifetime is allowed everywhere.
            TokenTree::Ident(word) => (word == "_" && last != '\'') || word == "impl",
            TokenTree::Group(group) => last != '!' && infers(group.stream()),
            TokenTree::Punct(mark) => {
                before = mark.as_char();
                false
            }
            TokenTree::Literal(_) => false,
        }
    })
}
