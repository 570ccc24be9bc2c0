use graph_runtime::prelude::*;
// windows and chunks over tensors in Rust.
#[graph_fn]
fn rises(xs: Vec<Tensor<i32>>) -> Tensor<i32> {
    let mut count = tensor(0);
    for pair in xs.windows(2) {
        if pair[1] > pair[0] {
            count += 1;
        }
    }
    count
}
#[graph_fn]
fn pair_sums(xs: &[Tensor<i32>]) -> Vec<Tensor<i32>> {
    xs.chunks(2).map(|c| match c {
        [a, b] => a + b,
        [a] => a.clone(),
        _ => unreachable!(),
    }).collect()
}
fn main() {
    let xs: Vec<_> = [1, 3, 2, 5, 4].into_iter().map(tensor).collect();
    assert_eq!(rises(xs.clone()).item(), 2);
    let sums: Vec<i32> = pair_sums(&xs).iter().map(|s| s.item()).collect();
    assert_eq!(sums, [4, 7, 4]);
}
