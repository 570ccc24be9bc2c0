//! Diagonals of matrices.

use graph_ir::ops::Attrs;
use graph_ir::types::TensorType;

use super::Rules;
use crate::tensorflow::export::body::Tensor;
use crate::tensorflow::export::writer::Writer;

pub(super) const RULES: Rules = &[
    ("diag", diag),
    ("diag_part", diag_part),
    ("set_diag", set_diag),
    ("band_part", band_part),
];

fn diag(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let (diagonal, any) = (w.int(a.int("diagonal")?), w.int(-1));
    let zero = w.number(0.0, ty.dtype);
    Ok(w.op("MatrixDiagV3", &[&x[0], &diagonal, &any, &any, &zero])
        .gives(ty.clone()))
}

fn diag_part(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let (diagonal, zero) = (w.int(a.int("diagonal")?), w.number(0.0, ty.dtype));
    Ok(w.op("MatrixDiagPartV3", &[&x[0], &diagonal, &zero])
        .gives(ty.clone()))
}

fn set_diag(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let diagonal = w.int(a.int("diagonal")?);
    Ok(w.op("MatrixSetDiagV3", &[&x[0], &x[1], &diagonal])
        .gives(ty.clone()))
}

/// TensorFlow counts the diagonals below the main one and those above it; -1 means all.
fn band_part(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let (low, high) = (a.int("low")?, a.int("high")?);
    if low > 0 || high < 0 {
        return Err("TensorFlow's MatrixBandPart always keeps the main diagonal".to_owned());
    }
    let limited = |n: i64| if n > i64::from(i32::MAX) { -1 } else { n };
    let (below, above) = (w.int(limited(low.saturating_neg())), w.int(limited(high)));
    Ok(w.op("MatrixBandPart", &[&x[0], &below, &above])
        .gives(ty.clone()))
}
