//! Recipes: small programs of many fields, each written as a user would. A file is one program, from its data to its tests, and needs no
//! other but `inputs.rs`, which makes data that is the same everywhere.
//!
//! ```text
//! cargo run --release --example recipes              # their names
//! cargo run --release --example recipes kmeans       # one of them
//! cargo test --example recipes                       # each beside what NumPy gives
//! ```
//!
//! `reference.py` computes the numbers that the tests expect, without this library. `table.py` times its programs beside these.

mod a_star;
mod bandit;
mod beam;
mod conjugate_gradients;
mod denoise;
mod hmc;
mod implicit;
mod inputs;
mod kalman;
mod kd_search;
mod kmeans;
mod life;
mod mandelbrot;
mod n_body;
mod ode;
mod options;
mod service;
mod spelling;
mod timing;
mod viterbi;

/// What this program knows of a recipe.
struct Recipe {
    name: &'static str,
    /// The program, which prints what it found.
    main: fn(),
    /// What is timed.
    work: fn(),
}

macro_rules! recipes {
    ($($name:ident)*) => {
        &[$(Recipe { name: stringify!($name), main: $name::main, work: $name::work }),*]
    };
}

const RECIPES: &[Recipe] = recipes![
    kmeans viterbi ode conjugate_gradients life mandelbrot kalman
    n_body hmc options bandit denoise
    spelling a_star kd_search beam service implicit
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    match wanted.as_slice() {
        [] => RECIPES
            .iter()
            .for_each(|recipe| println!("{}", recipe.name)),
        [flag] if flag == "--time" => timing::print(RECIPES),
        names => names.iter().for_each(|name| run(name)),
    }
}

fn run(name: &str) {
    match RECIPES.iter().find(|recipe| recipe.name == name) {
        Some(recipe) => (recipe.main)(),
        None => eprintln!("there is no recipe {name:?}; without a name this program lists all"),
    }
}

#[cfg(test)]
mod check {
    //! How numbers are compared with NumPy's.

    /// Whether all numbers found are those expected, but for a part of `tolerance` (or of 1, if they are smaller).
    #[track_caller]
    pub fn close(found: &[f64], expected: &[f64], tolerance: f64) {
        assert_eq!(found.len(), expected.len(), "{found:?}, not {expected:?}");
        for (f, e) in found.iter().zip(expected) {
            let off = (f - e).abs() / e.abs().max(1.0);
            assert!(off <= tolerance, "{found:?}, not {expected:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_recipes_run() {
        for recipe in super::RECIPES {
            (recipe.main)();
        }
    }
}
