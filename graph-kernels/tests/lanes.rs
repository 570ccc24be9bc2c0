//! Looking up values along an axis, and adding there, against their definitions: one place after the other, with none of the kernels'
//! strides and runs.

use graph_kernels::{Array, add_along_axis, take_along_axis};
use proptest::prelude::*;

/// An array of a shape, positions of another one on an axis, and how many values are looked up along it.
#[derive(Debug)]
struct Lookup {
    shape: Vec<usize>,
    places: Vec<usize>,
    axis: usize,
    positions: Vec<i64>,
}

/// Shapes that broadcast apart from the axis, with empty ones among them; an axis of no values has no positions.
fn lookups() -> impl Strategy<Value = Lookup> {
    let sizes = (0usize..4, any::<bool>(), any::<bool>());
    let sizes = prop::collection::vec(sizes, 1..5);
    let along = (any::<prop::sample::Index>(), 0usize..5, 0usize..40);
    let numbers = prop::collection::vec(any::<u32>(), 64);
    (sizes, along, numbers).prop_map(|(sizes, (axis, len, count), numbers)| {
        let axis = axis.index(sizes.len());
        let part = |n: usize, is_one: bool| if is_one { 1 } else { n };
        let mut shape: Vec<usize> = sizes.iter().map(|(n, one, _)| part(*n, *one)).collect();
        let mut places: Vec<usize> = sizes.iter().map(|(n, _, one)| part(*n, *one)).collect();
        shape[axis] = len;
        places[axis] = if len == 0 { 0 } else { count };
        let size = 2 * len.max(1) as u32;
        let position = |n: usize| i64::from(numbers[n * n % 64] % size) - len as i64;
        let positions = (0..places.iter().product()).map(position).collect();
        Lookup {
            shape,
            places,
            axis,
            positions,
        }
    })
}

/// Where a place of some array stands in a row-major one, whose axes of size 1 are for all places.
fn flat(place: &[usize], shape: &[usize]) -> usize {
    let on = |(i, n): (&usize, &usize)| (if *n == 1 { 0 } else { *i }, *n);
    place
        .iter()
        .zip(shape)
        .map(on)
        .fold(0, |flat, (i, n)| flat * n + i)
}

impl Lookup {
    /// The shape of what stands at the positions.
    fn taken(&self) -> Vec<usize> {
        let size = |n: usize| match n == self.axis {
            true => self.places[n],
            false if self.shape[n] == 1 => self.places[n],
            false => self.shape[n],
        };
        (0..self.shape.len()).map(size).collect()
    }

    /// Where in the array each value of what is taken stands, in order.
    fn sources(&self) -> Vec<usize> {
        let taken = self.taken();
        let source = |n: usize| {
            let mut rest = n;
            let mut place = vec![0; taken.len()];
            for (i, size) in place.iter_mut().zip(&taken).rev() {
                (*i, rest) = (rest % size, rest / size);
            }
            // The axis of the positions is their own, also where it is of size 1.
            let position = self.positions[flat(&place, &self.places)];
            place[self.axis] = position.rem_euclid(self.shape[self.axis] as i64) as usize;
            flat(&place, &self.shape)
        };
        (0..taken.iter().product()).map(source).collect()
    }

    /// The positions as either kind of integers.
    fn indices(&self, wide: bool) -> Array {
        match wide {
            true => Array::new(&self.places, self.positions.clone()),
            false => {
                let narrow = self.positions.iter().map(|i| *i as i32).collect();
                Array::new::<i32>(&self.places, narrow)
            }
        }
    }
}

/// Values whose sums depend on the order of addition.
fn uneven(shape: &[usize], seed: usize) -> Array {
    let value = |n: usize| ((n * 7919 + seed) % 1009) as f32 * 10f32.powi((n % 7) as i32 - 3);
    Array::new(shape, (0..shape.iter().product()).map(value).collect())
}

fn floats(x: &Array) -> &[f32] {
    x.values().unwrap()
}

proptest! {
    #[test]
    fn each_value_is_looked_up(lookup in lookups(), wide: bool, from_end: bool) {
        let x = uneven(&lookup.shape, 1);
        let axis = lookup.axis as i64 - if from_end { lookup.shape.len() as i64 } else { 0 };
        let mut out = Array::scalar(5i64);
        take_along_axis(&x, &lookup.indices(wide), axis, &mut out).unwrap();
        let expected: Vec<f32> = lookup.sources().iter().map(|at| floats(&x)[*at]).collect();
        prop_assert_eq!(out, Array::new(&lookup.taken(), expected));
    }

    #[test]
    fn updates_are_added_one_after_the_other(lookup in lookups(), wide: bool) {
        let (x, updates) = (uneven(&lookup.shape, 1), uneven(&lookup.taken(), 500));
        let mut expected = x.clone();
        let sums = expected.values_mut::<f32>().unwrap();
        for (at, update) in lookup.sources().into_iter().zip(floats(&updates)) {
            sums[at] += update;
        }
        let mut sum = x;
        add_along_axis(&mut sum, &lookup.indices(wide), &updates, lookup.axis as i64).unwrap();
        prop_assert_eq!(sum, expected);
    }

    #[test]
    fn nothing_is_added_if_an_index_is_out_of_bounds(mut lookup in lookups(), at: prop::sample::Index, below: bool) {
        prop_assume!(!lookup.positions.is_empty());
        let (len, axis) = (lookup.shape[lookup.axis] as i64, lookup.axis as i64);
        let at = at.index(lookup.positions.len());
        lookup.positions[at] = if below { -len - 1 } else { len };
        let (x, updates) = (uneven(&lookup.shape, 1), uneven(&lookup.taken(), 500));
        let mut sum = x.clone();
        let error = add_along_axis(&mut sum, &lookup.indices(true), &updates, axis).unwrap_err();
        let wrong = lookup.positions[at];
        let text = format!("index {wrong} is out of bounds for axis {axis} with size {len}");
        prop_assert_eq!(error.to_string(), text);
        prop_assert_eq!(sum, x);
    }
}

#[test]
fn updates_have_the_shape_of_what_is_taken() {
    let indices = Array::new(&[1, 2], vec![0, 0]);
    for (shape, updates) in [(&[2, 3][..], &[2, 3][..]), (&[2, 3], &[1, 2]), (&[3], &[2])] {
        let mut x = uneven(shape, 1);
        assert!(add_along_axis(&mut x, &indices, &uneven(updates, 1), -1).is_err());
        assert_eq!(x, uneven(shape, 1));
    }
}
