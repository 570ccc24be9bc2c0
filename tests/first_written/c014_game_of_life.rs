//! Conway's game of life, a Rust loop over neighbours in a tensor loop over generations: num_game_of_life.
use graph_runtime::prelude::*;

#[graph_fn]
fn life(mut grid: Tensor<i32>, generations: Tensor<i32>) -> Tensor<i32> {
    for _ in 0..generations {
        let padded = grid.pad([[1, 1], [1, 1]]);
        let mut neighbours = grid.zeros_like();
        for dy in 0..3 {
            for dx in 0..3 {
                if dy != 1 || dx != 1 {
                    neighbours += padded.slice([dy, dx], [3, 3]);
                }
            }
        }
        grid = select((neighbours == 3) | ((neighbours == 2) & (grid == 1)), 1, 0);
    }
    grid
}

fn main() {
    let blinker = life(tensor([[0, 1, 0], [0, 1, 0], [0, 1, 0]]), tensor(1));
    assert_eq!(blinker.to_vec(), [0, 0, 0, 1, 1, 1, 0, 0, 0]);
    let block = life(tensor([[1, 1, 0], [1, 1, 0], [0, 0, 0]]), tensor(3));
    assert_eq!(block.to_vec(), [1, 1, 0, 1, 1, 0, 0, 0, 0]);
    let cross = life(tensor([[1, 0, 1], [0, 1, 0], [1, 0, 1]]), tensor(2));
    assert_eq!(cross.to_vec(), [0, 1, 0, 1, 0, 1, 0, 1, 0]);
}
