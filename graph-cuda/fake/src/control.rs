//! Switches and counters for tests.
//!
//! **Everything here is global to the process**, as the driver is: the switches, the counters, the devices and the error after a fault.
//! Tests that change a switch or compare counters must not run beside other tests that use the driver: put them in a test binary of their
//! own, or behind a lock. What belongs to a thread is only the current context, as with the real driver.

pub use crate::counts::Counts;
use crate::driver::queue::finish_all;
use crate::driver::{Injected, driver};

/// The number of devices; none makes `cuInit` fail. The default is one.
pub fn set_devices(count: usize) {
    driver().settings.devices = count;
}

/// The compute capability of all devices. The default is 9.0.
pub fn set_capability(major: u32, minor: u32) {
    driver().settings.capability = (major, minor);
}

/// The number of multiprocessors of each device. The default is 4.
pub fn set_multiprocessors(count: u32) {
    driver().settings.multiprocessors = count;
}

/// The memory of each device in bytes. Allocations beyond it fail with code 2. The default is 16 GiB.
pub fn set_memory(bytes: u64) {
    driver().settings.memory = bytes;
}

/// The version of the driver, such as 12040. Functions that it lacks have no symbol. The default is 13000.
pub fn set_driver_version(version: u32) {
    driver().settings.version = version;
}

/// Lets a kernel launch fail with a code: the next one for `after = 0`, and so on; kernels in graphs count, too. A code from 700 is the error
/// of a kernel that ran: the launch succeeds, and every call after it fails. Any other is the result of the launch.
pub fn fail_launch(after: u64, code: u32) {
    driver().settings.fail_launch = Some(Injected { after, code });
}

/// Lets an allocation of device memory fail with a code: the next one for `after = 0`, and so on.
pub fn fail_allocation(after: u64, code: u32) {
    driver().settings.fail_allocation = Some(Injected { after, code });
}

/// Whether races in global memory are faults of kernels: a thread writes what another thread of the launch reads, or writes with another
/// value, and no barrier of their block is between. It takes a hundred times as long, so it is off at first. Races in shared memory are
/// always faults.
pub fn check_races(check: bool) {
    driver().settings.manner.races = check;
}

/// Whether the last block of a grid, and the last thread of a block, go first. Results that depend on this order come from races; sums of
/// floats by atomic operations do, too.
pub fn run_backwards(backwards: bool) {
    driver().settings.manner.backwards = backwards;
}

/// The most instructions that a thread may execute without waiting for others. More are a fault with code 702, so that a kernel without an
/// end doesn't stop the tests. The default is eight billion.
pub fn limit_instructions(limit: u64) {
    driver().settings.manner.limit = limit;
}

/// Whether work of streams other than the legacy stream is done as late as possible: when the program waits for it, or when work that it
/// waits for comes after it. So programs that forget to wait are found. Without this, work is done at once.
pub fn defer_work(defer: bool) {
    // Work that waits now must not come after what is done at once.
    let _ = finish_all();
    driver().settings.defer = defer;
}

/// Whether there is a library that stands in for cuBLAS: its functions are found beside the driver's. The default is that there is none.
pub fn set_blas(exists: bool) {
    driver().settings.blas = exists;
}

/// Sets all switches to their defaults, and forgets the error of a fault. Memory, modules and graphs stay, and work of streams is done.
pub fn reset() {
    defer_work(false);
    let mut d = driver();
    d.settings = Default::default();
    d.failed = None;
}

/// Forgets the error of a fault, after which every call fails. With a real driver only a new process does this.
pub fn reset_error() {
    driver().failed = None;
}

/// The counters.
pub fn counts() -> Counts {
    driver().counts()
}

/// Sets the counters to zero, except those of what is live.
pub fn reset_counts() {
    driver().reset_counts();
}
