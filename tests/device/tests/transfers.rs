//! What debugging tools show of copies between devices: each one's bytes, and the line that caused it.

use std::cell::RefCell;

use graph_runtime::debug::{self, TransferRow};
use graph_runtime::device::{self, Device};
use graph_runtime::prelude::*;
use graph_tests_device::vault;

/// A row's line, from the one given; whether it went to the device; its copies and bytes.
fn facts(rows: &[TransferRow], first: u32) -> Vec<(u32, bool, u64, u64)> {
    let facts = |row: &TransferRow| {
        assert_eq!(row.device, "vault");
        assert!(row.location.file.ends_with("transfers.rs"), "{row}");
        let line = row.location.line - first;
        (line, row.to_device, row.count, row.bytes)
    };
    rows.iter().map(facts).collect()
}

#[test]
fn a_profile_sums_up_copies_by_the_line_of_an_eager_op() {
    let (x, ones) = (tensor([1.0f32, 2.0, 3.0]), tensor([1.0f32; 3]));
    let v = Variable::new(tensor([0.0f32; 3]));
    v.to(vault());
    let first = line!() + 1;
    let (sums, profile) = debug::profile(|| {
        let run = |_| {
            let there = x.to(vault());
            let sum = &there + &ones; // `ones` is brought for it
            v.assign(&ones);
            v.assign_add(&ones);
            sum.sum().item()
        };
        [1, 2].map(run)
    });
    assert_eq!(sums, [9.0, 9.0]);
    assert_eq!(
        facts(profile.transfers(), first),
        [
            (2, true, 2, 24),
            (3, true, 2, 24),
            (4, true, 2, 24),
            (5, true, 2, 24),
            (6, false, 2, 8),
        ]
    );
    let text = profile.to_string();
    let place = &profile.transfers()[4].location;
    let row = format!("        2            8  from vault  ({place})");
    assert!(text.contains("copies between devices\n"), "{text}");
    assert!(text.contains(&row), "no `{row}` in {text}");
}

#[graph_fn]
fn weighted(x: Tensor<f32>, w: &Variable<f32>) -> Tensor<f32> {
    (x * w).sum()
}

#[test]
fn what_a_call_copies_belongs_to_the_line_of_the_call() {
    let w = Variable::new(tensor([1.0f32, 2.0]));
    w.to(vault());
    let first = line!() + 1;
    let (y, profile) = debug::profile(|| {
        weighted(tensor([3.0, 4.0]), &w) // the argument
    });
    assert_eq!(y.device(), vault());
    assert_eq!(facts(profile.transfers(), first), [(1, true, 1, 8)]);
    let (_, none) = debug::profile(|| weighted(y.to(vault()).expand_dims(0), &w));
    assert_eq!(none.transfers(), []);
}

#[test]
fn without_copies_a_profile_has_no_table_of_them() {
    let (_, profile) = debug::profile(|| tensor([1.0f32, 2.0]).sum().item());
    assert_eq!(profile.to_string(), "");
}

thread_local! {
    static LINES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

struct Collector;

impl log::Log for Collector {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        LINES.with_borrow_mut(|lines| lines.push(record.args().to_string()));
    }
    fn flush(&self) {}
}

#[test]
fn logged_values_come_with_the_copies_of_the_program_and_not_of_the_log() {
    log::set_logger(&Collector).expect("no other logger");
    log::set_max_level(log::LevelFilter::Info);
    let _scope = debug::LOG_VALUES.scope(true);
    let _there = device::scope(vault());
    let at = format!("{}:{}", file!(), line!() + 1);
    let x = tensor([1.0f32, 2.0]);
    let y = &x + &x; // the log reads both
    let back = y.to(Device::cpu());
    let lines = LINES.take();
    let copies: Vec<&String> = lines
        .iter()
        .filter(|line| line.starts_with("copied"))
        .collect();
    assert_eq!(copies.len(), 2, "{lines:?}");
    assert!(
        copies[0].starts_with(&format!("copied to vault at {at}:")),
        "{copies:?}"
    );
    assert!(copies[0].ends_with(": float32[2], 8 bytes"), "{copies:?}");
    assert!(copies[1].starts_with("copied from vault at "), "{copies:?}");
    assert!(
        lines.iter().any(|line| line.starts_with("add at ")),
        "{lines:?}"
    );
    assert_eq!(back.to_vec(), [2.0, 4.0]);
}
