//! Parameters that are input signatures: `x: Tensor<f32, shape![_, 784]>`. The function accepts every argument that fits such a type.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericArgument, Ident, ItemFn, PathArguments, Signature, Type, parse_quote};

use crate::macros;

/// Decides which parameter types are input signatures in one function.
pub struct Inputs {
    /// The function's own generic parameters: a type that names one is inferred from the argument, so it must stay unchanged.
    generics: Vec<Ident>,
    /// False for a function in the `impl` of a trait, whose signature is given.
    free: bool,
}

impl Inputs {
    pub fn of(function: &ItemFn, free: bool) -> Inputs {
        Inputs {
            generics: generics(&function.sig),
            free,
        }
    }

    /// The type that an argument is checked against, if the parameter's type is an input signature.
    pub fn spec(&self, ty: &Type) -> Option<Type> {
        let Type::Path(path) = ty else { return None };
        let last = path.path.segments.last().filter(|_| self.free)?;
        let says_shape = last.ident == "Tensor" && says_shape(&last.arguments);
        let is_open =
            crate::collect::has_infer(ty) || names_any(ty.to_token_stream(), &self.generics);
        (says_shape && !is_open).then(|| ty.clone())
    }

    /// The type in the signature: for an input signature, everything that fits it; else the type itself.
    pub fn accepted(&self, ty: &Type) -> Type {
        match self.spec(ty) {
            Some(spec) => parse_quote!(impl graph_runtime__::IntoSpec<#spec>),
            None => ty.clone(),
        }
    }
}

/// True if a shape is written as `shape![…]` among the arguments of a type. Any other type there may mean anything: the user may have a
/// `Tensor` type of their own.
fn says_shape(arguments: &PathArguments) -> bool {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return false;
    };
    arguments.args.iter().any(|argument| {
        matches!(argument, GenericArgument::Type(Type::Macro(shape)) if macros::name(&shape.mac) == "shape")
    })
}

/// True for a type that is written as a tensor, of any elements and shape. An alias isn't recognized: it might hide a lifetime, which
/// can't be written in `impl ValueOrSpec<…>`.
pub fn is_tensor(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let is_named = path
        .path
        .segments
        .last()
        .is_some_and(|s| s.ident == "Tensor");
    is_named
        && !names_any(
            ty.to_token_stream(),
            &[Ident::new("impl", Span::call_site())],
        )
}

fn generics(sig: &Signature) -> Vec<Ident> {
    let parameters = sig.generics.params.iter();
    parameters
        .filter_map(|parameter| match parameter {
            syn::GenericParam::Type(ty) => Some(ty.ident.clone()),
            syn::GenericParam::Const(constant) => Some(constant.ident.clone()),
            syn::GenericParam::Lifetime(_) => None,
        })
        .collect()
}

pub fn names_any(tokens: TokenStream, names: &[Ident]) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => names.contains(&ident),
        TokenTree::Group(group) => names_any(group.stream(), names),
        _ => false,
    })
}

/// The argument for the call: unchanged, or checked against its input signature.
pub fn argument(name: &Ident, is_checked: bool, call: &Ident) -> TokenStream {
    if !is_checked {
        return quote!(ag__::argument(#name));
    }
    let text = name.to_string();
    quote!(#call.input(#text, #name))
}
