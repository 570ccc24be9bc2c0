//! **A\* on a grid**: the shortest way around walls. The open places and their estimates are arrays, the nearest is an `argmin`, and
//! the loop ends at the goal.

use super::inputs;
use graph_runtime::prelude::*;

/// The length of the shortest way from the first place to the last, or -1, and how many places were looked at.
#[graph_fn]
fn search(wall: &Tensor<bool>) -> (Tensor<i32>, Tensor<i32>) {
    let (height, width) = (wall.dim(0) as i32, wall.dim(1) as i32);
    let far = i32::MAX / 2;
    let down = range(0, height, 1).expand_dims(1);
    let right = range(0, width, 1).expand_dims(0);
    let left = (height - 1 - down) + (width - 1 - right); // no way to the goal is shorter
    let mut cost = full([height as usize, width as usize], far);
    let mut open = zeros([height as usize, width as usize]);
    cost[(0, 0)] = 0;
    open[(0, 0)] = true;
    let mut looked = tensor(0);
    while open.any() {
        let estimate = open.select(cost + left, far);
        let place = estimate.flatten().argmin(0).cast::<i32>();
        let (y, x) = (place / width, place % width);
        looked += 1;
        if y == height - 1 && x == width - 1 {
            return (cost[(y, x)], looked);
        }
        open[(y, x)] = false;
        for (dy, dx) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let (v, u) = (y + dy, x + dx);
            let inside = v >= 0 && v < height && u >= 0 && u < width;
            if inside && !wall[(v, u)] && cost[(y, x)] + 1 < cost[(v, u)] {
                cost[(v, u)] = cost[(y, x)] + 1;
                open[(v, u)] = true;
            }
        }
    }
    (tensor(-1), looked)
}

/// A field with walls on a quarter of its places, but none at the start and the goal.
fn field(side: usize) -> Tensor<bool> {
    let mut wall: Vec<bool> = inputs::uniform(side * side, 41)
        .iter()
        .map(|u| *u < 0.25)
        .collect();
    wall[0] = false;
    wall[side * side - 1] = false;
    tensor(wall).reshape([side as isize, side as isize])
}

/// What is timed.
pub fn work() {
    search(&field(48));
}

/// The program.
pub fn main() {
    let wall = field(24);
    for row in wall.unstack(0) {
        println!(
            "{}",
            row.to_vec()
                .iter()
                .map(|w| if *w { '#' } else { '.' })
                .collect::<String>()
        );
    }
    let (length, looked) = search(&wall);
    println!("the shortest way has {length} steps; {looked} places were looked at");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_as_long_as_pythons() {
        assert_eq!(search(&field(24)).0.item(), 46);
        assert_eq!(search(&field(48)).0.item(), 94);
    }

    #[test]
    fn a_closed_field_has_no_way() {
        let wall = tensor([
            [false, true, false],
            [true, true, false],
            [false, false, false],
        ]);
        assert_eq!(search(&wall).0.item(), -1);
    }

    #[test]
    fn an_empty_field_is_crossed_straight() {
        assert_eq!(search(&Tensor::zeros([5, 9])).0.item(), 4 + 8);
    }
}
