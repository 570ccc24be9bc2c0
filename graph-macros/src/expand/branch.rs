//! `if` and `match` that a tensor may decide: a loop that runs once if Rust decides, and once per branch while a tensor's branches are
//! traced.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, Ident, Stmt, parse_quote};

use super::{carried, generated, leave, matching};
use crate::syntax::{Branch, Decides, Gives, OpenKind, Tree};

/// The begin call and the loop have the user's span, so that errors of a run name the user's line.
pub fn branch(branch: &Branch, span: Span, tree: &Tree) -> TokenStream {
    let ident = &tree[branch.flow].ident;
    let (begin, code) = match &branch.decides {
        Decides::If {
            condition,
            then_branch,
            otherwise,
        } => {
            let otherwise = otherwise
                .as_ref()
                .map(|other| quote_spanned!(span=> else #other));
            (
                quote_spanned!(span=> ag__::if_stmt(#condition)),
                quote_spanned!(span=> if #ident.branch() #then_branch #otherwise),
            )
        }
        Decides::Match {
            scrutinee,
            classes,
            guards,
            arms,
        } => {
            let (begin, matched) =
                matching::begin(ident, scrutinee, classes.as_ref(), guards, span);
            (begin, quote_spanned!(span=> match #matched { #(#arms)* }))
        }
    };
    let of = branch
        .escape
        .as_ref()
        .map(|kind| quote_spanned!(span=> .of(&#kind)));
    let begin = quote_spanned!(span=> #begin #of);
    let replay = replay(branch, code, tree);
    let span = ident.span();
    match branch.decides {
        Decides::If { .. } => quote_spanned!(span=> { let mut #ident = #begin; #replay }),
        // Temporaries in the scrutinee live until the `match` ends.
        Decides::Match { .. } => quote_spanned!(span=> match #begin { mut #ident => #replay }),
    }
}

/// The loop that runs the code once per branch.
fn replay(branch: &Branch, code: TokenStream, tree: &Tree) -> TokenStream {
    let flow = &tree[branch.flow];
    let (ident, span) = (&flow.ident, flow.ident.span());
    let ends = Ends::of(branch, ident);
    let done = &ends.done;
    let end = match (&branch.way_out, branch.never_ends) {
        (Some(way_out), true) => leave::left(ident, way_out, tree),
        (Some(way_out), false) => {
            let exit = leave::propagate(ident, way_out, tree);
            quote_spanned!(span=> #exit #done;)
        }
        (None, _) => quote_spanned!(span=> #done;),
    };
    let vars = carried(&branch.carried);
    let head = quote_spanned! {span=>
        if #ident.traced() && #ident.graph().next(&mut [#vars]) {
            #end
        }
    };
    let pass = match branch.never_ends {
        // A loop without a `break`, so that rustc also sees that it never ends.
        true => code,
        false => {
            let bind = ends.bind(&branch.gives, code);
            let (leave, note) = (&ends.leave, &ends.note);
            quote_spanned!(span=> #bind if !#ident.traced() { #leave; } #note)
        }
    };
    let label = flow.label();
    quote_spanned!(span=> #label loop { #head #pass })
}

/// The code that ends a branching construct.
struct Ends {
    /// The variable for the value of a pass.
    value: Ident,
    /// Ends the construct if a tensor decides: takes its value and the first values of its variables from the graph.
    done: TokenStream,
    /// Ends the construct if Rust decides.
    leave: TokenStream,
    /// Passes the value of a pass to the graph.
    note: TokenStream,
}

impl Ends {
    fn of(branch: &Branch, ident: &Ident) -> Ends {
        let span = ident.span();
        let value = generated("value", span);
        let outputs: &[Expr] = &branch.outputs;
        let gives_value = matches!(branch.gives, Gives::Value(_));
        let leave = match gives_value {
            true => quote_spanned!(span=> break #value),
            false => quote_spanned!(span=> break),
        };
        let (done, note) = match (gives_value, outputs.is_empty()) {
            (false, true) => (
                quote_spanned!(span=> break),
                quote_spanned!(span=> #ident.graph().falls();),
            ),
            (true, true) => (
                quote_spanned!(span=> break #ident.graph().value()),
                quote_spanned!(span=> #ident.graph().yields(#value);),
            ),
            (false, false) => (
                quote_spanned!(span=> (#(#outputs,)*) = #ident.graph().value(); break),
                quote_spanned!(span=> #ident.graph().yields((#(#outputs,)*));),
            ),
            (true, false) => (
                quote_spanned!(span=> let #value; (#value, #(#outputs,)*) = #ident.graph().value(); break #value),
                quote_spanned!(span=> #ident.graph().yields((#value, #(#outputs,)*));),
            ),
        };
        Ends {
            value,
            done,
            leave,
            note,
        }
    }

    /// One pass, with its value bound to the variable.
    fn bind(&self, gives: &Gives, code: TokenStream) -> TokenStream {
        let (value, span) = (&self.value, self.value.span());
        match gives {
            Gives::Nothing => code,
            Gives::Value(ty) => {
                let ty = ty.as_ref().map(|ty| quote_spanned!(span=> : #ty));
                quote_spanned!(span=> let #value #ty = #code;)
            }
        }
    }
}

/// Declares the kinds of conditions at the beginning of the body. A condition under `cfg` may not exist.
pub fn kinds(kinds: &[OpenKind]) -> TokenStream {
    let declared = kinds.iter().flat_map(|kind| -> Vec<Stmt> {
        let OpenKind { ident, conditions } = kind;
        if conditions.is_empty() {
            return vec![parse_quote!(let #ident = ag__::kind();)];
        }
        vec![
            parse_quote!(#[cfg(all(#(#conditions),*))] let #ident = ag__::kind();),
            parse_quote!(#[cfg(not(all(#(#conditions),*)))] let #ident = ag__::kind::<ag__::Rust>();),
        ]
    });
    quote!(#(#declared)*)
}
