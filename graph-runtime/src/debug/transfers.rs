//! Copies between devices: `debug_values` logs each, and a profile sums them up by the user's line.

use std::fmt;

use super::switch::any_is_on;
use super::{LOG_VALUES, PROFILING, profile};
use crate::device::{self, Direction, Transfer};
use crate::error::Location;
use crate::graph::{Shape, TensorType};

/// The copies between the host and another device that one line of the program caused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TransferRow {
    /// The name of the other device.
    pub device: String,
    /// True for copies from the host to the device, false for copies from the device to the host.
    pub to_device: bool,
    /// The user's line; unknown for a tensor that is formatted.
    pub location: Location,
    /// The number of copies.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Begins to see transfers, once somebody wants to: a switch that shows them was set.
pub(super) fn watch() {
    device::watch_transfers(seen);
}

/// Sees a transfer of this thread.
fn seen(transfer: &Transfer<'_>, location: &Location) {
    if !any_is_on([&LOG_VALUES, &PROFILING]) {
        return;
    }
    let to_device = transfer.direction == Direction::ToDevice;
    let row = TransferRow {
        device: transfer.device.to_owned(),
        to_device,
        location: location.clone(),
        count: 1,
        bytes: transfer.bytes(),
    };
    if LOG_VALUES.is_on() {
        let ty = TensorType::new(transfer.dtype, Shape::known(transfer.shape));
        let way = way(&row);
        log::info!("copied {way} at {location}: {ty}, {} bytes", row.bytes);
    }
    if PROFILING.is_on() {
        profile::transferred(row);
    }
}

fn way(row: &TransferRow) -> String {
    let preposition = if row.to_device { "to" } else { "from" };
    format!("{preposition} {}", row.device)
}

impl TransferRow {
    /// Adds other copies of the same line, way and device.
    pub(super) fn add(rows: &mut Vec<TransferRow>, new: TransferRow) {
        let same = |row: &&mut TransferRow| {
            row.location == new.location
                && row.to_device == new.to_device
                && row.device == new.device
        };
        match rows.iter_mut().find(same) {
            Some(row) => {
                row.count += new.count;
                row.bytes += new.bytes;
            }
            None => rows.push(new),
        }
    }
}

impl fmt::Display for TransferRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let way = way(self);
        let (count, bytes, location) = (self.count, self.bytes, &self.location);
        write!(f, "{count:>9} {bytes:>12}  {way}  ({location})")
    }
}
