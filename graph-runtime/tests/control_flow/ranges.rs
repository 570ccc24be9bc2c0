//! Ranges with more numbers than their type can count, with steps, and backwards.

use graph_runtime::prelude::*;

use crate::{both, fails};

/// The number of iterations, and the first and the last number.
#[graph_fn]
fn steps(
    from: Tensor<i32>,
    to: Tensor<i32>,
    inclusive: bool,
    by: usize,
) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let (mut count, mut first, mut last) = (tensor(0), tensor(0), tensor(0));
    if inclusive {
        for i in (from..=to).step_by(by) {
            first = select(count == 0, &i, &first);
            last = i;
            count += 1;
        }
    } else {
        for i in (from..to).step_by(by) {
            first = select(count == 0, &i, &first);
            last = i;
            count += 1;
        }
    }
    (count, first, last)
}

#[test]
fn ranges_of_i32_are_counted_in_64_bits() {
    for (from, to, inclusive, by) in [
        (-2, i32::MAX, false, 1 << 20),
        (-2, i32::MAX, true, 1 << 20),
        (0, i32::MAX, false, 1_000_000),
        (0, i32::MAX, true, 1 << 30),
        (i32::MIN, i32::MAX, true, 1 << 24),
        (i32::MIN, i32::MAX, true, 3_000_000_000),
        (i32::MIN, i32::MAX, true, usize::MAX),
        (5, 5, true, 3),
        (5, 5, false, 3),
        (5, 4, true, 3),
        (i32::MAX, i32::MIN, false, 1),
        (i32::MAX, i32::MIN, true, 1),
        (0, 10, false, 3),
        (0, 9, true, 3),
    ] {
        let expected: Vec<i32> = match inclusive {
            true => (from..=to).step_by(by).collect(),
            false => (from..to).step_by(by).collect(),
        };
        let found = both(|| {
            let (count, first, last) = steps(tensor(from), tensor(to), inclusive, by);
            [count, first, last].map(|t| t.item())
        });
        let [first, last] = [expected.first(), expected.last()].map(|n| n.copied().unwrap_or(0));
        assert_eq!(
            found,
            [expected.len() as i32, first, last],
            "{from} {to} {inclusive} {by}"
        );
    }
}

/// The first two numbers of each range, which is walked backwards.
#[graph_fn]
fn from_the_end(to: Tensor<i32>) -> [Tensor<i32>; 6] {
    let mut ends = [(); 6].map(|()| tensor(0));
    let [a, b, c, d, e, f] = &mut ends;
    for i in (-2..&to).rev() {
        (*b, *a) = (a.clone(), i);
        if *b != 0 {
            break;
        }
    }
    for i in (0..=&to).rev() {
        (*d, *c) = (c.clone(), i);
        if *d != 0 {
            break;
        }
    }
    for i in (1..=&to).rev().step_by(1 << 30) {
        (*f, *e) = (e.clone(), i);
    }
    ends
}

#[test]
fn ranges_run_backwards_from_their_last_number() {
    let found = both(|| from_the_end(tensor(i32::MAX)).map(|t| t.item()));
    const MAX: i32 = i32::MAX;
    assert_eq!(
        found,
        [MAX - 2, MAX - 1, MAX - 1, MAX, MAX - (1 << 30), MAX]
    );
}

#[graph_fn]
fn long(n: Tensor<i64>) -> (Tensor<i64>, Tensor<i32>) {
    let (mut last, mut count) = (tensor(0i64), tensor(0));
    for i in (0i64..&n).step_by(1_000_000) {
        last = i;
        count += 1;
    }
    for i in 0i64..n {
        if i == 3 {
            break;
        }
        count += 1;
    }
    (last, count)
}

#[test]
fn ranges_of_i64_are_longer_than_i32_counts() {
    let found = both(|| {
        let (last, count) = long(tensor(3_000_000_000i64));
        (last.item(), count.item())
    });
    assert_eq!(found, (2_999_000_000, 3003));
}

/// The last number of a range of `i64`s, which is the first one backwards.
#[graph_fn]
fn last(from: Tensor<i64>, to: Tensor<i64>, inclusive: bool) -> Tensor<i64> {
    let mut last = tensor(0i64);
    if inclusive {
        // here: inclusive
        for i in (from..=to).rev() {
            last = i;
            break;
        }
    } else {
        // here: exclusive
        for i in (from..to).rev() {
            last = i;
            break;
        }
    }
    last
}

#[test]
fn a_length_that_64_bits_dont_hold_is_an_error() {
    let run = |from: i64, to: i64, inclusive| last(tensor(from), tensor(to), inclusive).item();
    const MAX: i64 = i64::MAX;
    assert_eq!(both(|| run(0, MAX, false)), MAX - 1);
    assert_eq!(both(|| run(1, MAX, true)), MAX);
    assert_eq!(both(|| run(i64::MIN, -1, false)), -2);
    assert_eq!(both(|| run(MAX, i64::MIN, true)), 0);
    for (from, to, inclusive) in [
        (-1, MAX, false),
        (0, MAX, true),
        (i64::MIN, MAX, true),
        (i64::MIN, MAX, false),
        (i64::MIN, 0, false),
    ] {
        let (dots, mark) = if inclusive {
            ("..=", "inclusive")
        } else {
            ("..", "exclusive")
        };
        let text = format!("the range {from}{dots}{to} has more numbers than an `i64` counts\n");
        fails(
            || run(from, to, inclusive),
            &text,
            (include_str!("ranges.rs"), mark),
        );
    }
}

/// If a Rust number shows that nothing can overflow, nothing is checked, and what fits an `i32` is counted in an `i32`.
#[test]
fn usual_ranges_are_as_cheap_as_they_were() {
    #[graph_fn]
    fn sum(n: Tensor<i32>, m: Tensor<i64>) -> Tensor<i64> {
        let mut sum = tensor(0i64);
        for i in 0..n {
            sum += i.cast::<i64>();
        }
        for i in 1i64..=m {
            sum += i;
        }
        sum
    }
    assert_eq!(sum(tensor(5), tensor(4i64)).item(), 20);
    let graph = sum::function().latest().unwrap().graph().to_string();
    assert!(!graph.contains("assert"), "{graph}");
    assert!(
        graph.contains("counter: int32[]") && graph.contains("counter: int64[]"),
        "{graph}"
    );
}

/// Ranges of every integer type over its full width: their first two numbers are those of plain Rust.
#[test]
fn ranges_of_every_integer_count_as_in_rust() {
    macro_rules! loops {
        ($type:ident: $($case:ident |$from:ident, $to:ident, $by:ident| [$($range:tt)+];)*) => { $( {
            #[graph_fn]
            fn $case($from: Tensor<$type>, $to: Tensor<$type>, $by: usize) -> (Tensor<i32>, Tensor<$type>, Tensor<$type>) {
                let (mut count, mut first, mut second) = (tensor(0), tensor(0 as $type), tensor(0 as $type));
                for i in $($range)+ {
                    second = select(count == 1, &i, &second);
                    first = select(count == 0, &i, &first);
                    count += 1;
                    if count == 2 {
                        break;
                    }
                }
                (count, first, second)
            }
            let ends = [$type::MIN, $type::MIN / 2, $type::MAX / 2, $type::MAX - 1, $type::MAX];
            for (from, to) in ends.into_iter().flat_map(|from| ends.map(|to| (from, to))) {
                // If there are more numbers than an `i64` can count, the run fails, as the test above says.
                if i128::from(to) - i128::from(from) >= i128::from(i64::MAX) {
                    continue;
                }
                for by in [1usize, 2, 100, 1 << 40, usize::MAX] {
                    let expected: Vec<$type> = {
                        let ($from, $to, $by) = (from, to, by);
                        ($($range)+).take(2).collect()
                    };
                    let found = both(|| {
                        let (count, first, second) = $case(tensor(from), tensor(to), by);
                        (count.item(), first.item(), second.item())
                    });
                    let number = |at: usize| expected.get(at).copied().unwrap_or(0);
                    let expected = (expected.len() as i32, number(0), number(1));
                    assert_eq!(found, expected, "{} {from} {to} {by}", stringify!($case));
                }
            }
        } )* };
    }
    macro_rules! of {
        ($($type:ident)*) => { $( loops! { $type:
            exclusive |from, to, by| [(from..to).step_by(by)];
            inclusive |from, to, by| [(from..=to).step_by(by)];
            backwards |from, to, by| [(from..to).rev().step_by(by)];
            last_first |from, to, by| [(from..=to).rev().step_by(by)];
        } )* };
    }
    of! { i8 i16 i32 i64 u8 u16 u32 u64 }
}
