//! `f(self, self.len())` in a method of `&mut self`. Rust lends `self` to `f` only when the other arguments are evaluated; a reference in
//! generated code is lent at once. So the other arguments are evaluated before it.

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
        let names = |argument: &Expr| macros::idents(argument.to_token_stream());
        let mentions = |argument: &Expr| names(argument).iter().any(|name| name == "self");
        let path = |argument: &Expr| match argument {
            Expr::Path(e) => e.path.get_ident().cloned(),
            _ => None,
        };
        let is_self = |argument: &Expr| path(argument).is_some_and(|name| name == "self");
        let lent = arguments.iter().position(is_self);
        let last = arguments.iter().rposition(mentions);
        let (Some(lent), Some(last)) = (lent, last) else {
            return Vec::new();
        };
        if last == lent {
            return Vec::new();
        }
        let has_effects =
            |argument: &Expr| !matches!(argument, Expr::Lit(_) | Expr::Path(_) | Expr::Closure(_));
        let (first, taken): (Vec<usize>, Vec<&Expr>) = arguments
            .iter()
            .enumerate()
            .take(last + 1)
            .filter(|(_, argument)| has_effects(argument))
            .unzip();
        // A variable that stays in the call is read later than written, so none of the others may change it.
        let may_change = |name: Ident| {
            let var = self.scopes.get(&name.to_string());
            var.is_some_and(|var| var.mutable)
                && taken.iter().any(|argument| names(argument).contains(&name))
        };
        let mut stay = arguments.iter().enumerate().filter(|(n, _)| *n != lent);
        match stay.any(|(_, argument)| path(argument).is_some_and(may_change)) {
            true => Vec::new(),
            false => first,
        }
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
