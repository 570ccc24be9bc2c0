//! Instructions that change a block in place: the last function of an update reads the array whose place its value takes. Sums, differences
//! and steps toward another value are compiled for that, so the block isn't copied first.

use std::marker::PhantomData;

use smallvec::{SmallVec, smallvec};

use super::merge::Task;
use super::pairs::{Along, Operands, PairFunction, Same};
use super::{Operand, StepOp};
use crate::DType;
use crate::block::BlockMut;
use crate::element::ElementOp;
use crate::number::Number;
use crate::simd::{self, Kernel, MulAdd};

/// The function for a task that reads the input `own` once, whose place its value takes, and the task's two other operands. (One operand is
/// given twice.) `None` if the task isn't compiled for that.
pub(super) fn in_place(
    task: Task,
    operands: &[Operand],
    own: Operand,
    dtype: DType,
) -> Option<(PairFunction, SmallVec<[Operand; 3]>)> {
    use ElementOp::{Add, Mul, Sub};
    let (kind, others): (Kind, SmallVec<[Operand; 3]>) = match (task, operands) {
        (Task::Step(StepOp::Element(Add)), [first, a]) if *first == own => {
            (Kind::Plus, smallvec![*a, *a])
        }
        (Task::Step(StepOp::Element(Add)), [a, last]) if *last == own => {
            (Kind::Plus, smallvec![*a, *a])
        }
        (Task::Step(StepOp::Element(Sub)), [first, a]) if *first == own => {
            (Kind::Minus, smallvec![*a, *a])
        }
        (Task::Toward, [a, second, b]) if *second == own => (Kind::Toward, smallvec![*a, *b]),
        (Task::Pair(Mul, Add, _), [a, b, last]) if *last == own => {
            (Kind::PlusProduct, smallvec![*a, *b])
        }
        (Task::Pair(Mul, Sub, 1), [a, b, last]) if *last == own => {
            (Kind::MinusProduct, smallvec![*a, *b])
        }
        _ => return None,
    };
    let function = match dtype {
        DType::F32 => kind.function::<f32>(),
        DType::F64 => kind.function::<f64>(),
        _ => return None,
    };
    (!others.contains(&own)).then_some((function, others))
}

/// How a value is made of the old value and of operands `a` and `b`.
#[derive(Clone, Copy)]
enum Kind {
    Plus,
    Minus,
    Toward,
    PlusProduct,
    MinusProduct,
}

impl Kind {
    fn function<T: Number>(self) -> PairFunction {
        match self {
            Kind::Plus => run::<T, Plus>,
            Kind::Minus => run::<T, Minus>,
            Kind::Toward => run::<T, Toward>,
            Kind::PlusProduct => run::<T, PlusProduct>,
            Kind::MinusProduct => run::<T, MinusProduct>,
        }
    }
}

/// A formula for the new value. Its bits are those of the functions one by one.
trait Change: 'static {
    fn value<T: Number>(own: T, a: T, b: T) -> T;
}

macro_rules! changes {
    ($($name:ident ($own:ident, $a:ident, $b:ident) $value:expr;)*) => { $(
        struct $name;

        impl Change for $name {
            #[inline(always)]
            fn value<T: Number>($own: T, $a: T, $b: T) -> T { $value }
        }
    )* };
}
changes! {
    Plus (own, a, _b) own.add(a);
    Minus (own, a, _b) own.sub(a);
    Toward (own, a, b) a.sub(own).mul(b).add(own);
    PlusProduct (own, a, b) a.mul(b).add(own);
    MinusProduct (own, a, b) own.sub(a.mul(b));
}

/// Changes the values of a block. The operands are one value per element, or for the second one a single value.
struct InPlace<'a, 'b, T, C> {
    operands: &'a Operands<'a>,
    out: &'a mut BlockMut<'b>,
    change: PhantomData<fn(T) -> C>,
}

impl<T: Number, C: Change> Kernel for InPlace<'_, '_, T, C> {
    type Output = ();
    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let [a, b, _] = self.operands.blocks;
        let (a, out) = (T::look(a), T::write(self.out));
        match self.operands.columns[0] {
            false => write::<T, C>(out, a, T::look(b)),
            true => write::<T, C>(out, a, Same(T::look(b)[0])),
        }
    }
}

#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "several slices go by one index")]
fn write<T: Number, C: Change>(out: &mut [T], a: &[T], b: impl Along<T>) {
    let a = &a[..out.len()];
    for n in 0..out.len() {
        out[n] = C::value(out[n], a[n], b.at(n));
    }
}

fn run<T: Number, C: Change>(operands: &Operands, out: &mut BlockMut) {
    simd::run(InPlace::<T, C> {
        operands,
        out,
        change: PhantomData,
    });
}
