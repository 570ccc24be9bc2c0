//! Values that are taken: cloned if another branch or a later use needs them, else moved.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprMethodCall, Ident, parse_quote};

use super::{generated, leave};
use crate::syntax::{FlowId, Kept, KeptWhat, Receiver, Tree, Unwrapped, UnwrappedItem};

/// An operand in a branch.
pub fn operand(place: &Expr, span: Span) -> TokenStream {
    copied(
        quote_spanned!(span=> ag__::operand(&#place).copy()),
        place,
        span,
    )
}

/// A variable that is used later.
pub fn again(place: &Expr, span: Span) -> TokenStream {
    copied(
        quote_spanned!(span=> ag__::again(&#place).copy()),
        place,
        span,
    )
}

/// The value of a place that is taken, depending on its type: a copy, or the place itself.
fn copied(copy: TokenStream, place: &Expr, span: Span) -> TokenStream {
    let copied = taken("copy__", span);
    either(copy, &copied, quote!(#copied), quote!(#place), span)
}

/// Code that uses a copy, bound to a name, or else code that moves the value.
fn either(
    copy: TokenStream,
    name: &Ident,
    with_copy: TokenStream,
    moving: TokenStream,
    span: Span,
) -> TokenStream {
    let moved = generated("moved", span);
    // At the user's place, the compiler would take these patterns for one of theirs that moves the value, and advise `ref`.
    let elsewhere = Span::call_site().resolved_at(span);
    let bound = Ident::new(&name.to_string(), elsewhere);
    let has_copy = quote_spanned!(elsewhere=> ag__::Ok(#bound));
    let has_none = quote_spanned!(elsewhere=> ag__::Err(#moved));
    quote_spanned! {span=>
        (match #copy {
            #has_copy => #with_copy,
            #has_none => {
                #moved.here();
                #moving
            }
        })
    }
}

/// A variable in place of the user's. It has the user's span, so that a message about its type doesn't mention the macro, and a name that
/// users don't write.
fn taken(name: &str, span: Span) -> Ident {
    Ident::new(name, span)
}

/// `x.unwrap()`. If there is nothing to unwrap, the branch that a tensor decides fails.
pub fn unwrapped(unwrapped: &Unwrapped, span: Span, tree: &Tree) -> TokenStream {
    let Unwrapped {
        call,
        receiver,
        through,
    } = unwrapped;
    let message = call.args.first();
    let place = &call.receiver;
    if *receiver == Receiver::Value {
        let missing = generated("missing", span);
        let value = quote_spanned!(span=> #missing.value());
        let fails = leave::fails(through, &value, &says(message, span), span, tree);
        let mut call = call.clone();
        let there = taken("there__", span);
        let checked = quote_spanned!(span=> ag__::unwrapping(#place).checked());
        *call.receiver = parse_quote!((match #checked { ag__::Ok(#there) => #there, ag__::Err(#missing) => #fails }));
        return quote!(#call);
    }
    let taken = match receiver {
        Receiver::Reused => unwrapped_copy(call, span),
        _ => quote!(#call),
    };
    if through.is_empty() {
        return taken;
    }
    taken_if_there(&quote!(&#place), &taken, message, through, span, tree)
}

/// `x[i].unwrap()`. If there is nothing to unwrap, the branch that a tensor decides fails.
pub fn unwrapped_item(unwrapped: &UnwrappedItem, span: Span, tree: &Tree) -> TokenStream {
    let UnwrappedItem {
        item,
        taken,
        message,
        through,
    } = unwrapped;
    taken_if_there(
        &quote!(#item),
        &quote!(#taken),
        message.as_ref(),
        through,
        span,
        tree,
    )
}

/// What unwraps a value, after a look at a reference to it.
fn taken_if_there(
    reference: &TokenStream,
    taken: &TokenStream,
    message: Option<&Expr>,
    through: &[FlowId],
    span: Span,
    tree: &Tree,
) -> TokenStream {
    let missing = generated("missing", span);
    let fails = leave::fails(
        through,
        &TokenStream::new(),
        &says(message, span),
        span,
        tree,
    );
    let checked = quote_spanned!(span=> ag__::unwrapping(#reference).checked());
    quote_spanned!(span=> ({ if let ag__::Err(#missing) = #checked #fails #taken }))
}

/// The message of a value that is missing, as `unwrap` or `expect` has it.
fn says(message: Option<&Expr>, span: Span) -> TokenStream {
    let missing = generated("missing", span);
    match message {
        Some(message) => quote_spanned!(span=> #missing.says(#message)),
        None => quote_spanned!(span=> #missing.says_why()),
    }
}

/// `x.unwrap()`, on a copy if the type can be copied.
fn unwrapped_copy(call: &ExprMethodCall, span: Span) -> TokenStream {
    let receiver = &call.receiver;
    let copied = taken("copy__", span);
    let mut on_copy = call.clone();
    *on_copy.receiver = parse_quote!(#copied.value());
    let copy = quote_spanned!(span=> ag__::unwrapped(&#receiver).copy());
    let with_copy = quote_spanned!(span=> { #copied.here(); #on_copy });
    either(copy, &copied, with_copy, quote!(#call), span)
}

/// A `move` closure that captures `self`, which is used again behind the body.
pub fn over_self(own: &Ident, closure: &Expr, span: Span) -> TokenStream {
    let name = Ident::new("self", span);
    quote_spanned!(span=> { let #own = &mut *#name; #closure })
}

/// If a tensor decides one of the flows, the code runs again, so clones are moved; if Rust decides all of them, the code is the user's.
pub fn kept(kept: &Kept, span: Span, tree: &Tree) -> TokenStream {
    let moved = match &kept.what {
        KeptWhat::Place { taken, .. } => quote!(#taken),
        KeptWhat::Base { structure, base } => based_on(structure, base),
        KeptWhat::Names { mac, .. } => quote!(#mac),
    };
    let around = kept.flows.iter().rev();
    around.fold(moved, |moved, id| {
        with_clones(&kept.what, &tree[*id].ident, moved, span)
    })
}

/// The code with clones if a tensor decides the flow, else the user's code.
fn with_clones(what: &KeptWhat, flow: &Ident, moving: TokenStream, span: Span) -> TokenStream {
    let keep = |place: &dyn quote::ToTokens| quote_spanned!(span=> #flow.passes().keep(&#place));
    let kept = taken("kept__", span);
    match what {
        KeptWhat::Place { place, .. } => either(keep(place), &kept, quote!(#kept), moving, span),
        KeptWhat::Base { structure, base } => {
            let structure = based_on(structure, &parse_quote!(#kept));
            either(keep(base), &kept, structure, moving, span)
        }
        KeptWhat::Names { names, mac } => {
            let named = |name: &Ident, value: TokenStream| quote_spanned!(span=> #[allow(unused_variables)] let #name = #value;);
            let first = names.first();
            let others = names.iter().skip(1).map(|name| {
                let value = either(keep(name), &kept, quote!(#kept), quote!(#name), span);
                named(name, value)
            });
            let first_named = first.map(|name| named(name, quote!(#kept)));
            let with_clones = quote_spanned!(span=> { #first_named #(#others)* #mac });
            either(keep(&first), &kept, with_clones, moving, span)
        }
    }
}

fn based_on(structure: &syn::ExprStruct, base: &Expr) -> TokenStream {
    let mut structure = structure.clone();
    structure.rest = Some(Box::new(base.clone()));
    quote!(#structure)
}
