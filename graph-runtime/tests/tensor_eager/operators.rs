//! The operators, with each kind of operand.

use super::*;

#[test]
fn every_mix_of_owned_borrowed_and_plain() {
    let (a, b): (Tensor<i32>, Tensor<i32>) = (tensor([6, 7]), tensor([2, 3]));
    assert_eq!((&a + &b).to_vec(), [8, 10]);
    assert_eq!((&a - b.clone()).to_vec(), [4, 4]);
    assert_eq!((a.clone() * &b).to_vec(), [12, 21]);
    assert_eq!((a.clone() / b.clone()).to_vec(), [3, 2]);
    assert_eq!((&a % 4).to_vec(), [2, 3]);
    assert_eq!((a.clone() - 1).to_vec(), [5, 6]);
    assert_eq!((10 - &a).to_vec(), [4, 3]);
    assert_eq!((20 / b.clone()).to_vec(), [10, 6]);
    assert_eq!((&a + &5).to_vec(), [11, 12]);
    assert_eq!((-&a).to_vec(), [-6, -7]);
}

#[test]
fn literals_infer_from_the_tensor() {
    let x: Tensor<f32> = tensor([1.0, 2.0]);
    assert_eq!((2.0 * &x + 1.0).to_vec(), [3.0, 5.0]);
    let n: Tensor<i64> = tensor([1, 2]);
    assert_eq!((1 + &n * 3).to_vec(), [4, 7]);
    let mut sum = tensor(0);
    sum += n.sum();
    assert_eq!(sum.item(), 3i64);
}

#[test]
fn operators_are_generic() {
    fn twice<T: Number>(x: &Tensor<T>) -> Tensor<T> {
        x + x
    }
    fn next<T: Number>(x: Tensor<T>, one: T) -> Tensor<T> {
        x + one
    }
    assert_eq!(next(twice(&tensor(3)), 1).item(), 7);
}

#[test]
fn assigning_forms() {
    let mut x = tensor([1, 2]);
    x += 3;
    x *= &tensor([2, 10]);
    x -= tensor(1);
    assert_eq!(x.to_vec(), [7, 49]);
    x /= 2;
    x %= 5;
    assert_eq!(x.to_vec(), [3, 4]);
    x &= 6;
    x |= 1;
    x ^= 2;
    assert_eq!(x.to_vec(), [1, 7]);
    let mut text: Tensor<String> = tensor("a");
    text += "b";
    text += String::from("c");
    assert_eq!(text.item(), "abc");
}

#[test]
fn they_follow_rust_on_integers() {
    let x = tensor([7, -7]);
    assert_eq!((&x / 2).to_vec(), [3, -3]);
    assert_eq!((&x % 3).to_vec(), [1, -1]);
    assert_eq!((tensor(i32::MAX) + 1).item(), i32::MIN);
    assert!(panic_of(|| &x / 0).contains("Integer division by zero"));
    assert_eq!((1.0 / tensor(0f64)).item(), f64::INFINITY);
}

#[test]
fn bits_and_truth() {
    let (t, f) = (tensor(true), tensor(false));
    assert_eq!(
        (
            (&t & &f).item(),
            (&t | &f).item(),
            (&t ^ true).item(),
            (!&f).item()
        ),
        (false, true, false, true)
    );
    assert!((true & &t).item());
    let x = tensor([6u8, 255]);
    assert_eq!(
        ((&x & 3).to_vec(), (!&x).to_vec()),
        (vec![2, 3], vec![249, 0])
    );
    assert_eq!((1 | tensor([2i64, 4])).to_vec(), [3, 5]);
}

#[test]
fn strings_join() {
    let names: Tensor<String> = tensor(["x", "y"]);
    assert_eq!((&names + "!").to_vec(), ["x!", "y!"]);
    assert_eq!(("w" + &names).to_vec(), ["wx", "wy"]);
    assert_eq!((&names + &names).to_vec(), ["xx", "yy"]);
}

#[test]
fn broadcasting_and_its_error() {
    let x = tensor([[1, 2, 3], [4, 5, 6]]) + tensor([[10], [20]]);
    assert_eq!(parts(&x), (vec![2, 3], vec![11, 12, 13, 24, 25, 26]));
    let line = line!() + 1;
    let text = panic_of(|| tensor([1, 2]) + tensor([1, 2, 3]));
    assert!(text.contains("[2]") && text.contains("[3]"), "{text}");
    assert!(text.contains(&format!("operators.rs:{line}")), "{text}");
}

#[test]
fn products_of_truth_values_are_and() {
    let (a, b) = (tensor([true, true, false]), tensor([[true], [false]]));
    assert_eq!((&a * &b).to_vec(), [true, true, false, false, false, false]);
    assert_eq!((true * &a).to_vec(), [true, true, false]);
    let v = graph_runtime::Variable::new(a.clone());
    let mut product = v * false;
    product *= true;
    assert_eq!(product.to_vec(), [false; 3]);
}
