//! Parameters that accept more than their type. For an input signature, `x: Tensor<f32, shape![_, 784]>`, these are all arguments that fit it;
//! for any other tensor by value, `x: Tensor<f32>`, a reference to one and a variable, too.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{GenericArgument, Ident, ItemFn, PathArguments, Signature, Type, parse_quote_spanned};

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

    /// True if the function that users call accepts whatever converts to this type: a tensor by value. For a type of the user's that is
    /// called `Tensor`, that is only this type itself, which the trait says.
    pub fn is_converted(&self, ty: &Type) -> bool {
        let Type::Path(path) = ty else { return false };
        let arguments = path.path.segments.last().map(|last| &last.arguments);
        let has_elements = matches!(arguments, Some(PathArguments::AngleBracketed(list)) if list.args.iter().all(|argument| matches!(argument, GenericArgument::Type(_))));
        // What has a lifetime can't be written in `impl IntoArgument<…>`.
        self.free && has_elements && is_tensor(ty) && self.spec(ty).is_none() && !borrows(ty)
    }

    /// The parameter's type in the function that users call, if it is a tensor by value.
    pub fn converted(&self, ty: &Type) -> Option<Type> {
        let at = written_at(ty);
        self.is_converted(ty)
            .then(|| parse_quote_spanned!(at=> impl graph_runtime__::IntoArgument<#ty>))
    }

    /// The type in the signature: for an input signature, everything that fits it; else the type itself.
    pub fn accepted(&self, ty: &Type) -> Type {
        match self.spec(ty) {
            Some(spec) => {
                let at = written_at(ty);
                parse_quote_spanned!(at=> impl graph_runtime__::IntoSpec<#spec>)
            }
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

/// The tensor of a parameter that is a reference to one.
pub fn lent_tensor(ty: &Type) -> Option<&Type> {
    let Type::Reference(reference) = ty else {
        return None;
    };
    let tensor = &*reference.elem;
    let lends = reference.mutability.is_none() && is_tensor(tensor) && !borrows(tensor);
    lends.then_some(tensor)
}

/// The span for a bound in place of a type: the compiler's messages about it point to the type.
fn written_at(ty: &Type) -> Span {
    Span::mixed_site().located_at(ty.span())
}

/// True for a type that names a lifetime or a reference.
fn borrows(ty: &Type) -> bool {
    ty.to_token_stream()
        .into_iter()
        .any(|tree| has_lifetime(&tree))
}

/// True for the tokens of a lifetime or a reference.
fn has_lifetime(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Punct(punct) => matches!(punct.as_char(), '\'' | '&'),
        TokenTree::Group(group) => group.stream().into_iter().any(|tree| has_lifetime(&tree)),
        _ => false,
    }
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
