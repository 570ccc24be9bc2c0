//! Messages: texts with places for arrays, which are filled in when the graph runs. What a print writes, and what an assertion
//! says that fails.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use graph_kernels::format::tf_print;
use graph_kernels::{Array, Buffer};

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

/// Where a [`graph_print!`](crate::graph_print) goes: `to = stderr`, `to = log::Level::Warn`, `to = "losses.txt"`.
///
/// Its text is TensorFlow's: `stdout`, `stderr`, `log(info)`, `file:///tmp/losses.txt`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PrintTo {
    /// The standard output.
    #[default]
    Stdout,
    /// The standard error output.
    Stderr,
    /// The logger of the `log` crate, a record a print, without a line break at its end.
    Log(log::Level),
    /// The end of a file, which is made if there is none.
    File(Arc<Path>),
}

impl fmt::Display for PrintTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrintTo::Stdout => f.write_str("stdout"),
            PrintTo::Stderr => f.write_str("stderr"),
            PrintTo::Log(level) => write!(f, "log({})", level.as_str().to_lowercase()),
            PrintTo::File(path) => write!(f, "{FILE}{}", path.display()),
        }
    }
}

const FILE: &str = "file://";

impl FromStr for PrintTo {
    type Err = String;

    fn from_str(text: &str) -> Result<PrintTo, String> {
        let level = text.strip_prefix("log(").and_then(|t| t.strip_suffix(')'));
        match (text, level.map(log::Level::from_str)) {
            ("stdout", _) => Ok(PrintTo::Stdout),
            ("stderr", _) => Ok(PrintTo::Stderr),
            (_, Some(Ok(level))) => Ok(PrintTo::Log(level)),
            _ if text.starts_with(FILE) => Ok(text.into()),
            _ => Err(format!(
                "nothing prints to {text:?}: it is `stdout`, `stderr`, `log(info)` or another level, or `file://` and a path"
            )),
        }
    }
}

/// A path, with or without TensorFlow's `file://` before it.
impl From<&str> for PrintTo {
    fn from(path: &str) -> PrintTo {
        Path::new(path.strip_prefix(FILE).unwrap_or(path)).into()
    }
}

impl From<String> for PrintTo {
    fn from(path: String) -> PrintTo {
        path.as_str().into()
    }
}

impl From<&Path> for PrintTo {
    fn from(path: &Path) -> PrintTo {
        PrintTo::File(path.into())
    }
}

impl From<PathBuf> for PrintTo {
    fn from(path: PathBuf) -> PrintTo {
        PrintTo::File(path.into())
    }
}

impl From<&PathBuf> for PrintTo {
    fn from(path: &PathBuf) -> PrintTo {
        path.as_path().into()
    }
}

impl From<log::Level> for PrintTo {
    fn from(level: log::Level) -> PrintTo {
        PrintTo::Log(level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_to_print_reads_as_it_is_written() {
        for text in [
            "stdout",
            "stderr",
            "log(info)",
            "log(trace)",
            "file:///tmp/a b",
            "file://",
        ] {
            assert_eq!(text.parse::<PrintTo>().unwrap().to_string(), text);
        }
        for text in ["", "tape", "log(loud)", "log(", "/tmp/a"] {
            assert!(text.parse::<PrintTo>().is_err(), "{text}");
        }
        assert_eq!(PrintTo::from("a.txt"), PrintTo::from("file://a.txt"));
    }
}
