//! Values that are taken: cloned where another branch or a later use needs them, moved where not.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, Ident, parse_quote};

use crate::syntax::{Kept, KeptWhat, Tree};

pub fn operand(place: &Expr, span: Span) -> TokenStream {
    quote_spanned! {span=>
        (if ag__::operand(&#place).clones() {
            ag__::operand(&#place).cloned()
        } else {
            ag__::operand(&#place).moves();
            #place
        })
    }
}

pub fn again(place: &Expr, span: Span) -> TokenStream {
    quote_spanned! {span=>
        (if ag__::again(&#place).copies() {
            ag__::again(&#place).copy()
        } else {
            ag__::again(&#place).moves();
            #place
        })
    }
}

/// A `move` closure over `self`, which is looked at once more behind the body.
pub fn over_self(own: &Ident, closure: &Expr, span: Span) -> TokenStream {
    let name = Ident::new("self", span);
    quote_spanned!(span=> { let #own = &mut *#name; #closure })
}

/// Where a tensor decides about one of the regions, its code runs once more, and clones are moved; where Rust decides about all, what stands there.
pub fn kept(kept: &Kept, span: Span, tree: &Tree) -> TokenStream {
    let idents = || kept.regions.iter().map(|id| &tree[*id].ident);
    let graph = idents().map(|ident| {
        let clones = clones(&kept.what, ident, span);
        quote_spanned!(span=> if #ident.is_graph() { #clones } else)
    });
    let decides = idents().map(|ident| quote_spanned!(span=> #ident.rust();));
    let moved = match &kept.what {
        KeptWhat::Place { taken, .. } => quote!(#taken),
        KeptWhat::Base { structure, base } => {
            let mut structure = structure.clone();
            structure.rest = Some(Box::new(base.clone()));
            quote!(#structure)
        }
        KeptWhat::Names { mac, .. } => quote!(#mac),
    };
    quote_spanned!(span=> (#(#graph)* { #(#decides)* #moved }))
}

fn clones(what: &KeptWhat, ident: &Ident, span: Span) -> TokenStream {
    match what {
        KeptWhat::Place { place, .. } => {
            quote_spanned!(span=> #ident.replays().keep(&#place).value())
        }
        KeptWhat::Base { structure, base } => {
            let mut structure = structure.clone();
            structure.rest = Some(parse_quote!(#ident.replays().keep(&#base).value()));
            quote!(#structure)
        }
        KeptWhat::Names { names, mac } => {
            quote!(#(#[allow(unused_variables)] let #names = #ident.replays().keep(&#names).value();)* #mac)
        }
    }
}
