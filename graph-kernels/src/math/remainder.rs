//! The remainder of floats without `fmod`, which loops over the bits. It is for operands with a moderate quotient: the quotient is
//! rounded once, and the divisor times the quotient is subtracted from the dividend. No other step rounds, so the bits are those of `%`.

/// True if [`near_f32`] can calculate the remainder: the quotient is below 2²⁷.
#[inline(always)]
pub(crate) fn is_near_f32(a: f32, b: f32) -> bool {
    let reach = b.abs() * (1 << 27) as f32;
    (a.abs() < reach) & (reach < f32::INFINITY)
}

/// `a % b`. In `f64` the product of two `f32` is exact; and a quotient that isn't whole differs from the next whole number by more than
/// its last bit, so it isn't rounded to that number.
#[inline(always)]
pub(crate) fn near_f32(a: f32, b: f32) -> f32 {
    let (wide_a, wide_b) = (f64::from(a), f64::from(b));
    let whole = (wide_a / wide_b).trunc();
    ((wide_a - whole * wide_b) as f32).copysign(a)
}

/// True if [`near_f64`] can calculate the remainder: the quotient is below 2²⁴, and nothing overflows.
#[inline(always)]
pub(crate) fn is_near_f64(a: f64, b: f64) -> bool {
    let reach = b.abs() * (1 << 24) as f64;
    (a.abs() < reach) & (reach <= f64::MAX / 2.0)
}

/// `a % b`. The divisor is split into two parts with half its bits, whose products with the quotient are exact. The quotient is rounded
/// to the nearest whole number, so the remainder is at most half the divisor, and both differences are exact. If the remainder has the
/// wrong sign, the quotient was one too large.
#[inline(always)]
pub(crate) fn near_f64(a: f64, b: f64) -> f64 {
    let whole = (a / b).round_ties_even();
    let high = f64::from_bits(b.to_bits() & !((1 << 27) - 1));
    let low = b - high;
    let rest = (a - whole * high) - whole * low;
    let too_far = (rest < 0.0) != (a < 0.0) && rest != 0.0;
    let rest = if too_far { rest + b.copysign(a) } else { rest };
    rest.copysign(a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Operands with a moderate quotient, including whole and nearly whole quotients.
    fn pairs() -> impl Strategy<Value = (f64, f64)> {
        let near_multiple =
            (any::<f64>(), -70_000i32..70_000, -3i64..4).prop_map(|(b, n, ulps)| {
                let multiple = (b * f64::from(n)).to_bits() as i64;
                (f64::from_bits(multiple.wrapping_add(ulps) as u64), b)
            });
        let free = (any::<f64>(), any::<f64>());
        let moderate = (any::<f64>(), -1e8..1e8f64).prop_map(|(b, q)| (b * q, b));
        let halves = (any::<f64>(), -100i32..100).prop_map(|(b, n)| (b * (f64::from(n) + 0.5), b));
        let subnormal = (0u64..1 << 40, 1u64..1 << 30)
            .prop_map(|(a, b)| (f64::from_bits(a), f64::from_bits(b)));
        prop_oneof![near_multiple, free, moderate, halves, subnormal]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn the_bits_are_those_of_the_exact_remainder((a, b) in pairs()) {
            if is_near_f64(a, b) {
                prop_assert_eq!(near_f64(a, b).to_bits(), (a % b).to_bits(), "{:e} {:e}", a, b);
            }
            let (a, b) = (a as f32, b as f32);
            if is_near_f32(a, b) {
                prop_assert_eq!(near_f32(a, b).to_bits(), (a % b).to_bits(), "{:e} {:e}", a, b);
            }
        }

        #[test]
        fn single_floats_of_any_bits_too(a: u32, b: u32, scale in -27i32..0) {
            let b = f32::from_bits(b);
            for a in [f32::from_bits(a), b * f32::from_bits(a % (1 << 30)), b * 2f32.powi(-scale)] {
                if is_near_f32(a, b) {
                    prop_assert_eq!(near_f32(a, b).to_bits(), (a % b).to_bits(), "{:e} {:e}", a, b);
                }
            }
        }
    }

    #[test]
    fn what_has_no_remainder_is_not_near() {
        for (a, b) in [
            (1.0, 0.0),
            (0.0, 0.0),
            (f64::INFINITY, 1.0),
            (1.0, f64::INFINITY),
            (f64::NAN, 1.0),
            (1.0, f64::NAN),
            (1e300, 1e-300),
        ] {
            assert!(!is_near_f64(a, b), "{a} {b}");
            assert!(!is_near_f32(a as f32, b as f32), "{a} {b}");
        }
        assert!(is_near_f64(-0.0, 3.0) && is_near_f32(-0.0, 3.0));
        assert!(is_near_f64(-1e6, 0.7) && is_near_f32(-1e6, 0.7));
    }
}
