//! Collecting: a function body in, the same body out, with a construct in each place where types must choose between Rust and the graph.
//! What a construct is, and all that its code depends on, is decided here. Each file collects one family of forms.

mod assignment;
mod branch;
mod build;
mod classes;
mod conditions;
mod expression;
mod invocation;
mod labelled;
mod leave;
pub(crate) mod literal;
mod local;
mod matching;
mod methods;
mod operator;
mod repeat;

use std::collections::HashMap;

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Ident, Lifetime, Pat, Stmt, Type, parse_quote};

use self::invocation::Collected;
use crate::activity::{self, Exit, Place};
use crate::liveness::Liveness;
use crate::macros;
use crate::rename::Rename;
use crate::scope::{Known, Scopes, Var, bindings};
use crate::syntax::{Carried, Construct, Gives, OpenKind, RegionId, Tree};

/// A region around the place being collected.
pub(crate) struct Around {
    pub id: RegionId,
    /// The places that `break` and `continue` of it take along.
    pub places: Vec<Place>,
    /// The type of the value that `break` takes out of it, where it is written down.
    pub result: Option<Type>,
}

/// A body whose `return` is its own: a function or a closure.
pub(crate) struct Body {
    /// The declared result.
    pub result: Option<Type>,
    /// The first region inside.
    pub regions: usize,
    /// Kinds to declare at the top.
    pub kinds: Vec<OpenKind>,
    /// The `&mut` parameters, which a `return` takes along.
    pub parameters: Vec<Carried>,
}

/// The collecting of one function.
pub(crate) struct Collector {
    pub scopes: Scopes,
    pub tree: Tree,
    /// The regions around the place being collected, the innermost last.
    pub regions: Vec<Around>,
    pub bodies: Vec<Body>,
    counters: HashMap<&'static str, usize>,
    /// What `cfg` asks around the place being collected.
    conditions: Vec<TokenStream>,
    /// Which variables are used later.
    pub liveness: Liveness,
    /// True inside the value of a `return` or `break`: behind it a replayed loop goes on.
    pub leaving: bool,
    /// How many closures of generated code stand around: what they move, they take along even where the move isn't reached.
    pub captures: usize,
    /// True if `self` is no reference, so that a part of it can be moved out.
    pub owns_self: bool,
    /// True if the function says shapes in types, so that a tensor may have to become one of another shape's type.
    pub has_shapes: bool,
}

impl Collector {
    /// The collecting of this function.
    pub fn new(function: &syn::ItemFn) -> Collector {
        Collector {
            scopes: Scopes::default(),
            tree: Tree::default(),
            regions: Vec::new(),
            bodies: Vec::new(),
            counters: HashMap::new(),
            conditions: Vec::new(),
            liveness: Liveness::of(&function.block),
            leaving: false,
            captures: 0,
            owns_self: false,
            has_shapes: macros::is_invoked("shape", quote::quote!(#function)),
        }
    }

    /// True if a variable that may be of any type isn't used any more behind this mention of it, and nothing replays the mention:
    /// then it can as well be moved, which needs no `Clone`.
    pub fn is_last_use(&self, name: &Ident, var: &Var) -> bool {
        self.liveness.is_last_use(name)
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
        crate::expand::generated(&name, span)
    }

    pub fn label(ident: &Ident) -> Lifetime {
        Lifetime::new(&format!("'{ident}"), ident.span())
    }

    /// Puts a construct where an expression stands.
    pub fn construct(&mut self, span: Span, construct: Construct) -> Expr {
        self.tree.place(span, construct)
    }

    // ---- bodies, blocks, statements ----

    /// Collects a body whose `return` is its own.
    pub fn body(&mut self, block: Block, result: Option<Type>, parameters: Vec<Carried>) -> Block {
        let returns = result.clone();
        self.bodies.push(Body {
            result,
            regions: self.regions.len(),
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

    /// The kind of a condition that comes at this place, declared where the body begins.
    pub fn open_kind(&mut self, span: Span) -> Ident {
        let ident = self.fresh("kind", span);
        let conditions = self.conditions.clone();
        if let Some(body) = self.bodies.last_mut() {
            let ident = ident.clone();
            body.kinds.push(OpenKind { ident, conditions });
        }
        ident
    }

    /// Collects what stands under these attributes.
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
            // Where all behind it is under `cfg`, it may be the last.
            let last = rest.iter().all(is_conditional) && (rest.is_empty() || !lacks_else(&stmt));
            let attrs = statement_attributes(&mut stmt).cloned().unwrap_or_default();
            stmts.extend(self.under(&attrs, |collector| collector.stmt(stmt, last, want)));
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

    fn stmt(&mut self, mut stmt: Stmt, last: bool, want: Want<'_>) -> Vec<Stmt> {
        // What `cfg` is about must stay one statement; other attributes, such as a lint's, have done their work.
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
                // A macro that isn't known may declare variables: as a statement it stays as it is.
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
        // A nested function sees none of the variables around it.
        let scopes = std::mem::take(&mut self.scopes);
        let regions = std::mem::take(&mut self.regions);
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
        (self.scopes, self.regions, self.bodies) = (scopes, regions, bodies);
        syn::Item::Fn(item)
    }

    /// A body that isn't a graph function's: a `return` in it that a tensor may decide about leaves a labelled block.
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

/// True for a nested function that is collected with the one around it: it isn't a graph function by itself, nor one that can't be.
pub(crate) fn is_collected(item: &syn::ItemFn) -> bool {
    let last = |a: &syn::Attribute| a.path().segments.last().map(|s| s.ident.clone());
    let is_graph_fn = item.attrs.iter().filter_map(last).any(|s| s == "graph_fn");
    !is_graph_fn && item.sig.constness.is_none() && item.sig.asyncness.is_none()
}

/// Whether the value of a block is taken, and what type it has.
#[derive(Clone, Copy)]
pub(crate) enum Want<'a> {
    Nothing,
    Value(Option<&'a Type>),
}

impl Want<'_> {
    /// The same for a construct. A type that isn't written out whole can't annotate another variable.
    pub fn gives(&self) -> Gives {
        match self {
            Want::Nothing => Gives::Nothing,
            Want::Value(ty) => Gives::Value(ty.filter(|ty| !has_infer(ty)).cloned()),
        }
    }

    /// True for a value of which no type is written.
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

/// True for an `if` that has no value, for it ends without an `else`.
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

/// True for a statement that may not be compiled at all.
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

/// True if a type has `_` or `impl` in it, so that it can't annotate another variable.
pub(crate) fn has_infer(ty: &Type) -> bool {
    infers(quote::ToTokens::to_token_stream(ty))
}

/// True if the tokens of a type hold `_` or `impl`; what a macro makes of its arguments is another matter.
fn infers(tokens: TokenStream) -> bool {
    let mut before = ' ';
    tokens.into_iter().any(|tree| {
        let last = std::mem::replace(&mut before, ' ');
        match tree {
            // A lifetime is inferred everywhere.
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
