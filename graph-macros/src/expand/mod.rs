//! Expanding: replaces the constructs of a function by code. Nothing is decided here. Unless a type decides otherwise, native control
//! flow stays native; the generated code around it runs it once per branch for a tensor condition. Each file writes one family of forms.

mod assertions;
mod branch;
mod carried;
mod items;
mod leave;
mod loops;
mod matching;
mod operators;
mod values;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote_spanned;

pub use self::carried::carried;
use crate::syntax::{Construct, Placed, Tree};

/// The code with all constructs written out.
pub fn expand(code: TokenStream, tree: &Tree) -> TokenStream {
    let written = |token| match token {
        TokenTree::Literal(literal) => match tree.marked(&literal) {
            Some(placed) => expand(construct(placed, tree), tree),
            None => TokenTree::Literal(literal).into(),
        },
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), expand(group.stream(), tree));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        other => other.into(),
    };
    code.into_iter().flat_map(written).collect()
}

/// The code of one construct. It binds as tightly as a call or a block, and may contain other constructs.
fn construct(placed: &Placed, tree: &Tree) -> TokenStream {
    let span = placed.span;
    match &placed.construct {
        Construct::Branch(branch) => branch::branch(branch, span, tree),
        Construct::Loop(looped) => loops::looped(looped, span, tree),
        Construct::Block(block) => loops::labelled_block(block, span, tree),
        Construct::Return(leaving) => leave::returns(leaving, span, tree),
        Construct::Jump(jump) => leave::jump(jump, span, tree),
        Construct::Failure(failure) => leave::failure(failure, span, tree),
        Construct::Guard(guard) => matching::guard(guard, span, tree),
        Construct::Bound(bound) => matching::bound(bound, span, tree),
        Construct::Kinds(kinds) => branch::kinds(kinds),

        Construct::Settled { variable, literal } => {
            quote_spanned!(span=> ag__::like(&#variable, #literal).settle())
        }
        Construct::Tried { value, result } => leave::tried(value, result, span),
        Construct::OfShape(x) => quote_spanned!(span=> ag__::shaped(#x).fits()),
        Construct::Captured(x) => quote_spanned!(span=> ag__::captured(&#x).copy()),
        Construct::Loaded(x) => quote_spanned!(span=> ag__::load(&#x)),
        Construct::Coerced(x) => quote_spanned!(span=> ag__::kept(&#x).value()),
        Construct::Operand(x) => values::operand(x, span),
        Construct::Untold(x) => quote_spanned!(span=> ag__::untold(#x).value()),
        Construct::Again(x) => values::again(x, span),
        Construct::Unwrapped(call) => values::unwrapped(call, span, tree),
        Construct::UnwrappedItem(item) => values::unwrapped_item(item, span, tree),
        Construct::Reborrowed => quote_spanned!(span=> (&mut *self)),
        Construct::OverSelf { own, closure } => values::over_self(own, closure, span),
        Construct::Kept(kept) => values::kept(kept, span, tree),
        Construct::Lifted(x) => quote_spanned!(span=> ag__::lift(#x)),
        Construct::Chosen {
            flow,
            literal,
            is_text,
        } => {
            let ident = &tree[*flow].ident;
            let method = Ident::new(if *is_text { "text" } else { "literal" }, span);
            quote_spanned!(span=> #ident.#method(#literal))
        }
        Construct::Otherwise => quote_spanned!(span=> ag__::otherwise()),
        Construct::Whole(x) => quote_spanned!(span=> (#x)),

        Construct::Compared { sides, method } => operators::compared(sides, method, span),
        Construct::WithFloat(with) => operators::with_float(with, span),
        Construct::FloatBeside { place, literal } => {
            quote_spanned!(span=> ag__::beside(&#place).float(#literal))
        }
        Construct::Logic(logic) => operators::logic(logic, span),
        Construct::Bounds { method, start, end } => {
            let method = Ident::new(method, span);
            quote_spanned!(span=> ag__::bounds(#start, #end).#method())
        }
        Construct::Iterable(x) => quote_spanned!(span=> ag__::iterable(#x).each()),
        Construct::Scrutinee { place, number } => matching::scrutinee(place, number.as_ref(), span),
        Construct::Scrutinees(parts) => matching::scrutinees(parts, span),

        Construct::Item(item) => items::item(item, span),
        Construct::ChangedItem { item, op, value } => items::changed(item, op, value, span),
        Construct::ItemMethod(method) => items::method(method, span),
        Construct::Sought(sought) => items::sought(sought, span),

        Construct::Assertion(assertion) => assertions::assertion(assertion, span, tree),
    }
}

/// A variable of generated code, which user code can't refer to.
pub(crate) fn generated(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}

/// The head of a closure in generated code. It captures single fields, as closures do since Rust 2021, whatever the user's edition is.
pub(crate) fn closure(span: Span) -> TokenStream {
    let span = Span::mixed_site().located_at(span);
    quote_spanned!(span=> ||)
}

/// The tokens at another place, to which messages about them point.
pub(crate) fn at(tokens: TokenStream, span: Span) -> TokenStream {
    let moved = |token| match token {
        TokenTree::Group(group) => {
            let mut moved = Group::new(group.delimiter(), at(group.stream(), span));
            moved.set_span(span);
            TokenTree::Group(moved)
        }
        mut other => {
            other.set_span(other.span().located_at(span));
            other
        }
    };
    tokens.into_iter().map(moved).collect()
}
