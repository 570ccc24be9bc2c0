//! Checking: reports everything that a graph function can't contain, all at once. Some errors are found in the signature and the body as
//! the user wrote them, others in the collected constructs.

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, Item, ItemFn, ReturnType, Signature, Type};

use crate::activity::{self, Exit};
use crate::errors::Errors;
use crate::scope::is_primitive;
use crate::syntax::{Construct, Jump, Tree};

/// Reports all errors in a function.
pub fn check(function: &ItemFn, tree: &Tree) -> syn::Result<()> {
    let mut errors = Errors::default();
    signature(&function.sig, &mut errors);
    Body::of_function(&function.sig, &mut errors).visit_block(&function.block);
    for placed in &tree.constructs {
        if let Construct::Jump(Jump {
            shadowed: Some(name),
            ..
        }) = &placed.construct
        {
            errors.push_span(
                placed.span,
                &format!(
                    "`{name}` is another variable here than the `{name}` that the loop or block around changes, which this jump takes \
                     along: give one of them another name"
                ),
            );
        }
    }
    errors.check()
}

/// Reports signatures that no graph function can have.
fn signature(sig: &Signature, errors: &mut Errors) {
    if let Some(token) = &sig.asyncness {
        errors.push(token, "an `async fn` can't be a graph function: a trace runs at once, without suspending. Make the function synchronous and call it from async code");
    }
    if let Some(token) = &sig.constness {
        errors.push(
            token,
            "a `const fn` can't be a graph function: tracing happens at run time. Remove `const`",
        );
    }
    if matches!(sig.safety, syn::Safety::Unsafe(_)) {
        errors.push(&sig.safety, "an `unsafe fn` can't be a graph function: the caller's promise would cover the first trace only. Write a safe function with an `unsafe` block inside");
    }
    if let Some(abi) = &sig.abi {
        errors.push(abi, "an `extern` function can't be a graph function: tensors have no foreign representation. Write a plain `fn` and an `extern` wrapper that calls it");
    }
    if let Some(variadic) = &sig.variadic {
        errors.push(
            variadic,
            "a variadic function can't be a graph function: pass a slice or a `Vec` of tensors",
        );
    }
}

/// A visitor of the body as the user wrote it.
struct Body<'e> {
    /// The result type, if it is written or none is due.
    result: Option<Type>,
    /// The number of loops around the current node.
    loops: usize,
    errors: &'e mut Errors,
}

impl<'e> Body<'e> {
    fn of_function(sig: &Signature, errors: &'e mut Errors) -> Body<'e> {
        let result = written(&sig.output).unwrap_or_else(|| syn::parse_quote!(()));
        Body {
            result: Some(result),
            loops: 0,
            errors,
        }
    }

    fn of_closure(closure: &ExprClosure, errors: &'e mut Errors) -> Body<'e> {
        Body {
            result: written(&closure.output),
            loops: 0,
            errors,
        }
    }

    /// Reports `?` in a function whose result type certainly doesn't allow it: rustc's message would mention the closure that the body becomes.
    fn question_mark(&mut self, e: &syn::ExprTry) {
        let is_none = |ty: &&Type| match ty {
            Type::Tuple(_) | Type::Array(_) | Type::Reference(_) => true,
            ty => is_primitive(ty),
        };
        if let Some(ty) = self.result.as_ref().filter(is_none) {
            let ty = text(ty);
            let message = format!(
                "`?` needs a function that returns a `Result` or an `Option`: this one returns `{ty}`"
            );
            self.errors.push(&e.question_token, &message);
        }
    }

    /// Reports a jump outside of a loop: rustc wouldn't, because the constructs around it become loops. Unknown labels are left to rustc.
    fn jump(&mut self, expr: &Expr) {
        let name = match expr {
            Expr::Break(e) if e.label.is_none() => "break",
            Expr::Continue(e) if e.label.is_none() => "continue",
            _ => return,
        };
        if self.loops == 0 {
            self.errors
                .push(expr, &format!("`{name}` outside of a loop"));
        }
    }

    /// Reports a jump without a label in the condition of a `while`, which rustc rejects (E0590). Here rustc wouldn't, because the
    /// condition moves into the body of a loop.
    fn condition(&mut self, condition: &Expr) {
        let exits = activity::exits(|v| v.visit_expr(condition));
        let name = match exits.as_slice() {
            exits if exits.contains(&Exit::Break(None)) => "break",
            exits if exits.contains(&Exit::Continue(None)) => "continue",
            _ => return,
        };
        self.errors.push(
            condition,
            &format!("`{name}` without a label in the condition of a `while` loop: say which loop it means, `{name} 'label`"),
        );
    }

    fn looped(&mut self, visit: impl FnOnce(&mut Self)) {
        self.loops += 1;
        visit(self);
        self.loops -= 1;
    }
}

impl<'ast> Visit<'ast> for Body<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Async(e) => self.errors.push(e, "`async` blocks are not supported in a graph function: a trace runs at once, without suspending. Compute the future's value before the call and pass it in"),
            Expr::Await(e) => self.errors.push(e, "`.await` is not supported in a graph function: a trace runs at once, without suspending. Await before the call and pass the value in"),
            Expr::TryBlock(e) => self.errors.push(e, "`try` blocks are not supported in a graph function: use a closure that returns a `Result`"),
            Expr::Yield(e) => self.errors.push(e, "`yield` is not supported in a graph function: collect into a `Vec` or a tensor instead"),
            Expr::Loop(e) => self.looped(|v| v.visit_block(&e.body)),
            Expr::While(e) => {
                self.condition(&e.cond);
                self.looped(|v| visit::visit_expr(v, expr));
            }
            Expr::ForLoop(e) => {
                self.visit_expr(&e.expr);
                self.looped(|v| v.visit_block(&e.body));
            }
            Expr::Break(_) | Expr::Continue(_) => {
                self.jump(expr);
                visit::visit_expr(self, expr);
            }
            Expr::Try(e) => {
                self.question_mark(e);
                visit::visit_expr(self, expr);
            }
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_expr_closure(&mut self, closure: &'ast ExprClosure) {
        if closure.asyncness.is_some() {
            self.errors.push(closure, "`async` closures are not supported in a graph function: a trace runs at once, without suspending");
            return;
        }
        Body::of_closure(closure, self.errors).visit_expr(&closure.body);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        if let Item::Fn(item) = item
            && crate::collect::is_collected(item)
        {
            Body::of_function(&item.sig, self.errors).visit_block(&item.block);
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let arguments = crate::macros::arguments(mac).map(|arguments| arguments.values);
        for argument in arguments.iter().flatten() {
            self.visit_expr(argument);
        }
    }
}

/// The result type, if one is written.
fn written(output: &ReturnType) -> Option<Type> {
    match output {
        ReturnType::Type(_, ty) => Some((**ty).clone()),
        ReturnType::Default => None,
    }
}

fn text(ty: &Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "")
}
