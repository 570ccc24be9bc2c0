//! Times the recipes, for `table.py`, which writes them beside the times of NumPy.

use std::time::{Duration, Instant};

use super::Recipe;

/// Prints for each recipe its name, the seconds of the first call, which traces, and the median of further calls for a second, at least
/// three.
pub fn print(recipes: &[Recipe]) {
    for Recipe { name, work, .. } in recipes {
        let first = time(*work).as_secs_f64();
        let mut times = Vec::new();
        while times.len() < 3 || times.iter().sum::<Duration>() < Duration::from_secs(1) {
            times.push(time(*work));
        }
        times.sort();
        println!("{name} {first} {}", times[times.len() / 2].as_secs_f64());
    }
}

fn time(work: fn()) -> Duration {
    let begin = Instant::now();
    work();
    begin.elapsed()
}
