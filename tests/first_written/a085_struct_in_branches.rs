//! A point that moves by commands: textbook: robot on a grid.
use graph_runtime::prelude::*;

#[derive(Clone, GraphState)]
struct Robot {
    x: Tensor<i32>,
    y: Tensor<i32>,
}

#[graph_fn]
fn step(robot: Robot, command: Tensor<i32>) -> Robot {
    match command {
        0 => Robot { y: robot.y + 1, ..robot },
        1 => Robot { x: robot.x + 1, ..robot },
        2 => Robot { y: robot.y - 1, ..robot },
        3 => Robot { x: robot.x - 1, ..robot },
        _ => robot,
    }
}

#[graph_fn]
fn walk(commands: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut robot = Robot { x: tensor(0), y: tensor(0) };
    for command in commands {
        robot = step(robot, command);
    }
    (robot.x, robot.y)
}

fn main() {
    let (x, y) = walk(tensor([0, 0, 1, 2, 3, 3, 9]));
    assert_eq!((x.item(), y.item()), (-1, 1));
}
