//! The path by which generated code names the library. Generated code contains `graph_runtime__`; the last step replaces it by
//! `::graph_runtime`, or by the user's path if the dependency has another name or another crate re-exports it.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{DeriveInput, Ident, Path, Token};

/// The name of the library in generated code until the last step.
const NAME: &str = "graph_runtime__";

/// The user's path to the library, if there is one.
#[derive(Default)]
pub struct Runtime(Option<TokenStream>);

impl Runtime {
    /// Parses the rest after the word `crate`: `= path::to::graph_runtime`.
    pub fn parse(input: ParseStream<'_>) -> syn::Result<Runtime> {
        input.parse::<Token![=]>()?;
        let path = input.call(Path::parse_mod_style)?;
        Ok(Runtime(Some(quote!(#path))))
    }

    /// The path from `#[graph(crate = …)]` on a derive's item.
    fn of_item(item: TokenStream) -> syn::Result<Runtime> {
        let input: DeriveInput = syn::parse2(item)?;
        let mut runtime = Runtime::default();
        for attribute in input.attrs.iter().filter(|a| a.path().is_ident("graph")) {
            runtime = attribute.parse_args_with(Runtime::only_argument)?;
        }
        Ok(runtime)
    }

    /// Parses `crate = path` as the only argument.
    fn only_argument(input: ParseStream<'_>) -> syn::Result<Runtime> {
        let word: Ident = input.call(Ident::parse_any)?;
        match word == "crate" {
            true => Runtime::parse(input),
            false => Err(syn::Error::new(
                word.span(),
                "`#[graph(crate = path::to::graph_runtime)]` says where the library is, and nothing else",
            )),
        }
    }

    /// The code with the path filled in.
    pub fn named(&self, code: TokenStream) -> TokenStream {
        let named = |tree| match tree {
            TokenTree::Ident(word) if word == NAME => self.path(word.span()),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), self.named(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner).into()
            }
            other => other.into(),
        };
        code.into_iter().flat_map(named).collect()
    }

    /// The path, with the span at which messages should point.
    fn path(&self, at: Span) -> TokenStream {
        let path = match &self.0 {
            Some(path) => path.clone(),
            None => return quote_spanned!(at=> ::graph_runtime),
        };
        let placed = |mut tree: TokenTree| {
            tree.set_span(tree.span().located_at(at));
            tree
        };
        path.into_iter().map(placed).collect()
    }

    /// The argument `crate = path`, for an attribute in generated code.
    pub fn argument(&self) -> Option<TokenStream> {
        self.0.as_ref().map(|path| quote!(crate = #path))
    }
}

/// Completes the code of a derive.
pub fn derived(
    item: TokenStream,
    derive: fn(TokenStream) -> syn::Result<TokenStream>,
) -> TokenStream {
    let code = || Ok(Runtime::of_item(item.clone())?.named(derive(item)?));
    code().unwrap_or_else(|error: syn::Error| error.to_compile_error())
}

/// Completes the code of a macro whose first token is the path to the library, in parentheses.
pub fn called(
    tokens: TokenStream,
    expand: fn(TokenStream) -> syn::Result<TokenStream>,
) -> TokenStream {
    let mut tokens = tokens.into_iter();
    let runtime = match tokens.next() {
        Some(TokenTree::Group(path)) => Runtime(Some(path.stream())),
        _ => Runtime::default(),
    };
    let code = expand(tokens.collect()).unwrap_or_else(|error| error.to_compile_error());
    runtime.named(code)
}
