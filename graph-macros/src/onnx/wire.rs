//! Protocol Buffers, as far as the signature of a model needs them: the fields of a message in order, borrowed from the file. What isn't asked
//! for is skipped, so weights of gigabytes cost nothing. Every byte is hostile: a field that leaves the message is an error.

/// The fields of a message.
pub struct Fields<'a>(&'a [u8]);

/// A field's value.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    /// A number.
    Number(u64),
    /// A text, or a message.
    Bytes(&'a [u8]),
    /// A number of 32 or 64 bits, which no signature has.
    Fixed,
}

/// The bytes aren't a message.
#[derive(Debug, PartialEq)]
pub struct Damaged;

impl<'a> Fields<'a> {
    /// The fields of the message in these bytes.
    pub fn of(bytes: &'a [u8]) -> Fields<'a> {
        Fields(bytes)
    }

    fn take(&mut self, count: u64) -> Result<&'a [u8], Damaged> {
        let count = usize::try_from(count).map_err(|_| Damaged)?;
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    /// A number in groups of seven bits, the lowest first.
    fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    fn field(&mut self) -> Result<(u64, Value<'a>), Damaged> {
        let tag = self.number()?;
        let value = match tag & 7 {
            0 => Value::Number(self.number()?),
            1 => self.take(8).map(|_| Value::Fixed)?,
            2 => {
                let length = self.number()?;
                Value::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(|_| Value::Fixed)?,
            _ => return Err(Damaged),
        };
        Ok((tag >> 3, value))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Value<'a>), Damaged>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the format's own documentation.
    #[test]
    fn fields_are_found() {
        let mut fields = Fields::of(&[0x08, 0x96, 0x01, 0x12, 0x02, b'o', b'k', 0x1d, 1, 2, 3, 4]);
        let mut next = || fields.next().unwrap().unwrap();
        assert!(matches!(next(), (1, Value::Number(150))));
        assert!(matches!(next(), (2, Value::Bytes(b"ok"))));
        assert!(matches!(next(), (3, Value::Fixed)));
        assert!(fields.next().is_none());
    }

    #[test]
    fn what_leaves_the_message_is_damaged() {
        for bytes in [
            &[0x08][..],
            &[0x08, 0x80],
            &[0x12, 3, 1, 2],
            &[0x09, 1, 2],
            &[0x0b],
            &[0xff; 11],
            &[
                0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 1,
            ],
        ] {
            let mut fields = Fields::of(bytes);
            assert!(matches!(fields.next(), Some(Err(Damaged))), "{bytes:?}");
            assert!(fields.next().is_none());
        }
    }
}
