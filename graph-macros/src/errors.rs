//! Collects all errors in a function, so that one compilation reports all of them.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The errors so far.
#[derive(Default)]
pub struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds an error at some tokens.
    pub fn push(&mut self, tokens: &dyn ToTokensDyn, message: &str) {
        self.add(syn::Error::new_spanned(tokens.stream(), message));
    }

    /// Adds an error at a location.
    pub fn push_span(&mut self, span: Span, message: &str) {
        self.add(syn::Error::new(span, message));
    }

    fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Returns all errors as one.
    pub fn check(self) -> Result<(), syn::Error> {
        self.0.map_or(Ok(()), Err)
    }
}

/// Anything that has tokens.
pub trait ToTokensDyn {
    /// The tokens.
    fn stream(&self) -> TokenStream;
}

impl<T: ToTokens> ToTokensDyn for T {
    fn stream(&self) -> TokenStream {
        self.to_token_stream()
    }
}
