//! Einstein sums: the operands are multiplied two at a time, each pair as products of matrices, as on the CPU. An operand is copied only if the order
//! of its axes doesn't fit a product.

use graph_kernels::{DType, Dims, Division, Equation, Label, Labels, ReduceOp};

use super::moves::copy;
use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{Kernels, MOST_IN_BATCH, Matrix, Product, Reduction, Step, View};
use crate::value::Tensor;

pub const OPS: &[(&str, Run)] = &[("einsum", einsum), ("tensordot", tensordot)];

fn einsum(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let ranks: Dims = call.operands.iter().map(|x| x.shape.len()).collect();
    let equation = Equation::new(call.attrs.text("equation")?, &ranks)?;
    sum_of_products(kernels, &equation, call.operands)
}

fn tensordot(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [a, b] = call.all()?;
    let axes = [call.attrs.ints("axes_a")?, call.attrs.ints("axes_b")?];
    let equation = Equation::pairs([a.shape.len(), b.shape.len()], axes)?;
    sum_of_products(kernels, &equation, call.operands)
}

fn sum_of_products(kernels: &Kernels, equation: &Equation, operands: &[Tensor]) -> Outcome {
    let size = |input: usize, axis: usize| Some(operands[input].shape[axis]);
    let sizes = equation.output_sizes(size)?;
    let shape: Dims = sizes.iter().map(|size| size.unwrap_or(1)).collect();
    let pairs = equation.inputs.iter().zip(operands);
    let mut terms = pairs.map(|(labels, x)| Term {
        kernels,
        tensor: x.clone(),
        labels: labels.clone(),
    });
    let first = terms.next();
    let first = first.ok_or(Trouble::NoKernel("there are no operands"))?;
    // Whether a label is still needed after the first `n` operands are multiplied.
    let needed = |label: Label, n: usize| {
        let later = &equation.inputs[n..];
        equation.output.contains(&label) || later.iter().any(|labels| labels.contains(&label))
    };
    let mut product = first.sum(|label| needed(label, 1))?;
    for (n, term) in terms.enumerate() {
        let (labels, n) = (product.labels.clone(), n + 2);
        let term = term.sum(|label| labels.contains(&label) || needed(label, n))?;
        product = product.times(term, |label| needed(label, n))?;
    }
    product.arranged(&equation.output, &shape)
}

/// A tensor whose axes have labels.
struct Term<'a> {
    kernels: &'a Kernels,
    tensor: Tensor,
    labels: Labels,
}

impl<'a> Term<'a> {
    /// Sums over the axes that aren't needed; where a label occurs twice, takes the diagonal.
    fn sum(mut self, needed: impl Fn(Label) -> bool) -> Result<Term<'a>, Trouble> {
        let mut unique = self.labels.clone();
        unique.sort();
        unique.dedup();
        if unique.len() < self.labels.len() {
            self.tensor = self.arranged(&unique, &self.shape_of(&unique))?;
            self.labels = unique;
        }
        let is_kept = |axis: &usize| needed(self.labels[*axis]);
        let all = 0..self.labels.len();
        let mut order: Vec<usize> = all.clone().filter(is_kept).collect();
        let kept = order.len();
        if kept == self.labels.len() {
            return Ok(self);
        }
        order.extend(all.filter(|axis| !is_kept(axis)));
        let x = &self.tensor;
        let dims: Vec<usize> = order.iter().map(|axis| x.shape[*axis]).collect();
        let input = x.input_by(View::of(&x.shape).permuted(&order))?;
        self.tensor = self.kernels.result(x.dtype, &dims[..kept], |out| {
            let reduction = Reduction {
                op: ReduceOp::Sum,
                dims: &dims,
                kept,
                dtype: x.dtype,
                steps: vec![Step::Operand(0)],
                inputs: &[input],
            };
            Ok(self.kernels.reduce(out, reduction)?)
        })?;
        self.labels.retain(|label| needed(*label));
        Ok(self)
    }

    fn size(&self, label: Label) -> Option<usize> {
        let axis = self.labels.iter().position(|own| *own == label)?;
        Some(self.tensor.shape[axis])
    }

    fn shape_of(&self, labels: &[Label]) -> Dims {
        let sizes = labels.iter().map(|label| self.size(*label).unwrap_or(1));
        sizes.collect()
    }

    /// The number of elements along some axes.
    fn total(&self, labels: &[Label]) -> usize {
        self.shape_of(labels).iter().product()
    }

    /// The values with their axes in another order; axes that are missing or of size 1 are broadcast.
    fn arranged(&self, labels: &[Label], shape: &[usize]) -> Outcome {
        if self.labels[..] == *labels && self.tensor.shape[..] == *shape {
            return Ok(self.tensor.clone());
        }
        let own = View::of(&self.tensor.shape);
        let mut view = View::still(labels.len());
        let axes = self.labels.iter().zip(own.strides);
        for ((label, step), size) in axes.zip(&self.tensor.shape) {
            let axis = labels.iter().position(|other| other == label);
            if let (Some(axis), true) = (axis, *size != 1) {
                view.strides[axis] += step;
            }
        }
        copy(self.kernels, &self.tensor, view, shape)
    }

    /// The product of two terms, summed over the common axes that are no longer needed.
    fn times(
        mut self,
        mut other: Term<'a>,
        needed: impl Fn(Label) -> bool,
    ) -> Result<Term<'a>, Trouble> {
        self.drop_repeated(&other);
        other.drop_repeated(&self);
        let Division {
            batch,
            left,
            summed,
            right,
        } = Division::of(&self.labels, &other.labels, needed);
        let mut shape = self.shape_of(&batch);
        shape.extend(self.shape_of(&left));
        shape.extend(other.shape_of(&right));
        let [products, rows, depth] = [&batch, &left, &summed].map(|labels| self.total(labels));
        let columns = other.total(&right);
        if products > MOST_IN_BATCH || self.tensor.dtype == DType::Bool {
            return Err(Trouble::NoKernel("the batch is too large"));
        }
        let (a, of_a) = self.ordered(&batch, [&left, &summed])?;
        let (b, of_b) = other.ordered(&batch, [&summed, &right])?;
        let tensor = self.kernels.result(self.tensor.dtype, &shape, |out| {
            let product = Product {
                dtype: self.tensor.dtype,
                batch: &[products],
                rows,
                columns,
                depth,
                left: matrix(&a, of_a, [rows, depth])?,
                right: matrix(&b, of_b, [depth, columns])?,
            };
            Ok(self.kernels.product(out, product)?)
        })?;
        Ok(Term {
            kernels: self.kernels,
            tensor,
            labels: batch.into_iter().chain(left).chain(right).collect(),
        })
    }

    /// Drops the axes of size 1 that are broadcast against another operand's axis.
    fn drop_repeated(&mut self, other: &Term<'_>) {
        let repeated =
            |label: &Label, size: usize| size == 1 && other.size(*label).is_some_and(|n| n != 1);
        let pairs = self.labels.iter().zip(&self.tensor.shape);
        let kept = pairs.filter(|(label, size)| !repeated(label, **size));
        let kept: Labels = kept.map(|(label, _)| *label).collect();
        if kept.len() < self.labels.len() {
            self.tensor = self.tensor.reshaped(&self.shape_of(&kept));
            self.labels = kept;
        }
    }

    /// The tensor with its axes in the order of a product: batch, rows, columns; or with columns before rows, in which case the second value is true.
    fn ordered(
        &self,
        batch: &[Label],
        [rows, columns]: [&[Label]; 2],
    ) -> Result<(Tensor, bool), Trouble> {
        let order = |first: &[Label], second: &[Label]| -> Labels {
            batch.iter().chain(first).chain(second).copied().collect()
        };
        if self.labels == order(columns, rows) {
            return Ok((self.tensor.clone(), true));
        }
        let labels = order(rows, columns);
        Ok((self.arranged(&labels, &self.shape_of(&labels))?, false))
    }
}

/// The matrices of a tensor, `rows × columns`, or transposed in memory.
fn matrix(
    x: &Tensor,
    is_transposed: bool,
    [rows, columns]: [usize; 2],
) -> Result<Matrix<'_>, Trouble> {
    let (row, column) = match is_transposed {
        true => (1, rows),
        false => (columns, 1),
    };
    Ok(Matrix {
        buffer: x.buffer()?,
        row: row as u64,
        column: column as u64,
        batch: View {
            offset: 0,
            strides: [(rows * columns) as i64].into_iter().collect(),
        },
    })
}
