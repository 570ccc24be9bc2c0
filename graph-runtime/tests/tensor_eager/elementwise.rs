//! Elementwise functions, comparisons, casts, selection, strings.

use super::*;

/// Asserts equality within a few units in the last place of `f64`.
fn close(x: Tensor<f64>, expected: &[f64]) {
    let values = x.to_vec();
    assert_eq!(values.len(), expected.len());
    for (a, b) in values.iter().zip(expected) {
        assert!(
            (a - b).abs() <= 1e-14 * b.abs(),
            "{values:?} is not {expected:?}"
        );
    }
}

#[test]
fn comparisons_take_anything() {
    let x = tensor([1, 2, 3]);
    assert_eq!(x.lt(2).to_vec(), [true, false, false]);
    assert_eq!(x.le(&tensor([0, 2, 9])).to_vec(), [false, true, true]);
    assert_eq!(x.gt(tensor(2)).to_vec(), [false, false, true]);
    assert_eq!(x.ge(&2).to_vec(), [false, true, true]);
    assert_eq!(x.equal(2).to_vec(), [false, true, false]);
    assert_eq!(x.not_equal(2).to_vec(), [true, false, true]);
    assert!(!tensor(f64::NAN).equal(f64::NAN).item());
    assert_eq!(tensor([true, false]).equal(false).to_vec(), [false, true]);
    let n: Tensor<i64> = tensor(3);
    assert!(!n.gt(0).logical_and(n.lt(3)).item());
    assert!(!n.gt(0).logical_or(n.lt(3)).logical_not().item());
}

#[test]
fn numbers() {
    let x = tensor([-7, 0, 7]);
    assert_eq!(x.abs().to_vec(), [7, 0, 7]);
    assert_eq!(x.sign().to_vec(), [-1, 0, 1]);
    assert_eq!(x.square().to_vec(), [49, 0, 49]);
    assert_eq!(x.relu().to_vec(), [0, 0, 7]);
    assert_eq!(x.floor_div(2).to_vec(), [-4, 0, 3]);
    assert_eq!(x.floor_mod(-3).to_vec(), [-1, 0, -2]);
    assert_eq!(x.true_div(2).to_vec(), [-3.5, 0.0, 3.5]);
    assert_eq!(x.pow(2).to_vec(), [49, 0, 49]);
    assert_eq!(x.maximum(&tensor([1, 2, 3])).to_vec(), [1, 2, 7]);
    assert_eq!(x.minimum(1).to_vec(), [-7, 0, 1]);
    assert_eq!(x.clip(-1, 1).to_vec(), [-1, 0, 1]);
    assert_eq!(
        (maximum(&x, 1).to_vec(), minimum(1, &x).to_vec()),
        (vec![1, 1, 7], vec![-7, 0, 1])
    );
    let half: Tensor<f32> = tensor(3.0f32).true_div(2.0);
    assert_eq!(half.item(), 1.5);
}

#[test]
fn floats() {
    close(tensor([0.0, 1.0]).exp(), &[1.0, std::f64::consts::E]);
    close(tensor([1.0, std::f64::consts::E]).log(), &[0.0, 1.0]);
    close(tensor([2.25, 16.0]).sqrt(), &[1.5, 4.0]);
    close(tensor([0.25, 16.0]).rsqrt(), &[2.0, 0.25]);
    close(tensor([std::f64::consts::FRAC_PI_2]).sin(), &[1.0]);
    close(tensor([std::f64::consts::PI]).cos(), &[-1.0]);
    close(tensor([0.0, 1.0]).tanh(), &[0.0, 0.761_594_155_955_764_9]);
    close(tensor([0.0, 3f64.ln()]).sigmoid(), &[0.5, 0.75]);
    let x = tensor([-1.5, -0.5, 0.5, 1.5, 2.5]);
    assert_eq!(x.floor().to_vec(), [-2.0, -1.0, 0.0, 1.0, 2.0]);
    assert_eq!(x.ceil().to_vec(), [-1.0, 0.0, 1.0, 2.0, 3.0]);
    assert_eq!(x.round().to_vec(), [-2.0, 0.0, 0.0, 2.0, 2.0]);
    assert_eq!(x.rint().to_vec(), x.round().to_vec());
    assert_eq!(tensor([f64::NAN, 1.0]).is_nan().to_vec(), [true, false]);
}

#[test]
fn cast_between_groups() {
    assert_eq!(tensor([1.9, -1.9]).cast::<i32>().to_vec(), [1, -1]);
    assert_eq!(tensor([0, 3]).cast::<bool>().to_vec(), [false, true]);
    assert_eq!(tensor([true, false]).cast::<f32>().to_vec(), [1.0, 0.0]);
    assert_eq!(tensor([12, -3]).cast::<String>().to_vec(), ["12", "-3"]);
    let parsed: Tensor<f64> = tensor(["1.5", "-2"]).cast();
    assert_eq!(parsed.to_vec(), [1.5, -2.0]);
    assert!(panic_of(|| tensor("five").cast::<i32>()).contains("five"));
}

#[test]
fn select_broadcasts_all_three() {
    let c = tensor([true, false]);
    assert_eq!(c.select(1, 2).to_vec(), [1, 2]);
    assert_eq!(
        parts(&select(&c, tensor([[1], [2]]), 0)),
        (vec![2, 2], vec![1, 0, 2, 0])
    );
    assert_eq!(where_(true, "a", &tensor(["b", "c"])).to_vec(), ["a", "a"]);
}

#[test]
fn strings() {
    let words: Tensor<String> = tensor(["a", "häh"]);
    assert_eq!(words.string_length().to_vec(), [1, 4]);
    assert_eq!(
        string_join([&words, &tensor("z")], "-").to_vec(),
        ["a-z", "häh-z"]
    );
    assert_eq!(string_join(["a", "b", "c"], "").item(), "abc");
}

/// The expected values are those of `numpy.isclose` and `numpy.allclose` for the same numbers.
#[test]
fn closeness_is_numpy_s() {
    let inf = f64::INFINITY;
    let x = tensor([1.0, 1.0 + 9e-6, 1.0 + 2e-5, 5e-9, inf, inf, 3.0, f64::NAN]);
    let y = tensor([1.0, 1.0, 1.0, 0.0, inf, -inf, inf, f64::NAN]);
    let close = [true, true, false, true, true, false, false, false];
    assert_eq!(x.isclose(&y, 1e-5, 1e-8).to_vec(), close);
    assert!(!x.allclose(&y).item());
    assert!(x.get(..2).allclose(1.0).item());
    // The tolerance is relative to the second tensor.
    assert!(tensor([9.0]).isclose(10.0, 0.1, 0.0).item());
    assert!(!tensor([10.0]).isclose(9.0, 0.1, 0.0).item());
}
