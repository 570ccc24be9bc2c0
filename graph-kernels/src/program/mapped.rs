//! Reductions of a function's values, row by row: the values are added as they are calculated, in the order that they would have in
//! memory, and are never written.

use std::marker::PhantomData;

use super::pairs::Same;
use crate::block::BlockRef;
use crate::element::ElementOp;
use crate::element::function::Function;
use crate::element::table::functions::{Mul, SquaredDifference};
use crate::number::Number;
use crate::reduce::row::{Values, row};
use crate::reduce::{Fold, Sum};
use crate::simd::MulAdd;
use crate::simd::{self, Kernel};
use crate::{DType, ReduceOp};

/// Writes the sums of the function's values, one per row.
pub(super) type MappedSums = fn(&OperandRows, sums: &mut [u64]);

/// Rows of two operands, from the `first`-th row on.
pub(super) struct OperandRows<'a> {
    pub operands: [&'a BlockRef<'a>; 2],
    /// Whether the second operand has one value per row.
    pub column: bool,
    pub first: usize,
    pub len: usize,
}

/// The code that sums a function's values in the order of [`row`]. `None` for reductions that aren't sums or means, and for functions
/// that are rarely summed.
pub(super) fn sums(op: ElementOp, reduction: ReduceOp, dtype: DType) -> Option<MappedSums> {
    match (reduction, dtype) {
        (ReduceOp::Sum | ReduceOp::Mean, DType::F32) => of_function::<f32>(op),
        (ReduceOp::Sum | ReduceOp::Mean, DType::F64) => of_function::<f64>(op),
        _ => None,
    }
}

fn of_function<T: Number>(op: ElementOp) -> Option<MappedSums>
where
    Sum<T>: Fold<Value = T, Sum = T>,
{
    Some(match op {
        ElementOp::Mul => run::<T, Mul>,
        ElementOp::SquaredDifference => run::<T, SquaredDifference>,
        _ => return None,
    })
}

fn run<T: Number, F: Function<T, Operands = (T, T), Output = T>>(
    rows: &OperandRows,
    sums: &mut [u64],
) where
    Sum<T>: Fold<Value = T, Sum = T>,
{
    simd::run(Sums::<T, F> {
        rows,
        sums,
        function: PhantomData,
    });
}

struct Sums<'a, T, F> {
    rows: &'a OperandRows<'a>,
    sums: &'a mut [u64],
    function: PhantomData<fn(T) -> F>,
}

impl<T: Number, F: Function<T, Operands = (T, T), Output = T>> Kernel for Sums<'_, T, F>
where
    Sum<T>: Fold<Value = T, Sum = T>,
{
    type Output = ();
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let OperandRows {
            operands,
            column,
            first,
            len,
        } = *self.rows;
        let (a, b) = (T::look(operands[0]), T::look(operands[1]));
        for (n, sum) in (first..).zip(self.sums) {
            let places = n * len..(n + 1) * len;
            let a = &a[places.clone()];
            let sum_of = if column {
                row::<Sum<T>>(Mapped::<T, _, F, M>::new(a, Same(b[n])))
            } else {
                row::<Sum<T>>(Mapped::<T, _, F, M>::new(a, &b[places]))
            };
            *sum = sum_of.to_word();
        }
    }
}

/// The values of a function of a row and a second operand.
struct Mapped<'a, T, B, F, M> {
    a: &'a [T],
    b: B,
    function: PhantomData<fn() -> (F, M)>,
}

impl<'a, T, B, F, M> Mapped<'a, T, B, F, M> {
    #[inline(always)]
    fn new(a: &'a [T], b: B) -> Self {
        let function = PhantomData;
        Mapped { a, b, function }
    }
}

impl<T, B, F, M> Values for Mapped<'_, T, B, F, M>
where
    T: Number,
    B: Beside<T>,
    F: Function<T, Operands = (T, T), Output = T>,
    M: MulAdd,
{
    type Value = T;
    #[inline(always)]
    fn len(&self) -> usize {
        self.a.len()
    }
    #[inline(always)]
    fn split(self, len: usize) -> (Self, Self) {
        let (a, later_a) = self.a.split_at(len);
        let (b, later_b) = self.b.split(len);
        (Mapped::new(a, b), Mapped::new(later_a, later_b))
    }
    #[inline(always)]
    fn add<G: Fold<Value = T>, const W: usize>(self, sums: &mut [G::Sum; W]) -> Self {
        let (a, rest_a) = self.a.as_chunks::<W>();
        let (b, rest_b) = self.b.chunks::<W>();
        for (n, a) in a.iter().enumerate() {
            for j in 0..W {
                let value = F::call::<M>((a[j], B::at(&b, n, j)));
                sums[j] = G::combine(sums[j], G::lift(value));
            }
        }
        Mapped::new(rest_a, rest_b)
    }
}

/// The second operand of the function, along a row.
trait Beside<T>: Sized {
    type Chunks<const W: usize>;
    /// The second operand of the first `len` values, and that of the others.
    fn split(self, len: usize) -> (Self, Self);
    /// The second operand of chunks of values, and that of the rest.
    fn chunks<const W: usize>(self) -> (Self::Chunks<W>, Self);
    /// The second operand of one value of a chunk.
    fn at<const W: usize>(chunks: &Self::Chunks<W>, n: usize, j: usize) -> T;
}

impl<'a, T: Copy> Beside<T> for &'a [T] {
    type Chunks<const W: usize> = &'a [[T; W]];
    #[inline(always)]
    fn split(self, len: usize) -> (Self, Self) {
        self.split_at(len)
    }
    #[inline(always)]
    fn chunks<const W: usize>(self) -> (&'a [[T; W]], Self) {
        self.as_chunks()
    }
    #[inline(always)]
    fn at<const W: usize>(chunks: &&'a [[T; W]], n: usize, j: usize) -> T {
        chunks[n][j]
    }
}

impl<T: Copy> Beside<T> for Same<T> {
    type Chunks<const W: usize> = T;
    #[inline(always)]
    fn split(self, _: usize) -> (Self, Self) {
        (self, self)
    }
    #[inline(always)]
    fn chunks<const W: usize>(self) -> (T, Self) {
        (self.0, self)
    }
    #[inline(always)]
    fn at<const W: usize>(value: &T, _: usize, _: usize) -> T {
        *value
    }
}
