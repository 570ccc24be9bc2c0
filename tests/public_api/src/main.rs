//! Lists the public items of a crate, one per line, from the JSON that rustdoc writes. `scripts/public_api.sh` calls it. An implementation of a
//! trait is one line, without the trait's items. Of the implementations for tuples, only the one for pairs is listed.

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

/// The lines, each once: rustdoc lists an implementation both at the trait and at the type.
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

/// Whether a line is an implementation for a tuple of three or more items.
fn is_of_long_tuple(line: &str) -> bool {
    let of = line
        .strip_prefix("impl")
        .and_then(|line| line.split_once(" for ("));
    of.is_some_and(|(_, parts)| parts.matches(", ").count() > 1)
}
