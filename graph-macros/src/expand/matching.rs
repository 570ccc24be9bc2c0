//! Scrutinees, guards, and the names that arms bind.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{Expr, Ident, Lit};

use super::closure;
use super::loops::nested;
use crate::syntax::{Bound, Classes, Guard, Tree};

/// The call that begins a `match`, and the scrutinee.
pub fn begin(
    ident: &Ident,
    scrutinee: &Expr,
    classes: Option<&Classes>,
    guards: &[Ident],
    span: Span,
) -> (TokenStream, TokenStream) {
    let guards = nested(guards, span);
    let (scrutinee, covered) = match classes {
        None => {
            let begin = quote_spanned!(span=> ag__::match_guards(#guards));
            return (begin, quote_spanned!(span=> #scrutinee));
        }
        Some(Classes::Numbers(covered)) => (quote_spanned!(span=> #scrutinee), covered),
        Some(Classes::Texts(texts, other, covered)) => {
            let texts = quote_spanned!(span=> ag__::texts(#scrutinee, &[#(#texts),*], #other));
            (texts, covered)
        }
    };
    (
        quote_spanned!(span=> ag__::match_stmt(#scrutinee, &[#covered], #guards)),
        quote_spanned!(span=> #ident.value()),
    )
}

/// A scrutinee that is a place. A number in the patterns tells its type if nothing else has.
pub fn scrutinee(place: &Expr, number: Option<&Lit>, span: Span) -> TokenStream {
    let value = quote_spanned!(span=> ag__::scrutinee(&#place).value());
    match number {
        Some(number) => {
            quote_spanned!(span=> { ag__::like(&#place, #number).settle(); #value })
        }
        None => value,
    }
}

pub fn scrutinees(parts: &[Expr], span: Span) -> TokenStream {
    let name = match parts.len() {
        2 => "Two",
        3 => "Three",
        _ => "Four",
    };
    let name = Ident::new(name, span);
    quote_spanned!(span=> ag__::#name(#(#parts),*))
}

pub fn guard(guard: &Guard, span: Span, tree: &Tree) -> TokenStream {
    let Guard {
        flow,
        kind,
        test,
        name,
    } = guard;
    let (ident, closure) = (&tree[*flow].ident, closure(span));
    let test = quote_spanned!(span=> #ident.test(&#kind, #closure #test));
    match name {
        Some(name) => quote_spanned!(span=> { let #name = #ident.bind(#name); #test }),
        None => test,
    }
}

pub fn bound(bound: &Bound, span: Span, tree: &Tree) -> TokenStream {
    let Bound { flow, name, body } = bound;
    let ident = &tree[*flow].ident;
    quote_spanned!(span=> { let #name = #ident.bind(#name); #body })
}
