//! What stands beside a graph function: the door to its traces and its code.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{GenericParam, Ident, ItemFn, Receiver, Signature};

use crate::input::{self, Inputs};
use crate::scope::names_a_primitive;

/// The module that a function's door is in. The name is the macro's: in `use` it is a path of the macro's edition, whatever the user's is.
pub fn door_module(name: &Ident) -> Ident {
    let span = Span::mixed_site().located_at(name.span());
    format_ident!("{}_door__", name, span = span)
}

/// True if the function may be called like a module around it, or like its crate. `pub use gcd::gcd` beside `mod gcd` would take the door for
/// another `gcd` if it could be seen from there; and behind `use glob::glob` the crate `glob` couldn't be named.
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

/// True if a module of this name is written out in a source.
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

/// The source that a function is written in, if the compiler knows its file. Files are read once.
fn source(span: Span) -> Rc<str> {
    thread_local! {
        static SOURCES: RefCell<HashMap<PathBuf, Rc<str>>> = RefCell::default();
    }
    let Some(path) = span.local_file() else {
        return Rc::from("");
    };
    SOURCES.with_borrow_mut(|sources| {
        let read = || Rc::from(fs::read_to_string(&path).unwrap_or_default());
        sources.entry(path.clone()).or_insert_with(read).clone()
    })
}

/// `f::function()`, `f::to_code()` and `f::concrete(…)`: a type of the function's name, which lives beside it in the namespace of types. It comes
/// there by a glob, so that whatever else has the name goes before it.
pub fn door_type(function: &ItemFn, statics: &TokenStream) -> TokenStream {
    let (vis, name) = (&function.vis, &function.sig.ident);
    let Call {
        chosen,
        parameters,
        arguments,
    } = Call::of(function);
    let (generics, clause) = (&function.sig.generics, &function.sig.generics.where_clause);
    let module = door_module(name);
    // A door must not take the name of a type that every module has.
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
        #[allow(dead_code, clippy::all)]
        impl #module::#name {
            /// The graph function: its traces and signatures.
            pub fn function() -> &'static graph_runtime__::GraphFunction {
                #statics
                &FUNCTION
            }
            /// The generated code, as text.
            pub fn to_code() -> &'static str {
                Self::function().to_code()
            }
            /// The trace that serves a call with these arguments, made now if need be; nothing is run. A `TensorSpec` may stand for a tensor.
            #[track_caller]
            pub fn concrete #generics (#(#parameters),*) -> graph_runtime__::Result<graph_runtime__::autograph::Arc<graph_runtime__::ConcreteFunction>>
            #clause
            {
                Self::function().concrete(|| #name #chosen (#(#arguments),*))
            }
        }
    }
}

/// The same for a method: sibling functions, `m_function()`, `m_to_code()` and `m_concrete(…)`.
pub fn door_methods(function: &ItemFn, statics: &TokenStream) -> TokenStream {
    let (vis, name) = (&function.vis, &function.sig.ident);
    let sibling = |suffix: &str| format_ident!("{}_{}", name, suffix, span = name.span());
    let (door, code, concrete) = (sibling("function"), sibling("to_code"), sibling("concrete"));
    let Call {
        chosen,
        parameters,
        arguments,
    } = Call::of(function);
    let (generics, clause) = (&function.sig.generics, &function.sig.generics.where_clause);
    let callee = match function.sig.receiver() {
        Some(Receiver { self_token, .. }) => quote!(#self_token.#name),
        None => quote!(Self::#name),
    };
    let receiver = function.sig.receiver().map(unchanged);
    let parameters = receiver.into_iter().chain(parameters);
    quote! {
        /// The graph function behind the method: its traces and signatures.
        #[allow(dead_code)]
        #vis fn #door() -> &'static graph_runtime__::GraphFunction {
            #statics
            &FUNCTION
        }
        /// The generated code of the method, as text.
        #[allow(dead_code)]
        #vis fn #code() -> &'static str {
            Self::#door().to_code()
        }
        /// The trace that serves a call with these arguments, made now if need be; nothing is run. A `TensorSpec` may stand for a tensor.
        #[allow(dead_code, clippy::all)]
        #[track_caller]
        #vis fn #concrete #generics (#(#parameters),*) -> graph_runtime__::Result<graph_runtime__::autograph::Arc<graph_runtime__::ConcreteFunction>>
        #clause
        {
            Self::#door().concrete(|| #callee #chosen (#(#arguments),*))
        }
    }
}

/// The receiver without a `mut` of the body's own.
fn unchanged(receiver: &Receiver) -> TokenStream {
    let mut receiver = receiver.clone();
    receiver.mutability = None;
    quote!(#receiver)
}

/// A call of the function to be traced: what stands for its arguments.
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

/// The generic parameters as arguments; lifetimes are found by themselves.
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
