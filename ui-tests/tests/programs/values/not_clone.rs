// A value that can't be cloned is moved through control flow that Rust decides, and is read in branches that a tensor decides.
use graph_runtime::prelude::*;

struct Recipe(i32);

fn cook(recipe: Recipe) -> i32 {
    recipe.0
}

#[graph_fn]
fn f(x: Tensor<i32>, sweet: bool) -> Tensor<i32> {
    let recipe = Recipe(if sweet { 2 } else { 3 });
    let y = if x > 0 { x + recipe.0 } else { x - recipe.0 };
    if sweet {
        y + cook(recipe)
    } else {
        y - cook(recipe)
    }
}

#[test]
fn runs() {
    assert_eq!(f(tensor(1), true).item(), 5);
    assert_eq!(f(tensor(-1), false).item(), -7);
}
