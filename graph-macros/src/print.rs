//! `graph_print!` and `graph_assert!`: their messages and options. Rust formats a message while tracing; a tensor in it leaves a hole
//! that the run fills.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit};

use crate::arguments::{Arguments, Options};
use crate::macros;

/// Expands `graph_print!("…", arguments…; options…)`.
pub fn print(tokens: TokenStream) -> syn::Result<TokenStream> {
    let Arguments {
        values: arguments,
        options,
    } = syn::parse2(tokens)?;
    options.known(&["summarize", "sep", "end", "to"])?;
    let set = options.0.iter().filter(|(name, _)| name != "sep");
    let set = set.map(|(name, value)| {
        let value = match value {
            // `stdout` and `stderr` are recognized without a path.
            Expr::Path(path) if name == "to" && path.path.is_ident("stdout") => {
                quote!(ag__::PrintTo::Stdout)
            }
            Expr::Path(path) if name == "to" && path.path.is_ident("stderr") => {
                quote!(ag__::PrintTo::Stderr)
            }
            value if name == "to" => {
                quote_spanned!(value.span()=> <ag__::PrintTo as ::core::convert::From<_>>::from(#value))
            }
            value => quote!(#value),
        };
        quote_spanned!(name.span()=> .#name(#value))
    });
    let text = format(&arguments, options.get("sep"));
    Ok(in_scope(
        quote!(ag__::printing()#(#set)*.print(::core::format_args!(#text))),
    ))
}

/// Expands `graph_assert!(condition, "…", arguments…; options…)`.
pub fn assert(tokens: TokenStream) -> syn::Result<TokenStream> {
    let Arguments {
        values: arguments,
        options,
    } = syn::parse2(tokens)?;
    let Some((condition, message)) = arguments.split_first() else {
        let message = "`graph_assert!` takes a condition: `graph_assert!(x.gt(0), \"x is {x}\")`";
        return Err(syn::Error::new(proc_macro2::Span::call_site(), message));
    };
    let source = macros::text(condition);
    let asserted = assertion(&quote!(#condition), &source, message, &options)?;
    Ok(in_scope(quote!(#asserted.or_panic())))
}

/// The call that asserts a condition.
pub fn assertion(
    condition: &TokenStream,
    source: &str,
    message: &[Expr],
    options: &Options,
) -> syn::Result<TokenStream> {
    options.known(&["summarize", "sep"])?;
    let text = format(message, options.get("sep"));
    // Errors name the line of the condition.
    let span = condition.span();
    let closure = crate::expand::closure(span);
    Ok(match (message, options.get("summarize")) {
        ([], _) => quote_spanned!(span=> ag__::assert_stmt(#condition, #source)),
        (_, None) => {
            quote_spanned!(span=> ag__::assert_says(#condition, #closure ag__::formatted(::core::format_args!(#text))))
        }
        (_, Some(edge)) => {
            quote_spanned!(span=> ag__::assert_summarized(#condition, #edge, #closure ag__::formatted(::core::format_args!(#text))))
        }
    })
}

fn in_scope(code: TokenStream) -> TokenStream {
    quote! {{
        #[allow(unused_imports)]
        use graph_runtime__::autograph::{self as ag__, methods::*};
        #code
    }}
}

/// The arguments of Rust's `format!` for the message. Arguments that the format string doesn't use are appended.
fn format(arguments: &[Expr], separator: Option<&Expr>) -> TokenStream {
    let is_text = |e: &Expr| matches!(e, Expr::Lit(lit) if matches!(lit.lit, Lit::Str(_)));
    let (text, rest) = match arguments.split_first() {
        Some((
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }),
            rest,
        )) => (Some(text), rest),
        _ => (None, arguments),
    };
    let is_named = |e: &&Expr| text.is_some() && matches!(e, Expr::Assign(_));
    let named: Vec<&Expr> = rest.iter().filter(is_named).collect();
    let mut positional: Vec<&Expr> = rest.iter().filter(|e| !is_named(e)).collect();
    let taken = text
        .map_or(0, |text| places(&text.value()))
        .min(positional.len());
    let listed = positional.split_off(taken);
    let formatted = text.map(|text| quote!(#text #(, #positional)* #(, #named)*));
    if listed.is_empty() {
        return formatted.unwrap_or_else(|| quote!(""));
    }
    // A string literal among them is text, too.
    let listed = listed.iter().map(|e| match is_text(e) {
        true => quote!(#e),
        false => quote_spanned!(e.span()=> ag__::listed(&(#e)).text()),
    });
    let formatted = formatted.map(|formatted| quote!(::core::format_args!(#formatted)));
    let parts: Vec<TokenStream> = formatted.into_iter().chain(listed).collect();
    let places = vec!["{}"; parts.len()].join("{separator}");
    let separator = separator.map_or(quote!(" "), |s| quote!(#s));
    match parts.len() {
        1 => quote!(#places, #(#parts),*),
        _ => quote!(#places, #(#parts,)* separator = #separator),
    }
}

/// The number of positional arguments that a format string uses. Rust's `format!` reports errors in it.
fn places(text: &str) -> usize {
    let (mut next, mut named) = (0, 0);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '{' || rest.clone().next() == Some('{') {
            // The second brace of `{{` doesn't begin a placeholder.
            if c == '{' {
                rest.next();
            }
            continue;
        }
        let place: String = rest.by_ref().take_while(|c| *c != '}').collect();
        let (name, spec) = place.split_once(':').unwrap_or((&place, ""));
        // The argument for the precision comes first.
        next += usize::from(spec.contains(".*"));
        match name.trim() {
            "" => next += 1,
            name => named = named.max(name.parse().map_or(0, |n: usize| n.saturating_add(1))),
        }
        let counts = spec.split('$').map(|s| {
            let digits = s.len() - s.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            &s[s.len() - digits..]
        });
        let last = spec.matches('$').count();
        for count in counts.take(last) {
            named = named.max(count.parse().map_or(0, |n: usize| n.saturating_add(1)));
        }
    }
    next.max(named)
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn places_are_counted_as_rust_counts_them() {
        for (text, count) in [
            ("", 0),
            ("{{}}", 0),
            ("{} {:?}", 2),
            ("{0} {0}", 1),
            ("{2}", 3),
            ("{x} {x:>4}", 0),
            ("{:.*}", 2),
            ("{:>1$}", 2),
            ("{:>width$.1$}", 2),
            ("{{{}}}", 1),
            ("{:", 1),
        ] {
            assert_eq!(places(text), count, "{text}");
        }
    }
}
