//! Products of small matrices, and other sums of products: one multiply-add of scalars after the other, in the order of the kernels.
//!
//! With fewer than [`LONG`] products, all kernels for products begin with 0 and add one product after the other, whichever of the operands is
//! transposed or a vector, each in the way of the thread's level (`graph-kernels/src/matmul`).

use graph_kernels::{DType, Equation, Label};

use super::elements::{LONG, number};
use super::split::{Scope, Splitter};
use crate::graph::{Graph, Node, TensorType, ValueId};
use crate::ops::{self, Attrs, OpDef};

/// The axes of an operand: their labels and sizes.
type Axes = Vec<(Label, usize)>;

/// The position of an element of the result along each axis.
type Position = Vec<(Label, usize)>;

impl Splitter {
    /// Writes a sum of products of two operands: `matmul`, `einsum` or `tensordot`.
    pub(super) fn product(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        (op, attrs): (&'static OpDef, &Attrs),
        to: &mut Graph,
    ) -> Option<Vec<ValueId>> {
        let [a, b] = node.inputs[..] else {
            return None;
        };
        let dims = [scope.dims(a)?, scope.dims(b)?];
        let equation = equation(op, attrs, [dims[0].len(), dims[1].len()])?;
        let axes = [0, 1].map(|n| -> Axes {
            let labels = equation.inputs[n].iter().copied();
            labels.zip(dims[n].iter().copied()).collect()
        });
        let summed = summed(&axes, &equation.output)?;
        let dtype = scope.graph.ty(node.outputs[0]).dtype;
        let zero = self.constant(to, number(dtype, 0.0)?, &node.location)?;
        let (a, b) = (scope.elements(a)?, scope.elements(b)?);
        let mut results = Vec::new();
        for position in positions(&axes, &equation.output)? {
            let mut sum = zero;
            for n in 0..summed.1 {
                let at = |label: Label| match label == summed.0 {
                    true => Some(n),
                    false => position
                        .iter()
                        .find(|(own, _)| *own == label)
                        .map(|(_, at)| *at),
                };
                let factors = [a[element(&axes[0], at)?], b[element(&axes[1], at)?]];
                sum = self.multiply_add(dtype, factors, sum, node, to)?;
            }
            results.push(sum);
        }
        Some(results)
    }

    /// The product of two factors and a summand.
    fn multiply_add(
        &mut self,
        dtype: DType,
        [a, b]: [ValueId; 2],
        sum: ValueId,
        node: &Node,
        to: &mut Graph,
    ) -> Option<ValueId> {
        let scalar = || TensorType::scalar(dtype);
        let at = &node.location;
        match dtype {
            // Of three scalars, `matmul` is the multiply-add.
            DType::F32 | DType::F64 => {
                let op = (&ops::MATMUL, Attrs::new());
                self.scalar(to, op, vec![a, b, sum], scalar(), at)
            }
            DType::I32 | DType::I64 => {
                let product = (&ops::MUL, Attrs::new());
                let product = self.scalar(to, product, vec![a, b], scalar(), at)?;
                self.scalar(
                    to,
                    (&ops::ADD, Attrs::new()),
                    vec![sum, product],
                    scalar(),
                    at,
                )
            }
            _ => None,
        }
    }
}

/// What an op sums; `None` if it isn't a sum of products.
fn equation(op: &OpDef, attrs: &Attrs, ranks: [usize; 2]) -> Option<Equation> {
    if *op == ops::EINSUM {
        return Equation::new(attrs.text("equation").ok()?, &ranks).ok();
    }
    if *op == ops::TENSORDOT {
        let axes = [attrs.ints("axes_a").ok()?, attrs.ints("axes_b").ok()?];
        return Equation::pairs(ranks, axes).ok();
    }
    let [left, right] = ["transpose_a", "transpose_b"].map(|name| attrs.bool(name));
    let left = if left.ok()? { "...kl" } else { "...lk" };
    let right = if right.ok()? { "...rk" } else { "...kr" };
    Equation::new(&format!("{left},{right}->...lr"), &ranks).ok()
}

/// The axis that is summed over, with its size. `None` if there are several, and if an operand has an axis twice, or alone and summed, or
/// repeats its values along an axis: these take kernels besides a product.
fn summed([a, b]: &[Axes; 2], output: &[Label]) -> Option<(Label, usize)> {
    for (own, other) in [(a, b), (b, a)] {
        for (label, size) in own {
            let twice = own.iter().filter(|(l, _)| l == label).count() > 1;
            let facing = other.iter().find(|(l, _)| l == label);
            let fits = match facing {
                Some((_, other)) => other == size,
                None => output.contains(label),
            };
            if twice || !fits {
                return None;
            }
        }
    }
    let mut summed = a.iter().filter(|(label, _)| !output.contains(label));
    // Without such an axis, each sum has one product.
    let axis = summed
        .next()
        .copied()
        .unwrap_or((Label::Broadcast(usize::MAX), 1));
    (summed.next().is_none() && axis.1 < LONG).then_some(axis)
}

/// The positions of all elements of the result, row-major.
fn positions([a, b]: &[Axes; 2], output: &[Label]) -> Option<Vec<Position>> {
    let mut positions: Vec<Position> = vec![Vec::new()];
    for label in output {
        let (_, size) = a.iter().chain(b).find(|(own, _)| own == label)?;
        let longer = |position: &Position, at: usize| [&position[..], &[(*label, at)]].concat();
        positions = positions
            .iter()
            .flat_map(|position| (0..*size).map(move |at| longer(position, at)))
            .collect();
    }
    Some(positions)
}

/// The number of the element of an operand at a position, row-major.
fn element(axes: &Axes, at: impl Fn(Label) -> Option<usize>) -> Option<usize> {
    axes.iter()
        .try_fold(0, |number, (label, size)| Some(number * size + at(*label)?))
}
