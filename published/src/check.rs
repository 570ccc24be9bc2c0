//! What the compiler says.

use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use crate::Fault;

/// Cargo, in the folder of a crate.
#[derive(Clone)]
pub struct Cargo {
    /// The folder.
    pub folder: PathBuf,
    /// Where cargo builds; all crates share it.
    pub target: PathBuf,
    /// The crate's features that are on beside its default ones.
    pub features: Vec<String>,
}

/// An error of the compiler.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CompileError {
    /// `E0308`, or a lint's name.
    pub code: Option<String>,
    /// The first line.
    pub message: String,
    /// Where it is, the likeliest place first: a place in a macro, then where that was called; then what else the message points at.
    pub places: Vec<Place>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// As the compiler names it.
    pub file: PathBuf,
    /// From 1.
    pub line: usize,
}

/// What cargo is told.
pub const BUILD: [&str; 4] = ["build", "--lib", "--tests", "--message-format=json"];

#[derive(Deserialize)]
struct Line {
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    message: String,
    level: String,
    code: Option<Code>,
    spans: Vec<Span>,
    children: Vec<Message>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Span {
    file_name: PathBuf,
    line_start: usize,
    is_primary: bool,
    expansion: Option<Box<Expansion>>,
}

#[derive(Deserialize)]
struct Expansion {
    span: Span,
}

impl Cargo {
    /// A command of cargo's.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command.args(words).current_dir(&self.folder);
        if !self.features.is_empty() {
            command.arg("--features").arg(self.features.join(","));
        }
        command
            .env("CARGO_TARGET_DIR", &self.target)
            // What this repository's own runs set has no say in how a published crate is built.
            .env_remove("RUSTFLAGS")
            .env("CARGO_TERM_COLOR", "never");
        command
    }

    /// Builds the library and its tests. (To check them first would take another build of all dependencies.) Gives the errors, and none if it
    /// compiles.
    pub fn check(&self) -> Result<Vec<CompileError>, Fault> {
        let output = self.command(&BUILD).arg("--keep-going").output()?;
        let errors = errors(&String::from_utf8_lossy(&output.stdout));
        if !output.status.success() && errors.is_empty() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        Ok(errors)
    }
}

fn errors(text: &str) -> Vec<CompileError> {
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Line>(line).ok());
    let messages = lines.filter_map(|line| line.message);
    let mut errors: Vec<CompileError> = Vec::new();
    for message in messages.filter(|message| message.level.starts_with("error")) {
        if message.spans.is_empty() && message.message.starts_with("aborting due to") {
            continue;
        }
        let error = CompileError {
            places: message.places(),
            code: message.code.map(|code| code.code),
            message: message
                .message
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned(),
        };
        // The library is compiled twice, once for its own tests.
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
    errors
}

impl Message {
    fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for is_primary in [true, false] {
            let spans = self
                .spans
                .iter()
                .filter(|span| span.is_primary == is_primary);
            spans.for_each(|span| span.places(&mut places));
        }
        for child in &self.children {
            places.extend(child.places());
        }
        places
    }
}

impl Span {
    fn places(&self, places: &mut Vec<Place>) {
        let mut span = Some(self);
        while let Some(Span {
            file_name,
            line_start,
            expansion,
            ..
        }) = span
        {
            let place = Place {
                file: file_name.clone(),
                line: *line_start,
            };
            if !places.contains(&place) {
                places.push(place);
            }
            span = expansion.as_ref().map(|expansion| &expansion.span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::errors;

    #[test]
    fn an_error_in_a_macro_is_also_where_the_macro_was_called() {
        let called =
            r#"{"file_name":"src/lib.rs","line_start":7,"is_primary":true,"expansion":null}"#;
        let inside = format!(
            r#"{{"file_name":"src/macros.rs","line_start":2,"is_primary":true,"expansion":{{"span":{called}}}}}"#
        );
        let error = format!(
            r#"{{"message":{{"message":"mismatched types","level":"error","code":{{"code":"E0308"}},"spans":[{inside}],"children":[]}}}}"#
        );
        let warning = error.replace(r#""error""#, r#""warning""#);
        let found = errors(&[warning.as_str(), &error, &error].join("\n"));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code.as_deref(), Some("E0308"));
        let places = found[0]
            .places
            .iter()
            .map(|place| (place.file.to_str(), place.line));
        let expected = [(Some("src/macros.rs"), 2), (Some("src/lib.rs"), 7)];
        assert_eq!(places.collect::<Vec<_>>(), expected);
    }
}
