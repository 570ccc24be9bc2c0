//! Comparisons, `&&` and `||`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Ident;

use super::{closure, generated};
use crate::syntax::{Logic, Sides};

pub fn compared(sides: &Sides, method: &str, span: Span) -> TokenStream {
    let (left, right) = (&sides.left, &sides.right);
    let left = quote_spanned!(span=> &#left);
    let right = quote_spanned!(span=> &#right);
    comparison(left, right, method, span)
}

/// A comparison of the values behind two references.
pub fn comparison(
    left: impl ToTokens,
    right: impl ToTokens,
    method: &str,
    span: Span,
) -> TokenStream {
    let method = Ident::new(method, span);
    quote_spanned!(span=> ag__::cmp(#left, #right).#method())
}

pub fn logic(logic: &Logic, span: Span) -> TokenStream {
    let Logic {
        function,
        left,
        ends_left,
        right,
    } = logic;
    let (function, closure) = (Ident::new(function, span), closure(span));
    let left = match ends_left {
        true => {
            let value = generated("left", span);
            quote_spanned!(span=> { let #value = #left; #value })
        }
        false => quote_spanned!(span=> #left),
    };
    quote_spanned!(span=> ag__::#function(#left, #closure #right))
}
