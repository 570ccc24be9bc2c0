//! Functions that ONNX has no accurate operator for, and that are computed by a series.

use graph_ir::ops::{self, OpDef};
use graph_kernels::DType;

use super::common::{choose, compare, with_number};
use super::{Use, Write, Written};

pub(super) static ROWS: &[(&OpDef, Write)] = &[(&ops::ERFC, erfc)];

/// The coefficients of a polynomial of t = 1 / (1 + |x| / 2), the highest power first: t exp(-x² + p(t)) is the function within 1.2e-7 of
/// its value (Numerical Recipes, `erfcc`).
const SERIES: [f64; 10] = [
    0.170_872_77,
    -0.822_152_23,
    1.488_515_87,
    -1.135_203_98,
    0.278_868_07,
    -0.186_288_06,
    0.096_784_18,
    0.374_091_96,
    1.000_023_68,
    -1.265_512_23,
];

/// 1 - erf(x), where that is small as well: so it isn't computed as the difference.
fn erfc(u: &mut Use<'_>) -> Written {
    if u.dtype() == DType::F64 {
        return Err("ONNX has no operator for it that is accurate in float64".to_owned());
    }
    let x = u.w.cast(&u.x[0], DType::F32);
    let w = &mut *u.w;
    let size = w.op("Abs", &[&x]).like(&x);
    let half = with_number(w, "Mul", &size, 0.5);
    let sum = with_number(w, "Add", &half, 1.0);
    let t = w.op("Reciprocal", &[&sum]).like(&x);
    let mut series = w.number(SERIES[0], DType::F32);
    for coefficient in &SERIES[1..] {
        let product = w.op("Mul", &[&series, &t]).like(&x);
        series = with_number(w, "Add", &product, *coefficient);
    }
    let square = w.op("Mul", &[&x, &x]).like(&x);
    let exponent = w.op("Sub", &[&series, &square]).like(&x);
    let exp = w.op("Exp", &[&exponent]).like(&x);
    let right = w.op("Mul", &[&t, &exp]).like(&x);
    let two = w.number(2.0, DType::F32);
    let left = w.op("Sub", &[&two, &right]).like(&x);
    let negative = compare(w, "Less", &x, 0.0);
    let both = choose(w, &negative, &left, &right);
    Ok(w.cast(&both, u.ty.dtype))
}
