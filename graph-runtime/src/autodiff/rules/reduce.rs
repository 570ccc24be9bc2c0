//! Reductions, and ops along one axis.

use graph_kernels::Array;

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use crate::ops::{self, Attr, Attrs};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::REDUCE_SUM, reduce_sum),
    (&ops::REDUCE_PROD, reduce_prod),
    (&ops::REDUCE_MEAN, reduce_mean),
    (&ops::REDUCE_MAX, reduce_extreme),
    (&ops::REDUCE_MIN, reduce_extreme),
    (&ops::CUMSUM, cumsum),
    (&ops::CUMPROD, cumprod),
    (&ops::SOFTMAX, softmax),
    (&ops::LOG_SOFTMAX, log_softmax),
    (&ops::SPARSE_SOFTMAX_CROSS_ENTROPY, sparse_softmax_cross_entropy),
];

/// The gradient with the reduced axes as axes of size 1, so that it broadcasts to the operand.
fn kept(b: &Backward<'_>, reduced: Term) -> Term {
    if b.attrs().bool("keep_dims").unwrap_or(false) {
        return reduced;
    }
    let axes = b.attrs().ints("axes").unwrap_or_default();
    match b.ty(0).shape.rank() {
        // A scalar broadcasts anyway.
        _ if axes.is_empty() => reduced,
        Some(rank) => {
            let from_the_front = |axis: &i64| if *axis < 0 { axis + rank as i64 } else { *axis };
            let mut axes: Vec<i64> = axes.iter().map(from_the_front).collect();
            axes.sort_unstable();
            axes.iter()
                .fold(reduced, |reduced, axis| reduced.expand_dims(*axis))
        }
        // Without the rank the axes can't be located, so the shape with axes of size 1 comes from a sum with `keep_dims`.
        None => {
            let sizes = b.x(0).sum(axes.to_vec(), true);
            reduced.with(&ops::RESHAPE_TO, &sizes.map(&ops::SHAPE_OF))
        }
    }
}

fn reduce_sum(b: &mut Backward<'_>) {
    b.give(0, kept(b, b.g()).broadcast_as(&b.x(0)));
}

/// The number of values that are reduced to one, in the operand's dtype.
fn count(b: &Backward<'_>) -> Term {
    let x = b.x(0);
    let axes = b.attrs().ints("axes").unwrap_or_default();
    let of_axis = |sizes: &[usize], axis: &i64| {
        let axis =
            usize::try_from(*axis).unwrap_or_else(|_| sizes.len() - axis.unsigned_abs() as usize);
        sizes[axis]
    };
    match x.shape().to_known() {
        Some(sizes) if axes.is_empty() => x.number(sizes.iter().product::<usize>() as f64),
        Some(sizes) => x.number(
            axes.iter()
                .map(|axis| of_axis(&sizes, axis))
                .product::<usize>() as f64,
        ),
        None => {
            let size = |x: &Term| x.map(&ops::SIZE_OF).cast(b.ty(0).dtype);
            size(&x) / size(&b.y())
        }
    }
}

fn reduce_mean(b: &mut Backward<'_>) {
    b.give(0, (kept(b, b.g()) / count(b)).broadcast_as(&b.x(0)));
}

/// If several values are equal to the maximum (or minimum), they share the gradient equally.
fn reduce_extreme(b: &mut Backward<'_>) {
    let x = b.x(0);
    let is_it = x.with(&ops::EQUAL, &kept(b, b.y())).cast(x.dtype());
    let axes = b.attrs().ints("axes").unwrap_or_default().to_vec();
    let how_many = is_it.sum(axes, !b.attrs().ints("axes").unwrap_or_default().is_empty());
    b.give(0, is_it / how_many * kept(b, b.g()));
}

/// The derivative of a product by one value is the product of the others: the product of the values before it times that of the
/// values after it. This needs no division, so zeros are no problem. The reduced axes are moved to the end and merged into one.
fn reduce_prod(b: &mut Backward<'_>) {
    let x = b.x(0);
    let axes = b.attrs().ints("axes").unwrap_or_default().to_vec();
    let rank = match x.shape().rank() {
        Some(rank) => rank,
        // A reduction of everything makes a single row, whatever the rank.
        None if axes.is_empty() => 0,
        None => {
            let quotient = kept(b, b.g() * b.y()) / &x;
            return b.give(0, quotient);
        }
    };
    let reduced =
        |axis: i64| axes.is_empty() || axes.contains(&axis) || axes.contains(&(axis - rank as i64));
    let (inner, outer): (Vec<i64>, Vec<i64>) = (0..rank as i64).partition(|axis| reduced(*axis));
    let perm: Vec<i64> = outer.iter().chain(&inner).copied().collect();
    let mut back = vec![0; rank];
    perm.iter()
        .enumerate()
        .for_each(|(to, from)| back[*from as usize] = to as i64);
    let moved = transposed(&x, perm);
    let rows = match b.y().shape().size() {
        // Empty rows have no values that could get a gradient.
        Some(0) => return b.give(0, x.zeros_like()),
        _ => {
            let rows = b.y().map(&ops::SIZE_OF);
            let sizes = rows.map_with(&ops::RESHAPE, [("shape", Attr::Ints(vec![1]))]);
            let rest = sizes.constant(Array::new(&[1], vec![-1i32]));
            let sizes = sizes.apply(
                &ops::CONCAT,
                Attrs::new().with("axis", Attr::Int(0)),
                &[&rest],
            );
            moved.with(&ops::RESHAPE_TO, &sizes)
        }
    };
    let others = running(&rows, false) * running(&rows, true);
    let others = transposed(&others.reshaped_as(&moved), back);
    b.give(0, others * kept(b, b.g()));
}

fn transposed(x: &Term, perm: Vec<i64>) -> Term {
    if perm.is_sorted() {
        return x.clone();
    }
    x.map_with(&ops::TRANSPOSE, [("perm", Attr::Ints(perm))])
}

/// For each value of a row, the product of the values before it, or after it if `reverse` is true.
fn running(rows: &Term, reverse: bool) -> Term {
    rows.map_with(
        &ops::CUMPROD,
        [
            ("axis", Attr::Int(-1)),
            ("exclusive", Attr::Bool(true)),
            ("reverse", Attr::Bool(reverse)),
        ],
    )
}

/// The sum along the attribute `axis`, which is kept with size 1.
fn along(b: &Backward<'_>, x: &Term) -> Term {
    let axis = b.attrs().int("axis").unwrap_or(-1);
    x.sum(vec![axis], true)
}

fn softmax(b: &mut Backward<'_>) {
    let (y, g) = (b.y(), b.g());
    let sum = along(b, &(&g * &y));
    b.give(0, (g - sum) * y);
}

fn log_softmax(b: &mut Backward<'_>) {
    let g = b.g();
    let sum = along(b, &g);
    b.give(0, g - b.y().map(&ops::EXP) * sum);
}

/// The softmax of the logits, minus 1 at the label.
fn sparse_softmax_cross_entropy(b: &mut Backward<'_>) {
    if !b.wants(1) {
        return;
    }
    let (labels, logits) = (b.x(0), b.x(1));
    let softmax = logits.map_with(&ops::SOFTMAX, [("axis", Attr::Int(-1))]);
    let g = b.g().expand_dims(-1);
    let hot = match logits.shape().dims() {
        Some([.., Some(depth)]) => labels.map_with(
            &ops::ONE_HOT,
            [
                ("depth", Attr::Int(*depth as i64)),
                ("dtype", Attr::DType(logits.dtype())),
            ],
        ),
        // The number of classes is unknown, so the labels are compared with the positions 0, 1, …
        _ => {
            let ones = logits.full_like(1.0);
            let at = ones.map_with(
                &ops::CUMSUM,
                [
                    ("axis", Attr::Int(-1)),
                    ("exclusive", Attr::Bool(true)),
                    ("reverse", Attr::Bool(false)),
                ],
            );
            let label = labels.cast(logits.dtype()).expand_dims(-1);
            at.with(&ops::EQUAL, &label).cast(logits.dtype())
        }
    };
    b.give(1, g * (softmax - hot));
}

fn flag(b: &Backward<'_>, name: &str) -> bool {
    b.attrs().bool(name).unwrap_or(false)
}

/// The running sum in the opposite direction.
fn cumsum(b: &mut Backward<'_>) {
    let attrs = [
        ("axis", Attr::Int(b.attrs().int("axis").unwrap_or(0))),
        ("exclusive", Attr::Bool(flag(b, "exclusive"))),
        ("reverse", Attr::Bool(!flag(b, "reverse"))),
    ];
    b.give(0, b.g().map_with(&ops::CUMSUM, attrs));
}

/// The running sum, in the opposite direction, of the products times their gradients, divided by the value. All products after the
/// first zero of a lane are zero because of it, so its gradient uses the products without it; values after it get zero.
fn cumprod(b: &mut Backward<'_>) {
    let (x, g) = (b.x(0), b.g());
    let axis = || ("axis", Attr::Int(b.attrs().int("axis").unwrap_or(0)));
    let running = |op, x: &Term, exclusive, reverse| {
        let attrs = [
            axis(),
            ("exclusive", Attr::Bool(exclusive)),
            ("reverse", Attr::Bool(reverse)),
        ];
        x.map_with(op, attrs)
    };
    let (exclusive, reverse) = (flag(b, "exclusive"), flag(b, "reverse"));
    let behind = |products: Term| running(&ops::CUMSUM, &(products * &g), exclusive, !reverse);
    let is_zero = x.with(&ops::EQUAL, &x.number(0.0));
    let zeros = running(&ops::CUMSUM, &is_zero.cast(x.dtype()), false, reverse);
    let first = zeros.with(&ops::EQUAL, &x.number(1.0));
    let first = first.with(&ops::LOGICAL_AND, &is_zero);
    let without = first.select(&x.number(1.0), &x);
    let of_first = behind(running(&ops::CUMPROD, &without, exclusive, reverse));
    let of_others = behind(b.y()).with(&ops::DIVIDE_NO_NAN, &x);
    b.give(0, first.select(&of_first, &of_others));
}
