//! The variables that a construct passes to the tracer.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use crate::syntax::{Carried, Carry};

/// `ag__::var("x", &mut x), …`, each with the user's tokens.
pub fn carried(variables: &[Carried]) -> TokenStream {
    let variables = variables.iter().map(variable);
    quote!(#(#variables),*)
}

fn variable(variable: &Carried) -> TokenStream {
    let Carried { name, place, how } = variable;
    // The `*` often comes from this macro.
    let span = match place {
        Expr::Unary(e) => e.expr.span(),
        other => other.span(),
    };
    match how {
        Carry::Assigned => quote_spanned!(span=> ag__::var(#name, &mut #place)),
        Carry::Behind => quote_spanned!(span=> ag__::place(#name, &mut #place).var()),
        Carry::Received => quote_spanned!(span=> ag__::place(#name, &mut #place).receiver()),
        Carry::Called => quote_spanned!(span=> ag__::called(&#place)),
        Carry::Unset => quote_spanned!(span=> ag__::unset(#name)),
        Carry::Parameter => quote_spanned!(span=> ag__::parameter(&mut #place).var()),
    }
}
