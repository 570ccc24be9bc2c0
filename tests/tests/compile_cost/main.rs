//! The programs that `scripts/compile_cost.sh` measures: the same functions under `#[graph_fn]` and by hand. Their
//! compile times are comparable only if they do the same; these tests check that.

mod by_hand;
mod with_attribute;

use graph_runtime::prelude::*;

/// The functions written by hand, traced.
mod by_hand_in_a_graph {
    use super::*;

    macro_rules! traced {
        ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => { $(
            #[graph_fn]
            pub fn $name($($argument: $type),*) -> $result {
                by_hand::$name($($argument),*)
            }
        )* };
    }
    traced! {
        root(x: Tensor<f32>, limit: Tensor<i32>) -> (Tensor<f32>, Tensor<i32>, Tensor<bool>);
        robust_mean(rows: Tensor<f32>, limit: Tensor<f32>) -> (Tensor<f32>, Tensor<i32>, Tensor<f32>);
        find(sorted: Tensor<i32>, wanted: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>);
        grade(points: Tensor<i32>, manner: Tensor<i32>, bonus: Tensor<bool>) -> (Tensor<i32>, Tensor<i32>);
        numbers(a: Tensor<i32>, b: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>);
    }
}

/// Calls a function of all three modules and compares dtypes, shapes and values. Returns the result.
macro_rules! agree {
    ($function:ident($($argument:expr),*)) => {{
        let shown = format!("{:?}", by_hand::$function($(tensor($argument)),*));
        let traced = by_hand_in_a_graph::$function($(tensor($argument)),*);
        assert_eq!(format!("{traced:?}"), shown);
        let result = with_attribute::$function($(tensor($argument)),*);
        assert_eq!(format!("{result:?}"), shown);
        result
    }};
}

#[test]
fn root() {
    for x in [0.0f32, 2.0, 144.0, -3.0, 1e8] {
        for limit in [0, 3, 50] {
            agree!(root(x, limit));
        }
    }
    let (two, _, found) = agree!(root(4.0, 50));
    assert!((two.item() - 2.0).abs() < 0.001 && found.item());
}

#[test]
fn robust_mean() {
    for limit in [0.25f32, 5.0, 100.0] {
        agree!(robust_mean(
            [[1.0, 2.0], [90.0, 0.0], [-3.0, -4.0], [0.5, -9.0]],
            limit
        ));
    }
    // Only the first row is near enough; its weight is its largest value.
    let (mean, count, largest) = agree!(robust_mean([[1.0, 2.0], [90.0, 0.0]], 10.0));
    assert_eq!(
        (mean.to_vec(), count.item(), largest.item()),
        (vec![2.0, 4.0], 1, 3.0)
    );
}

#[test]
fn find() {
    let sorted = [2, 3, 5, 7, 11, 13, 17];
    for wanted in 0..20 {
        let expected = sorted.iter().position(|n| *n == wanted);
        let (position, _) = agree!(find(sorted, wanted));
        assert_eq!(
            position.item(),
            expected.map_or(-1, |i| i as i32),
            "{wanted}"
        );
    }
    let (position, probes) = agree!(find(Vec::<i32>::new(), 1));
    assert_eq!((position.item(), probes.item()), (-1, 0));
}

#[test]
fn grade() {
    for points in [0, 49, 50, 69, 71, 95] {
        for manner in -1..5 {
            for bonus in [false, true] {
                agree!(grade(points, manner, bonus));
            }
        }
    }
    // 69 points make a 3; 69 % 7 = 6 days late lower it by two, and 4 is the lowest grade.
    let (grade, days) = agree!(grade(69, 2, false));
    assert_eq!((grade.item(), days.item()), (4, 6));
}

#[test]
fn numbers() {
    for (a, b) in [(0, 5), (5, 0), (-7, 21), (1000, 999), (1, 1)] {
        agree!(numbers(a, b));
    }
    // 12 · 18 = 216 = 0b11011000; 6 + 1 = 7 reaches 1 in 16 steps; 12 < 18.
    let (gcd, ones, length) = agree!(numbers(12, 18));
    assert_eq!((gcd.item(), ones.item(), length.item()), (6, 4, -16));
}
