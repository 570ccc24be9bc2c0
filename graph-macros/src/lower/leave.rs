//! `return`, `break` and `continue`. For each construct around the place that a tensor may decide about, the way out is noted
//! there instead, and the next branch is traced; where Rust decides, the jump is Rust's.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprBreak, ExprContinue, ExprReturn, Ident, Lifetime};

use super::branch::variables;
use super::{Lower, Region, What};
use crate::activity::Exit;
use crate::errors::ToTokensDyn;

impl Region {
    /// True if the exit leads out of this region and no further.
    pub fn is_target(&self, exit: &Exit) -> bool {
        match (&self.what, exit) {
            (What::Loop { .. }, Exit::Break(None) | Exit::Continue(None)) => true,
            (
                What::Loop { label: Some(own) },
                Exit::Break(Some(name)) | Exit::Continue(Some(name)),
            ) => own == name,
            (What::Block { label }, Exit::Break(Some(name))) => label == name,
            _ => false,
        }
    }
}

impl Lower {
    pub fn return_expr(&mut self, e: ExprReturn) -> Expr {
        let span = e.return_token.span();
        let result = self.bodies.last().and_then(|b| b.result.clone());
        let value = e
            .expr
            .map(|value| self.leaving_value(*value, result.as_ref()));
        let first = self.bodies.last().map_or(0, |b| b.regions);
        if self.regions.len() == first {
            return match value {
                Some(value) => code!(span=> return #value),
                None => code!(span=> return),
            };
        }
        let at = value.as_ref().map_or(span, |v| v.span());
        let name = leaving_value(at);
        let value = value.unwrap_or_else(|| code!(span=> ()));
        let ty = result
            .as_ref()
            .filter(|ty| !super::has_infer(ty))
            .map(|ty| quote_spanned!(span=> : #ty));
        let written = self
            .bodies
            .last()
            .map(|b| b.written.clone())
            .unwrap_or_default();
        let exits = self.chain(first, |region| {
            let ident = &region.ident;
            quote_spanned!(at=> #ident.graph().returns(#name, &mut [#(#written),*]);)
        });
        code!(span=> { let #name #ty = #value; #exits return #name })
    }

    pub fn break_expr(&mut self, e: ExprBreak) -> Expr {
        let span = e.break_token.span();
        let exit = Exit::Break(e.label.as_ref().map(|l| l.ident.to_string()));
        let Some(target) = self.frame_of(&exit) else {
            self.refuse_outside(&exit, &e, "break");
            return Expr::Break(e);
        };
        // A `return` of a nested function or closure leaves the block that is its body.
        let returns = self.regions[target].label.ident == "body";
        let result = self
            .bodies
            .last()
            .filter(|_| returns)
            .and_then(|b| b.result.clone());
        let result = result.or_else(|| self.regions[target].result.clone());
        let value = e
            .expr
            .map(|value| self.leaving_value(*value, result.as_ref()));
        let name = leaving_value(span);
        let (bind, taken) = match &value {
            Some(value) => (
                quote_spanned!(span=> let #name = #value;),
                quote_spanned!(span=> #name),
            ),
            None => (TokenStream::new(), TokenStream::new()),
        };
        let method = if value.is_some() {
            "breaks_with"
        } else {
            "breaks"
        };
        let comma = value.as_ref().map(|_| quote_spanned!(span=> #name,));
        let (label, exits) = self.jump(target, method, comma, span);
        code!(span=> { #bind #exits break #label #taken })
    }

    pub fn continue_expr(&mut self, e: ExprContinue) -> Expr {
        let span = e.continue_token.span();
        let exit = Exit::Continue(e.label.as_ref().map(|l| l.ident.to_string()));
        let Some(target) = self.frame_of(&exit) else {
            self.refuse_outside(&exit, &e, "continue");
            return Expr::Continue(e);
        };
        let (label, exits) = self.jump(target, "continues", None, span);
        if exits.is_empty() {
            return code!(span=> continue #label);
        }
        code!(span=> { #exits continue #label })
    }

    /// The value of a `return` or `break`.
    fn leaving_value(&mut self, value: Expr, expected: Option<&syn::Type>) -> Expr {
        let outer = std::mem::replace(&mut self.leaving, true);
        let value = self.value_or_lift(value, expected);
        self.leaving = outer;
        value
    }

    /// A jump out of no loop: rustc wouldn't see it, because the constructs around it become loops. Unknown labels it sees.
    fn refuse_outside(&mut self, exit: &Exit, jump: &dyn ToTokensDyn, name: &str) {
        if matches!(exit, Exit::Break(None) | Exit::Continue(None)) {
            self.errors
                .push(jump, &format!("`{name}` outside of a loop"));
        }
    }

    /// The region that a `break` or `continue` names, if it is one of ours.
    fn frame_of(&self, exit: &Exit) -> Option<usize> {
        let first = self.bodies.last().map_or(0, |b| b.regions);
        (first..self.regions.len())
            .rev()
            .find(|i| self.regions[*i].is_target(exit))
    }

    fn jump(
        &mut self,
        target: usize,
        method: &str,
        value: Option<TokenStream>,
        span: Span,
    ) -> (Lifetime, TokenStream) {
        self.regions[target].is_labelled = true;
        let frame = self.regions[target].ident.clone();
        let label = self.regions[target].label.clone();
        self.refuse_shadowed(target, span);
        let set = self.regions[target]
            .places
            .iter()
            .filter(|p| !self.is_uninitialized(p));
        let vars = variables(&set.cloned().collect::<Vec<_>>());
        let exits = self.chain(target, |region| {
            let ident = &region.ident;
            if *ident == frame {
                let method = quote::format_ident!("{method}_here", span = span);
                return quote_spanned!(span=> #ident.graph().#method(#value &mut [#vars]););
            }
            let method = Ident::new(method, span);
            quote_spanned!(span=> #ident.graph().#method(#frame.target(), #value &mut [#vars]);)
        });
        (label, exits)
    }

    /// A jump takes the variables of its loop along by name, so they must still be the ones that the names mean.
    fn refuse_shadowed(&mut self, target: usize, span: Span) {
        let shadowed =
            |p: &&crate::activity::Place| self.scopes.get(&p.root).is_some_and(|v| v.id != p.id);
        let Some(place) = self.regions[target].places.iter().find(shadowed) else {
            return;
        };
        let name = &place.root;
        self.errors.push_span(
            span,
            &format!(
                "`{name}` is another variable here than the `{name}` that the loop or block around changes, which this jump takes \
                 along: give one of them another name"
            ),
        );
    }

    /// For each region from the innermost to number `last`: if it is replayed, note the way out there and begin its next pass.
    fn chain(&mut self, last: usize, note: impl Fn(&Region) -> TokenStream) -> TokenStream {
        let mut code = TokenStream::new();
        for region in self.regions[last..].iter_mut().rev() {
            region.is_labelled = true;
            let (ident, label, span) = (&region.ident, &region.label, region.ident.span());
            let note = note(region);
            code.extend(quote_spanned!(span=> if #ident.traced() { #note continue #label; }));
        }
        code
    }

    /// For each branch around a `panic!`, from the innermost: if it is replayed, note that it fails and begin its next pass. In the body of a
    /// loop that is traced it would fail in every iteration: that panic is Rust's.
    pub fn failures(&mut self, mac: &syn::Macro, says: &TokenStream) -> TokenStream {
        let first = self.bodies.last().map_or(0, |b| b.regions);
        let mut code = TokenStream::new();
        for region in self.regions[first..].iter_mut().rev() {
            let (ident, label, span) = (&region.ident, &region.label, mac.path.span());
            code.extend(match region.what {
                What::Branch => {
                    region.is_labelled = true;
                    quote_spanned!(span=> if #ident.traced() {
                        #ident.graph().fails(|| #says);
                        continue #label;
                    })
                }
                _ => quote_spanned!(span=> if #ident.traced() { #mac }),
            });
        }
        code
    }

    /// A construct that is left in every case leaves the one around it, too.
    pub fn propagate(&mut self, ident: &Ident) -> TokenStream {
        let left = self.left(ident);
        quote_spanned!(ident.span()=> if #ident.exits() { #left })
    }

    /// Leaves the construct around one that is left in every case.
    pub fn left(&mut self, ident: &Ident) -> TokenStream {
        let first = self.bodies.last().map_or(0, |b| b.regions);
        let span = ident.span();
        let outer = self.chain(first, |region| {
            let outer = &region.ident;
            quote_spanned!(span=> #outer.graph().exits();)
        });
        let written = self
            .bodies
            .last()
            .map(|b| b.written.clone())
            .unwrap_or_default();
        quote_spanned!(span=> #outer return #ident.graph().returned(&mut [#(#written),*]);)
    }
}

/// The variable that holds a value on its way out. It has the user's span, so that messages point there, and a name that the user's code won't
/// have.
fn leaving_value(span: Span) -> Ident {
    Ident::new("value__", span)
}

/// Turns the `return`s of a body into `break`s out of a block around it.
pub(crate) fn returns_to_breaks(mut block: Block, label: &Lifetime) -> Block {
    struct Replace<'a>(&'a Lifetime);
    impl VisitMut for Replace<'_> {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            match expr {
                Expr::Closure(_) | Expr::Async(_) => {}
                Expr::Return(e) => {
                    visit_mut::visit_expr_return_mut(self, e);
                    let (label, value, span) = (self.0, &e.expr, e.return_token.span());
                    *expr = match value {
                        Some(value) => code!(span=> break #label #value),
                        None => code!(span=> break #label ()),
                    };
                }
                _ => visit_mut::visit_expr_mut(self, expr),
            }
        }
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    Replace(label).visit_block_mut(&mut block);
    block
}
