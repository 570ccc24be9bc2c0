//! `#[graph_fn(input_signature = [f32[_, 784], _])]`: shapes for parameters whose types don't have one. Such a function is rewritten
//! before it is collected: the parameter gets a type with the shape, which makes it an input signature, and the body gets the tensor with
//! its declared type. This is for functions whose bodies change shapes in ways that types can't express.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::token::Bracket;
use syn::{
    FnArg, GenericArgument, Ident, ItemFn, LitInt, Pat, PatType, PathArguments, Token, Type,
    bracketed, parse_quote,
};

use crate::input::Inputs;

/// One spec for each parameter, in order.
pub struct InputSignature {
    bracket: Bracket,
    specs: Punctuated<Spec, Token![,]>,
}

enum Spec {
    /// `_`: the parameter stays unchanged.
    AsItIs(Token![_]),
    /// `f32[_, 784]`, or `f32[..]` for any rank.
    Tensor {
        element: Ident,
        bracket: Bracket,
        sizes: Punctuated<Size, Token![,]>,
    },
}

enum Size {
    /// `..`: any number of sizes. It must be alone; `shape!` reports it otherwise.
    Rest(Token![..]),
    Unknown(Token![_]),
    Number(LitInt),
    Constant(Ident),
}

impl Parse for InputSignature {
    fn parse(input: ParseStream<'_>) -> syn::Result<InputSignature> {
        let content;
        let bracket = bracketed!(content in input);
        let specs = Punctuated::parse_terminated(&content)?;
        Ok(InputSignature { bracket, specs })
    }
}

impl Parse for Spec {
    fn parse(input: ParseStream<'_>) -> syn::Result<Spec> {
        if input.peek(Token![_]) {
            return Ok(Spec::AsItIs(input.parse()?));
        }
        let wanted = "expected a spec: `f32[_, 784]`, `i64[]` for a scalar, `f32[..]` for any shape, or `_` for a parameter that stays as it is";
        let error = |e: syn::Error| syn::Error::new(e.span(), wanted);
        let element = Ident::parse_any(input).map_err(error)?;
        if !input.peek(Bracket) {
            return Err(syn::Error::new(element.span(), wanted));
        }
        let content;
        let bracket = bracketed!(content in input);
        Ok(Spec::Tensor {
            element,
            bracket,
            sizes: Punctuated::parse_terminated(&content)?,
        })
    }
}

impl Parse for Size {
    fn parse(input: ParseStream<'_>) -> syn::Result<Size> {
        let lookahead = input.lookahead1();
        if lookahead.peek(Token![_]) {
            return Ok(Size::Unknown(input.parse()?));
        }
        if lookahead.peek(Token![..]) {
            return Ok(Size::Rest(input.parse()?));
        }
        if lookahead.peek(LitInt) {
            return Ok(Size::Number(input.parse()?));
        }
        let wanted = "a size is a number, the name of a constant, or `_` for one that is known only when called";
        match input.parse::<Ident>() {
            Ok(name) if name != "None" => Ok(Size::Constant(name)),
            Ok(name) => Err(syn::Error::new(name.span(), wanted)),
            Err(error) => Err(syn::Error::new(error.span(), wanted)),
        }
    }
}

impl ToTokens for Size {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Size::Rest(token) => token.to_tokens(tokens),
            Size::Unknown(token) => token.to_tokens(tokens),
            Size::Number(number) => number.to_tokens(tokens),
            Size::Constant(name) => name.to_tokens(tokens),
        }
    }
}

impl Spec {
    fn span(&self) -> Span {
        match self {
            Spec::AsItIs(token) => token.span,
            Spec::Tensor { element, .. } => element.span(),
        }
    }
}

impl InputSignature {
    /// Gives the parameters their types with shapes, and the body its tensors without them.
    pub fn apply(&self, function: &mut ItemFn, inputs: &Inputs) -> syn::Result<()> {
        let parameters = function.sig.inputs.iter_mut();
        let mut parameters = parameters.filter_map(|parameter| match parameter {
            FnArg::Typed(typed) => Some(typed),
            FnArg::Receiver(_) => None,
        });
        let mut rebound = Vec::new();
        for spec in &self.specs {
            let Some(parameter) = parameters.next() else {
                let message = format!("`{}` has no parameter for this spec", function.sig.ident);
                return Err(syn::Error::new(spec.span(), message));
            };
            if let Spec::Tensor {
                element,
                bracket,
                sizes,
            } = spec
            {
                let ty = shaped(parameter, element, bracket, sizes, inputs)?;
                let (pat, plain) = (&parameter.pat, &parameter.ty);
                let name = name(parameter, element)?;
                rebound.push(parse_quote!(let #pat: #plain = #name.dynamic();));
                *parameter.pat = parse_quote!(#name);
                *parameter.ty = ty;
            }
        }
        if let Some(parameter) = parameters.next() {
            let message = format!(
                "there is no spec for the parameter `{}`: write `_` to leave it as it is",
                parameter.pat.to_token_stream()
            );
            return Err(syn::Error::new(self.bracket.span.close(), message));
        }
        drop(parameters);
        function.block.stmts.splice(0..0, rebound);
        Ok(())
    }
}

fn name(parameter: &PatType, element: &Ident) -> syn::Result<Ident> {
    match &*parameter.pat {
        Pat::Ident(pat) => Ok(pat.ident.clone()),
        _ => Err(syn::Error::new(
            element.span(),
            "only a parameter that is a name can have a spec",
        )),
    }
}

/// The type of a parameter with its shape.
fn shaped(
    parameter: &PatType,
    element: &Ident,
    bracket: &Bracket,
    sizes: &Punctuated<Size, Token![,]>,
    inputs: &Inputs,
) -> syn::Result<Type> {
    let (pat, ty) = (&parameter.pat, &parameter.ty);
    let name = pat.to_token_stream().to_string();
    let name = name.trim_start_matches("mut ");
    let error = |message: String| Err(syn::Error::new(element.span(), message));
    let shown = ty
        .to_token_stream()
        .to_string()
        .replace(' ', "")
        .replace(',', ", ");
    let Some((of, shape)) = tensor(ty) else {
        return error(format!(
            "`{name}` is of type `{shown}`: only a `Tensor` by value has a spec. Write `_` for it"
        ));
    };
    if shape.is_some() {
        return error(format!(
            "the type of `{name}`, `{shown}`, tells its shape already. Write `_` for it"
        ));
    }
    if *element != of.to_token_stream().to_string() {
        return error(format!(
            "`{name}` is of type `{shown}`, but its spec is one of `{element}`"
        ));
    }
    let sizes_span = bracket.span.join();
    let mut spec = Type::clone(ty);
    if let Type::Path(path) = &mut spec
        && let Some(last) = path.path.segments.last_mut()
    {
        last.arguments =
            PathArguments::AngleBracketed(parse_quote!(<#of, graph_runtime__::shape![#sizes]>));
    }
    if inputs.spec(&spec).is_none() {
        return Err(syn::Error::new(
            sizes_span,
            format!(
                "`{name}` can't have an input signature: a method without a visibility, which may implement a trait, keeps its \
                 parameters as they are"
            ),
        ));
    }
    Ok(spec)
}

/// The elements and the shape of a type that is written as a tensor.
fn tensor(ty: &Type) -> Option<(&Type, Option<&Type>)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|s| s.ident == "Tensor")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    let elements = types.next()?;
    let says_nothing = |ty: &&Type| ty.to_token_stream().to_string().ends_with("Dyn");
    Some((elements, types.next().filter(|ty| !says_nothing(ty))))
}
