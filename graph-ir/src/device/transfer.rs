//! Transfers: copies of values between the host and another device. A device reports each copy that it makes; debugging tools show them with the
//! user's lines.

use std::cell::RefCell;
use std::sync::OnceLock;

use graph_kernels::DType;

use crate::error::Location;

/// A copy of a value between the host and another device.
#[derive(Clone, Copy, Debug)]
pub struct Transfer<'a> {
    /// The name of the other device.
    pub device: &'a str,
    /// Where the value went.
    pub direction: Direction,
    /// The dtype of its elements.
    pub dtype: DType,
    /// Its shape.
    pub shape: &'a [usize],
}

/// From where to where a value was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the host to the device.
    ToDevice,
    /// From the device to the host.
    ToHost,
}

impl Transfer<'_> {
    /// The size of the value.
    pub fn bytes(&self) -> u64 {
        let count: usize = self.shape.iter().product();
        (count * self.dtype.bytes()) as u64
    }
}

/// A function that sees transfers, and the lines of the program that caused them.
type Watcher = fn(&Transfer<'_>, &Location);

static WATCHER: OnceLock<Watcher> = OnceLock::new();

thread_local! {
    /// The line that this thread is at; `None` while its transfers aren't to be seen.
    static LINE: RefCell<Option<Location>> = const { RefCell::new(None) };
}

/// Sets the function that sees all transfers from now on. The first one stays.
pub fn watch_transfers(watcher: Watcher) {
    WATCHER.get_or_init(|| watcher);
}

/// Says that what this thread copies from now on belongs to a line of the program. It costs one look while nobody watches.
#[inline]
pub fn transfers_are_of(line: &Location) {
    if WATCHER.get().is_some() {
        LINE.replace(Some(line.clone()));
    }
}

/// Runs `f`, whose copies aren't the program's but a tool's: nobody sees them.
pub fn without_transfers<R>(f: impl FnOnce() -> R) -> R {
    let line = LINE.take();
    let result = f();
    LINE.replace(line);
    result
}

/// Reports a transfer. A device calls this for each copy of a value that it makes.
pub fn transferred(transfer: &Transfer<'_>) {
    if let Some(watcher) = WATCHER.get() {
        // Not borrowed during the call, which may run other code of the program.
        let line = LINE.with_borrow(Option::clone);
        if let Some(line) = line {
            watcher(transfer, &line);
        }
    }
}
