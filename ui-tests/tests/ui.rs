//! What a user meets at the compiler: programs that must be refused, with the message in the `.stderr` beside each.
//! `TRYBUILD=overwrite cargo test -p graph-ui-tests` writes the messages anew; read them before keeping them.
//!
//! What must compile is in `programs/`.

use std::fs;

/// The folder of the programs that are refused only when they are built: rustc doesn't evaluate their constants before.
const BUILT: &str = "evaluation";

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    for theme in fs::read_dir("cases/fail").expect("the cases") {
        let theme = theme.expect("a theme").file_name();
        let theme = theme.to_str().expect("a name in ASCII");
        if theme != BUILT {
            cases.compile_fail(format!("cases/fail/{theme}/*.rs"));
        }
    }
}

#[test]
fn messages_of_what_is_built() {
    let cases = trybuild::TestCases::new();
    // A program that must pass has trybuild build them all. The others are only checked, which takes a tenth of the disk.
    cases.pass("cases/evaluates.rs");
    cases.compile_fail(format!("cases/fail/{BUILT}/*.rs"));
}
