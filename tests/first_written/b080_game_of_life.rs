//! Generations of Conway's game of life on a torus. From: textbook: game of life.
use graph_runtime::prelude::*;

#[graph_fn]
fn life(board: Tensor<i32>, generations: Tensor<i32>) -> Tensor<i32> {
    let mut board = board;
    for _ in 0..generations {
        let mut neighbours = board.zeros_like();
        for dy in -1..=1 {
            for dx in -1..=1 {
                if (dy, dx) != (0, 0) {
                    neighbours += board.roll(dy, 0).roll(dx, 1);
                }
            }
        }
        let alive = (neighbours == 3) | ((board == 1) & (neighbours == 2));
        board = alive.cast::<i32>();
    }
    board
}

fn main() {
    let blinker = tensor([[0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0]]);
    let turned = tensor([[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]);
    assert_eq!(life(blinker.clone(), tensor(1)).to_vec(), turned.to_vec());
    assert_eq!(life(blinker.clone(), tensor(2)).to_vec(), blinker.to_vec());
}
