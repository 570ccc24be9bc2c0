//! Items: `x[i]` of a Rust collection or a tensor; and the search for a value among literals.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{BinOp, Expr, Ident};

use super::generated;
use crate::syntax::{Access, Item, ItemMethod, Sought};

pub fn item(item: &Item, span: Span) -> TokenStream {
    let Item { base, index, how } = item;
    match how {
        Access::Value => quote_spanned!(span=> #base.item__(#index)),
        Access::Reference => quote_spanned!(span=> #base.item_ref__(#index)),
        Access::Place => quote_spanned!(span=> *#base.item_ref__(#index)),
        Access::Mutable => quote_spanned!(span=> #base.item_mut__(#index)),
        Access::Assigned => quote_spanned!(span=> *ag__::target(#base.item_mut__(#index))),
        Access::OfValue => quote_spanned!(span=> ag__::rvalue(#base)[#index]),
    }
}

/// `x[i] += y`: the value of `y` is evaluated before `x` is borrowed, as Rust does for numbers.
pub fn changed(item: &Expr, op: &BinOp, value: &Expr, span: Span) -> TokenStream {
    let name = Ident::new("value", Span::mixed_site());
    quote_spanned!(span=> match #value { #name => #item #op #name })
}

/// `x[i].method(…)`: on a row of a tensor, or on a Rust place, whose positions are evaluated before anything is borrowed.
pub fn method(method: &ItemMethod, span: Span) -> TokenStream {
    let ItemMethod {
        base,
        index,
        place,
        positions,
        call,
    } = method;
    let with = |receiver: TokenStream| {
        let mut call = call.clone();
        *call.receiver = Expr::Verbatim(receiver);
        quote_spanned!(span=> #call)
    };
    let row = with(quote_spanned!(span=> (*#base.row__(#index))));
    let on_place = with(quote_spanned!(span=> #place));
    let item = positions.iter().fold(on_place, |item, (name, base, index)| {
        quote_spanned!(span=> match ag__::indexed(&#base).at(#index) { #name => #item })
    });
    quote_spanned!(span=> (if ag__::indexed(&#base).gives_rows() { #row } else { #item }))
}

/// `[1, 2, 3].method(&x)`: Rust's method, or the test whether a tensor is among the values.
pub fn sought(sought: &Sought, span: Span) -> TokenStream {
    let (values, item) = (generated("values", span), generated("item", span));
    let written = &sought.call.receiver;
    let mut call = sought.call.clone();
    *call.receiver = Expr::Verbatim(quote_spanned!(span=> #values));
    call.args = [Expr::Verbatim(quote_spanned!(span=> #item))]
        .into_iter()
        .collect();
    let sought = &sought.sought;
    quote_spanned!(span=> ag__::sought(#sought).among(&#written, |#values, #item| #call))
}
