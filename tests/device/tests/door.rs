//! How a second device looks to users: values stay where they were computed, ops run where their operands are, and only reading a value
//! copies it to the host. The counters belong to the process, so the tests use the device one at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use graph_runtime::device::{self, Device};
use graph_runtime::nn::{Adam, Dense, Module, Parameter};
use graph_runtime::prelude::*;
use graph_tests_device::{Traffic, kept, traffic, vault};

static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `f` and returns what it did on the device.
fn during<R>(f: impl FnOnce() -> R) -> (R, Traffic) {
    let before = traffic();
    let result = f();
    let after = traffic();
    let difference = Traffic {
        brought: after.brought - before.brought,
        fetched: after.fetched - before.fetched,
        applied: after.applied - before.applied,
        ran: after.ran - before.ran,
    };
    (result, difference)
}

#[graph_fn]
fn collatz_steps(n: Tensor<i64>) -> Tensor<i64> {
    let mut n = n;
    let mut steps = tensor(0i64);
    while n != 1 {
        if n % 2 == 0 {
            n = n / 2;
        } else {
            n = 3 * n + 1;
        }
        steps += 1;
    }
    steps
}

#[test]
fn results_stay_where_they_were_computed_until_they_are_read() {
    let _alone = alone();
    let before = kept();
    {
        let _scope = device::scope(vault());
        let (x, made) = during(|| tensor([1.0f32, 2.0, 3.0]));
        assert_eq!((made.brought, made.fetched), (1, 0));
        let (y, computed) = during(|| (&x * &x).sum());
        assert_eq!((computed.applied, computed.fetched), (2, 0));
        assert_eq!((x.device(), y.device()), (vault(), vault()));
        let (value, read) = during(|| y.item());
        assert_eq!((value, read.fetched), (14.0, 1));
    }
    assert_eq!(kept(), before, "values go with their last handle");
}

#[test]
fn work_goes_where_its_operands_are() {
    let _alone = alone();
    let x = {
        let _scope = device::scope(vault());
        tensor([4.0f32, 9.0])
    };
    let here = tensor([1.0f32, 2.0]);
    assert_eq!(here.device(), Device::cpu());
    let (sum, moved) = during(|| &here + x.sqrt());
    assert_eq!((sum.device(), moved.fetched), (vault(), 0));
    assert_eq!(sum.to_vec(), [3.0, 5.0]);
    let _scope = device::scope(Device::cpu());
    assert_eq!((&x + &here).device(), Device::cpu());
}

#[test]
fn a_graph_runs_there_with_its_loop_and_branches() {
    let _alone = alone();
    let n = {
        let _scope = device::scope(vault());
        tensor(27i64)
    };
    let (steps, ran) = during(|| collatz_steps(n));
    assert_eq!((ran.ran, ran.fetched, ran.applied), (1, 0, 0));
    assert_eq!((steps.device(), steps.item()), (vault(), 111));
    // One trace serves both devices.
    assert_eq!(collatz_steps(tensor(6i64)).device(), Device::cpu());
    assert_eq!(collatz_steps::function().trace_count(), 1);
}

#[graph_fn]
fn add_to(total: &Variable<f32>, x: Tensor<f32>) {
    total.assign_add(x);
}

#[test]
fn a_variable_lives_where_it_was_made() {
    let _alone = alone();
    let _scope = device::scope(vault());
    let there = Variable::new(tensor([1.0f32, 1.0]));
    let ((), ran) = during(|| {
        for _ in 0..3 {
            add_to(&there, tensor([1.0, 2.0]));
        }
        there.assign_sub(tensor([1.0, 1.0]));
    });
    assert_eq!((ran.ran, ran.fetched), (3, 0));
    assert_eq!(there.read().device(), vault());
    assert_eq!(there.read().to_vec(), [3.0, 6.0]);
    let _scope = device::scope(Device::cpu());
    let here = Variable::new(tensor([0.0f32, 0.0]));
    // The CPU runs it, but the variable stays on its device.
    add_to(&there, tensor([1.0, 1.0]));
    here.assign(there.read());
    assert_eq!(there.read().device(), vault());
    assert_eq!(here.read().device(), Device::cpu());
    assert_eq!(here.read().to_vec(), [4.0, 7.0]);
}

#[graph_fn]
fn first_of_sorted(x: Tensor<f32>) -> Tensor<f32> {
    x.sort()[0].clone()
}

#[test]
fn what_a_device_refuses_the_cpu_does() {
    let _alone = alone();
    let _scope = device::scope(vault());
    let x = tensor([3.0f32, 1.0, 2.0]);
    let (sorted, moved) = during(|| x.sort());
    assert_eq!((moved.applied, moved.fetched, moved.brought), (0, 1, 1));
    assert_eq!(
        (sorted.device(), sorted.to_vec()),
        (vault(), vec![1.0, 2.0, 3.0])
    );
    assert_eq!(first_of_sorted(x).item(), 1.0);
    let text = tensor(["a", "b"]);
    assert_eq!(text.device(), Device::cpu());
    assert_eq!(text.string_length().device(), vault());
}

#[graph_fn]
fn loss(w: &Variable<f32>, x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    ((x * w - y).square()).mean()
}

#[test]
fn a_training_fetches_nothing_but_the_loss_that_it_prints() {
    let _alone = alone();
    let _scope = device::scope(vault());
    let w = Variable::new(tensor(0.0f32));
    let (x, y) = (tensor([1.0f32, 2.0, 3.0]), tensor([2.0f32, 4.0, 6.0]));
    let ((), steps) = during(|| {
        for _ in 0..20 {
            let tape = GradientTape::new();
            let loss = loss(&w, x.clone(), y.clone());
            let gradient = tape.gradient(&loss, &w).unwrap();
            w.assign_sub(gradient * 0.05);
        }
    });
    assert_eq!(steps.fetched, 0);
    assert!((w.read().item() - 2.0).abs() < 1e-3, "{w:?}");
}

#[test]
fn elements_of_a_dataset_come_to_the_device_of_the_loop() {
    let _alone = alone();
    let _scope = device::scope(vault());
    let rows = Dataset::from_slices(tensor([1.0f32, 2.0, 3.0])).map(|x: Tensor<f32>| x * 2.0);
    let mut sum = tensor(0.0f32);
    for x in &rows {
        assert_eq!(x.device(), vault());
        sum += x;
    }
    assert_eq!(sum.item(), 12.0);
}

#[test]
fn an_error_names_the_op_as_on_the_cpu() {
    let _alone = alone();
    let failing = || {
        let x = tensor([1i32, 2]);
        std::panic::catch_unwind(|| x / tensor([1, 0])).unwrap_err()
    };
    let text = |panic: Box<dyn std::any::Any + Send>| *panic.downcast::<String>().unwrap();
    let here = text(failing());
    let _scope = device::scope(vault());
    assert_eq!(text(failing()), here);
}

#[test]
fn a_tensor_moves_to_another_device_and_back() {
    let _alone = alone();
    let x = tensor([1.0f32, 2.0, 3.0]);
    let (there, moved) = during(|| x.to(vault()));
    assert_eq!((there.device(), x.device()), (vault(), Device::cpu()));
    assert_eq!((moved.brought, moved.fetched, moved.applied), (1, 0, 0));
    let (same, nothing) = during(|| there.to(&vault()));
    assert_eq!((same.device(), nothing.brought), (vault(), 0));
    let (back, moved) = during(|| (&there + &there).to(Device::cpu()));
    assert_eq!((back.device(), moved.fetched), (Device::cpu(), 1));
    assert_eq!(back.to_vec(), [2.0, 4.0, 6.0]);
}

#[test]
fn gradients_go_through_a_move() {
    let _alone = alone();
    let (x, w) = (tensor([3.0f32, 4.0]), Variable::new(tensor([5.0f32, 6.0])));
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = (x.to(vault()) * w.read().to(vault()))
        .to(Device::cpu())
        .sum();
    let (of_x, of_w) = tape.gradient(&y, &(&x, &w));
    assert_eq!(of_x.unwrap().to_vec(), [5.0, 6.0]);
    assert_eq!(of_w.unwrap().to_vec(), [3.0, 4.0]);
    // Forward, too.
    let tangents = ForwardAccumulator::new(&x, &tensor([1.0f32, 10.0]));
    let y = x.to(vault()) * 2.0;
    assert_eq!(tangents.jvp(&y).unwrap().to_vec(), [2.0, 20.0]);
}

#[graph_fn]
fn moved(x: Tensor<f32>) -> Tensor<f32> {
    x.to(vault()) + 1.0
}

#[test]
fn in_a_graph_function_a_move_is_nothing_because_a_call_runs_on_one_device() {
    let _alone = alone();
    let (y, moves) = during(|| moved(tensor([1.0, 2.0])));
    assert_eq!((y.device(), moves.brought), (Device::cpu(), 0));
    assert_eq!(y.to_vec(), [2.0, 3.0]);
}

#[test]
fn a_variable_moves_with_all_its_handles() {
    let _alone = alone();
    let v = Variable::new(tensor([1.0f32, 2.0]));
    let (other, before) = (v.clone(), v.read());
    let (_, moves) = during(|| v.to(vault()).assign_add(tensor([1.0, 1.0])));
    assert_eq!((v.device(), other.device()), (vault(), vault()));
    assert_eq!((moves.fetched, before.device()), (0, Device::cpu()));
    assert_eq!(other.to(Device::cpu()).read().to_vec(), [2.0, 3.0]);
    assert_eq!(v.device(), Device::cpu());
}

#[test]
fn a_model_moves_and_its_optimizer_with_it_or_behind_it() {
    let _alone = alone();
    let devices = |module: &dyn Fn() -> Vec<Parameter>| {
        let of = |p: &Parameter| p.variable::<f32>().map(|v| v.device());
        module().iter().filter_map(of).collect::<Vec<_>>()
    };
    let model = Dense::new(3, 2);
    let before = Adam::new(&model);
    model.to(vault());
    assert_eq!(devices(&|| model.parameters()), [vault(); 2]);
    let after = Adam::new(&model);
    assert_eq!(devices(&|| after.parameters()), [vault(); 4]);
    assert_eq!(after.iterations().device(), vault());
    assert_eq!(devices(&|| before.parameters()), [Device::cpu(); 4]);
    before.to(&vault());
    assert_eq!(devices(&|| before.parameters()), [vault(); 4]);
    assert_eq!(before.iterations().device(), vault());
    // One step fetches nothing, although the default is the CPU.
    let x = ones([4, 3]).to(vault());
    let ((), step) = during(|| {
        let tape = GradientTape::new();
        let loss = model.call(&x).square().mean();
        after.apply(&tape.gradient(&loss, &model), &model);
    });
    assert_eq!(step.fetched, 0);
    assert_eq!(devices(&|| model.parameters()), [vault(); 2]);
}
