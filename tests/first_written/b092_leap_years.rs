//! Whether a year is a leap year, and the days of a month. From: textbook: Gregorian calendar.
use graph_runtime::prelude::*;

#[graph_fn]
fn is_leap(year: Tensor<i32>) -> Tensor<bool> {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

#[graph_fn]
fn days_in_month(year: Tensor<i32>, month: Tensor<i32>) -> Tensor<i32> {
    match month {
        2 => {
            if is_leap(year) {
                tensor(29)
            } else {
                tensor(28)
            }
        }
        4 | 6 | 9 | 11 => tensor(30),
        _ => tensor(31),
    }
}

fn main() {
    for (year, leap) in [(2000, true), (1900, false), (2024, true), (2023, false)] {
        assert_eq!(is_leap(tensor(year)).item(), leap);
        let february = days_in_month(tensor(year), tensor(2)).item();
        assert_eq!(february, if leap { 29 } else { 28 });
    }
    assert_eq!(days_in_month(tensor(2023), tensor(9)).item(), 30);
    assert_eq!(days_in_month(tensor(2023), tensor(12)).item(), 31);
}
