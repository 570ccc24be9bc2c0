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
#[cfg(test)]
mod check;
mod conjugate_gradients;
mod denoise;
mod diffusion;
mod gpt;
mod graph_network;
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
mod reinforce;
mod service;
mod spelling;
mod timing;
mod vae;
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
    gpt vae diffusion graph_network reinforce
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
mod tests {
    #[test]
    fn all_recipes_run() {
        for recipe in super::RECIPES {
            (recipe.main)();
        }
    }
}
