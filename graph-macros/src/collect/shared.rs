//! Variables that a closure uses and that, as plain Rust shows, it can't change by a method: it borrows them as shared. A branch in the closure
//! needn't carry them then. What may change makes a closure capture it by `&mut`, even if types tell that the branch is Rust's, and plain
//! Rust may not allow that.

use std::collections::HashSet;

use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Item, Macro, Pat, Stmt};

use super::Collector;
use crate::macros;

/// Names of variables.
type Names = HashSet<String>;

impl Collector {
    /// Marks variables as shared, and returns the names of those that weren't.
    pub fn share(&mut self, mut names: Names) -> Names {
        names.retain(|name| {
            let var = self.scopes.get_mut(name);
            var.is_some_and(|var| !std::mem::replace(&mut var.is_shared, true))
        });
        names
    }

    /// Ends what `share` began.
    pub fn end_sharing(&mut self, names: Names) {
        for name in names {
            if let Some(var) = self.scopes.get_mut(&name) {
                var.is_shared = false;
            }
        }
    }
}

/// The variables that several closures among the arguments of a call use: these closures exist at the same time.
pub fn several<'a>(arguments: impl Iterator<Item = &'a Expr>) -> Names {
    let closures = arguments.filter(|argument| matches!(argument, Expr::Closure(_)));
    let used: Vec<Names> = closures
        .map(|closure| Uses::of(|v| v.visit_expr(closure)))
        .collect();
    let in_several = |name: &&String| used.iter().filter(|names| names.contains(*name)).count() > 1;
    used.iter().flatten().filter(in_several).cloned().collect()
}

/// The variables that a closure uses and can't change, if the statement names a closure without `mut`, and the later statements call it. A
/// closure that changes what it captured would need the `mut`, unless it is called once and takes what it captured with it. So either it is
/// called twice, or a variable is used again.
pub fn of_closure_called(stmt: &Stmt, later: &[Stmt]) -> Names {
    let none = Names::new();
    let Stmt::Local(local) = stmt else {
        return none;
    };
    let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else {
        return none;
    };
    let closure = match &*init.expr {
        Expr::Closure(closure) if name.mutability.is_none() => closure,
        _ => return none,
    };
    let mut calls = Calls {
        name: name.ident.to_string(),
        ..Calls::default()
    };
    later.iter().for_each(|stmt| calls.visit_stmt(stmt));
    if calls.is_bound || calls.all == 0 {
        return none;
    }
    let mut used = Uses::of(|v| v.visit_expr_closure(closure));
    if calls.certain < 2 {
        let again = Uses::of(|v| later.iter().for_each(|stmt| v.visit_stmt(stmt)));
        used.retain(|name| again.contains(name));
    }
    used
}

/// Finds the names of variables that code uses and doesn't bind or assign itself.
#[derive(Default)]
struct Uses {
    used: Names,
    bound: Names,
}

impl Uses {
    fn of(visit: impl FnOnce(&mut Uses)) -> Names {
        let mut uses = Uses::default();
        visit(&mut uses);
        let Uses { mut used, bound } = uses;
        used.retain(|name| !bound.contains(name));
        used
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let name = path.path.get_ident();
        self.used.extend(name.map(ToString::to_string));
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        if let Expr::Path(path) = &*assign.left {
            let name = path.path.get_ident();
            self.bound.extend(name.map(ToString::to_string));
        }
        visit::visit_expr_assign(self, assign);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.bound.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let arguments = macros::arguments(mac);
        for value in arguments.iter().flat_map(|found| &found.values) {
            Visit::visit_expr(self, value);
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Counts the calls of a variable.
#[derive(Default)]
struct Calls {
    name: String,
    /// All calls.
    all: usize,
    /// The calls outside of branches: one run may make all of them.
    certain: usize,
    /// True in a branch.
    is_branch: bool,
    /// True if the name is bound again.
    is_bound: bool,
}

impl Calls {
    fn in_branch(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_branch, true);
        visit(self);
        self.is_branch = outer;
    }
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if matches!(&*call.func, Expr::Path(path) if path.path.is_ident(&self.name)) {
            self.all += 1;
            self.certain += usize::from(!self.is_branch);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        self.visit_expr(&branch.cond);
        self.in_branch(|v| {
            v.visit_block(&branch.then_branch);
            if let Some((_, other)) = &branch.else_branch {
                v.visit_expr(other);
            }
        });
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        self.visit_expr(&binary.left);
        match binary.op {
            BinOp::And(_) | BinOp::Or(_) => self.in_branch(|v| v.visit_expr(&binary.right)),
            _ => self.visit_expr(&binary.right),
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.in_branch(|v| visit::visit_arm(v, arm));
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.is_bound |= pat.ident == self.name;
        visit::visit_pat_ident(self, pat);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let arguments = macros::arguments(mac);
        for value in arguments.iter().flat_map(|found| &found.values) {
            Visit::visit_expr(self, value);
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}
