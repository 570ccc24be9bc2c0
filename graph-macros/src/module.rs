//! `#[derive(Module)]`: a struct or enum that contains variables, as a part of a model. `graph-runtime` implements what the trait does;
//! the derive only lists the fields.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Field, Fields};

use crate::derive::{by_fields, name_of, trace_type};

/// `#[derive(Module)]`: implements the trace type, the list of variables by name, and gradients with respect to these variables.
pub fn module(item: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item.clone())?;
    let name = &input.ident;
    let text = name.to_string();
    let arms: Vec<TokenStream> = match &input.data {
        Data::Struct(data) => vec![arm(quote!(Self), &data.fields)?],
        Data::Enum(data) => data
            .variants
            .iter()
            .map(|variant| {
                let ident = &variant.ident;
                arm(quote!(Self::#ident), &variant.fields)
            })
            .collect::<syn::Result<_>>()?,
        Data::Union(_) => {
            return Err(syn::Error::new_spanned(
                name,
                "a union can't be a part of a model: it isn't known which field is valid",
            ));
        }
    };
    let argument = trace_type(item)?;
    let bounded = by_fields(&input, |field| match FieldRole::of(field) {
        Ok(FieldRole::Ignored) => None,
        _ => Some(quote!(graph_runtime__::nn::Module)),
    });
    let (impls, types, clause) = bounded.split_for_impl();
    Ok(quote! {
        #argument
        impl #impls graph_runtime__::nn::Module for #name #types #clause {
            fn visit(&self, visitor: &mut graph_runtime__::nn::Visitor<'_>) {
                visitor.module(#text, |visitor| match *self { #(#arms)* });
            }
        }
        impl #impls graph_runtime__::autodiff::Sources for #name #types #clause {
            type Gradients = ::std::vec::Vec<graph_runtime__::nn::Gradient>;
            type Filled = Self::Gradients;
            fn sources(&self, to: &mut ::std::vec::Vec<graph_runtime__::autodiff::Source>) {
                graph_runtime__::nn::sources(self, to);
            }
            fn gradients(
                &self,
                next: &mut dyn FnMut() -> ::std::option::Option<graph_runtime__::tensor::AnyTensor>,
            ) -> Self::Gradients {
                graph_runtime__::nn::gradients(self, next)
            }
            fn filled(&self, next: &mut dyn FnMut() -> graph_runtime__::tensor::AnyTensor) -> Self::Filled {
                graph_runtime__::nn::gradients(self, &mut || ::std::option::Option::Some(next()))
            }
        }
    })
}

/// The role of a field in a model.
#[derive(Clone, Copy, PartialEq)]
enum FieldRole {
    /// A part of the model.
    Whole,
    /// A part whose variables aren't trained.
    Frozen,
    /// Not a part of the model.
    Ignored,
}

impl FieldRole {
    fn of(field: &Field) -> syn::Result<FieldRole> {
        let mut part = FieldRole::Whole;
        for attribute in field.attrs.iter().filter(|a| a.path().is_ident("module")) {
            attribute.parse_nested_meta(|meta| {
                part = match () {
                    () if meta.path.is_ident("ignore") => FieldRole::Ignored,
                    () if meta.path.is_ident("frozen") => FieldRole::Frozen,
                    () => {
                        return Err(meta.error(
                            "a field can be marked `#[module(frozen)]` or `#[module(ignore)]`",
                        ));
                    }
                };
                Ok(())
            })?;
        }
        Ok(part)
    }
}

/// The code that visits a struct, or a variant of an enum.
fn arm(path: TokenStream, fields: &Fields) -> syn::Result<TokenStream> {
    let mut members = Vec::new();
    let mut visits = Vec::new();
    for (i, (member, field)) in fields.members().zip(fields).enumerate() {
        let part = FieldRole::of(field)?;
        if part == FieldRole::Ignored {
            continue;
        }
        let name = format_ident!("field_{}", i);
        let text = name_of(&member);
        let how = match part {
            FieldRole::Frozen => format_ident!("frozen"),
            _ => format_ident!("field"),
        };
        // The type is named, so that an error about it points at it.
        let ty = &field.ty;
        visits.push(quote!(visitor.#how::<#ty>(#text, #name);));
        members.push(quote!(#member: ref #name));
    }
    Ok(quote!(#path { #(#members,)* .. } => { #(#visits)* }))
}
