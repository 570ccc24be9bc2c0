//! The 16-bit floats. Their values are enumerated, so the expected results don't depend on how the interpreter rounds.

use crate::table::*;

/// The value of each bit pattern of a 16-bit float, written from the definition of the format.
fn value(of: &str, v: u64) -> f64 {
    let (fraction_bits, bias) = if of == "f16" { (10, 15) } else { (7, 127) };
    let sign = if v >> 15 & 1 != 0 { -1.0 } else { 1.0 };
    let fraction = (v & ((1 << fraction_bits) - 1)) as f64 / f64::from(1 << fraction_bits);
    let exponent = (v >> fraction_bits & ((1 << (15 - fraction_bits)) - 1)) as i32;
    let all = (1 << (15 - fraction_bits)) - 1;
    sign * match exponent {
        0 => fraction * 2f64.powi(1 - bias),
        e if e == all => {
            if fraction == 0.0 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        }
        e => (1.0 + fraction) * 2f64.powi(e - bias),
    }
}

/// The nearest pattern to a value, found by search; ties go to the even one. `x` must be exact, or not near a tie.
fn nearest(of: &str, x: f64) -> u64 {
    let infinity = if of == "f16" { 0x7c00u64 } else { 0x7f80 };
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    if x.is_nan() {
        return infinity + 1;
    }
    let size = x.abs();
    let below = (0..infinity)
        .rev()
        .find(|v| value(of, *v) <= size)
        .unwrap_or(0);
    // Beyond the largest, infinity counts as the next power of two.
    let next = if below + 1 == infinity {
        2.0 * value(of, infinity - (1 << if of == "f16" { 10 } else { 7 }))
    } else {
        value(of, below + 1)
    };
    let (low, high) = (size - value(of, below), next - size);
    sign | if size.is_infinite() {
        infinity
    } else if high < low || high == low && below & 1 != 0 {
        below + 1
    } else {
        below
    }
}

fn singles() -> Vec<u64> {
    let mut found = values("f32");
    for x in crate::compiled::numbers(40, 5) {
        for scale in [1.0, 1e-6, 6e4, 1e-39, 1e30] {
            found.push(u64::from(((x * scale) as f32).to_bits()));
        }
    }
    // Ties, and the border of overflow.
    for x in [
        1.0 + 1.0 / 2048.0,
        1.0 + 3.0 / 2048.0,
        65519.0,
        65520.0,
        1.0 + 1.0 / 256.0,
        1.0 + 3.0 / 256.0,
    ] {
        found.push(u64::from((x as f32).to_bits()));
    }
    found
}

#[test]
fn singles_become_the_nearest_small_float() {
    for of in ["f16", "bf16"] {
        check_lists(
            &format!("cvt.rn.{of}.f32 %d, %a;"),
            of,
            &["f32"],
            &[singles()],
            |v| nearest(of, f64::from(f32::from_bits(v[0] as u32))),
        );
    }
}

#[test]
fn small_floats_become_singles_exactly() {
    for of in ["f16", "bf16"] {
        let all: Vec<u64> = (0..1 << 16).collect();
        check_lists(
            &format!("cvt.f32.{of} %d, %a;"),
            "f32",
            &[of],
            &[all],
            |v| u64::from((value(of, v[0]) as f32).to_bits()),
        );
    }
}

#[test]
fn small_floats_become_integers_and_back() {
    check("cvt.rzi.s32.f16 %d, %a;", "s32", &["f16"], |v| {
        value("f16", v[0]) as i32 as u64
    });
    check("cvt.rn.f16.s32 %d, %a;", "f16", &["s32"], |v| {
        nearest("f16", f64::from(v[0] as i32))
    });
}

#[test]
fn small_arithmetic_is_rounded_once() {
    // Sums and products of so few bits are exact in doubles; the values aren't so far apart that a sum isn't.
    for of in ["f16", "bf16"] {
        let few: Vec<u64> = values(of)
            .into_iter()
            .filter(|v| of == "f16" || (0x2000..0x6000).contains(&(v & 0x7fff)) || v & 0x7fff == 0)
            .collect();
        let lists = [few.clone(), few.clone()];
        check_lists(
            &format!("add.rn.{of} %d, %a, %b;"),
            of,
            &[of; 2],
            &lists,
            |v| nearest(of, value(of, v[0]) + value(of, v[1])),
        );
        check_lists(
            &format!("mul.rn.{of} %d, %a, %b;"),
            of,
            &[of; 2],
            &lists,
            |v| nearest(of, value(of, v[0]) * value(of, v[1])),
        );
    }
    // The product is in the middle between two floats, the sum isn't, and a double can't tell.
    let row = |c| vec![0x3fc0, 0x3f81, c];
    let rows = [row(0), row(0xa180), row(0x2180)];
    let sums = results("fma.rn.bf16 %d, %a, %b, %c;", "bf16", &["bf16"; 3], &rows);
    assert_eq!(sums, [0x3fc2, 0x3fc1, 0x3fc2]);
    check("fma.rn.f16 %d, %a, %b, %c;", "f16", &["f16"; 3], |v| {
        let exact = value("f16", v[0]).mul_add(value("f16", v[1]), value("f16", v[2]));
        nearest("f16", exact)
    });
}

#[test]
fn small_floats_are_compared() {
    check("setp.lt.f16 %d, %a, %b;", "pred", &["f16"; 2], |v| {
        u64::from(value("f16", v[0]) < value("f16", v[1]))
    });
    check("setp.geu.bf16 %d, %a, %b;", "pred", &["bf16"; 2], |v| {
        let (a, b) = (value("bf16", v[0]), value("bf16", v[1]));
        u64::from(a >= b || a.is_nan() || b.is_nan())
    });
    check("neg.f16 %d, %a;", "f16", &["f16"], |v| v[0] ^ 0x8000);
    check("abs.bf16 %d, %a;", "bf16", &["bf16"], |v| v[0] & 0x7fff);
}
