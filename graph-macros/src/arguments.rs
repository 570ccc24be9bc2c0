//! The arguments of a macro that takes expressions, and of our own macros also the options behind a semicolon: `x, y; sep = ", "`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Token};

/// The options `name = value` behind the semicolon.
pub struct Options(pub Vec<(Ident, Expr)>);

impl Options {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, name: &str) -> Option<&Expr> {
        let option = self.0.iter().find(|(n, _)| n == name)?;
        Some(&option.1)
    }

    /// Reports options that aren't in `names`, and options that are given twice.
    pub fn known(&self, names: &[&str]) -> syn::Result<()> {
        for (i, (name, _)) in self.0.iter().enumerate() {
            if !names.contains(&name.to_string().as_str()) {
                let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
                let message = format!(
                    "there is no option `{name}`: there are {}",
                    names.join(", ")
                );
                return Err(syn::Error::new(name.span(), message));
            }
            if self.0[..i].iter().any(|(n, _)| n == name) {
                let message = format!("the option `{name}` is given twice");
                return Err(syn::Error::new(name.span(), message));
            }
        }
        Ok(())
    }
}

/// The arguments, and the options behind a semicolon.
pub struct Arguments {
    pub values: Vec<Expr>,
    pub options: Options,
}

impl From<Vec<Expr>> for Arguments {
    fn from(values: Vec<Expr>) -> Arguments {
        let options = Options(Vec::new());
        Arguments { values, options }
    }
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Arguments> {
        let mut values = Vec::new();
        while !input.is_empty() && !input.peek(Token![;]) {
            values.push(input.parse()?);
            if !input.is_empty() && !input.peek(Token![;]) {
                input.parse::<Token![,]>()?;
            }
        }
        let mut options = Vec::new();
        if input.parse::<Option<Token![;]>>()?.is_some() {
            let option = |input: ParseStream<'_>| {
                let name: Ident = input.parse()?;
                input.parse::<Token![=]>()?;
                Ok((name, input.parse()?))
            };
            let parsed = Punctuated::<_, Token![,]>::parse_terminated_with(input, option)?;
            options.extend(parsed);
        }
        let options = Options(options);
        Ok(Arguments { values, options })
    }
}

impl ToTokens for Arguments {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (values, options) = (&self.values, &self.options.0);
        tokens.extend(quote!(#(#values),*));
        if !options.is_empty() {
            let (names, values) = (options.iter().map(|o| &o.0), options.iter().map(|o| &o.1));
            tokens.extend(quote!(; #(#names = #values),*));
        }
    }
}
