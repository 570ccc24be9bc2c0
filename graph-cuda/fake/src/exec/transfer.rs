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
pub(crate) fn unpack(registers: &mut [u64], d: [Reg; 4], width: Width, bytes: &[u8]) {
    for (d, part) in d.iter().zip(bytes.chunks_exact(usize::from(width.bytes))) {
        let value = number(part);
        registers[usize::from(*d)] = if width.signed {
            extended(value, width.bytes)
        } else {
            value
        };
    }
}

/// The bytes of registers, as they go to memory; the first `total(width)` of the array.
#[inline]
pub(crate) fn packed(registers: &[u64], s: [Reg; 4], width: Width) -> [u8; 16] {
    let mut all = [0; 16];
    let size = usize::from(width.bytes);
    for (s, part) in s
        .iter()
        .zip(all.chunks_exact_mut(size))
        .take(usize::from(width.count))
    {
        part.copy_from_slice(&registers[usize::from(*s)].to_le_bytes()[..size]);
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
