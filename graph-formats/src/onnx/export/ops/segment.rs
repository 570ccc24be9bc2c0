//! Reductions of the rows of each segment: the rows are scattered into an array of one row for each segment.

use graph_ir::ops::{self, OpDef};
use graph_kernels::{Array, DType, bf16, f16};

use super::common::{self, choose, compare, filled, join, slice_axis, unsqueeze, with_number};
use super::parts::{self, Meets};
use super::{Use, Write, Written};
use crate::onnx::export::writer::{Tensor, Writer};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::SEGMENT_SUM, |u| sorted(u, Meets::Adds)),
    (&ops::SEGMENT_MEAN, |u| mean(u, last_and_one)),
    (&ops::SEGMENT_PROD, |u| sorted(u, Meets::Multiplies)),
    (&ops::SEGMENT_MAX, |u| sorted(u, Meets::Larger)),
    (&ops::SEGMENT_MIN, |u| sorted(u, Meets::Smaller)),
    (&ops::UNSORTED_SEGMENT_SUM, |u| unsorted(u, Meets::Adds)),
    (&ops::UNSORTED_SEGMENT_MEAN, |u| mean(u, given_count)),
    (&ops::UNSORTED_SEGMENT_PROD, |u| {
        unsorted(u, Meets::Multiplies)
    }),
    (&ops::UNSORTED_SEGMENT_MAX, |u| unsorted(u, Meets::Larger)),
    (&ops::UNSORTED_SEGMENT_MIN, |u| unsorted(u, Meets::Smaller)),
];

/// The number of segments, a vector of one.
type Count = fn(&mut Use<'_>) -> Written;

/// The last id and one; 0 if there are no ids.
fn last_and_one(u: &mut Use<'_>) -> Written {
    let ids = u.w.cast(&u.x[1], DType::I64);
    let before = u.w.ints(&[-1]);
    let ids = join(u.w, &[&before, &ids]);
    let last = slice_axis(u.w, &ids, 0, [-1, i64::MAX, 1]);
    Ok(with_number(u.w, "Add", &last, 1.0))
}

fn given_count(u: &mut Use<'_>) -> Written {
    Ok(u.w.ints(&[u.attrs.int("count")?]))
}

/// What a reduction of no rows is, as a scalar.
fn neutral(w: &mut Writer, meets: Meets, dtype: DType) -> Tensor {
    match meets {
        Meets::Adds | Meets::Replaces => w.number(0.0, dtype),
        Meets::Multiplies => w.number(1.0, dtype),
        Meets::Larger => w.constant(&limits(dtype)[0]),
        Meets::Smaller => w.constant(&limits(dtype)[1]),
    }
}

/// The smallest and the largest number of a dtype.
fn limits(dtype: DType) -> [Array; 2] {
    macro_rules! limits {
        ($($variant:ident $type:ty),*) => {
            match dtype {
                $(DType::$variant => [<$type>::MIN, <$type>::MAX].map(Array::scalar),)*
                DType::Bool => [false, true].map(Array::scalar),
                DType::Str => ["", ""].map(|text| Array::scalar(text.to_owned())),
            }
        };
    }
    limits!(F32 f32, F64 f64, F16 f16, BF16 bf16, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64)
}

/// Rows scattered by their ids into an array of as many segments, which begins with a number. A negative id counts nowhere: it writes a row
/// behind the others.
fn scattered(
    u: &mut Use<'_>,
    rows: &Tensor,
    count: &Tensor,
    first: &Tensor,
    meets: Meets,
) -> Written {
    let rank = u.x[1].rank()?;
    let ids = u.w.cast(&u.x[1], DType::I64);
    let negative = compare(u.w, "Less", &ids, 0.0);
    let ids = choose(u.w, &negative, count, &ids);
    let ids = unsqueeze(u.w, &ids, &[-1]);
    let rest = common::sizes_between(u.w, rows, rank, None);
    let all = with_number(u.w, "Add", count, 1.0);
    let shape = join(u.w, &[&all, &rest]);
    let begun = u.w.op("Expand", &[first, &shape]).of(rows.dtype());
    let positions = parts::positions(u.w, &begun);
    let part = u.w.op("GatherND", &[&positions, &ids]).of(DType::I64);
    let written = parts::write(u.w, &begun, &part, rows, meets);
    let (zero, axis, step) = (u.w.ints(&[0]), u.w.ints(&[0]), u.w.ints(&[1]));
    Ok(common::slice(u.w, &written, [&zero, count, &axis, &step]))
}

fn unsorted(u: &mut Use<'_>, meets: Meets) -> Written {
    let (count, rows) = (given_count(u)?, u.x[0].clone());
    let first = neutral(u.w, meets, rows.dtype());
    scattered(u, &rows, &count, &first, meets)
}

/// The largest and smallest of no rows are 0.
fn sorted(u: &mut Use<'_>, meets: Meets) -> Written {
    let (count, rows) = (last_and_one(u)?, u.x[0].clone());
    let first = neutral(u.w, meets, rows.dtype());
    let result = scattered(u, &rows, &count, &first, meets)?;
    if matches!(meets, Meets::Adds | Meets::Multiplies | Meets::Replaces) {
        return Ok(result);
    }
    let counts = counts(u, &rows, &count)?;
    let none = compare(u.w, "Equal", &counts, 0.0);
    let zero = u.w.number(0.0, rows.dtype());
    Ok(choose(u.w, &none, &zero, &result))
}

/// How many rows each segment has, in the shape of the result.
fn counts(u: &mut Use<'_>, rows: &Tensor, count: &Tensor) -> Written {
    let shape = common::sizes(u.w, rows);
    let ones = filled(u.w, 1.0, DType::I64, &shape);
    let ones = Tensor {
        ty: graph_ir::types::TensorType::new(DType::I64, rows.ty.shape.clone()),
        ..ones
    };
    let zero = u.w.int(0);
    scattered(u, &ones, count, &zero, Meets::Adds)
}

fn mean(u: &mut Use<'_>, count: Count) -> Written {
    let (count, rows) = (count(u)?, u.x[0].clone());
    let zero = u.w.number(0.0, rows.dtype());
    let sum = scattered(u, &rows, &count, &zero, Meets::Adds)?;
    let counts = counts(u, &rows, &count)?;
    let counts = with_number(u.w, "Max", &counts, 1.0);
    let counts = u.w.cast(&counts, rows.dtype());
    Ok(u.result("Div", &[&sum, &counts]))
}
