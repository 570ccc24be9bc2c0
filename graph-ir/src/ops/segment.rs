//! Reductions over segments: each row belongs to the segment with the given number.

use graph_kernels as kernels;

use super::Attrs;
use super::rules::{
    Class, FLOAT, Inferred, NUMBER, check_class, check_indices, check_known, operands, text,
};
use super::table::op_table;
use crate::types::{Shape, TensorType};

op_table! {
    SEGMENT_SUM "segment_sum" []: sorted(NUMBER), (binary kernels::segment_sum), linear in floats, tf "SegmentSum",
        "The sums of the rows of each segment: rows [n, ..] and ids [n], which don't decrease -> [last id + 1, ..].";
    SEGMENT_MEAN "segment_mean" []: sorted(FLOAT), (binary kernels::segment_mean), linear in floats, tf "SegmentMean",
        "The means of the rows of each segment, as `segment_sum`; 0 for no rows.";
    SEGMENT_PROD "segment_prod" []: sorted(NUMBER), (binary kernels::segment_prod), tf "SegmentProd",
        "The products of the rows of each segment, as `segment_sum`; 1 for no rows.";
    SEGMENT_MAX "segment_max" []: sorted(NUMBER), (binary kernels::segment_max), tf "SegmentMax",
        "The largest values of the rows of each segment, as `segment_sum`; 0 for no rows.";
    SEGMENT_MIN "segment_min" []: sorted(NUMBER), (binary kernels::segment_min), tf "SegmentMin",
        "The smallest values of the rows of each segment, as `segment_sum`; 0 for no rows.";

    UNSORTED_SEGMENT_SUM "unsorted_segment_sum" ["count"]: unsorted(NUMBER),
        (|x, a, out| kernels::unsorted_segment_sum(x[0], x[1], a.int("count")?, out)), linear in floats, tf "UnsortedSegmentSum",
        "The sums of the parts of each of count segments: [s.., rest..] and ids [s..], where negative ids are ignored -> [count, rest..].";
    UNSORTED_SEGMENT_MEAN "unsorted_segment_mean" ["count"]: unsorted(FLOAT),
        (|x, a, out| kernels::unsorted_segment_mean(x[0], x[1], a.int("count")?, out)), linear in floats,
        "The means of the parts of each segment, as `unsorted_segment_sum`; 0 for no parts.";
    UNSORTED_SEGMENT_PROD "unsorted_segment_prod" ["count"]: unsorted(NUMBER),
        (|x, a, out| kernels::unsorted_segment_prod(x[0], x[1], a.int("count")?, out)), tf "UnsortedSegmentProd",
        "The products of the parts of each segment, as `unsorted_segment_sum`; 1 for no parts.";
    UNSORTED_SEGMENT_MAX "unsorted_segment_max" ["count"]: unsorted(NUMBER),
        (|x, a, out| kernels::unsorted_segment_max(x[0], x[1], a.int("count")?, out)), tf "UnsortedSegmentMax",
        "The largest values of the parts of each segment, as `unsorted_segment_sum`; the smallest number for no parts.";
    UNSORTED_SEGMENT_MIN "unsorted_segment_min" ["count"]: unsorted(NUMBER),
        (|x, a, out| kernels::unsorted_segment_min(x[0], x[1], a.int("count")?, out)), tf "UnsortedSegmentMin",
        "The smallest values of the parts of each segment, as `unsorted_segment_sum`; the largest number for no parts.";
}

fn sorted(op: &str, types: &[TensorType], _: &Attrs, class: Class) -> Inferred {
    let [x, ids] = operands(op, types)?;
    check_class(op, class, x.dtype)?;
    check_indices(op, ids)?;
    check_known([&ids.shape, &x.shape], |[ids, x]| {
        kernels::check_row_ids(ids, x)
    })?;
    let shape = match x.shape.dims() {
        None => Shape::unknown(),
        Some([_, rest @ ..]) => Shape::of([None].into_iter().chain(rest.iter().copied())),
        Some([]) => {
            return Err("segment_ids should be the same size as dimension 0 of input.".to_owned());
        }
    };
    Ok(TensorType::new(x.dtype, shape))
}

fn unsorted(op: &str, types: &[TensorType], attrs: &Attrs, class: Class) -> Inferred {
    let [x, ids] = operands(op, types)?;
    check_class(op, class, x.dtype)?;
    check_indices(op, ids)?;
    let count = text(kernels::segment_count(attrs.int("count")?))?;
    check_known([&ids.shape, &x.shape], |[ids, x]| {
        kernels::check_leading_ids(ids, x)
    })?;
    let rest = x.shape.dims().zip(ids.shape.rank()).map(|(dims, covered)| {
        dims.get(covered..)
            .map(|rest| Shape::of([Some(count)].into_iter().chain(rest.iter().copied())))
    });
    let shape = match rest {
        None => Shape::unknown(),
        Some(Some(shape)) => shape,
        Some(None) => {
            return Err(format!(
                "data.shape = {} does not start with segment_ids.shape = {}",
                x.shape, ids.shape
            ));
        }
    };
    Ok(TensorType::new(x.dtype, shape))
}

#[cfg(test)]
pub(super) mod tests {
    //! Cases of reductions over segments, with TensorFlow's results.

    use graph_kernels::{Array, DType};

    use crate::ops::tests::*;
    use crate::ops::*;

    pub(in crate::ops) fn cases() -> Vec<Case> {
        [sorted(), unsorted(), errors()]
            .into_iter()
            .flatten()
            .collect()
    }

    fn sorted() -> Vec<Case> {
        let x = || matrix([[1f32, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]);
        let of = |op, rows| case(op, [x(), vector([0, 0, 2, 2])], Value(matrix(rows)));
        vec![
            of(&SEGMENT_SUM, [[4f32, 6.0], [0.0, 0.0], [12.0, 14.0]]),
            of(&SEGMENT_MEAN, [[2f32, 3.0], [0.0, 0.0], [6.0, 7.0]]),
            of(&SEGMENT_PROD, [[3f32, 8.0], [1.0, 1.0], [35.0, 48.0]]),
            of(&SEGMENT_MAX, [[3f32, 4.0], [0.0, 0.0], [7.0, 8.0]]),
            of(&SEGMENT_MIN, [[1f32, 2.0], [0.0, 0.0], [5.0, 6.0]]),
            case(
                &SEGMENT_MAX,
                [vector([-1, -2]), vector([1i64, 1])],
                Value(vector([0, -1])),
            ),
            case(
                &SEGMENT_SUM,
                [
                    Array::zeros(DType::F32, &[0, 2]),
                    Array::zeros(DType::I32, &[0]),
                ],
                Value(Array::zeros(DType::F32, &[0, 2])),
            ),
        ]
    }

    fn unsorted() -> Vec<Case> {
        let of = |op, expected| {
            let inputs = [vector([1f32, 2.0, 3.0, 4.0]), vector([2, 0, 2, -1])];
            case_with(op, [Attr::Int(4)], inputs, Value(vector(expected)))
        };
        let of_integers = |op, expected| {
            let inputs = [vector([1, 2, 3]), vector([0, 2, 2])];
            case_with(op, [Attr::Int(4)], inputs, Value(vector(expected)))
        };
        vec![
            of(&UNSORTED_SEGMENT_SUM, [2f32, 0.0, 4.0, 0.0]),
            of(&UNSORTED_SEGMENT_MEAN, [2f32, 0.0, 2.0, 0.0]),
            of(&UNSORTED_SEGMENT_PROD, [2f32, 1.0, 3.0, 1.0]),
            of(&UNSORTED_SEGMENT_MAX, [2.0, f32::MIN, 3.0, f32::MIN]),
            of(&UNSORTED_SEGMENT_MIN, [2.0, f32::MAX, 1.0, f32::MAX]),
            of_integers(&UNSORTED_SEGMENT_MAX, [1, i32::MIN, 3, i32::MIN]),
            of_integers(&UNSORTED_SEGMENT_MIN, [1, i32::MAX, 2, i32::MAX]),
            case_with(
                &UNSORTED_SEGMENT_SUM,
                [Attr::Int(3)],
                [matrix([[1, 2], [3, 4]]), matrix([[0, 2], [1, 0]])],
                Value(vector([5, 3, 2])),
            ),
            case_with(
                &UNSORTED_SEGMENT_SUM,
                [Attr::Int(2)],
                [matrix([[1, 2], [3, 4]]), vector([1i64, 1])],
                Value(matrix([[0, 0], [4, 6]])),
            ),
            case_with(
                &UNSORTED_SEGMENT_MAX,
                [Attr::Int(1)],
                [vector([1.0, f64::NAN, 2.0]), vector([0, 0, 0])],
                Value(vector([f64::NAN])),
            ),
        ]
    }

    fn errors() -> Vec<Case> {
        let x = || vector([1, 2, 3]);
        let sum = |ids: Array, expected| case(&SEGMENT_SUM, [x(), ids], expected);
        let unsorted = |count, ids: Array, expected| {
            case_with(
                &UNSORTED_SEGMENT_SUM,
                [Attr::Int(count)],
                [x(), ids],
                expected,
            )
        };
        vec![
            sum(
                vector([0, 2, 1]),
                RunError("segment ids are not increasing"),
            ),
            sum(
                vector([-1, 0, 1]),
                RunError("segment ids must be >= 0, got -1"),
            ),
            sum(
                vector([0, 1]),
                TypeError("segment_ids should be the same size as dimension 0 of input."),
            ),
            sum(
                matrix([[0, 1, 2]]),
                TypeError("segment_ids should be a vector."),
            ),
            unsorted(
                3,
                vector([0, 2, 5]),
                RunError("segment_ids[2] = 5 is out of range [0, 3)"),
            ),
            unsorted(
                3,
                vector([0, 2]),
                TypeError("data.shape = [3] does not start with segment_ids.shape = [2]"),
            ),
            unsorted(
                -1,
                x(),
                TypeError("Input num_segments == -1 must not be negative."),
            ),
            case(
                &SEGMENT_MEAN,
                [x(), x()],
                TypeError("`segment_mean` is not defined for int32"),
            ),
        ]
    }
}
