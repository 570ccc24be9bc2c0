//! The derives: a struct or enum of arguments as an argument, a struct of tensors as state.

use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Generics, Index, Member};

/// `#[derive(TraceType)]`.
pub fn trace_type(item: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let name = &input.ident;
    let text = name.to_string();
    let bound = bounded(
        &input.generics,
        &input.data,
        quote!(::graph_runtime::Argument),
    );
    let (impls, types, clause) = bound.split_for_impl();
    let (write, distinct) = match &input.data {
        Data::Struct(data) => {
            let members = members(&data.fields);
            let count = members.len() + 1;
            (
                quote! {
                    signature.sequence(::graph_runtime::function::Sequence::Struct, #count);
                    signature.text(#text);
                    #(::graph_runtime::Argument::trace_type(&self.#members, signature);)*
                },
                quote!(#(::graph_runtime::Argument::make_distinct(&mut self.#members);)*),
            )
        }
        Data::Enum(data) => {
            let arms = data.variants.iter().map(|variant| {
                let (ident, names) = (&variant.ident, names(&variant.fields));
                let members = members(&variant.fields);
                let text = format!("{text}::{ident}");
                let count = names.len() + 1;
                let write = quote! {
                    Self::#ident { #(#members: #names),* } => {
                        signature.sequence(::graph_runtime::function::Sequence::Struct, #count);
                        signature.text(#text);
                        #(::graph_runtime::Argument::trace_type(#names, signature);)*
                    }
                };
                let distinct = quote! {
                    Self::#ident { #(#members: #names),* } => { #(::graph_runtime::Argument::make_distinct(#names);)* }
                };
                (write, distinct)
            });
            let (write, distinct): (Vec<_>, Vec<_>) = arms.unzip();
            (
                quote!(match self { #(#write)* }),
                quote!(match self { #(#distinct)* }),
            )
        }
        Data::Union(_) => {
            return Err(syn::Error::new_spanned(
                name,
                "a union has no trace type: which field holds isn't known",
            ));
        }
    };
    Ok(quote! {
        impl #impls ::graph_runtime::Argument for #name #types #clause {
            fn trace_type(&self, signature: &mut ::graph_runtime::function::Signature) { #write }
            fn make_distinct(&mut self) { #distinct }
        }
    })
}

/// `#[derive(GraphState)]`.
pub fn graph_state(item: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let name = &input.ident;
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new_spanned(
            name,
            "only a struct can be graph state: which variant an enum is would have to be decided by the graph",
        ));
    };
    let members = members(&data.fields);
    let types: Vec<_> = data.fields.iter().map(|f| &f.ty).collect();
    let indices: Vec<Index> = (0..members.len()).map(Index::from).collect();
    let nest = bounded(&input.generics, &input.data, quote!(::graph_runtime::Nest));
    let (impls, arguments, clause) = nest.split_for_impl();
    let state = bounded(
        &input.generics,
        &input.data,
        quote!(::graph_runtime::GraphState),
    );
    let (state_impls, _, state_clause) = state.split_for_impl();
    // Asked for here and not in a `where`, so that the message points at the field.
    let checks = types
        .iter()
        .map(|ty| quote_spanned!(ty.span()=> carried::<#ty>();));
    Ok(quote! {
        impl #impls ::graph_runtime::Nest for #name #arguments #clause {
            type Structure = (#(<#types as ::graph_runtime::Nest>::Structure,)*);
            fn structure(&self) -> ::std::option::Option<Self::Structure> {
                ::std::option::Option::Some((#(::graph_runtime::Nest::structure(&self.#members)?,)*))
            }
            fn leaves(&self, visit: &mut dyn FnMut(&::graph_runtime::tensor::AnyTensor)) {
                #(::graph_runtime::Nest::leaves(&self.#members, visit);)*
            }
            fn rebuild(structure: &Self::Structure, next: &mut dyn FnMut() -> ::graph_runtime::tensor::AnyTensor) -> Self {
                Self { #(#members: ::graph_runtime::Nest::rebuild(&structure.#indices, next),)* }
            }
        }
        impl #state_impls ::graph_runtime::GraphState for #name #arguments #state_clause {}
        const _: () = {
            fn carried<T: ::graph_runtime::GraphState>() {}
            #[allow(dead_code)]
            fn every_field #state_impls() #state_clause {
                #(#checks)*
            }
        };
    })
}

fn members(fields: &Fields) -> Vec<Member> {
    fields.members().collect()
}

fn names(fields: &Fields) -> Vec<syn::Ident> {
    (0..fields.len())
        .map(|i| format_ident!("field_{}", i))
        .collect()
}

/// The generics, with a bound on the types of those fields that depend on a parameter. What a parameter itself must be, only its use in
/// a field tells: `Tensor<T>` is state for any `T`.
fn bounded(generics: &Generics, data: &Data, bound: TokenStream) -> Generics {
    let mut generics = generics.clone();
    let parameters: Vec<String> = generics
        .type_params()
        .map(|p| p.ident.to_string())
        .collect();
    let fields: Vec<&syn::Field> = match data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|v| &v.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    for field in fields
        .into_iter()
        .filter(|f| mentions(quote::ToTokens::to_token_stream(&f.ty), &parameters))
    {
        let ty = &field.ty;
        generics
            .make_where_clause()
            .predicates
            .push(syn::parse_quote!(#ty: #bound));
    }
    generics
}

/// True if one of the names is among the tokens.
fn mentions(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}
