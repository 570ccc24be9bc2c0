//! Messages: texts with placeholders for arrays, which are filled in when the graph runs. Prints and failed
//! assertions use them.

use graph_kernels::format::{Spec, numpy, tf_print};
use graph_kernels::{Array, Buffer};

use crate::print::PrintTo;

/// A text with placeholders for arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The texts before, between and after the arrays: one more than there are arrays.
    pub texts: Vec<String>,
    /// How many entries are shown at each edge of a long axis; `None` shows all.
    pub summarize: Option<usize>,
    /// The indices of arrays that are part of the text: a scalar string is inserted without quotes.
    pub bare: Vec<usize>,
    /// Rust's format options of arrays that have any, by the arrays' indices.
    pub specs: Vec<(usize, Spec)>,
}

/// How many entries are shown at each edge of a long axis by default.
pub const SUMMARIZE: Option<usize> = Some(3);

impl Message {
    /// A message of texts with an array between each two.
    pub fn new(texts: Vec<String>) -> Message {
        Message {
            texts,
            summarize: SUMMARIZE,
            bare: Vec::new(),
            specs: Vec::new(),
        }
    }

    /// The message with these arrays filled in, as `tf.print` writes them: strings are quoted, except a scalar string that is the whole message.
    ///
    /// ```
    /// use graph_runtime::{Array, graph::Message};
    /// let message = Message::new(vec!["x is ".into(), "!".into()]);
    /// assert_eq!(message.fill([&Array::new(&[2], vec![1.5, 2.0])]), "x is [1.5 2]!");
    /// assert_eq!(message.fill([&Array::scalar("a".to_owned())]), "x is \"a\"!");
    /// ```
    pub fn fill<'a>(&self, arrays: impl IntoIterator<Item = &'a Array>) -> String {
        let mut arrays = arrays.into_iter();
        let mut filled = String::new();
        for (i, text) in self.texts.iter().enumerate() {
            filled.push_str(text);
            filled.extend(arrays.next().map(|array| self.shown(i, array)));
        }
        filled
    }

    fn shown(&self, i: usize, array: &Array) -> String {
        let alone = self.texts.len() == 2 && self.texts.iter().all(String::is_empty);
        let spec = self.specs.iter().find(|(of, _)| *of == i);
        let spec = spec.map_or_else(Spec::default, |(_, spec)| *spec);
        let text = matches!(array.buffer(), Buffer::Str(_)) && array.rank() == 0;
        match text && (alone || self.bare.contains(&i)) {
            true => numpy(array, &spec),
            false => tf_print(array, self.summarize, &spec),
        }
    }
}

/// A text without arrays.
impl From<String> for Message {
    fn from(text: String) -> Message {
        Message::new(vec![text])
    }
}

/// The text that a print writes, and its destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    /// The line.
    pub message: Message,
    /// The text after the line; by default a line break.
    pub end: String,
    /// The destination.
    pub to: PrintTo,
}

impl Print {
    /// Prints a line on the standard output.
    pub fn line(message: Message) -> Print {
        Print {
            message,
            end: "\n".to_owned(),
            to: PrintTo::Stdout,
        }
    }
}
