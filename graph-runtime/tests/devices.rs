//! How a program finds its device: the environment variable `GRAPH_DEVICE`, and GPUs that can't be opened. Each case is a process of its own, because
//! the environment is read once. No case needs a GPU: the driver's library is named, and isn't there.

use std::process::Command;

use graph_runtime::device::{self, Device};
use graph_runtime::prelude::*;
use graph_runtime::{Error, Result};

/// The environment variable that says what the started program does.
const PROGRAM: &str = "DEVICE_PROGRAM";
/// A library that doesn't exist.
const NOWHERE: &str = "/nowhere/libcuda.so.1";

/// Prints each line of the log.
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
fn double(x: Tensor<f32>) -> Result<Tensor<f32>> {
    Ok(x * 2.0)
}

#[graph_fn]
fn two() -> Result<Tensor<f32>, Error> {
    let one = Variable::new(tensor(1.0f32));
    Ok(one + 1.0)
}

/// Runs only as the program that the other tests start.
#[test]
fn program() {
    let Ok(program) = std::env::var(PROGRAM) else {
        return;
    };
    log::set_logger(&Logger).unwrap();
    log::set_max_level(log::LevelFilter::Info);
    match program.as_str() {
        "computes" => {
            let y = double(tensor([1.0, 2.0]) + 1.0).unwrap();
            println!("{y} on {}, only CPU: {}", y.device(), Device::only_cpu());
        }
        "opens" => println!("{}", Device::cuda(0).unwrap_err()),
        "lists" => println!("{:?}", Device::all()),
        "catches" => println!("{}", two().unwrap_err()),
        "sets" => {
            device::set_default(Device::cpu());
            println!("{}", device::current());
        }
        "scoped" => {
            let _scope = device::scope(&Device::cpu());
            println!("{}", tensor([1.0, 2.0]) * 2.0);
        }
        other => panic!("there is no program {other}"),
    }
}

/// What a program prints where `GRAPH_DEVICE` has a value.
fn run(program: &str, graph_device: Option<&str>) -> String {
    let tests = std::env::current_exe().expect("this program");
    let mut command = Command::new(tests);
    command
        .args(["program", "--exact", "--nocapture"])
        .env(PROGRAM, program)
        .env("GRAPH_CUDA_LIBRARY", NOWHERE)
        .env_remove("GRAPH_DEVICE");
    if let Some(value) = graph_device {
        command.env("GRAPH_DEVICE", value);
    }
    let output = command.output().expect("it runs");
    String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
}

/// Why there are no GPUs.
fn reason() -> &'static str {
    if !cfg!(feature = "cuda") {
        "the program is built without GPUs: turn on the feature `cuda` of graph-runtime"
    } else if cfg!(target_os = "linux") {
        "there is no CUDA driver (/nowhere/libcuda.so.1: cannot open shared object file: No such file or directory)"
    } else {
        "there are GPUs on Linux only, on x86-64 and 64-bit ARM"
    }
}

#[track_caller]
fn assert_prints(printed: &str, text: &str) {
    assert!(printed.contains(text), "no `{text}` in:\n{printed}");
}

#[test]
fn a_gpu_that_cannot_be_opened_is_an_error_with_the_reason_and_the_line() {
    let printed = run("opens", None);
    assert_prints(
        &printed,
        &format!("{}\n  at graph-runtime/tests/devices.rs:", reason()),
    );
}

#[test]
fn without_a_gpu_the_cpu_is_the_only_device() {
    assert_prints(&run("lists", None), "[cpu]");
}

#[test]
fn programs_run_on_the_cpu_unless_something_names_another_device() {
    for value in [None, Some("cpu")] {
        let printed = run("computes", value);
        assert_prints(&printed, "[4. 6.] on cpu, only CPU: true");
        assert!(!printed.contains("INFO"), "{printed}");
    }
}

#[test]
fn auto_is_the_cpu_where_no_gpu_can_be_opened_and_says_why_on_one_line() {
    let printed = run("computes", Some("auto"));
    assert_prints(&printed, "[4. 6.] on cpu, only CPU: true");
    let line = format!("INFO: the device `auto` is the CPU: {}\n", reason());
    assert_eq!(printed.matches(&line).count(), 1, "{printed}");
    assert_eq!(printed.matches("INFO").count(), 1, "{printed}");
}

#[test]
fn a_gpu_that_the_environment_names_and_that_cannot_be_opened_fails_the_first_tensor() {
    for name in ["cuda", "cuda:3"] {
        let text = format!(
            "GRAPH_DEVICE={name}: {}\n  at graph-runtime/tests/devices.rs:",
            reason()
        );
        assert_prints(&run("computes", Some(name)), &text);
        // A graph function that returns a result returns the error.
        let caught = run("catches", Some(name));
        assert_prints(&caught, &text);
        assert!(!caught.contains("panicked"), "{caught}");
    }
}

#[test]
fn a_wrong_value_in_the_environment_is_an_error_that_lists_the_values() {
    for name in ["gpu", "", "cuda:", "cuda:x", "CPU"] {
        let text = format!(
            "GRAPH_DEVICE={name}: there is no device `{name}`: the names are `auto`, `cpu`, `cuda`, and `cuda:1` for the second GPU"
        );
        assert_prints(&run("computes", Some(name)), &text);
    }
}

#[test]
fn what_the_program_chooses_comes_before_the_environment() {
    let set = run("sets", Some("cuda"));
    assert!(
        set.contains("cpu\n") && !set.contains("GRAPH_DEVICE"),
        "{set}"
    );
    assert_prints(&run("scoped", Some("cuda")), "[2. 4.]");
}
