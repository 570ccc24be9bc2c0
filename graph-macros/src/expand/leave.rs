//! `return`, `break`, `continue` and failures. Each flow around the jump that a tensor may decide records the exit and traces its next
//! branch; if Rust decides, the jump is Rust's.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Type};

use super::{at, carried, generated};
use crate::syntax::{Failure, Flow, FlowId, Jump, Leaves, Return, Says, Tree, WayOut, What};

/// `?` in a function with a result type that may not allow it: a message says so, and points at the `?`.
pub fn tried(value: &Expr, result: &Type, span: Span) -> TokenStream {
    let result = at(result.to_token_stream(), span);
    let (value_of, left) = (generated("value", span), generated("left", span));
    quote_spanned! {span=>
        (match ag__::tried::<#result, _>(#value) {
            ag__::ControlFlow::Continue(#value_of) => #value_of,
            ag__::ControlFlow::Break(#left) => return #left,
        })
    }
}

pub fn returns(leaving: &Return, span: Span, tree: &Tree) -> TokenStream {
    let Return { value, ty, way_out } = leaving;
    if way_out.through.is_empty() {
        return quote_spanned!(span=> return #value);
    }
    let at = value.as_ref().map_or(span, |v| v.span());
    let name = leaving_value(at);
    let value = match value {
        Some(value) => quote_spanned!(span=> #value),
        None => quote_spanned!(span=> ()),
    };
    let ty = ty.as_ref().map(|ty| quote_spanned!(span=> : #ty));
    let written = carried(&way_out.parameters);
    let exits = chain(&way_out.through, tree, |flow| {
        let ident = &flow.ident;
        quote_spanned!(at=> #ident.graph().returns(#name, &mut [#written]);)
    });
    quote_spanned!(span=> { let #name #ty = #value; #exits return #name })
}

pub fn jump(jump: &Jump, span: Span, tree: &Tree) -> TokenStream {
    let (target, vars) = (&tree[jump.target], carried(&jump.carried));
    let name = leaving_value(span);
    let (bind, method, argument, taken) = match &jump.leaves {
        Leaves::Break(Some(value)) => (
            Some(quote_spanned!(span=> let #name = #value;)),
            "breaks_with",
            Some(quote_spanned!(span=> #name,)),
            Some(&name),
        ),
        Leaves::Break(None) => (None, "breaks", None, None),
        Leaves::Continue => (None, "continues", None, None),
    };
    let left = &target.ident;
    let exits = chain(&jump.through, tree, |flow| {
        let ident = &flow.ident;
        if ident == left {
            let method = format_ident!("{method}_here", span = span);
            return quote_spanned!(span=> #ident.graph().#method(#argument &mut [#vars]););
        }
        let method = Ident::new(method, span);
        quote_spanned!(span=> #ident.graph().#method(#left.target(), #argument &mut [#vars]);)
    });
    let label = &target.label;
    match jump.leaves {
        Leaves::Break(_) => quote_spanned!(span=> { #bind #exits break #label #taken }),
        Leaves::Continue => quote_spanned!(span=> { #exits continue #label }),
    }
}

/// A `panic!`: a replayed branch records that it fails when it runs; otherwise the panic is immediate.
pub fn failure(failure: &Failure, span: Span, tree: &Tree) -> TokenStream {
    let (mac, says) = (&failure.mac, says(&failure.says, span));
    let says = quote_spanned!(span=> || #says);
    fails(
        &failure.through,
        &quote_spanned!(span=> #mac),
        &says,
        span,
        tree,
    )
}

/// A block that fails the innermost replayed branch around it, with the message that a closure makes. If there is none, it runs other
/// code, which panics as in Rust.
pub fn fails(
    through: &[FlowId],
    otherwise: &TokenStream,
    says: &TokenStream,
    span: Span,
    tree: &Tree,
) -> TokenStream {
    let flows = through.iter().rev().map(|id| &tree[*id]);
    let failures = flows.fold(TokenStream::new(), |around, flow| {
        let (ident, label) = (&flow.ident, &flow.label);
        match flow.what {
            What::Branch => quote_spanned!(span=> if #ident.traced() {
                #ident.graph().fails(#says);
                continue #label;
            } #around),
            _ => quote_spanned!(span=> if !#ident.traced() { #around }),
        }
    });
    quote_spanned!(span=> { #failures #otherwise })
}

fn says(says: &Says, span: Span) -> TokenStream {
    let Says { prefix, arguments } = says;
    match (arguments.is_empty(), prefix.is_empty()) {
        (true, _) => quote_spanned!(span=> ag__::format!(#prefix)),
        (false, true) => quote_spanned!(span=> ag__::format!(#arguments)),
        (false, false) => {
            quote_spanned!(span=> ag__::format!("{}{}", #prefix, ag__::format!(#arguments)))
        }
    }
}

/// For each flow, the innermost first: if it is replayed, record the exit and begin its next pass.
fn chain(through: &[FlowId], tree: &Tree, note: impl Fn(&Flow) -> TokenStream) -> TokenStream {
    let flows = through.iter().map(|id| &tree[*id]);
    let noted = flows.map(|flow| {
        let (ident, label, span) = (&flow.ident, &flow.label, flow.ident.span());
        let note = note(flow);
        quote_spanned!(span=> if #ident.traced() { #note continue #label; })
    });
    noted.collect()
}

/// If a construct is always left by a jump, leaves the construct around it, too.
pub fn propagate(ident: &Ident, way_out: &WayOut, tree: &Tree) -> TokenStream {
    let left = left(ident, way_out, tree);
    quote_spanned!(ident.span()=> if #ident.exits() { #left })
}

/// Leaves the construct around one that is always left by a jump.
pub fn left(ident: &Ident, way_out: &WayOut, tree: &Tree) -> TokenStream {
    let span = ident.span();
    let outer = chain(&way_out.through, tree, |flow| {
        let outer = &flow.ident;
        quote_spanned!(span=> #outer.graph().exits();)
    });
    let written = carried(&way_out.parameters);
    quote_spanned!(span=> #outer return #ident.graph().returned(&mut [#written]);)
}

/// The variable for a value that leaves the function. It has the user's span, so that messages point to the user's code and don't mention
/// the macro, and a name that users don't write.
fn leaving_value(span: Span) -> Ident {
    Ident::new("value__", span)
}
