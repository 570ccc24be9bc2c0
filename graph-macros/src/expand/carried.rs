//! The variables that a construct passes to the tracer.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident};

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
        Carry::Called(changes) => called(place, changes, span),
        Carry::Pointed => quote_spanned!(span=> ag__::pointed(#name)),
        Carry::Unset => quote_spanned!(span=> ag__::unset(#name)),
        Carry::Parameter => quote_spanned!(span=> ag__::parameter(&mut #place).var()),
    }
}

/// A variable that is called. A message about a closure shows the names of the variables that it changes, as those of types.
fn called(place: &Expr, changes: &[Ident], span: Span) -> TokenStream {
    let names = match changes {
        [] => return quote_spanned!(span=> ag__::called(&#place)),
        [name] => quote!(#name),
        names => quote!((#(#names),*)),
    };
    quote_spanned! {span=> {
        #(#[allow(non_camel_case_types)] enum #changes {})*
        ag__::changing::<#names, _, _>(&#place)
    }}
}
