//! Loops of the graph over scalars and rows.

use ndarray::{ArrayD, arr0, arr1};

use crate::case::Case;

#[test]
fn even_numbers_are_summed() {
    let mut case = Case::new("seed_sum_even_4");
    case.input(&arr1(&[10, 12, 15, 20]).into_dyn());
    case.run();
    assert_eq!(case.output::<i32>(0), arr0(42).into_dyn());
}

#[test]
fn multiples_of_three_and_five_are_counted() {
    let mut case = Case::new("seed_fizzbuzz_like_counter");
    case.input(&arr0(16).into_dyn());
    case.run();
    // 0, 3, 6, 9, 12, 15; then 5, 10; then 1 + 2 + 4 + 7 + 8 + 11 + 13 + 14.
    let expected: [ArrayD<i32>; 3] = [6, 2, 60].map(|n| arr0(n).into_dyn());
    assert_eq!([0, 1, 2].map(|i| case.output::<i32>(i)), expected);
}

#[test]
fn the_means_of_rows_are_summed() {
    let mut case = Case::new("seed_for_rows_100x100");
    let x = case.matrix(7, 5);
    case.gives([arr0(x.sum() / 5.0).into_dyn()], 1e-6);
}

#[test]
fn steps_of_collatz_are_counted() {
    // 6, 3, 10, 5, 16, 8, 4, 2, 1.
    for (n, expected) in [(1i64, 0i64), (6, 8), (27, 111), (837_799, 524)] {
        let mut case = Case::new("while_scalar_collatz");
        case.input(&arr0(n).into_dyn());
        case.run();
        assert_eq!(case.output::<i64>(0), arr0(expected).into_dyn());
    }
}

#[test]
fn newton_finds_the_root_and_breaks() {
    for (a, most) in [(2.0, 8), (1.3 * 2f64.powi(88), 60)] {
        let mut case = Case::new("while_newton_sqrt");
        case.input(&arr0(a).into_dyn());
        case.run();
        let (root, steps) = (case.output::<f64>(0), case.output::<i32>(1));
        assert!((root.sum() / f64::sqrt(a) - 1.0).abs() < 1e-12);
        assert!((1..=most).contains(&steps.sum()), "{steps}");
    }
}
