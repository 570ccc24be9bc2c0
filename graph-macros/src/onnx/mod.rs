//! `#[graph_fn(onnx = "model.onnx")]` on a function without a body: the model is the body. The macro reads what the model takes and gives, and
//! writes a check of each type beside the function, which the compiler evaluates where the types are known: an alias of a type is as good as the type.

mod signature;
#[cfg(test)]
mod tests;
mod wire;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, ForeignItemFn, Ident, ItemFn, LitStr, Pat, ReturnType, Type, parse_quote};

use self::signature::{Declared, Kind, Signature};
use crate::errors::Errors;

/// The model that the attribute names.
pub struct Model {
    /// The file, beside the `Cargo.toml` of the crate.
    pub file: LitStr,
    /// Whether the program holds the file, or reads it when it runs.
    pub is_embedded: bool,
}

/// A function whose body calls its model.
pub struct Body {
    pub function: ItemFn,
    /// Items beside it that check its types.
    pub checks: TokenStream,
}

/// The function, with an empty body.
pub fn without_body(item: &TokenStream) -> syn::Result<ItemFn> {
    let message = match syn::parse2::<ForeignItemFn>(item.clone()) {
        Ok(declared) => {
            return Ok(ItemFn {
                attrs: declared.attrs,
                vis: declared.vis,
                modifiers: declared.modifiers,
                sig: declared.sig,
                block: parse_quote!({}),
            });
        }
        Err(_) if syn::parse2::<ItemFn>(item.clone()).is_ok() => {
            "the model is the function's body: write `;` in place of the block"
        }
        Err(_) => {
            "`onnx = …` goes on a function without a body: `fn f(x: Tensor<f32>) -> Tensor<f32>;`"
        }
    };
    Err(syn::Error::new_spanned(item, message))
}

impl Model {
    /// The function with a body, for one without. `in_impl` says that it is an associated function.
    pub fn body_of(&self, function: &ItemFn, in_impl: bool) -> syn::Result<Body> {
        refuse(function, in_impl)?;
        let signature = self.signature()?;
        let checks = checks(function, &signature)?;
        let (file, sig) = (&self.file, &function.sig);
        let found = match Path::new(&file.value()).is_absolute() {
            true => quote!(#file),
            false => quote!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", #file)),
        };
        // Included in any case, so that a change of the file builds the crate again.
        let (source, tracked) = match self.is_embedded {
            true => (
                quote!(embedded(#file, ::core::include_bytes!(#found))),
                None,
            ),
            false => (
                quote!(in_file(#file, #found)),
                Some(quote!(
                    const _: &[u8] = ::core::include_bytes!(#found);
                )),
            ),
        };
        let names = sig.inputs.iter().filter_map(name);
        let ReturnType::Type(_, output) = &sig.output else {
            return Err(syn::Error::new_spanned(&sig.ident, results(&signature)));
        };
        let block = parse_quote!({
            static MODEL: graph_runtime__::autograph::ModelFile = graph_runtime__::autograph::ModelFile::#source;
            MODEL.call::<#output>(&[#(#names.as_any()),*]).give()
        });
        Ok(Body {
            function: ItemFn {
                block,
                ..function.clone()
            },
            checks: quote!(#checks #tracked),
        })
    }

    /// What the model takes and gives.
    fn signature(&self) -> syn::Result<Signature> {
        let refused = |text: String| syn::Error::new(self.file.span(), text);
        let bytes = std::fs::read(self.path()).map_err(|error| {
            let file = self.file.value();
            refused(format!(
                "can't read `{file}`, whose path begins where Cargo.toml is: {error}"
            ))
        })?;
        let signature = Signature::read(&bytes)
            .map_err(|_| refused("this isn't a model of ONNX".to_owned()))?;
        if signature.outputs.is_empty() {
            return Err(refused(
                "this isn't a model of ONNX: it has no outputs".to_owned(),
            ));
        }
        if signature.has_other_files && self.is_embedded {
            let text = "some weights of the model are in other files, which can't be embedded: write `weights = \"file\"`";
            return Err(refused(text.to_owned()));
        }
        Ok(signature)
    }

    fn path(&self) -> PathBuf {
        let crate_folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
        Path::new(&crate_folder).join(self.file.value())
    }
}

/// Refuses what a function of a model can't be, whatever the model is.
fn refuse(function: &ItemFn, in_impl: bool) -> syn::Result<()> {
    let mut errors = Errors::default();
    let sig = &function.sig;
    if in_impl || sig.receiver().is_some() {
        errors.push(
            &sig.ident,
            "a function of a model stands outside of `impl` blocks; a method may call it",
        );
    }
    if !sig.generics.params.is_empty() {
        errors.push(
            &sig.generics,
            "a function of a model isn't generic: the model has the types",
        );
    }
    for parameter in &sig.inputs {
        if name(parameter).is_none() {
            errors.push(
                parameter,
                "a parameter of a function of a model is a tensor with a name",
            );
        }
    }
    errors.check()
}

/// The name of a parameter.
fn name(parameter: &FnArg) -> Option<&Ident> {
    match crate::scope::parameter(parameter)? {
        (Pat::Ident(pattern), _) => Some(&pattern.ident),
        _ => None,
    }
}

/// Compares the function with the model: their numbers of parameters and results at once, and their types by the compiler.
fn checks(function: &ItemFn, signature: &Signature) -> syn::Result<TokenStream> {
    let sig = &function.sig;
    let mut errors = Errors::default();
    let mut checks = TokenStream::new();
    let parameters: Vec<(&Pat, &Type)> = sig
        .inputs
        .iter()
        .filter_map(crate::scope::parameter)
        .collect();
    for (i, (pattern, ty)) in parameters.iter().enumerate() {
        let Some(input) = signature.inputs.get(i) else {
            errors.push(ty, &arguments(signature));
            continue;
        };
        let is_named =
            |input: &Declared| matches!(pattern, Pat::Ident(name) if name.ident == input.name);
        if !is_named(input) && signature.inputs.iter().any(is_named) {
            let text = format!(
                "at this position is the model's input `{}`: {}",
                input.name,
                arguments(signature)
            );
            errors.push(pattern, &text);
        }
        match input.check("input") {
            Ok((value, message)) => {
                checks.extend(check(ty, "check_argument", &quote!(&#value, #message)));
            }
            Err(text) => errors.push(ty, &text),
        }
    }
    if parameters.len() < signature.inputs.len() {
        errors.push(&sig.ident, &arguments(signature));
    }
    if let ReturnType::Type(_, output) = &sig.output {
        checks.extend(results_checked(output, signature, &mut errors));
    }
    errors.check()?;
    Ok(checks)
}

/// Checks of the results: of each for itself if a tuple is written.
fn results_checked(output: &Type, signature: &Signature, errors: &mut Errors) -> TokenStream {
    let mut values = Vec::new();
    for output in &signature.outputs {
        match output.check("output") {
            Ok(check) => values.push(check),
            Err(text) => errors.push_span(Span::call_site(), &text),
        }
    }
    let all = results(signature);
    let check = |ty: &Type, values: &[(TokenStream, String)]| {
        let values = values
            .iter()
            .map(|(value, message)| quote!((#value, #message)));
        check(ty, "check_results", &quote!(&[#(#values),*], #all))
    };
    match output {
        Type::Tuple(tuple) if tuple.elems.len() == values.len() => {
            let parts = tuple.elems.iter().zip(values.chunks(1));
            parts.map(|(ty, value)| check(ty, value)).collect()
        }
        ty => check(ty, &values),
    }
}

/// A constant that fails if a type isn't the model's, with a message that points there.
fn check(ty: &Type, function: &str, arguments: &TokenStream) -> TokenStream {
    let function = Ident::new(function, ty.span());
    quote_spanned!(ty.span()=> const _: () = graph_runtime__::autograph::#function::<#ty>(#arguments);)
}

/// What the model takes, in words.
fn arguments(signature: &Signature) -> String {
    listed("the model takes", "argument", &signature.inputs)
}

/// What the model gives, in words.
fn results(signature: &Signature) -> String {
    listed("the model has", "result", &signature.outputs)
}

fn listed(begin: &str, what: &str, all: &[Declared]) -> String {
    let plural = if all.len() == 1 { "" } else { "s" };
    let mut text = format!("{begin} {} {what}{plural}", all.len());
    for (i, one) in all.iter().enumerate() {
        let mark = if i == 0 { ":" } else { "," };
        let ty = one.text();
        write!(text, "{mark} `{}`, {ty}", one.name).expect("texts can be written");
    }
    text
}

impl Declared {
    /// The type as the check takes it, and the message if another is declared.
    fn check(&self, what: &str) -> Result<(TokenStream, String), String> {
        let name = &self.name;
        let tensor = self
            .tensor()
            .map_err(|ty| format!("the model's {what} `{name}` is {ty}, which no type here is"))?;
        let message = format!("the model's {what} `{name}` is {}", tensor.rust_type());
        let dtype = Ident::new(tensor.dtype, Span::call_site());
        let size = |size: &Option<u64>| match size.map(|size| size as usize) {
            Some(size) => quote!(::core::option::Option::Some(#size)),
            None => quote!(::core::option::Option::None),
        };
        let sizes = match tensor.sizes.map(|sizes| sizes.iter().map(size)) {
            Some(sizes) => quote!(::core::option::Option::Some(&[#(#sizes),*])),
            None => quote!(::core::option::Option::None),
        };
        let value = quote!(graph_runtime__::autograph::DeclaredTensor {
            dtype: graph_runtime__::DType::#dtype,
            sizes: #sizes,
        });
        Ok((value, message))
    }

    /// The type in words.
    fn text(&self) -> String {
        self.tensor()
            .map_or_else(|text| text, |tensor| tensor.rust_type())
    }

    /// The type, or a text that says what it is instead.
    fn tensor(&self) -> Result<Tensor<'_>, String> {
        match &self.kind {
            Kind::Tensor(number, sizes) => match element_of(*number) {
                Some((dtype, element)) => Ok(Tensor {
                    dtype,
                    element,
                    sizes: sizes.as_deref(),
                }),
                None => Err(format!("a tensor of ONNX's type {number}")),
            },
            Kind::Other(text) => Err((*text).to_owned()),
            Kind::Missing => Err("a value without a type".to_owned()),
        }
    }
}

/// The type of a tensor.
struct Tensor<'a> {
    /// The name of the dtype.
    dtype: &'static str,
    /// The Rust type of the elements.
    element: &'static str,
    sizes: Option<&'a [Option<u64>]>,
}

impl Tensor<'_> {
    /// The type as a program writes it. Types know the sizes of up to six axes.
    fn rust_type(&self) -> String {
        let element = self.element;
        match self.sizes.filter(|sizes| sizes.len() <= 6) {
            Some(sizes) => {
                let size =
                    |size: &Option<u64>| size.map_or("_".to_owned(), |size| size.to_string());
                let sizes: Vec<String> = sizes.iter().map(size).collect();
                format!("a `Tensor<{element}, shape![{}]>`", sizes.join(", "))
            }
            None => format!("a `Tensor<{element}>`"),
        }
    }
}

/// The dtype with ONNX's number, and the Rust type of its elements.
fn element_of(number: u64) -> Option<(&'static str, &'static str)> {
    Some(match number {
        1 => ("F32", "f32"),
        2 => ("U8", "u8"),
        3 => ("I8", "i8"),
        4 => ("U16", "u16"),
        5 => ("I16", "i16"),
        6 => ("I32", "i32"),
        7 => ("I64", "i64"),
        8 => ("Str", "String"),
        9 => ("Bool", "bool"),
        10 => ("F16", "f16"),
        11 => ("F64", "f64"),
        12 => ("U32", "u32"),
        13 => ("U64", "u64"),
        16 => ("BF16", "bf16"),
        _ => return None,
    })
}
