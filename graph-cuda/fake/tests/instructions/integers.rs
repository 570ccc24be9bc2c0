//! Integer arithmetic. The expected values are computed in 128 bits.

use crate::table::*;

/// A value of a type in 128 bits.
fn wide(of: &str, v: u64) -> i128 {
    let unused = 128 - bits(of);
    if of.starts_with('s') {
        (i128::from(v) << unused) >> unused
    } else {
        i128::from(v & mask(of))
    }
}

const TYPES: [&str; 6] = ["u16", "u32", "u64", "s16", "s32", "s64"];

/// Checks an instruction for each of these types; `want` gets the operands in 128 bits.
fn for_types(types: &[&str], name: &str, count: usize, want: impl Fn(&str, &[i128]) -> i128) {
    let operands = ["%a", "%a, %b", "%a, %b, %c"][count - 1];
    for of in types {
        let text = format!("{name}.{of} %d, {operands};");
        check(&text, of, &vec![*of; count], |v| {
            want(of, &v.iter().map(|v| wide(of, *v)).collect::<Vec<_>>()) as u64
        });
    }
}

#[test]
fn sums_and_differences_wrap() {
    for_types(&TYPES, "add", 2, |_, v| v[0] + v[1]);
    for_types(&TYPES, "sub", 2, |_, v| v[0] - v[1]);
}

#[test]
fn saturating_sums_stop_at_the_ends() {
    let clamp = |x: i128| x.clamp(i128::from(i32::MIN), i128::from(i32::MAX));
    for_types(&["s32"], "add.sat", 2, |_, v| clamp(v[0] + v[1]));
    for_types(&["s32"], "sub.sat", 2, |_, v| clamp(v[0] - v[1]));
}

#[test]
fn products_have_low_and_high_halves() {
    for_types(&TYPES, "mul.lo", 2, |_, v| v[0].wrapping_mul(v[1]));
    let high = |of: &str, v: &[i128]| {
        if of == "u64" {
            ((v[0] as u128).wrapping_mul(v[1] as u128) >> 64) as i128
        } else {
            (v[0] * v[1]) >> bits(of)
        }
    };
    for_types(&TYPES, "mul.hi", 2, high);
    for_types(&TYPES, "mad.lo", 3, |_, v| {
        v[0].wrapping_mul(v[1]).wrapping_add(v[2])
    });
    for_types(&["u32", "s32", "s64"], "mad.hi", 3, |of, v| {
        high(of, v).wrapping_add(v[2])
    });
}

#[test]
fn wide_products_are_exact() {
    for (of, d) in [
        ("u16", "u32"),
        ("s16", "s32"),
        ("u32", "u64"),
        ("s32", "s64"),
    ] {
        check(&format!("mul.wide.{of} %d, %a, %b;"), d, &[of, of], |v| {
            (wide(of, v[0]) * wide(of, v[1])) as u64
        });
        check(
            &format!("mad.wide.{of} %d, %a, %b, %c;"),
            d,
            &[of, of, d],
            |v| (wide(of, v[0]) * wide(of, v[1]) + wide(d, v[2])) as u64,
        );
    }
}

#[test]
fn quotients_are_truncated_and_remainders_have_the_sign_of_the_dividend() {
    for of in TYPES {
        let divisors: Vec<u64> = values(of).into_iter().filter(|v| *v != 0).collect();
        let lists = [values(of), divisors];
        let want = |rem: bool| {
            move |v: &[u64]| {
                let (a, b) = (wide(of, v[0]), wide(of, v[1]));
                (if rem { a % b } else { a / b }) as u64
            }
        };
        check_lists(
            &format!("div.{of} %d, %a, %b;"),
            of,
            &[of, of],
            &lists,
            want(false),
        );
        check_lists(
            &format!("rem.{of} %d, %a, %b;"),
            of,
            &[of, of],
            &lists,
            want(true),
        );
    }
}

#[test]
fn the_smaller_and_the_larger_depend_on_the_sign() {
    for_types(&TYPES, "min", 2, |_, v| v[0].min(v[1]));
    for_types(&TYPES, "max", 2, |_, v| v[0].max(v[1]));
}

#[test]
fn signs_are_changed_and_dropped() {
    for_types(&["s16", "s32", "s64"], "neg", 1, |_, v| -v[0]);
    for_types(&["s16", "s32", "s64"], "abs", 1, |_, v| v[0].abs());
    for_types(&["u32", "s32"], "sad", 3, |_, v| v[2] + (v[0] - v[1]).abs());
}

#[test]
fn carries_join_sums_of_two_words() {
    let join = |low: u64, high: u64| u128::from(low) | u128::from(high) << 64;
    let halves = ["u64"; 4];
    let text = |op: &str, end: &str| {
        format!("{{ .reg .u64 %x; {op}.cc.u64 %x, %a, %c; {op}c.u64 %d, %b, %e; {end} }}")
    };
    check(&text("add", ""), "u64", &halves, |v| {
        (join(v[0], v[1]).wrapping_add(join(v[2], v[3])) >> 64) as u64
    });
    check(&text("sub", ""), "u64", &halves, |v| {
        (join(v[0], v[1]).wrapping_sub(join(v[2], v[3])) >> 64) as u64
    });
    // The low half of a product of 32 bits, and its high half with the carry of the low one.
    let text = "{ .reg .u32 %x; mad.lo.cc.u32 %x, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0; }";
    check(text, "u32", &["u32"; 3], |v| {
        (v[0] * v[1]).wrapping_add(v[2]) >> 32
    });
    let text =
        "{ .reg .u32 %x; add.cc.u32 %x, %a, %b; addc.cc.u32 %x, %c, %c; addc.u32 %d, 0, 0; }";
    check(text, "u32", &["u32"; 3], |v| {
        (v[2] + v[2] + ((v[0] + v[1]) >> 32)) >> 32
    });
}
