//! The destination of a print.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// The destination of a `graph_print!`: `to = stderr`, `to = log::Level::Warn`, `to = "losses.txt"`.
///
/// Its text form is TensorFlow's: `stdout`, `stderr`, `log(info)`, `file:///tmp/losses.txt`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrintTo {
    /// The standard output.
    #[default]
    Stdout,
    /// The standard error output.
    Stderr,
    /// The logger of the `log` crate, one record per print, without the line break at its end.
    Log(log::Level),
    /// The end of a file, which is created if it doesn't exist.
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
