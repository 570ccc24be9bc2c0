//! The attribute macro: expands the function's body, and adds the items beside the function that give access to its traces and its code.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{
    Attribute, Expr, FnArg, Ident, ItemFn, LitStr, Meta, Pat, Signature, Stmt, Visibility,
    parse_quote,
};

use crate::bound_call::{Bound, bind, call};
use crate::collect::Collector;
use crate::door::{Door, TraceParts};
use crate::enclosing::Enclosing;
use crate::input::Inputs;
use crate::input_signature::InputSignature;
use crate::onnx::{self, Model};
use crate::runtime::Runtime;
use crate::ungroup::ungroup;
use crate::{check, expand};

/// Expands `#[graph_fn]` on a function or method.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut options = match Options::parse2(arguments) {
        Ok(options) => options,
        Err(error) => return with_error(error, item),
    };
    if let Some(model) = options.model.take() {
        let code = expand_model(&model, &mut options, item);
        return options.runtime.named(code);
    }
    let code = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(mut function) => {
            ungroup(&mut function);
            options.locate(&function);
            expanded(&function, &options).unwrap_or_else(|error| with_error(error, item))
        }
        Err(_) => expand_other(&options, item),
    };
    options.runtime.named(code)
}

/// Expands the attribute on a function whose body is a model.
fn expand_model(model: &Model, options: &mut Options, item: TokenStream) -> TokenStream {
    let mut function = match onnx::without_body(&item) {
        Ok(function) => function,
        Err(error) => return with_error(error, item),
    };
    ungroup(&mut function);
    options.locate(&function);
    let code = model.body_of(&function, options.in_impl).and_then(|body| {
        let code = expanded(&body.function, options)?;
        let checks = body.checks;
        Ok(quote!(#code #checks))
    });
    code.unwrap_or_else(|error| with_error(error, quote!(#function)))
}

/// The options from the attribute's arguments.
#[derive(Default)]
pub struct Options {
    /// The function is an associated function.
    in_impl: bool,
    /// Its `impl` block isn't a trait's, so other functions may be added beside it.
    is_inherent: bool,
    /// A trace is made for the sizes that the shapes of the calls have in common.
    reduce_retracing: bool,
    /// Shapes for parameters whose types don't have one.
    input_signature: Option<InputSignature>,
    /// The model that is the function's body.
    model: Option<Model>,
    /// The path to the library.
    runtime: Runtime,
}

impl Options {
    fn parse2(arguments: TokenStream) -> Result<Options, syn::Error> {
        let parser = |input: ParseStream<'_>| {
            let mut options = Options::default();
            let mut weights = None;
            while !input.is_empty() {
                options.argument(input, &mut weights)?;
                if !input.is_empty() {
                    input.parse::<syn::Token![,]>()?;
                }
            }
            options.place_weights(weights)?;
            Ok(options)
        };
        parser.parse2(arguments)
    }

    fn argument(
        &mut self,
        input: ParseStream<'_>,
        weights: &mut Option<LitStr>,
    ) -> Result<(), syn::Error> {
        let unknown = |span| syn::Error::new(span, ARGUMENTS);
        let word = input
            .call(Ident::parse_any)
            .map_err(|error| unknown(error.span()))?;
        match word.to_string().as_str() {
            "method" => self.in_impl = true,
            "inherent" => self.is_inherent = true,
            "reduce_retracing" => self.reduce_retracing = true,
            "crate" => self.runtime = Runtime::parse(input)?,
            "input_signature" => {
                input.parse::<syn::Token![=]>()?;
                self.input_signature = Some(input.parse()?);
            }
            "onnx" if !cfg!(feature = "onnx") => {
                let message = "models of ONNX need the feature `onnx` of graph-runtime: in Cargo.toml, put `features = [\"onnx\"]` beside its version";
                return Err(syn::Error::new(word.span(), message));
            }
            "onnx" => {
                input.parse::<syn::Token![=]>()?;
                self.model = Some(Model {
                    file: input.parse()?,
                    is_embedded: true,
                });
            }
            "weights" => {
                input.parse::<syn::Token![=]>()?;
                *weights = Some(input.parse()?);
            }
            _ => return Err(unknown(word.span())),
        }
        Ok(())
    }

    /// Applies the argument `weights`.
    fn place_weights(&mut self, weights: Option<LitStr>) -> Result<(), syn::Error> {
        let Some(weights) = weights else {
            return Ok(());
        };
        let message = match (&mut self.model, weights.value().as_str()) {
            (Some(_), "embedded") => return Ok(()),
            (Some(model), "file") => {
                model.is_embedded = false;
                return Ok(());
            }
            (Some(_), _) => {
                "weights are \"embedded\" in the program, or read from the \"file\" when it runs"
            }
            (None, _) => {
                "`weights` says where those of a model are: `onnx = \"model.onnx\", weights = \"file\"`"
            }
        };
        Err(syn::Error::new(weights.span(), message))
    }

    /// Adds what a function's place in the file says: the tokens of a private method are the same in the `impl` of a type and in that of a
    /// trait, and those of an associated function without `self` are the same as of a function outside.
    fn locate(&mut self, function: &ItemFn) {
        if !self.in_impl {
            let enclosing = Enclosing::of(function.sig.ident.span());
            self.in_impl = enclosing != Enclosing::Elsewhere;
            self.is_inherent = enclosing == Enclosing::Inherent;
        }
    }

    /// False for a function in a trait's `impl`: its signature is the trait's, and no other functions can be added beside it.
    fn is_free(&self, function: &ItemFn) -> bool {
        self.is_inherent || !matches!(function.vis, Visibility::Inherited)
    }

    /// Which parameters of the function may be input signatures.
    fn inputs(&self, function: &ItemFn) -> Inputs {
        let in_impl = self.in_impl || function.sig.receiver().is_some();
        Inputs::of(function, !in_impl || self.is_free(function))
    }

    /// The builder calls for these options in the function's static.
    fn builders(&self) -> Option<TokenStream> {
        self.reduce_retracing.then(|| quote!(.reduce_retracing()))
    }
}

const ARGUMENTS: &str = "the arguments that `#[graph_fn]` knows are `reduce_retracing` (one trace for tensors of many shapes), \
                         `input_signature = [f32[_, 784]]` (shapes for the parameters), \
                         `onnx = \"model.onnx\"` (a model as the body of a function without one, its `weights` \"embedded\" or in the \"file\"), `crate = path::to::graph_runtime` (where the library is) and \
                         `method` (on an associated function without `self` that a macro wrote)";

/// Puts the attribute on each function of an `impl` block.
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
            let runtime = options.runtime.argument().map(|runtime| quote!(, #runtime));
            method.attrs.push(
                parse_quote!(#[graph_runtime__::graph_fn(method #inherent #reduce_retracing #runtime)]),
            );
        }
    }
    quote!(#block)
}

/// The error for an item that is neither a function nor an `impl` block.
fn misplaced(item: &TokenStream) -> syn::Error {
    if syn::parse2::<syn::TraitItemFn>(item.clone()).is_ok() {
        let message = "a method without a body can't be a graph function: put `#[graph_fn]` on the methods of the `impl`s";
        return syn::Error::new_spanned(item, message);
    }
    // A function whose body isn't valid Rust: the compiler's own error has more detail.
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

/// The error together with the item, so that editors and the rest of the crate still know it. A function loses its body, which would only
/// cause further errors.
fn with_error(error: syn::Error, item: TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    let Ok(ItemFn {
        attrs,
        vis,
        mut sig,
        ..
    }) = syn::parse2(item.clone()).or_else(|_| onnx::without_body(&item))
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

/// The function with its body expanded, and the items beside it.
pub fn expanded(function: &ItemFn, options: &Options) -> Result<TokenStream, syn::Error> {
    let mut function = function.clone();
    if let Some(signature) = &options.input_signature {
        let inputs = options.inputs(&function);
        signature.apply(&mut function, &inputs)?;
    }
    Expanded::of(&function, options)?.tokens(&function, options)
}

/// The code of the function itself, without the items beside it: the text that `to_code` returns.
#[cfg(test)]
pub fn code(function: &ItemFn) -> Result<String, syn::Error> {
    Expanded::of(function, &Options::default())?.code(&Runtime::default())
}

/// An expanded function in parts.
struct Expanded {
    /// The function that users call, with the user's original block.
    function: ItemFn,
    /// The generated code of that function's block.
    block: TokenStream,
    /// The function that binds the arguments and contains the body, if there is a separate one.
    trace: Option<ItemFn>,
    /// How other code accesses the graph function.
    door: Option<Door>,
}

impl Expanded {
    fn of(function: &ItemFn, options: &Options) -> Result<Expanded, syn::Error> {
        let mut collector = Collector::new(function);
        let in_impl = options.in_impl || function.sig.receiver().is_some();
        let uses_self = in_impl || mentions_self(function);
        let has_door = !uses_self || options.is_free(function);
        let door = has_door.then(|| Door::of(function, uses_self));
        let inputs = options.inputs(function);
        let mut result = function.clone();
        let bound = bind(&mut collector, &mut result, &inputs);
        check::check(function, &collector.tree)?;
        let written = |code| expand::expand(code, &collector.tree);
        let trace = door.as_ref().and_then(|door| door.trace(&result, &inputs));
        let (block, trace) = match trace {
            None => (written(runs_at_once(&result, &bound, door.as_ref())), None),
            Some(TraceParts { call, mut function }) => {
                let code = written(bound.code(false));
                function.block.stmts = vec![Stmt::Expr(Expr::Verbatim(code), None)];
                (quote!(#call.give()), Some(function))
            }
        };
        if trace.is_some() {
            adapt(&mut result, &inputs);
        }
        Ok(Expanded {
            function: result,
            block,
            trace,
            door,
        })
    }

    /// The function for a reader: signature and body, without doc comments.
    fn code(&self, runtime: &Runtime) -> Result<String, syn::Error> {
        let mut shown = self.function.clone();
        shown.attrs.clear();
        shown.block.stmts = vec![Stmt::Expr(Expr::Verbatim(self.block.clone()), None)];
        let mut trace = self.trace.clone();
        if let Some(trace) = &mut trace {
            trace.attrs.clear();
        }
        Ok(prettyplease::unparse(&syn::parse2(
            runtime.named(quote!(#shown #trace)),
        )?))
    }

    /// All tokens for the compiler.
    fn tokens(self, function: &ItemFn, options: &Options) -> Result<TokenStream, syn::Error> {
        let code = self.code(&options.runtime)?;
        let Expanded {
            function: mut result,
            block,
            mut trace,
            door,
        } = self;
        let parameters = parameter_names(&function.sig);
        let text = function.sig.ident.to_string();
        let options = options.builders();
        let statics = quote! {
            static FUNCTION__: graph_runtime__::GraphFunction =
                graph_runtime__::GraphFunction::new(#text, &[#(#parameters),*], #code)#options;
        };
        let local = door.is_none().then(|| -> Stmt { parse_quote!(#statics) });
        let imports: Stmt = parse_quote!(
            use graph_runtime__::autograph::{self as ag__, methods::*};
        );
        let mut stmts: Vec<Stmt> = vec![imports.clone()];
        stmts.extend(local);
        stmts.push(Stmt::Expr(Expr::Verbatim(block), None));
        result.block.stmts = stmts;
        if let Some(trace) = &mut trace {
            trace.block.stmts.insert(0, imports);
            trace.attrs = lints(&function.attrs).collect();
            trace.attrs.extend(allowed());
            trace.attrs.push(parse_quote!(#[track_caller]));
            result.attrs.iter_mut().for_each(allow_what_is_expected);
            // The program may use only its concrete functions.
            result.attrs.push(parse_quote!(#[allow(dead_code)]));
        }
        result.attrs.extend(allowed());
        // With `#[track_caller]`, an error about an argument names the line of the call. The body is a closure and keeps its own lines.
        if !has_location_or_starts(&result) {
            result.attrs.push(parse_quote!(#[track_caller]));
        }
        let beside = door.map(|door| door.tokens(function, &statics, trace.as_ref()));
        Ok(quote!(#result #beside))
    }
}

/// Adapts the parameters of the function that users call, whose body is in another one.
fn adapt(function: &mut ItemFn, inputs: &Inputs) {
    for parameter in &mut function.sig.inputs {
        match parameter {
            FnArg::Receiver(receiver) => receiver.mutability = None,
            FnArg::Typed(typed) => {
                if let Some(ty) = inputs.converted(&typed.ty) {
                    *typed.ty = ty;
                }
            }
        }
    }
}

/// The code of a function that contains its body.
fn runs_at_once(function: &ItemFn, bound: &Bound, door: Option<&Door>) -> TokenStream {
    let call = call(function);
    let graph_function = match door {
        Some(door) => door.graph_function(),
        None => quote!(&FUNCTION__),
    };
    let code = bound.code(true);
    quote!(let mut #call = ag__::call(#graph_function); #code)
}

/// The lints that generated code may violate.
fn allowed() -> [Attribute; 2] {
    [
        parse_quote!(#[allow(unreachable_code, unused_mut, unused_braces, unused_parens, unused_labels, unused_imports)]),
        parse_quote!(#[allow(clippy::all)]),
    ]
}

/// The lint attributes, which also apply to the function with the body. In a deprecated function the body may use deprecated items.
fn lints(attrs: &[Attribute]) -> impl Iterator<Item = Attribute> + '_ {
    let levels = ["allow", "warn", "deny", "forbid", "expect"];
    let says_level =
        move |attr: &&Attribute| levels.iter().any(|level| attr.path().is_ident(level));
    let levels = attrs.iter().filter(says_level).cloned().map(|mut attr| {
        allow_what_is_expected(&mut attr);
        attr
    });
    let is_deprecated = attrs.iter().any(|attr| attr.path().is_ident("deprecated"));
    levels.chain(is_deprecated.then(|| parse_quote!(#[allow(deprecated)])))
}

/// Replaces `expect` by `allow`: the user's function becomes two, and perhaps only one of them triggers the lint.
fn allow_what_is_expected(attr: &mut Attribute) {
    if attr.path().is_ident("expect")
        && let Meta::List(list) = &mut attr.meta
    {
        list.path = parse_quote!(allow);
    }
}

/// True for a function that has `#[track_caller]` already, and for functions without a caller: tests and `main`.
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
