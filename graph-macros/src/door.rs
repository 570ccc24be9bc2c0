//! What stands beside a graph function: the door to its traces and its code.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{GenericParam, Ident, ItemFn, Signature};

use crate::input::{self, Inputs};

/// `f::function()` and `f::to_code()`: a type of the function's name, which lives beside it in the namespace of types.
pub fn door_type(function: &ItemFn, statics: &TokenStream) -> TokenStream {
    let (vis, name) = (&function.vis, &function.sig.ident);
    let concrete = concrete(&function.sig, &Inputs::of(function, false));
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #name {}
        #[allow(dead_code, clippy::all)]
        impl #name {
            /// The graph function: its traces and signatures.
            pub fn function() -> &'static ::graph_runtime::GraphFunction {
                #statics
                &FUNCTION
            }
            /// The generated code, as text.
            pub fn to_code() -> &'static str {
                Self::function().to_code()
            }
            #concrete
        }
    }
}

/// `f::concrete(arguments)`: the trace that serves a call, without the call.
fn concrete(sig: &Signature, inputs: &Inputs) -> TokenStream {
    let name = &sig.ident;
    let (generics, clause) = (&sig.generics, &sig.generics.where_clause);
    // Lifetimes are found by themselves.
    let chosen: Vec<&Ident> = generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(ty) => Some(&ty.ident),
            GenericParam::Const(constant) => Some(&constant.ident),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    let chosen = (!chosen.is_empty()).then(|| quote!(::<#(#chosen),*>));
    let (parameters, arguments): (Vec<_>, Vec<_>) = sig
        .inputs
        .iter()
        .filter_map(crate::scope::parameter)
        .enumerate()
        .map(|(i, (_, ty))| {
            let argument = format_ident!("argument_{}", i, span = Span::mixed_site());
            match inputs.spec(ty).is_none() && input::is_tensor(ty) {
                true => (
                    quote!(#argument: impl ::graph_runtime::ValueOrSpec<#ty>),
                    quote!(::graph_runtime::ValueOrSpec::to_trace(#argument)),
                ),
                false => {
                    let ty = inputs.accepted(ty);
                    (quote!(#argument: #ty), quote!(#argument))
                }
            }
        })
        .unzip();
    quote! {
        /// The trace that serves a call with these arguments, made now if need be; nothing is run. A `TensorSpec` may stand for a tensor.
        pub fn concrete #generics (#(#parameters),*) -> ::graph_runtime::Result<::std::sync::Arc<::graph_runtime::ConcreteFunction>>
        #clause
        {
            Self::function().concrete(|| #name #chosen (#(#arguments),*))
        }
    }
}

/// The same for a method: sibling functions.
pub fn door_methods(function: &ItemFn, statics: &TokenStream) -> TokenStream {
    let vis = &function.vis;
    let name = &function.sig.ident;
    let door = format_ident!("{}_function", name, span = name.span());
    let code = format_ident!("{}_to_code", name, span = name.span());
    quote! {
        /// The graph function behind the method: its traces and signatures.
        #[allow(dead_code)]
        #vis fn #door() -> &'static ::graph_runtime::GraphFunction {
            #statics
            &FUNCTION
        }
        /// The generated code of the method, as text.
        #[allow(dead_code)]
        #vis fn #code() -> &'static str {
            Self::#door().to_code()
        }
    }
}
