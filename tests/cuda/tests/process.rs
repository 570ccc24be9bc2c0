//! What belongs to a process: the default device, and a driver with no, one or two GPUs or too little memory. Each case is a program of its own.

use std::process::Command;

use graph_cuda_fake::control;
use graph_runtime::Result;
use graph_runtime::device::{self, Device};
use graph_runtime::prelude::*;
use graph_tests_cuda::{emulate, gpu};

const PROGRAM: &str = "GPU_PROGRAM";

/// Prints each line of the log that speaks of devices.
struct Logger;

impl log::Log for Logger {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        if record.args().to_string().contains("device") {
            println!("{}: {}", record.level(), record.args());
        }
    }
    fn flush(&self) {}
}

#[graph_fn]
fn double(x: Tensor<f32>) -> Tensor<f32> {
    x * 2.0
}

/// Runs only as the program that the other tests start.
#[test]
fn program() {
    let Ok(program) = std::env::var(PROGRAM) else {
        return;
    };
    log::set_logger(&Logger).unwrap();
    log::set_max_level(log::LevelFilter::Info);
    emulate();
    match program.as_str() {
        "computes" => computes(),
        "sets the default" => {
            device::set_default(gpu());
            computes();
        }
        "has no GPU" => {
            control::set_devices(0);
            computes();
        }
        "has two GPUs" => {
            control::set_devices(2);
            let [first, second] = [0, 1].map(|number| Device::cuda(number).unwrap());
            let (x, y) = (tensor([1.0f32]).to(first), tensor([2.0f32]).to(second));
            let z = (&x + &y).to(second);
            println!("{} {} {}: {z}", x.device(), y.device(), z.device());
            println!("{:?}", Device::all());
        }
        "has no memory" => {
            let (gpu, v) = (gpu(), Variable::named("weights", ones::<f32>([1000])));
            control::fail_allocation(0, 2);
            let moved = std::panic::catch_unwind(|| v.to(gpu).device());
            println!("{}", moved.unwrap_err().downcast::<String>().unwrap());
            println!("it is on {}: {}", v.device(), v.sum());
            println!("then on {}: {}", v.to(gpu).device(), v.sum());
        }
        "leaves ops to the CPU" => leaves_ops(),
        other => panic!("there is no program {other}"),
    }
}

#[graph_fn]
fn different(x: &Tensor<i32>) -> Result<Tensor<i32>> {
    Ok(x.unique().0 * 2)
}

#[graph_fn]
fn greeting(name: &Tensor<String>) -> Result<Tensor<String>> {
    Ok(name + "!")
}

/// Prints what a GPU leaves to the CPU, and what it gives.
fn leaves_ops() {
    let _scope = device::scope(gpu());
    let x = tensor([3, 1, 3]);
    let trace = different::concrete(&x).unwrap();
    println!("{}", trace.graph().explain_on(gpu()));
    println!("{:?}", different(&x).map(|y| y.to_vec()));
    println!("{:?}", greeting(&tensor("you")).map(|y| y.item()));
    println!("{:?}", (x * 2).to_vec());
}

/// Prints a result, and where it was computed.
fn computes() {
    let y = double(tensor([1.0, 2.0]) + 1.0);
    let v = Variable::new(zeros::<f32>([2]));
    println!("{y} on {}, variables on {}", y.device(), v.device());
}

/// What a program prints where `GRAPH_DEVICE` has a value.
fn run(program: &str, graph_device: Option<&str>) -> String {
    run_with(program, "GRAPH_DEVICE", graph_device)
}

/// What a program prints where an environment variable has a value.
fn run_with(program: &str, variable: &str, value: Option<&str>) -> String {
    let tests = std::env::current_exe().expect("this program");
    let mut command = Command::new(tests);
    command
        .args(["program", "--exact", "--nocapture"])
        .env(PROGRAM, program)
        .env_remove("GRAPH_DEVICE");
    if let Some(value) = value {
        command.env(variable, value);
    }
    let output = command.output().expect("it runs");
    String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
}

#[track_caller]
fn assert_prints(printed: &str, text: &str) {
    assert!(printed.contains(text), "no `{text}` in:\n{printed}");
}

#[test]
fn programs_run_on_the_gpu_that_the_environment_names() {
    for name in ["cuda", "cuda:0"] {
        let printed = run("computes", Some(name));
        assert_prints(&printed, "[4. 6.] on cuda:0, variables on cuda:0");
        assert!(!printed.contains("INFO"), "{printed}");
    }
}

#[test]
fn a_driver_alone_moves_nothing_to_the_gpu() {
    assert_prints(&run("computes", None), "[4. 6.] on cpu, variables on cpu");
}

#[test]
fn the_program_may_set_the_gpu_as_its_default() {
    for named in [None, Some("cpu"), Some("auto"), Some("nonsense")] {
        let printed = run("sets the default", named);
        assert_prints(&printed, "[4. 6.] on cuda:0, variables on cuda:0");
    }
}

#[test]
fn auto_is_the_first_gpu_where_there_is_one() {
    let printed = run("computes", Some("auto"));
    assert_prints(&printed, "[4. 6.] on cuda:0, variables on cuda:0");
    assert_prints(&printed, "INFO: the device `auto` is cuda:0: ");
    assert_prints(&printed, ", 16.0 GiB, compute capability 9.0\n");
    assert_eq!(printed.matches("INFO").count(), 1, "{printed}");
}

#[test]
fn a_driver_without_a_gpu_is_a_reason() {
    let printed = run("has no GPU", Some("auto"));
    assert_prints(
        &printed,
        "INFO: the device `auto` is the CPU: the CUDA driver sees no GPU\n",
    );
    assert_prints(&printed, "[4. 6.] on cpu, variables on cpu");
    let printed = run("has no GPU", Some("cuda"));
    assert_prints(&printed, "GRAPH_DEVICE=cuda: the CUDA driver sees no GPU");
    let printed = run("computes", Some("cuda:1"));
    let reason = "GRAPH_DEVICE=cuda:1: there is no GPU 1: the CUDA driver sees 1";
    assert_prints(&printed, reason);
}

#[test]
fn values_move_between_two_gpus() {
    let printed = run("has two GPUs", None);
    assert_prints(&printed, "cuda:0 cuda:1 cuda:1: [3.]");
    assert_prints(&printed, "[cpu, cuda:0, cuda:1]");
}

#[test]
fn a_variable_that_finds_no_memory_stays_where_it_was() {
    let printed = run("has no memory", None);
    assert_prints(
        &printed,
        "the variable 'weights' can't be moved to cuda:0: CUDA: out of memory",
    );
    assert_prints(&printed, "\n  at tests/cuda/tests/process.rs:");
    assert_prints(&printed, "it is on cpu: 1000");
    assert_prints(&printed, "then on cuda:0: 1000");
}

#[test]
fn what_the_cpu_does_for_a_gpu_is_listed() {
    let printed = run("leaves ops to the CPU", None);
    assert_prints(
        &printed,
        "on cuda:0, the CPU runs\n  unique (tests/cuda/tests/process.rs:",
    );
    assert_prints(
        &printed,
        "): the order of first occurrences is made by a walk over all values\n",
    );
    assert_prints(&printed, "Ok([6, 2])\nOk(\"you!\")\n[6, 2, 6]\n");
}

#[test]
fn what_the_cpu_does_for_a_gpu_may_be_an_error() {
    let printed = run_with(
        "leaves ops to the CPU",
        "GRAPH_DEVICE_FALLBACK",
        Some("error"),
    );
    assert_prints(
        &printed,
        "`unique` can't run on cuda:0: the order of first occurrences is made by a walk over all values (GRAPH_DEVICE_FALLBACK=error)",
    );
    assert_prints(
        &printed,
        "a graph can't run on cuda:0: it has strings, which a GPU doesn't hold (GRAPH_DEVICE_FALLBACK=error)",
    );
    assert_prints(&printed, "[6, 2, 6]\n");
}
