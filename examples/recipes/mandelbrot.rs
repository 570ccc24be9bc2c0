//! **The Mandelbrot set**: all points of the picture are followed at once, and the loop ends when the last has escaped.

use graph_runtime::prelude::*;

/// How many rounds each point stays within 2 of the origin, at most `limit`.
#[graph_fn]
fn rounds(width: usize, height: usize, limit: Tensor<i32>) -> Tensor<i32> {
    let real = linspace(-2.0, 0.5, width).expand_dims(0);
    let imaginary = linspace(-1.25, 1.25, height).expand_dims(1);
    let (mut x, mut y) = (zeros([height, width]), zeros([height, width]));
    let mut count = zeros([height, width]);
    let mut inside = x.le(1.0);
    let mut round = tensor(0);
    while round < limit && inside.any() {
        (x, y) = (x * x - y * y + real, 2.0 * x * y + imaginary);
        inside = inside & (x * x + y * y).le(4.0);
        count += inside.cast();
        round += 1;
    }
    count
}

/// What is timed.
pub fn work() {
    rounds(300, 300, tensor(100));
}

/// The program.
pub fn main() {
    let picture = rounds(78, 39, tensor(50));
    for row in picture.unstack(0) {
        let letter = |n: &i32| b" .:-=+*#%@"[*n as usize * 9 / 50] as char;
        println!("{}", row.to_vec().iter().map(letter).collect::<String>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_numpys() {
        let picture = rounds(78, 39, tensor(50));
        assert_eq!(picture.sum().item(), 47164);
        assert_eq!(picture.eq(50).cast::<i32>().sum().item(), 748);
        assert_eq!(picture.get((19, 10..20)).to_vec(), [50; 10]);
    }
}
