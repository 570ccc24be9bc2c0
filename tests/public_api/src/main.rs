//! Lists what a crate offers, a line an item, from the JSON that rustdoc writes: `scripts/public_api.sh` calls it. Of a trait that a type
//! has there is one line, and none for what the trait asks for. Of tuples the pair stands for all.

use std::collections::HashSet;
use std::process::ExitCode;

use public_api::{Builder, PublicApi, PublicItem};

fn main() -> ExitCode {
    let Some(json) = std::env::args_os().nth(1) else {
        eprintln!("the file of rustdoc's JSON is missing");
        return ExitCode::FAILURE;
    };
    let builder = Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true);
    match builder.build() {
        Ok(api) => {
            lines(&api).iter().for_each(|line| println!("{line}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// What is offered, each once: the trait of a type stands both at the trait and at the type.
fn lines(api: &PublicApi) -> Vec<String> {
    let traits_of_types = api.items().filter(|item| is_trait_of_type(item));
    let traits_of_types: HashSet<_> = traits_of_types.map(PublicItem::id).collect();
    let asked_for = |item: &&PublicItem| {
        let parent = item.parent_id();
        parent.is_some_and(|parent| traits_of_types.contains(&parent))
    };
    let mut known = HashSet::new();
    let lines = api.items().filter(|item| !asked_for(item));
    let lines = lines
        .map(ToString::to_string)
        .filter(|line| !is_of_long_tuple(line));
    lines.filter(|line| known.insert(line.clone())).collect()
}

fn is_trait_of_type(item: &PublicItem) -> bool {
    let line = item.to_string();
    line.starts_with("impl") && line.contains(" for ")
}

/// Whether it says that a tuple of three parts or more has a trait.
fn is_of_long_tuple(line: &str) -> bool {
    let of = line
        .strip_prefix("impl")
        .and_then(|line| line.split_once(" for ("));
    of.is_some_and(|(_, parts)| parts.matches(", ").count() > 1)
}
