//! `graph_print!`: splits the format string, so that each tensor prints when the graph runs.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, LitStr, Token};

/// Expands `graph_print!("…", arguments…)`.
pub fn expand(tokens: TokenStream) -> syn::Result<TokenStream> {
    let arguments = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens)?;
    let mut arguments = arguments.into_iter();
    let format = match arguments.next() {
        None => LitStr::new("", proc_macro2::Span::call_site()),
        Some(Expr::Lit(syn::ExprLit {
            lit: Lit::Str(format),
            ..
        })) => format,
        Some(other) => {
            return Err(syn::Error::new_spanned(
                other,
                "the first argument of `graph_print!` is a format string, such as \"x is {}\"",
            ));
        }
    };
    let (mut positional, mut named) = (Vec::new(), Vec::new());
    for argument in arguments {
        match argument {
            Expr::Assign(assign) => named.push((assign.left, assign.right)),
            other => positional.push(other),
        }
    }
    let pieces = pieces(&format)?;
    let mut next = 0;
    let mut used = vec![false; positional.len()];
    let mut code = Vec::new();
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for piece in pieces {
        code.push(match piece {
            Piece::Text(text) => quote!(ag__::Piece::Text(::std::string::String::from(#text))),
            Piece::Argument { name, spec } => {
                let value: Expr = if name.is_empty() || name.parse::<usize>().is_ok() {
                    let index = if name.is_empty() {
                        next += 1;
                        next - 1
                    } else {
                        name.parse().unwrap_or(usize::MAX)
                    };
                    let message = || syn::Error::new(format.span(), match name.is_empty() {
                        true => format!("the format string has more `{{}}` than the {} arguments behind it", positional.len()),
                        false => format!("there is no argument {index} for `{{{name}}}`"),
                    });
                    let value = positional.get(index).ok_or_else(message)?;
                    used[index] = true;
                    value.clone()
                } else if let Some((_, value)) = named.iter().find(|(n, _)| quote!(#n).to_string() == name) {
                    (**value).clone()
                } else {
                    let ident = format_ident!("{}", name, span = format.span());
                    syn::parse_quote!(#ident)
                };
                let single = if spec.is_empty() { "{}".to_owned() } else { format!("{{:{spec}}}") };
                let single = LitStr::new(&single, format.span());
                let name = format_ident!("argument_{}", values.len(), span = proc_macro2::Span::mixed_site());
                values.push(quote!(&(#value)));
                names.push(name.clone());
                quote!(ag__::show(#name).piece(|| ::std::format!(#single, #name)))
            }
        });
    }
    if let Some(unused) = used.iter().position(|u| !u) {
        return Err(syn::Error::new_spanned(
            &positional[unused],
            "this argument is never printed: the format string has no `{}` for it",
        ));
    }
    Ok(quote! {{
        #[allow(unused_imports)]
        use ::graph_runtime::autograph::{self as ag__, methods::*};
        // Each argument is evaluated once, in order.
        match (#(#values,)*) {
            (#(#names,)*) => ag__::print([#(#code),*]),
        }
    }})
}

enum Piece {
    Text(String),
    Argument { name: String, spec: String },
}

/// Splits a format string into texts and arguments.
fn pieces(format: &LitStr) -> syn::Result<Vec<Piece>> {
    let error = |message: &str| syn::Error::new(format.span(), message);
    let (mut pieces, mut text) = (Vec::new(), String::new());
    let source = format.value();
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' if chars.peek() == Some(&c) => {
                chars.next();
                text.push(c);
            }
            '{' => {
                let inside: String = chars.by_ref().take_while(|c| *c != '}').collect();
                let (name, spec) = inside.split_once(':').unwrap_or((&inside, ""));
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(Piece::Argument {
                    name: name.trim().to_owned(),
                    spec: spec.to_owned(),
                });
            }
            '}' => {
                return Err(error(
                    "unmatched `}` in the format string; write `}}` for a brace",
                ));
            }
            c => text.push(c),
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}
