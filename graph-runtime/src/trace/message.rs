//! Formatting with holes: while a message is formatted, a tensor writes a mark instead of its value. So everything that Rust can
//! format may contain tensors (a `Vec`, a struct with `#[derive(Debug)]`), and their values are filled in when the graph runs.

use std::cell::RefCell;

use graph_kernels::DType;
use graph_kernels::format::Spec;

use super::any::AnyTensor;
use crate::error::Location;
use crate::graph::Message;
use crate::scoped::scoped;

/// The delimiters around a tensor's number: two code points that Unicode reserves for internal use by programs.
const MARKS: [char; 2] = ['\u{FDD0}', '\u{FDD1}'];

thread_local! {
    /// Set while a message is formatted: its location, and the tensors formatted so far.
    static GATHERED: RefCell<Option<Gathered>> = const { RefCell::new(None) };
}

struct Gathered {
    location: Location,
    tensors: Vec<(AnyTensor, Style, Spec)>,
}

/// How a tensor is formatted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// As `{}`: strings are part of the text.
    Display,
    /// As `{:?}`, and in a list: strings are quoted.
    Debug,
}

/// Formats a message, and returns it with the tensors it contains.
pub(crate) fn gather(
    location: &Location,
    format: impl FnOnce() -> String,
) -> (Message, Vec<AnyTensor>) {
    let gathered = Gathered {
        location: location.clone(),
        tensors: Vec::new(),
    };
    let (text, gathered) = scoped(&GATHERED, Some(gathered), format);
    let gathered = gathered.map_or_else(Vec::new, |g| g.tensors);
    let (texts, values) = split(&text, &gathered);
    let mut message = Message::new(texts);
    for (i, (tensor, style, spec)) in values.iter().enumerate() {
        if *style == Style::Display && tensor.dtype() == DType::Str {
            message.bare.push(i);
        }
        if !spec.is_default() {
            message.specs.push((i, *spec));
        }
    }
    let tensors = values.into_iter().map(|(tensor, ..)| tensor);
    (message, tensors.collect())
}

/// The text that a tensor writes instead of its value, if a message is being formatted; `tensor` is called with the message's location.
pub(crate) fn mark(
    style: Style,
    spec: Spec,
    tensor: impl FnOnce(Location) -> AnyTensor,
) -> Option<String> {
    let location = GATHERED.with_borrow(|g| g.as_ref().map(|g| g.location.clone()))?;
    let tensor = tensor(location);
    GATHERED.with_borrow_mut(|gathered| {
        let tensors = &mut gathered.as_mut()?.tensors;
        tensors.push((tensor, style, spec));
        Some(format!("{}{}{}", MARKS[0], tensors.len() - 1, MARKS[1]))
    })
}

fn split<T: Clone>(text: &str, gathered: &[T]) -> (Vec<String>, Vec<T>) {
    let (mut texts, mut tensors) = (vec![String::new()], Vec::new());
    let mut pieces = text.split(MARKS[0]);
    texts[0].extend(pieces.next());
    for piece in pieces {
        let marked = piece.split_once(MARKS[1]).and_then(|(number, rest)| {
            let tensor = gathered.get(number.parse::<usize>().ok()?)?;
            Some((tensor, rest))
        });
        match (marked, texts.last_mut()) {
            (Some((tensor, rest)), _) => {
                tensors.push(tensor.clone());
                texts.push(rest.to_owned());
            }
            // The user's text contains the delimiter itself.
            (None, Some(last)) => last.extend([MARKS[0].encode_utf8(&mut [0; 4]), piece]),
            (None, None) => {}
        }
    }
    (texts, tensors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::tensor;

    fn gathered(format: impl FnOnce() -> String) -> (Vec<String>, usize) {
        let (message, tensors) = gather(&Location::unknown(), format);
        (message.texts, tensors.len())
    }

    #[test]
    fn tensors_are_holes_wherever_they_are_formatted() {
        let (x, y) = (tensor(1), tensor([2.0]));
        let (texts, tensors) = gathered(|| format!("{x} {{}} {:#?}{x}", vec![(1, &y)]));
        let expected = ["", " {} [\n    (\n        1,\n        ", ",\n    ),\n]", ""];
        assert_eq!((texts, tensors), (expected.map(str::to_owned).to_vec(), 3));
        assert_eq!(x.to_string(), "1");
    }

    #[test]
    fn marks_in_the_text_of_the_user_are_text() {
        for text in [
            "\u{FDD0}",
            "\u{FDD0}0\u{FDD1}",
            "\u{FDD0}x\u{FDD1}",
            "\u{FDD1}",
            "\u{FDD0}9",
        ] {
            assert_eq!(gathered(|| text.to_owned()), (vec![text.to_owned()], 0));
        }
    }

    #[test]
    fn a_message_within_a_message_is_its_own() {
        let (texts, tensors) = gathered(|| {
            let inner = gathered(|| tensor(1).to_string());
            format!("{} {}", inner.1, tensor(2))
        });
        assert_eq!((texts, tensors), (vec!["1 ".to_owned(), String::new()], 1));
    }
}
