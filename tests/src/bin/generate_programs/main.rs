//! Writes the random programs of `tests/generated/`: function bodies that mean the same over `i32` and over `Tensor<i32>`. The seed is
//! fixed, so the files change only if this generator changes.
//!
//! ```sh
//! cargo run -p graph-tests --bin generate_programs              # writes the files
//! cargo run -p graph-tests --bin generate_programs -- --check   # says whether they are as they would be written
//! ```

mod expression;
mod scope;
mod statement;
mod value;

use std::path::Path;

use scope::{Random, Writer};

/// The number of programs.
const PROGRAMS: usize = 320;
/// A file with this many lines or more is full.
const LINES: usize = 420;

const HEADER: &str = "//! Random programs, written by `cargo run -p graph-tests --bin generate_programs`: change that, not this.\n";

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated");
    let check = std::env::args().any(|argument| argument == "--check");
    for (number, text) in files().into_iter().enumerate() {
        let path = folder.join(format!("programs_{:02}.rs", number + 1));
        if !check {
            std::fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(&text) {
            eprintln!("{} is not what the generator writes", path.display());
            std::process::exit(1);
        }
    }
}

/// The texts of all files.
fn files() -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    let mut lines = usize::MAX;
    for number in 0..PROGRAMS {
        if lines > LINES {
            if let Some(file) = files.last_mut() {
                file.push_str("}\n");
            }
            files.push(format!("{HEADER}\nsuper::programs! {{\n"));
            lines = 0;
        }
        let program = program(number);
        lines += program.lines().count();
        files.last_mut().expect("one was begun").push_str(&program);
    }
    files
        .last_mut()
        .expect("there are programs")
        .push_str("}\n");
    files
}

/// A function of `a`, `b` and `c`.
fn program(number: usize) -> String {
    let mut writer = Writer::new(Random::new(number as u64));
    writer.line(&format!("fn program_{number:03}(a, b, c) {{"));
    writer.function_body();
    writer.line("}");
    writer.text
}
