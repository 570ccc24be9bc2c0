//! The code of a graph function's body: statements that bind the arguments to the signature of a call, then the body in a closure, which
//! the runtime runs if no trace serves the call.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    FnArg, GenericParam, Ident, ItemFn, Pat, ReturnType, Stmt, Type, parse_quote,
    parse_quote_spanned,
};

use crate::closure_result;
use crate::collect::Collector;
use crate::expand::carried;
use crate::input::{self, Inputs};
use crate::macros;
use crate::scope::{Known, Var, known_type};
use crate::syntax::{Carried, Carry};

/// The variable that holds the call in a function's code.
pub fn call(function: &ItemFn) -> Ident {
    let span = Span::mixed_site().located_at(function.sig.ident.span());
    Ident::new("call", span)
}

/// The code of a function whose arguments are bound.
pub struct Bound {
    prologue: Vec<Stmt>,
    /// The closure with the body.
    body: TokenStream,
    call: Ident,
    result: Ident,
    /// The `&mut` parameters, which the graph may have to write.
    written: Option<TokenStream>,
}

impl Bound {
    /// The statements. The last one evaluates to the call's outcome, or to the function's result if `gives_result`.
    pub fn code(&self, gives_result: bool) -> TokenStream {
        let Bound {
            prologue,
            body,
            call,
            result,
            written,
        } = self;
        let give = gives_result.then(|| quote!(.give()));
        match written {
            None => quote!(#(#prologue)* #body.run(&mut #call) #give),
            Some(written) => quote! {
                #(#prologue)*
                let #result = #body.begin(&mut #call);
                if #result.is_traced() {
                    #result.traced().finish(&mut #call, &mut [#written]) #give
                } else {
                    #result.ran() #give
                }
            },
        }
    }
}

/// Binds the arguments of a function, and adapts its parameters to this code.
pub fn bind(collector: &mut Collector, function: &mut ItemFn, inputs: &Inputs) -> Bound {
    let call = call(function);
    let span = call.span();
    let result = Ident::new("result", span);
    let generics = function.sig.generics.params.iter();
    let generics = generics.filter_map(|param| -> Option<Stmt> {
        match param {
            GenericParam::Type(ty) => {
                let ident = &ty.ident;
                Some(parse_quote!(#call.generic::<#ident>();))
            }
            GenericParam::Const(c) => {
                let ident = &c.ident;
                let is_usize = matches!(&c.ty, Type::Path(p) if p.path.is_ident("usize"));
                Some(match is_usize {
                    true => parse_quote!(#call.generic::<[(); #ident]>();),
                    false => parse_quote!(#call.constant(#ident);),
                })
            }
            GenericParam::Lifetime(_) => None,
        }
    });
    let mut prologue: Vec<Stmt> = generics.collect();
    collector.scopes.push();
    // The `&mut` parameters, which the graph writes.
    let mut vars: Vec<Carried> = Vec::new();
    let mut destructure: Vec<Stmt> = Vec::new();
    let body = function.block.to_token_stream();
    for (i, arg) in function.sig.inputs.iter_mut().enumerate() {
        match arg {
            FnArg::Receiver(receiver) => {
                receive(collector, receiver, &call, &mut prologue, &mut vars)
            }
            FnArg::Typed(typed) => {
                let (written, known) = ((*typed.ty).clone(), known_type(&typed.ty));
                let is_checked = inputs.spec(&typed.ty).is_some();
                *typed.ty = inputs.accepted(&typed.ty);
                collector.declare_parameter(&typed.pat, Some(&written));
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
                        let is_owned = !matches!(&*typed.ty, Type::Reference(_));
                        mutability = (is_owned && borrows_mutably(&pat)).then(Default::default);
                        *typed.pat = parse_quote!(#name);
                        name
                    }
                };
                let at = name.span();
                let argument = input::argument(&name, is_checked, &call);
                prologue.push(match &*typed.ty {
                    Type::Reference(r) if r.mutability.is_some() => {
                        vars.push(parameter(&name));
                        // If the body moves the parameter, it gets a reborrowed reference, because the parameter is used again behind the
                        // body.
                        if mutability.is_some() || (!is_generated && macros::is_taken(body.clone(), &name)) {
                            destructure.push(parse_quote_spanned!(at=> let #mutability #name = &mut *#name;));
                        }
                        parse_quote_spanned!(at=> ag__::reference(&mut *#name).bind(&mut #call);)
                    }
                    Type::Reference(_) => parse_quote_spanned!(at=> ag__::borrowed(&*#name).bind(&mut #call);),
                    // A value that may have a destructor is moved into the body, so that it is dropped when the body ends, in the order
                    // of the parameters.
                    _ if known == Known::Nothing && matches!(&*typed.pat, Pat::Ident(p) if p.ident == name && !is_generated) => {
                        destructure.push(parse_quote_spanned!(at=> let #mutability #name = #name;));
                        parse_quote_spanned!(at=> let #name = #argument.bind(&mut #call);)
                    }
                    _ => parse_quote_spanned!(at=> let #mutability #name = #argument.bind(&mut #call);),
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
    let borrows = output.as_ref().is_some_and(borrows);
    let wrapper = Ident::new(
        if borrows { "rust_body" } else { "body" },
        Span::call_site(),
    );
    let annotation = output.as_ref().map(|ty| {
        let ty = without_impl(ty);
        quote!(-> #ty)
    });
    let declared = output.filter(|_| !matches!(function.sig.output, ReturnType::Default));
    let mut block = collector.body((*function.block).clone(), declared, vars.clone());
    destructure.append(&mut block.stmts);
    block.stmts = destructure;
    collector.scopes.pop();
    let block = closure_result::with_expected_closure(function, block.to_token_stream());
    Bound {
        prologue,
        body: quote!(ag__::#wrapper(|| #annotation #block)),
        call,
        result,
        written: (!vars.is_empty()).then(|| carried(&vars)),
    }
}

/// A `&mut` parameter as a carried variable: the value behind it is written.
fn parameter(name: &Ident) -> Carried {
    Carried {
        name: name.to_string(),
        place: parse_quote!(*#name),
        how: Carry::Parameter,
    }
}

/// True for a pattern with a `ref mut`: the matched variable must be `mut`.
fn borrows_mutably(pat: &Pat) -> bool {
    #[derive(Default)]
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            self.0 |= pat.by_ref.is_some() && pat.mutability.is_some();
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut find = Find::default();
    find.visit_pat(pat);
    find.0
}

/// True for a type that contains a reference, or a lifetime other than `'static`.
fn borrows(ty: &Type) -> bool {
    #[derive(Default)]
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
            self.0 |= lifetime.ident != "static";
        }
        fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
            self.0 |= reference.lifetime.is_none();
            visit::visit_type_reference(self, reference);
        }
    }
    let mut find = Find::default();
    find.visit_type(ty);
    find.0
}

/// The type as a closure may name it: what an `impl` stands for is inferred.
fn without_impl(ty: &Type) -> Type {
    struct Infer;
    impl VisitMut for Infer {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            match ty {
                Type::ImplTrait(_) => *ty = parse_quote!(_),
                _ => visit_mut::visit_type_mut(self, ty),
            }
        }
    }
    let mut ty = ty.clone();
    Infer.visit_type_mut(&mut ty);
    ty
}

fn receive(
    collector: &mut Collector,
    receiver: &syn::Receiver,
    call: &Ident,
    prologue: &mut Vec<Stmt>,
    vars: &mut Vec<Carried>,
) {
    let (is_reference, is_mut_reference) = match &receiver.kind {
        syn::ReceiverKind::Reference(_, _, mutability) => (true, mutability.is_some()),
        syn::ReceiverKind::Typed(_, ty) => match &**ty {
            Type::Reference(r) => (true, r.mutability.is_some()),
            _ => (false, false),
        },
        _ => (false, false),
    };
    collector.owns_self = !is_reference;
    // The user's own token: with another span, `self` would be another variable in a function that a macro wrote.
    let self_ident = Ident::new("self", receiver.self_token.span());
    if is_mut_reference {
        let known = Known::Nothing;
        collector.scopes.declare(
            &self_ident,
            Var {
                mutable: true,
                known,
                uninitialized: false,
                is_typed: true,
                is_inferred: false,
                is_untold: false,
                is_shared: false,
                is_owned: false,
                is_alone: false,
                changes: Vec::new(),
                id: 0,
                depth: 0,
                body: 0,
            },
        );
        vars.push(parameter(&self_ident));
        prologue.push(parse_quote!(ag__::reference(&mut *#self_ident).bind(&mut #call);));
        return;
    }
    prologue.push(if is_reference {
        parse_quote!(ag__::borrowed(&*#self_ident).bind(&mut #call);)
    } else {
        parse_quote!(ag__::borrowed(&#self_ident).bind(&mut #call);)
    });
}
