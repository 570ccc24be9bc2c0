//! Matrix products, einsum, diagonals, convolutions and poolings.

use graph_runtime::Array;
use graph_runtime::ops::*;

use crate::Case;
use crate::draw::Draw;
use crate::used::Use;

fn matrices(d: &mut Draw) -> Use {
    let [m, k, n] = [0; 3].map(|_| 1 + d.below(3));
    let [batch_a, batch_b] = d.pair();
    let (ta, tb) = (d.flag(), d.flag());
    let shape = |batch: Vec<usize>, rows, columns, transposed| {
        let matrix = if transposed {
            [columns, rows]
        } else {
            [rows, columns]
        };
        [&batch[..], &matrix].concat()
    };
    let (a, b) = (shape(batch_a, m, k, ta), shape(batch_b, k, n, tb));
    Use::new(&MATMUL, [d.any(&a), d.any(&b)]).flag(ta).flag(tb)
}

/// Systems whose matrices are far from singular: the diagonal is more than the rest of a row.
fn systems(d: &mut Draw) -> Use {
    let (n, k) = (1 + d.below(3), 1 + d.below(2));
    let [batch_a, batch_b] = d.pair();
    let mut a = d.any(&[&batch_a[..], &[n, n]].concat());
    let values = a.values_mut::<f64>().expect("floats");
    for matrix in values.chunks_exact_mut(n * n) {
        for v in matrix.iter_mut().step_by(n + 1) {
            *v += 9.0 * v.signum();
        }
    }
    let b = d.any(&[&batch_b[..], &[n, k]].concat());
    Use::new(&SOLVE, [a, b]).flag(d.flag())
}

/// An equation, and the axes of its operands by letter. The size of each letter is drawn.
const EQUATIONS: &[&str] = &[
    "ij,jk->ik",
    "ij,jk",
    "i,j->ij",
    "ij->i",
    "ij->",
    "ij->ji",
    "ii->i",
    "ii->",
    "iij,j->ij",
    "ij,ij->",
    "bij,bjk->bik",
    "ij,jk,kl->il",
    "ij,k->i",
    "i,i,i->i",
    "iij->j",
];

/// The same with axes for `...`, which broadcast.
const DOTTED: &[&str] = &[
    "...ij,...jk->...ik",
    "...i->...",
    "...,...->...",
    "i...,i...->...",
    "i...j,j->...i",
    "...ij,j",
    "...ii->...i",
    "i...->i",
];

fn einsum(d: &mut Draw) -> Use {
    let dotted = d.below(3) == 0;
    let equation = d.pick(if dotted { DOTTED } else { EQUATIONS });
    let sizes: Vec<usize> = (0..26).map(|_| 1 + d.below(3)).collect();
    let [first, second] = d.pair();
    let inputs = equation
        .split("->")
        .next()
        .expect("there are inputs")
        .split(',');
    let operands: Vec<Array> = inputs
        .enumerate()
        .map(|(n, letters)| {
            let under = if n == 0 { &first } else { &second };
            let mut shape = Vec::new();
            for (at, c) in letters.bytes().enumerate() {
                match c {
                    b'.' if letters.find('.') == Some(at) => shape.extend(under),
                    b'.' => {}
                    letter => shape.push(sizes[(letter - b'a') as usize]),
                }
            }
            d.any(&shape)
        })
        .collect();
    let used = Use::new(&EINSUM, operands).with(Attr::Text(equation.to_owned()));
    // If `...` isn't at the front, the ranks determine its length.
    let in_front = equation
        .split([',', '>'])
        .all(|part| !part.contains('.') || part.starts_with('.'));
    if in_front { used } else { used.needs_ranks() }
}

fn tensordot(d: &mut Draw) -> Use {
    let (a, b) = (d.shape(0, 3), d.shape(0, 3));
    let pairs = d.below(a.len().min(b.len()) + 1);
    let (of_a, of_b) = (d.order(a.len()), d.order(b.len()));
    let mut b = b;
    (0..pairs).for_each(|n| b[of_b[n]] = a[of_a[n]]);
    let axis =
        |axis: usize, rank: usize, back: bool| axis as i64 - if back { rank as i64 } else { 0 };
    let axes_a: Vec<i64> = (0..pairs)
        .map(|n| axis(of_a[n], a.len(), d.flag()))
        .collect();
    let axes_b: Vec<i64> = (0..pairs)
        .map(|n| axis(of_b[n], b.len(), d.flag()))
        .collect();
    let used = Use::new(&TENSORDOT, [d.any(&a), d.any(&b)]);
    used.ints(&axes_a).ints(&axes_b).needs_ranks()
}

fn diagonal(d: &mut Draw) -> ([usize; 2], i64, usize) {
    let [m, n] = [0; 2].map(|_| 1 + d.below(3));
    let diagonal = d.int(1 - m as i64, n as i64 - 1);
    let (down, right) = ((-diagonal).max(0) as usize, diagonal.max(0) as usize);
    ([m, n], diagonal, (m - down).min(n - right))
}

/// Windows over images with 3 to 5 rows and columns: the attributes for a window size, and the image's shape.
struct Windows {
    image: [usize; 4],
    places: [usize; 2],
    attrs: [Vec<i64>; 3],
    padding: &'static str,
}

fn windows(d: &mut Draw, channels: usize) -> Windows {
    let places = [1 + d.below(2), 1 + d.below(3)];
    let explicit = [
        d.int(0, places[0] as i64 - 1),
        0,
        0,
        d.int(0, places[1] as i64 - 1),
    ];
    let (padding, pads) = d.pick(&[("VALID", [0; 4]), ("SAME", [0; 4]), ("EXPLICIT", explicit)]);
    let dilations = if places[1] < 3 { d.int(1, 2) } else { 1 };
    Windows {
        image: [1 + d.below(2), 3 + d.below(2), 3 + d.below(3), channels],
        places,
        attrs: [
            vec![d.int(1, 2), d.int(1, 2)],
            vec![dilations, 1],
            pads.to_vec(),
        ],
        padding,
    }
}

impl Windows {
    fn give(&self, used: Use) -> Use {
        let [strides, dilations, pads] = &self.attrs;
        let padding = Attr::Text(self.padding.to_owned());
        used.ints(strides).ints(dilations).with(padding).ints(pads)
    }

    fn filter(&self, depth: usize, filters: usize) -> [usize; 4] {
        [self.places[0], self.places[1], depth, filters]
    }
}

/// Images and filters in one or more groups, and the shape of their convolution.
fn convolution(d: &mut Draw) -> (Windows, Use, [Array; 3]) {
    let (groups, depth, own) = (d.pick(&[1, 1, 2]), 1 + d.below(2), 1 + d.below(2));
    let windows = windows(d, groups * depth);
    let filter = d.any(&windows.filter(depth, groups * own));
    let image = d.any(&windows.image);
    let used = windows.give(Use::new(&CONV2D, [image.clone(), filter.clone()]));
    let g = d.any(&used.shape());
    (windows, used, [image, filter, g])
}

fn sizes(x: &Array) -> Array {
    let sizes: Vec<i32> = x.shape().iter().map(|n| *n as i32).collect();
    Array::new(&[sizes.len()], sizes)
}

fn pooling(d: &mut Draw, op: &'static OpDef) -> (Windows, Use) {
    let channels = 1 + d.below(2);
    let windows = windows(d, channels);
    let image = d.distinct(&windows.image);
    let used = windows.give(Use::new(op, [image]).ints(&windows.places));
    (windows, used)
}

fn pooling_gradient(d: &mut Draw, op: &'static OpDef) -> Use {
    let (windows, used) = pooling(d, &MAX_POOL2D);
    let x = d.distinct(&windows.image);
    let g = match op == &MAX_POOL2D_GRAD_GRAD {
        true => d.any(&windows.image),
        false => d.any(&used.shape()),
    };
    let first = if op == &AVG_POOL2D_GRAD { sizes(&x) } else { x };
    windows.give(Use::new(op, [first, g]).ints(&windows.places))
}

pub const CASES: &[Case] = &[
    (&MATMUL, matrices),
    (&SOLVE, systems),
    (&EINSUM, einsum),
    (&TENSORDOT, tensordot),
    (&DIAG, |d| {
        let shape = d.shape(1, 3);
        Use::new(&DIAG, [d.any(&shape)]).int(d.int(-2, 2))
    }),
    (&DIAG_PART, |d| {
        let (matrix, diagonal, _) = diagonal(d);
        let shape = [&d.shape(0, 2)[..], &matrix].concat();
        Use::new(&DIAG_PART, [d.any(&shape)]).int(diagonal)
    }),
    (&SET_DIAG, |d| {
        let (matrix, diagonal, len) = diagonal(d);
        let batch = d.shape(0, 2);
        let [shape, part] = [&matrix[..], &[len]].map(|rest| [&batch[..], rest].concat());
        Use::new(&SET_DIAG, [d.any(&shape), d.any(&part)]).int(diagonal)
    }),
    (&BAND_PART, |d| {
        let shape = d.shape(2, 4);
        Use::new(&BAND_PART, [d.any(&shape)])
            .int(d.int(-1, 2))
            .int(d.int(-1, 2))
    }),
    (&CONV2D, |d| convolution(d).1),
    (&DEPTHWISE_CONV2D, |d| {
        let (channels, n) = (1 + d.below(3), 1 + d.below(2));
        let windows = windows(d, channels);
        let filter = windows.filter(channels, n);
        windows.give(Use::new(
            &DEPTHWISE_CONV2D,
            [d.any(&windows.image), d.any(&filter)],
        ))
    }),
    (&CONV2D_TRANSPOSE, |d| {
        let (channels, filters) = (1 + d.below(2), 1 + d.below(2));
        let windows = windows(d, filters);
        let filter = d.any(&windows.filter(filters, channels));
        let shape = windows.image;
        let large = windows.give(Use::new(&CONV2D, [d.any(&shape), filter.clone()]));
        let small = d.any(&large.shape());
        windows.give(Use::new(&CONV2D_TRANSPOSE, [small, filter]).ints(&shape[1..3]))
    }),
    (&CONV2D_BACKPROP_INPUT, |d| {
        let (windows, _, [image, filter, g]) = convolution(d);
        windows.give(Use::new(&CONV2D_BACKPROP_INPUT, [sizes(&image), filter, g]))
    }),
    (&CONV2D_BACKPROP_FILTER, |d| {
        let (windows, _, [image, filter, g]) = convolution(d);
        windows.give(Use::new(
            &CONV2D_BACKPROP_FILTER,
            [image, sizes(&filter), g],
        ))
    }),
    (&MAX_POOL2D, |d| pooling(d, &MAX_POOL2D).1),
    (&AVG_POOL2D, |d| pooling(d, &AVG_POOL2D).1),
    (&MAX_POOL2D_GRAD, |d| pooling_gradient(d, &MAX_POOL2D_GRAD)),
    (&MAX_POOL2D_GRAD_GRAD, |d| {
        pooling_gradient(d, &MAX_POOL2D_GRAD_GRAD)
    }),
    (&AVG_POOL2D_GRAD, |d| pooling_gradient(d, &AVG_POOL2D_GRAD)),
];
