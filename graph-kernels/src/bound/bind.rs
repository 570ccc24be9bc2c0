//! What is found before the first iteration of a bound loop: shapes and dtypes are compared, and layouts are taken.

use smallvec::SmallVec;

use super::functions::ReduceRows;
use super::steps::{ProductStep, RowStep, Step, WriteStep};
use super::{BoundArray, BoundLoop, BoundStep, BoundWords, Steps};
use crate::dispatch::integer;
use crate::matmul::BoundProduct;
use crate::program::BoundChain;
use crate::reduce::ReducedShape;
use crate::written::is_open;
use crate::{Array, Axes, DType, Program, ReduceOp};

/// The most values that are reduced in a bound loop: more are for several threads.
const REDUCED: usize = 1 << 14;

/// The arrays, before the loop.
#[derive(Clone, Copy)]
struct Arrays<'b, 'c> {
    fixed: &'b [&'b Array],
    changing: &'b [&'c mut Array],
}

impl BoundLoop {
    /// Adds the steps with what they have found. They aren't returned, because they are large. `None` if one can't run on these arrays.
    pub(super) fn bind<'a>(
        &'a self,
        fixed: &[&Array],
        changing: &[&mut Array],
        steps: &mut Steps<'a>,
    ) -> Option<()> {
        let arrays = Arrays { fixed, changing };
        if self.condition.is_some_and(|held| !arrays.is_truth(held)) {
            return None;
        }
        for step in &self.steps {
            steps.push(arrays.step(step)?);
        }
        Some(())
    }
}

impl Arrays<'_, '_> {
    fn get(&self, array: BoundArray) -> &Array {
        match array {
            BoundArray::Fixed(n) => self.fixed[n],
            BoundArray::Changing(n) => self.changing[n],
        }
    }

    fn step<'a>(&self, step: &'a BoundStep) -> Option<Step<'a>> {
        match step {
            BoundStep::Chain {
                program,
                inputs,
                to,
            } => {
                let chain = self.chain(program, inputs, *to)?;
                chain.is_small().then_some(Step::Chain(chain, *to))
            }
            BoundStep::Product {
                operands,
                transposed,
                behind,
                to,
            } => {
                let [a, b] = operands.map(|operand| self.get(operand));
                let product = BoundProduct::new(a, b, *transposed, self.changing[*to])?;
                let chain = match behind {
                    Some((program, inputs)) => Some(self.chain(program, inputs, *to)?),
                    None => None,
                };
                let fits = chain.as_ref().is_none_or(BoundChain::runs_in_parts);
                fits.then_some(Step::Product(ProductStep {
                    product,
                    operands: *operands,
                    chain,
                    program: behind.as_ref().map(|(program, _)| program),
                    to: *to,
                }))
            }
            BoundStep::Row {
                from,
                positions,
                to,
            } => self.row(*from, positions, *to).map(Step::Row),
            BoundStep::Reduce { op, axes, from, to } => {
                let rows = self.reduce(*op, axes, *from, *to)?;
                let (from, to) = (*from, *to);
                Some(Step::Reduce { rows, from, to })
            }
            BoundStep::Write { list, at, row } => self.write(*list, *at, *row),
            BoundStep::Words(words) => self.fits_words(words).then_some(Step::Words(words)),
            BoundStep::Leave(condition) => {
                let leave = Step::Leave(*condition);
                self.is_truth(*condition).then_some(leave)
            }
            BoundStep::Swap(a, b) => {
                let alike = is_alike(self.changing[*a], self.changing[*b]);
                alike.then_some(Step::Swap(*a, *b))
            }
            BoundStep::Copy { to, from } => {
                let alike = is_alike(self.changing[*to], self.get(*from));
                let differ = *from != BoundArray::Changing(*to);
                let (to, from) = (*to, *from);
                (alike && differ).then_some(Step::Copy { to, from })
            }
        }
    }

    fn chain<'a>(
        &self,
        program: &'a Program,
        inputs: &'a [Option<BoundArray>],
        to: usize,
    ) -> Option<BoundChain<'a>> {
        let arrays = inputs
            .iter()
            .map(|input| input.map(|array| self.get(array)));
        let arrays: SmallVec<[Option<&Array>; 8]> = arrays.collect();
        program.bind(inputs, &arrays, self.changing[to])
    }

    fn row(&self, from: BoundArray, positions: &[BoundArray], to: usize) -> Option<RowStep> {
        let (whole, out) = (self.get(from), &*self.changing[to]);
        let (sizes, row) = whole.shape().split_at_checked(positions.len())?;
        let fits = row == out.shape() && whole.dtype() == out.dtype();
        let mut all = positions.iter().chain([&from]);
        if !fits || is_open(whole) || all.any(|array| *array == BoundArray::Changing(to)) {
            return None;
        }
        let place = |(at, size): (&BoundArray, &usize)| {
            integer(self.get(*at))?;
            Some((*at, *size))
        };
        let positions = positions.iter().zip(sizes).map(place);
        Some(RowStep {
            from,
            positions: positions.collect::<Option<_>>()?,
            len: out.len(),
            to,
        })
    }

    /// A reduction of the last axes to an array of the reducer's own dtype, where one thread reads few values.
    fn reduce(
        &self,
        op: ReduceOp,
        axes: &[i64],
        from: BoundArray,
        to: usize,
    ) -> Option<ReduceRows> {
        let (x, out) = (self.get(from), &*self.changing[to]);
        let reducer = op.reducer(x.dtype()).ok()?;
        let keep_dims = out.rank() == x.rank();
        let reduced = ReducedShape::new(x.shape(), Axes { axes, keep_dims }).ok()?;
        let fits = reducer.takes == x.dtype()
            && out.dtype() == x.dtype()
            && out.shape() == &reduced.shape[..]
            && reduced.is_trailing(x.shape())
            && (1..=REDUCED).contains(&x.len())
            && from != BoundArray::Changing(to);
        let len = reduced.count;
        fits.then_some(ReduceRows { reducer, len })
    }

    fn write<'a>(&self, list: usize, at: BoundArray, row: BoundArray) -> Option<Step<'a>> {
        let (whole, part) = (&*self.changing[list], self.get(row));
        let (rows, shape) = whole.shape().split_first()?;
        let fits = !is_open(whole) && shape == part.shape() && whole.dtype() == part.dtype();
        let has_position = integer(self.get(at)).is_some();
        (fits && has_position && row != BoundArray::Changing(list)).then_some(Step::Write(
            WriteStep {
                list,
                at,
                row,
                rows: *rows,
                len: part.len(),
            },
        ))
    }

    fn fits_words(&self, words: &BoundWords) -> bool {
        let mut inputs = words.inputs.iter();
        let read = inputs.all(|(array, element, _)| {
            let array = self.get(*array);
            match element {
                None => array.to_word().is_some(),
                Some(element) => *element < array.len(),
            }
        });
        let mut outputs = words.outputs.iter();
        read && outputs.all(|output| {
            let array = &*self.changing[output.to];
            array.dtype() == output.dtype && array.shape() == &output.shape[..]
        })
    }

    fn is_truth(&self, array: BoundArray) -> bool {
        let array = self.get(array);
        array.dtype() == DType::Bool && array.rank() == 0
    }
}

fn is_alike(a: &Array, b: &Array) -> bool {
    a.dtype() == b.dtype() && a.shape() == b.shape()
}
