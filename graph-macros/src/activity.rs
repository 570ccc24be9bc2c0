//! Analysis of what a piece of code does to the variables around it: which it may change, and how control may leave it.

use syn::visit::{self, Visit};
use syn::{Arm, BinOp, Block, Expr, ExprClosure, Item, Lifetime, Pat, UnOp};

use crate::ends::macro_diverges;
use crate::macros;
use crate::scope::{Known, Scopes, bindings};

/// A jump that leaves a piece of code.
#[derive(Clone, Debug, PartialEq)]
pub enum Exit {
    Return,
    /// `break`, with its label.
    Break(Option<String>),
    /// `continue`, with its label.
    Continue(Option<String>),
}

/// The jumps that leave the code: `return`, and `break` and `continue` of loops around it.
pub fn exits(visit: impl FnOnce(&mut Exits)) -> Vec<Exit> {
    let mut exits = Exits {
        found: Vec::new(),
        loops: 0,
        labels: Vec::new(),
    };
    visit(&mut exits);
    exits.found
}

/// A visitor that finds exits.
pub struct Exits {
    found: Vec<Exit>,
    /// The number of loops between the code's beginning and the current node.
    loops: usize,
    /// The labels of these loops, and of the blocks.
    labels: Vec<String>,
}

impl Exits {
    fn jump(&mut self, label: &Option<Lifetime>, exit: fn(Option<String>) -> Exit) {
        let label = label.as_ref().map(|l| l.ident.to_string());
        let inside = match &label {
            Some(name) => self.labels.contains(name),
            None => self.loops > 0,
        };
        let exit = exit(label);
        if !inside && !self.found.contains(&exit) {
            self.found.push(exit);
        }
    }

    fn inside(&mut self, label: &Option<syn::Label>, is_loop: bool, visit: impl FnOnce(&mut Self)) {
        self.loops += usize::from(is_loop);
        self.labels
            .extend(label.as_ref().map(|l| l.name.ident.to_string()));
        visit(self);
        self.loops -= usize::from(is_loop);
        if label.is_some() {
            self.labels.pop();
        }
    }
}

impl<'ast> Visit<'ast> for Exits {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Return(_) if !self.found.contains(&Exit::Return) => self.found.push(Exit::Return),
            Expr::Break(e) => self.jump(&e.label, Exit::Break),
            Expr::Continue(e) => self.jump(&e.label, Exit::Continue),
            Expr::Loop(e) => return self.inside(&e.label, true, |v| v.visit_block(&e.body)),
            Expr::While(e) => {
                return self.inside(&e.label, true, |v| {
                    v.visit_expr(&e.cond);
                    v.visit_block(&e.body);
                });
            }
            Expr::ForLoop(e) => {
                self.visit_expr(&e.expr);
                return self.inside(&e.label, true, |v| v.visit_block(&e.body));
            }
            Expr::Block(e) => return self.inside(&e.label, false, |v| v.visit_block(&e.block)),
            Expr::Closure(_) | Expr::Async(_) => return,
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// True if the code contains a `panic!` or a similar macro outside closures.
pub fn may_fail(visit: impl FnOnce(&mut Panics)) -> bool {
    let mut panics = Panics(false);
    visit(&mut panics);
    panics.0
}

/// A visitor that finds `panic!` and similar macros.
pub struct Panics(bool);

impl<'ast> Visit<'ast> for Panics {
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.0 |= macro_diverges(mac);
    }
    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
    fn visit_item(&mut self, _: &'ast Item) {}
}

/// How code may change a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// By a method call, if the method takes `&mut self`.
    ByMethod,
    /// By a call of the closure in the variable, if the closure changes what it captured.
    ByCall,
    /// In an `unsafe` block, what the variable points to: it may be a raw pointer.
    Pointed,
    /// By an assignment, or through a `&mut` reference.
    Assigned,
}

/// A variable, or a place in one, that code may change: `x`, `x.field`, `*x`, `self.field`.
#[derive(Clone)]
pub struct ChangedPlace {
    /// How the code may change it.
    pub how: How,
    /// The variable.
    pub root: String,
    /// Which of the variables of that name it is.
    pub id: usize,
    /// The place as an expression, with the user's tokens.
    pub expr: Expr,
}

/// The places that the code may change and that were declared outside it, in order of first mention.
pub fn changes(scopes: &Scopes, visit: impl FnOnce(&mut Changes)) -> Vec<ChangedPlace> {
    let mut changes = Changes {
        scopes,
        inner: Vec::new(),
        places: Vec::new(),
        is_unsafe: false,
    };
    visit(&mut changes);
    let places = changes.places;
    // A place that is a part of another place, or behind it, is covered by that one.
    let texts: Vec<String> = places
        .iter()
        .map(|p| text(&p.expr).replace(' ', ""))
        .collect();
    let inside = |inner: &String| {
        texts.iter().any(|outer| {
            let (inner_path, outer_path) =
                (inner.trim_start_matches('*'), outer.trim_start_matches('*'));
            inner_path.starts_with(&format!("{outer_path}."))
                || (inner_path == outer_path && inner.len() > outer.len())
        })
    };
    places
        .into_iter()
        .zip(&texts)
        .filter(|(_, text)| !inside(text))
        .map(|(place, _)| place)
        .collect()
}

fn text(expr: &Expr) -> String {
    quote::ToTokens::to_token_stream(expr).to_string()
}

/// A visitor that finds changes.
pub struct Changes<'a> {
    scopes: &'a Scopes,
    /// Names declared inside the code.
    inner: Vec<String>,
    places: Vec<ChangedPlace>,
    /// Within an `unsafe` block.
    is_unsafe: bool,
}

impl Changes<'_> {
    fn is_outer(&self, name: &str) -> bool {
        !self.inner.iter().any(|n| n == name)
    }

    /// Records that the code may change the place of an expression.
    fn change(&mut self, expr: &Expr, how: How) {
        let Some(place) = self.place(expr) else {
            return;
        };
        let same = |p: &&mut ChangedPlace| text(&p.expr) == text(&place.expr);
        match self.places.iter_mut().find(same) {
            Some(known) => known.how = known.how.max(how),
            None => self.places.push(ChangedPlace { how, ..place }),
        }
    }

    fn place(&self, expr: &Expr) -> Option<ChangedPlace> {
        match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                let id = self.scopes.get(&name).map_or(0, |v| v.id);
                if name == "self" {
                    // `self` is a reference: the place behind it changes.
                    let expr = match self.scopes.get("self") {
                        Some(_) => syn::parse_quote!(*#path),
                        None => expr.clone(),
                    };
                    return Some(ChangedPlace {
                        how: How::Assigned,
                        root: name,
                        id,
                        expr,
                    });
                }
                let var = self.scopes.get(&name).filter(|_| self.is_outer(&name))?;
                match var.known {
                    Known::MutRef => {
                        let expr = syn::parse_quote!(*#path);
                        Some(ChangedPlace {
                            how: How::Assigned,
                            root: name,
                            id,
                            expr,
                        })
                    }
                    _ => Some(ChangedPlace {
                        how: How::Assigned,
                        root: name,
                        id,
                        expr: expr.clone(),
                    }),
                }
            }
            Expr::Field(field) => {
                let base = self.place(&field.base)?;
                // A field behind a reference is reached without naming the reference; an item of a collection isn't a place of its own.
                match &*field.base {
                    Expr::Path(_) => Some(ChangedPlace {
                        expr: expr.clone(),
                        ..base
                    }),
                    Expr::Field(_) if matches!(base.expr, Expr::Field(_)) => Some(ChangedPlace {
                        expr: expr.clone(),
                        ..base
                    }),
                    _ => Some(base),
                }
            }
            Expr::Index(index) => self.place(&index.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                let inner = self.place(&unary.expr)?;
                match &inner.expr {
                    Expr::Unary(_) => Some(inner),
                    Expr::Path(_) => Some(ChangedPlace {
                        expr: expr.clone(),
                        ..inner
                    }),
                    _ => Some(inner),
                }
            }
            Expr::Paren(inner) => self.place(&inner.expr),
            Expr::Tuple(_) | Expr::Array(_) => None,
            _ => None,
        }
    }

    fn assign(&mut self, target: &Expr) {
        match target {
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|e| self.assign(e)),
            Expr::Array(array) => array.elems.iter().for_each(|e| self.assign(e)),
            Expr::Struct(s) => s.fields.iter().for_each(|f| self.assign(&f.expr)),
            Expr::Call(call) => call.args.iter().for_each(|e| self.assign(e)),
            // rustc reports an assignment to such a variable itself.
            Expr::Path(path) if self.is_fixed(path) => {}
            other => self.written(other),
        }
    }

    /// Records that the place is assigned, or lent to be changed. A raw pointer's place can't be named outside of its `unsafe` block.
    fn written(&mut self, place: &Expr) {
        match pointer_to(place) {
            Some(pointer) if self.is_unsafe && !self.is_reference(pointer) => {
                self.change(pointer, How::Pointed);
            }
            _ => self.change(place, How::Assigned),
        }
    }

    /// True for `self` and what is known to be a `&mut` reference.
    fn is_reference(&self, pointer: &Expr) -> bool {
        let Expr::Path(path) = pointer else {
            return false;
        };
        let var = self.scopes.variable(pointer);
        path.path.is_ident("self") || var.is_some_and(|var| var.known == Known::MutRef)
    }

    fn is_fixed(&self, path: &syn::ExprPath) -> bool {
        let name = path
            .path
            .get_ident()
            .map(|name| name.to_string())
            .unwrap_or_default();
        let var = self.scopes.get(&name).filter(|_| self.is_outer(&name));
        var.is_some_and(|v| !v.mutable && !v.uninitialized && v.known != Known::MutRef)
    }

    fn declare(&mut self, pat: &Pat) {
        self.inner
            .extend(bindings(pat).into_iter().map(|(name, _)| name.to_string()));
    }

    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = self.inner.len();
        visit(self);
        self.inner.truncate(outer);
    }

    /// Records a method call, or a call of a possible closure; only types say whether it changes anything.
    fn used(&mut self, used: &Expr, how: How) {
        // What a raw pointer points to can't be named outside of the block, and no graph holds it.
        let used = match self.is_unsafe {
            true => pointer_to(used).unwrap_or(used),
            false => used,
        };
        let Some(place) = self.place(used) else {
            return;
        };
        let changeable = match self.scopes.get(&place.root) {
            Some(var) if var.is_shared => false,
            Some(var) => (var.mutable && var.known != Known::Plain) || var.known == Known::MutRef,
            None => place.root == "self" && self.scopes.get("self").is_some(),
        };
        if changeable {
            self.change(used, how);
        }
    }
}

impl<'ast> Visit<'ast> for Changes<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Assign(e) => self.assign(&e.left),
            Expr::Binary(e) if is_assignment(&e.op) => self.assign(&e.left),
            Expr::Reference(e) if e.mutability.is_some() => self.written(&e.expr),
            Expr::MethodCall(e) => self.used(&e.receiver, How::ByMethod),
            Expr::Call(e) if matches!(*e.func, Expr::Path(_)) => self.used(&e.func, How::ByCall),
            Expr::If(e) => {
                return self.scoped(|v| {
                    v.visit_expr(&e.cond);
                    v.visit_block(&e.then_branch);
                    e.else_branch
                        .iter()
                        .for_each(|(_, other)| v.visit_expr(other));
                });
            }
            Expr::While(e) => {
                return self.scoped(|v| {
                    v.visit_expr(&e.cond);
                    v.visit_block(&e.body);
                });
            }
            Expr::Let(e) => {
                self.visit_expr(&e.expr);
                return self.declare(&e.pat);
            }
            Expr::ForLoop(e) => {
                self.visit_expr(&e.expr);
                return self.scoped(|v| {
                    v.declare(&e.pat);
                    v.visit_block(&e.body);
                });
            }
            Expr::Closure(e) => return self.visit_expr_closure(e),
            Expr::Macro(e) => return self.visit_macro(&e.mac),
            Expr::Unsafe(e) => {
                let outer = std::mem::replace(&mut self.is_unsafe, true);
                self.visit_block(&e.block);
                self.is_unsafe = outer;
                return;
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        self.scoped(|v| {
            v.declare(&arm.pat);
            if let Pat::Guard(guard) = &arm.pat {
                v.visit_expr(&guard.guard);
            }
            v.visit_expr(&arm.body);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        self.scoped(|v| {
            closure.inputs.iter().for_each(|p| v.declare(p));
            v.visit_expr(&closure.body);
        });
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.scoped(|v| visit::visit_block(v, block));
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        visit::visit_local(self, local);
        self.declare(&local.pat);
    }

    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        match macros::arguments(mac) {
            Some(arguments) => arguments.values.iter().for_each(|e| {
                let mut inner = Changes {
                    scopes: self.scopes,
                    inner: self.inner.clone(),
                    places: std::mem::take(&mut self.places),
                    is_unsafe: self.is_unsafe,
                };
                inner.visit_expr(e);
                self.places = inner.places;
            }),
            // An unknown macro may change any mutable variable that it gets.
            None => {
                for name in macros::idents(mac.tokens.clone()) {
                    let changeable = self
                        .scopes
                        .get(&name.to_string())
                        .is_some_and(|v| v.mutable);
                    if changeable && self.is_outer(&name.to_string()) {
                        self.change(&syn::parse_quote!(#name), How::Assigned);
                    }
                }
            }
        }
    }
}

/// The pointer of the first dereference in a place.
fn pointer_to(place: &Expr) -> Option<&Expr> {
    match place {
        Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => {
            Some(pointer_to(&e.expr).unwrap_or(&e.expr))
        }
        Expr::Field(e) => pointer_to(&e.base),
        Expr::Index(e) => pointer_to(&e.expr),
        Expr::Paren(e) => pointer_to(&e.expr),
        _ => None,
    }
}

/// True for `+=` and the other compound assignments.
pub fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}
