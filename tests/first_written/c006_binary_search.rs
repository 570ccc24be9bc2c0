//! Binary search that counts its probes: alg_binary_search.
use graph_runtime::prelude::*;

#[graph_fn]
fn binary_search(v: Tensor<i32>, key: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut lo = tensor(0);
    let mut hi = v.size() - 1;
    let mut answer = tensor(-1);
    let mut probes = tensor(0);
    while lo <= hi {
        let mid = (lo + hi) / 2;
        probes += 1;
        if v[mid] == key {
            answer = mid;
            break;
        } else if v[mid] < key {
            lo = mid + 1;
        } else {
            hi = mid - 1;
        }
    }
    (answer, probes)
}

fn main() {
    let v = tensor([1, 3, 5, 7, 9]);
    for (key, index, probes) in [(1, 0, 2), (9, 4, 3), (5, 2, 1), (4, -1, 3), (0, -1, 2), (10, -1, 3)] {
        let (i, p) = binary_search(v.clone(), tensor(key));
        assert_eq!(i.item(), index);
        assert_eq!(p.item(), probes);
    }
}
