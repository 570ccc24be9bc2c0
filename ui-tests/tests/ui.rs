//! The compiler's messages to users: programs that must be refused, each with its message in the `.stderr` beside it.
//! `TRYBUILD=overwrite cargo test -p graph-ui-tests` writes the messages anew; read them before keeping them.
//!
//! Programs that must compile are in `programs/`. `published/tests/evaluation.rs` has those that only a build refuses.

use std::fs;
use std::path::Path;

/// The folder of the programs that only a build refuses, because `cargo check` doesn't evaluate their constants.
const BUILT: &str = "evaluation";

/// Puts the models of graph-runtime's tests beside the `Cargo.toml` that trybuild writes: there the paths of models begin.
fn copy_models() {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("the target folder");
    let models = built.join("tests/trybuild/graph-ui-tests/models");
    fs::create_dir_all(&models).expect("a folder for the models");
    for model in fs::read_dir("../graph-runtime/tests/onnx_models").expect("the models") {
        let model = model.expect("a model");
        fs::copy(model.path(), models.join(model.file_name())).expect("a copy");
    }
}

#[test]
fn messages() {
    copy_models();
    let cases = trybuild::TestCases::new();
    for theme in fs::read_dir("cases/fail").expect("the cases") {
        let theme = theme.expect("a theme").file_name();
        let theme = theme.to_str().expect("a name in ASCII");
        if theme != BUILT {
            cases.compile_fail(format!("cases/fail/{theme}/*.rs"));
        }
    }
}
