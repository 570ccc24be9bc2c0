//! Messages: texts with places for arrays, which are filled in when the graph runs. What a print writes, and what an assertion
//! says that fails.

use graph_kernels::format::tf_print;
use graph_kernels::{Array, Buffer};

use crate::print::PrintTo;

/// A text with places for arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The texts before, between and behind the arrays: one more than those.
    pub texts: Vec<String>,
    /// How many entries are shown at each edge of a long axis; all, if `None`.
    pub summarize: Option<usize>,
    /// Which arrays, counted from 0, are part of a text: a scalar string stands there without quotes.
    pub bare: Vec<usize>,
}

/// How many entries are shown at each edge of a long axis unless a message says another number.
pub const SUMMARIZE: Option<usize> = Some(3);

impl Message {
    /// The texts with arrays between them.
    pub fn new(texts: Vec<String>) -> Message {
        Message {
            texts,
            summarize: SUMMARIZE,
            bare: Vec::new(),
        }
    }

    /// The message of these arrays, as `tf.print` writes them: strings in quotes, but a scalar string that is all there is.
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
        match array.buffer() {
            Buffer::Str(v) if array.rank() == 0 && (alone || self.bare.contains(&i)) => {
                v[0].clone()
            }
            _ => tf_print(array, self.summarize),
        }
    }
}

/// The text alone.
impl From<String> for Message {
    fn from(text: String) -> Message {
        Message::new(vec![text])
    }
}

/// What a print writes, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    /// The line.
    pub message: Message,
    /// What stands behind it; a line break unless told otherwise.
    pub end: String,
    /// Where it goes.
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
