//! The edges of an image by Sobel's filters, and its corners by Harris's measure.

use graph_runtime::prelude::*;

#[graph_fn]
fn gradients(image: &Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let [h, w] = [image.shape()[0], image.shape()[1]];
    let kernel = tensor([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]]);
    let kernels = stack([&kernel, &kernel.transpose()], -1).expand_dims(2); // [3, 3, 1, 2]
    let out = image.reshape([1, h, w, 1]).conv2d(kernels, 1, Padding::Same);
    (out[(0, .., .., 0)], out[(0, .., .., 1)])
}

#[graph_fn]
fn edges(image: &Tensor<f32>) -> Tensor<f32> {
    let (dx, dy) = gradients(image);
    (dx.square() + dy.square()).sqrt()
}

#[graph_fn]
fn smooth(x: Tensor<f32>) -> Tensor<f32> {
    x.expand_dims(0).expand_dims(-1).avg_pool2d(3, 1, Padding::Same).squeeze([0, 3])
}

#[graph_fn]
fn corners(image: &Tensor<f32>, k: f32) -> Tensor<f32> {
    let (dx, dy) = gradients(image);
    let (xx, yy, xy) = (smooth(dx * dx), smooth(dy * dy), smooth(dx * dy));
    xx * yy - xy * xy - k * (xx + yy).square()
}

fn main() {
    let mut pixels = vec![0.0; 64];
    for y in 4..8 {
        for x in 4..8 {
            pixels[8 * y + x] = 1.0;
        }
    }
    let image = Tensor::from_vec([8, 8], pixels);
    let found = edges(&image);
    assert_eq!(found.shape(), [8, 8]);
    assert_eq!(found.get(1).get(1).item(), 0.0);
    assert_eq!(found.get(6).get(3).item(), 4.0); // a vertical edge: 1 + 2 + 1
    assert_eq!(found.get(3).get(3).item(), 2f32.sqrt()); // the corner: one pixel in both directions
    let measure = corners(&image, 0.05);
    let inner = measure.slice([1, 1], [6, 6]);
    let at = inner.flatten().argmax(0).item();
    let (y, x) = (at / 6 + 1, at % 6 + 1);
    assert!((3..=4).contains(&y) && (3..=4).contains(&x), "{y} {x}");
}
