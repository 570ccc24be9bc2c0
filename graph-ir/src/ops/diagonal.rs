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

#[cfg(test)]
pub(super) mod tests {
    //! Cases of diagonals, with TensorFlow's results.

    use graph_kernels::{Array, DType};

    use crate::ops::tests::*;
    use crate::ops::*;

    fn x() -> Array {
        matrix([[1, 2], [3, 4], [5, 6]])
    }

    pub(in crate::ops) fn cases() -> Vec<Case> {
        let diag =
            |diagonal, x: Array, expected| case_with(&DIAG, [Attr::Int(diagonal)], [x], expected);
        let part =
            |diagonal, expected| case_with(&DIAG_PART, [Attr::Int(diagonal)], [x()], expected);
        let band = |low, high, expected| {
            let ones = Array::new(&[3, 4], vec![1; 12]);
            case_with(
                &BAND_PART,
                [Attr::Int(low), Attr::Int(high)],
                [ones],
                Value(matrix(expected)),
            )
        };
        let set = |diagonal, x: Array, values: Array, expected| {
            case_with(&SET_DIAG, [Attr::Int(diagonal)], [x, values], expected)
        };
        let ones = |shape: &[usize]| Array::new(shape, vec![1; shape.iter().product()]);
        vec![
            set(
                0,
                ones(&[2, 3, 4]),
                matrix([[7, 8, 9], [4, 5, 6]]),
                Value(Array::new(
                    &[2, 3, 4],
                    vec![
                        7, 1, 1, 1, 1, 8, 1, 1, 1, 1, 9, 1, 4, 1, 1, 1, 1, 5, 1, 1, 1, 1, 6, 1,
                    ],
                )),
            ),
            set(
                2,
                ones(&[3, 4]),
                vector([7, 8]),
                Value(matrix([[1, 1, 7, 1], [1, 1, 1, 8], [1, 1, 1, 1]])),
            ),
            set(
                -1,
                ones(&[3, 2]),
                vector([7, 8]),
                Value(matrix([[1, 1], [7, 1], [1, 8]])),
            ),
            set(
                0,
                Array::zeros(DType::F32, &[2, 0]),
                Array::zeros(DType::F32, &[0]),
                Value(Array::zeros(DType::F32, &[2, 0])),
            ),
            set(
                0,
                ones(&[3, 4]),
                vector([7, 8]),
                TypeError("Shapes [3] and [2] are incompatible for set_diag"),
            ),
            set(
                4,
                ones(&[3, 4]),
                vector([7]),
                TypeError("lower_diag_index is out of bound: 4. It must be between -3 and 4"),
            ),
            diag(0, vector([1, 2]), Value(matrix([[1, 0], [0, 2]]))),
            diag(
                1,
                vector([1, 2]),
                Value(matrix([[0, 1, 0], [0, 0, 2], [0, 0, 0]])),
            ),
            diag(
                -1,
                vector([true]),
                Value(matrix([[false, false], [true, false]])),
            ),
            diag(
                0,
                matrix([[1, 2], [3, 4]]),
                Value(Array::new(&[2, 2, 2], vec![1, 0, 0, 2, 3, 0, 0, 4])),
            ),
            diag(
                2,
                Array::zeros(DType::F32, &[0]),
                Value(Array::zeros(DType::F32, &[2, 2])),
            ),
            diag(
                0,
                scalar(1),
                TypeError("`diag` takes an array with at least one axis"),
            ),
            part(0, Value(vector([1, 4]))),
            part(-1, Value(vector([3, 6]))),
            part(-2, Value(vector([5]))),
            part(1, Value(vector([2]))),
            part(
                2,
                TypeError("lower_diag_index is out of bound: 2. It must be between -3 and 2"),
            ),
            part(
                i64::MIN,
                TypeError(
                    "lower_diag_index is out of bound: -9223372036854775808. It must be between -3 and 2",
                ),
            ),
            case_with(
                &DIAG_PART,
                [Attr::Int(1)],
                [Array::new(&[2, 2, 2], (0..8).collect())],
                Value(matrix([[1], [5]])),
            ),
            case_with(
                &DIAG_PART,
                [Attr::Int(0)],
                [vector([1])],
                TypeError("`diag_part` takes matrices, not an array of shape [1]"),
            ),
            band(-1, 0, [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0]]),
            band(1, i64::MAX, [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]),
            band(i64::MIN, -1, [[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]]),
            band(2, 1, [[0; 4]; 3]),
        ]
    }
}
