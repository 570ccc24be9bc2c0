//! Loops and labelled blocks: if a tensor decides, the head begins each pass and ends the loop.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Block, Expr, Ident, Pat, Stmt};

use super::{carried, generated, leave};
use crate::syntax::{Construct, Ends, Flow, Gives, Head, Labelled, Loop, Tree};

pub fn looped(looped: &Loop, span: Span, tree: &Tree) -> TokenStream {
    let flow = &tree[looped.flow];
    let (ident, escapes) = (&flow.ident, nested(&flow.escapes, span));
    let body = statements(&looped.body, tree);
    // A `loop` without tensor conditions for leaving it stays Rust's.
    if matches!(looped.head, Head::Forever(_)) && flow.escapes.is_empty() {
        return rust_loop(flow, &body, span);
    }
    let replay = replay(looped, &body, span, tree);
    match &looped.head {
        Head::While { .. } => {
            quote_spanned!(span=> { let mut #ident = ag__::while_stmt(#escapes); #replay })
        }
        Head::WhileLet => {
            quote_spanned!(span=> { let mut #ident = ag__::block_stmt(#escapes); #replay })
        }
        Head::Forever(_) => {
            quote_spanned!(span=> { let mut #ident = ag__::loop_stmt(#escapes); #replay })
        }
        // Temporaries of a `for`'s iterator live as long as the loop. The iterator is a variable of its own: when the loop is left, its
        // borrows end.
        Head::For {
            iterable, items, ..
        } => quote_spanned! {span=>
            match ag__::for_stmt(#iterable, #escapes) { (mut #ident, mut #items) => { #replay } }
        },
    }
}

fn rust_loop(flow: &Flow, body: &TokenStream, span: Span) -> TokenStream {
    let (ident, label) = (&flow.ident, flow.label());
    match flow.is_labelled {
        true => {
            quote_spanned!(span=> { let mut #ident = ag__::loop_stmt(()); #label loop { #body } })
        }
        false => quote_spanned!(span=> loop { #body }),
    }
}

fn replay(looped: &Loop, body: &TokenStream, span: Span, tree: &Tree) -> TokenStream {
    let flow = &tree[looped.flow];
    let (ident, label) = (&flow.ident, flow.label());
    let vars = carried(&looped.carried);
    let way_out = looped.way_out.as_ref();
    let exit = way_out.map(|way_out| leave::propagate(ident, way_out, tree));
    let (done, is_forever) = match &looped.head {
        Head::Forever(Ends::WithValue) => {
            (quote_spanned!(span=> break #ident.graph().value();), true)
        }
        Head::Forever(Ends::Never) => (quote_spanned!(span=> ag__::unreachable!();), true),
        Head::Forever(Ends::Plainly) => (quote_spanned!(span=> break;), true),
        _ => (quote_spanned!(span=> break;), false),
    };
    let test = test(&looped.head, ident, span);
    let behind = (way_out.is_some() && !is_forever)
        .then(|| quote_spanned!(span=> if #ident.traced() { #ident.graph().end(&mut [#vars]); }));
    quote_spanned! {span=>
        #label loop {
            if #ident.traced() && #ident.graph().next(&mut [#vars]) {
                #exit
                #done
            }
            #test
            #body
        }
        #behind
    }
}

/// The code between the head and the body.
fn test(head: &Head, ident: &Ident, span: Span) -> TokenStream {
    match head {
        Head::While { condition } => {
            quote_spanned!(span=> if !#ident.test(#condition) { break; })
        }
        Head::WhileLet | Head::Forever(_) => TokenStream::new(),
        Head::For { pat, items, .. } => match pat {
            Pat::Ident(_) | Pat::Wild(_) => {
                quote_spanned!(span=> let ag__::Some(#pat) = #ident.item(&mut #items) else { break; };)
            }
            _ => {
                let (item, method) = (generated("item", span), Ident::new(taken_apart(pat), span));
                quote_spanned!(span=> let ag__::Some(#item) = #ident.#method(&mut #items) else { break; }; let #pat = #item;)
            }
        },
    }
}

/// The function that gives a loop's items to a pattern: a row of a tensor can be destructured by a tuple of two or three names.
fn taken_apart(pat: &Pat) -> &'static str {
    let is_name = |pat: &Pat| matches!(pat, Pat::Ident(_) | Pat::Wild(_));
    match pat {
        Pat::Paren(inner) => taken_apart(&inner.pat),
        Pat::Tuple(tuple) if tuple.elems.iter().all(is_name) => match tuple.elems.len() {
            2 => "pair",
            3 => "triple",
            _ => "item",
        },
        _ => "item",
    }
}

/// A block that `break` can leave.
pub fn labelled_block(labelled: &Labelled, span: Span, tree: &Tree) -> TokenStream {
    let flow = &tree[labelled.flow];
    let (ident, name, block) = (&flow.ident, &flow.label, &labelled.block);
    let Some(way_out) = &labelled.way_out else {
        return rust_block(flow, block);
    };
    let (escapes, vars) = (nested(&flow.escapes, span), carried(&labelled.carried));
    let exit = leave::propagate(ident, way_out, tree);
    let value = generated("value", span);
    let ty = match &labelled.gives {
        Gives::Value(Some(ty)) => Some(quote_spanned!(span=> : #ty)),
        _ => None,
    };
    quote_spanned! {span=>
        {
            let mut #ident = ag__::block_stmt(#escapes);
            #name: loop {
                if #ident.traced() && #ident.graph().next(&mut [#vars]) {
                    #exit
                    break #name #ident.graph().value();
                }
                let #value #ty = #block;
                if !#ident.traced() { break #name #value; }
                #ident.graph().breaks_with_here(#value, &mut [#vars]);
            }
        }
    }
}

/// A labelled block that no tensor decides stays Rust's.
fn rust_block(flow: &Flow, block: &Block) -> TokenStream {
    let (ident, name, span) = (&flow.ident, &flow.label, flow.ident.span());
    match flow.is_labelled {
        false => quote_spanned!(span=> #name: #block),
        // A loop, because the recorded exits around a jump use `continue`, as everywhere.
        true => {
            quote_spanned!(span=> { let mut #ident = ag__::block_stmt(()); #name: loop { break #name #block } })
        }
    }
}

/// The kinds of conditions as nested pairs.
pub fn nested(kinds: &[Ident], span: Span) -> TokenStream {
    kinds.iter().rev().fold(
        quote_spanned!(span=> ()),
        |rest, kind| quote_spanned!(span=> (&#kind, #rest)),
    )
}

/// The statements of a body, without its braces.
fn statements(block: &Block, tree: &Tree) -> TokenStream {
    let mut stmts = block.stmts.clone();
    if let Some(Stmt::Expr(expr, semi @ None)) = stmts.last_mut()
        && !ends_in_a_block(expr, tree)
    {
        *semi = Some(Default::default());
    }
    quote!(#(#stmts)*)
}

/// True if the expression needs no semicolon to be a statement.
fn ends_in_a_block(expr: &Expr, tree: &Tree) -> bool {
    match expr {
        Expr::Block(_) | Expr::Loop(_) | Expr::If(_) | Expr::Match(_) => true,
        other => tree.at(other).is_some_and(Construct::is_block),
    }
}

impl Flow {
    /// The label of the loop, if a jump uses it.
    pub fn label(&self) -> Option<TokenStream> {
        let label = &self.label;
        self.is_labelled
            .then(|| quote_spanned!(label.span()=> #label:))
    }
}
