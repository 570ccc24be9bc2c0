//! Renames a variable. A jump carries the variables of its loop by name; a variable that shadows one of them is renamed, so that
//! generated code can name both.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FieldPat, FieldValue, Ident, Macro, Pat, parse_quote};

use crate::macros;

/// Renames a variable wherever it is used.
pub struct Rename {
    from: Ident,
    to: Ident,
}

impl Rename {
    /// Renames the inner one of two variables to a name that nobody else can use.
    pub fn inner(from: &Ident) -> Rename {
        let to = Ident::new(
            &format!("{from}_inner"),
            Span::mixed_site().located_at(from.span()),
        );
        Rename {
            from: from.clone(),
            to,
        }
    }

    /// The new name.
    pub fn to(&self) -> &Ident {
        &self.to
    }

    fn ident(&self, ident: &mut Ident) {
        if *ident == self.from {
            *ident = Ident::new(
                &self.to.to_string(),
                self.to.span().located_at(ident.span()),
            );
        }
    }

    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut after_dot = false;
        tokens
            .into_iter()
            .map(|tree| {
                let is_field = after_dot;
                after_dot = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.');
                match tree {
                    TokenTree::Ident(mut ident) if !is_field => {
                        self.ident(&mut ident);
                        TokenTree::Ident(ident)
                    }
                    TokenTree::Group(group) => {
                        let mut renamed =
                            Group::new(group.delimiter(), self.tokens(group.stream()));
                        renamed.set_span(group.span());
                        TokenTree::Group(renamed)
                    }
                    other => other,
                }
            })
            .collect()
    }

    /// `println!("{x}")` uses `x` inside its string: the new name is passed as an argument.
    fn named_in_format(&self, mac: &Macro) -> bool {
        let open = format!("{{{}", self.from);
        let named = |text: String| {
            text.match_indices(&open)
                .any(|(at, _)| matches!(text[at + open.len()..].chars().next(), Some('}' | ':')))
        };
        macros::arguments(mac).is_some()
            && mac
                .tokens
                .clone()
                .into_iter()
                .any(|tree| matches!(tree, TokenTree::Literal(l) if named(l.to_string())))
    }
}

impl VisitMut for Rename {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(path) = expr
            && path.path.get_ident().is_some()
        {
            self.ident(&mut path.path.segments[0].ident);
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        self.ident(&mut pat.ident);
        visit_mut::visit_pat_ident_mut(self, pat);
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        let shorthand = field.colon_token.is_none()
            && matches!(&field.expr, Expr::Path(p) if p.path.is_ident(&self.from));
        if shorthand {
            field.colon_token = Some(Default::default());
        }
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        let shorthand = field.colon_token.is_none()
            && matches!(&*field.pat, Pat::Ident(p) if p.ident == self.from);
        if shorthand {
            field.colon_token = Some(Default::default());
        }
        visit_mut::visit_field_pat_mut(self, field);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let named = self.named_in_format(mac);
        mac.tokens = self.tokens(mac.tokens.clone());
        if named {
            let (from, to) = (&self.from, &self.to);
            let comma: Option<syn::Token![,]> = (!mac
                .tokens
                .to_token_stream()
                .to_string()
                .trim_end()
                .ends_with(','))
            .then(|| parse_quote!(,));
            mac.tokens.extend(quote::quote!(#comma #from = #to));
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
