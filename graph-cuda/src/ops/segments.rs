//! Reductions of rows that a tensor of numbers groups into segments, and counts of numbers.

use graph_kernels::{DType, Dims, ElementOp, bin_limits};

use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{
    Along, Change, Input, Kernels, Lookup, Number, Outside, Scatter, Step, Target, View,
};
use crate::value::{Tensor, integers};

pub const OPS: &[(&str, Run)] = &[
    ("segment_sum", |kernels, call| sorted(kernels, call, SUM)),
    ("segment_prod", |kernels, call| sorted(kernels, call, PROD)),
    ("segment_max", |kernels, call| sorted(kernels, call, MAX)),
    ("segment_min", |kernels, call| sorted(kernels, call, MIN)),
    ("segment_mean", |kernels, call| sorted(kernels, call, MEAN)),
    ("unsorted_segment_sum", |kernels, call| {
        unsorted(kernels, call, SUM)
    }),
    ("unsorted_segment_prod", |kernels, call| {
        unsorted(kernels, call, PROD)
    }),
    ("unsorted_segment_max", |kernels, call| {
        unsorted(kernels, call, MAX)
    }),
    ("unsorted_segment_min", |kernels, call| {
        unsorted(kernels, call, MIN)
    }),
    ("unsorted_segment_mean", |kernels, call| {
        unsorted(kernels, call, MEAN)
    }),
    ("bincount", bincount),
    ("weighted_bincount", bincount),
];

/// How the rows of a segment are reduced.
#[derive(Clone, Copy)]
struct Reduction {
    /// The function of two values; `None` for a mean.
    op: Option<ElementOp>,
    /// Before the first row.
    start: Number,
    /// The value of a sorted segment without rows.
    gap: Number,
    /// The value of an unsorted segment without rows.
    hole: Number,
}

const SUM: Reduction = Reduction {
    op: Some(ElementOp::Add),
    start: Number::Zero,
    gap: Number::Zero,
    hole: Number::Zero,
};
const PROD: Reduction = Reduction {
    op: Some(ElementOp::Mul),
    start: Number::One,
    gap: Number::One,
    hole: Number::One,
};
const MAX: Reduction = Reduction {
    op: Some(ElementOp::Maximum),
    start: Number::Lowest,
    gap: Number::Zero,
    hole: Number::FiniteLowest,
};
const MIN: Reduction = Reduction {
    op: Some(ElementOp::Minimum),
    start: Number::Highest,
    gap: Number::Zero,
    hole: Number::FiniteHighest,
};
const MEAN: Reduction = Reduction {
    op: None,
    start: Number::Zero,
    gap: Number::Zero,
    hole: Number::Zero,
};

/// Numbers that group rows.
struct Groups<'a> {
    ids: &'a Tensor,
    count: usize,
    outside: Outside,
    sorted: bool,
}

/// Reduces the rows of `x` of each group; `hole` is the result of a group without rows.
fn reduce(
    kernels: &Kernels,
    groups: &Groups<'_>,
    row: &[usize],
    (dtype, x): (DType, Input<'_>),
    (change, hole): (Change, u64),
) -> Outcome {
    let mut shape = Dims::from_slice(&[groups.count]);
    shape.extend_from_slice(row);
    let length: usize = row.iter().product();
    let rows = &groups.ids.shape;
    if !Kernels::can_scatter(shape.iter().product(), groups.ids.count()) {
        return Err(Trouble::NoKernel("there are too many elements"));
    }
    if groups.ids.count() > 0 && (length == 0 || groups.count == 0) {
        return Err(Trouble::NoKernel("the result is empty"));
    }
    let ids = View::of(rows);
    let still = View::still(rows.len());
    let mut elements = View::of(row);
    elements.strides.insert_from_slice(0, &still.strides);
    let scatter = Scatter {
        dtype,
        change,
        rows,
        positions: Lookup {
            start: still,
            along: vec![Along {
                indices: groups.ids.input_by(ids)?,
                size: groups.count,
                stride: length as i64,
            }],
            outside: groups.outside,
        },
        row,
        elements,
        updates: x,
        sorted: groups.sorted,
    };
    kernels.result(dtype, &shape, |out| {
        let fill = [Input::Value(dtype, hole)];
        let target = Target::Whole(out);
        kernels.map(&target, &shape, dtype, vec![Step::Operand(0)], &fill)?;
        Ok(kernels.scatter(out, &scatter)?)
    })
}

fn change(reduction: Reduction, dtype: DType) -> Change {
    match reduction.op {
        Some(op) => Change::Reduce(op, reduction.start.bits(dtype)),
        None => Change::Mean,
    }
}

/// Segments whose rows are neighbours. The last number says how many there are, so the numbers come to the host.
fn sorted(kernels: &Kernels, call: &Call<'_>, reduction: Reduction) -> Outcome {
    let [x, ids] = call.all()?;
    graph_kernels::check_row_ids(&ids.shape, &x.shape)?;
    let numbers = integers(&*ids.fetch()?).ok_or(Trouble::NoKernel("ids must be integers"))?;
    let in_order = numbers.is_sorted() && numbers.first().is_none_or(|first| *first >= 0);
    if !in_order {
        return Err(Trouble::NoKernel("the ids aren't in order"));
    }
    let count = numbers.last().map_or(0, |last| last.saturating_add(1));
    let count = usize::try_from(count).map_err(|_| Trouble::NoKernel("an id is too large"))?;
    let groups = Groups {
        ids,
        count,
        outside: Outside::Wrong,
        sorted: true,
    };
    let input = x.input_by(View::of(&x.shape))?;
    let changed = (change(reduction, x.dtype), reduction.gap.bits(x.dtype));
    reduce(kernels, &groups, &x.shape[1..], (x.dtype, input), changed)
}

/// Segments whose number is an attribute. Rows with a negative number belong to none.
fn unsorted(kernels: &Kernels, call: &Call<'_>, reduction: Reduction) -> Outcome {
    let [x, ids] = call.all()?;
    let count = graph_kernels::segment_count(call.attrs.int("count")?)?;
    graph_kernels::check_leading_ids(&ids.shape, &x.shape)?;
    let groups = Groups {
        ids,
        count,
        outside: Outside::NegativeIsNowhere,
        sorted: false,
    };
    let row = &x.shape[ids.shape.len()..];
    let input = x.input_by(View::of(&x.shape))?;
    let changed = (change(reduction, x.dtype), reduction.hole.bits(x.dtype));
    reduce(kernels, &groups, row, (x.dtype, input), changed)
}

/// Sums of weights, which are 1 if there is no operand for them.
fn bincount(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operands.first();
    let x = x.ok_or(Trouble::NoKernel("an operand is missing"))?;
    let weights = match call.operands.get(1) {
        None => Input::Value(call.dtype, 1),
        Some(weights) if weights.shape == x.shape => weights.input_by(View::of(&x.shape))?,
        Some(_) => return Err(Trouble::NoKernel("the weights don't fit")),
    };
    let max = Some(call.attrs.int("max")?).filter(|max| *max != -1);
    let (least, most) = bin_limits(call.attrs.int("min")?, max)?;
    let count = match call.shape {
        Some(shape) => shape.iter().product(),
        None => {
            let numbers = integers(&*x.fetch()?);
            let numbers = numbers.ok_or(Trouble::NoKernel("the numbers must be integers"))?;
            let largest = numbers.into_iter().max().unwrap_or(-1);
            let named = usize::try_from(largest.saturating_add(1)).unwrap_or(0);
            named.clamp(least, most)
        }
    };
    let groups = Groups {
        ids: x,
        count,
        outside: Outside::LargeIsNowhere,
        sorted: false,
    };
    let sum = Change::Reduce(ElementOp::Add, 0);
    reduce(kernels, &groups, &[], (call.dtype, weights), (sum, 0))
}
