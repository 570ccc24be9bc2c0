//! Float arithmetic, rounded to nearest.

use crate::table::*;

fn single(v: u64) -> f32 {
    f32::from_bits(v as u32)
}

fn bits32(x: f32) -> u64 {
    u64::from(x.to_bits())
}

/// Checks an instruction in both precisions.
fn both(name: &str, count: usize, want: fn(&[f64]) -> f64, want32: fn(&[f32]) -> f32) {
    let operands = ["%a", "%a, %b", "%a, %b, %c"][count - 1];
    check(
        &format!("{name}.f64 %d, {operands};"),
        "f64",
        &vec!["f64"; count],
        |v| want(&v.iter().map(|v| f64::from_bits(*v)).collect::<Vec<_>>()).to_bits(),
    );
    check(
        &format!("{name}.f32 %d, {operands};"),
        "f32",
        &vec!["f32"; count],
        |v| bits32(want32(&v.iter().map(|v| single(*v)).collect::<Vec<_>>())),
    );
}

#[test]
fn arithmetic_is_that_of_the_type() {
    both("add", 2, |v| v[0] + v[1], |v| v[0] + v[1]);
    both("add.rn", 2, |v| v[0] + v[1], |v| v[0] + v[1]);
    both("sub", 2, |v| v[0] - v[1], |v| v[0] - v[1]);
    both("mul", 2, |v| v[0] * v[1], |v| v[0] * v[1]);
    both("div.rn", 2, |v| v[0] / v[1], |v| v[0] / v[1]);
    both("sqrt.rn", 1, |v| v[0].sqrt(), |v| v[0].sqrt());
    both("rcp.rn", 1, |v| 1.0 / v[0], |v| 1.0 / v[0]);
}

#[test]
fn fused_products_are_rounded_once() {
    both(
        "fma.rn",
        3,
        |v| v[0].mul_add(v[1], v[2]),
        |v| v[0].mul_add(v[1], v[2]),
    );
    both(
        "mad.rn",
        3,
        |v| v[0].mul_add(v[1], v[2]),
        |v| v[0].mul_add(v[1], v[2]),
    );
}

#[test]
fn signs_are_bits() {
    both("neg", 1, |v| -v[0], |v| -v[0]);
    both("abs", 1, |v| v[0].abs(), |v| v[0].abs());
    both(
        "copysign",
        2,
        |v| v[1].copysign(v[0]),
        |v| v[1].copysign(v[0]),
    );
}

/// The smaller, where `-0` is less than `+0`; a number rather than NaN.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() {
        b
    } else if b.is_nan() || a < b || a == b && a.is_sign_negative() {
        a
    } else {
        b
    }
}

#[test]
fn the_smaller_is_a_number_if_there_is_one() {
    both(
        "min",
        2,
        |v| smaller(v[0], v[1]),
        |v| smaller(v[0].into(), v[1].into()) as f32,
    );
    both(
        "max",
        2,
        |v| -smaller(-v[0], -v[1]),
        |v| -smaller((-v[0]).into(), (-v[1]).into()) as f32,
    );
}

#[test]
fn the_smaller_with_nan_is_nan() {
    let nan = |v: &[u64]| v.iter().any(|v| single(*v).is_nan());
    let low = |v: &[u64]| {
        bits32(if nan(v) {
            f32::NAN
        } else {
            smaller(single(v[0]).into(), single(v[1]).into()) as f32
        })
    };
    check("min.NaN.f32 %d, %a, %b;", "f32", &["f32"; 2], low);
    let high = |v: &[u64]| {
        bits32(if nan(v) {
            f32::NAN
        } else {
            -smaller((-single(v[0])).into(), (-single(v[1])).into()) as f32
        })
    };
    check("max.NaN.f32 %d, %a, %b;", "f32", &["f32"; 2], high);
}

#[test]
fn approximations_are_close() {
    type Approximation = (&'static str, fn(f64) -> f64);
    let all: [Approximation; 8] = [
        ("rcp.approx", |x| 1.0 / x),
        ("sqrt.approx", f64::sqrt),
        ("rsqrt.approx", |x| 1.0 / x.sqrt()),
        ("ex2.approx", f64::exp2),
        ("lg2.approx", f64::log2),
        ("sin.approx", f64::sin),
        ("cos.approx", f64::cos),
        ("tanh.approx", f64::tanh),
    ];
    for (name, exact) in all {
        check(&format!("{name}.f32 %d, %a;"), "f32", &["f32"], |v| {
            bits32(exact(single(v[0]).into()) as f32)
        });
    }
    check("div.approx.f32 %d, %a, %b;", "f32", &["f32"; 2], |v| {
        bits32(single(v[0]) / single(v[1]))
    });
    check("div.full.f32 %d, %a, %b;", "f32", &["f32"; 2], |v| {
        bits32(single(v[0]) / single(v[1]))
    });
    check("rsqrt.approx.f64 %d, %a;", "f64", &["f64"], |v| {
        (1.0 / f64::from_bits(v[0]).sqrt()).to_bits()
    });
}

/// Zero of the same sign for a subnormal.
fn flush(x: f32) -> f32 {
    if x.is_subnormal() {
        0f32.copysign(x)
    } else {
        x
    }
}

#[test]
fn flushing_drops_subnormal_operands_and_results() {
    check("add.ftz.f32 %d, %a, %b;", "f32", &["f32"; 2], |v| {
        bits32(flush(flush(single(v[0])) + flush(single(v[1]))))
    });
    check("mul.ftz.f32 %d, %a, %b;", "f32", &["f32"; 2], |v| {
        bits32(flush(flush(single(v[0])) * flush(single(v[1]))))
    });
    check("ex2.approx.ftz.f32 %d, %a;", "f32", &["f32"], |v| {
        bits32(flush(flush(single(v[0])).exp2()))
    });
    check("rcp.approx.ftz.f64 %d, %a;", "f64", &["f64"], |v| {
        let flush = |x: f64| {
            if x.is_subnormal() {
                0f64.copysign(x)
            } else {
                x
            }
        };
        flush(1.0 / flush(f64::from_bits(v[0]))).to_bits()
    });
}

#[test]
fn saturation_is_between_zero_and_one() {
    let saturated = |x: f32| bits32(if x > 0.0 { x.min(1.0) } else { 0.0 });
    check("add.sat.f32 %d, %a, %b;", "f32", &["f32"; 2], |v| {
        saturated(single(v[0]) + single(v[1]))
    });
    check("fma.rn.sat.f32 %d, %a, %b, %c;", "f32", &["f32"; 3], |v| {
        saturated(single(v[0]).mul_add(single(v[1]), single(v[2])))
    });
}

#[test]
fn literals_have_the_type_of_the_instruction() {
    check("add.f32 %d, %a, 0f3FC00000;", "f32", &["f32"], |v| {
        bits32(single(v[0]) + 1.5)
    });
    check("add.f64 %d, %a, 1.5e-3;", "f64", &["f64"], |v| {
        (f64::from_bits(v[0]) + 1.5e-3).to_bits()
    });
    check("add.f32 %d, %a, 1.5;", "f32", &["f32"], |v| {
        bits32(single(v[0]) + 1.5)
    });
    check(
        "add.f64 %d, %a, 0dBFF8000000000000;",
        "f64",
        &["f64"],
        |v| (f64::from_bits(v[0]) - 1.5).to_bits(),
    );
    check("add.s32 %d, %a, -7;", "s32", &["s32"], |v| {
        (v[0] as i32).wrapping_sub(7) as u64
    });
    check("xor.b32 %d, %a, 0xF0F0F0F0;", "b32", &["b32"], |v| {
        v[0] ^ 0xF0F0_F0F0
    });
}
