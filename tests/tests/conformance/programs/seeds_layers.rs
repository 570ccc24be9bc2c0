//! The documents' layers of neural networks: family seeds.

use graph_runtime::nn::LstmCell;
use graph_runtime::prelude::*;
use graph_runtime::tensor::Window;

use crate::harness::{Script, scripts};

type Float = Tensor<f32>;

/// The numbers from 0, in this shape.
fn counted(shape: &[isize]) -> Float {
    let count: isize = shape.iter().product();
    range(0.0, count as f32, 1.0).reshape(shape)
}

#[graph_fn]
fn conv_fn(image: Float) -> Float {
    let kernel = counted(&[3, 3, 1, 1]) / 9.0;
    image.conv2d(kernel, Window::default()) + 0.5
}

fn seed2_conv_layer(rec: &mut Script) {
    for label in ["zeros", "ramp"] {
        rec.call(label, &[conv_fn::function()], |a| conv_fn(a.next("image")));
    }
}

#[graph_fn]
fn lstm_by_hand(x: Float, h: Float, c: Float) -> (Float, Float, Float) {
    let kernel = counted(&[2, 8]) / 16.0 - 0.4;
    let recurrent = counted(&[2, 8]) / 32.0 - 0.2;
    let bias = tensor([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    let z = x.matmul(kernel) + h.matmul(recurrent) + bias;
    let gates = z.split(4, 1);
    let (i, f, g, o) = (&gates[0], &gates[1], &gates[2], &gates[3]);
    let c2 = f.sigmoid() * c + i.sigmoid() * g.tanh();
    let h2 = o.sigmoid() * c2.tanh();
    (h2.clone(), h2, c2)
}

#[graph_fn]
fn lstm_fn(cell: &LstmCell, x: Float, h: Float, c: Float) -> (Float, Float, Float) {
    let (h, c) = cell.call(x, (h, c));
    (h.clone(), h, c)
}

fn seed3_lstm_cell(rec: &mut Script) {
    let cell = LstmCell::new(2, 2);
    cell.kernel().assign(counted(&[2, 8]) / 16.0 - 0.4);
    cell.recurrent_kernel()
        .assign(counted(&[2, 8]) / 32.0 - 0.2);
    for _ in 0..3 {
        rec.call("keras", &[lstm_fn::function()], |a| {
            lstm_fn(&cell, a.next("x"), a.next("h"), a.next("c"))
        });
        rec.call("by hand", &[lstm_by_hand::function()], |a| {
            lstm_by_hand(a.next("x"), a.next("h"), a.next("c"))
        });
    }
}

scripts! {
    seed2_conv_layer;
    seed3_lstm_cell;
}
