//! Reductions, and other ops along one axis.

use super::*;

#[test]
fn no_axes_change_nothing() {
    let x = tensor([[1, 2, 3], [4, 5, 6]]);
    let same = parts(&x);
    for keep_dims in [false, true] {
        assert_eq!(parts(&x.sum_axes(&[], keep_dims)), same);
        assert_eq!(parts(&x.prod_axes(&[], keep_dims)), same);
        assert_eq!(parts(&x.mean_axes(&[], keep_dims)), same);
        assert_eq!(parts(&x.max_axes(&[], keep_dims)), same);
        assert_eq!(parts(&x.min_axes(&[], keep_dims)), same);
        let x = tensor([true, false]);
        assert_eq!(parts(&x.any_axes(&[], keep_dims)), parts(&x));
        assert_eq!(parts(&x.all_axes(&[], keep_dims)), parts(&x));
        let x = tensor([[1.5, -2.0]]);
        let zeros = (vec![1, 2], vec![0.0, 0.0]);
        assert_eq!(parts(&x.logsumexp_axes(&[], keep_dims)), parts(&x));
        assert_eq!(parts(&x.variance_axes(&[], keep_dims)), zeros);
        assert_eq!(parts(&x.std_axes(&[], keep_dims)), zeros);
        assert_eq!(parts(&x.norm_axes(&[], keep_dims)), parts(&x.abs()));
        assert_eq!(
            parts(&x.norm_of(Norm::One, &[], keep_dims)),
            parts(&x.abs())
        );
        let (mean, variance) = x.moments(&[], keep_dims);
        assert_eq!((parts(&mean), parts(&variance)), (parts(&x), zeros));
    }
}

#[test]
fn over_everything_one_axis_and_several() {
    let x = tensor([[1, 2, 3], [4, 5, 6]]);
    assert_eq!(
        (x.sum().item(), x.prod().item(), x.mean().item()),
        (21, 720, 3)
    );
    assert_eq!((x.max().item(), x.min().item()), (6, 1));
    assert_eq!(parts(&x.sum_axis(0)), (vec![3], vec![5, 7, 9]));
    assert_eq!(parts(&x.sum_axis(-1)), (vec![2], vec![6, 15]));
    assert_eq!(parts(&x.sum_axes(&[0, 1], true)), (vec![1, 1], vec![21]));
    assert_eq!(parts(&x.prod_axis(0)), (vec![3], vec![4, 10, 18]));
    assert_eq!(parts(&x.max_axes(&[1], true)), (vec![2, 1], vec![3, 6]));
    assert_eq!(x.min_axis(0).to_vec(), [1, 2, 3]);
    assert_eq!(
        tensor([[1.0, 2.0], [4.0, 8.0]]).mean_axis(0).to_vec(),
        [2.5, 5.0]
    );
}

#[test]
fn truth() {
    let x = tensor([[true, false], [true, true]]);
    assert_eq!((x.any().item(), x.all().item()), (true, false));
    assert_eq!(x.all_axis(0).to_vec(), [true, false]);
    assert_eq!(
        parts(&x.any_axes(&[1], true)),
        (vec![2, 1], vec![true, true])
    );
    assert!(!x.all_axes(&[0, 1], false).item());
}

#[test]
fn of_nothing() {
    let x = tensor([0.0; 0]);
    assert_eq!((x.sum().item(), x.prod().item()), (0.0, 1.0));
    assert_eq!(
        (x.max().item(), x.min().item()),
        (f64::NEG_INFINITY, f64::INFINITY)
    );
    assert!(x.mean().item().is_nan());
    assert!(panic_of(|| x.argmax(0)).contains("Reduction axis 0 is empty in shape [0]"));
}

#[test]
fn along_an_axis() {
    let x = tensor([[3, 9, 9], [7, 1, 1]]);
    assert_eq!(
        (x.argmax(1).to_vec(), x.argmin(-1).to_vec()),
        (vec![1, 0], vec![0, 1])
    );
    assert_eq!(parts(&x.cumsum(1)), (vec![2, 3], vec![3, 12, 21, 7, 8, 9]));
    assert_eq!(x.sort_axis(1, true).to_vec(), [9, 9, 3, 7, 1, 1]);
    assert_eq!(x.argsort_axis(1, false).to_vec(), [0, 1, 2, 1, 2, 0]);
    assert_eq!(tensor([1e30, 1e30]).softmax(0).to_vec(), [0.5, 0.5]);
    let logs = tensor([0.0, 3f64.ln()]).log_softmax(0).exp().to_vec();
    assert!(
        (logs[0] - 0.25).abs() < 1e-15 && (logs[1] - 0.75).abs() < 1e-15,
        "{logs:?}"
    );
}
