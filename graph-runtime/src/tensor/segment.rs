//! Reductions over the rows of segments, where each row has the number of its segment.

use super::gather::count;
use super::{AnyTensor, AsOperand, Float, IndexElement, Number, Tensor};
use crate::ops::{self, Attrs, OpDef};

/// Defines the two methods of a reduction, over sorted and over unsorted segments, with the values of segments without rows.
macro_rules! segments {
    ($($sorted:ident => $op:ident, $unsorted:ident => $unsorted_op:ident: $what:literal, $empty:literal, $hole:literal,
        $example:literal, $unsorted_example:literal;)*) => { $(
        #[doc = concat!("The ", $what, " of the rows of each segment: row `i` belongs to segment `ids[i]`, and the ids don't decrease. \
            `[n, ..]` and `[n]` give `[last id + 1, ..]`; a segment without rows is ", $empty, ".")]
        ///
        /// # Errors
        /// If the number of ids isn't the number of rows; when run, if the ids decrease or are negative.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        #[doc = $example]
        /// ```
        #[track_caller]
        pub fn $sorted<I: IndexElement>(&self, ids: impl AsOperand<I>) -> Tensor<T> {
            self.segments(&ops::$op, Attrs::new(), &ids.into_operand())
        }

        #[doc = concat!("The ", $what, " of the parts of each of `segments` segments: the part at place `p` of `ids` belongs to segment \
            `ids[p]`, to none if that is negative. `[s.., rest..]` and `[s..]` give `[segments, rest..]`; a segment without parts is ", $hole, ".")]
        ///
        /// # Errors
        /// If the shape of the ids isn't that of the tensor's first axes; when run, if an id is too large.
        ///
        /// ```
        /// # use graph_runtime::tensor::*;
        #[doc = $unsorted_example]
        /// ```
        #[track_caller]
        pub fn $unsorted<I: IndexElement>(&self, ids: impl AsOperand<I>, segments: usize) -> Tensor<T> {
            self.segments(&ops::$unsorted_op, Attrs::new().with("count", count(segments)), &ids.into_operand())
        }
    )* };
}

impl<T: Number, S> Tensor<T, S> {
    segments! {
        segment_sum => SEGMENT_SUM, unsorted_segment_sum => UNSORTED_SEGMENT_SUM: "sum", "0", "0",
            "assert_eq!(tensor([1, 2, 3]).segment_sum(&tensor([0, 0, 2])).to_vec(), [3, 0, 3]);",
            "assert_eq!(tensor([1, 2, 3]).unsorted_segment_sum(&tensor([1, 0, 1]), 2).to_vec(), [2, 4]);";
        segment_prod => SEGMENT_PROD, unsorted_segment_prod => UNSORTED_SEGMENT_PROD: "product", "1", "1",
            "assert_eq!(tensor([2, 2, 3]).segment_prod(&tensor([0, 0, 2])).to_vec(), [4, 1, 3]);",
            "assert_eq!(tensor([2, 2, 3]).unsorted_segment_prod(&tensor([1, 0, 1]), 2).to_vec(), [2, 6]);";
        segment_max => SEGMENT_MAX, unsorted_segment_max => UNSORTED_SEGMENT_MAX: "largest element", "0", "the dtype's smallest number",
            "assert_eq!(tensor([1, 2, 3]).segment_max(&tensor([0, 0, 2])).to_vec(), [2, 0, 3]);",
            "assert_eq!(tensor([1, 2, 3]).unsorted_segment_max(&tensor([1, 0, 1]), 2).to_vec(), [2, 3]);";
        segment_min => SEGMENT_MIN, unsorted_segment_min => UNSORTED_SEGMENT_MIN: "smallest element", "0", "the dtype's largest number",
            "assert_eq!(tensor([1, 2, 3]).segment_min(&tensor([0, 0, 2])).to_vec(), [1, 0, 3]);",
            "assert_eq!(tensor([1, 2, 3]).unsorted_segment_min(&tensor([1, 0, 1]), 2).to_vec(), [2, 1]);";
    }

    #[track_caller]
    fn segments(&self, op: &'static OpDef, attrs: Attrs, ids: &AnyTensor) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(op, attrs, &[&self.any, ids]))
    }
}

/// Means of floats.
impl<T: Float, S> Tensor<T, S> {
    segments! {
        segment_mean => SEGMENT_MEAN, unsorted_segment_mean => UNSORTED_SEGMENT_MEAN: "mean", "0", "0",
            "assert_eq!(tensor([1.0, 2.0, 3.0]).segment_mean(&tensor([0, 0, 2])).to_vec(), [1.5, 0.0, 3.0]);",
            "assert_eq!(tensor([1.0, 2.0, 3.0]).unsorted_segment_mean(&tensor([1, 0, 1]), 2).to_vec(), [2.0, 2.0]);";
    }
}
