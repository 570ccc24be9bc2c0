//! Macros inside a body: the arguments of the known macros are collected like any expression.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, Ident};

use super::{Collector, Want};
use crate::arguments::{Arguments, Options};
use crate::macros;
use crate::print;
use crate::scope::Known;
use crate::syntax::{Assertion, Asserts, Construct, Failure, FlowId, KeptWhat, Says, What};

impl Collector {
    pub fn macro_call(&mut self, mac: syn::Macro) -> Collected {
        let name = macros::name(&mac);
        match name.as_str() {
            "matches" => self.matches_macro(mac),
            "panic" | "unreachable" | "todo" | "unimplemented" => self.panic_macro(mac, &name),
            "assert" | "graph_assert" | "debug_assert" | "assert_eq" | "debug_assert_eq"
            | "assert_ne" | "debug_assert_ne" => self.assert_macro(mac, &name),
            _ => {
                if let Some((value, count)) = macros::repeat_arguments(&mac) {
                    let value = self.value(value, None);
                    return Collected::Macro(with_tokens(mac, quote::quote!(#value; #count)));
                }
                let Some(Arguments { values, options }) = macros::arguments(&mac) else {
                    return self.unknown_macro(mac);
                };
                let values = values
                    .into_iter()
                    .map(|a| self.macro_argument(a, name == "vec"));
                let values = values.collect();
                let arguments = Arguments { values, options };
                Collected::Macro(with_tokens(mac, arguments.into_token_stream()))
            }
        }
    }

    /// `panic!` and similar macros. In a branch that a tensor decides, it becomes an assertion that fails when that branch runs.
    fn panic_macro(&mut self, mac: syn::Macro, name: &str) -> Collected {
        let Some(Arguments { values, options }) = macros::arguments(&mac) else {
            return Collected::Macro(mac);
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
        let through = self.failing();
        if through.is_empty() {
            return Collected::Macro(mac);
        }
        let span = mac.path.span();
        let prefix = if arguments.is_empty() { alone } else { with };
        let failure = Failure {
            mac,
            says: Says { prefix, arguments },
            through,
        };
        Collected::Expr(self.construct(span, Construct::Failure(failure)))
    }

    /// An unknown macro. It may take its variables by value, so in a branch it gets clones of tensors.
    fn unknown_macro(&mut self, mac: syn::Macro) -> Collected {
        let mut names: Vec<Ident> = macros::idents(mac.tokens.clone());
        names.sort();
        names.dedup();
        let depth_of = |name: &Ident| {
            let var = self.scopes.get(&name.to_string())?;
            let taken = !var.mutable && var.known == Known::Nothing;
            taken.then_some(var.depth.min(self.flows.len()))
        };
        let taken: Vec<(Ident, usize)> = names
            .into_iter()
            .filter_map(|n| depth_of(&n).map(|d| (n, d)))
            .collect();
        let depth = taken
            .iter()
            .map(|(_, depth)| *depth)
            .min()
            .unwrap_or(self.flows.len());
        let around = self.flows[depth..].iter().map(|around| around.id);
        let flows: Vec<FlowId> = around
            .filter(|id| !matches!(self.tree[*id].what, What::Loop { .. }))
            .collect();
        if flows.is_empty() {
            return Collected::Macro(mac);
        }
        let names = taken.into_iter().map(|(name, _)| name).collect();
        let span = mac.path.span();
        Collected::Expr(self.kept(span, flows, KeptWhat::Names { names, mac }))
    }

    fn macro_argument(&mut self, argument: Expr, by_value: bool) -> Expr {
        match argument {
            // `name = value` in the arguments of a format string.
            Expr::Assign(mut e) if matches!(*e.left, Expr::Path(_)) => {
                *e.right = self.place(*e.right);
                Expr::Assign(e)
            }
            Expr::Index(e) => self.index_value(e),
            other if by_value => self.value(other, None),
            other => self.place(other),
        }
    }

    fn matches_macro(&mut self, mac: syn::Macro) -> Collected {
        if let Some(e) = super::classes::of_matches(&mac) {
            return Collected::Expr(self.match_expr(e, Want::Value(None)));
        }
        let Some((expr, rest)) = macros::matches_arguments(&mac) else {
            return Collected::Macro(mac);
        };
        let expr = self.place(expr);
        Collected::Macro(with_tokens(mac, quote::quote!(#expr, #rest)))
    }

    fn assert_macro(&mut self, mac: syn::Macro, name: &str) -> Collected {
        let Some(Arguments {
            mut values,
            options,
        }) = macros::arguments(&mac)
        else {
            return Collected::Macro(mac);
        };
        let (debug, name) = match name.strip_prefix("debug_") {
            Some(name) => (true, name),
            None => (false, name),
        };
        let compares = matches!(name, "assert_eq" | "assert_ne");
        let operands = if compares { 2 } else { 1 };
        if values.len() < operands || (name != "graph_assert" && !options.is_empty()) {
            return Collected::Macro(mac);
        }
        let span = values[0].span();
        let message = values.split_off(operands).into_iter();
        let message: Vec<Expr> = message.map(|a| self.macro_argument(a, false)).collect();
        let asserts = if compares {
            let right = self.compared(values.remove(1));
            let left = self.compared(values.remove(0));
            Asserts::Equality {
                method: name.to_owned(),
                left,
                right,
                message,
            }
        } else {
            let condition = values.remove(0);
            match self.assertion(condition, message, &options, name == "assert") {
                Ok(asserts) => asserts,
                // The macro itself reports the error.
                Err(_) => return Collected::Macro(mac),
            }
        };
        let through = self.failing();
        let assertion = Assertion {
            asserts,
            debug,
            through,
        };
        Collected::Expr(self.construct(span, Construct::Assertion(assertion)))
    }

    /// `assert!` and `graph_assert!`. Without a message of the user's, the sides of a comparison are shown.
    fn assertion(
        &mut self,
        condition: Expr,
        message: Vec<Expr>,
        options: &Options,
        formats_as_rust: bool,
    ) -> syn::Result<Asserts> {
        let source = macros::text(&condition);
        if message.is_empty()
            && options.is_empty()
            && let Some(comparison) = self.asserted_comparison(&condition, &source)
        {
            return Ok(comparison);
        }
        let condition = self.condition(condition);
        if formats_as_rust && !message.is_empty() {
            return Ok(Asserts::Says { condition, message });
        }
        let call = print::assertion(&quote::quote!(#condition), &source, &message, options)?;
        Ok(Asserts::Graph(call))
    }
}

/// The result of collecting a macro.
pub(crate) enum Collected {
    Macro(syn::Macro),
    Expr(Expr),
}

fn with_tokens(mut mac: syn::Macro, tokens: proc_macro2::TokenStream) -> syn::Macro {
    mac.tokens = tokens;
    mac
}
