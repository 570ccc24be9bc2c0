//! Comparisons of all types, with their combinations and their second results.

use crate::table::*;
use std::cmp::Ordering::{self, Equal, Greater, Less};

/// How two values of a type are ordered.
fn order(of: &str, a: u64, b: u64) -> Option<Ordering> {
    match of {
        "f32" => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        "f64" => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
        _ => {
            let unused = 64 - bits(of);
            let signed = |v: u64| (v << unused) as i64;
            Some(if of.starts_with('s') {
                signed(a).cmp(&signed(b))
            } else {
                a.cmp(&b)
            })
        }
    }
}

type Rule = (&'static str, fn(Ordering) -> bool);

const RULES: [Rule; 6] = [
    ("eq", |o| o == Equal),
    ("ne", |o| o != Equal),
    ("lt", |o| o == Less),
    ("le", |o| o != Greater),
    ("gt", |o| o == Greater),
    ("ge", |o| o != Less),
];

#[test]
fn integers_are_ordered_by_their_signs() {
    for of in ["u16", "s16", "u32", "s32", "u64", "s64"] {
        for (name, rule) in RULES {
            check(
                &format!("setp.{name}.{of} %d, %a, %b;"),
                "pred",
                &[of, of],
                |v| u64::from(rule(order(of, v[0], v[1]).unwrap())),
            );
        }
    }
    for (name, rule) in [
        ("lo", RULES[2].1),
        ("ls", RULES[3].1),
        ("hi", RULES[4].1),
        ("hs", RULES[5].1),
    ] {
        check(
            &format!("setp.{name}.u32 %d, %a, %b;"),
            "pred",
            &["u32"; 2],
            |v| u64::from(rule(v[0].cmp(&v[1]))),
        );
    }
    for of in ["b16", "b32", "b64"] {
        check(
            &format!("setp.eq.{of} %d, %a, %b;"),
            "pred",
            &[of, of],
            |v| u64::from(v[0] == v[1]),
        );
    }
}

#[test]
fn only_unordered_comparisons_hold_for_nan() {
    for of in ["f32", "f64"] {
        for (name, rule) in RULES {
            check(
                &format!("setp.{name}.{of} %d, %a, %b;"),
                "pred",
                &[of, of],
                |v| u64::from(order(of, v[0], v[1]).is_some_and(rule)),
            );
            check(
                &format!("setp.{name}u.{of} %d, %a, %b;"),
                "pred",
                &[of, of],
                |v| u64::from(order(of, v[0], v[1]).is_none_or(rule)),
            );
        }
        check(
            &format!("setp.num.{of} %d, %a, %b;"),
            "pred",
            &[of, of],
            |v| u64::from(order(of, v[0], v[1]).is_some()),
        );
        check(
            &format!("setp.nan.{of} %d, %a, %b;"),
            "pred",
            &[of, of],
            |v| u64::from(order(of, v[0], v[1]).is_none()),
        );
    }
}

#[test]
fn flushed_comparisons_take_subnormals_for_zero() {
    let flushed = |v: u64| {
        let x = f32::from_bits(v as u32);
        if x.is_subnormal() { 0.0 } else { x }
    };
    check("setp.gt.ftz.f32 %d, %a, %b;", "pred", &["f32"; 2], |v| {
        u64::from(flushed(v[0]) > flushed(v[1]))
    });
}

#[test]
fn comparisons_are_joined_with_a_predicate() {
    let joins = [
        ("and", (|a, b| a & b) as fn(bool, bool) -> bool),
        ("or", |a, b| a | b),
        ("xor", |a, b| a ^ b),
    ];
    for (name, join) in joins {
        let text = format!("setp.lt.{name}.s32 %d, %a, %b, %c;");
        check(&text, "pred", &["s32", "s32", "pred"], |v| {
            u64::from(join((v[0] as i32) < v[1] as i32, v[2] != 0))
        });
        let text = format!("setp.lt.{name}.s32 %d, %a, %b, !%c;");
        check(&text, "pred", &["s32", "s32", "pred"], |v| {
            u64::from(join((v[0] as i32) < v[1] as i32, v[2] == 0))
        });
        // The second result is joined after the comparison was negated.
        let text = format!("{{ .reg .pred %p; setp.lt.{name}.s32 %p|%d, %a, %b, %c; }}");
        check(&text, "pred", &["s32", "s32", "pred"], |v| {
            u64::from(join((v[0] as i32) >= v[1] as i32, v[2] != 0))
        });
    }
}

#[test]
fn set_gives_all_ones_or_one() {
    let less = |v: &[u64]| (v[0] as i32) < v[1] as i32;
    check("set.lt.u32.s32 %d, %a, %b;", "u32", &["s32"; 2], |v| {
        if less(v) { 0xffff_ffff } else { 0 }
    });
    check("set.lt.f32.s32 %d, %a, %b;", "f32", &["s32"; 2], |v| {
        if less(v) {
            u64::from(1f32.to_bits())
        } else {
            0
        }
    });
    let both = |v: &[u64]| if less(v) && v[2] != 0 { 0xffff_ffff } else { 0 };
    check(
        "set.lt.and.u32.s32 %d, %a, %b, %c;",
        "u32",
        &["s32", "s32", "pred"],
        both,
    );
}

#[test]
fn floats_have_classes() {
    type Class = (&'static str, fn(f64) -> bool, fn(f32) -> bool);
    let classes: [Class; 6] = [
        ("finite", f64::is_finite, f32::is_finite),
        ("infinite", f64::is_infinite, f32::is_infinite),
        ("number", |x| !x.is_nan(), |x| !x.is_nan()),
        ("notanumber", f64::is_nan, f32::is_nan),
        ("normal", f64::is_normal, f32::is_normal),
        ("subnormal", f64::is_subnormal, f32::is_subnormal),
    ];
    for (name, double, single) in classes {
        check(
            &format!("testp.{name}.f64 %d, %a;"),
            "pred",
            &["f64"],
            |v| u64::from(double(f64::from_bits(v[0]))),
        );
        check(
            &format!("testp.{name}.f32 %d, %a;"),
            "pred",
            &["f32"],
            |v| u64::from(single(f32::from_bits(v[0] as u32))),
        );
    }
}
