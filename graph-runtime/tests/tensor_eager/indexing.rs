//! Indexing and rows.

use super::*;

fn grid() -> Tensor<i32> {
    tensor([[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]])
}

#[test]
fn positions_of_every_kind() {
    let x = tensor([10, 11, 12]);
    let (two, second) = (&2, tensor(-2i64));
    assert_eq!(
        (
            x.get(0).item(),
            x.get(-1).item(),
            x.get(1usize).item(),
            x.get(2i64).item()
        ),
        (10, 12, 11, 12)
    );
    assert_eq!(
        (
            x.get(tensor(1)).item(),
            x.get(&second).item(),
            x.row(two).item()
        ),
        (11, 11, 12)
    );
    assert!(panic_of(|| x.get(4)).contains("slice index 4 of dimension 0 out of bounds."));
    assert!(!panic_of(|| x.get(usize::MAX)).is_empty());
    assert_eq!(grid().row(1).to_vec(), [10, 11, 12, 13]);
}

#[test]
#[allow(clippy::reversed_empty_ranges)] // a negative end counts from the end: what clippy can't know
fn ranges_are_clipped() {
    let x = range(0, 5, 1);
    assert_eq!(x.get(1..3).to_vec(), [1, 2]);
    assert_eq!(x.get(3..).to_vec(), [3, 4]);
    assert_eq!(x.get(..2).to_vec(), [0, 1]);
    assert_eq!(x.get(..=2).to_vec(), [0, 1, 2]);
    assert_eq!(x.get(1..=-1).to_vec(), [1, 2, 3, 4]);
    assert_eq!(x.get(..).to_vec(), [0, 1, 2, 3, 4]);
    assert_eq!(x.get(-2..).to_vec(), [3, 4]);
    assert_eq!(x.get(..-2).to_vec(), [0, 1, 2]);
    assert_eq!(x.get(3..99usize).to_vec(), [3, 4]);
    assert!(x.get(4..1).to_vec().is_empty());
    assert_eq!(x.get(0..usize::MAX).to_vec().len(), 5);
}

#[test]
fn ranges_of_tensors() {
    let x = range(0, 5, 1);
    assert_eq!(x.get(tensor(1)..tensor(3)).to_vec(), [1, 2]);
    assert_eq!(x.get(tensor(3i64)..).to_vec(), [3, 4]);
    assert_eq!(x.get(..tensor(2)).to_vec(), [0, 1]);
    assert_eq!(x.get(tensor(-2)..tensor(99)).to_vec(), [3, 4]);
}

#[test]
fn tuples() {
    let x = grid();
    assert_eq!((x.get((1, 2)).item(), x.get((-1, -1)).item()), (12, 23));
    assert_eq!(x.get((tensor(1), 0)).item(), 10);
    assert_eq!(parts(&x.get((.., 1))), (vec![3], vec![1, 11, 21]));
    assert_eq!(parts(&x.get((.., -1))), (vec![3], vec![3, 13, 23]));
    assert_eq!(parts(&x.get((1.., tensor(-4)))), (vec![2], vec![10, 20]));
    assert_eq!(
        parts(&x.get((1.., ..2))),
        (vec![2, 2], vec![10, 11, 20, 21])
    );
    assert_eq!(parts(&x.get((0, 1..3))), (vec![2], vec![1, 2]));
    assert_eq!(parts(&x.get((2,))), (vec![4], vec![20, 21, 22, 23]));
    assert!(!panic_of(|| x.get((.., 4))).is_empty());
    assert!(!panic_of(|| x.get((.., -5))).is_empty());
    let cube = range(0, 24, 1).reshape(&[2, 3, 4]);
    assert_eq!(
        parts(&cube.get((.., 1, 2..))),
        (vec![2, 2], vec![6, 7, 18, 19])
    );
    assert_eq!(parts(&cube.get((0, 1.., 3))), (vec![2], vec![7, 11]));
    assert_eq!(
        cube.reshape(&[2, 3, 2, 2]).get((1, .., 0, 1)).to_vec(),
        [13, 17, 21]
    );
}

#[test]
fn steps() {
    let x = grid();
    assert_eq!(
        x.slice_axis(1, None, None, 2).to_vec(),
        [0, 2, 10, 12, 20, 22]
    );
    assert_eq!(
        parts(&x.slice_axis(0, None, None, -2)),
        (vec![2, 4], vec![20, 21, 22, 23, 0, 1, 2, 3])
    );
    assert_eq!(
        x.row(0).slice_axis(-1, Some(-1), Some(0), -1).to_vec(),
        [3, 2, 1]
    );
}

#[test]
fn several_at_once() {
    let x = tensor(["a", "b", "c"]);
    assert_eq!(
        parts(&x.gather(&tensor([[2, 0]]))),
        (vec![1, 2], vec!["c".to_string(), "a".to_string()])
    );
    assert_eq!(
        grid().gather_axis(&tensor([3i64, 0]), 1).to_vec(),
        [3, 0, 13, 10, 23, 20]
    );
    assert!(panic_of(|| x.gather(&tensor([-1]))).contains("indices[0] = -1 is not in [0, 3)"));
    let mask = tensor([true, false, true]);
    assert_eq!(x.boolean_mask(&mask).to_vec(), ["a", "c"]);
    assert_eq!(
        parts(&grid().boolean_mask(&mask)),
        (vec![2, 4], vec![0, 1, 2, 3, 20, 21, 22, 23])
    );
}

#[test]
fn replacing_a_row() {
    let x = tensor([[1, 2], [3, 4], [5, 6]]);
    assert_eq!(
        x.with_row(tensor(1), tensor([30, 40])).to_vec(),
        [1, 2, 30, 40, 5, 6]
    );
    assert_eq!(x.to_vec(), [1, 2, 3, 4, 5, 6]);
    let text = panic_of(|| x.with_row(7, tensor([0, 0])));
    assert!(
        text.contains("Trying to modify element 7 in a list with 3 elements."),
        "{text}"
    );
}

#[test]
fn one_hot() {
    let hot: Tensor<f32> = tensor([1, 0, 5]).one_hot(2);
    assert_eq!(
        parts(&hot),
        (vec![3, 2], vec![0.0, 1.0, 1.0, 0.0, 0.0, 0.0])
    );
}

#[test]
fn positions_of_several_axes_are_one_op() {
    let x = grid();
    assert_eq!(x.get((1, tensor(-1))).item(), 13);
    assert_eq!(x.get((-1, 1..3)).to_vec(), [21, 22]);
    assert!(panic_of(|| x.get((0, 4))).contains("slice index 4 of dimension 1 out of bounds."));
    #[graph_runtime::graph_fn]
    fn place(x: Tensor<i32>, i: Tensor<i32>) -> Tensor<i32> {
        x[(i, 1)]
    }
    assert_eq!(place(x, tensor(2)).item(), 21);
    let graph = place::function().latest().unwrap().graph().to_string();
    assert_eq!(graph.matches("index(").count(), 1, "{graph}");
}
