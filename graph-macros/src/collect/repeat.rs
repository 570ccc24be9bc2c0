//! Loops.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{
    Block, Expr, ExprForLoop, ExprLoop, ExprWhile, Label, RangeLimits, Stmt, Type,
    parse_quote_spanned,
};

use super::branch::behind_lets;
use super::build::block;
use super::conditions::{has_let, is_bool};
use super::{Collector, Want};
use crate::activity::{self, ChangedPlace};
use crate::scope::Known;
use crate::syntax::{Construct, Ends, Head, Loop, What};

impl Collector {
    pub fn while_expr(&mut self, e: ExprWhile) -> Expr {
        if has_let(&e.cond) {
            return self.while_let(e);
        }
        let span = e.while_token.span();
        if matches!(&*e.cond, Expr::Lit(lit) if matches!(&lit.lit, syn::Lit::Bool(b) if b.value)) {
            return self.without_head(e.attrs, e.label, span, e.body);
        }
        let changes =
            activity::changes(&self.scopes, |v| syn::visit::Visit::visit_expr(v, &e.cond));
        let exits = activity::exits(|v| syn::visit::Visit::visit_expr(v, &e.cond));
        if !changes.is_empty() || !exits.is_empty() {
            // Changes by the last evaluation of the condition are visible after the loop, and the condition may leave the loop.
            let (condition, body) = (&e.cond, &e.body);
            let block: Block = parse_quote_spanned!(span=> { if !(#condition) { break; } #body });
            return self.without_head(e.attrs, e.label, span, block);
        }
        let places = activity::changes(&self.scopes, |v| {
            syn::visit::Visit::visit_expr(v, &e.cond);
            syn::visit::Visit::visit_block(v, &e.body);
        });
        let condition = self.condition(*e.cond);
        self.enter_loop("while_stmt", &e.label, span, places);
        let body = self.block(e.body, Want::Nothing);
        self.looped(span, Head::While { condition }, body)
    }

    /// A `while` as a `loop`, whose `break`s have no value.
    fn without_head(
        &mut self,
        attrs: Vec<syn::Attribute>,
        label: Option<Label>,
        span: Span,
        body: Block,
    ) -> Expr {
        let loop_token = syn::Token![loop](span);
        let e = ExprLoop {
            attrs,
            label,
            loop_token,
            body,
        };
        self.forever(e, None, false)
    }

    /// `while let` stays Rust's; a tensor behind `&&` ends it like a `break`.
    fn while_let(&mut self, e: ExprWhile) -> Expr {
        let span = e.while_token.span();
        let exits = activity::exits(|v| syn::visit::Visit::visit_block(v, &e.body));
        let jumps = !exits.is_empty();
        let tensor_behind = !super::conditions::chain((*e.cond).clone())
            .iter()
            .all(is_bool);
        if !jumps && !tensor_behind {
            return self.plain_while_let(e);
        }
        let mut places = activity::changes(&self.scopes, |v| {
            syn::visit::Visit::visit_expr(v, &e.cond);
            syn::visit::Visit::visit_block(v, &e.body);
        });
        let by_body =
            activity::changes(&self.scopes, |v| syn::visit::Visit::visit_block(v, &e.body));
        // What only the head changes is the same on all ways through an iteration. So if nothing behind the loop sees it, no graph carries
        // it: the iterator in `while let Some(x) = items.next()`.
        places.retain(|place| {
            by_body.iter().any(|changed| changed.root == place.root)
                || self.scopes.get(&place.root).is_none_or(|var| !var.is_alone)
                || self.liveness.is_used_behind(&e.while_token, &place.root)
        });
        self.enter_loop("while_stmt", &e.label, span, places);
        let (condition, body) = (&e.cond, &e.body);
        let step: syn::ExprIf = match behind_lets(condition) {
            Some((lets, condition)) => parse_quote_spanned! {span=>
                if #lets { if #condition #body else { break; } } else { break; }
            },
            None => parse_quote_spanned!(span=> if #condition #body else { break; }),
        };
        let step = self.if_expr(step, Want::Nothing);
        let body = block(vec![Stmt::Expr(step, None)]);
        self.looped(span, Head::WhileLet, body)
    }

    fn plain_while_let(&mut self, mut e: ExprWhile) -> Expr {
        self.scopes.push();
        *e.cond = self.expr(*e.cond);
        e.body = self.block(e.body, Want::Nothing);
        self.scopes.pop();
        Expr::While(e)
    }

    pub fn loop_expr(&mut self, e: ExprLoop, expected: Option<&Type>) -> Expr {
        self.forever(e, expected, true)
    }

    fn forever(&mut self, e: ExprLoop, expected: Option<&Type>, has_value: bool) -> Expr {
        let span = e.loop_token.span();
        let places =
            activity::changes(&self.scopes, |v| syn::visit::Visit::visit_block(v, &e.body));
        let has_value = has_value && breaks_with_value(&e);
        let ends = breaks(&e);
        self.enter_loop("loop_stmt", &e.label, span, places);
        self.flows.last_mut().expect("just entered").result = expected.cloned();
        let body = self.block(e.body, Want::Nothing);
        let ends = match (ends, has_value) {
            (false, _) => Ends::Never,
            (true, true) => Ends::WithValue,
            (true, false) => Ends::Plainly,
        };
        self.looped(span, Head::Forever(ends), body)
    }

    pub fn for_expr(&mut self, mut e: ExprForLoop) -> Expr {
        for mut rename in self.shadows(&e.pat) {
            rename.visit_pat_mut(&mut e.pat);
            rename.visit_block_mut(&mut e.body);
        }
        let span = e.for_token.span();
        let known = self.known_items(&e.expr);
        let is_typed = self.has_written_type(&e.expr);
        let (is_range, at) = (is_range(&e.expr), e.expr.span());
        let mut iterable = self.iterable(*e.expr);
        if !is_range {
            iterable = self.construct(at, Construct::Iterable(iterable));
        }
        let places = activity::changes(&self.scopes, |v| {
            syn::visit::Visit::visit_block(v, &e.body);
        });
        let own: Vec<String> = crate::scope::bindings(&e.pat)
            .into_iter()
            .map(|(name, _)| name.to_string())
            .collect();
        let places = places.into_iter();
        let places = places.filter(|p| !own.contains(&p.root)).collect();
        self.enter_loop("for_stmt", &e.label, span, places);
        self.scopes.push();
        self.declare(&e.pat, known, false);
        for name in own.iter().filter(|_| is_typed) {
            if let Some(var) = self.scopes.get_mut(name) {
                var.is_typed = true;
            }
        }
        let body = self.block(e.body, Want::Nothing);
        self.scopes.pop();
        let items = self.fresh("items", span);
        let head = Head::For {
            pat: *e.pat,
            iterable,
            items,
        };
        self.looped(span, head, body)
    }

    /// The type of an iterable's items, as far as its syntax says. Two methods of ranges and the names of number types are recognized by
    /// name; that only makes the code of a loop shorter and never changes a value.
    fn known_items(&self, iterable: &Expr) -> Known {
        match iterable {
            Expr::Range(range) => {
                let bounds = [&range.start, &range.end];
                // `0..&n` counts like `0..n`.
                let behind = |bound: &'_ Expr| match bound {
                    Expr::Reference(reference) => self.scopes.known_expr(&reference.expr),
                    other => self.scopes.known_expr(other),
                };
                let known: Vec<Known> = bounds.into_iter().flatten().map(|b| behind(b)).collect();
                match known.as_slice() {
                    [Known::Number, Known::Number] => Known::Number,
                    _ => Known::Nothing,
                }
            }
            Expr::Paren(inner) => self.known_items(&inner.expr),
            Expr::MethodCall(call) if call.method == "rev" || call.method == "step_by" => {
                self.known_items(&call.receiver)
            }
            _ => Known::Nothing,
        }
    }

    /// The iterable of a `for`; a range may have tensor bounds.
    pub fn iterable(&mut self, iterable: Expr) -> Expr {
        let span = iterable.span();
        match iterable {
            Expr::Range(range) if range.start.is_some() && range.end.is_some() => {
                let (start, end) = (range.start.expect("checked"), range.end.expect("checked"));
                if super::literal::is_literal(&start) && super::literal::is_literal(&end) {
                    return Expr::Range(syn::ExprRange {
                        start: Some(start),
                        end: Some(end),
                        ..range
                    });
                }
                let method = match range.limits {
                    RangeLimits::HalfOpen(_) => "range",
                    RangeLimits::Closed(_) => "range_inclusive",
                };
                let (start, end) = (self.operand(*start), self.operand(*end));
                let bounds = Construct::Bounds { method, start, end };
                self.construct(span, bounds)
            }
            Expr::MethodCall(mut call) => {
                *call.receiver = match *call.receiver {
                    receiver @ (Expr::Range(_) | Expr::Paren(_) | Expr::MethodCall(_)) => {
                        self.iterable(receiver)
                    }
                    other => self.place(other),
                };
                call.args = call.args.into_iter().map(|a| self.value(a, None)).collect();
                Expr::MethodCall(call)
            }
            Expr::Paren(inner)
                if matches!(
                    &*inner.expr,
                    Expr::Range(_) | Expr::Paren(_) | Expr::MethodCall(_)
                ) =>
            {
                let inner = self.iterable(*inner.expr);
                self.construct(span, Construct::Whole(inner))
            }
            other => self.value(other, None),
        }
    }

    fn enter_loop(
        &mut self,
        name: &'static str,
        label: &Option<Label>,
        span: Span,
        places: Vec<ChangedPlace>,
    ) {
        let user_label = label.as_ref().map(|l| l.name.ident.to_string());
        let id = self.flow(name, span, What::Loop { label: user_label });
        self.enter(id, places);
        if let Some(label) = label {
            let flow = &mut self.tree[id];
            flow.label = label.name.clone();
            flow.is_labelled = true;
        }
    }

    /// Completes a loop that was entered, given its body.
    fn looped(&mut self, span: Span, head: Head, body: Block) -> Expr {
        let around = self.flows.pop().expect("the loop was entered");
        let carried = self.loop_variables(&around.places);
        let escapes = !self.tree[around.id].escapes.is_empty();
        let way_out = escapes.then(|| self.way_out());
        let looped = Loop {
            flow: around.id,
            head,
            body,
            carried,
            way_out,
        };
        self.construct(span, Construct::Loop(looped))
    }
}

/// True for ranges and the results of their methods: their items are Rust numbers or tensors.
fn is_range(iterable: &Expr) -> bool {
    match iterable {
        Expr::Range(_) => true,
        Expr::Paren(inner) => is_range(&inner.expr),
        Expr::MethodCall(call) => is_range(&call.receiver),
        _ => false,
    }
}

/// True if there is a `break` of this loop.
fn breaks(e: &ExprLoop) -> bool {
    let label = e.label.as_ref().map(|l| l.name.ident.to_string());
    let exits = activity::exits(|v| syn::visit::Visit::visit_block(v, &e.body));
    exits.iter().any(|exit| match exit {
        activity::Exit::Break(None) => true,
        activity::Exit::Break(name) => *name == label,
        _ => false,
    })
}

/// True if a `break` of this loop has a value; then all have one.
fn breaks_with_value(e: &ExprLoop) -> bool {
    struct Find<'a> {
        label: Option<&'a syn::Ident>,
        depth: usize,
        found: bool,
    }
    impl<'ast> syn::visit::Visit<'ast> for Find<'_> {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            if let Expr::Break(e) = expr {
                let own = match &e.label {
                    Some(label) => Some(&label.ident) == self.label,
                    None => self.depth == 0,
                };
                self.found |= own && e.expr.is_some();
            }
            if matches!(expr, Expr::Closure(_) | Expr::Async(_)) {
                return;
            }
            let is_loop = matches!(expr, Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_));
            self.depth += usize::from(is_loop);
            syn::visit::visit_expr(self, expr);
            self.depth -= usize::from(is_loop);
        }
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut find = Find {
        label: e.label.as_ref().map(|l| &l.name.ident),
        depth: 0,
        found: false,
    };
    syn::visit::Visit::visit_block(&mut find, &e.body);
    find.found
}

/// `0..n`, over which a loop may run later.
pub(super) fn may_count_to_tensor(expr: &Expr) -> bool {
    matches!(expr, Expr::Range(syn::ExprRange { start: Some(start), end: Some(_), .. }) if super::literal::is_literal(start))
}
