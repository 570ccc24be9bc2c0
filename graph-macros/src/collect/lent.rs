//! `f(self, self.len())` in a method of `&mut self`. Rust lends `self` to `f` only when the other arguments are evaluated; a reference in
//! generated code is lent at once. So the arguments behind `self` are evaluated before it.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Ident, Token, parse_quote_spanned};

use super::Collector;
use crate::macros;
use crate::syntax::Construct;

impl Collector {
    /// The positions of the arguments that are evaluated before `self` is lent.
    pub fn before_self(&self, arguments: &Punctuated<Expr, Token![,]>) -> Vec<usize> {
        if self.scopes.get("self").is_none() {
            return Vec::new();
        }
        let mentions = |argument: &Expr| {
            let names = macros::idents(argument.to_token_stream());
            names.iter().any(|name| name == "self")
        };
        let is_self =
            |argument: &Expr| matches!(argument, Expr::Path(e) if e.path.is_ident("self"));
        let lent = arguments.iter().position(is_self);
        let last = arguments.iter().rposition(mentions);
        let (Some(lent), Some(last)) = (lent, last) else {
            return Vec::new();
        };
        let behind = arguments.iter().enumerate().take(last + 1).skip(lent + 1);
        let has_effects =
            |argument: &Expr| !matches!(argument, Expr::Lit(_) | Expr::Path(_) | Expr::Closure(_));
        behind
            .filter(|(_, argument)| has_effects(argument))
            .map(|(position, _)| position)
            .collect()
    }

    /// Takes these arguments out of a call; variables stand for them.
    pub fn take_out(
        &mut self,
        arguments: &mut Punctuated<Expr, Token![,]>,
        positions: Vec<usize>,
    ) -> Vec<(Ident, Expr)> {
        let mut taken = Vec::new();
        for position in positions {
            let argument = &mut arguments[position];
            let span = argument.span();
            let name = self.fresh("value", span);
            let value = std::mem::replace(argument, parse_quote_spanned!(span=> #name));
            taken.push((name, value));
        }
        taken
    }

    /// The call behind the arguments that were taken out of it.
    pub fn behind_values(&mut self, call: Expr, taken: Vec<(Ident, Expr)>) -> Expr {
        let span = call.span();
        let behind = |call: Expr, (name, value): (Ident, Expr)| -> Expr {
            parse_quote_spanned!(span=> match (#value) { #name => #call })
        };
        match taken.is_empty() {
            true => call,
            false => {
                let call = taken.into_iter().rev().fold(call, behind);
                self.construct(span, Construct::Whole(call))
            }
        }
    }
}
