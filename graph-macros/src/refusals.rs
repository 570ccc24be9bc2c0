//! Error reports: everything that is wrong with a function is reported at once, and the rest of the crate still knows the function.

use proc_macro2::TokenStream;
use quote::quote;

/// The error messages in an expansion, in order.
fn complaints(tokens: &TokenStream) -> Vec<String> {
    let text = tokens.to_string();
    let parts = text.split("compile_error").skip(1);
    parts
        .map(|part| part.split('"').nth(1).expect("a message").to_owned())
        .collect()
}

fn expand(item: TokenStream) -> TokenStream {
    crate::attribute::expand(TokenStream::new(), item)
}

/// Functions, and how each of their error messages begins.
#[test]
fn everything_is_reported_at_once() {
    let cases: Vec<(TokenStream, &[&str])> = vec![
        (
            quote! {
                async unsafe extern "C" fn f(x: Tensor<i32>) -> Tensor<i32> {
                    let a = g().await;
                    if x > 0 { break; }
                    for i in 0..3 { yield i; }
                    x
                }
            },
            &[
                "an `async fn`",
                "an `unsafe fn`",
                "an `extern` function",
                "`.await` is not supported",
                "`break` outside of a loop",
                "`yield` is not supported",
            ],
        ),
        (
            quote!(
                const fn f(x: i32) -> i32 {
                    async { x };
                    x
                }
            ),
            &["a `const fn`", "`async` blocks"],
        ),
        (
            quote!(
                fn f(x: Tensor<i32>) -> i32 {
                    let n = "1".parse::<i32>()?;
                    break;
                }
            ),
            &["`?` needs a function", "`break` outside of a loop"],
        ),
        (
            quote!(
                struct S;
            ),
            &["`#[graph_fn]` goes on a function"],
        ),
        (
            quote!(
                fn f(&self);
            ),
            &["a method without a body"],
        ),
    ];
    for (item, expected) in cases {
        let found = complaints(&expand(item.clone()));
        assert_eq!(found.len(), expected.len(), "{item}: {found:#?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{item}: {found}");
        }
    }
}

#[test]
fn a_refused_function_is_still_there() {
    let tokens = expand(quote! {
        /// Documented.
        pub async fn f<'a, T: Clone>(first: &'a T, (a, mut b): (i32, i32)) -> T where T: Default { first.clone() }
    });
    let text = tokens.to_string();
    let signature =
        quote!(pub async fn f<'a, T: Clone>(first: &'a T, _: (i32, i32)) -> T where T: Default);
    assert!(text.contains(&signature.to_string()), "{text}");
    assert!(text.contains("Documented"), "{text}");
}

#[test]
fn a_function_that_is_no_rust_is_told_of_as_such() {
    let found = complaints(&expand(quote!(fn f(x: i32) -> i32 { 0 < x < 10 })));
    assert_eq!(found, ["comparison operators cannot be chained"]);
}
