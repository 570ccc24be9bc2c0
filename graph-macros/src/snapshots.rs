//! The generated code of every form that `#[graph_fn]` supports, one reviewed file per form in `snapshots/`: the user's function, and
//! below the line the text that `to_code` returns for it.
//!
//! After a change of the generated code, `INSTA_UPDATE=always cargo test -p graph-macros` writes the files again; review the diff.

mod branches;
mod leaving;
mod loops;
mod matching;
mod signatures;
mod values;

use syn::{ItemFn, parse_str};

/// Compares the code of a form with its file.
fn check(form: &str, source: &str) {
    let function: ItemFn = parse_str(source).unwrap_or_else(|e| panic!("{form}: {e}"));
    let shown = prettyplease::unparse(&syn::parse_quote!(#function));
    let code = crate::attribute::code(&function).unwrap_or_else(|e| panic!("{form}: {e}"));
    compare(form, &format!("{shown}\n// ---- becomes ----\n\n{code}"));
}

/// Compares the expansion of a whole item, including the items beside the function, with its file.
fn check_item(form: &str, source: &str) {
    let item = source.parse().unwrap_or_else(|e| panic!("{form}: {e}"));
    let tokens = crate::attribute::expand(Default::default(), item);
    let file = syn::parse2(tokens).unwrap_or_else(|e| panic!("{form}: {e}"));
    compare(form, &prettyplease::unparse(&file));
}

fn compare(form: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(form, text));
}

/// One test per form; the form's name is that of its file.
macro_rules! forms {
    ($($form:ident: $source:literal)+) => {$(
        #[test]
        fn $form() {
            crate::snapshots::check(stringify!($form), $source);
        }
    )+};
}
use forms;
