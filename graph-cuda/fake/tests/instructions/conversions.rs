//! Conversions between integers and floats.

use crate::table::*;

const INTEGERS: [&str; 8] = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"];

fn wide(of: &str, v: u64) -> i128 {
    let unused = 128 - bits(of);
    if of.starts_with('s') {
        (i128::from(v) << unused) >> unused
    } else {
        i128::from(v & mask(of))
    }
}

fn range(of: &str) -> (i128, i128) {
    let n = bits(of);
    if of.starts_with('s') {
        (-(1 << (n - 1)), (1 << (n - 1)) - 1)
    } else {
        (0, (1 << n) - 1)
    }
}

fn float(of: &str, v: u64) -> f64 {
    if of == "f32" {
        f64::from(f32::from_bits(v as u32))
    } else {
        f64::from_bits(v)
    }
}

#[test]
fn integers_are_extended_or_cut() {
    for s in INTEGERS {
        for d in INTEGERS {
            check(&format!("cvt.{d}.{s} %d, %a;"), d, &[s], |v| {
                wide(s, v[0]) as u64
            });
        }
    }
}

#[test]
fn saturating_conversions_stop_at_the_ends() {
    for (s, d) in [
        ("s32", "u8"),
        ("s32", "s8"),
        ("u32", "s16"),
        ("s64", "s32"),
        ("s64", "u32"),
        ("u64", "s64"),
        ("s16", "u16"),
    ] {
        let (low, high) = range(d);
        check(&format!("cvt.sat.{d}.{s} %d, %a;"), d, &[s], |v| {
            wide(s, v[0]).clamp(low, high) as u64
        });
    }
}

/// Rounds a float to an integer, as a float.
fn integral(mode: &str, x: f64) -> f64 {
    match mode {
        "rni" => x.round_ties_even(),
        "rzi" => x.trunc(),
        "rmi" => x.floor(),
        _ => x.ceil(),
    }
}

fn floats(of: &str) -> Vec<u64> {
    let mut found = values(of);
    for x in [
        0.5f64,
        1.5,
        2.5,
        -0.5,
        -2.5,
        0.49999,
        127.5,
        128.0,
        255.5,
        256.0,
        32767.5,
        65536.0,
        2147483648.0,
        -2147483649.0,
        4294967296.0,
        9.3e18,
        1.9e19,
        -9.3e18,
    ] {
        found.push(if of == "f32" {
            u64::from((x as f32).to_bits())
        } else {
            x.to_bits()
        });
    }
    found
}

#[test]
fn floats_become_the_nearest_integer_that_there_is() {
    for s in ["f32", "f64"] {
        for d in INTEGERS {
            for mode in ["rni", "rzi", "rmi", "rpi"] {
                let (low, high) = range(d);
                check_lists(
                    &format!("cvt.{mode}.{d}.{s} %d, %a;"),
                    d,
                    &[s],
                    &[floats(s)],
                    |v| {
                        let x = integral(mode, float(s, v[0]));
                        if x.is_nan() {
                            0
                        } else if x.abs() < 1e30 {
                            (x as i128).clamp(low, high) as u64
                        } else if x > 0.0 {
                            high as u64
                        } else {
                            low as u64
                        }
                    },
                );
            }
        }
    }
}

#[test]
fn floats_are_rounded_to_integers_of_their_type() {
    for of in ["f32", "f64"] {
        for mode in ["rni", "rzi", "rmi", "rpi"] {
            check_lists(
                &format!("cvt.{mode}.{of}.{of} %d, %a;"),
                of,
                &[of],
                &[floats(of)],
                |v| {
                    let x = integral(mode, float(of, v[0]));
                    if of == "f32" {
                        u64::from((x as f32).to_bits())
                    } else {
                        x.to_bits()
                    }
                },
            );
        }
    }
}

#[test]
fn integers_become_the_nearest_float() {
    for s in INTEGERS {
        check(&format!("cvt.rn.f32.{s} %d, %a;"), "f32", &[s], |v| {
            u64::from((wide(s, v[0]) as f32).to_bits())
        });
        check(&format!("cvt.rn.f64.{s} %d, %a;"), "f64", &[s], |v| {
            (wide(s, v[0]) as f64).to_bits()
        });
    }
}

#[test]
fn integers_become_floats_on_the_side_of_the_direction() {
    for s in ["s64", "u64"] {
        for mode in ["rm", "rp", "rz"] {
            check(&format!("cvt.{mode}.f64.{s} %d, %a;"), "f64", &[s], |v| {
                let exact = wide(s, v[0]);
                let x = exact as f64;
                let down = mode == "rm" || mode == "rz" && exact > 0;
                let fixed = match (x as i128).cmp(&exact) {
                    std::cmp::Ordering::Greater if down => x.next_down(),
                    std::cmp::Ordering::Less if !down => x.next_up(),
                    _ => x,
                };
                fixed.to_bits()
            });
        }
    }
}

#[test]
fn floats_change_their_precision() {
    check("cvt.f64.f32 %d, %a;", "f64", &["f32"], |v| {
        f64::from(f32::from_bits(v[0] as u32)).to_bits()
    });
    check_lists(
        "cvt.rn.f32.f64 %d, %a;",
        "f32",
        &["f64"],
        &[floats("f64")],
        |v| u64::from((f64::from_bits(v[0]) as f32).to_bits()),
    );
    for mode in ["rm", "rp", "rz"] {
        check_lists(
            &format!("cvt.{mode}.f32.f64 %d, %a;"),
            "f32",
            &["f64"],
            &[floats("f64")],
            |v| {
                let exact = f64::from_bits(v[0]);
                let x = exact as f32;
                let down = mode == "rm" || mode == "rz" && exact > 0.0;
                let fixed = match f64::from(x).partial_cmp(&exact) {
                    Some(std::cmp::Ordering::Greater) if down => x.next_down(),
                    Some(std::cmp::Ordering::Less) if !down => x.next_up(),
                    _ => x,
                };
                u64::from(fixed.to_bits())
            },
        );
    }
}

#[test]
fn saturating_floats_are_between_zero_and_one() {
    check("cvt.sat.f32.f32 %d, %a;", "f32", &["f32"], |v| {
        let x = f32::from_bits(v[0] as u32);
        u64::from((if x > 0.0 { x.min(1.0) } else { 0.0 }).to_bits())
    });
}

#[test]
fn converted_integers_extend_their_sign_in_wider_registers() {
    check(
        "{ .reg .b32 %x; cvt.s8.s32 %x, %a; mov.b32 %d, %x; }",
        "b32",
        &["s32"],
        |v| i64::from(v[0] as i8) as u64,
    );
    check(
        "{ .reg .b32 %x; cvt.u16.u32 %x, %a; mov.b32 %d, %x; }",
        "b32",
        &["u32"],
        |v| v[0] & 0xffff,
    );
}
