//! **The game of life** on a torus: a convolution counts neighbours.

use graph_runtime::prelude::*;

/// The next generation of a world of ones and zeros.
#[graph_fn]
fn next(world: &Tensor<i32>) -> Tensor<i32> {
    let mut neighbours = -world;
    for down in [-1, 0, 1] {
        for right in [-1, 0, 1] {
            neighbours += world.roll([down, right], [0, 1]);
        }
    }
    (neighbours.eq(3) | (neighbours.eq(2) & world.eq(1))).cast()
}

/// The world after some generations, and how many lived in each.
#[graph_fn]
fn life(mut world: Tensor<i32>, generations: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut living = TensorArray::dynamic();
    for _ in 0..generations {
        living.push(world.sum());
        world = next(&world);
    }
    (world, living.stack())
}

/// A world of `side` times `side` cells with a pattern in the middle.
fn world(side: usize, pattern: &[&str]) -> Tensor<i32> {
    let mut cells = vec![0; side * side];
    for (y, row) in pattern.iter().enumerate() {
        for (x, cell) in row.chars().enumerate() {
            cells[(side / 2 + y) * side + side / 2 + x] = i32::from(cell == '#');
        }
    }
    tensor(cells).reshape([side as isize, side as isize])
}

#[cfg(test)]
const GLIDER: &[&str] = &[".#.", "..#", "###"];
const R_PENTOMINO: &[&str] = &[".##", "##.", ".#."];

/// What is timed.
pub fn work() {
    life(world(128, R_PENTOMINO), tensor(200));
}

/// The program.
pub fn main() {
    let (after, living) = life(world(64, R_PENTOMINO), tensor(100));
    println!("living: {living}");
    for row in after.unstack(0) {
        let row: String = row
            .to_vec()
            .iter()
            .map(|cell| if *cell == 1 { '#' } else { ' ' })
            .collect();
        println!("{row}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glider_moves_down_and_right_in_four_generations() {
        let start = world(16, GLIDER);
        let (after, living) = life(start.clone(), tensor(4));
        assert_eq!(after.to_vec(), start.roll([1, 1], [0, 1]).to_vec());
        assert_eq!(living.to_vec(), [5, 5, 5, 5]);
    }

    #[test]
    fn a_long_life_is_numpys() {
        let (after, living) = life(world(128, R_PENTOMINO), tensor(200));
        assert_eq!(
            (after.sum().item(), living.max().item(), living.sum().item()),
            (120, 221, 21367)
        );
    }
}
