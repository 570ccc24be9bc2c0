// Wanted: to move a value that can't be cloned in both branches of a tensor's `if`.
use graph_runtime::prelude::*;

struct Recipe(i32);

fn cook(recipe: Recipe, x: Tensor<i32>) -> Tensor<i32> {
    x + recipe.0
}

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    let recipe = Recipe(1);
    if x > 0 { cook(recipe, x) } else { cook(recipe, -x) }
}

fn main() {}
