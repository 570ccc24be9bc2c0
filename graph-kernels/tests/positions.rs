//! Kernels that move values by position, against their definitions: each value of the result is looked up by its place, axis by
//! axis, with none of the kernels' strides and runs.

use graph_kernels::{Array, KernelError, Mirror};
use proptest::prelude::*;

/// A place in an array: a position on each axis.
type Coordinates = Vec<usize>;

/// The places of an array of a shape, row-major.
fn places(shape: &[usize]) -> Vec<Coordinates> {
    shape.iter().fold(vec![Vec::new()], |places, size| {
        let longer = |place: Coordinates| (0..*size).map(move |i| [&place[..], &[i]].concat());
        places.into_iter().flat_map(longer).collect()
    })
}

/// The value at a place.
fn at(x: &Array, place: &[usize]) -> i64 {
    let flat = places(x.shape()).iter().position(|p| p == place);
    x.values::<i64>().unwrap()[flat.unwrap()]
}

/// The array of a shape whose values a function of the place gives.
fn filled(shape: &[usize], value: impl Fn(&[usize]) -> i64) -> Array {
    Array::new(shape, places(shape).iter().map(|p| value(p)).collect())
}

/// An array whose values tell their places apart.
fn numbered(shape: &[usize]) -> Array {
    let len = shape.iter().product::<usize>() as i64;
    Array::new(shape, (1..=len).collect())
}

/// What a kernel writes over leftovers of another shape.
fn run(kernel: impl FnOnce(&mut Array) -> Result<(), KernelError>) -> Array {
    let mut out = numbered(&[5]);
    kernel(&mut out).unwrap();
    out
}

/// A place with another position on one axis.
fn moved(place: &[usize], axis: usize, position: usize) -> Coordinates {
    let mut place = place.to_vec();
    place[axis] = position;
    place
}

fn shape() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0usize..4, 1..4)
}

/// A shape without empty axes, one of its axes, and numbers to choose from.
fn choices() -> impl Strategy<Value = (Vec<usize>, usize, Vec<usize>)> {
    let shape = prop::collection::vec(1usize..4, 1..4);
    let numbers = prop::collection::vec(0usize..1000, 64);
    (shape, any::<prop::sample::Index>(), numbers).prop_map(|(shape, axis, numbers)| {
        let axis = axis.index(shape.len());
        (shape, axis, numbers)
    })
}

proptest! {
    #[test]
    fn gather_takes_slices((shape, axis, numbers) in choices(), outer in shape(), in_batches: bool) {
        let x = numbered(&shape);
        // The axes in front of the axis are common to both, or to none.
        let batch = if in_batches { axis } else { 0 };
        let indices = filled(&[&shape[..batch], &outer[..]].concat(), |p| {
            (numbers[p.iter().sum::<usize>()] % shape[axis]) as i64
        });
        let out = run(|out| graph_kernels::gather(&x, &indices, axis as i64, batch as i64, out));
        let sizes = [&shape[..axis], &outer, &shape[axis + 1..]].concat();
        let expected = filled(&sizes, |p| {
            let (front, rest) = p.split_at(axis);
            let (row, behind) = rest.split_at(outer.len());
            let i = at(&indices, &[&front[..batch], row].concat()) as usize;
            at(&x, &[front, &[i], behind].concat())
        });
        prop_assert_eq!(out, expected);
    }

    #[test]
    fn gather_nd_takes_parts((shape, depth, numbers) in choices(), outer in shape(), batch in 0usize..2) {
        // Behind the batch axes, the rows cover some of the axes that are left.
        let batch = batch.min(depth);
        let covered = &shape[batch..depth];
        let x = numbered(&shape);
        let outer = [&shape[..batch], &outer[..]].concat();
        let indices = filled(&[&outer[..], &[covered.len()]].concat(), |p| {
            let (axis, row) = p.split_last().unwrap();
            (numbers[row.iter().sum::<usize>() + 7 * axis] % covered[*axis]) as i64
        });
        let out = run(|out| graph_kernels::gather_nd(&x, &indices, batch as i64, out));
        let expected = filled(&[&outer[..], &shape[depth..]].concat(), |p| {
            let (row, rest) = p.split_at(outer.len());
            let position = |axis| at(&indices, &[row, &[axis]].concat()) as usize;
            let positions: Coordinates = (0..covered.len()).map(position).collect();
            at(&x, &[&p[..batch], &positions, rest].concat())
        });
        prop_assert_eq!(out, expected);
    }

    #[test]
    fn scatter_applies_updates_in_order((shape, depth, numbers) in choices(), rows in 0usize..6) {
        let (covered, rest) = shape.split_at(depth);
        let x = numbered(&shape);
        let indices = filled(&[rows, depth], |p| (numbers[8 * p[0] + p[1]] % covered[p[1]]) as i64);
        let updates = filled(&[&[rows], rest].concat(), |p| {
            1000 + p.iter().fold(0, |n, i| 7 * n + *i as i64)
        });
        let names = |row: usize, p: &[usize]| {
            (0..depth).all(|axis| at(&indices, &[row, axis]) == p[axis] as i64)
        };
        let applied = |change: fn(i64, i64) -> i64| {
            filled(&shape, |p| {
                let update = |row: usize| at(&updates, &[&[row], &p[depth..]].concat());
                let rows = (0..rows).filter(|row| names(*row, p));
                rows.fold(at(&x, p), |value, row| change(value, update(row)))
            })
        };
        let update = run(|out| graph_kernels::scatter_update(&x, &indices, &updates, out));
        prop_assert_eq!(update, applied(|_, new| new));
        let sub = run(|out| graph_kernels::scatter_sub(&x, &indices, &updates, out));
        prop_assert_eq!(sub, applied(|old, new| old - new));
        let mut max = x.clone();
        graph_kernels::scatter_max_in_place(&mut max, &indices, &updates).unwrap();
        prop_assert_eq!(max, applied(i64::max));
    }

    #[test]
    fn paddings_surround(shape in shape(), around in prop::collection::vec((0usize..4, 0usize..4), 4)) {
        let x = numbered(&shape);
        let around = &around[..shape.len()];
        let before: Vec<i64> = around.iter().map(|pair| pair.0 as i64).collect();
        let after: Vec<i64> = around.iter().map(|pair| pair.1 as i64).collect();
        let out = run(|out| graph_kernels::pad(&x, &Array::scalar(-7i64), &before, &after, out));
        let padded: Coordinates = (0..shape.len()).map(|n| around[n].0 + shape[n] + around[n].1).collect();
        let inside = |p: &[usize]| -> Option<Coordinates> {
            let from = |n: usize| p[n].checked_sub(around[n].0).filter(|i| *i < shape[n]);
            (0..p.len()).map(from).collect()
        };
        prop_assert_eq!(out, filled(&padded, |p| inside(p).map_or(-7, |from| at(&x, &from))));
    }

    #[test]
    fn mirrors_go_back_from_the_border((shape, _, numbers) in choices(), reflect: bool) {
        let (mirror, apart) = if reflect { (Mirror::Reflect, 1) } else { (Mirror::Symmetric, 0) };
        let x = numbered(&shape);
        let some = |n: usize, side: usize| (numbers[2 * n + side] % (shape[n] + 1 - apart)) as i64;
        let before: Vec<i64> = (0..shape.len()).map(|n| some(n, 0)).collect();
        let after: Vec<i64> = (0..shape.len()).map(|n| some(n, 1)).collect();
        let out = run(|out| graph_kernels::mirror_pad(&x, mirror, &before, &after, out));
        let whole = |n: usize| (before[n] + shape[n] as i64 + after[n]) as usize;
        let from = |n: usize, i: usize| {
            let (i, size, apart) = (i as i64 - before[n], shape[n] as i64, apart as i64);
            (match i {
                _ if i < 0 => apart - 1 - i,
                _ if i >= size => 2 * size - 1 - apart - i,
                _ => i,
            }) as usize
        };
        let expected = filled(&(0..shape.len()).map(whole).collect::<Coordinates>(), |p| {
            at(&x, &p.iter().enumerate().map(|(n, i)| from(n, *i)).collect::<Coordinates>())
        });
        prop_assert_eq!(out, expected);
    }

    #[test]
    fn rolls_wrap_around((shape, axis, _) in choices(), shift in -9i64..9) {
        let x = numbered(&shape);
        let shifts = Array::new(&[1], vec![shift]);
        let out = run(|out| graph_kernels::roll(&x, &shifts, &[axis as i64], out));
        let from = |i: usize| (i as i64 - shift).rem_euclid(shape[axis] as i64) as usize;
        prop_assert_eq!(out, filled(&shape, |p| at(&x, &moved(p, axis, from(p[axis])))));
    }

    #[test]
    fn repeats_follow_the_counts((shape, axis, numbers) in choices()) {
        let x = numbered(&shape);
        let counts: Vec<i64> = numbers[..shape[axis]].iter().map(|n| (n % 3) as i64).collect();
        let sources: Vec<usize> = (0..shape[axis]).flat_map(|i| vec![i; counts[i] as usize]).collect();
        let counts = Array::new(&[shape[axis]], counts);
        let out = run(|out| graph_kernels::repeat_each(&x, &counts, axis as i64, out));
        let expected = filled(&moved(&shape, axis, sources.len()), |p| {
            at(&x, &moved(p, axis, sources[p[axis]]))
        });
        prop_assert_eq!(out, expected);
        let twice = run(|out| graph_kernels::repeat(&x, axis as i64, 2, out));
        let expected = filled(&moved(&shape, axis, 2 * shape[axis]), |p| {
            at(&x, &moved(p, axis, p[axis] / 2))
        });
        prop_assert_eq!(twice, expected);
    }

    #[test]
    fn on_a_diagonal_column_minus_row_is_its_number(rows in 1usize..5, columns in 1usize..5, diagonal in -4i64..5) {
        let x = numbered(&[2, rows, columns]);
        let number = |p: &[usize]| p[2] as i64 - p[1] as i64;
        let band = run(|out| graph_kernels::band_part(&x, diagonal, diagonal + 1, out));
        let is_in_band = |p: &[usize]| (diagonal..=diagonal + 1).contains(&number(p));
        prop_assert_eq!(band, filled(x.shape(), |p| if is_in_band(p) { at(&x, p) } else { 0 }));
        let on = places(x.shape()).into_iter().filter(|p| number(p) == diagonal);
        let values: Vec<i64> = on.map(|p| at(&x, &p)).collect();
        let mut out = Array::default();
        match graph_kernels::diag_part(&x, diagonal, &mut out) {
            Ok(()) => prop_assert_eq!(out.values::<i64>().unwrap(), values),
            Err(_) => prop_assert!(values.is_empty()),
        }
    }
}

#[test]
fn arrays_without_values_may_have_any_number_of_rows() {
    let (many, mut out) = (1 << 58, Array::default());
    let x = Array::new::<f32>(&[3, 0], vec![]);
    let rows = Array::new::<i64>(&[many, 0], vec![]);
    let updates = Array::new::<f32>(&[many, 3, 0], vec![]);
    let whole = graph_kernels::gather_nd(&x, &rows, 0, &mut out);
    assert_eq!((whole, out.shape()), (Ok(()), &[many, 3, 0][..]));
    assert_eq!(
        graph_kernels::scatter_update(&x, &rows, &updates, &mut out),
        Ok(())
    );
    let lanes = Array::new::<f32>(&[many, 3, 0], vec![]);
    assert_eq!(graph_kernels::sort(&lanes, 1, false, &mut out), Ok(()));
    let lengths = Array::new(&[3], vec![0; 3]);
    assert_eq!(
        graph_kernels::reverse_sequence(&lanes, &lengths, 0, 1, &mut out),
        Ok(())
    );
    assert_eq!(
        graph_kernels::roll(&lanes, &lengths, &[0, 1, 2], &mut out),
        Ok(())
    );
    assert!(graph_kernels::fill(&Array::scalar(1), &[0, 1 << 40, 1 << 40], &mut out).is_err());
}
