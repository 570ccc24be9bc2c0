//! Operands and attributes drawn from a seed. The distance of a value to a kink is much larger than the step of central differences.

use graph_runtime::Array;

/// A random number generator (SplitMix64).
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `n - 1`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A number between two bounds, inclusive.
    pub fn int(&mut self, from: i64, to: i64) -> i64 {
        from + self.below((to - from + 1) as usize) as i64
    }

    pub fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    pub fn float(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A shape with a rank between two bounds, and sizes from 1 to 3.
    pub fn shape(&mut self, least: usize, most: usize) -> Vec<usize> {
        let rank = least + self.below(most - least + 1);
        self.sizes(rank)
    }

    pub fn sizes(&mut self, rank: usize) -> Vec<usize> {
        (0..rank).map(|_| 1 + self.below(3)).collect()
    }

    /// An axis of a shape with this rank, counted from the front or from the back.
    pub fn axis(&mut self, rank: usize) -> i64 {
        self.int(-(rank as i64), rank as i64 - 1)
    }

    /// Some distinct axes of a shape with this rank, each counted from the front or from the back.
    pub fn axes(&mut self, rank: usize) -> Vec<i64> {
        let all: Vec<usize> = (0..rank).filter(|_| self.flag()).collect();
        let from = |axis: usize, back| axis as i64 - if back { rank as i64 } else { 0 };
        all.into_iter()
            .map(|axis| from(axis, self.flag()))
            .collect()
    }

    /// The numbers below `n` in random order.
    pub fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        (1..n).for_each(|i| order.swap(i, self.below(i + 1)));
        order
    }

    /// A shape that broadcasts to this one: it lacks some leading axes, and some of its sizes are 1.
    pub fn part_of(&mut self, shape: &[usize]) -> Vec<usize> {
        let from = self.below(shape.len() + 1);
        let sizes = shape[from..].iter();
        sizes
            .map(|n| if self.below(3) == 0 { 1 } else { *n })
            .collect()
    }

    /// Two shapes that broadcast with each other, often to a shape larger than both.
    pub fn pair(&mut self) -> [Vec<usize>; 2] {
        let whole = self.shape(0, 3);
        if self.below(3) == 0 {
            return [whole.clone(), whole];
        }
        let (a, b) = (self.part_of(&whole), self.part_of(&whole));
        [a, b]
    }

    /// Floats between two bounds.
    pub fn floats(&mut self, shape: &[usize], low: f64, high: f64) -> Array {
        self.away(shape, low, high, &[])
    }

    /// Floats between two bounds, none of them near a kink.
    pub fn away(&mut self, shape: &[usize], low: f64, high: f64, kinks: &[f64]) -> Array {
        let mut value = || loop {
            let value = self.float(low, high);
            if kinks.iter().all(|kink| (value - kink).abs() > 0.05) {
                return value;
            }
        };
        let len = shape.iter().product();
        Array::new(shape, (0..len).map(|_| value()).collect::<Vec<f64>>())
    }

    /// Floats with a distance between any two of them.
    pub fn distinct(&mut self, shape: &[usize]) -> Array {
        let len = shape.iter().product();
        let order = self.order(len);
        let value = |n: usize| (n as f64 - len as f64 / 2.0) * 0.3 + self.float(-0.1, 0.1);
        Array::new(shape, order.into_iter().map(value).collect::<Vec<f64>>())
    }

    /// Floats near 1.
    pub fn positive(&mut self, shape: &[usize]) -> Array {
        self.floats(shape, 0.5, 2.0)
    }

    /// Floats around 0.
    pub fn any(&mut self, shape: &[usize]) -> Array {
        self.floats(shape, -2.0, 2.0)
    }

    /// Integers between two bounds, inclusive, as `int32` or `int64`.
    pub fn ints(&mut self, shape: &[usize], from: i64, to: i64) -> Array {
        let len: usize = shape.iter().product();
        let values: Vec<i64> = (0..len).map(|_| self.int(from, to)).collect();
        self.of_either(shape, values)
    }

    /// These integers, as `int32` or `int64`.
    pub fn of_either(&mut self, shape: &[usize], values: Vec<i64>) -> Array {
        match self.flag() {
            true => Array::new(shape, values),
            false => Array::new(
                shape,
                values.into_iter().map(|n| n as i32).collect::<Vec<i32>>(),
            ),
        }
    }

    pub fn flags(&mut self, shape: &[usize]) -> Array {
        let len: usize = shape.iter().product();
        Array::new(shape, (0..len).map(|_| self.flag()).collect::<Vec<bool>>())
    }
}
