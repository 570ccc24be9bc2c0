use graph_runtime::prelude::*;
// Membership, ranges and matches over tensors.
#[graph_fn]
fn classify(x: Tensor<i32>) -> Tensor<String> {
    if [2, 3, 5, 7].contains(&x) {
        tensor("prime")
    } else if (0..10).contains(&x) {
        tensor("digit")
    } else if matches!(x, -9..=-1) {
        tensor("negative digit")
    } else {
        tensor("other")
    }
}
#[graph_fn]
fn vowels(letters: Tensor<String>) -> Tensor<i32> {
    let mut n = tensor(0);
    for letter in letters {
        if ["a", "e", "i", "o", "u"].contains(&letter) {
            n += 1;
        }
    }
    n
}
fn main() {
    let all: Vec<String> = [7, 4, -3, 40].into_iter().map(|x| classify(tensor(x)).item()).collect();
    assert_eq!(all, ["prime", "digit", "negative digit", "other"]);
    assert_eq!(vowels(tensor(["a", "b", "e"])).item(), 2);
}
