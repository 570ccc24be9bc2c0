//! `#[custom_gradient]`: turns a function that returns its value and its gradient function into one that returns the value and has that
//! gradient. The body stays the same, as the closure that the runtime's `custom_gradient` takes.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Error, FnArg, Ident, ItemFn, Pat, PatType, Result, ReturnType, Signature, Token, Type};

use crate::runtime::Runtime;

/// The function with its gradient.
pub fn custom_gradient(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let runtime = runtime(arguments)?;
    let ItemFn {
        attrs,
        vis,
        mut sig,
        block,
        ..
    } = syn::parse2(item)?;
    let value = value_type(&sig)?;
    let mut names: Vec<Ident> = Vec::new();
    let (mut patterns, mut types) = (Vec::new(), Vec::new());
    for argument in &mut sig.inputs {
        if let FnArg::Typed(parameter) = argument {
            patterns.push(parameter.pat.clone());
            types.push(parameter.ty.clone());
            names.push(named(parameter)?);
        }
    }
    sig.output = syn::parse_quote!(-> #value);
    let at = sig.ident.span();
    let (given, taken) = match (&names[..], &patterns[..], &types[..]) {
        ([], ..) => {
            let text = "a function with a gradient by hand needs a parameter with respect to which the gradient is taken";
            return Err(Error::new_spanned(&sig.ident, text));
        }
        ([name], [pattern], [ty]) => (
            quote_spanned!(at=> #name),
            quote_spanned!(at=> #pattern: #ty),
        ),
        _ => (
            quote_spanned!(at=> (#(#names,)*)),
            quote_spanned!(at=> (#(#patterns,)*): (#(#types,)*)),
        ),
    };
    Ok(runtime.named(quote_spanned! {at=>
        #(#attrs)*
        #vis #sig {
            graph_runtime__::autodiff::custom_gradient(#given, move |#taken| -> (#value, _) #block)
        }
    }))
}

/// The path to the library.
fn runtime(arguments: TokenStream) -> Result<Runtime> {
    if arguments.is_empty() {
        return Ok(Runtime::default());
    }
    let only_crate = |input: ParseStream<'_>| {
        input.parse::<Token![crate]>()?;
        Runtime::parse(input)
    };
    only_crate.parse2(arguments.clone()).map_err(|_| {
        let text = "`#[custom_gradient]` takes no arguments but `crate = path::to::graph_runtime`: the gradient is what the function gives \
                    beside its value";
        Error::new_spanned(arguments, text)
    })
}

/// The type of the value: the first of the two results.
fn value_type(sig: &Signature) -> Result<Type> {
    if let ReturnType::Type(_, ty) = &sig.output
        && let Type::Tuple(pair) = &**ty
        && pair.elems.len() == 2
        && let Type::ImplTrait(_) = pair.elems[1]
    {
        return Ok(pair.elems[0].clone());
    }
    let at = match &sig.output {
        ReturnType::Default => sig.ident.span(),
        ReturnType::Type(_, ty) => ty.span(),
    };
    let text = "a function with a gradient by hand returns its value and a function that takes the gradient with respect to that \
                value: `-> (Tensor<f32>, impl FnOnce(Tensor<f32>) -> Tensor<f32>)`";
    Err(Error::new(at, text))
}

/// The name of a parameter. Its `mut` is removed here; the body keeps it.
fn named(parameter: &mut PatType) -> Result<Ident> {
    if let Type::Reference(_) = &*parameter.ty {
        let text = "the gradient has this parameter's type, which can't be a reference: take it by value, as in `x: Tensor<f32>`";
        return Err(Error::new_spanned(&parameter.ty, text));
    }
    match &mut *parameter.pat {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
            pattern.mutability = None;
            Ok(pattern.ident.clone())
        }
        pattern => {
            let text = "a parameter of a function with a gradient by hand must be a name: destructure it in the body";
            Err(Error::new_spanned(pattern, text))
        }
    }
}
