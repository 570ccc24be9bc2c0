//! Whether two arrays are the same: to the bit, or up to rounding.

use graph_kernels::{Array, DType, Element, bf16, f16};

/// The dtype, shape and values of an array as text; floats by their bits. All NaNs are equal, because the bits of an operation's result on two
/// NaNs depend on the machine's instructions.
///
/// ```
/// use graph_device_tests::compare::exact;
/// use graph_kernels::Array;
///
/// let nan = |bits| Array::scalar(f32::from_bits(bits));
/// assert_eq!(exact(&nan(0x7fc0_0000)), exact(&nan(0xffc0_0001)));
/// assert_ne!(exact(&Array::scalar(0.0f32)), exact(&Array::scalar(-0.0f32)));
/// ```
pub fn exact(array: &Array) -> String {
    fn list<T: Element, R: std::fmt::Debug>(array: &Array, show: impl Fn(&T) -> R) -> String {
        let values = array.values::<T>().unwrap_or_default().iter();
        let values: Vec<R> = values.map(show).collect();
        format!("{}{:?} {values:?}", array.dtype(), array.shape())
    }
    match array.dtype() {
        DType::F32 => list(array, |v: &f32| {
            if v.is_nan() { f32::NAN } else { *v }.to_bits()
        }),
        DType::F64 => list(array, |v: &f64| {
            if v.is_nan() { f64::NAN } else { *v }.to_bits()
        }),
        DType::F16 => list(array, |v: &f16| {
            if v.is_nan() { f16::NAN } else { *v }.to_bits()
        }),
        DType::BF16 => list(array, |v: &bf16| {
            if v.is_nan() { bf16::NAN } else { *v }.to_bits()
        }),
        DType::I32 => list(array, |v: &i32| *v),
        DType::I64 => list(array, |v: &i64| *v),
        DType::U8 => list(array, |v: &u8| *v),
        DType::I8 => list(array, |v: &i8| *v),
        DType::I16 => list(array, |v: &i16| *v),
        DType::U16 => list(array, |v: &u16| *v),
        DType::U32 => list(array, |v: &u32| *v),
        DType::U64 => list(array, |v: &u64| *v),
        DType::Bool => list(array, |v: &bool| *v),
        DType::Str => list(array, |v: &String| v.clone()),
    }
}

/// How many units in the last place a float may differ.
const UNITS: f64 = 16.0;

/// Compares an array with the expected one.
///
/// # Errors
/// What differs.
pub(crate) fn same(expected: &Array, found: &Array) -> Result<(), String> {
    let [expected, found] = [expected, found].map(exact);
    if expected == found {
        return Ok(());
    }
    Err(format!("{found} instead of {expected}"))
}

/// Compares an array with the expected one; floats may differ by the rounding of numbers of magnitude `scale`, or of their own if it is larger.
///
/// # Errors
/// What differs.
pub(crate) fn near(expected: &Array, found: &Array, scale: f64) -> Result<(), String> {
    let dtype = expected.dtype();
    let is_same_type = dtype == found.dtype() && expected.shape() == found.shape();
    let Some(unit) = unit(dtype).filter(|_| is_same_type) else {
        return same(expected, found);
    };
    let mut pairs = floats(expected).into_iter().zip(floats(found));
    let is_near = |(a, b): (f64, f64)| match a.is_finite() && b.is_finite() {
        true => (a - b).abs() <= UNITS * unit * a.abs().max(scale),
        false => a == b || a.is_nan() && b.is_nan(),
    };
    match pairs.all(is_near) {
        true => Ok(()),
        false => Err(format!("{found:?} instead of {expected:?}")),
    }
}

/// The distance from 1 to the next float; `None` for other dtypes.
fn unit(dtype: DType) -> Option<f64> {
    match dtype {
        DType::F64 => Some(f64::EPSILON),
        DType::F32 => Some(f32::EPSILON.into()),
        DType::F16 => Some(2f64.powi(-10)),
        DType::BF16 => Some(2f64.powi(-7)),
        _ => None,
    }
}

/// The values of an array of floats; none of another dtype.
pub(crate) fn floats(array: &Array) -> Vec<f64> {
    match array.dtype() {
        DType::F64 => array.values::<f64>().unwrap_or_default().to_vec(),
        DType::F32 => wide::<f32>(array),
        DType::F16 => wide::<f16>(array),
        DType::BF16 => wide::<bf16>(array),
        _ => Vec::new(),
    }
}

fn wide<T: Element + Copy + Into<f64>>(array: &Array) -> Vec<f64> {
    let values = array.values::<T>().unwrap_or_default();
    values.iter().map(|value| (*value).into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_may_differ_by_some_units_and_nothing_else_may() {
        let one = Array::scalar(1.0f32);
        let next = Array::scalar(1.0f32.next_up());
        assert!(same(&one, &next).is_err());
        assert_eq!(near(&one, &next, 0.0), Ok(()));
        assert!(near(&one, &Array::scalar(1.001f32), 0.0).is_err());
        assert_eq!(near(&one, &Array::scalar(1.001f32), 1e4), Ok(()));
        assert!(near(&one, &Array::scalar(f32::INFINITY), 1e4).is_err());
        assert!(near(&one, &Array::scalar(f32::NAN), 1e4).is_err());
        assert!(near(&one, &Array::scalar(1.0f64), 1e4).is_err());
        assert!(near(&one, &Array::new(&[1], vec![1.0f32]), 1e4).is_err());
        assert!(near(&Array::scalar(1i32), &Array::scalar(2i32), 1e4).is_err());
    }
}
