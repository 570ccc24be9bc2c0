//! The debugging switches: eager runs, checked numerics, logged values, profiles.

mod elements;
mod numerics;
mod profiles;
mod switches;
mod values;

use std::cell::RefCell;
use std::sync::Once;

use graph_runtime::prelude::*;

#[graph_fn]
fn halvings(x: Tensor<f32>) -> Tensor<i32> {
    let mut x = x;
    let mut steps = tensor(0);
    while x > 1.0 {
        x = x / 2.0;
        steps += 1;
    }
    steps
}

thread_local! {
    static LOGGED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

struct Collector;

impl log::Log for Collector {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        LOGGED.with_borrow_mut(|lines| lines.push(record.args().to_string()));
    }
    fn flush(&self) {}
}

/// The lines that are logged on this thread while `f` runs.
fn logged(f: impl FnOnce()) -> Vec<String> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Collector).expect("no other logger");
        log::set_max_level(log::LevelFilter::Info);
    });
    LOGGED.take();
    f();
    LOGGED.take()
}
