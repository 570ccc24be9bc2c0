//! Results of type `impl Fn(&[f64]) -> f64`. The compiler infers that such a closure accepts references of any lifetime from the place
//! where the closure is expected. In the user's function that place is the result; in the closure that the body becomes, the result is
//! passed to a function that only states the expected type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, ItemFn, PathArguments, ReturnType, Type, TypeParamBound};

use crate::enclosing::parameters_around;
use crate::input::names_any;

/// The block of a body; if its result is a closure, the expected closure type is stated.
pub fn with_expected_closure(function: &ItemFn, block: TokenStream) -> TokenStream {
    let Some(bounds) = closure_bounds(&function.sig.output) else {
        return block;
    };
    let around = parameters_around(function.sig.ident.span());
    let around: Vec<GenericParam> = around
        .iter()
        .filter_map(|around| syn::parse_str(around).ok())
        .collect();
    let Generics {
        params: own,
        where_clause,
        ..
    } = &function.sig.generics;
    let named = |params: &mut dyn Iterator<Item = &GenericParam>| {
        names_any(
            quote!(#(#bounds)*),
            &params.map(name_of).collect::<Vec<_>>(),
        )
    };
    // The function that states the type has the user's parameters if it needs them.
    let is_generic = named(&mut around.iter().chain(own).filter(|p| !is_lifetime(p)));
    // It would have to know that values of the types live as long.
    let has_lifetimes = match is_generic {
        true => named(&mut around.iter().chain(own).filter(|p| is_lifetime(p))),
        false => named(&mut around.iter()),
    };
    let params = || around.iter().filter(|_| is_generic).chain(own);
    let lifetimes = params().filter(|p| is_lifetime(p));
    let others = || params().filter(|p| is_generic && !is_lifetime(p));
    let names: Vec<Ident> = others().map(name_of).collect();
    let (others, clause) = (others(), where_clause.as_ref().filter(|_| is_generic));
    let [given, closure] =
        ["given__", "Closure__"].map(|name| Ident::new(name, Span::mixed_site()));
    let head = quote!(#given<#(#lifetimes,)* #(#others,)* #closure: #(#bounds)+*>(closure: #closure) -> #closure #clause);
    // It can't name the type of the `impl` around.
    let unknown = ["Self", "_"].map(|name| Ident::new(name, Span::call_site()));
    if has_lifetimes || names_any(head.clone(), &unknown) {
        return block;
    }
    quote! {{
        fn #head {
            closure
        }
        #given::<#(#names,)* _>(#block)
    }}
}

fn is_lifetime(param: &GenericParam) -> bool {
    matches!(param, GenericParam::Lifetime(_))
}

fn name_of(param: &GenericParam) -> Ident {
    match param {
        GenericParam::Type(ty) => ty.ident.clone(),
        GenericParam::Const(constant) => constant.ident.clone(),
        GenericParam::Lifetime(lifetime) => lifetime.lifetime.ident.clone(),
    }
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
