//! The tests that each device must pass. A crate with a [`Backend`](graph_ir::device::Backend) calls [`check`] in a test of its own, with a handle
//! of its device:
//!
//! ```
//! use graph_ir::device::Device;
//!
//! let report = graph_device_tests::check(Device::cpu());
//! assert!(report.differences.is_empty(), "{report}");
//! ```
//!
//! What the device does is compared with what the CPU does: values that go there and come back (`values`), each op of the op table on random
//! operands (`ops`), random graphs with branches and loops (`programs`), and what a run does besides computing (`effects`). Integers, truth
//! values and errors must be the same. Floats may differ by rounding, unless the device is checked as an [exact](Suite::exact) one.
//! The random numbers have fixed seeds, so a failure repeats.

#![forbid(unsafe_code)]

pub mod compare;
mod effects;
pub mod graphs;
mod lines;
mod ops;
mod programs;
mod report;
mod values;

use graph_ir::device::Device;

pub use report::Report;

/// What is checked of a device.
#[derive(Clone, Debug)]
pub struct Suite {
    device: Device,
    exact: bool,
    uses: usize,
    programs: u64,
}

/// Compares a device with the CPU, on three uses of each op and 200 graphs. Floats may differ by rounding.
///
/// The [`Report`] lists what differs, and what the device leaves to the CPU.
pub fn check(device: Device) -> Report {
    Suite::new(device).run()
}

impl Suite {
    /// The tests of [`check`].
    pub fn new(device: Device) -> Suite {
        Suite {
            device,
            exact: false,
            uses: 3,
            programs: 200,
        }
    }

    /// The device must give the CPU's bits for floats, too. (Of a NaN, only that it is one counts.)
    pub fn exact(self) -> Suite {
        Suite {
            exact: true,
            ..self
        }
    }

    /// Sets how many uses of each op are tried, and how many graphs.
    pub fn of_size(self, uses: usize, programs: u64) -> Suite {
        Suite {
            uses,
            programs,
            ..self
        }
    }

    /// Runs the tests.
    pub fn run(&self) -> Report {
        let mut report = Report::default();
        values::check(self, &mut report);
        ops::check(self, &mut report);
        programs::check(self, &mut report);
        effects::check(self, &mut report);
        report
    }
}
