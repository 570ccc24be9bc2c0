// Wanted: bounds that only the type of the result implies, as in plain Rust.
use graph_runtime::prelude::*;

struct Kept<T: 'static>(T);

#[graph_fn]
fn keep<T>(value: T) -> Kept<T> {
    Kept(value)
}

struct Reader<'a> {
    text: &'a str,
}

/// Text of the input, or of the reader's own memory. It implies `T: 'static`.
enum Reference<'b, 'c, T: ?Sized + 'static> {
    Borrowed(&'b T),
    Copied(&'c T),
}

impl<'a> Reader<'a> {
    #[graph_fn]
    fn parse<'s, T: ?Sized>(
        &'s mut self,
        take: fn(&'a str) -> Option<&'a T>,
        own: &'s T,
    ) -> Reference<'a, 's, T> {
        match take(self.text) {
            Some(taken) => Reference::Borrowed(taken),
            None => Reference::Copied(own),
        }
    }
}

#[test]
fn runs() {
    let kept = keep(tensor(1.0));
    assert_eq!(kept.0.item(), 1.0);
    let mut reader = Reader { text: "seven" };
    let Reference::Borrowed(text) = reader.parse(Some, "none") else {
        panic!("the text is the input's");
    };
    assert_eq!(text, "seven");
    let Reference::Copied(text) = reader.parse(|_| None, "none") else {
        panic!("the text is the reader's");
    };
    assert_eq!(text, "none");
}
