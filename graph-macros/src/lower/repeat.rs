//! Loops.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{
    Block, Expr, ExprForLoop, ExprLoop, ExprWhile, Ident, Label, RangeLimits, Type,
    parse_quote_spanned,
};

use super::conditions::{has_let, is_bool};
use super::{Lower, Want, What, generated};
use crate::activity::{self, Place};
use crate::scope::Known;

/// A loop, lowered but for what stands around its body.
struct Looped {
    span: Span,
    begin: &'static str,
    /// What `begin` is given first.
    argument: TokenStream,
    /// What stands between the head and the body.
    test: TokenStream,
    body: TokenStream,
    ends: Ends,
    /// The variable that holds what a `for` runs over.
    items: Option<Ident>,
}

/// How a loop ends by itself.
enum Ends {
    /// By its condition, its iterator or a `break`.
    Plainly,
    /// By a `break` with a value.
    WithValue,
    /// Only by leaving something around it.
    Never,
}

impl Lower {
    pub fn while_expr(&mut self, e: ExprWhile) -> Expr {
        if has_let(&e.cond) {
            return self.while_let(e);
        }
        let span = e.while_token.span();
        if matches!(&*e.cond, Expr::Lit(lit) if matches!(&lit.lit, syn::Lit::Bool(b) if b.value)) {
            return self.without_head(e.attrs, e.label, span, e.body);
        }
        if !activity::changes(&self.scopes, |v| syn::visit::Visit::visit_expr(v, &e.cond))
            .is_empty()
        {
            // What the last evaluation of the condition changes is seen behind the loop.
            let (condition, body) = (&e.cond, &e.body);
            let block: Block = parse_quote_spanned!(span=> { if !(#condition) { break; } #body });
            return self.without_head(e.attrs, e.label, span, block);
        }
        let places = activity::changes(&self.scopes, |v| {
            syn::visit::Visit::visit_expr(v, &e.cond);
            syn::visit::Visit::visit_block(v, &e.body);
        });
        self.refuse_exits_in_condition(&e.cond);
        let condition = self.condition(*e.cond);
        let ident = self.enter_loop("while_stmt", &e.label, span, places);
        let body = self.block(e.body, Want::Nothing);
        let test = quote_spanned!(span=> if !#ident.test(#condition) { break; });
        self.looped(Looped {
            span,
            begin: "while_stmt",
            argument: TokenStream::new(),
            test,
            body: statements(&body),
            ends: Ends::Plainly,
            items: None,
        })
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

    fn refuse_exits_in_condition(&mut self, condition: &Expr) {
        let exits = activity::exits(|v| syn::visit::Visit::visit_expr(v, condition));
        if !exits.is_empty() {
            self.errors.push(
                condition,
                "`return`, `break` or `continue` inside a loop's condition is not supported in a graph function: write `loop { if !condition { break } … }`",
            );
        }
    }

    /// `while let` is Rust's; a tensor behind `&&` ends it like a `break`.
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
        let places = activity::changes(&self.scopes, |v| {
            syn::visit::Visit::visit_expr(v, &e.cond);
            syn::visit::Visit::visit_block(v, &e.body);
        });
        self.enter_loop("while_stmt", &e.label, span, places);
        let (condition, body) = (e.cond, e.body);
        let step: syn::ExprIf = parse_quote_spanned!(span=> if #condition #body else { break; });
        let step = self.if_expr(step, Want::Nothing);
        self.looped(Looped {
            span,
            begin: "block_stmt",
            argument: TokenStream::new(),
            test: TokenStream::new(),
            body: quote_spanned!(span=> #step),
            ends: Ends::Plainly,
            items: None,
        })
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
        self.regions.last_mut().expect("just entered").result = expected.cloned();
        let body = self.block(e.body, Want::Nothing);
        self.looped(Looped {
            span,
            begin: "loop_stmt",
            argument: TokenStream::new(),
            test: TokenStream::new(),
            body: statements(&body),
            ends: match (ends, has_value) {
                (false, _) => Ends::Never,
                (true, true) => Ends::WithValue,
                (true, false) => Ends::Plainly,
            },
            items: None,
        })
    }

    pub fn for_expr(&mut self, mut e: ExprForLoop) -> Expr {
        for mut rename in self.shadows(&e.pat) {
            rename.visit_pat_mut(&mut e.pat);
            rename.visit_block_mut(&mut e.body);
        }
        let span = e.for_token.span();
        let known = self.known_items(&e.expr);
        let (is_range, at) = (is_range(&e.expr), e.expr.span());
        let mut iterable = self.iterable(*e.expr);
        if !is_range {
            iterable = code!(at=> ag__::iterable(#iterable).each());
        }
        let places = activity::changes(&self.scopes, |v| {
            syn::visit::Visit::visit_block(v, &e.body);
        });
        let own: Vec<String> = crate::scope::bindings(&e.pat)
            .into_iter()
            .map(|(name, _)| name.to_string())
            .collect();
        let places = places
            .into_iter()
            .filter(|p| !own.contains(&p.root))
            .collect();
        let ident = self.enter_loop("for_stmt", &e.label, span, places);
        self.scopes.push();
        self.declare(&e.pat, known, false);
        let body = self.block(e.body, Want::Nothing);
        self.scopes.pop();
        let pat = &e.pat;
        let item = generated("item", span);
        let items = self.fresh("items", span);
        let test = match &**pat {
            syn::Pat::Ident(_) | syn::Pat::Wild(_) => {
                quote_spanned!(span=> let Some(#pat) = #ident.item(&mut #items) else { break; };)
            }
            _ => {
                let method = Ident::new(taken_apart(pat), span);
                quote_spanned!(span=> let Some(#item) = #ident.#method(&mut #items) else { break; }; let #pat = #item;)
            }
        };
        let argument = quote_spanned!(span=> #iterable,);
        self.looped(Looped {
            span,
            begin: "for_stmt",
            argument,
            test,
            body: statements(&body),
            ends: Ends::Plainly,
            items: Some(items),
        })
    }

    /// What the items of an iterable certainly are.
    fn known_items(&self, iterable: &Expr) -> Known {
        match iterable {
            Expr::Range(range) => {
                let bounds = [&range.start, &range.end];
                // `0..&n` counts as `0..n` does.
                let behind = |bound: &'_ Expr| match bound {
                    Expr::Reference(reference) => self.scopes.known_expr(&reference.expr),
                    other => self.scopes.known_expr(other),
                };
                let known: Vec<Known> = bounds.into_iter().flatten().map(|b| behind(b)).collect();
                match known.as_slice() {
                    known if known.contains(&Known::Tensor) => Known::Tensor,
                    [Known::Number, Known::Number] => Known::Number,
                    _ => Known::Nothing,
                }
            }
            Expr::Paren(inner) => self.known_items(&inner.expr),
            Expr::MethodCall(call) if call.method == "rev" || call.method == "step_by" => {
                self.known_items(&call.receiver)
            }
            other => match self.scopes.known_expr(other) {
                Known::Tensor => Known::Tensor,
                _ => Known::Nothing,
            },
        }
    }

    /// What a `for` runs over; a range may have tensor bounds.
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
                let method = Ident::new(method, span);
                let (start, end) = (self.operand(*start), self.operand(*end));
                code!(span=> ag__::bounds(#start, #end).#method())
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
                code!(span=> (#inner))
            }
            other => self.value(other, None),
        }
    }

    fn enter_loop(
        &mut self,
        name: &'static str,
        label: &Option<Label>,
        span: Span,
        places: Vec<Place>,
    ) -> Ident {
        let ident = self.fresh(name, span);
        let user_label = label.as_ref().map(|l| l.name.ident.to_string());
        self.enter(ident.clone(), What::Loop { label: user_label }, places);
        if let Some(label) = label {
            let region = self.regions.last_mut().expect("just entered");
            region.label = label.name.clone();
            region.is_labelled = true;
        }
        ident
    }

    /// The loop with its head: where a tensor decides, the head begins each pass and ends the loop.
    fn looped(&mut self, looped: Looped) -> Expr {
        let Looped {
            span,
            begin,
            argument,
            test,
            body,
            ends,
            items,
        } = looped;
        let region = self.regions.pop().expect("the loop was entered");
        let (ident, label) = (&region.ident, &region.label);
        let (escapes, vars) = (
            escapes(&region.escapes, span),
            self.loop_variables(&region.places),
        );
        let begin = Ident::new(begin, span);
        let done = match ends {
            Ends::Plainly => quote_spanned!(span=> break;),
            Ends::WithValue => quote_spanned!(span=> break #ident.graph().value();),
            Ends::Never => quote_spanned!(span=> unreachable!();),
        };
        let exit = (!region.escapes.is_empty()).then(|| self.propagate(ident));
        let head = quote_spanned! {span=>
            if #ident.traced() && #ident.graph().next(&mut [#vars]) {
                #exit
                #done
            }
        };
        let is_forever = begin == "loop_stmt";
        // A `loop` that nothing about tensors decides is Rust's.
        if is_forever && region.escapes.is_empty() {
            return if region.is_labelled {
                code!(span=> { let mut #ident = ag__::loop_stmt(()); #label: loop { #body } })
            } else {
                code!(span=> loop { #body })
            };
        }
        let behind = (!region.escapes.is_empty() && !is_forever).then(
            || quote_spanned!(span=> if #ident.traced() { #ident.graph().end(&mut [#vars]); }),
        );
        let label = region.is_labelled.then(|| quote_spanned!(span=> #label:));
        let replay = quote_spanned! {span=>
            #label loop {
                #head
                #test
                #body
            }
            #behind
        };
        // Temporaries of a `for`'s iterator live as long as the loop. The iterator is a variable of its own: where the loop is left, nobody asks for what
        // it borrows any more.
        if let Some(items) = items {
            return code!(span=> match ag__::#begin(#argument #escapes) { (mut #ident, mut #items) => { #replay } });
        }
        code!(span=> { let mut #ident = ag__::#begin(#argument #escapes); #replay })
    }
}

/// True for ranges and what methods make of them: those are nothing but Rust's or the graph's numbers.
fn is_range(iterable: &Expr) -> bool {
    match iterable {
        Expr::Range(_) => true,
        Expr::Paren(inner) => is_range(&inner.expr),
        Expr::MethodCall(call) => is_range(&call.receiver),
        _ => false,
    }
}

/// The kinds of conditions as nested pairs.
pub(super) fn escapes(kinds: &[Ident], span: Span) -> TokenStream {
    kinds.iter().rev().fold(
        quote_spanned!(span=> ()),
        |rest, kind| quote_spanned!(span=> (&#kind, #rest)),
    )
}

/// True if the expression needs no semicolon to be a statement.
fn ends_in_a_block(expr: &Expr) -> bool {
    match expr {
        Expr::Block(_) | Expr::Loop(_) | Expr::If(_) | Expr::Match(_) => true,
        Expr::Verbatim(tokens) => {
            let last = tokens.clone().into_iter().last();
            matches!(last, Some(proc_macro2::TokenTree::Group(g)) if g.delimiter() == proc_macro2::Delimiter::Brace)
        }
        _ => false,
    }
}

/// The statements of a body, to stand among others.
fn statements(block: &Block) -> TokenStream {
    let mut stmts = block.stmts.clone();
    if let Some(syn::Stmt::Expr(expr, semi @ None)) = stmts.last_mut()
        && !ends_in_a_block(expr)
    {
        *semi = Some(Default::default());
    }
    quote::quote!(#(#stmts)*)
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

/// True if a `break` of this loop has a value. In Rust then all have.
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

/// `0..n`, which a loop may run over later.
pub(super) fn may_count_to_tensor(expr: &Expr) -> bool {
    matches!(expr, Expr::Range(syn::ExprRange { start: Some(start), end: Some(_), .. }) if super::literal::is_literal(start))
}

/// How a loop gives items to a pattern: a row of a tensor may be taken apart by a tuple of two or three names.
fn taken_apart(pat: &syn::Pat) -> &'static str {
    let is_name = |pat: &syn::Pat| matches!(pat, syn::Pat::Ident(_) | syn::Pat::Wild(_));
    match pat {
        syn::Pat::Paren(inner) => taken_apart(&inner.pat),
        syn::Pat::Tuple(tuple) if tuple.elems.iter().all(is_name) => match tuple.elems.len() {
            2 => "pair",
            3 => "triple",
            _ => "item",
        },
        _ => "item",
    }
}
