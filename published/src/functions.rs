//! Finds the functions of a crate, and the positions of the attribute.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, ImplItemFn, ItemFn, ItemImpl, ItemMod, ItemTrait, Safety, Signature};
use syn::{TraitItemFn, Type, Visibility};

/// The functions to which a run adds the attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Functions outside of `impl`s and traits, including those inside another function's body.
    Functions,
    /// Functions of `impl`s, and those of traits that have a body.
    Methods,
    /// The functions under `#[test]`.
    Tests,
}

impl Kind {
    /// The word on the command line and in reports.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Functions => "functions",
            Kind::Methods => "methods",
            Kind::Tests => "tests",
        }
    }
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// The index of the file.
    pub file: usize,
    /// The path inside the file: `inner::Type::name`.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// The attribute as a user would write it.
    pub attribute: &'static str,
    /// The documentation's reason why the attribute isn't allowed here.
    pub refusal: Option<&'static str>,
    /// The byte before which the attribute is written: after the function's other attributes.
    pub start: usize,
    /// The first byte inside the body.
    pub body: usize,
    /// The lines of the function, including its attributes.
    pub lines: (usize, usize),
}

/// The contents of a file.
#[derive(Default)]
pub struct Found {
    /// The functions, in no particular order.
    pub functions: Vec<Function>,
    /// Functions of traits that have no body.
    pub without_body: usize,
    /// The byte of the first item.
    pub first_item: usize,
}

/// The functions of a file. `None` if the file alone isn't valid Rust, for example one that is meant for `include!`.
pub fn find(text: &str, file: usize) -> Option<Found> {
    let tree = syn::parse_file(text).ok()?;
    // `parse_file` removes these before it counts bytes.
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let shift = mark + tree.shebang.as_ref().map_or(0, String::len);
    let mut finder = Finder {
        file,
        shift,
        scope: Vec::new(),
        found: Found::default(),
    };
    finder.found.first_item = match tree.items.first() {
        Some(item) => item.span().byte_range().start + shift,
        None => text.len(),
    };
    finder.visit_file(&tree);
    Some(finder.found)
}

struct Finder {
    file: usize,
    shift: usize,
    scope: Vec<String>,
    found: Found,
}

/// The parts that all kinds of functions have.
struct Parts<'a> {
    attrs: &'a [Attribute],
    vis: Option<&'a Visibility>,
    sig: &'a Signature,
    block: &'a Block,
    all: Span,
}

impl Finder {
    /// Records a function, and visits the functions inside it.
    fn function(&mut self, parts: &Parts<'_>, is_free: bool, visit: impl FnOnce(&mut Self)) {
        let Parts { attrs, sig, .. } = parts;
        let is_test = attrs.iter().any(is_test);
        let kind = match (is_free, is_test) {
            (true, true) => Kind::Tests,
            (true, false) => Kind::Functions,
            (false, _) => Kind::Methods,
        };
        let attribute = if is_free || sig.receiver().is_some() {
            "#[::graph_runtime::graph_fn]"
        } else {
            "#[::graph_runtime::graph_fn(method)]"
        };
        let first = match parts.vis {
            Some(vis) if !matches!(vis, Visibility::Inherited) => vis.span(),
            _ => sig.span(),
        };
        let mut name = self.scope.clone();
        name.push(sig.ident.to_string());
        self.found.functions.push(Function {
            file: self.file,
            name: name.join("::"),
            kind,
            attribute,
            refusal: refusal(sig),
            start: first.byte_range().start + self.shift,
            body: parts.block.brace_token.span.open().byte_range().end + self.shift,
            lines: (parts.all.start().line, parts.all.end().line),
        });
        self.inside(sig.ident.to_string(), visit);
    }

    fn inside(&mut self, name: String, visit: impl FnOnce(&mut Self)) {
        self.scope.push(name);
        visit(self);
        self.scope.pop();
    }
}

impl<'a> Visit<'a> for Finder {
    fn visit_item_fn(&mut self, item: &'a ItemFn) {
        let parts = Parts {
            attrs: &item.attrs,
            vis: Some(&item.vis),
            sig: &item.sig,
            block: &item.block,
            all: item.span(),
        };
        self.function(&parts, true, |this| visit::visit_item_fn(this, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        let parts = Parts {
            attrs: &item.attrs,
            vis: Some(&item.vis),
            sig: &item.sig,
            block: &item.block,
            all: item.span(),
        };
        self.function(&parts, false, |this| visit::visit_impl_item_fn(this, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'a TraitItemFn) {
        let Some(block) = &item.default else {
            self.found.without_body += 1;
            return;
        };
        let parts = Parts {
            attrs: &item.attrs,
            vis: None,
            sig: &item.sig,
            block,
            all: item.span(),
        };
        self.function(&parts, false, |this| visit::visit_trait_item_fn(this, item));
    }

    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        self.inside(item.ident.to_string(), |this| {
            visit::visit_item_mod(this, item)
        });
    }

    fn visit_item_trait(&mut self, item: &'a ItemTrait) {
        self.inside(item.ident.to_string(), |this| {
            visit::visit_item_trait(this, item)
        });
    }

    fn visit_item_impl(&mut self, item: &'a ItemImpl) {
        let name = match &*item.self_ty {
            Type::Path(ty) => ty.path.segments.last().map(|s| s.ident.to_string()),
            _ => None,
        };
        self.inside(name.unwrap_or_else(|| "impl".to_owned()), |this| {
            visit::visit_item_impl(this, item);
        });
    }
}

/// True for `test`, and for attributes of crates that make tests of functions: `test_case`, `rstest`, `quickcheck`. They need it unchanged.
fn is_test(attr: &Attribute) -> bool {
    let last = attr.path().segments.last();
    let word = last.map(|segment| segment.ident.to_string());
    word.is_some_and(|word| word.contains("test") || word == "bench" || word == "quickcheck")
}

/// The reason for which the documentation refuses the function, in its words.
fn refusal(sig: &Signature) -> Option<&'static str> {
    if sig.constness.is_some() {
        Some("const fn")
    } else if sig.asyncness.is_some() {
        Some("async fn")
    } else if matches!(sig.safety, Safety::Unsafe(_)) {
        Some("unsafe fn")
    } else if sig.abi.is_some() {
        Some("extern fn")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, find};

    const TEXT: &str = "\u{feff}// é
#[inline] pub(crate) fn free() { fn nested() {} }
const fn constant() {}
#[test] fn tested() {}
impl Thing { pub fn new() -> Thing { Thing } fn of(&self) {} }
trait Shape { fn area(&self) -> f64; fn twice(&self) -> f64 { 2.0 * self.area() } }
";

    #[test]
    fn functions_of_a_file_with_where_the_attribute_goes() {
        let mut found = find(TEXT, 0).expect("it is Rust");
        found.functions.sort_by_key(|function| function.start);
        let lines = found.functions.iter().map(|f| {
            let start = &TEXT[f.start..];
            let end = start.len().min(12);
            format!(
                "{} {:?} {:?} {} | {}",
                f.name,
                f.kind,
                f.refusal,
                f.lines.0,
                &start[..end]
            )
        });
        let expected = [
            "free Functions None 2 | pub(crate) f",
            "free::nested Functions None 2 | fn nested() ",
            "constant Functions Some(\"const fn\") 3 | const fn con",
            "tested Tests None 4 | fn tested() ",
            "Thing::new Methods None 5 | pub fn new()",
            "Thing::of Methods None 5 | fn of(&self)",
            "Shape::twice Methods None 6 | fn twice(&se",
        ];
        assert_eq!(lines.collect::<Vec<_>>(), expected);
        assert_eq!(found.without_body, 1);
        let of = |name: &str| {
            found
                .functions
                .iter()
                .find(|f| f.name == name)
                .expect("found")
        };
        assert_eq!(
            of("Thing::new").attribute,
            "#[::graph_runtime::graph_fn(method)]"
        );
        assert_eq!(of("Thing::of").attribute, "#[::graph_runtime::graph_fn]");
        assert_eq!(&TEXT[of("constant").body..][..2], "}\n");
        assert_eq!(of("free").kind, Kind::Functions);
    }
}
