// Wanted: a `move` closure in both branches, around a value that can't be cloned.
use graph_runtime::prelude::*;

struct Recipe(i32);

impl Recipe {
    fn cook(&self) -> i32 {
        self.0
    }
}

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let recipe = Recipe(1);
    if x > 0 {
        let cook = move || recipe.cook();
        x + cook()
    } else {
        let cook = move || recipe.cook() * 2;
        x + cook()
    }
}

fn main() {}
