//! The committed files are those that the generator makes.

use graph_formats_codegen::{FILES, folder, generate};

#[test]
fn the_committed_files_are_current() {
    for (proto, path) in FILES {
        let committed = std::fs::read_to_string(folder().join(path)).unwrap();
        let generated = generate(proto).unwrap();
        assert!(
            committed == generated,
            "`cargo run -p graph-formats-codegen` changes {path}"
        );
    }
}
