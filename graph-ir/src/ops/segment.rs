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
