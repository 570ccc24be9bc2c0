//! Between registers and the bytes of memory.

use crate::code::{Address, Reg, Width};

/// The little-endian number in up to eight bytes.
#[inline]
pub(crate) fn number(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0,
    }
}

#[inline]
fn extended(value: u64, bytes: u8) -> u64 {
    let unused = 64 - 8 * u32::from(bytes);
    ((value << unused) as i64 >> unused) as u64
}

/// Fills registers from memory.
#[inline]
pub(crate) fn unpack(registers: &mut [u64], d: [Reg; 4], width: Width, mut bytes: &[u8]) {
    for d in &d[..usize::from(width.count)] {
        let (part, rest) = bytes.split_at(usize::from(width.bytes));
        let value = number(part);
        registers[usize::from(*d)] = if width.signed {
            extended(value, width.bytes)
        } else {
            value
        };
        bytes = rest;
    }
}

/// The bytes of registers, as they go to memory, at the beginning of the array.
#[inline]
pub(crate) fn packed(registers: &[u64], s: [Reg; 4], width: Width) -> [u8; 16] {
    let (mut all, size) = ([0; 16], usize::from(width.bytes));
    let mut left = &mut all[..];
    for s in &s[..usize::from(width.count)] {
        let (part, rest) = left.split_at_mut(size);
        part.copy_from_slice(&registers[usize::from(*s)].to_le_bytes()[..size]);
        left = rest;
    }
    all
}

/// The size of an access.
#[inline]
pub(crate) fn total(width: Width) -> usize {
    usize::from(width.bytes) * usize::from(width.count)
}

/// Where an address operand points.
#[inline]
pub(crate) fn address(registers: &[u64], at: Address) -> u64 {
    let base = registers[usize::from(at.base)];
    let base = if at.narrow {
        u64::from(base as u32)
    } else {
        base
    };
    let sum = base.wrapping_add(i64::from(at.offset) as u64);
    if at.narrow {
        u64::from(sum as u32)
    } else {
        sum
    }
}
