//! `if` and `else` on tensors, and on Rust values beside them: families if_nest, ternary and literal_mixed.

use graph_runtime::prelude::*;

use crate::harness::{functions, trace_log};

#[graph_fn]
fn if_no_else_keeps_value(x: Tensor<f32>) -> Tensor<f32> {
    let mut y = x * 2.0;
    if x < 0.0 {
        y = -y;
    }
    y
}

#[graph_fn]
fn if_branch_local_temp(x: Tensor<f32>) -> Tensor<f32> {
    let y;
    if x >= 0.0 {
        let t = x + 1.0;
        let u = t * t;
        y = u - x;
    } else {
        let t = -x;
        y = t / 4.0;
    }
    y
}

#[graph_fn]
fn if_read_before_write_in_else(mut v: Tensor<i32>, k: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut s = v.sum();
    if k > 0 {
        v = v + s;
    } else if k < 0 {
        s = s - v[0];
        v = v - s;
    } else {
        s = -s;
    }
    (v, s)
}

#[graph_fn]
fn if_tensor_shape_differs(k: Tensor<i32>) -> (Tensor<f32>, Tensor<i32>, Tensor<i32>) {
    let y: Tensor<f32> = if k > 0 {
        tensor([1.0])
    } else {
        tensor([2.0, 3.0])
    };
    let (shape, size) = (y.shape_tensor(), y.size());
    (y, shape, size)
}

#[graph_fn]
fn if_rank_differs(k: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let y: Tensor<i32>;
    if k == 0 {
        y = tensor([[5, 6]]);
    } else {
        y = tensor(7);
    }
    (y.clone(), y.rank_tensor(), y.sum())
}

#[graph_fn]
fn ternary_basic(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 { x * 2 } else { x - 1 }
}

#[graph_fn]
fn ternary_chained(x: Tensor<f32>) -> Tensor<f32> {
    let y = if x < 0.0 { tensor(0.0) } else { x };
    if y > 1.0 { 1.0 } else { y }
}

#[graph_fn]
fn if_python_bool_prunes(x: Tensor<f32>, training: bool) -> Tensor<f32> {
    trace_log(format!("branch {training}"));
    let y;
    if training {
        if x > 0.0 {
            y = x * 0.5;
        } else {
            y = x;
        }
    } else {
        y = x + 10.0;
    }
    y
}

#[graph_fn]
fn if_none_argument(mut x: Tensor<f32>, bias: Option<Tensor<f32>>) -> Tensor<f32> {
    if let Some(bias) = bias {
        x = x + bias;
    }
    if x > 0.0 {
        return x;
    }
    x.zeros_like() - 1.0
}

// Python reads a variable that may be undefined; in Rust it is an `Option`.
#[graph_fn]
fn if_undefined_in_dead_python_branch(x: Tensor<i32>, flag: bool) -> Tensor<i32> {
    let mut y = None;
    if flag {
        y = Some(x + 1);
    }
    let z;
    if x > 0 {
        z = y.unwrap() * 2;
    } else {
        z = y.unwrap() * 3;
    }
    z
}

#[graph_fn]
fn static_shape_drives_python(x: Tensor<f32>) -> Tensor<f32> {
    if x.rank() == 0 {
        return x * 100.0;
    }
    if x.dim(0) == 3 {
        return x + 1.0;
    }
    let mut out = x.clone();
    for _ in 0..x.dim(-1) {
        out = out * 2.0;
    }
    out
}

functions! {
    if_no_else_keeps_value(x);
    if_branch_local_temp(x);
    if_read_before_write_in_else(v, k);
    if_tensor_shape_differs(k);
    if_rank_differs(k);
    ternary_basic(x);
    ternary_chained(x);
    if_python_bool_prunes(x, training);
    if_none_argument(x, bias);
    if_undefined_in_dead_python_branch(x, flag);
    static_shape_drives_python(x);
}
