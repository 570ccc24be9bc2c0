//! Gauss-Jordan elimination with pivots: solution and determinant of a 3x3 system: num_gaussian_elimination.
use graph_runtime::prelude::*;

#[graph_fn]
fn solve(a: Tensor<f32>, b: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let mut m = concat([a, b.expand_dims(1)], 1);
    let mut det = tensor(1.0);
    let rows = tensor([0, 1, 2]);
    for k in 0..tensor(3) {
        let column = m.transpose()[k];
        let p = select(rows >= k, column.abs(), -1.0).argmax(0).cast::<i32>();
        if p != k {
            let order = select(rows == k, p, select(rows == p, k, rows));
            m = m.gather(order);
            det = -det;
        }
        let pivot = m[k][k];
        det *= pivot;
        if pivot == 0.0 {
            break;
        }
        let factor = select(rows == k, 0.0, m.transpose()[k] / pivot);
        m -= factor.expand_dims(1) * m[k];
    }
    let x = if det == 0.0 {
        tensor([f32::NAN; 3])
    } else {
        let columns = m.transpose();
        columns[3] / stack([m[0][0], m[1][1], m[2][2]], 0)
    };
    (x, det)
}

fn main() {
    let (x, det) = solve(tensor([[2.0, 1.0, -1.0], [-3.0, -1.0, 2.0], [-2.0, 1.0, 2.0]]), tensor([8.0, -11.0, -3.0]));
    for (got, expected) in x.to_vec().into_iter().zip([2.0, 3.0, -1.0]) {
        assert!((got - expected).abs() < 1e-4);
    }
    assert!((det.item() + 1.0).abs() < 1e-5);
    let (x, det) = solve(tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]]), tensor([3.0, 4.0, 8.0]));
    assert_eq!(x.to_vec(), [4.0, 3.0, 4.0]);
    assert_eq!(det.item(), -2.0);
    let (x, det) = solve(tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 1.0, 1.0]]), tensor([1.0, 2.0, 3.0]));
    assert!(x.to_vec().iter().all(|v| v.is_nan()));
    assert_eq!(det.item(), 0.0);
}
