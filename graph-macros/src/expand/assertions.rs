//! `assert!` and its kin, `graph_assert!` included: over Rust values they panic, over tensors they are assertions of the graph.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Ident;

use super::{closure, operators};
use crate::syntax::{Assertion, Asserts};

pub fn assertion(assertion: &Assertion, span: Span) -> TokenStream {
    let asserts = asserts(&assertion.asserts, span);
    match assertion.debug {
        true => quote_spanned!(span=> if cfg!(debug_assertions) { #asserts }),
        false => asserts,
    }
}

fn asserts(asserts: &Asserts, span: Span) -> TokenStream {
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
                [] => quote_spanned!(span=> #closure None),
                message => quote_spanned!(span=> #closure Some(ag__::format!(#(#message),*))),
            };
            quote_spanned!(span=> ag__::cmp(&#left, &#right).#method(#message))
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
                    (#a, #b) => ag__::assert_sides(#compared, #source, || [#(#shown),*]),
                }
            }
        }
        Asserts::Says { condition, message } => quote_spanned! {span=>
            ag__::assert_says(#condition, #closure ag__::format!(#(#message),*))
        },
        Asserts::Graph(code) => quote_spanned!(span=> #code),
    }
}
