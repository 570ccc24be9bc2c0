//! The reduction of contiguous values, in an order that depends only on their number: the bits are the same at every instruction set, for
//! any number of threads, and whether the values come from memory or block by block from a fused program.
//!
//! The order: a block of up to [`BLOCK`] values is combined into [`WIDE`] partial sums, whose halves are then combined repeatedly; the
//! results of the blocks are combined pairwise, as a tree. So the rounding error of a sum of `n` floats is at most about `22 + log2(n /
//! 1024)` units in the last place of the sum of their magnitudes.

use super::fold::Fold;

/// The number of values in a block.
pub(crate) const BLOCK: usize = 1024;
/// The number of partial sums: four AVX-512 registers of `f32`, to hide the latency of additions.
const WIDE: usize = 64;
/// The number of partial sums for values that don't fill [`WIDE`].
pub(super) const NARROW: usize = 16;

/// A sequence of values for [`row`]: read from memory, or calculated on the way.
pub(crate) trait Values: Sized {
    type Value;
    /// The number of values.
    fn len(&self) -> usize;
    /// The first `len` values, and the others.
    fn split(self, len: usize) -> (Self, Self);
    /// Combines the partial sums with as many values at a time, from the first value on, and returns the remaining values.
    fn add<F: Fold<Value = Self::Value>, const W: usize>(self, sums: &mut [F::Sum; W]) -> Self;
}

impl<T: Copy> Values for &[T] {
    type Value = T;
    #[inline(always)]
    fn len(&self) -> usize {
        <[T]>::len(self)
    }
    #[inline(always)]
    fn split(self, len: usize) -> (Self, Self) {
        self.split_at(len)
    }
    #[inline(always)]
    fn add<F: Fold<Value = T>, const W: usize>(self, sums: &mut [F::Sum; W]) -> Self {
        let (chunks, rest) = self.as_chunks();
        chunks.iter().for_each(|values| add::<F, W>(sums, *values));
        rest
    }
}

/// The combination of contiguous values.
#[inline(always)]
pub(crate) fn row<F: Fold>(mut values: impl Values<Value = F::Value>) -> F::Sum {
    let mut pairs = None;
    // One loop for short and long rows, so that the code of a block is compiled once.
    loop {
        let len = values.len().min(BLOCK);
        let (next, rest) = values.split(len);
        let sum = block::<F>(next);
        let is_last = rest.len() == 0;
        if is_last && pairs.is_none() {
            return sum;
        }
        let pairs = pairs.get_or_insert_with(|| Pairs::new(F::IDENTITY));
        pairs.push(sum, F::combine);
        if is_last {
            return pairs.finish(F::combine);
        }
        values = rest;
    }
}

/// The combination of up to [`BLOCK`] contiguous values.
#[inline(always)]
pub(crate) fn block<F: Fold>(values: impl Values<Value = F::Value>) -> F::Sum {
    let len = values.len();
    if len < NARROW {
        return few::<F>(values);
    }
    if len < WIDE {
        return last::<F>([F::IDENTITY; NARROW], values);
    }
    let mut wide = [F::IDENTITY; WIDE];
    let values = values.add::<F, WIDE>(&mut wide);
    last::<F>(quarters::<F>(&wide), values)
}

/// The combinations of two blocks of the same length, at least [`WIDE`], which are read at once.
#[inline(always)]
pub(crate) fn two_blocks<F: Fold>(first: &[F::Value], second: &[F::Value]) -> [F::Sum; 2] {
    // Two variables, not an array of two, which would be kept in memory.
    let (mut a, mut b) = ([F::IDENTITY; WIDE], [F::IDENTITY; WIDE]);
    let ((chunks_a, rest_a), (chunks_b, rest_b)) = (first.as_chunks(), second.as_chunks());
    for (values_a, values_b) in chunks_a.iter().zip(chunks_b) {
        add::<F, WIDE>(&mut a, *values_a);
        add::<F, WIDE>(&mut b, *values_b);
    }
    [
        last::<F>(quarters::<F>(&a), rest_a),
        last::<F>(quarters::<F>(&b), rest_b),
    ]
}

/// Combines each partial sum with a value.
#[inline(always)]
pub(crate) fn add<F: Fold, const W: usize>(sums: &mut [F::Sum; W], values: [F::Value; W]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = F::combine(*sum, F::lift(value));
    }
}

/// Combines the quarters of the wide partial sums with each other.
#[inline(always)]
fn quarters<F: Fold>(wide: &[F::Sum; WIDE]) -> [F::Sum; NARROW] {
    std::array::from_fn(|j| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|n| wide[n * NARROW + j]);
        F::combine(F::combine(a, b), F::combine(c, d))
    })
}

/// Combines the narrow partial sums with a block's last values.
#[inline(always)]
fn last<F: Fold>(mut narrow: [F::Sum; NARROW], values: impl Values<Value = F::Value>) -> F::Sum {
    let rest = few::<F>(values.add::<F, NARROW>(&mut narrow));
    let mut half = NARROW / 2;
    while half > 0 {
        for j in 0..half {
            narrow[j] = F::combine(narrow[j], narrow[j + half]);
        }
        half /= 2;
    }
    F::combine(narrow[0], rest)
}

/// Combines values one by one.
#[inline(always)]
fn few<F: Fold>(values: impl Values<Value = F::Value>) -> F::Sum {
    let mut sum = [F::IDENTITY];
    values.add::<F, 1>(&mut sum);
    sum[0]
}

/// Sums that are combined pairwise as they arrive: those of two blocks, of two pairs, and so on.
pub(crate) struct Pairs<S> {
    /// Bit `n` of `count` says whether `sums[n]` holds the sum of `2^n` blocks.
    sums: [S; 54],
    count: u64,
    identity: S,
}

impl<S: Copy> Pairs<S> {
    #[inline(always)]
    pub fn new(identity: S) -> Pairs<S> {
        Pairs {
            sums: [identity; 54],
            count: 0,
            identity,
        }
    }

    /// Takes the next block's sum.
    #[inline(always)]
    pub fn push(&mut self, mut sum: S, combine: impl Fn(S, S) -> S) {
        let mut place = 0;
        while self.count >> place & 1 == 1 {
            sum = combine(self.sums[place], sum);
            place += 1;
        }
        self.sums[place] = sum;
        self.count += 1;
    }

    /// The combination of all sums; the identity if there are none.
    #[inline(always)]
    pub fn finish(&self, combine: impl Fn(S, S) -> S) -> S {
        let full = (0..self.sums.len()).filter(|place| self.count >> place & 1 == 1);
        let mut sums = full.map(|place| self.sums[place]);
        match sums.next() {
            None => self.identity,
            Some(last) => sums.fold(last, |right, left| combine(left, right)),
        }
    }
}
