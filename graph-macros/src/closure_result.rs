//! Results of type `impl Fn(&[f64]) -> f64`. The compiler infers that such a closure accepts references of any lifetime from the place
//! where the closure is expected. In the user's function that place is the result; in the closure that the body becomes, the result is
//! passed to a function that only states the expected type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{GenericParam, ItemFn, PathArguments, ReturnType, Type, TypeParamBound};

use crate::input::names_any;

/// The block of a body; if its result is a closure, the expected closure type is stated.
pub fn with_expected_closure(function: &ItemFn, block: TokenStream) -> TokenStream {
    let Some(bounds) = closure_bounds(&function.sig.output) else {
        return block;
    };
    let params = function.sig.generics.params.iter();
    let lifetimes = params
        .clone()
        .filter(|p| matches!(p, GenericParam::Lifetime(_)));
    // The generic parameters of the user's function can't be named in another function.
    let mut unknown: Vec<Ident> = params
        .filter_map(|param| match param {
            GenericParam::Type(ty) => Some(ty.ident.clone()),
            GenericParam::Const(constant) => Some(constant.ident.clone()),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    unknown.extend(["Self", "_"].map(|name| Ident::new(name, Span::call_site())));
    if names_any(quote!(#(#bounds)*), &unknown) {
        return block;
    }
    let [given, closure] = ["given", "Closure"].map(|name| Ident::new(name, Span::mixed_site()));
    quote! {{
        fn #given<#(#lifetimes,)* #closure: #(#bounds)+*>(closure: #closure) -> #closure {
            closure
        }
        #given(#block)
    }}
}

/// The traits of an `impl` result, if one of them is `Fn`, `FnMut` or `FnOnce`.
fn closure_bounds(output: &ReturnType) -> Option<Vec<TokenStream>> {
    let ReturnType::Type(_, ty) = output else {
        return None;
    };
    let Type::ImplTrait(result) = &**ty else {
        return None;
    };
    let traits = result.bounds.iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(bound),
        _ => None,
    });
    let is_of_function = |bound: &&syn::TraitBound| {
        let last = bound.path.segments.last();
        last.is_some_and(|s| matches!(s.arguments, PathArguments::Parenthesized(_)))
    };
    traits.clone().find(is_of_function)?;
    Some(traits.map(ToTokens::to_token_stream).collect())
}
