//! Which folder of a crate uses which, by its `use` lines and paths: they form no circle, so that each can be read with what is below it and
//! nothing else. Cargo sees to that between crates.

mod circle;
mod source;

use std::path::Path;

use circle::circle;
use source::Crate;

/// A folder that uses one above it: the folder, the other one, and why that is so.
type Upward = (&'static str, &'static str, &'static str);

/// The uses of a crate's folders, without those that are allowed to lead upward. Each of these must be there and close a circle: where it
/// doesn't, it goes from the list.
fn check(name: &str, upward: &[Upward]) {
    let mut uses = read(name).uses();
    for (from, to, _) in upward {
        let was_there = uses.get_mut(*from).is_some_and(|used| used.remove(*to));
        assert!(was_there, "`{from}` of {name} doesn't use `{to}` any more");
    }
    if let Some(circle) = circle(&uses) {
        panic!(
            "these folders of {name} use each other in a circle: {}",
            circle.join(" → ")
        );
    }
    for (from, to, _) in upward {
        let mut with = uses.clone();
        with.entry((*from).to_owned())
            .or_default()
            .insert((*to).to_owned());
        assert!(
            circle(&with).is_some(),
            "that `{from}` of {name} uses `{to}` closes no circle any more"
        );
    }
}

fn read(name: &str) -> Crate {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    Crate::read(&root.join(name))
}

#[test]
fn folders_of_the_kernels_form_no_circle() {
    check("graph-kernels", &[]);
}

#[test]
fn folders_of_graphs_form_no_circle() {
    check("graph-ir", &[]);
}

#[test]
fn folders_of_the_macros_form_no_circle() {
    check("graph-macros", &[]);
}

#[test]
fn files_are_read() {
    let uses = read("graph-ir").uses();
    assert!(
        uses["plan"].contains("graph") && uses["graph"].contains("types"),
        "{uses:?}"
    );
    // `conv` names the array by the name that the crate has for it.
    assert!(read("graph-kernels").uses()["conv"].contains("array"));
}
