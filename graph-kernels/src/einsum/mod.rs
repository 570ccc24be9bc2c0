//! Einstein sums: the operands are multiplied two at a time, each pair as one batched matrix product. An operand is copied only if the
//! order of its axes doesn't fit a matrix product.

mod division;
mod equation;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use division::Division;
pub use equation::{Equation, Label, Labels};

use crate::dispatch::undefined;
use crate::matmul::matmul_shaped;
use crate::nest::{Strides, row_major};
use crate::reduce::{Axes, ReduceOp, reduce};
use crate::shape::strided;
use crate::{Array, Dims, KernelError};

/// The sum of products that an equation such as `ij,jk->ik` describes; see [`Equation`].
///
/// # Errors
/// If the equation is invalid or doesn't fit the operands, or they aren't numbers of one dtype.
pub fn einsum(equation: &str, operands: &[&Array], out: &mut Array) -> Result<(), KernelError> {
    let ranks: Dims = operands.iter().map(|x| x.rank()).collect();
    sum_of_products(&Equation::new(equation, &ranks)?, operands, out)
}

/// The sum of products over pairs of axes. The result has the remaining axes of `a`, then those of `b`.
///
/// # Errors
/// If the lists of axes differ in length, an axis doesn't exist or is named twice, sizes of a pair differ, or the operands aren't
/// numbers of one dtype.
pub fn tensordot(
    a: &Array,
    b: &Array,
    axes: [&[i64]; 2],
    out: &mut Array,
) -> Result<(), KernelError> {
    let equation = Equation::pairs([a.rank(), b.rank()], axes)?;
    sum_of_products(&equation, &[a, b], out)
}

fn sum_of_products(
    equation: &Equation,
    operands: &[&Array],
    out: &mut Array,
) -> Result<(), KernelError> {
    let size = |input: usize, axis: usize| Some(operands[input].shape()[axis]);
    let sizes = equation.output_sizes(size)?;
    let mut terms = equation
        .inputs
        .iter()
        .zip(operands)
        .map(|(labels, x)| Term {
            array: Cow::Borrowed(*x),
            labels: labels.clone(),
        });
    let Some(first) = terms.next() else {
        return Err(KernelError::Value(
            "`einsum` takes at least one operand".to_owned(),
        ));
    };
    if !first.array.dtype().is_number() {
        return Err(undefined("einsum", first.array.dtype()));
    }
    // Whether a label is still needed after the first `n` operands are multiplied.
    let needed = |label: Label, n: usize| {
        let later = &equation.inputs[n..];
        equation.output.contains(&label) || later.iter().any(|labels| labels.contains(&label))
    };
    let mut product = first.sum(|label| needed(label, 1))?;
    for (n, term) in terms.enumerate() {
        let (product_labels, n) = (product.labels.clone(), n + 2);
        let term = term.sum(|label| product_labels.contains(&label) || needed(label, n))?;
        product = product.times(term, |label| needed(label, n))?;
    }
    let shape: Dims = sizes.iter().map(|size| size.unwrap_or(1)).collect();
    product.arrange(&equation.output, &shape, out)
}

/// An array whose axes have labels.
struct Term<'a> {
    array: Cow<'a, Array>,
    labels: Labels,
}

impl<'a> Term<'a> {
    /// Sums over the axes that aren't needed; where a label occurs twice, takes the diagonal.
    fn sum(mut self, needed: impl Fn(Label) -> bool) -> Result<Term<'a>, KernelError> {
        let mut unique = self.labels.clone();
        unique.sort();
        unique.dedup();
        if unique.len() < self.labels.len() {
            let shape = self.shape_of(&unique);
            let mut diagonal = Array::default();
            self.arrange(&unique, &shape, &mut diagonal)?;
            self = Term {
                array: Cow::Owned(diagonal),
                labels: unique,
            };
        }
        let axes: Vec<i64> = (0..self.labels.len())
            .filter(|axis| !needed(self.labels[*axis]))
            .map(|axis| axis as i64)
            .collect();
        if axes.is_empty() {
            return Ok(self);
        }
        let mut sum = Array::default();
        let axes = Axes {
            axes: &axes,
            keep_dims: false,
        };
        reduce(ReduceOp::Sum, &self.array, axes, &mut sum)?;
        self.labels.retain(|label| needed(*label));
        Ok(Term {
            array: Cow::Owned(sum),
            labels: self.labels,
        })
    }

    fn size(&self, label: Label) -> Option<usize> {
        let axis = self.labels.iter().position(|own| *own == label)?;
        Some(self.array.shape()[axis])
    }

    fn shape_of(&self, labels: &[Label]) -> Dims {
        labels
            .iter()
            .map(|label| self.size(*label).unwrap_or(1))
            .collect()
    }

    /// Writes the values with their axes in another order; axes that are missing or of size 1 are broadcast.
    fn arrange(
        &self,
        labels: &[Label],
        shape: &[usize],
        out: &mut Array,
    ) -> Result<(), KernelError> {
        let steps = row_major(self.array.shape());
        let mut strides = Strides::from_elem(0, labels.len());
        for ((label, step), size) in self.labels.iter().zip(steps).zip(self.array.shape()) {
            if let Some(axis) = labels.iter().position(|other| other == label)
                && *size != 1
            {
                strides[axis] += step;
            }
        }
        out.reset(self.array.dtype(), shape)?;
        strided(&self.array, 0, &strides, shape, out)
    }

    /// The product of two terms, summed over the common axes that are no longer needed.
    fn times(
        mut self,
        mut other: Term<'a>,
        needed: impl Fn(Label) -> bool,
    ) -> Result<Term<'a>, KernelError> {
        self.drop_repeated(&other);
        other.drop_repeated(&self);
        let Division {
            batch,
            left,
            summed,
            right,
        } = Division::of(&self.labels, &other.labels, needed);
        let (a, transpose_a) = self.ordered(&batch, &left, &summed)?;
        let (b, transpose_b) = other.ordered(&batch, &summed, &right)?;
        let total = |term: &Term, labels: &[Label]| term.shape_of(labels).iter().product::<usize>();
        let sizes = [
            total(&a, &batch),
            total(&a, &left),
            total(&a, &summed),
            total(&b, &right),
        ];
        let [z, m, k, n] = sizes;
        let shape_a = if transpose_a { [z, k, m] } else { [z, m, k] };
        let shape_b = if transpose_b { [z, n, k] } else { [z, k, n] };
        let mut product = Array::default();
        matmul_shaped(
            (&a.array, &shape_a),
            (&b.array, &shape_b),
            [transpose_a, transpose_b],
            &mut product,
        )?;
        let mut shape = a.shape_of(&batch);
        shape.extend(a.shape_of(&left));
        shape.extend(b.shape_of(&right));
        product.set_shape(&shape);
        let labels = batch.into_iter().chain(left).chain(right).collect();
        Ok(Term {
            array: Cow::Owned(product),
            labels,
        })
    }

    /// Drops the axes of size 1 that are broadcast against another operand's axis.
    fn drop_repeated(&mut self, other: &Term) {
        let repeated =
            |label: &Label, size: usize| size == 1 && other.size(*label).is_some_and(|n| n != 1);
        let kept: Labels = self
            .labels
            .iter()
            .zip(self.array.shape())
            .filter(|(label, n)| !repeated(label, **n))
            .map(|(label, _)| *label)
            .collect();
        if kept.len() < self.labels.len() {
            let shape = self.shape_of(&kept);
            self.array.to_mut().set_shape(&shape);
            self.labels = kept;
        }
    }

    /// The same term with its axes in the order of a matrix product: batch, rows, columns; or with columns before rows, in which case the
    /// second value is true.
    fn ordered(
        self,
        batch: &[Label],
        rows: &[Label],
        columns: &[Label],
    ) -> Result<(Term<'a>, bool), KernelError> {
        let order = |first: &[Label], second: &[Label]| -> Labels {
            batch.iter().chain(first).chain(second).copied().collect()
        };
        if self.labels == order(rows, columns) {
            return Ok((self, false));
        }
        if self.labels == order(columns, rows) {
            return Ok((self, true));
        }
        let labels = order(rows, columns);
        let shape = self.shape_of(&labels);
        let mut array = Array::default();
        self.arrange(&labels, &shape, &mut array)?;
        Ok((
            Term {
                array: Cow::Owned(array),
                labels,
            },
            false,
        ))
    }
}
