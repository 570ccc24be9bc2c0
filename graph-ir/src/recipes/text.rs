//! Parses recipes in graph text: `batch(shuffle(slices(2), 100), 10)`. A recipe that contains Rust code or elements (a generator, a function over
//! elements, a cache) has a text, too, but it can't be parsed.

use super::Recipe;
use super::batch::{Window, Windows};
use super::pick::{Repeat, Skip, Take};
use super::prefetch::Prefetch;
use super::range::Counted;
use super::shuffle::Shuffle;
use super::slices::Slices;
use super::zip::{Concatenate, Enumerate, Zip};

/// The recipe with this name, and with the recipes and numbers in its parentheses; the error says what is wrong.
pub fn of_text(name: &str, sources: &[Recipe], numbers: &[usize]) -> Result<Recipe, String> {
    let positive = |n: &usize| match n {
        0 => Err(format!("`{name}` takes a number that isn't 0")),
        n => Ok(*n),
    };
    let recipe = match (name, sources, numbers) {
        ("slices", [], [columns]) => Recipe::new(Slices(positive(columns)?)),
        ("range", [], []) => Recipe::new(Counted(None)),
        ("range", [], [count]) => Recipe::new(Counted(Some(*count))),
        ("take", [source], [count]) => Recipe::new(Take(source.clone(), *count)),
        ("skip", [source], [count]) => Recipe::new(Skip(source.clone(), *count)),
        ("repeat", [source], []) => Recipe::new(Repeat(source.clone(), None)),
        ("repeat", [source], [times]) => Recipe::new(Repeat(source.clone(), Some(*times))),
        ("enumerate", [source], []) => Recipe::new(Enumerate(source.clone())),
        ("prefetch", [source], [ahead]) => Recipe::new(Prefetch(source.clone(), positive(ahead)?)),
        ("concatenate", [a, b], []) => Recipe::new(Concatenate(a.clone(), b.clone())),
        ("zip", [a, b], []) => Recipe::new(Zip(a.clone(), b.clone())),
        ("shuffle" | "shuffle_once", [source], [buffer]) => Recipe::new(Shuffle {
            source: source.clone(),
            buffer: positive(buffer)?,
            each_time: name == "shuffle",
        }),
        ("batch" | "whole_batch", [source], [size]) => {
            let window = Window::batch(positive(size)?, name == "whole_batch");
            Recipe::new(Windows(source.clone(), window))
        }
        ("window" | "whole_window", [source], [size, shift, stride]) => {
            let window = Window {
                size: positive(size)?,
                shift: positive(shift)?,
                stride: positive(stride)?,
                drop_remainder: name == "whole_window",
            };
            Recipe::new(Windows(source.clone(), window))
        }
        ("generator" | "csv" | "map" | "filter" | "interleave", ..) => {
            return Err(format!(
                "`{name}` in a dataset holds Rust code, which can't be read from text"
            ));
        }
        ("cache", ..) => {
            return Err(
                "`cache` in a dataset holds elements, which can't be read from text".into(),
            );
        }
        _ => {
            return Err(format!(
                "`{name}` with {} datasets and {} numbers makes no dataset",
                sources.len(),
                numbers.len()
            ));
        }
    };
    Ok(recipe)
}
