//! The attribute: a function in, the function with its body lowered out, beside it the door to its traces and its code.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{
    Expr, FnArg, GenericParam, Ident, ItemFn, Pat, ReturnType, Signature, Stmt, Type, Visibility,
    parse_quote, parse_quote_spanned,
};

use crate::door::{door_methods, door_module, door_type};
use crate::input::{self, Inputs};
use crate::input_signature::InputSignature;
use crate::lower::Lower;
use crate::macros;
use crate::scope::{Known, Var, known_type};

/// Expands `#[graph_fn]` on a function or method.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let options = match Options::parse2(arguments) {
        Ok(options) => options,
        Err(error) => return with_error(error, item),
    };
    let function: ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(_) => return expand_other(&options, item),
    };
    match lower(&function, &options) {
        Ok(tokens) => tokens,
        Err(error) => with_error(error, item),
    }
}

/// The arguments of the attribute.
#[derive(Default)]
pub struct Options {
    /// The function is an associated one.
    in_impl: bool,
    /// Its `impl` block is no trait's: other functions may stand beside it.
    is_inherent: bool,
    /// Traces are for what the shapes of calls have in common.
    reduce_retracing: bool,
    /// Shapes for parameters whose types tell none.
    input_signature: Option<InputSignature>,
}

impl Options {
    fn parse2(arguments: TokenStream) -> Result<Options, syn::Error> {
        let parser = |input: ParseStream<'_>| {
            let mut options = Options::default();
            while !input.is_empty() {
                options.argument(input)?;
                if !input.is_empty() {
                    input.parse::<syn::Token![,]>()?;
                }
            }
            Ok(options)
        };
        parser.parse2(arguments)
    }

    fn argument(&mut self, input: ParseStream<'_>) -> Result<(), syn::Error> {
        let unknown = |span| syn::Error::new(span, ARGUMENTS);
        let word: Ident = input.parse().map_err(|error| unknown(error.span()))?;
        match word.to_string().as_str() {
            "method" => self.in_impl = true,
            "inherent" => self.is_inherent = true,
            "reduce_retracing" => self.reduce_retracing = true,
            "input_signature" => {
                input.parse::<syn::Token![=]>()?;
                self.input_signature = Some(input.parse()?);
            }
            _ => return Err(unknown(word.span())),
        }
        Ok(())
    }

    /// False for what may stand in a trait's `impl`, where only the function itself may be given, as the trait says.
    fn is_free(&self, function: &ItemFn) -> bool {
        self.is_inherent || !matches!(function.vis, Visibility::Inherited)
    }

    /// Which parameters of the function may be input signatures.
    fn inputs(&self, function: &ItemFn) -> Inputs {
        let in_impl = self.in_impl || function.sig.receiver().is_some();
        Inputs::of(function, !in_impl || self.is_free(function))
    }

    /// What the static of the function says of them.
    fn builders(&self) -> Option<TokenStream> {
        self.reduce_retracing.then(|| quote!(.reduce_retracing()))
    }
}

const ARGUMENTS: &str = "the arguments that `#[graph_fn]` knows are `reduce_retracing` (one trace for tensors of many shapes), \
                         `input_signature = [f32[_, 784]]` (shapes for the parameters) and `method` (on a private associated function without `self`)";

/// An `impl` block: each of its functions under the attribute.
fn expand_other(options: &Options, item: TokenStream) -> TokenStream {
    let Ok(mut block) = syn::parse2::<syn::ItemImpl>(item.clone()) else {
        return with_error(misplaced(&item), item);
    };
    if options.input_signature.is_some() {
        let message = "an `input_signature` is one function's: put `#[graph_fn(input_signature = …)]` on the method itself";
        return with_error(syn::Error::new(Span::call_site(), message), item);
    }
    for item in &mut block.items {
        if let syn::ImplItem::Fn(method) = item {
            let inherent = block.trait_.is_none().then(|| quote!(, inherent));
            let reduce_retracing = options.reduce_retracing.then(|| quote!(, reduce_retracing));
            method.attrs.push(
                parse_quote!(#[::graph_runtime::graph_fn(method #inherent #reduce_retracing)]),
            );
        }
    }
    quote!(#block)
}

/// What to say of an item that is neither a function nor an `impl` block.
fn misplaced(item: &TokenStream) -> syn::Error {
    if syn::parse2::<syn::TraitItemFn>(item.clone()).is_ok() {
        let message = "a method without a body can't be a graph function: put `#[graph_fn]` on the methods of the `impl`s";
        return syn::Error::new_spanned(item, message);
    }
    // A function whose body isn't Rust: the compiler says so by itself, in more detail.
    let is_function = item
        .clone()
        .into_iter()
        .any(|tree| matches!(tree, TokenTree::Ident(word) if word == "fn"));
    match syn::parse2::<ItemFn>(item.clone()) {
        Err(error) if is_function => error,
        _ => syn::Error::new_spanned(
            item,
            "`#[graph_fn]` goes on a function, a method or an `impl` block",
        ),
    }
}

/// The error, and the item, so that editors and the rest of the crate keep knowing it. A function stays without its body, which would
/// only bring complaints that the lowered body doesn't deserve.
fn with_error(error: syn::Error, item: TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    let Ok(ItemFn {
        attrs,
        vis,
        mut sig,
        ..
    }) = syn::parse2(item.clone())
    else {
        return quote!(#error #item);
    };
    if quote!(#sig)
        .into_iter()
        .any(|tree| matches!(tree, TokenTree::Ident(word) if word == "impl"))
    {
        return quote!(#error #item);
    }
    for arg in &mut sig.inputs {
        if let FnArg::Typed(typed) = arg
            && !matches!(&*typed.pat, Pat::Ident(p) if p.mutability.is_none())
        {
            *typed.pat = parse_quote!(_);
        }
    }
    quote! {
        #error
        #(#attrs)*
        #[allow(unused_variables, dead_code)]
        #vis #sig {
            ::core::panic!()
        }
    }
}

/// The function with its body lowered, and what stands beside it.
pub fn lower(function: &ItemFn, options: &Options) -> Result<TokenStream, syn::Error> {
    let mut function = function.clone();
    if let Some(signature) = &options.input_signature {
        let inputs = options.inputs(&function);
        signature.apply(&mut function, &inputs)?;
    }
    Lowered::of(&function, options)?.tokens(&function, options)
}

/// The code of the function itself, without what stands beside it: what `to_code` shows.
#[cfg(test)]
pub fn code(function: &ItemFn) -> Result<String, syn::Error> {
    Lowered::of(function, &Options::default())?.code()
}

/// A function, lowered but not yet put together.
struct Lowered {
    /// The signature; its block is still the user's.
    function: ItemFn,
    /// What binds the arguments.
    prologue: Vec<Stmt>,
    body: Vec<Stmt>,
    /// True if the graph function can be asked for from outside.
    has_door: bool,
    uses_self: bool,
}

impl Lowered {
    fn of(function: &ItemFn, options: &Options) -> Result<Lowered, syn::Error> {
        let mut lower = Lower::new(function);
        refuse(&function.sig, &mut lower);
        let in_impl = options.in_impl || function.sig.receiver().is_some();
        let uses_self = in_impl || mentions_self(function);
        let has_door = !uses_self || options.is_free(function);
        let name = &function.sig.ident;
        let door = match (has_door, uses_self) {
            (true, false) => {
                let module = door_module(name);
                quote!(#module::#name::function())
            }
            (true, true) => {
                let door = format_ident!("{}_function", name, span = name.span());
                quote!(Self::#door())
            }
            (false, _) => quote!(&FUNCTION),
        };
        let inputs = options.inputs(function);
        let mut result = function.clone();
        let (prologue, body) = call(&mut lower, &mut result, &inputs, &door);
        lower.errors.check()?;
        Ok(Lowered {
            function: result,
            prologue,
            body,
            has_door,
            uses_self,
        })
    }

    /// The function as a reader wants to see it: signature and lowered body, without the doc comments.
    fn code(&self) -> Result<String, syn::Error> {
        let mut shown = self.function.clone();
        shown.attrs.clear();
        shown.block.stmts = self.prologue.iter().chain(&self.body).cloned().collect();
        Ok(prettyplease::unparse(&syn::parse2(quote!(#shown))?))
    }

    /// Everything that the compiler sees.
    fn tokens(self, function: &ItemFn, options: &Options) -> Result<TokenStream, syn::Error> {
        let code = self.code()?;
        let Lowered {
            function: mut result,
            prologue,
            body,
            has_door,
            uses_self,
        } = self;
        let parameters = parameter_names(&function.sig);
        let text = function.sig.ident.to_string();
        let options = options.builders();
        let statics = quote! {
            static FUNCTION: ::graph_runtime::GraphFunction =
                ::graph_runtime::GraphFunction::new(#text, &[#(#parameters),*], #code)#options;
        };
        let local = (!has_door).then(|| -> Stmt { parse_quote!(#statics) });
        let mut stmts: Vec<Stmt> = vec![parse_quote!(
            use ::graph_runtime::autograph::{self as ag__, methods::*};
        )];
        stmts.extend(local);
        stmts.extend(prologue);
        stmts.extend(body);
        result.block.stmts = stmts;
        result.attrs.push(parse_quote!(#[allow(unreachable_code, unused_mut, unused_braces, unused_parens, unused_labels, unused_imports)]));
        result.attrs.push(parse_quote!(#[allow(clippy::all)]));
        // What is wrong with an argument is said of the line that gives it. The body, a closure, keeps its own lines.
        if !has_location_or_starts(&result) {
            result.attrs.push(parse_quote!(#[track_caller]));
        }
        let beside = match (has_door, uses_self) {
            (true, false) => door_type(function, &statics),
            (true, true) => door_methods(function, &statics),
            (false, _) => TokenStream::new(),
        };
        Ok(quote!(#result #beside))
    }
}

/// True for what says `#[track_caller]` itself, and for what nobody calls: tests and `main`.
fn has_location_or_starts(function: &ItemFn) -> bool {
    let names = ["track_caller", "test", "bench", "main"];
    let last = |attr: &syn::Attribute| attr.path().segments.last().map(|s| s.ident.clone());
    let mut words = function.attrs.iter().filter_map(last);
    function.sig.ident == "main" || words.any(|word| names.iter().any(|name| word == name))
}

fn mentions_self(function: &ItemFn) -> bool {
    fn find(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            TokenTree::Ident(ident) => ident == "Self",
            TokenTree::Group(group) => find(group.stream()),
            _ => false,
        })
    }
    find(quote!(#function))
}

/// Signatures that no graph function can have.
fn refuse(sig: &Signature, lower: &mut Lower) {
    let errors = &mut lower.errors;
    if let Some(token) = &sig.asyncness {
        errors.push(token, "an `async fn` can't be a graph function: a trace runs at once, without suspending. Make the function synchronous and call it from async code");
    }
    if let Some(token) = &sig.constness {
        errors.push(
            token,
            "a `const fn` can't be a graph function: tracing happens at run time. Remove `const`",
        );
    }
    if matches!(sig.safety, syn::Safety::Unsafe(_)) {
        errors.push(&sig.safety, "an `unsafe fn` can't be a graph function: the caller's promise would cover the first trace only. Write a safe function with an `unsafe` block inside");
    }
    if let Some(abi) = &sig.abi {
        errors.push(abi, "an `extern` function can't be a graph function: tensors have no foreign representation. Write a plain `fn` and an `extern` wrapper that calls it");
    }
    if let Some(variadic) = &sig.variadic {
        errors.push(
            variadic,
            "a variadic function can't be a graph function: pass a slice or a `Vec` of tensors",
        );
    }
}

fn parameter_names(sig: &Signature) -> Vec<String> {
    sig.inputs
        .iter()
        .map(|arg| match arg {
            FnArg::Receiver(_) => "self".to_owned(),
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(p) => p.ident.to_string(),
                other => quote!(#other).to_string(),
            },
        })
        .collect()
}

/// Builds the call: binds the arguments to a signature, then runs the lowered body in a closure.
fn call(
    lower: &mut Lower,
    function: &mut ItemFn,
    inputs: &Inputs,
    door: &TokenStream,
) -> (Vec<Stmt>, Vec<Stmt>) {
    let span = Span::mixed_site().located_at(function.sig.ident.span());
    let call = Ident::new("call", span);
    let result = Ident::new("result", span);
    let generics = function
        .sig
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(ty) => {
                let ident = &ty.ident;
                Some(quote!(.generic::<#ident>()))
            }
            GenericParam::Const(c) => {
                let ident = &c.ident;
                let is_usize = matches!(&c.ty, Type::Path(p) if p.path.is_ident("usize"));
                Some(if is_usize {
                    quote!(.generic::<[(); #ident]>())
                } else {
                    quote!(.constant(#ident))
                })
            }
            GenericParam::Lifetime(_) => None,
        });
    let mut prologue: Vec<Stmt> =
        vec![parse_quote!(let mut #call = ag__::call(#door)#(#generics)*;)];
    lower.scopes.push();
    // The `&mut` parameters: a graph writes them.
    let mut vars: Vec<TokenStream> = Vec::new();
    let mut destructure: Vec<Stmt> = Vec::new();
    let body = function.block.to_token_stream();
    for (i, arg) in function.sig.inputs.iter_mut().enumerate() {
        match arg {
            FnArg::Receiver(receiver) => receive(lower, receiver, &call, &mut prologue, &mut vars),
            FnArg::Typed(typed) => {
                let known = known_type(&typed.ty);
                let is_checked = inputs.spec(&typed.ty).is_some();
                *typed.ty = inputs.accepted(&typed.ty);
                lower.declare_parameter(&typed.pat, known);
                let mutability: Option<syn::Token![mut]>;
                let is_generated = !matches!(&*typed.pat, Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none());
                let name = match &mut *typed.pat {
                    Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                        mutability = p.mutability.take();
                        p.ident.clone()
                    }
                    pat => {
                        let name = Ident::new(
                            &format!("argument_{i}"),
                            Span::mixed_site().located_at(pat.span()),
                        );
                        let pat: Pat = match pat {
                            Pat::Wild(_) => parse_quote!(_unnamed),
                            other => other.clone(),
                        };
                        let whole = match &*typed.ty {
                            Type::Reference(r) if r.mutability.is_some() => quote!(&mut *#name),
                            _ => quote!(#name),
                        };
                        destructure.push(parse_quote!(let #pat = #whole;));
                        *typed.pat = parse_quote!(#name);
                        mutability = None;
                        name
                    }
                };
                let at = name.span();
                let argument = input::argument(&name, is_checked, &call);
                prologue.push(match &*typed.ty {
                    Type::Reference(r) if r.mutability.is_some() => {
                        vars.push(quote_spanned!(at=> ag__::slot(&mut *#name).slot()));
                        // Where the body takes it along, it gets one of its own: the parameter is looked at once more behind the body.
                        if mutability.is_some() || (!is_generated && macros::is_taken(body.clone(), &name)) {
                            destructure.push(parse_quote_spanned!(at=> let #mutability #name = &mut *#name;));
                        }
                        parse_quote_spanned!(at=> ag__::reference(&mut *#name).bind(&mut #call);)
                    }
                    Type::Reference(_) => parse_quote_spanned!(at=> ag__::borrowed(&*#name).bind(&mut #call);),
                    // What may have a destructor is dropped when the body ends, in the order of parameters.
                    _ if known == Known::Nothing && matches!(&*typed.pat, Pat::Ident(p) if p.ident == name && !is_generated) => {
                        destructure.push(parse_quote_spanned!(at=> let #mutability #name = #name;));
                        parse_quote_spanned!(at=> let #name = ag__::argument(#argument).bind(&mut #call);)
                    }
                    _ => parse_quote_spanned!(at=> let #mutability #name = ag__::argument(#argument).bind(&mut #call);),
                });
                if let (Type::Reference(r), Some(token)) = (&*typed.ty, mutability)
                    && r.mutability.is_none()
                {
                    let rebound: Stmt = parse_quote!(let #token #name = #name;);
                    prologue.push(rebound);
                }
            }
        }
    }
    let output = match &function.sig.output {
        ReturnType::Default => Some(parse_quote!(())),
        ReturnType::Type(_, ty) => Some((**ty).clone()),
    };
    let annotation = output
        .as_ref()
        .filter(|ty| !crate::lower::has_infer(ty))
        .map(|ty| quote!(-> #ty));
    let declared = output.filter(|_| !matches!(function.sig.output, ReturnType::Default));
    let mut block = lower.body((*function.block).clone(), declared, vars.clone());
    destructure.append(&mut block.stmts);
    block.stmts = destructure;
    lower.scopes.pop();
    let body: Vec<Stmt> = if vars.is_empty() {
        vec![Stmt::Expr(
            Expr::Verbatim(quote!(ag__::body(|| #annotation #block).run(#call).give())),
            None,
        )]
    } else {
        vec![
            Stmt::Expr(
                Expr::Verbatim(
                    quote!(let #result = ag__::body(|| #annotation #block).begin(&mut #call)),
                ),
                Some(Default::default()),
            ),
            Stmt::Expr(
                parse_quote!(if #result.is_traced() {
                    #result.traced().finish(#call, &mut [#(#vars),*]).give()
                } else {
                    #result.ran().give()
                }),
                None,
            ),
        ]
    };
    (prologue, body)
}

fn receive(
    lower: &mut Lower,
    receiver: &syn::Receiver,
    call: &Ident,
    prologue: &mut Vec<Stmt>,
    vars: &mut Vec<TokenStream>,
) {
    let (is_reference, is_mut_reference) = match &receiver.kind {
        syn::ReceiverKind::Reference(_, _, mutability) => (true, mutability.is_some()),
        syn::ReceiverKind::Typed(_, ty) => match &**ty {
            Type::Reference(r) => (true, r.mutability.is_some()),
            _ => (false, false),
        },
        _ => (false, false),
    };
    let self_ident = Ident::new("self", receiver.self_token.span());
    if is_mut_reference {
        let known = Known::Nothing;
        lower.scopes.declare(
            &self_ident,
            Var {
                mutable: true,
                known,
                uninitialized: false,
                open: false,
                id: 0,
                depth: 0,
                body: 0,
            },
        );
        vars.push(quote!(ag__::slot(&mut *self).slot()));
        prologue.push(parse_quote!(ag__::reference(&mut *self).bind(&mut #call);));
        return;
    }
    prologue.push(if is_reference {
        parse_quote!(ag__::borrowed(&*self).bind(&mut #call);)
    } else {
        parse_quote!(ag__::borrowed(&self).bind(&mut #call);)
    });
}
