//! `assert!`, similar macros and `graph_assert!`: with Rust values they panic, or fail the branch that a tensor decides; with tensors
//! they become assertions of the graph.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Ident;

use super::{closure, leave, operators};
use crate::syntax::{Assertion, Asserts, Tree};

pub fn assertion(assertion: &Assertion, span: Span, tree: &Tree) -> TokenStream {
    let asserts = match assertion.through.as_slice() {
        [] => asserts(
            &assertion.asserts,
            &quote_spanned!(span=> .or_panic()),
            span,
        ),
        through => {
            let asserts = asserts(&assertion.asserts, &quote_spanned!(span=> .failed()), span);
            let message = Ident::new("message", Span::mixed_site());
            let panics = quote_spanned!(span=> ag__::panic!("{}", #message()));
            let fails = leave::fails(through, &panics, &quote!(#message), span, tree);
            quote_spanned!(span=> if let ag__::Some(#message) = #asserts #fails)
        }
    };
    match assertion.debug {
        true => quote_spanned!(span=> if ag__::cfg!(debug_assertions) { #asserts }),
        false => asserts,
    }
}

/// The assertion, and the code that runs if it fails.
fn asserts(asserts: &Asserts, then: &TokenStream, span: Span) -> TokenStream {
    let closure = closure(span);
    match asserts {
        Asserts::Equality {
            method,
            left,
            right,
            message,
        } => {
            let method = Ident::new(method, span);
            let message = match message.as_slice() {
                [] => quote_spanned!(span=> #closure ag__::None),
                message => quote_spanned!(span=> #closure ag__::Some(ag__::format!(#(#message),*))),
            };
            quote_spanned!(span=> ag__::cmp(&#left, &#right).#method(#message)#then)
        }
        Asserts::Comparison {
            sides,
            method,
            source,
            left,
            right,
        } => {
            let [a, b] = ["left", "right"].map(|name| Ident::new(name, Span::mixed_site()));
            let shown = [(left, &a), (right, &b)];
            let shown = shown.into_iter().filter_map(|(text, side)| {
                let text = text.as_ref()?;
                Some(quote!((#text, ag__::side(#side).shown())))
            });
            let (left, right) = (&sides.left, &sides.right);
            let compared = operators::comparison(&a, &b, method, span);
            quote_spanned! {span=>
                match (&#left, &#right) {
                    (#a, #b) => ag__::assert_sides(#compared, #source, #closure [#(#shown),*])#then,
                }
            }
        }
        Asserts::Says { condition, message } => quote_spanned! {span=>
            ag__::assert_says(#condition, #closure ag__::format!(#(#message),*))#then
        },
        Asserts::Graph(code) => quote_spanned!(span=> #code #then),
    }
}
