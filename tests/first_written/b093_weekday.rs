//! The weekday of a date, as a word. From: textbook: Zeller's congruence.
use graph_runtime::prelude::*;

#[graph_fn]
fn weekday(year: Tensor<i32>, month: Tensor<i32>, day: Tensor<i32>) -> Tensor<String> {
    let (mut y, mut m) = (year, month);
    if m < 3 {
        m += 12;
        y -= 1;
    }
    let century = y / 100;
    let k = y % 100;
    match (day + 13 * (m + 1) / 5 + k + k / 4 + century / 4 + 5 * century) % 7 {
        0 => tensor("Saturday"),
        1 => tensor("Sunday"),
        2 => tensor("Monday"),
        3 => tensor("Tuesday"),
        4 => tensor("Wednesday"),
        5 => tensor("Thursday"),
        _ => tensor("Friday"),
    }
}

fn main() {
    let at = |y, m, d| weekday(tensor(y), tensor(m), tensor(d)).item();
    assert_eq!(at(2000, 1, 1), "Saturday");
    assert_eq!(at(2024, 2, 29), "Thursday");
    assert_eq!(at(1969, 7, 20), "Sunday");
}
