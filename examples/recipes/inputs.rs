//! Numbers that look random and are the same everywhere: `reference.py` makes them by the same formula. And the digits that the repository holds.

use graph_runtime::data::read_idx;
use graph_runtime::tensor::Tensor;

/// `count` numbers between 0 and 1: the bits of each number's position, mixed.
pub fn uniform(count: usize, seed: u32) -> Vec<f64> {
    (0..count as u32)
        .map(|i| {
            let mut bits = i.wrapping_add(seed << 20).wrapping_mul(0x9e37_79b9);
            bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
            bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
            f64::from(bits ^ (bits >> 16)) / 4_294_967_296.0
        })
        .collect()
}

/// `count` numbers of the standard normal distribution, by the method of Box and Muller.
pub fn normal(count: usize, seed: u32) -> Vec<f64> {
    let radii = uniform(count, seed);
    let angles = uniform(count, seed + 1);
    radii
        .iter()
        .zip(&angles)
        .map(|(r, a)| (-2.0 * (1.0 - r).ln()).sqrt() * (std::f64::consts::TAU * a).cos())
        .collect()
}

/// The first handwritten digits of the repository: rows of 64 values between 0 and 1.
pub fn digits(count: usize) -> Tensor<f32> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../data/digits/train-images.idx3-ubyte"
    );
    let images: Tensor<u8> = read_idx(path).expect("the repository holds the digits");
    images
        .get(..count as i64)
        .cast::<f32>()
        .reshape([count as isize, 64])
        / 16.0
}
