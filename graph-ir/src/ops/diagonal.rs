//! Diagonals of the matrices in the last two axes.

use graph_kernels as kernels;

use super::Attrs;
use super::rules::{Inferred, check_same_dtype, merge, operands, text};
use super::table::op_table;
use crate::types::{Dim, Shape, TensorType};

op_table! {
    DIAG "diag" ["diagonal"]: diag(), (|x, a, out| kernels::diag(x[0], a.int("diagonal")?, out)), fails OnShapes, linear in floats, tf "MatrixDiagV3",
        "Square matrices with the values on a diagonal and zeros elsewhere: [.., n] -> [.., m, m], m = n + |diagonal|.";
    DIAG_PART "diag_part" ["diagonal"]: diag_part(), (|x, a, out| kernels::diag_part(x[0], a.int("diagonal")?, out)), fails OnShapes,
        linear in floats, tf "MatrixDiagPartV3",
        "The values of a diagonal of each matrix, above the main one if positive: [.., m, n] -> [.., len].";
    SET_DIAG "set_diag" ["diagonal"]: set_diag(), (|x, a, out| kernels::set_diag(x[0], x[1], a.int("diagonal")?, out)),
        in_place (|x, others, a| kernels::set_diag_in_place(x, others[0], a.int("diagonal")?)), fails OnShapes, linear in floats, tf "MatrixSetDiagV3",
        "The matrices [.., m, n] with the values [.., len] on a diagonal.";
    BAND_PART "band_part" ["low", "high"]: band_part(),
        (|x, a, out| kernels::band_part(x[0], a.int("low")?, a.int("high")?, out)), fails OnShapes, linear in floats, tf "MatrixBandPart",
        "The matrices [.., m, n] with zeros outside the diagonals low to high.";
}

/// The leading axes of matrices, and their two sizes.
type Matrices<'a> = (&'a [Dim], Dim, Dim);

/// The leading axes of the matrices in the last two axes, and their sizes; `None` if the rank is unknown.
fn matrices<'a>(op: &str, x: &'a TensorType) -> Result<Option<Matrices<'a>>, String> {
    match x.shape.dims() {
        None => Ok(None),
        Some([batch @ .., rows, columns]) => Ok(Some((batch, *rows, *columns))),
        Some(_) => Err(format!(
            "`{op}` takes matrices, not an array of shape {}",
            x.shape
        )),
    }
}

fn diag(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let diagonal = attrs.int("diagonal")?;
    let shape = match x.shape.dims() {
        None => Shape::unknown(),
        Some([batch @ .., len]) => {
            let size = len
                .map(|len| text(kernels::diag_size(len, diagonal)))
                .transpose()?;
            Shape::of(batch.iter().copied().chain([size, size]))
        }
        Some([]) => return Err(format!("`{op}` takes an array with at least one axis")),
    };
    Ok(TensorType::new(x.dtype, shape))
}

fn diag_part(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let diagonal = attrs.int("diagonal")?;
    let Some((batch, rows, columns)) = matrices(op, x)? else {
        return Ok(TensorType::new(x.dtype, Shape::unknown()));
    };
    let len = match rows.zip(columns) {
        None => None,
        Some((rows, columns)) => Some(text(kernels::diagonal_len(rows, columns, diagonal))?),
    };
    let shape = Shape::of(batch.iter().copied().chain([len]));
    Ok(TensorType::new(x.dtype, shape))
}

fn set_diag(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, values] = operands(op, types)?;
    check_same_dtype(op, x, values)?;
    let part = diag_part(op, std::slice::from_ref(x), attrs)?;
    merge(op, &part.shape, &values.shape)?;
    Ok(x.clone())
}

fn band_part(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    attrs.int("low")?;
    attrs.int("high")?;
    matrices(op, x)?;
    Ok(x.clone())
}
