//! Two functions in one instruction, and one common group of three: the value of the first function stays in a vector register. Pairs are
//! made of the table's functions; the list at the end says which pairs are worth compiling.

use std::marker::PhantomData;

use crate::DType;
use crate::block::{BlockMut, BlockRef};
use crate::element::ElementOp;
use crate::element::function::Function;
use crate::element::table::functions::{Add, Div, Exp, Mul, Neg, Sigmoid, Sqrt, Square, Sub, Tanh};
use crate::number::Number;
use crate::simd::MulAdd;
use crate::simd::{self, Kernel};

/// Applies two functions to the rows of a block. The first function takes the first two operands, or only the first one; the second
/// function takes the first's value and the third operand.
pub(super) type PairFunction = fn(&Operands, &mut BlockMut);

/// The operands of a pair.
pub(super) struct Operands<'a> {
    pub blocks: &'a [BlockRef<'a>; 3],
    /// Whether the second and the third operand have one value per row; otherwise they have one per element.
    pub columns: [bool; 2],
    /// The length of a row.
    pub row: usize,
}

/// Reads one operand along a row.
pub(super) trait Along<T>: Copy {
    fn at(self, n: usize) -> T;
}

impl<T: Copy> Along<T> for &[T] {
    #[inline(always)]
    fn at(self, n: usize) -> T {
        self[n]
    }
}

/// The same value at each position.
#[derive(Clone, Copy)]
pub(super) struct Same<T>(pub T);

impl<T: Copy> Along<T> for Same<T> {
    #[inline(always)]
    fn at(self, _: usize) -> T {
        self.0
    }
}

/// The first function of a pair.
trait First<T>: 'static {
    /// Whether it reads the second operand.
    const TAKES_TWO: bool;
    fn value<M: MulAdd>(a: T, b: T) -> T;
}

/// A function of one operand.
struct OfOne<F>(PhantomData<F>);

/// A function of two operands.
struct OfTwo<F>(PhantomData<F>);

impl<T, F: Function<T, Operands = (T,), Output = T>> First<T> for OfOne<F> {
    const TAKES_TWO: bool = false;
    #[inline(always)]
    fn value<M: MulAdd>(a: T, _: T) -> T {
        F::call::<M>((a,))
    }
}

impl<T, F: Function<T, Operands = (T, T), Output = T>> First<T> for OfTwo<F> {
    const TAKES_TWO: bool = true;
    #[inline(always)]
    fn value<M: MulAdd>(a: T, b: T) -> T {
        F::call::<M>((a, b))
    }
}

/// The second function of a pair.
trait Second<T>: 'static {
    /// `first` is the value of the first function; `b` and `c` are the second and third operand of the pair.
    fn value<M: MulAdd>(first: T, b: T, c: T) -> T;
}

/// `g(value, c)`: the value comes before the third operand.
struct Before<G>(PhantomData<G>);

/// `g(c, value)`: the value comes behind the third operand.
struct Behind<G>(PhantomData<G>);

/// `value * c + b`.
struct Toward;

impl<T, G: Function<T, Operands = (T, T), Output = T>> Second<T> for Before<G> {
    #[inline(always)]
    fn value<M: MulAdd>(first: T, _: T, c: T) -> T {
        G::call::<M>((first, c))
    }
}

impl<T, G: Function<T, Operands = (T, T), Output = T>> Second<T> for Behind<G> {
    #[inline(always)]
    fn value<M: MulAdd>(first: T, _: T, c: T) -> T {
        G::call::<M>((c, first))
    }
}

impl<T: Number> Second<T> for Toward {
    #[inline(always)]
    fn value<M: MulAdd>(first: T, b: T, c: T) -> T {
        first.mul(c).add(b)
    }
}

/// `g(f(a, b), b, c)`.
struct Pair<'a, 'b, T, F, G> {
    operands: &'a Operands<'a>,
    out: &'a mut BlockMut<'b>,
    functions: PhantomData<fn(T) -> (F, G)>,
}

impl<T: Number, F: First<T>, G: Second<T>> Kernel for Pair<'_, '_, T, F, G> {
    type Output = ();
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let Operands {
            blocks,
            columns,
            row,
        } = *self.operands;
        let [a, b, c] = blocks;
        let (a, b, c) = (T::look(a), T::look(b), T::look(c));
        let value = |a, b, c| G::value::<M>(F::value::<M>(a, b), b, c);
        for (n, out) in T::write(self.out).chunks_mut(row).enumerate() {
            let places = n * row..n * row + out.len();
            let a = &a[places.clone()];
            if !F::TAKES_TWO {
                match columns[1] {
                    false => write(out, value, a, Same(T::ZERO), &c[places]),
                    true => write(out, value, a, Same(T::ZERO), Same(c[n])),
                }
                continue;
            }
            match columns {
                [false, false] => write(out, value, a, &b[places.clone()], &c[places]),
                [false, true] => write(out, value, a, &b[places], Same(c[n])),
                [true, false] => write(out, value, a, Same(b[n]), &c[places]),
                [true, true] => write(out, value, a, Same(b[n]), Same(c[n])),
            }
        }
    }
}

#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "several slices go by one index")]
fn write<T: Copy>(
    out: &mut [T],
    value: impl Fn(T, T, T) -> T,
    a: &[T],
    b: impl Along<T>,
    c: impl Along<T>,
) {
    for n in 0..out.len() {
        out[n] = value(a[n], b.at(n), c.at(n));
    }
}

/// Whether a function is so expensive that it is calculated once, and not in each of two pairs.
pub(super) fn is_dear(function: ElementOp) -> bool {
    matches!(
        function,
        ElementOp::Exp | ElementOp::Sigmoid | ElementOp::Sqrt | ElementOp::Tanh
    )
}

/// `b + (a - b) * c`, which moves `b` toward `a`, as an exponential moving average does. The bits are those of the three functions.
pub(super) fn toward(dtype: DType) -> Option<PairFunction> {
    match dtype {
        DType::F32 => Some(run::<f32, OfTwo<Sub>, Toward>),
        DType::F64 => Some(run::<f64, OfTwo<Sub>, Toward>),
        _ => None,
    }
}

/// The code for two functions; the value of `first` is the operand of `second` with the given index.
pub(super) fn pair(
    first: ElementOp,
    second: ElementOp,
    operand: usize,
    dtype: DType,
) -> Option<PairFunction> {
    match (dtype, first) {
        (DType::F32, ElementOp::Mul) if (second, operand) == (ElementOp::Div, 0) => {
            Some(run::<f32, OfTwo<Mul>, Before<Div>>)
        }
        (DType::F32, ElementOp::Exp) => of_second::<f32, OfOne<Exp>>(second, operand),
        (DType::F32, ElementOp::Neg) => of_second::<f32, OfOne<Neg>>(second, operand),
        (DType::F32, ElementOp::Sigmoid) => of_second::<f32, OfOne<Sigmoid>>(second, operand),
        (DType::F32, ElementOp::Sqrt) => of_second::<f32, OfOne<Sqrt>>(second, operand),
        (DType::F32, ElementOp::Square) => of_second::<f32, OfOne<Square>>(second, operand),
        (DType::F32, ElementOp::Tanh) => of_second::<f32, OfOne<Tanh>>(second, operand),
        (DType::F32, _) => of_first::<f32>(first, second, operand),
        (DType::F64, _) => of_first::<f64>(first, second, operand),
        (DType::I32, _) => of_first::<i32>(first, second, operand),
        _ => None,
    }
}

fn of_first<T: Number>(
    first: ElementOp,
    second: ElementOp,
    operand: usize,
) -> Option<PairFunction> {
    match first {
        ElementOp::Add => of_second::<T, OfTwo<Add>>(second, operand),
        ElementOp::Sub => of_second::<T, OfTwo<Sub>>(second, operand),
        ElementOp::Mul => of_second::<T, OfTwo<Mul>>(second, operand),
        _ => None,
    }
}

fn of_second<T: Number, F: First<T>>(second: ElementOp, operand: usize) -> Option<PairFunction> {
    Some(match (second, operand) {
        // The order of the operands makes no difference to a sum or a product.
        (ElementOp::Add, _) => run::<T, F, Before<Add>>,
        (ElementOp::Mul, _) => run::<T, F, Before<Mul>>,
        (ElementOp::Sub, 0) => run::<T, F, Before<Sub>>,
        (ElementOp::Sub, _) => run::<T, F, Behind<Sub>>,
        _ => return None,
    })
}

fn run<T: Number, F: First<T>, G: Second<T>>(operands: &Operands, out: &mut BlockMut) {
    simd::run(Pair::<T, F, G> {
        operands,
        out,
        functions: PhantomData,
    });
}
