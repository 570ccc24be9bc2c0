//! The 9 programs that `#[cube]` accepts and compiles wrongly. The expected numbers are those of plain Rust; the recorded
//! cases are also written out.

use crate::support::Shown;

three_ways! { p1_a_break_to_a_label: f(int(7)), f(int(3)), f(int(0));
    fn f(n: Int) -> Int {
        let mut s = int(0);
        'o: for i in 0..n.clone() {
            for j in 0..n.clone() {
                if i.clone() * j > 10 {
                    break 'o;
                }
                s += 1;
            }
        }
        s
    }
}

three_ways! { p2_a_labelled_block_with_a_value: f(int(7)), f(int(2));
    fn f(n: Int) -> Int {
        let mut total = int(0);
        for i in 0..n {
            let r = 'a: {
                if i > 3 {
                    break 'a int(100);
                }
                int(1)
            };
            total += r;
        }
        total
    }
}

agree! { p3_a_cast_through_a_narrow_type: f(300), f(44);
    fn f(x: i32) -> u32 {
        x as u8 as u32
    }
}

three_ways! { p4_a_copy_before_a_change: f(int(300));
    fn f(a: Int) -> Int {
        let mut x = a;
        let y = { x.clone() };
        x += 1;
        if x > 0 { y } else { x }
    }
}

three_ways! { p5_a_tuple_before_a_change: f(int(300));
    fn f(a: Int) -> (Int, Int) {
        let mut x = a;
        let t = (x.clone(), x.clone());
        x += 1;
        (t.0, x)
    }
}

three_ways! { p6_a_match_value_before_a_change: f(int(5), int(3)), f(int(5), int(4));
    fn f(a: Int, which: Int) -> Int {
        let mut x = a;
        let y = match which {
            3 => x.clone(),
            _ => int(0),
        };
        x += 1;
        y * 100 + x
    }
}

three_ways! { p7_an_exchange: f(int(3), int(4)), f(int(30), int(4));
    fn f(a: Int, b: Int) -> Int {
        let (mut x, mut y) = (a, b);
        (x, y) = (y, x);
        if x < 10 {
            (x, y) = (y, x);
            (y, x) = (x, y);
        }
        10 * x + y
    }
}

three_ways! { p8_an_operand_changed_by_the_next: f(int(5));
    fn f(a: Int) -> Int {
        let mut x = a;
        x + { x += 1; x }
    }
}

three_ways! { p9_an_argument_before_a_change: f(int(5));
    fn f(a: Int) -> Int {
        let mut x = a;
        add2(x.clone(), { x += 1; x })
    }
    fn add2(p: Int, q: Int) -> Int {
        100 * p + q
    }
}

/// A narrowing cast of a tensor wraps like Rust's `as`.
mod p3_over_tensors {
    use graph_runtime::prelude::*;

    #[graph_fn]
    fn f(x: Tensor<i32>) -> Tensor<i32> {
        x.cast::<u8>().cast::<i32>()
    }

    #[test]
    fn tensors_agree() {
        crate::support::assert_ways(&["44".to_string()], || {
            vec![crate::support::outcome(|| f(tensor(300)))]
        });
    }
}

/// The results of plain Rust, as they are recorded beside the wrong ones.
#[test]
fn the_recorded_results() {
    use p1_a_break_to_a_label::plain as p1;
    let recorded = [
        (p1::outcomes()[0].clone(), "20"),
        (
            p2_a_labelled_block_with_a_value::plain::outcomes()[0].clone(),
            "304",
        ),
        (
            p3_a_cast_through_a_narrow_type::plain::outcomes()[0].clone(),
            "44",
        ),
        (
            p4_a_copy_before_a_change::plain::outcomes()[0].clone(),
            "300",
        ),
        (
            p5_a_tuple_before_a_change::plain::outcomes()[0].clone(),
            "(300, 301)",
        ),
        (
            p6_a_match_value_before_a_change::plain::outcomes()[0].clone(),
            "506",
        ),
        (p7_an_exchange::plain::outcomes()[0].clone(), "43"),
        (
            p8_an_operand_changed_by_the_next::plain::outcomes()[0].clone(),
            "11",
        ),
        (
            p9_an_argument_before_a_change::plain::outcomes()[0].clone(),
            "506",
        ),
    ];
    for (i, (result, expected)) in recorded.iter().enumerate() {
        assert_eq!(result.shown(), expected.shown(), "program {}", i + 1);
    }
}
