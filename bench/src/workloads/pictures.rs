//! Loops over whole pictures: the Mandelbrot set and the game of life.

use graph_runtime::prelude::*;

/// How many of 100 rounds each point stays near the origin.
#[graph_fn]
pub fn mandelbrot(cr: Tensor<f32>, ci: Tensor<f32>) -> Tensor<i32> {
    let (mut zr, mut zi) = (cr.zeros_like(), ci.zeros_like());
    let mut count = cr.zeros_like().cast::<i32>();
    for _ in 0..tensor(100) {
        let inside = (&zr * &zr + &zi * &zi).le(4.0);
        count += inside.cast::<i32>();
        let (r, i) = (&zr * &zr - &zi * &zi + &cr, 2.0 * &zr * &zi + &ci);
        zr = select(&inside, r, &zr);
        zi = select(&inside, i, &zi);
    }
    count
}

/// A hundred generations on a torus.
#[graph_fn]
pub fn life(board: Tensor<i32>) -> Tensor<i32> {
    let mut board = board;
    for _ in 0..tensor(100) {
        let rows = &board + board.roll([-1], [0]) + board.roll([1], [0]);
        let sums = &rows + rows.roll([-1], [1]) + rows.roll([1], [1]);
        board = (sums.eq(3) | (sums.eq(4) & board.eq(1))).cast();
    }
    board
}
