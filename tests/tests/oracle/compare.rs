//! Compares an array with the one that a library returned.

use graph_runtime::{Array, DType};

use crate::bits;
use crate::record::{Recorded, Values, crc, shown};

/// How far floats may be apart.
#[derive(Clone, Copy)]
pub struct Bound {
    /// The distance in units in the last place; 0 means that all bits are equal.
    pub ulps: f64,
    /// The distance is measured in units of a number at least this large.
    pub scale: f64,
    /// Whether 0 and -0 are equal.
    pub zeros_are_one: bool,
}

/// The largest distance of two arrays in units in the last place, or an error that names the first value that is too far off.
pub fn compare(actual: &Array, expected: &Recorded, bound: Bound) -> Result<f64, String> {
    let dtype = actual.dtype();
    if (dtype.name(), actual.shape()) != (expected.dtype.as_str(), &expected.shape) {
        let (name, shape) = (dtype.name(), actual.shape());
        let (other, expected) = (&expected.dtype, &expected.shape);
        return Err(format!("{name}{shape:?}, not {other}{expected:?}"));
    }
    let expected_bits = match &expected.values {
        Values::Texts(texts) => return same_texts(actual, texts),
        Values::Bits(bits) => bits,
    };
    let all = bits::of(actual);
    let mut most = 0f64;
    for (at, expected) in shown(all.len()).into_iter().zip(expected_bits) {
        let off = off([all[at], *expected], dtype, bound);
        if off > bound.ulps {
            let [actual, expected] = [all[at], *expected].map(|bits| bits::value(bits, dtype));
            return Err(format!(
                "value {at} is {actual:e}, not {expected:e}, {off:.1} ulps"
            ));
        }
        most = most.max(off);
    }
    let is_exact = !dtype.is_float() || bound.ulps == 0.0 && !bound.zeros_are_one;
    match expected.crc {
        Some(expected) if is_exact && crc(dtype, &all) != expected => {
            Err("a value that isn't recorded is another one".to_owned())
        }
        _ => Ok(most),
    }
}

/// The distance of two values, in units in the last place of a number at least as large as the bound's scale.
fn off(pair: [u64; 2], dtype: DType, bound: Bound) -> f64 {
    if pair[0] == pair[1] {
        return 0.0;
    }
    let [actual, expected] = pair.map(|bits| bits::value(bits, dtype));
    if dtype.is_float() && (bound.zeros_are_one || bound.ulps > 0.0) && actual == expected {
        return 0.0;
    }
    if !dtype.is_float() || bound.ulps == 0.0 || actual.is_nan() || expected.is_nan() {
        return f64::INFINITY;
    }
    let [step, least, largest] = bits::limits(dtype);
    // An infinity counts as the number after the largest one.
    let beyond = largest * (1.0 + step / 2.0);
    let [actual, expected] = [actual, expected].map(|v| v.clamp(-beyond, beyond));
    let size = expected.abs().max(bound.scale).max(least);
    (actual / size - expected / size).abs() / step
}

fn same_texts(actual: &Array, expected: &[String]) -> Result<f64, String> {
    match actual.values::<String>() == Some(expected) {
        true => Ok(0.0),
        false => Err(format!("{actual:?}, not {expected:?}")),
    }
}
