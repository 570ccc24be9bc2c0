//! Logic, shifts and fields. The expected values are computed bit by bit, as the documentation of PTX defines them.

use crate::table::*;

const SIZES: [&str; 3] = ["b16", "b32", "b64"];

#[test]
fn logic_is_bitwise() {
    for of in SIZES {
        for (name, f) in [
            ("and", (|a, b| a & b) as fn(u64, u64) -> u64),
            ("or", |a, b| a | b),
            ("xor", |a, b| a ^ b),
        ] {
            check(&format!("{name}.{of} %d, %a, %b;"), of, &[of, of], |v| {
                f(v[0], v[1])
            });
        }
        check(&format!("not.{of} %d, %a;"), of, &[of], |v| !v[0]);
        check(&format!("cnot.{of} %d, %a;"), of, &[of], |v| {
            u64::from(v[0] == 0)
        });
    }
}

#[test]
fn predicates_have_logic() {
    for (name, f) in [
        ("and", (|a, b| a & b) as fn(u64, u64) -> u64),
        ("or", |a, b| a | b),
        ("xor", |a, b| a ^ b),
    ] {
        check(
            &format!("{name}.pred %d, %a, %b;"),
            "pred",
            &["pred", "pred"],
            |v| f(v[0], v[1]),
        );
    }
    check("not.pred %d, %a;", "pred", &["pred"], |v| 1 - v[0]);
    check("mov.pred %d, %a;", "pred", &["pred"], |v| v[0]);
}

#[test]
fn shifts_beyond_the_size_leave_nothing_but_the_sign() {
    let amounts = vec![
        0,
        1,
        5,
        15,
        16,
        31,
        32,
        33,
        63,
        64,
        65,
        1 << 20,
        0xffff_ffff,
    ];
    for of in SIZES {
        let n = u64::from(bits(of));
        let lists = [values(of), amounts.clone()];
        check_lists(
            &format!("shl.{of} %d, %a, %b;"),
            of,
            &[of, "u32"],
            &lists,
            |v| if v[1] >= n { 0 } else { v[0] << v[1] },
        );
        check_lists(
            &format!("shr.{of} %d, %a, %b;"),
            of,
            &[of, "u32"],
            &lists,
            |v| if v[1] >= n { 0 } else { v[0] >> v[1] },
        );
        let signed = of.replace('b', "s");
        let want = |v: &[u64]| (((v[0] << (64 - n)) as i64 >> (64 - n)) >> v[1].min(63)) as u64;
        check_lists(
            &format!("shr.{signed} %d, %a, %b;"),
            &signed,
            &[&signed, "u32"],
            &lists,
            want,
        );
    }
}

#[test]
fn bits_are_counted_found_and_reversed() {
    for of in ["b32", "b64"] {
        let n = bits(of);
        let set = |v: u64| (0..n).filter(move |i| v >> i & 1 != 0);
        check(&format!("popc.{of} %d, %a;"), "u32", &[of], |v| {
            set(v[0]).count() as u64
        });
        check(&format!("clz.{of} %d, %a;"), "u32", &[of], |v| {
            u64::from(set(v[0]).next_back().map_or(n, |i| n - 1 - i))
        });
        check(&format!("brev.{of} %d, %a;"), of, &[of], |v| {
            set(v[0]).map(|i| 1 << (n - 1 - i)).sum()
        });
    }
    for of in ["u32", "s32", "u64", "s64"] {
        let n = bits(of);
        let last = |v: u64| {
            let v = if of.starts_with('s') && v >> (n - 1) & 1 != 0 {
                !v
            } else {
                v
            };
            (0..n)
                .rfind(|i| v >> i & 1 != 0)
                .map_or(0xffff_ffff, u64::from)
        };
        check(&format!("bfind.{of} %d, %a;"), "u32", &[of], |v| last(v[0]));
        let shift = |v: &[u64]| {
            if last(v[0]) == 0xffff_ffff {
                last(v[0])
            } else {
                u64::from(n) - 1 - last(v[0])
            }
        };
        check(&format!("bfind.shiftamt.{of} %d, %a;"), "u32", &[of], shift);
    }
}

/// `bfe` as PTX defines it.
fn extracted(of: &str, a: u64, at: u64, length: u64) -> u64 {
    let last = u64::from(bits(of)) - 1;
    let (at, length) = (at & 0xff, length & 0xff);
    let bit = |i: u64| a >> i & 1;
    let sign = if of.starts_with('u') || length == 0 {
        0
    } else {
        bit((at + length - 1).min(last))
    };
    (0..=last)
        .map(|i| {
            (if i < length && at + i <= last {
                bit(at + i)
            } else {
                sign
            }) << i
        })
        .sum()
}

/// `bfi` as PTX defines it.
fn inserted(of: &str, a: u64, b: u64, at: u64, length: u64) -> u64 {
    let last = u64::from(bits(of)) - 1;
    let (at, length) = (at & 0xff, length & 0xff);
    (0..length).filter(|i| at + i <= last).fold(b, |found, i| {
        found & !(1 << (at + i)) | (a >> i & 1) << (at + i)
    })
}

#[test]
fn fields_are_extracted_and_inserted() {
    let places = vec![0, 1, 8, 31, 32, 40, 63, 64, 255, 256];
    for of in ["u32", "s32", "u64", "s64"] {
        let lists = [values(of), places.clone(), places.clone()];
        check_lists(
            &format!("bfe.{of} %d, %a, %b, %c;"),
            of,
            &[of, "u32", "u32"],
            &lists,
            |v| extracted(of, v[0], v[1], v[2]),
        );
    }
    for of in ["b32", "b64"] {
        let few = vec![0, mask(of), 0x1234_5678_9abc_def0 & mask(of)];
        let lists = [few.clone(), few, places.clone(), places.clone()];
        let want = |v: &[u64]| inserted(of, v[0], v[1], v[2], v[3]);
        check_lists(
            &format!("bfi.{of} %d, %a, %b, %c, %e;"),
            of,
            &[of, of, "u32", "u32"],
            &lists,
            want,
        );
    }
}

#[test]
fn bytes_are_permuted() {
    let picks: Vec<u64> = vec![0x3210, 0x7654, 0x0000, 0x4567, 0x8888, 0xf91a, 0x1_3210];
    let lists = [values("b32"), values("b32"), picks];
    check_lists(
        "prmt.b32 %d, %a, %b, %c;",
        "b32",
        &["b32"; 3],
        &lists,
        |v| {
            let bytes = [
                v[0].to_le_bytes()[..4].to_vec(),
                v[1].to_le_bytes()[..4].to_vec(),
            ]
            .concat();
            let pick = |i: u32| {
                let nibble = (v[2] >> (4 * i) & 0xf) as usize;
                let byte = bytes[nibble & 7];
                if nibble < 8 {
                    byte
                } else if byte >= 0x80 {
                    0xff
                } else {
                    0
                }
            };
            u64::from(u32::from_le_bytes([pick(0), pick(1), pick(2), pick(3)]))
        },
    );
}

#[test]
fn tables_of_three_bits_are_looked_up() {
    for table in [0x80u64, 0xe8, 0x96, 0x1b, 0xff, 0] {
        check(
            &format!("lop3.b32 %d, %a, %b, %c, {table};"),
            "b32",
            &["b32"; 3],
            |v| {
                (0..32)
                    .map(|i| {
                        (table >> ((v[0] >> i & 1) * 4 + (v[1] >> i & 1) * 2 + (v[2] >> i & 1)) & 1)
                            << i
                    })
                    .sum()
            },
        );
    }
}

#[test]
fn funnel_shifts_join_two_words() {
    let lists = [
        values("b32"),
        values("b32"),
        vec![0, 1, 8, 31, 32, 33, 40, 1000],
    ];
    for wrap in [true, false] {
        let amount = move |c: u64| if wrap { c % 32 } else { c.min(32) };
        let joined = |v: &[u64]| v[1] << 32 | v[0];
        let mode = if wrap { "wrap" } else { "clamp" };
        let of = ["b32", "b32", "u32"];
        check_lists(
            &format!("shf.l.{mode}.b32 %d, %a, %b, %c;"),
            "b32",
            &of,
            &lists,
            |v| joined(v) << amount(v[2]) >> 32,
        );
        check_lists(
            &format!("shf.r.{mode}.b32 %d, %a, %b, %c;"),
            "b32",
            &of,
            &lists,
            |v| joined(v) >> amount(v[2]),
        );
    }
}

#[test]
fn words_are_split_and_joined() {
    check(
        "{ .reg .b32 %lo, %hi; mov.b64 {%lo, %hi}, %a; mov.b64 %d, {%hi, %lo}; }",
        "b64",
        &["b64"],
        |v| v[0].rotate_left(32),
    );
    check(
        "{ .reg .b16 %lo, %hi; mov.b32 {%lo, %hi}, %a; mov.b32 %d, {%hi, %lo}; }",
        "b32",
        &["b32"],
        |v| (v[0] >> 16) | v[0] << 16,
    );
    let text =
        "{ .reg .b16 %p, %q, %r, %s; mov.b64 {%p, %q, %r, %s}, %a; mov.b64 %d, {%s, %r, %q, %p}; }";
    check(text, "b64", &["b64"], |v| {
        (0..4)
            .map(|i| (v[0] >> (16 * i) & 0xffff) << (48 - 16 * i))
            .sum()
    });
    check(
        "{ .reg .b32 %hi; mov.b64 {_, %hi}, %a; mov.b32 %d, %hi; }",
        "b32",
        &["b64"],
        |v| v[0] >> 32,
    );
}

#[test]
fn selections_follow_a_predicate_or_a_sign() {
    for of in ["b16", "u32", "s64", "f32", "f64"] {
        check(
            &format!("selp.{of} %d, %a, %b, %c;"),
            of,
            &[of, of, "pred"],
            |v| if v[2] != 0 { v[0] } else { v[1] },
        );
    }
    check(
        "slct.u32.s32 %d, %a, %b, %c;",
        "u32",
        &["u32", "u32", "s32"],
        |v| if v[2] as i32 >= 0 { v[0] } else { v[1] },
    );
    let by_float = |v: &[u64]| {
        if f32::from_bits(v[2] as u32) >= 0.0 {
            v[0]
        } else {
            v[1]
        }
    };
    check(
        "slct.b64.f32 %d, %a, %b, %c;",
        "b64",
        &["b64", "b64", "f32"],
        by_float,
    );
}
