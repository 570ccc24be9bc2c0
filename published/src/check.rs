//! The compiler's errors.

use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use crate::Fault;

/// Cargo, in the folder of a crate.
#[derive(Clone)]
pub struct Cargo {
    /// The folder of the crate.
    pub folder: PathBuf,
    /// The folder in which cargo builds; all crates share it.
    pub target: PathBuf,
    /// The features of the crate that are enabled besides its default ones.
    pub features: Vec<String>,
}

/// An error of the compiler.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CompileError {
    /// `E0308`, or the name of a lint.
    pub code: Option<String>,
    /// The first line.
    pub message: String,
    /// The locations, the most likely one first: a location in a macro, then that of the macro's call, then the others in the message.
    pub locations: Vec<Location>,
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The path in the compiler's form.
    pub file: PathBuf,
    /// Counted from 1.
    pub line: usize,
}

/// The arguments for cargo.
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
    /// A cargo command.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command.args(words).current_dir(&self.folder);
        if !self.features.is_empty() {
            command.arg("--features").arg(self.features.join(","));
        }
        command
            .env("CARGO_TARGET_DIR", &self.target)
            // The flags of this repository's own builds must not affect the published crate.
            .env_remove("RUSTFLAGS")
            .env("CARGO_TERM_COLOR", "never");
        command
    }

    /// Builds the library and its tests. (Checking them first would take another build of all dependencies.) Returns the errors; none if it
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
            locations: message.locations(),
            code: message.code.map(|code| code.code),
            message: message
                .message
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned(),
        };
        // The library is compiled twice: once alone, once with its own tests.
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
    errors
}

impl Message {
    fn locations(&self) -> Vec<Location> {
        let mut locations = Vec::new();
        for is_primary in [true, false] {
            let spans = self
                .spans
                .iter()
                .filter(|span| span.is_primary == is_primary);
            spans.for_each(|span| span.locations(&mut locations));
        }
        for child in &self.children {
            locations.extend(child.locations());
        }
        locations
    }
}

impl Span {
    fn locations(&self, locations: &mut Vec<Location>) {
        let mut span = Some(self);
        while let Some(Span {
            file_name,
            line_start,
            expansion,
            ..
        }) = span
        {
            let location = Location {
                file: file_name.clone(),
                line: *line_start,
            };
            if !locations.contains(&location) {
                locations.push(location);
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
        let locations = found[0]
            .locations
            .iter()
            .map(|location| (location.file.to_str(), location.line));
        let expected = [(Some("src/macros.rs"), 2), (Some("src/lib.rs"), 7)];
        assert_eq!(locations.collect::<Vec<_>>(), expected);
    }
}
