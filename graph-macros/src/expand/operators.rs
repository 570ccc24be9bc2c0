//! Comparisons, `&&` and `||`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Ident;

use super::{closure, generated};
use crate::syntax::{Logic, Operator, Sides, WithFloat};

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

/// An operator with a float literal on one side: the other side's type decides what the literal is.
pub fn with_float(with: &WithFloat, span: Span) -> TokenStream {
    let WithFloat {
        literal,
        operand,
        is_left,
        operator,
    } = with;
    let (value, number) = (generated("value", span), generated("number", span));
    let sides = |value: TokenStream, number: TokenStream| match is_left {
        true => (number, value),
        false => (value, number),
    };
    let (taken, seen, result) = match operator {
        Operator::Arithmetic(op) => {
            let (left, right) = sides(quote!(#value), quote!(#number));
            (quote!(#operand), quote!(&#value), quote!(#left #op #right))
        }
        Operator::Comparison(method) => {
            let (left, right) = sides(quote!(#value), quote!(&#number));
            let compared = comparison(left, right, method, span);
            (quote_spanned!(span=> &#operand), quote!(#value), compared)
        }
    };
    quote_spanned! {span=>
        (match #taken {
            #value => {
                let #number = ag__::beside(#seen).float(#literal);
                #result
            }
        })
    }
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
