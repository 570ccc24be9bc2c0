//! Writes a crate's files with and without the attribute.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Fault;
use crate::functions::{Found, Function, find};
use crate::manifest::library;
use crate::source::tested_files;

/// A file as its author wrote it.
struct File {
    /// The path relative to the crate's folder.
    path: PathBuf,
    text: String,
    /// The position for an `extern crate`, in the root file of a crate or of a test.
    root: Option<usize>,
}

/// The source of a crate.
pub struct Sources {
    folder: PathBuf,
    files: Vec<File>,
    /// All functions with a body, by file and line.
    pub functions: Vec<Function>,
    /// Functions of traits that have no body.
    pub without_body: usize,
}

/// A text to be inserted into a file.
struct Insertion {
    file: usize,
    at: usize,
    text: String,
}

/// In editions before 2018, paths find the crate only by this declaration. It also makes all impls of graph-runtime visible, whether or not a
/// function has the attribute.
const LINK: &str = "#[allow(unused_extern_crates)] extern crate graph_runtime; ";

impl Sources {
    /// Reads the crate in a folder.
    pub fn read(folder: &Path) -> Result<Sources, Fault> {
        let mut sources = Sources {
            folder: folder.to_owned(),
            files: Vec::new(),
            functions: Vec::new(),
            without_body: 0,
        };
        let library = library(folder)?;
        for path in tested_files(folder)? {
            sources.file(path.strip_prefix(folder)?, &library)?;
        }
        sources
            .functions
            .sort_by_key(|function| (function.file, function.start));
        Ok(sources)
    }

    fn file(&mut self, path: &Path, library: &Path) -> Result<(), Fault> {
        let text = fs::read_to_string(self.folder.join(path))?;
        if let Some(found) = find(&text, self.files.len()) {
            let Found {
                functions,
                without_body,
                first_item,
            } = found;
            self.functions.extend(functions);
            self.without_body += without_body;
            let root = (path == library || is_test(path)).then_some(first_item);
            self.files.push(File {
                path: path.to_owned(),
                text,
                root,
            });
        }
        Ok(())
    }

    /// The file of a function, relative to the crate's folder.
    pub fn path(&self, function: &Function) -> &Path {
        &self.files[function.file].path
    }

    /// Writes the files, with the attribute on the functions for which `on` is true.
    pub fn attribute(&self, on: &[bool]) -> Result<(), Fault> {
        let links = self.files.iter().enumerate().filter_map(|(file, f)| {
            let text = LINK.to_owned();
            f.root.map(|at| Insertion { file, at, text })
        });
        let chosen = self.functions.iter().zip(on).filter(|(_, on)| **on);
        let attributes = chosen.map(|(function, _)| Insertion {
            file: function.file,
            at: function.start,
            text: format!("{} ", function.attribute),
        });
        self.write(links.chain(attributes).collect())
    }

    /// Writes the files of the library, or those of the integration tests. Each body is replaced by an error that names its function, so
    /// that the compiler's errors tell which functions it sees.
    pub fn mark(&self, integration: bool) -> Result<(), Fault> {
        let functions = self.functions.iter().enumerate();
        let marked = functions
            .filter(|(_, function)| self.path(function).starts_with("tests") == integration);
        let marks = marked.map(|(index, function)| Insertion {
            file: function.file,
            at: function.body,
            text: format!(" compile_error!(\"{MARK}{index}\"); "),
        });
        self.write(marks.collect())
    }

    fn write(&self, mut insertions: Vec<Insertion>) -> Result<(), Fault> {
        insertions.sort_by_key(|insertion| (insertion.file, insertion.at));
        let mut rest = insertions.iter().peekable();
        for (index, file) in self.files.iter().enumerate() {
            let mut text = String::new();
            let mut done = 0;
            while let Some(insertion) = rest.next_if(|insertion| insertion.file == index) {
                text += &file.text[done..insertion.at];
                text += &insertion.text;
                done = insertion.at;
            }
            text += &file.text[done..];
            let path = self.folder.join(&file.path);
            // An unchanged file keeps its modification time, so cargo doesn't compile it again.
            if fs::read_to_string(&path)? != text {
                fs::write(path, text)?;
            }
        }
        Ok(())
    }

    /// The innermost function that contains a line and that `of` accepts.
    pub fn around(&self, path: &Path, line: usize, of: impl Fn(usize) -> bool) -> Option<usize> {
        let functions = self.functions.iter().enumerate();
        functions
            .filter(|(_, function)| (function.lines.0..=function.lines.1).contains(&line))
            .filter(|(index, function)| self.path(function) == path && of(*index))
            .min_by_key(|(_, function)| function.lines.1 - function.lines.0)
            .map(|(index, _)| index)
    }
}

/// The beginning of the message in a marked body.
pub const MARK: &str = "seen by the compiler: ";

/// The root file of an integration test, or a file that looks like one.
fn is_test(path: &Path) -> bool {
    path.starts_with("tests") && (path.components().count() == 2 || path.ends_with("main.rs"))
}
