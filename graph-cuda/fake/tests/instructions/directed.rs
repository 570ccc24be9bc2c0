//! The directions of rounding. A result must be the nearest float on its side of the exact value, which is known from arithmetic in
//! more bits.

use crate::table::*;

fn single(v: u64) -> f32 {
    f32::from_bits(v as u32)
}

/// Whether `got` is `exact` rounded in a direction. `exact` has a sign that is right even if the value isn't representable: it is given as
/// a sum of two doubles whose second is much smaller.
fn is_rounded(mode: &str, got: f32, exact: (f64, f64)) -> bool {
    // Compares the exact value with a float.
    let above = |x: f32| {
        let difference = exact.0 - f64::from(x);
        if difference == 0.0 {
            exact.1 > 0.0
        } else {
            difference > 0.0
        }
    };
    let equal = |x: f32| exact.0 == f64::from(x) && exact.1 == 0.0;
    let (down, up) = (
        |x: f32| above(x) && !above(x.next_up()) && !equal(x.next_up()),
        |x: f32| !above(x) && above(x.next_down()),
    );
    equal(got)
        || match mode {
            "rm" => down(got),
            "rp" => up(got) && !equal(got),
            _ => {
                if exact.0 > 0.0 {
                    down(got)
                } else {
                    up(got)
                }
            }
        }
}

/// Numbers without zeros, infinities and extremes, of all signs and of several sizes.
fn ordinary() -> Vec<u64> {
    let mut found: Vec<u64> = vec![];
    for x in crate::compiled::numbers(9, 17) {
        for scale in [1.0, 1e-6, 3e7] {
            found.push(u64::from(((x * scale) as f32).to_bits()));
        }
    }
    found
}

fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let back = sum - a;
    (sum, (a - (sum - back)) + (b - back))
}

fn check_direction(name: &str, count: usize, exact: fn(&[f64]) -> (f64, f64)) {
    for mode in ["rm", "rp", "rz"] {
        let operands = ["%a", "%a, %b", "%a, %b, %c"][count - 1];
        let text = format!("{name}.{mode}.f32 %d, {operands};");
        let all = ordinary();
        let rows: Vec<Vec<u64>> = (0..all.len() * 5)
            .map(|i| {
                (0..count)
                    .map(|j| all[(i * (j * 4 + 1) + j * i / 7) % all.len()])
                    .collect()
            })
            .collect();
        let found = results(&text, "f32", &vec!["f32"; count], &rows);
        for (row, got) in rows.iter().zip(found) {
            let exact = exact(
                &row.iter()
                    .map(|v| f64::from(single(*v)))
                    .collect::<Vec<_>>(),
            );
            assert!(
                is_rounded(mode, single(got), exact),
                "`{text}` of {row:x?} is {:e}, exactly {exact:?}",
                single(got)
            );
        }
    }
}

#[test]
fn sums_and_products_are_rounded_in_all_directions() {
    check_direction("add", 2, |v| two_sum(v[0], v[1]));
    check_direction("sub", 2, |v| two_sum(v[0], -v[1]));
    check_direction("mul", 2, |v| (v[0] * v[1], 0.0));
    check_direction("fma", 3, |v| two_sum(v[0] * v[1], v[2]));
}

#[test]
fn quotients_are_rounded_in_all_directions() {
    // The remainder tells on which side of the double the quotient is.
    check_direction("div", 2, |v| {
        let q = v[0] / v[1];
        (q, (-q).mul_add(v[1], v[0]) / v[1])
    });
    check_direction("rcp", 1, |v| {
        let q = 1.0 / v[0];
        (q, (-q).mul_add(v[0], 1.0) / v[0])
    });
}

#[test]
fn directions_hold_in_double_precision_and_at_the_ends() {
    let big = f64::MAX.to_bits();
    let rows = [vec![big, big]];
    for (text, want) in [
        ("add.rz.f64", f64::MAX),
        ("add.rm.f64", f64::MAX),
        ("add.rp.f64", f64::INFINITY),
    ] {
        assert_eq!(
            results(&format!("{text} %d, %a, %b;"), "f64", &["f64"; 2], &rows),
            [want.to_bits()]
        );
    }
    let (third, one) = (3f64.to_bits(), 1f64.to_bits());
    let rows = [vec![one, third]];
    let nearest: f64 = 1.0 / 3.0; // It is below a third: 3 times it is less than 1 in exact arithmetic.
    assert!(nearest.mul_add(3.0, -1.0) < 0.0);
    for (text, want) in [
        ("div.rm.f64", nearest),
        ("div.rz.f64", nearest),
        ("div.rp.f64", nearest.next_up()),
    ] {
        assert_eq!(
            results(&format!("{text} %d, %a, %b;"), "f64", &["f64"; 2], &rows),
            [want.to_bits()]
        );
    }
}
