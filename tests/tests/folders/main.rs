//! The dependencies between the folders of a crate, by `use` lines and paths: they form no cycle, so each folder can be read with only
//! those below it. Between crates, cargo ensures this.

mod circle;
mod source;

use std::path::Path;

use circle::circle;
use source::Crate;

fn check(name: &str) {
    if let Some(circle) = circle(&read(name).uses()) {
        panic!(
            "these folders of {name} use each other in a circle: {}",
            circle.join(" → ")
        );
    }
}

fn read(name: &str) -> Crate {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    Crate::read(&root.join(name))
}

#[test]
fn folders_of_the_kernels_form_no_circle() {
    check("graph-kernels");
}

#[test]
fn folders_of_graphs_form_no_circle() {
    check("graph-ir");
}

#[test]
fn folders_of_the_macros_form_no_circle() {
    check("graph-macros");
}

#[test]
fn folders_of_the_runtime_form_no_circle() {
    check("graph-runtime");
}

#[test]
fn folders_of_file_formats_form_no_circle() {
    check("graph-formats");
}

#[test]
fn folders_of_the_compiler_for_processors_form_no_circle() {
    check("graph-jit");
}

#[test]
fn folders_of_the_gpu_backend_form_no_circle() {
    check("graph-cuda");
    check("graph-cuda/shim");
    check("graph-cuda/fake");
}

#[test]
fn files_are_read() {
    let uses = read("graph-ir").uses();
    assert!(
        uses["plan"].contains("graph") && uses["graph"].contains("types"),
        "{uses:?}"
    );
    // `conv` uses `Array` by its re-export at the top of the crate.
    assert!(read("graph-kernels").uses()["conv"].contains("array"));
}
