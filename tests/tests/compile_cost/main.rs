//! The programs that `scripts/compile_cost.sh` measures: the same functions under `#[graph_fn]` and by hand. What they
//! cost to compile can only be compared if they do the same, which is checked here.

mod by_hand;
mod with_attribute;

use graph_runtime::prelude::*;

#[test]
fn root() {
    for x in [0.0f32, 2.0, 144.0, -3.0, 1e8] {
        for limit in [0, 3, 50] {
            let (root, steps, found) = with_attribute::root(tensor(x), tensor(limit));
            let (root_by_hand, steps_by_hand, found_by_hand) =
                by_hand::root(tensor(x), tensor(limit));
            assert_eq!(
                root.item().to_bits(),
                root_by_hand.item().to_bits(),
                "{x} {limit}"
            );
            assert_eq!(steps.item(), steps_by_hand.item(), "{x} {limit}");
            assert_eq!(found.item(), found_by_hand.item(), "{x} {limit}");
        }
    }
    let (two, _, found) = with_attribute::root(tensor(4.0), tensor(50));
    assert!((two.item() - 2.0).abs() < 0.001 && found.item());
}

#[test]
fn robust_mean() {
    let rows: Tensor<f32> = tensor([[1.0, 2.0], [90.0, 0.0], [-3.0, -4.0], [0.5, -9.0]]);
    for limit in [0.25f32, 5.0, 100.0] {
        let (mean, count, largest) = with_attribute::robust_mean(rows.clone(), tensor(limit));
        let (mean_by_hand, count_by_hand, largest_by_hand) =
            by_hand::robust_mean(rows.clone(), tensor(limit));
        assert_eq!(mean.to_vec(), mean_by_hand.to_vec(), "{limit}");
        assert_eq!(count.item(), count_by_hand.item(), "{limit}");
        assert_eq!(largest.item(), largest_by_hand.item(), "{limit}");
    }
    let (mean, count, _) =
        with_attribute::robust_mean(tensor([[1.0, 2.0], [90.0, 0.0]]), tensor(10.0));
    assert_eq!((mean.to_vec(), count.item()), (vec![2.0, 4.0], 1));
}

#[test]
fn find() {
    let sorted = [2, 3, 5, 7, 11, 13, 17];
    for wanted in 0..20 {
        let expected = sorted
            .iter()
            .position(|n| *n == wanted)
            .map_or(-1, |i| i as i32);
        let (position, probes) = with_attribute::find(tensor(sorted), tensor(wanted));
        let (position_by_hand, probes_by_hand) = by_hand::find(tensor(sorted), tensor(wanted));
        assert_eq!(
            [position.item(), position_by_hand.item()],
            [expected; 2],
            "{wanted}"
        );
        assert_eq!(probes.item(), probes_by_hand.item(), "{wanted}");
    }
    let nothing = || tensor(Vec::<i32>::new());
    assert_eq!(with_attribute::find(nothing(), tensor(1)).0.item(), -1);
    assert_eq!(by_hand::find(nothing(), tensor(1)).0.item(), -1);
}

#[test]
fn grade() {
    for points in [0, 49, 50, 69, 71, 95] {
        for manner in -1..5 {
            for bonus in [false, true] {
                let case = || (tensor(points), tensor(manner), tensor(bonus));
                let (points, manner, bonus) = case();
                let (grade, days) = with_attribute::grade(points, manner, bonus);
                let (points, manner, bonus) = case();
                let (grade_by_hand, days_by_hand) = by_hand::grade(points, manner, bonus);
                assert_eq!(grade.item(), grade_by_hand.item());
                assert_eq!(days.item(), days_by_hand.item());
            }
        }
    }
    // 69 points make a 3; 69 % 7 = 6 days late are two grades down, and 4 is the last one.
    let (grade, days) = with_attribute::grade(tensor(69), tensor(2), tensor(false));
    assert_eq!((grade.item(), days.item()), (4, 6));
}

#[test]
fn numbers() {
    for (a, b) in [(12, 18), (0, 5), (5, 0), (-7, 21), (1000, 999), (1, 1)] {
        let (gcd, ones, length) = with_attribute::numbers(tensor(a), tensor(b));
        let (gcd_by_hand, ones_by_hand, length_by_hand) = by_hand::numbers(tensor(a), tensor(b));
        assert_eq!(gcd.item(), gcd_by_hand.item(), "{a} {b}");
        assert_eq!(ones.item(), ones_by_hand.item(), "{a} {b}");
        assert_eq!(length.item(), length_by_hand.item(), "{a} {b}");
    }
    // 12 · 18 = 216 = 0b11011000; 6 + 1 = 7 comes to 1 in 16 steps; 12 < 18.
    let (gcd, ones, length) = with_attribute::numbers(tensor(12), tensor(18));
    assert_eq!((gcd.item(), ones.item(), length.item()), (6, 4, -16));
}
