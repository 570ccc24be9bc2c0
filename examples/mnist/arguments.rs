//! The command-line arguments.

use std::ffi::OsString;
use std::fmt::Display;
use std::fs::File;
use std::path::{Path, PathBuf};

use lexopt::prelude::*;
use lexopt::{Error, Parser};

/// The text of `--help`.
pub const HELP: &str = "\
Trains a network on handwritten digits, all in one graph.

Usage: mnist [OPTIONS]

Options:
      --data <FOLDER>  A folder with MNIST's four IDX files, gzipped or not; without it, the digits of the repository
      --epochs <N>     How often each image is seen; 1 for MNIST and 40 for the digits of the repository if not given
      --seed <SEED>    The seed of the first parameters and of the order of the images [default: 1]
      --model <FILE>   Where the model goes [default: target/mnist.safetensors]
      --resume <FILE>  Where the training is kept after each epoch, behind which Ctrl-C ends it; if the file is there, it goes on
      --logdir <DIR>   A folder for TensorBoard: loss, accuracy, parameters, images and the graph of this run go to a folder in it
  -h, --help           This text";

/// The options.
#[derive(Debug, PartialEq)]
pub struct Arguments {
    pub data: Option<PathBuf>,
    pub epochs: Option<u32>,
    pub seed: i64,
    pub model: PathBuf,
    pub resume: Option<PathBuf>,
    pub logdir: Option<PathBuf>,
}

/// What the program should do.
#[derive(Debug, PartialEq)]
pub enum Request {
    Train(Arguments),
    Help,
}

impl Request {
    /// Parses the arguments after the program's name.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Request, Error> {
        let mut parser = Parser::from_args(arguments);
        let mut found = Arguments {
            data: None,
            epochs: None,
            seed: 1,
            model: PathBuf::from("target/mnist.safetensors"),
            resume: None,
            logdir: None,
        };
        while let Some(argument) = parser.next()? {
            match argument {
                Long("data") => found.data = Some(parser.value()?.into()),
                Long("epochs") => found.epochs = Some(parser.value()?.parse_with(epochs)?),
                Long("seed") => found.seed = parser.value()?.parse()?,
                Long("model") => found.model = parser.value()?.into(),
                Long("resume") => found.resume = Some(parser.value()?.into()),
                Long("logdir") => found.logdir = Some(parser.value()?.into()),
                Short('h') | Long("help") => return Ok(Request::Help),
                other => return Err(other.unexpected()),
            }
        }
        Ok(Request::Train(found))
    }
}

/// Parses a number of epochs, which is at least one.
fn epochs(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) => Err("at least one epoch is needed".to_owned()),
        Ok(epochs) => Ok(epochs),
        Err(error) => Err(error.to_string()),
    }
}

impl Arguments {
    /// Makes the folders of the output files. If nothing can be written there, it fails now, and not after the training.
    pub fn prepare_folders(&self) -> Result<(), String> {
        prepare_folder("model", &self.model)?;
        let resume = self.resume.as_deref();
        resume.map_or(Ok(()), |path| prepare_folder("training", path))
    }
}

/// Makes the folder of a file and checks that the file can be written.
fn prepare_folder(what: &str, path: &Path) -> Result<(), String> {
    let problem =
        |error: &dyn Display| format!("no {what} can be written to {}: {error}", path.display());
    if path.is_dir() {
        return Err(problem(&"it is a folder"));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder).map_err(|error| problem(&error))?;
    let trial = folder.join(format!(".{}.trial", std::process::id()));
    let written = File::create(&trial).and_then(|_| std::fs::remove_file(&trial));
    written.map_err(|error| problem(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Request, String> {
        let parsed = Request::parse(arguments.iter().map(OsString::from));
        parsed.map_err(|error| error.to_string())
    }

    #[test]
    fn options_stand_in_any_order_and_each_has_a_default() {
        let given = [
            "--epochs=3",
            "--seed",
            "-7",
            "--data",
            "folder",
            "--model",
            "a.b",
            "--resume=c",
            "--logdir",
            "logs",
        ];
        let all = Arguments {
            data: Some("folder".into()),
            epochs: Some(3),
            seed: -7,
            model: "a.b".into(),
            resume: Some("c".into()),
            logdir: Some("logs".into()),
        };
        assert_eq!(parse(&given), Ok(Request::Train(all)));
        let none = Arguments {
            data: None,
            epochs: None,
            seed: 1,
            model: "target/mnist.safetensors".into(),
            resume: None,
            logdir: None,
        };
        assert_eq!(parse(&[]), Ok(Request::Train(none)));
        assert_eq!(parse(&["--seed", "2", "-h"]), Ok(Request::Help));
    }

    #[test]
    fn what_is_no_option_is_named() {
        for (given, named) in [
            (&["--epoch", "1"][..], "--epoch"),
            (&["--epochs", "0"], "at least one epoch"),
            (&["--epochs", "many"], "many"),
            (&["--seed"], "--seed"),
            (&["folder"], "folder"),
        ] {
            let error = parse(given).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
    }
}
