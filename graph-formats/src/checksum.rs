//! CRC-32C (Castagnoli), the checksum of TensorFlow's files.

/// Eight tables, so that eight bytes are taken at a time.
const TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ (0x82f6_3b78 * (crc & 1));
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[table - 1][byte];
            tables[table][byte] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

/// A checksum of bytes that arrive in parts.
#[derive(Clone, Copy)]
pub(crate) struct Checksum(u32);

impl Checksum {
    /// The checksum of no bytes.
    pub fn new() -> Checksum {
        Checksum(!0)
    }

    /// The checksum with these bytes at the end.
    #[must_use]
    pub fn with(self, bytes: &[u8]) -> Checksum {
        let look_up = |table: usize, byte: u32| TABLES[table][(byte & 0xff) as usize];
        let mut crc = self.0;
        let (chunks, rest) = bytes.as_chunks::<8>();
        for [a, b, c, d, e, f, g, h] in chunks {
            let first = crc ^ u32::from_le_bytes([*a, *b, *c, *d]);
            let second = u32::from_le_bytes([*e, *f, *g, *h]);
            crc = (0..4).fold(0, |crc, i| {
                crc ^ look_up(7 - i, first >> (8 * i)) ^ look_up(3 - i, second >> (8 * i))
            });
        }
        let crc = rest.iter().fold(crc, |crc, byte| {
            look_up(0, crc ^ u32::from(*byte)) ^ (crc >> 8)
        });
        Checksum(crc)
    }

    /// The checksum as files contain it: changed, so that it stays useful when the bytes contain checksums themselves.
    pub fn masked(self) -> u32 {
        (!self.0).rotate_right(15).wrapping_add(0xa282_ead8)
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
        let unmasked = |bytes: &[u8]| !Checksum::new().with(bytes).0;
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
