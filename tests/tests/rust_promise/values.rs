//! Plain values: initialization, shadowing, the types of literals, and comparisons of all types that Rust can compare.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;
use std::time::Duration;

agree! { initialized_by_the_branches: f(true), f(false);
    fn f(up: bool) -> i32 {
        let y;
        if up {
            y = 1;
        } else {
            y = 2;
        }
        y * 10
    }
}

agree! { initialized_by_nested_branches: f(1), f(7), f(20);
    fn f(n: i32) -> (i32, String) {
        let (a, b);
        if n > 5 {
            if n > 10 {
                a = n;
                b = String::from("big");
            } else {
                b = format!("mid {n}");
                a = -n;
            }
        } else {
            (a, b) = (0, String::new());
        }
        (a, b)
    }
}

agree! { initialized_where_the_other_branch_leaves: f(Some(2)), f(None);
    fn f(n: Option<i32>) -> i32 {
        let x;
        if let Some(n) = n {
            x = n;
        } else {
            return -1;
        }
        x + 1
    }
}

agree! { initialized_by_the_arms_of_a_match: f(0), f(1), f(2);
    fn f(n: u8) -> &'static str {
        let name;
        match n {
            0 => name = "none",
            1 => name = "one",
            _ => name = "many",
        }
        name
    }
}

agree! { shadowed_in_and_after_branches: f(4), f(-4);
    fn f(x: i32) -> String {
        let x = x * 2;
        let x = if x > 0 {
            let x = x + 1;
            let x = format!("{x}");
            x
        } else {
            let x = x.abs();
            "-".repeat(x as usize)
        };
        let x = x.len();
        x.to_string()
    }
}

agree! { shadowed_in_a_loop: f(3);
    fn f(n: i32) -> Vec<i32> {
        let x = 10;
        let mut out = vec![];
        for i in 0..n {
            let x = x + i;
            let n = x * n;
            out.push(n);
        }
        out.push(x);
        out
    }
}

agree! { an_index_inferred_from_a_length: f(&[4, 5, 6]), f(&[]);
    fn f(v: &[i32]) -> i32 {
        let mut i = 0;
        let mut sum = 0;
        while i < v.len() {
            sum += v[i];
            i += 1;
        }
        sum
    }
}

agree! { a_literal_inferred_from_what_comes_later: f(3), f(255);
    fn f(n: u8) -> u64 {
        let mut total = 0;
        let step = 1;
        let mut i = 0;
        while i != n {
            i += step;
            total += 2;
        }
        let total: u64 = total;
        total
    }
}

agree! { literals_of_many_types: f(200, 1 << 40, 'k', 2.5);
    fn f(a: u8, b: u64, c: char, d: f32) -> Vec<bool> {
        vec![
            a > 199,
            a == 0xc8,
            b >= 1_099_511_627_776,
            b != 1,
            c > 'a',
            c == 'k',
            c <= '\u{ff}',
            d < 2.75,
            d == 2.5,
            -1 < 1i8,
            1e3 > d,
            b'a' == a,
        ]
    }
}

agree! { comparisons_of_options_and_results: f(Some(3)), f(None);
    fn f(x: Option<i32>) -> Vec<bool> {
        let ok: Result<i32, String> = x.ok_or(String::from("none"));
        vec![
            x == Some(3),
            x != None,
            x < Some(5),
            x > None,
            ok == Ok(3),
            ok != Err(String::from("none")),
            x.as_ref() == Some(&3),
            x.map(|v| v > 2) == Some(true),
        ]
    }
}

agree! { comparisons_of_texts: f("abc", String::from("abd"));
    fn f(a: &str, b: String) -> Vec<bool> {
        let boxed: Box<str> = a.into();
        vec![
            a < "abd",
            b == "abd",
            "abd" == b,
            a == b,
            b.as_str() > a,
            b != *a,
            &b[..2] == &a[..2],
            *boxed == *a,
            a.chars().next() == Some('a'),
            a.as_bytes()[0] == b'a',
            b > String::from("a"),
            b <= a.to_uppercase(),
        ]
    }
}

agree! { comparisons_of_compound_values: f(1, 2);
    fn f(a: i32, b: i32) -> Vec<bool> {
        vec![
            (a, b) < (1, 3),
            (a, "x") == (1, "x"),
            [a, b] >= [1, 2],
            vec![a, b] == [1, 2],
            vec![a] != vec![b],
            &[a, b][..] == [1, 2],
            [Some(a), None] > [None, None],
            a.cmp(&b) == Ordering::Less,
            Duration::from_secs(1) > Duration::from_millis(a as u64),
            Duration::ZERO == Duration::default(),
            Rc::new(a) < Rc::new(b),
            Box::new(a) == Box::new(1),
            () == (),
            std::num::Wrapping(a) != std::num::Wrapping(b),
            BTreeSet::from([a, b]) == BTreeSet::from([2, 1]),
            HashSet::from([a]) != HashSet::from([b]),
            BTreeMap::from([(a, b)]) < BTreeMap::from([(1, 3)]),
            (0..a) == (0..1),
        ]
    }
}

agree! { comparisons_through_references: f(&3, &mut 4);
    fn f(a: &i32, b: &mut i32) -> Vec<bool> {
        let aa = &a;
        vec![*a < 4, a < &4, **aa == *b - 1, *b > *a, a == &3, aa == &&3, b == &mut 4, &*b != a]
    }
}

agree! { comparisons_of_local_types: f(1), f(2);
    fn f(n: i32) -> Vec<bool> {
        #[derive(PartialEq, PartialOrd, Clone, Copy)]
        enum Level {
            Low,
            Mid(i32),
            High { by: i32 },
        }
        let a = if n > 1 { Level::Mid(n) } else { Level::Low };
        vec![a == Level::Low, a < Level::Mid(3), a != Level::High { by: 0 }, a >= Level::Mid(2), Level::High { by: n } > a]
    }
}

agree! { comparisons_that_differ_by_side: f(2);
    fn f(n: i32) -> Vec<bool> {
        struct Metres(i32);
        struct Feet(i32);
        impl PartialEq<Feet> for Metres {
            fn eq(&self, other: &Feet) -> bool {
                self.0 * 3 == other.0
            }
        }
        impl PartialOrd<Feet> for Metres {
            fn partial_cmp(&self, other: &Feet) -> Option<Ordering> {
                (self.0 * 3).partial_cmp(&other.0)
            }
        }
        let (m, ft) = (Metres(n), Feet(6));
        vec![m == ft, m != ft, m < ft, m >= ft]
    }
}

agree! { not_a_number: f(f64::NAN), f(1.0);
    fn f(x: f64) -> Vec<bool> {
        vec![x < x, x <= x, x == x, x != x, x > 0.0, x >= 0.0, !(x < 0.0)]
    }
}

agree! { logic_without_short_circuit_and_with: f(true, false), f(false, false);
    fn f(a: bool, b: bool) -> Vec<bool> {
        vec![a & b, a | b, a ^ b, !a, a && !b || b, !(a && b), (a || b) && a != b, a > b, a == !b]
    }
}

agree! { conditions_joined_over_many_types: f(5, "five"), f(50, ""), f(-1, "x");
    fn f(n: i32, s: &str) -> i32 {
        if n > 0 && n < 10 && !s.is_empty() || n == 50 && s == "" {
            if !(n != 5) || s.len() > 100 { 1 } else { 2 }
        } else {
            3
        }
    }
}

agree! { compound_assignment_of_every_kind: f(0b1100, 3), f(7, 2);
    fn f(mut x: u32, y: u32) -> Vec<u32> {
        let mut out = vec![];
        x += y;
        out.push(x);
        x -= 1;
        x *= y;
        out.push(x);
        x /= 2;
        x %= 17;
        out.push(x);
        x <<= y;
        x |= 1;
        x ^= y;
        out.push(x);
        x >>= 1;
        x &= 0xff;
        out.push(x);
        out
    }
}

agree! { casts: f(300, -1, 2.9);
    fn f(a: i32, b: i8, c: f64) -> ((u8, u32, i64, i32), u8, char, usize, bool, f32) {
        (
            (a as u8, b as u32, b as u8 as i64, c as i32),
            (c > 2.0) as u8,
            (b'a' + c as u8) as char,
            a as usize * 2,
            a as i64 > b as i64,
            a as f32 / 7.0,
        )
    }
}

agree! { arithmetic_of_constants_and_consts: f(2);
    fn f(n: i32) -> i32 {
        const LIMIT: i32 = 3 * 4;
        static BASE: i32 = -1;
        if n * LIMIT > 20 && LIMIT > BASE { n - BASE * LIMIT % 5 } else { n.pow(3) << 1 }
    }
}

agree! { overflow_panics_as_in_rust: f(255), f(254);
    fn f(n: u8) -> u8 {
        if n > 0 { n + 1 } else { n }
    }
}

agree! { division_by_zero_panics_as_in_rust: f(6, 0), f(6, 4);
    fn f(a: i32, b: i32) -> i32 {
        let q = a / b;
        q * 10 + a % b
    }
}

agree! { wide_integers: f(u128::MAX, -5);
    fn f(a: u128, b: i128) -> (bool, u128, i128) {
        (a > 1 << 100, a / 3, if b < 0 { -b * 1_000_000_000_000_000_000_000 } else { b })
    }
}

agree! { blocks_as_values: f(3), f(30);
    fn f(n: i32) -> i32 {
        let a = {
            let t = n * 2;
            t + 1
        };
        let b = if { let t = a - 1; t > 10 } { a } else { -{ a } };
        b + { n }
    }
}

agree! { unit_values: f(1), f(-1);
    fn f(n: i32) -> i32 {
        let mut count = 0;
        let unit = if n > 0 { count += 1 } else { count -= 1 };
        let () = unit;
        let also: () = { count *= 10; };
        assert_eq!(unit, also);
        count
    }
}

agree! { a_literal_tells_the_type_of_what_is_parsed: f(""), f("3"), f("-4");
    fn f(text: &str) -> String {
        let rate = if text.is_empty() { 0.5 } else { text.parse().unwrap() };
        let count = match text {
            "" => -1,
            "3" => text.trim().parse().unwrap(),
            _ => i64::from(text.len() as u32),
        };
        let narrow = if text.len() > 1 { text.parse().unwrap() } else { 7 };
        let narrow: i8 = narrow;
        format!("{rate} {count} {narrow}")
    }
}

agree! { a_collection_whose_type_comes_later: f(&[(1, 2), (4, 0)]), f(&[]);
    fn f(items: &[(usize, usize)]) -> (Vec<(usize, usize)>, usize, usize) {
        let (mut width, mut height) = (0, 0);
        let points = items.iter().copied().collect();
        for &(x, y) in &points {
            if x >= width {
                width = x + 1;
            }
            height = height.max(y + 1);
        }
        let seen = items.iter().map(|point| point.0).collect();
        for x in &seen {
            width += x;
        }
        (points, width, height + count(&seen))
    }
    fn count(seen: &std::collections::HashSet<usize>) -> usize {
        seen.len()
    }
}
