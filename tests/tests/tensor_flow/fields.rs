//! Fields of a struct, taken by value in both branches under a tensor condition.

use graph_runtime::prelude::*;

struct Pair {
    x: Tensor<i32>,
    y: Tensor<i32>,
    name: String,
}

fn pair(x: i32, y: i32) -> Pair {
    Pair {
        x: tensor(x),
        y: tensor(y),
        name: "pair".to_owned(),
    }
}

fn negative(x: Tensor<i32>) -> Tensor<i32> {
    -x
}

#[graph_fn]
fn either(p: Pair, c: Tensor<i32>) -> (Tensor<i32>, String) {
    let chosen = if c > 0 { p.x } else { negative(p.x) };
    (chosen + p.y, p.name)
}

#[test]
fn a_field_is_taken_in_both_branches() {
    for (c, expected) in [(1, 3 + 4), (-1, -3 + 4)] {
        let (sum, name) = either(pair(3, 4), tensor(c));
        assert_eq!((sum.item(), name.as_str()), (expected, "pair"));
    }
}

struct Net<'a> {
    weight: Tensor<f32>,
    bias: Variable<f32>,
    rows: &'a [Tensor<f32>],
    units: usize,
}

fn scaled(x: Tensor<f32>, weight: Tensor<f32>, units: usize) -> Tensor<f32> {
    x * weight * units as f32
}

#[graph_fn]
impl Net<'_> {
    /// Plain Rust takes only `Copy` values out of `&self`.
    fn weight(&self) -> Tensor<f32> {
        self.weight
    }

    fn call(&self, x: Tensor<f32>) -> Tensor<f32> {
        let (bias, rows) = (self.bias, self.rows);
        if x > 0.0 {
            scaled(x, self.weight, self.units) + bias + rows.len() as f32
        } else {
            self.weight
        }
    }
}

#[graph_fn]
fn by_reference(net: &Net, x: Tensor<f32>) -> Tensor<f32> {
    scaled(x, net.weight, net.units).maximum(net.bias)
}

#[test]
fn a_tensor_behind_a_reference_is_copied() {
    let rows = [tensor(1.0), tensor(2.0)];
    let net = Net {
        weight: tensor(3.0),
        bias: Variable::new(tensor(50.0)),
        rows: &rows,
        units: 4,
    };
    assert_eq!(net.weight().item(), 3.0);
    assert_eq!(net.call(tensor(2.0)).item(), 2.0 * 3.0 * 4.0 + 50.0 + 2.0);
    assert_eq!(net.call(tensor(-2.0)).item(), 3.0);
    assert_eq!(by_reference(&net, tensor(5.0)).item(), 60.0);
    assert_eq!(by_reference(&net, tensor(1.0)).item(), 50.0);
}
