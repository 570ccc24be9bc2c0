//! The macros of the project: Rust syntax in, Rust syntax out. `#[graph_fn]` rewrites a function's body so that types choose, at each
//! condition, loop and operator, between plain Rust and the graph. This crate knows no tensor.
//!
//! ```text
//! attribute, bound_call, door  the attribute: its arguments, the call, the items beside the function
//! onnx                         a model as the body of a function: its signature, and how it is compared with the function's
//! collect                      function body → body with constructs; one file per family of forms
//!   ends                         which expressions a value comes from
//!   scope, activity, liveness    which names are variables, what code changes, which jumps leave it, what is used later
//! syntax                       the tree of constructs that collecting leaves
//! check                        reports errors, all at once
//! expand                       constructs → code; one file per family of forms
//! ```

#![forbid(unsafe_code)]

mod activity;
mod arguments;
mod attribute;
mod bound_call;
mod check;
mod closure_result;
mod collect;
mod custom_gradient;
mod derive;
mod door;
mod enclosing;
mod ends;
mod errors;
mod expand;
mod input;
mod input_signature;
mod liveness;
mod macros;
mod module;
mod onnx;
mod print;
#[cfg(test)]
mod refusals;
mod rename;
mod runtime;
mod scope;
#[cfg(test)]
mod snapshots;
mod source;
mod syntax;
mod ungroup;

use proc_macro::TokenStream;

/// Makes a function a graph function: its `if`, `while`, `for` and `match` over tensors become the control flow of a graph, which is
/// traced once per signature; control flow over Rust values runs while tracing.
///
/// A parameter `x: Tensor<f32>` takes a tensor, a reference to one or a variable (`IntoArgument`).
///
/// Beside a function `f` stand `f::function()`, its traces and signatures, `f::to_code()`, the generated code, and `f::concrete(…)`, a trace
/// made ahead of time. For a method `m` of a type `Model` they are `Model::m_function()`, `Model::m_to_code()` and `Model::m_concrete(…)`, as
/// visible as `m` is. A method of a trait has none, for a trait's `impl` can hold no other functions; nor has a private method that a macro
/// wrote, unless the attribute stands on its `impl` block. There the attribute applies to all methods.
///
/// Arguments of the attribute: `reduce_retracing` makes sizes that differ between calls unknown from the second shape on.
/// `onnx = "model.onnx"` makes a function of a model in a file, whose path begins where the crate's `Cargo.toml` is. The function has no body:
/// `fn classify(image: Tensor<f32, shape![_, 1, 28, 28]>) -> Tensor<f32, shape![_, 10]>;`. Its types are compared with the model's when it is
/// compiled. The model is part of the program, or with `weights = "file"` read at the first call: from the working directory, or else from where
/// the compiler found it. It needs the feature `onnx`.
/// `input_signature = [f32[_, 784], _]` gives shapes to parameters whose types don't have one, so that there is one trace; `_` is a size
/// that is known only when called, or a parameter that stays unchanged. `crate = path::to::graph_runtime` is the path to the library, if
/// the dependency has another name or another crate re-exports it.
#[proc_macro_attribute]
pub fn graph_fn(arguments: TokenStream, item: TokenStream) -> TokenStream {
    attribute::expand(arguments.into(), item.into()).into()
}

/// `#[custom_gradient]`; its documentation is in `graph-runtime`, where its examples run.
#[proc_macro_attribute]
pub fn custom_gradient(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match custom_gradient::custom_gradient(arguments.into(), item.clone().into()) {
        Ok(function) => function.into(),
        // The function is kept, so that its callers don't cause further errors.
        Err(error) => {
            let mut tokens = TokenStream::from(error.to_compile_error());
            tokens.extend(item);
            tokens
        }
    }
}

/// `graph_print!`, behind the path to the library; its documentation is in `graph-runtime`, where its examples run.
#[proc_macro]
pub fn graph_print(tokens: TokenStream) -> TokenStream {
    runtime::called(tokens.into(), print::print).into()
}

/// `graph_assert!`, behind the path to the library; its documentation is in `graph-runtime`, where its examples run.
#[proc_macro]
pub fn graph_assert(tokens: TokenStream) -> TokenStream {
    runtime::called(tokens.into(), print::assert).into()
}

/// Gives a struct or enum a trace type, made of those of its fields, so that it can be an argument of a graph function. A field can be
/// marked if its type has no trace type or it should not take part: `#[trace_type(by_value)]` compares it by everything that its `Hash`
/// hashes (a new value leads to a new trace), `#[trace_type(ignore)]` doesn't compare it (a trace uses the value from the call that it
/// was made for). On the type, `#[graph(crate = path::to::graph_runtime)]` is the path to the library, as for all derives.
#[proc_macro_derive(TraceType, attributes(graph, trace_type))]
pub fn derive_trace_type(item: TokenStream) -> TokenStream {
    runtime::derived(item.into(), derive::trace_type).into()
}

/// Makes a struct of tensors (and of other such structs) a value that a branch or loop can carry, that a graph function can return, and
/// with respect to which gradients can be taken: the gradients are such a struct, with zeros for tensors that nothing depends on.
#[proc_macro_derive(GraphState, attributes(graph))]
pub fn derive_graph_state(item: TokenStream) -> TokenStream {
    runtime::derived(item.into(), derive::graph_state).into()
}

/// `Module`; its documentation is in `graph-runtime`, where its examples run.
#[proc_macro_derive(Module, attributes(graph, module, trace_type))]
pub fn derive_module(item: TokenStream) -> TokenStream {
    runtime::derived(item.into(), module::module).into()
}
