//! CRC-32C (Castagnoli), the checksum of TensorFlow's files.

/// A checksum of bytes that arrive in parts.
#[derive(Clone, Copy)]
pub(crate) struct Checksum(u32);

impl Checksum {
    /// The checksum of no bytes.
    pub fn new() -> Checksum {
        Checksum(0)
    }

    /// The checksum with these bytes at the end.
    #[must_use]
    pub fn with(self, bytes: &[u8]) -> Checksum {
        Checksum(crc32c::crc32c_append(self.0, bytes))
    }

    /// The checksum as files contain it: changed, so that it stays useful when the bytes contain checksums themselves.
    pub fn masked(self) -> u32 {
        self.0.rotate_right(15).wrapping_add(0xa282_ead8)
    }
}

/// The masked checksum of these bytes.
pub(crate) fn masked(bytes: &[u8]) -> u32 {
    Checksum::new().with(bytes).masked()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 3720, appendix B.4.
    #[test]
    fn checksums_are_those_of_the_standard() {
        let unmasked = |bytes: &[u8]| Checksum::new().with(bytes).0;
        assert_eq!(unmasked(&[0; 32]), 0x8a91_36aa);
        assert_eq!(unmasked(&[0xff; 32]), 0x62a8_ab43);
        assert_eq!(unmasked(&(0..32).collect::<Vec<u8>>()), 0x46dd_794e);
        assert_eq!(unmasked(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn parts_give_the_checksum_of_the_whole() {
        let bytes: Vec<u8> = (0..=255).collect();
        for cut in [0, 1, 7, 8, 9, 200, 256] {
            let (first, rest) = bytes.split_at(cut);
            assert_eq!(
                Checksum::new().with(first).with(rest).masked(),
                masked(&bytes)
            );
        }
    }
}
