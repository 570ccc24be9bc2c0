//! The device on an emulated driver: values, ops and graphs.

mod common;

use std::ffi::c_void;

use graph_runtime::device;
use graph_runtime::prelude::*;

use common::{alone, gpu, is_real};

#[test]
fn values_go_to_the_device_and_come_back() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let x = tensor((0..1000).map(|i| i as f32).collect::<Vec<_>>());
    assert_eq!(x.device(), gpu());
    let y = &x * 2.0 + 1.0;
    assert_eq!(y.device(), gpu());
    let expected: Vec<f32> = (0..1000).map(|i| i as f32 * 2.0 + 1.0).collect();
    assert_eq!(y.to_vec(), expected);
}

/// The context that is current in this thread, as the emulated driver says; 0 if there is none.
fn context() -> usize {
    type GetCurrent = unsafe extern "C" fn(*mut *mut c_void) -> u32;
    let found = graph_cuda_fake::symbol(c"cuCtxGetCurrent").unwrap();
    let mut context = std::ptr::null_mut();
    // SAFETY: this is the function's type, and its parameter is an output.
    unsafe { std::mem::transmute::<*mut c_void, GetCurrent>(found)(&mut context) };
    context.addr()
}

/// A context takes memory of the GPU.
#[test]
fn a_gpu_that_is_only_looked_at_has_no_context() {
    if is_real() {
        return;
    }
    let looked = std::thread::spawn(|| {
        graph_cuda_shim::use_functions(graph_cuda_fake::symbol);
        let found = graph_cuda::find(0).unwrap();
        assert!(found.description().memory.is_some());
        assert_eq!(context(), 0);
        assert_eq!(gpu(), found);
        assert_ne!(context(), 0);
    });
    looked.join().unwrap();
}

#[graph_fn]
fn norm(x: Tensor<f32>) -> Tensor<f32> {
    (&x * &x).sum().sqrt()
}

#[graph_fn]
fn collatz(n: Tensor<i32>) -> Tensor<i32> {
    let mut n = n;
    let mut count = tensor(0);
    while &n != 1 {
        if &n % 2 == 0 {
            n = &n / 2;
        } else {
            n = &n * 3 + 1;
        }
        count += 1;
    }
    count
}

#[test]
fn graphs_run_on_the_device() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let x = tensor((0..5000).map(|i| (i % 7) as f32).collect::<Vec<_>>());
    let y = norm(&x);
    assert_eq!(y.device(), gpu());
    let expected: f64 = (0..5000).map(|i| f64::from(i % 7) * f64::from(i % 7)).sum();
    assert!((f64::from(y.item()) - expected.sqrt()).abs() < 1e-3);
    assert_eq!(collatz(tensor(27)).item(), 111);
}

/// Newton's method until it converges: a loop whose end only the values decide.
#[graph_fn]
fn root(x: Tensor<f32>) -> (Tensor<f32>, Tensor<i32>) {
    let mut y = &x * 1.0;
    let mut steps = tensor(0);
    let mut error = x.abs().max() + 1.0;
    while &error > 1e-3 {
        let next = (&y + &x / &y) * 0.5;
        error = (&next - &y).abs().max();
        y = next;
        steps += 1;
    }
    (y, steps)
}

/// A loop with branches, on a number that the host doesn't know.
#[graph_fn]
fn collatz_of_sum(x: Tensor<i32>) -> Tensor<i32> {
    let mut n = x.sum();
    let mut count = tensor(0);
    while &n != 1 {
        if &n % 2 == 0 {
            n = &n / 2;
        } else {
            n = &n * 3 + 1;
        }
        count += 1;
    }
    count
}

#[test]
fn loops_and_branches_of_a_recorded_program_run_without_the_host() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let x = tensor((1..100).map(|i| i as f32).collect::<Vec<_>>());
    let n = tensor(vec![1; 27]);
    for call in 0..5 {
        let before = graph_cuda_fake::control::counts();
        let (y, steps) = root(&x);
        let count = collatz_of_sum(&n);
        let after = graph_cuda_fake::control::counts();
        if call >= 3 && !is_real() {
            assert_eq!(after.graph_launches - before.graph_launches, 2);
            assert_eq!(after.downloads - before.downloads, 0);
        }
        assert_eq!(count.item(), 111, "call {call}");
        assert!((7..=12).contains(&steps.item()), "{steps} in call {call}");
        for (i, y) in (1..).zip(y.to_vec()) {
            assert!((y - (i as f32).sqrt()).abs() < 1e-3, "{y} for {i}");
        }
    }
}

#[test]
fn products_are_those_of_the_cpu() {
    let _alone = alone();
    let a: Vec<f32> = (0..70 * 33).map(|i| (i % 11) as f32 - 5.0).collect();
    let b: Vec<f32> = (0..33 * 90).map(|i| (i % 13) as f32 - 6.0).collect();
    let product = || {
        let a = tensor(a.clone()).reshape([70, 33]);
        let b = tensor(b.clone()).reshape([33, 90]);
        a.matmul(&b).to_vec()
    };
    let expected = product();
    let _scope = device::scope(gpu());
    assert_eq!(product(), expected);
}

#[graph_fn]
fn step(w: &Variable<f32>, x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let loss = (x.matmul(w) - &y).square().mean();
    let gradient = tape.gradient(&loss, w).unwrap();
    w.assign_sub(gradient * 0.1);
    loss
}

/// The losses of a training on a device.
fn losses() -> Vec<f32> {
    let w = Variable::new(zeros([3, 1]));
    let x = tensor(
        (0..600)
            .map(|i| ((i * 7) % 13) as f32 / 13.0)
            .collect::<Vec<_>>(),
    );
    let x = x.reshape([200, 3]);
    let y = x.matmul(&tensor([[1.0], [-2.0], [0.5]]));
    (0..20).map(|_| step(&w, &x, &y).item()).collect()
}

#[test]
fn a_training_step_is_recorded_and_launched() {
    let _alone = alone();
    let expected = losses();
    let _scope = device::scope(gpu());
    let before = graph_cuda_fake::control::counts();
    let found = losses();
    let after = graph_cuda_fake::control::counts();
    for (found, expected) in found.iter().zip(&expected) {
        assert!(
            (found - expected).abs() <= 1e-5 * expected.abs(),
            "{found} {expected}"
        );
    }
    if is_real() {
        return;
    }
    let launches = after.graph_launches - before.graph_launches;
    assert!(
        (15..=18).contains(&launches),
        "{launches} of 20 steps were one launch"
    );
}
