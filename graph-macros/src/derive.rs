//! The derives: structs or enums of arguments as arguments (`TraceType`), structs of tensors as state (`GraphState`).

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Field, Fields, Generics, Ident, Index, Member, parse_quote};

use crate::expand::at;

/// `#[derive(TraceType)]`.
pub fn trace_type(item: TokenStream) -> syn::Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let name = &input.ident;
    let text = name.to_string();
    let arms: Vec<Arm> = match &input.data {
        Data::Struct(data) => vec![Arm::new(quote!(Self), text, &data.fields)?],
        Data::Enum(data) => data
            .variants
            .iter()
            .map(|variant| {
                let ident = &variant.ident;
                Arm::new(
                    quote!(Self::#ident),
                    format!("{text}::{ident}"),
                    &variant.fields,
                )
            })
            .collect::<syn::Result<_>>()?,
        Data::Union(_) => {
            return Err(syn::Error::new_spanned(
                name,
                "a union has no trace type: it isn't known which field is valid",
            ));
        }
    };
    let bound = by_fields(&input, |field| match Traced::of(field) {
        Ok(Traced::Ignored) => None,
        Ok(Traced::ByValue) => Some(quote!(::core::hash::Hash)),
        _ => Some(quote!(graph_runtime__::Argument)),
    });
    let holds = holds(&input);
    let (impls, types, clause) = bound.split_for_impl();
    let (write, distinct): (Vec<_>, Vec<_>) =
        arms.iter().map(|arm| (arm.write(), arm.distinct())).unzip();
    Ok(quote! {
        impl #impls graph_runtime__::Argument for #name #types #clause {
            fn trace_type(&self, signature: &mut graph_runtime__::function::Signature) {
                match *self { #(#write)* }
            }
            fn set_apart(&mut self, location__: &graph_runtime__::Location) {
                match *self { #(#distinct)* }
            }
            fn holds(depth: usize) -> graph_runtime__::function::Holds {
                #holds
            }
        }
    })
}

/// The code that says what the type holds, combined from its fields. It gives up on recursive types.
fn holds(input: &DeriveInput) -> TokenStream {
    let itself = [input.ident.to_string(), "Self".to_owned()];
    let mut fields = Vec::new();
    for field in fields_of(&input.data) {
        let ty = &field.ty;
        match Traced::of(field) {
            Ok(Traced::ByValue) => {}
            Ok(Traced::ByType) if !mentions(ty.to_token_stream(), &itself) => fields.push(ty),
            _ => {
                return quote!({
                    let _ = depth;
                    graph_runtime__::function::Holds::Anything
                });
            }
        }
    }
    // Mutually recursive types end it, too.
    quote!(match depth {
        0..8 => graph_runtime__::function::Holds::Rust #(.and(<#fields as graph_runtime__::Argument>::holds(depth + 1)))*,
        _ => graph_runtime__::function::Holds::Anything,
    })
}

fn fields_of(data: &Data) -> Vec<&Field> {
    match data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|v| &v.fields).collect(),
        Data::Union(_) => Vec::new(),
    }
}

/// How a field takes part in the trace type.
#[derive(Clone, Copy, PartialEq)]
enum Traced {
    /// By its own trace type.
    ByType,
    /// By its value: compared by everything that its `Hash` hashes.
    ByValue,
    /// Not at all: a trace uses the value from the call that it was made for.
    Ignored,
}

impl Traced {
    fn of(field: &Field) -> syn::Result<Traced> {
        let mut traced = Traced::ByType;
        for attribute in field
            .attrs
            .iter()
            .filter(|a| a.path().is_ident("trace_type"))
        {
            attribute.parse_nested_meta(|meta| {
                traced = match () {
                    () if meta.path.is_ident("ignore") => Traced::Ignored,
                    () if meta.path.is_ident("by_value") => Traced::ByValue,
                    () => return Err(meta.error("a field can be marked `#[trace_type(ignore)]` or `#[trace_type(by_value)]`")),
                };
                Ok(())
            })?;
        }
        Ok(traced)
    }
}

/// A struct, or a variant of an enum: its path, its name in trace types, and the fields that take part.
struct Arm {
    path: TokenStream,
    text: String,
    fields: Vec<(Member, Ident, Traced)>,
}

impl Arm {
    fn new(path: TokenStream, text: String, fields: &Fields) -> syn::Result<Arm> {
        let mut traced = Vec::new();
        for (i, (member, field)) in fields.members().zip(fields).enumerate() {
            match Traced::of(field)? {
                Traced::Ignored => {}
                how => traced.push((member, format_ident!("field_{}", i), how)),
            }
        }
        Ok(Arm {
            path,
            text,
            fields: traced,
        })
    }

    fn write(&self) -> TokenStream {
        let (path, count) = (&self.path, self.fields.len() + 1);
        let text = &self.text;
        let fields = self.fields.iter().map(|(member, ..)| name_of(member));
        let members = self
            .fields
            .iter()
            .map(|(member, name, _)| quote!(#member: ref #name));
        let writes = self.fields.iter().map(|(_, name, how)| match how {
            Traced::ByValue => quote!(signature.by_value(#name);),
            _ => quote!(graph_runtime__::Argument::trace_type(#name, signature);),
        });
        quote! {
            #path { #(#members,)* .. } => {
                static NAMES: graph_runtime__::function::StructNames =
                    graph_runtime__::function::StructNames::new(#text, &[#(#fields),*]);
                signature.sequence(graph_runtime__::function::Sequence::Struct, #count);
                signature.named::<Self>(&NAMES);
                #(#writes)*
            }
        }
    }

    fn distinct(&self) -> TokenStream {
        let path = &self.path;
        let fields = || {
            self.fields
                .iter()
                .filter(|(.., how)| *how == Traced::ByType)
        };
        let members = fields().map(|(member, name, _)| quote!(#member: ref mut #name));
        let names = fields().map(|(_, name, _)| name);
        quote! {
            #path { #(#members,)* .. } => { #(graph_runtime__::Argument::set_apart(#names, location__);)* }
        }
    }
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
    // All messages about a type that can't be split point at the derive, so that they are one.
    let here = Span::call_site();
    let types = data.fields.iter().map(|f| at(f.ty.to_token_stream(), here));
    let types: Vec<TokenStream> = types.collect();
    let texts: Vec<_> = members.iter().map(name_of).collect();
    let (own, count) = (name.to_string(), members.len());
    let indices: Vec<Index> = (0..members.len()).map(Index::from).collect();
    let nest = bounded(&input, quote!(graph_runtime__::Nest));
    let (impls, arguments, clause) = nest.split_for_impl();
    let state = bounded(&input, quote!(graph_runtime__::GraphState));
    let (state_impls, _, state_clause) = state.split_for_impl();
    // Checked here and not in a `where` clause, so that the message points at the field.
    let checks = data.fields.iter().map(|Field { ty, .. }| {
        quote_spanned!(ty.span()=> graph_runtime__::autograph::field::<#ty>().must_be_state();)
    });
    Ok(quote! {
        impl #impls graph_runtime__::Nest for #name #arguments #clause {
            type Structure = (#(<#types as graph_runtime__::Nest>::Structure,)*);
            fn structure(&self) -> ::std::option::Option<Self::Structure> {
                ::std::option::Option::Some((#(<#types as graph_runtime__::Nest>::structure(&self.#members)?,)*))
            }
            fn leaves(&self, visit: &mut dyn FnMut(&graph_runtime__::tensor::AnyTensor)) {
                #(<#types as graph_runtime__::Nest>::leaves(&self.#members, visit);)*
            }
            fn rebuild(structure: &Self::Structure, next: &mut dyn FnMut() -> graph_runtime__::tensor::AnyTensor) -> Self {
                Self { #(#members: <#types as graph_runtime__::Nest>::rebuild(&structure.#indices, next),)* }
            }
            fn type_spec(&self) -> graph_runtime__::function::TypeSpec {
                let fields: [(&str, graph_runtime__::function::TypeSpec); #count] =
                    [#((#texts, <#types as graph_runtime__::Nest>::type_spec(&self.#members)),)*];
                graph_runtime__::function::TypeSpec::structure(#own, fields)
            }
            fn structure_of(
                spec: &graph_runtime__::function::TypeSpec,
                shapes: &mut ::std::vec::Vec<graph_runtime__::graph::Shape>,
            ) -> ::std::option::Option<Self::Structure> {
                let _ = (spec, &shapes);
                ::std::option::Option::Some((#(
                    <#types as graph_runtime__::Nest>::structure_of(spec.part(#texts, #indices, #count)?, shapes)?,
                )*))
            }
        }
        impl #state_impls graph_runtime__::GraphState for #name #arguments #state_clause {}
        impl #impls graph_runtime__::autodiff::Sources for #name #arguments #clause {
            type Gradients = ::std::option::Option<Self>;
            type Filled = Self;
            fn sources(&self, to: &mut ::std::vec::Vec<graph_runtime__::autodiff::Source>) {
                graph_runtime__::autodiff::of_struct::sources(self, to);
            }
            fn gradients(
                &self,
                next: &mut dyn FnMut() -> ::std::option::Option<graph_runtime__::tensor::AnyTensor>,
            ) -> Self::Gradients {
                graph_runtime__::autodiff::of_struct::gradients(self, next)
            }
            fn filled(&self, next: &mut dyn FnMut() -> graph_runtime__::tensor::AnyTensor) -> Self {
                graph_runtime__::autodiff::of_struct::filled(self, next)
            }
            fn apart(&self, location: &graph_runtime__::Location) -> ::std::option::Option<Self> {
                graph_runtime__::autodiff::of_struct::apart(self, location)
            }
        }
        impl #state_impls graph_runtime__::autodiff::Outputs for #name #arguments #state_clause {
            type Each<D__> = ::std::vec::Vec<D__>;
            fn each<D__>(&self, next: &mut dyn FnMut() -> D__) -> ::std::vec::Vec<D__> {
                graph_runtime__::autodiff::of_struct::each(self, next)
            }
        }
        const _: () = {
            #[allow(unused_imports)]
            use graph_runtime__::autograph::methods::*;
            #[allow(dead_code)]
            fn every_field #state_impls() #state_clause {
                #(#checks)*
            }
        };
    })
}

/// The name of a field, or its position.
pub fn name_of(member: &Member) -> String {
    match member {
        Member::Named(ident) => ident.to_string().trim_start_matches("r#").to_owned(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

fn members(fields: &Fields) -> Vec<Member> {
    fields.members().collect()
}

/// The generics, with a bound for the types of those fields that depend on a parameter. There is no bound on a parameter itself, because
/// what it must be depends on its use in a field: `Tensor<T>` is state for any `T`.
fn bounded(input: &DeriveInput, bound: TokenStream) -> Generics {
    by_fields(input, |_| Some(bound.clone()))
}

/// The same with a bound that depends on the field. A field that contains the type itself needs no bound.
pub fn by_fields(input: &DeriveInput, bound: impl Fn(&Field) -> Option<TokenStream>) -> Generics {
    let mut generics = input.generics.clone();
    for field in fields_of(&input.data) {
        if has_parameter(input, field)
            && !mentions_itself(input, field)
            && let Some(bound) = bound(field)
        {
            let ty = &field.ty;
            let clause = generics.make_where_clause();
            clause.predicates.push(parse_quote!(#ty: #bound));
        }
    }
    generics
}

/// True if the field's type depends on a type parameter.
fn has_parameter(input: &DeriveInput, field: &Field) -> bool {
    let parameters = input.generics.type_params();
    let parameters: Vec<String> = parameters.map(|p| p.ident.to_string()).collect();
    mentions(field.ty.to_token_stream(), &parameters)
}

/// True if the field's type contains the type itself.
fn mentions_itself(input: &DeriveInput, field: &Field) -> bool {
    mentions(field.ty.to_token_stream(), &[input.ident.to_string()])
}

/// True if one of the names occurs in the tokens.
fn mentions(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}
