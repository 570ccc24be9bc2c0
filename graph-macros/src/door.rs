//! The items beside a graph function, its "door": they give access to its traces and its code.

use std::path::PathBuf;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit::{self, Visit};
use syn::{
    FnArg, GenericParam, Generics, Ident, ItemFn, Lifetime, Pat, Receiver, ReceiverKind,
    ReturnType, Signature, Type, TypeImplTrait, TypeReference, Visibility, parse_quote,
};

use crate::bound_call;
use crate::input::{self, Inputs};
use crate::scope::names_a_primitive;
use crate::source::source;

/// The module that contains a function's door. Its name has the macro's span: in a `use` it is then a path of the macro's edition, not
/// the user's.
fn door_module(name: &Ident) -> Ident {
    let span = Span::mixed_site().located_at(name.span());
    format_ident!("{}_door__", name, span = span)
}

/// True if the function may have the name of a module around it or of its crate. With `pub use gcd::gcd` beside `mod gcd`, a visible door
/// would be a second `gcd`; and with `use glob::glob`, the crate `glob` could no longer be named.
fn names_a_module(name: &Ident) -> bool {
    let file = PathBuf::from(name.span().file());
    let names = [
        file.file_stem(),
        file.parent().and_then(|folder| folder.file_name()),
    ];
    let parts = names.into_iter().flatten();
    let mut parts = parts.map(|part| part.to_string_lossy().into_owned());
    let text = name.to_string();
    parts.any(|part| part == text)
        || std::env::var("CARGO_CRATE_NAME").is_ok_and(|crate_name| crate_name == text)
        || has_module(&source(name.span()), &text)
}

/// True if a source text declares a module of this name.
fn has_module(source: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    source.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&source[..at], &source[at + name.len()..]);
        let before = before.strip_suffix(char::is_whitespace).map(str::trim_end);
        let keyword = before.and_then(|before| before.strip_suffix("mod"));
        keyword.is_some_and(|before| !before.ends_with(is_word))
            && behind.trim_start().starts_with('{')
    })
}

/// How other code accesses a graph function.
pub enum Door {
    /// `f::function()`, `f::to_code()` and `f::concrete(…)`: a type with the function's name in the namespace of types. It is imported by
    /// a glob, so any other item of that name takes precedence.
    Type { module: Ident, name: Ident },
    /// The same for a method, as sibling functions: `m_function()`, `m_to_code()` and `m_concrete(…)`.
    Methods { name: Ident },
}

/// The trace function, which binds the arguments and contains the body, and a call of it for the function that users call.
pub struct TraceParts {
    pub call: TokenStream,
    /// Its block isn't generated yet.
    pub function: ItemFn,
}

impl Door {
    pub fn of(function: &ItemFn, uses_self: bool) -> Door {
        let name = function.sig.ident.clone();
        match uses_self {
            true => Door::Methods { name },
            false => Door::Type {
                module: door_module(&name),
                name,
            },
        }
    }

    /// The expression for the graph function inside the function that users call.
    pub fn graph_function(&self) -> TokenStream {
        match self {
            Door::Type { module, name } => quote!(#module::#name::function()),
            Door::Methods { name } => {
                let function = sibling(name, "function");
                quote!(Self::#function())
            }
        }
    }

    /// The name of the trace function.
    fn trace_name(&self) -> Ident {
        match self {
            Door::Type { name, .. } => Ident::new("trace", name.span()),
            Door::Methods { name } => sibling(name, "trace__"),
        }
    }

    /// The trace function for a function whose parameters are already adapted. A function that never returns has no trace.
    pub fn trace(&self, function: &ItemFn, inputs: &Inputs) -> Option<TraceParts> {
        let output: Type = match &function.sig.output {
            ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)) => return None,
            ReturnType::Type(_, ty) => (**ty).clone(),
            ReturnType::Default => parse_quote!(()),
        };
        let mut trace = function.clone();
        trace.vis = Visibility::Inherited;
        trace.sig.ident = self.trace_name();
        trace.sig.output = parse_quote!(-> graph_runtime__::autograph::Finished<#output>);
        let call = bound_call::call(function);
        let at = usize::from(function.sig.receiver().is_some());
        let parameter = parse_quote!(mut #call: graph_runtime__::autograph::Call);
        trace.sig.inputs.insert(at, parameter);

        let (path, graph_function) = (self.trace_path(), self.graph_function());
        let parameters = function.sig.inputs.iter();
        let mut arguments: Vec<TokenStream> = parameters.map(|p| given(p, inputs)).collect();
        arguments.insert(at, quote!(ag__::call(#graph_function)));
        let chosen = chosen(&function.sig);
        Some(TraceParts {
            call: quote!(#path #chosen (#(#arguments),*)),
            function: trace,
        })
    }

    /// The path of the trace function inside the function that users call.
    fn trace_path(&self) -> TokenStream {
        let trace = self.trace_name();
        match self {
            Door::Type { module, name } => quote!(#module::#name::#trace),
            Door::Methods { .. } => quote!(Self::#trace),
        }
    }

    /// The items beside the function.
    pub fn tokens(
        &self,
        function: &ItemFn,
        statics: &TokenStream,
        trace: Option<&ItemFn>,
    ) -> TokenStream {
        match self {
            Door::Type { module, name } => {
                let function_of = quote!(Self::function());
                let concrete = trace.map(|trace| {
                    let name = Ident::new("concrete", name.span());
                    concrete(function, trace, &quote!(pub), &name, &function_of)
                });
                beside_function(
                    &function.vis,
                    module,
                    name,
                    statics,
                    &quote!(#concrete #trace),
                )
            }
            Door::Methods { name } => {
                let door = self.graph_function();
                let vis = &function.vis;
                let concrete = trace.map(|trace| {
                    let name = sibling(name, "concrete");
                    concrete(function, trace, &quote!(#vis), &name, &door)
                });
                let hidden = trace.map(|_| quote!(#[doc(hidden)]));
                beside_method(function, statics, &quote!(#concrete #hidden #trace))
            }
        }
    }
}

/// The name of an item beside a method.
fn sibling(name: &Ident, suffix: &str) -> Ident {
    format_ident!("{}_{}", name, suffix, span = name.span())
}

/// A parameter as an argument. A tensor by value is what the caller gave, converted.
fn given(parameter: &FnArg, inputs: &Inputs) -> TokenStream {
    let typed = match parameter {
        FnArg::Receiver(Receiver { self_token, .. }) => return quote!(#self_token),
        FnArg::Typed(typed) => typed,
    };
    let name = match &*typed.pat {
        Pat::Ident(pattern) => pattern.ident.to_token_stream(),
        other => quote!(#other),
    };
    match inputs.is_converted(&typed.ty) {
        true => quote!(graph_runtime__::IntoArgument::into_argument(#name)),
        false => name,
    }
}

/// The function that returns the concrete function for a call without running it.
fn concrete(
    function: &ItemFn,
    trace: &ItemFn,
    vis: &TokenStream,
    name: &Ident,
    graph_function: &TokenStream,
) -> TokenStream {
    let Call {
        chosen,
        parameters,
        arguments,
    } = Call::of(function);
    let receiver = function.sig.receiver();
    let (generics, clause) = (&function.sig.generics, &function.sig.generics.where_clause);
    let taken = receiver.map(unchanged).into_iter().chain(parameters);
    let own = receiver.map(|Receiver { self_token, .. }| quote!(#self_token));
    let call = quote!(graph_runtime__::autograph::only_traced(#graph_function));
    let given = own.into_iter().chain([call]).chain(arguments);
    let trace = &trace.sig.ident;
    let result = quote!(
        graph_runtime__::Result<graph_runtime__::autograph::Arc<graph_runtime__::ConcreteFunction>>
    );
    let result = match result_with_bounds(&function.sig) {
        Some(ty) => quote!(<#ty as graph_runtime__::autograph::ResultOfCall>::Concrete),
        None => result,
    };
    quote! {
        /// The trace that serves a call with these arguments, made now if need be; nothing is run. A `TensorSpec` may stand for a tensor.
        #[allow(dead_code, deprecated, clippy::all)]
        #[track_caller]
        #vis fn #name #generics (#(#taken),*) -> #result
        #clause
        {
            Self::#trace #chosen (#(#given),*).concrete()
        }
    }
}

/// The type of a result that may imply bounds of the function's own parameters, as `Kept<T>` of `struct Kept<T: 'static>` implies
/// `T: 'static`. Rust takes such bounds from the types in a signature, so `concrete` has to name this type. It can't where the type contains
/// `impl`, or a lifetime that other parameters would decide.
fn result_with_bounds(sig: &Signature) -> Option<&Type> {
    let ReturnType::Type(_, ty) = &sig.output else {
        return None;
    };
    let mut of_result = Mentioned::of(sig);
    of_result.visit_type(ty);
    let mut of_parameters = Mentioned::of(sig);
    sig.inputs
        .iter()
        .for_each(|parameter| of_parameters.visit_fn_arg(parameter));
    let lifetimes_are_named = !of_result.elided && (of_result.lifetime || !of_parameters.elided);
    (of_result.parameter && !of_result.implied && lifetimes_are_named).then_some(&**ty)
}

/// What the types of a signature mention.
struct Mentioned<'a> {
    parameters: &'a Generics,
    /// A generic parameter.
    parameter: bool,
    /// A named lifetime.
    lifetime: bool,
    /// A lifetime without a name.
    elided: bool,
    /// A type that is only known by its traits.
    implied: bool,
}

impl Mentioned<'_> {
    fn of(sig: &Signature) -> Mentioned<'_> {
        Mentioned {
            parameters: &sig.generics,
            parameter: false,
            lifetime: false,
            elided: false,
            implied: false,
        }
    }
}

impl<'ast> Visit<'ast> for Mentioned<'_> {
    fn visit_ident(&mut self, name: &'ast Ident) {
        let mut types = self.parameters.type_params();
        self.parameter |= types.any(|param| param.ident == *name);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        let named = lifetime.ident != "_";
        let mut own = self.parameters.lifetimes();
        self.parameter |= own.any(|param| param.lifetime == *lifetime);
        self.lifetime |= named;
        self.elided |= !named;
    }

    fn visit_type_reference(&mut self, ty: &'ast TypeReference) {
        self.elided |= ty.lifetime.is_none();
        visit::visit_type_reference(self, ty);
    }

    fn visit_receiver(&mut self, receiver: &'ast Receiver) {
        self.elided |= matches!(receiver.kind, ReceiverKind::Reference(_, None, _));
        visit::visit_receiver(self, receiver);
    }

    fn visit_type_impl_trait(&mut self, _: &'ast TypeImplTrait) {
        self.implied = true;
    }
}

/// The door of a function, with other items in its module.
fn beside_function(
    vis: &Visibility,
    module: &Ident,
    name: &Ident,
    statics: &TokenStream,
    others: &TokenStream,
) -> TokenStream {
    // A door must not shadow a primitive type.
    let exported = (!names_a_primitive(name)).then(|| {
        let vis = (!names_a_module(name)).then_some(vis);
        quote! {
            #[doc(hidden)]
            #[allow(unused_imports)]
            #vis use #module::*;
        }
    });
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, non_snake_case, dead_code, unreachable_pub)]
        mod #module {
            pub struct #name {}
        }
        #exported
        #[allow(dead_code, deprecated, clippy::all)]
        impl #module::#name {
            /// The graph function: its traces and signatures.
            pub fn function() -> &'static graph_runtime__::GraphFunction {
                #statics
                &FUNCTION__
            }
            /// The generated code, as text.
            pub fn to_code() -> &'static str {
                Self::function().to_code()
            }
            #others
        }
    }
}

/// The door of a method, with other items beside it.
fn beside_method(function: &ItemFn, statics: &TokenStream, others: &TokenStream) -> TokenStream {
    let (vis, name) = (&function.vis, &function.sig.ident);
    let (door, code) = (sibling(name, "function"), sibling(name, "to_code"));
    quote! {
        /// The graph function behind the method: its traces and signatures.
        #[allow(dead_code)]
        #vis fn #door() -> &'static graph_runtime__::GraphFunction {
            #statics
            &FUNCTION__
        }
        /// The generated code of the method, as text.
        #[allow(dead_code)]
        #vis fn #code() -> &'static str {
            Self::#door().to_code()
        }
        #others
    }
}

/// The receiver without `mut`, which only matters to the body.
fn unchanged(receiver: &Receiver) -> TokenStream {
    let mut receiver = receiver.clone();
    receiver.mutability = None;
    quote!(#receiver)
}

/// A call of the function for tracing: the placeholders for its arguments.
struct Call {
    /// The generic arguments.
    chosen: Option<TokenStream>,
    parameters: Vec<TokenStream>,
    /// The parameters as arguments.
    arguments: Vec<TokenStream>,
}

impl Call {
    fn of(function: &ItemFn) -> Call {
        let inputs = Inputs::of(function, true);
        let types = function
            .sig
            .inputs
            .iter()
            .filter_map(crate::scope::parameter);
        let (parameters, arguments) = types
            .enumerate()
            .map(|(i, (_, ty))| {
                let argument = format_ident!("argument_{}", i, span = Span::mixed_site());
                if let Some(tensor) = input::lent_tensor(ty) {
                    return (
                        quote!(#argument: impl graph_runtime__::LentOrSpec<#tensor>),
                        quote!(::core::borrow::Borrow::<#tensor>::borrow(&graph_runtime__::LentOrSpec::<#tensor>::to_lend(#argument))),
                    );
                }
                let accepted = match inputs.spec(ty) {
                    Some(_) => quote!(graph_runtime__::InputOrSpec),
                    None if input::is_tensor(ty) => quote!(graph_runtime__::ValueOrSpec),
                    None => return (quote!(#argument: #ty), quote!(#argument)),
                };
                (
                    quote!(#argument: impl #accepted<#ty>),
                    quote!(#accepted::to_trace(#argument)),
                )
            })
            .unzip();
        Call {
            chosen: chosen(&function.sig),
            parameters,
            arguments,
        }
    }
}

/// The generic parameters as arguments; lifetimes are inferred.
fn chosen(sig: &Signature) -> Option<TokenStream> {
    let parameters = sig.generics.params.iter();
    let chosen: Vec<&Ident> = parameters
        .filter_map(|param| match param {
            GenericParam::Type(ty) => Some(&ty.ident),
            GenericParam::Const(constant) => Some(&constant.ident),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    (!chosen.is_empty()).then(|| quote!(::<#(#chosen),*>))
}
