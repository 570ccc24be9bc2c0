//! Macros inside a body. The arguments of known macros are expressions like any other; those of other macros are left unchanged.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::Parser;
use syn::{Expr, Ident, Macro, Token};

use crate::arguments::Arguments;

/// Macros whose arguments are expressions separated by commas (after a format string, too).
const KNOWN: &[&str] = &[
    "println",
    "print",
    "eprintln",
    "eprint",
    "format",
    "panic",
    "write",
    "writeln",
    "vec",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "dbg",
    "todo",
    "unimplemented",
    "unreachable",
    "graph_print",
    "graph_assert",
    "summary_scalar",
    "summary_histogram",
    "summary_image",
    "summary_text",
];

/// The name of the macro.
pub fn name(mac: &Macro) -> String {
    mac.path
        .segments
        .last()
        .map(|s| s.ident.to_string())
        .unwrap_or_default()
}

/// True for an unknown macro; it isn't even known whether it expands to a value.
pub fn is_unknown(mac: &Macro) -> bool {
    arguments(mac).is_none()
}

/// The arguments of a known macro, if they are expressions separated by commas.
pub fn arguments(mac: &Macro) -> Option<Arguments> {
    if name(mac) == "matches" {
        return matches_arguments(mac).map(|(expr, _)| vec![expr].into());
    }
    if !KNOWN.contains(&name(mac).as_str()) {
        return None;
    }
    if let Some((value, count)) = repeat_arguments(mac) {
        return Some(vec![value, count].into());
    }
    syn::parse2(mac.tokens.clone()).ok()
}

/// `vec![value; count]`.
pub fn repeat_arguments(mac: &Macro) -> Option<(Expr, Expr)> {
    let parser = |input: syn::parse::ParseStream<'_>| {
        let value: Expr = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok((value, input.parse()?))
    };
    (name(mac) == "vec")
        .then(|| parser.parse2(mac.tokens.clone()).ok())
        .flatten()
}

/// `matches!(expr, pattern…)`: the expression, and the unchanged rest.
pub fn matches_arguments(mac: &Macro) -> Option<(Expr, TokenStream)> {
    let parser = |input: syn::parse::ParseStream<'_>| {
        let expr: Expr = input.parse()?;
        input.parse::<Token![,]>()?;
        Ok((expr, input.parse()?))
    };
    parser.parse2(mac.tokens.clone()).ok()
}

/// The source of an expression, as rustc prints it in the message of a failed assertion.
pub fn text(expr: &Expr) -> String {
    let file: syn::File = syn::parse_quote!(const _: () = #expr;);
    let text = prettyplease::unparse(&file);
    let text = text
        .trim_end()
        .strip_prefix("const _: () = ")
        .and_then(|t| t.strip_suffix(';'));
    text.map(str::to_owned)
        .unwrap_or_else(|| quote::ToTokens::to_token_stream(expr).to_string())
}

/// True if the tokens contain a call of the macro with this name.
pub fn is_invoked(name: &str, tokens: TokenStream) -> bool {
    let mut before = false;
    tokens.into_iter().any(|tree| {
        let is_name = matches!(&tree, TokenTree::Ident(ident) if ident == name);
        let found = match tree {
            TokenTree::Punct(punct) => before && punct.as_char() == '!',
            TokenTree::Group(group) => is_invoked(name, group.stream()),
            _ => false,
        };
        before = is_name;
        found
    })
}

/// All identifiers in the tokens.
pub fn idents(tokens: TokenStream) -> Vec<Ident> {
    tokens
        .into_iter()
        .flat_map(|tree| match tree {
            TokenTree::Ident(ident) => vec![ident],
            TokenTree::Group(group) => idents(group.stream()),
            _ => Vec::new(),
        })
        .collect()
}

/// True if a variable is used as a whole: not through `.` or `[…]`, nor behind a `*` or `&`.
pub fn is_taken(tokens: TokenStream, name: &Ident) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    trees.iter().enumerate().any(|(i, tree)| match tree {
        TokenTree::Group(group) => is_taken(group.stream(), name),
        TokenTree::Ident(ident) if ident == name => {
            let before = i.checked_sub(1).map(|i| &trees[i]);
            let looked_through = matches!(before, Some(TokenTree::Punct(p)) if ['*', '&', '.'].contains(&p.as_char()));
            let looked_into = match trees.get(i + 1) {
                Some(TokenTree::Punct(p)) => p.as_char() == '.',
                Some(TokenTree::Group(g)) => g.delimiter() == proc_macro2::Delimiter::Bracket,
                _ => false,
            };
            !looked_through && !looked_into
        }
        _ => false,
    })
}

/// The positions of each name in the tokens, including names in format strings.
pub fn mentions(tokens: TokenStream, found: &mut std::collections::HashMap<String, Vec<Position>>) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => found
                .entry(ident.to_string())
                .or_default()
                .push(position(ident.span())),
            TokenTree::Group(group) => mentions(group.stream(), found),
            TokenTree::Literal(literal) => {
                let at = position(literal.span());
                let text = literal.to_string();
                for word in text
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .filter(|w| text.starts_with('"') && !w.is_empty())
                {
                    found.entry(word.to_owned()).or_default().push(at);
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
}

/// A line and a column.
pub type Position = (usize, usize);

/// The position of a token in its file.
pub fn position(span: proc_macro2::Span) -> Position {
    let start = span.start();
    (start.line, start.column)
}
