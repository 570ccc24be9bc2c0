//! A program whose kernels are compiled without optimization gets a warning, once. (Since it comes once in a process, this is a test program
//! of its own.) Both cases: `cargo test -p graph-runtime --test slow_kernels`, with `--config profile.dev.package.graph-kernels.opt-level=0` or `=3`.

use std::sync::Mutex;

use graph_runtime::prelude::*;

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Collector;

impl log::Log for Collector {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        LINES.lock().unwrap().push(record.args().to_string());
    }
    fn flush(&self) {}
}

#[graph_fn]
fn double(x: Tensor<f32>) -> Tensor<f32> {
    x * 2.0
}

#[graph_fn]
fn square(x: Tensor<f32>) -> Tensor<f32> {
    &x * &x
}

#[test]
fn slow_kernels_are_named_once_with_the_way_out() {
    log::set_logger(&Collector).expect("no other logger");
    log::set_max_level(log::LevelFilter::Warn);
    assert_eq!(double(tensor(3.0)).item(), 6.0);
    assert_eq!(square(tensor(3.0)).item(), 9.0);
    let lines = LINES.lock().unwrap();
    let expected = if graph_kernels::OPTIMIZED { 0 } else { 1 };
    assert_eq!(lines.len(), expected, "{lines:?}");
    for line in lines.iter() {
        assert!(
            line.contains("[profile.dev.package.graph-kernels]"),
            "{line}"
        );
        assert!(line.contains("opt-level = 3"), "{line}");
    }
}
