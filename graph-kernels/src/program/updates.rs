//! Programs with several results, each of which takes the place of an array that the program reads: a step of an optimizer changes a
//! parameter and its moments in one pass over memory.

use smallvec::SmallVec;

use super::layout::Layout;
use super::run::{Chain, RANGE};
use super::{Operand, Program, Step, StepOp, Width, build};
use crate::array::same_shape;
use crate::block::{Block, BlockMut};
use crate::dispatch::shape_text;
use crate::{Array, DType, KernelError, parallel, simd};

impl Program {
    /// The program that changes several arrays in place. They are the first inputs, and as many steps are named in `results`, each of
    /// which gives an array's new value. Such a program runs by [`update`](Self::update) only.
    ///
    /// # Errors
    /// As [`new`](Self::new); if a result isn't one value per element of its array's dtype; if a step reads an array's old value behind the
    /// step that gives the new one; if a step isn't defined for all values; or if an input has one value per row.
    ///
    /// ```
    /// # use graph_kernels::{Array, DType, ElementOp, Operand, Program, Step, Width};
    /// # use smallvec::smallvec;
    /// // v += g; x -= v
    /// let steps = [
    ///     Step { op: ElementOp::Add.into(), operands: smallvec![Operand::Input(0), Operand::Input(2)] },
    ///     Step { op: ElementOp::Sub.into(), operands: smallvec![Operand::Input(1), Operand::Step(0)] },
    /// ];
    /// let (row, number) = ((DType::F32, Width::Row), (DType::F32, Width::Uniform));
    /// let program = Program::updating(&[row, row, number], &steps, &[0, 1])?;
    /// let (mut v, mut x) = (Array::new(&[2], vec![1f32, 2.0]), Array::new(&[2], vec![10f32, 20.0]));
    /// program.update(&mut [&mut v, &mut x], &[&Array::scalar(1f32)])?;
    /// assert_eq!((v, x), (Array::new(&[2], vec![2f32, 3.0]), Array::new(&[2], vec![8f32, 17.0])));
    /// # Ok::<(), graph_kernels::KernelError>(())
    /// ```
    pub fn updating(
        inputs: &[(DType, Width)],
        steps: &[Step],
        results: &[usize],
    ) -> Result<Program, KernelError> {
        let values = check(inputs, steps, results)?;
        for (n, result) in results.iter().enumerate() {
            let (new, old) = (values.get(*result), inputs.get(n));
            if new.is_none_or(|(_, width)| *width != Width::Row) || new != old {
                return refuse(format!("{new:?} can't take the place of {old:?}"));
            }
        }
        build::program(inputs.into(), steps, results)
    }

    /// Changes the arrays. `others` are the inputs behind them.
    ///
    /// # Errors
    /// If the arrays don't all have the shape that the inputs broadcast to, or the dtypes don't fit. Then nothing is changed.
    pub fn update(&self, arrays: &mut [&mut Array], others: &[&Array]) -> Result<(), KernelError> {
        let given = arrays
            .iter()
            .map(|array| &**array)
            .chain(others.iter().copied());
        let given: SmallVec<[Option<&Array>; 8]> = given.map(Some).collect();
        let fits = self.fits(arrays.len(), &given);
        let shapes = given.iter().flatten().map(|array| array.shape());
        if !fits {
            let shapes: Vec<String> = shapes.map(shape_text).collect();
            return refuse(format!("they don't fit the program: {}", shapes.join(", ")));
        }
        let found;
        let layout = match &self.known {
            Some(known) if known.is_for(self, &given, arrays[0]) => &known.layout,
            _ => {
                found = Layout::new(self, shapes)?;
                &found
            }
        };
        if let Some(array) = arrays
            .iter()
            .find(|array| !same_shape(array.shape(), &layout.shape))
        {
            let [own, all] = [array.shape(), &layout.shape].map(shape_text);
            return refuse(format!(
                "one of shape {own} can't hold values of shape {all}"
            ));
        }
        let values = arrays.iter().map(|_| None);
        let values: SmallVec<[Option<Block>; 8]> = values
            .chain(others.iter().map(|array| Block::of(array.buffer())))
            .collect();
        drop(given);
        self.changed(arrays, &Chain::new(self, layout, &values));
        Ok(())
    }

    /// True if there are as many arrays as results, and as many inputs as the program has, of its dtypes and widths.
    fn fits(&self, arrays: usize, given: &[Option<&Array>]) -> bool {
        let mut pairs = given.iter().flatten().zip(&self.inputs);
        arrays == self.results
            && given.len() == self.inputs.len()
            && pairs.all(|(x, (dtype, width))| x.dtype() == *dtype && width.fits(x.shape()))
    }

    /// Checks that the program has a single array to write.
    pub(super) fn check_one_result(&self) -> Result<(), KernelError> {
        match self.results {
            0 | 1 => Ok(()),
            _ => refuse("a program with several results changes as many arrays".to_owned()),
        }
    }

    fn changed(&self, arrays: &mut [&mut Array], chain: &Chain) {
        let len = arrays.first().map_or(0, |array| array.len());
        let blocks = arrays
            .iter_mut()
            .map(|array| BlockMut::of(array.buffer_mut(), len));
        let Some(rest) = blocks.collect::<Option<Blocks>>() else {
            return;
        };
        let level = simd::level();
        let change = |(start, mut blocks): (usize, Blocks)| {
            // The level is supported, because it is the caller's. No step fails: all are defined for all values.
            let done = simd::with_level(level, || chain.ranges(start, &mut blocks, false));
            debug_assert_eq!(done, Some(Ok(())));
        };
        let ranges = Ranges {
            rest,
            start: 0,
            len,
        };
        parallel::for_each(ranges, chain.nanoseconds(len), change);
    }

    /// Which output holds the input `n`, if it isn't given as an array of its own.
    #[inline(always)]
    pub(super) fn held(&self, n: usize) -> usize {
        if self.results > 1 { n } else { 0 }
    }
}

/// A block of each array.
type Blocks<'a> = SmallVec<[BlockMut<'a>; 4]>;

/// The arrays range by range, each with the position where it begins.
struct Ranges<'a> {
    rest: Blocks<'a>,
    start: usize,
    len: usize,
}

impl<'a> Iterator for Ranges<'a> {
    type Item = (usize, Blocks<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let (start, len) = (self.start, RANGE.min(self.len - self.start));
        if len == 0 {
            return None;
        }
        self.start += len;
        let (mut blocks, mut rest) = (Blocks::new(), Blocks::new());
        for block in std::mem::take(&mut self.rest) {
            let (first, others) = block.split_at(len);
            blocks.push(first);
            rest.push(others);
        }
        self.rest = rest;
        Some((start, blocks))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.len - self.start).div_ceil(RANGE);
        (left, Some(left))
    }
}

/// The dtypes and widths of the steps.
///
/// # Errors
/// If a step isn't an elementwise function that is defined for all values of its operands, or reads an array that is overwritten before it.
fn check(
    inputs: &[(DType, Width)],
    steps: &[Step],
    results: &[usize],
) -> Result<SmallVec<[(DType, Width); 16]>, KernelError> {
    if inputs.iter().any(|(_, width)| *width == Width::Column) {
        return refuse("an input has one value per row".to_owned());
    }
    let mut values: SmallVec<[(DType, Width); 16]> = SmallVec::new();
    for (at, step) in steps.iter().enumerate() {
        let StepOp::Element(op) = step.op else {
            return refuse(format!("{:?} isn't elementwise", step.op));
        };
        let mut operands: SmallVec<[DType; 3]> = SmallVec::new();
        let mut widest = Width::Uniform;
        for operand in &step.operands {
            let (value, is_gone) = match *operand {
                Operand::Input(n) => (inputs.get(n), results.get(n).is_some_and(|new| *new < at)),
                Operand::Step(n) => (values.get(n), false),
            };
            let Some((dtype, width)) = value.filter(|_| !is_gone) else {
                return refuse(format!("`{}` can't read {operand:?}", op.name()));
            };
            operands.push(*dtype);
            widest = widest.max(*width);
        }
        values.push((op.output(&operands)?, widest));
        if !operands.last().is_some_and(|dtype| op.is_total(*dtype)) {
            return refuse(format!("`{}` isn't defined for all values", op.name()));
        }
    }
    let is_twice = |n: usize| results[..n].contains(&results[n]);
    match (0..results.len()).any(is_twice) || results.len() < 2 {
        true => refuse("there must be several results, of different steps".to_owned()),
        false => Ok(values),
    }
}

fn refuse<T>(why: String) -> Result<T, KernelError> {
    Err(KernelError::Value(format!(
        "arrays can't be updated together: {why}"
    )))
}
