//! Numbers of variable length: seven bits in each byte, the lowest first.

/// Appends a number.
pub(super) fn write(to: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        to.push(n as u8 | 0x80);
        n >>= 7;
    }
    to.push(n as u8);
}

/// Takes a number off the beginning; `None` if there is none of at most 64 bits.
pub(super) fn read(bytes: &mut &[u8]) -> Option<u64> {
    let mut n = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            return None;
        }
        n |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(n);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_longer_ones_are_refused() {
        for n in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            write(&mut bytes, n);
            let mut rest = bytes.as_slice();
            assert_eq!((read(&mut rest), rest), (Some(n), &[][..]));
        }
        assert_eq!(read(&mut [0xff; 11].as_slice()), None);
        assert_eq!(read(&mut [0x80].as_slice()), None);
    }
}
