//! Macros inside a body: the arguments of the well-known ones are lowered like any expression.

use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident};

use super::expression::in_each_kind;
use super::{Lower, Want, What, closure};
use crate::macros;
use crate::print::{self, Arguments, Options};
use crate::scope::Known;

impl Lower {
    pub fn macro_call(&mut self, mac: syn::Macro) -> Lowered {
        let name = macros::name(&mac);
        match name.as_str() {
            "matches" => self.matches_macro(mac),
            "panic" | "unreachable" | "todo" | "unimplemented" => self.panic_macro(mac, &name),
            "assert" | "graph_assert" | "debug_assert" | "assert_eq" | "debug_assert_eq"
            | "assert_ne" | "debug_assert_ne" => self.assert_macro(mac, &name),
            _ => {
                if let Some((value, count)) = macros::repeat_arguments(&mac) {
                    let value = self.value(value, None);
                    return Lowered::Macro(with_tokens(mac, quote::quote!(#value; #count)));
                }
                let Some(Arguments { values, options }) = macros::arguments(&mac) else {
                    return self.unknown_macro(mac);
                };
                let values = values
                    .into_iter()
                    .map(|a| self.macro_argument(a, name == "vec"));
                let values = values.collect();
                let arguments = Arguments { values, options };
                Lowered::Macro(with_tokens(mac, arguments.into_token_stream()))
            }
        }
    }

    /// `panic!` and its kin. In a branch that a tensor decides about it is an assertion that fails where that branch runs.
    fn panic_macro(&mut self, mac: syn::Macro, name: &str) -> Lowered {
        let Some(Arguments { values, options }) = macros::arguments(&mac) else {
            return Lowered::Macro(mac);
        };
        let values = values.into_iter().map(|a| self.macro_argument(a, false));
        let arguments = Arguments {
            values: values.collect(),
            options,
        };
        let arguments = arguments.into_token_stream();
        let mac = with_tokens(mac, arguments.clone());
        let (alone, with) = match name {
            "unreachable" => (
                "internal error: entered unreachable code",
                "internal error: entered unreachable code: ",
            ),
            "todo" => ("not yet implemented", "not yet implemented: "),
            "unimplemented" => ("not implemented", "not implemented: "),
            _ => ("explicit panic", ""),
        };
        let span = mac.path.span();
        let says = match arguments.is_empty() {
            true => quote_spanned!(span=> ag__::format!(#alone)),
            false if with.is_empty() => quote_spanned!(span=> ag__::format!(#arguments)),
            false => quote_spanned!(span=> ag__::format!("{}{}", #with, ag__::format!(#arguments))),
        };
        let failures = self.failures(&mac, &says);
        match failures.is_empty() {
            true => Lowered::Macro(mac),
            false => Lowered::Expr(code!(span=> { #failures #mac })),
        }
    }

    /// A macro that isn't known may take the variables it is given by value: inside a branch it gets clones of tensors.
    fn unknown_macro(&mut self, mac: syn::Macro) -> Lowered {
        let mut names: Vec<Ident> = macros::idents(mac.tokens.clone());
        names.sort();
        names.dedup();
        let depth_of = |name: &Ident| {
            let var = self.scopes.get(&name.to_string())?;
            let taken = !var.mutable && matches!(var.known, Known::Tensor | Known::Nothing);
            taken.then_some(var.depth.min(self.regions.len()))
        };
        let taken: Vec<(Ident, usize)> = names
            .into_iter()
            .filter_map(|n| depth_of(&n).map(|d| (n, d)))
            .collect();
        let depth = taken
            .iter()
            .map(|(_, depth)| *depth)
            .min()
            .unwrap_or(self.regions.len());
        let around = self.regions[depth..]
            .iter()
            .filter(|r| !matches!(r.what, What::Loop { .. }));
        let branches: Vec<Ident> = around.map(|r| r.ident.clone()).collect();
        if branches.is_empty() {
            return Lowered::Macro(mac);
        }
        let names: Vec<&Ident> = taken.iter().map(|(name, _)| name).collect();
        let kept = |b: &Ident| quote::quote!(#(#[allow(unused_variables)] let #names = #b.replays().keep(&#names).value();)* #mac);
        Lowered::Expr(in_each_kind(
            &branches,
            mac.path.span(),
            kept,
            quote::quote!(#mac),
        ))
    }

    fn macro_argument(&mut self, argument: Expr, by_value: bool) -> Expr {
        match argument {
            // `name = value` of a format string.
            Expr::Assign(mut e) if matches!(*e.left, Expr::Path(_)) => {
                *e.right = self.place(*e.right);
                Expr::Assign(e)
            }
            Expr::Index(e) => self.index_value(e),
            other if by_value => self.value(other, None),
            other => self.place(other),
        }
    }

    fn matches_macro(&mut self, mac: syn::Macro) -> Lowered {
        if let Some(e) = super::classes::of_matches(&mac) {
            return Lowered::Expr(self.match_expr(e, Want::Value(None)));
        }
        let Some((expr, rest)) = macros::matches_arguments(&mac) else {
            return Lowered::Macro(mac);
        };
        let expr = self.place(expr);
        Lowered::Macro(with_tokens(mac, quote::quote!(#expr, #rest)))
    }

    fn assert_macro(&mut self, mac: syn::Macro, name: &str) -> Lowered {
        let Some(Arguments {
            mut values,
            options,
        }) = macros::arguments(&mac)
        else {
            return Lowered::Macro(mac);
        };
        let (debug, name) = match name.strip_prefix("debug_") {
            Some(name) => (true, name),
            None => (false, name),
        };
        let compares = matches!(name, "assert_eq" | "assert_ne");
        let operands = if compares { 2 } else { 1 };
        if values.len() < operands || (name != "graph_assert" && !options.is_empty()) {
            return Lowered::Macro(mac);
        }
        let span = values[0].span();
        let message = values.split_off(operands).into_iter();
        let message: Vec<Expr> = message.map(|a| self.macro_argument(a, false)).collect();
        let expr: Expr = if compares {
            let closure = closure(span);
            let message: Expr = match message.as_slice() {
                [] => code!(span=> #closure None),
                message => {
                    code!(span=> #closure Some(ag__::format!(#(#message),*)))
                }
            };
            let right = self.compared(values.remove(1));
            let left = self.compared(values.remove(0));
            let method = Ident::new(name, span);
            code!(span=> ag__::cmp(&#left, &#right).#method(#message))
        } else {
            let condition = values.remove(0);
            match self.assertion(condition, &message, &options, name == "assert") {
                Ok(expr) => expr,
                // The macro itself will say so.
                Err(_) => return Lowered::Macro(mac),
            }
        };
        Lowered::Expr(if debug {
            code!(span=> if cfg!(debug_assertions) { #expr })
        } else {
            expr
        })
    }

    /// `assert!` and `graph_assert!`. Without a message of the user's, the sides of a comparison are shown.
    fn assertion(
        &mut self,
        condition: Expr,
        message: &[Expr],
        options: &Options,
        formats_as_rust: bool,
    ) -> syn::Result<Expr> {
        let span = condition.span();
        let source = macros::text(&condition);
        if message.is_empty()
            && options.is_empty()
            && let Some(expr) = self.asserted_comparison(&condition, &source)
        {
            return Ok(expr);
        }
        let condition = self.condition(condition);
        if formats_as_rust && !message.is_empty() {
            let closure = closure(span);
            return Ok(
                code!(span=> ag__::assert_says(#condition, #closure ag__::format!(#(#message),*))),
            );
        }
        let call = print::assertion(&quote::quote!(#condition), &source, message, options)?;
        Ok(code!(span=> #call))
    }
}

/// What a macro becomes.
pub(crate) enum Lowered {
    Macro(syn::Macro),
    Expr(Expr),
}

fn with_tokens(mut mac: syn::Macro, tokens: proc_macro2::TokenStream) -> syn::Macro {
    mac.tokens = tokens;
    mac
}
