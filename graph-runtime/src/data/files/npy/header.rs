//! The header of an npy file: the magic number, the version of the format, the length of what follows, and a Python dictionary: `{'descr':
//! '<f4', 'fortran_order': False, 'shape': (2, 3), }`. Exactly these three keys are allowed, in any order, with values of these forms. The
//! header is read once from front to back, and nothing is allocated by what it claims.

use super::Fault;

/// The first bytes of the file. The two bytes of the version follow.
const MAGIC: &[u8] = b"\x93NUMPY";
/// The most axes that an array has; NumPy's own limit.
const MAX_AXES: usize = 64;

/// The content of a header.
pub(super) struct Header<'a> {
    /// The type of the values, as NumPy writes it: `<f4`.
    pub(super) descriptor: &'a [u8],
    /// Whether the first axis varies fastest, not the last one.
    pub(super) is_fortran_order: bool,
    pub(super) shape: Vec<usize>,
    /// The offset of the dictionary.
    pub(super) begin: usize,
    /// The offset of the values.
    pub(super) end: usize,
}

impl<'a> Header<'a> {
    /// Reads the header of a file with these bytes.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Header<'a>, Fault> {
        let (begin, end) = place(bytes)?;
        let mut reader = Reader {
            bytes: &bytes[..end],
            at: begin,
        };
        let (mut descriptor, mut order, mut shape) = (None, None, None);
        reader.sign(b'{')?;
        while !reader.takes(b'}') {
            let at = reader.at;
            let key = reader.text()?;
            reader.sign(b':')?;
            let is_second = match key {
                b"descr" => descriptor.replace(reader.descriptor()?).is_some(),
                b"fortran_order" => order.replace(reader.truth()?).is_some(),
                b"shape" => shape.replace(reader.shape()?).is_some(),
                _ => return Err(wrong(at, &format!("unknown key {}", shown(key)))),
            };
            if is_second {
                return Err(wrong(at, &format!("{} is there twice", shown(key))));
            }
            if !reader.takes(b',') {
                reader.sign(b'}')?;
                break;
            }
        }
        reader.nothing_more()?;
        let missing = |key: &str| wrong(begin, &format!("'{key}' is missing"));
        Ok(Header {
            descriptor: descriptor.ok_or_else(|| missing("descr"))?,
            is_fortran_order: order.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
            begin,
            end,
        })
    }
}

/// The offsets of the dictionary and of its end in the file.
fn place(bytes: &[u8]) -> Result<(usize, usize), Fault> {
    if !bytes.starts_with(MAGIC) {
        return Err(Fault::new(0, "an npy file starts with 93 and NUMPY"));
    }
    let short = || Fault::new(bytes.len(), "the file ends in its header");
    let begin: usize = match bytes.get(6).ok_or_else(short)? {
        1 => 10,
        2 | 3 => 12,
        version => {
            let message = format!("version {version} of the format isn't known");
            return Err(Fault::new(6, message));
        }
    };
    let length = bytes.get(8..begin).ok_or_else(short)?;
    let length = length
        .iter()
        .rev()
        .fold(0, |n, byte| n << 8 | usize::from(*byte));
    let end = begin.checked_add(length).filter(|end| *end <= bytes.len());
    Ok((begin, end.ok_or_else(short)?))
}

/// An error in the header, with its offset.
fn wrong(at: usize, what: &str) -> Fault {
    Fault::new(at, format!("the header is no npy header: {what}"))
}

/// A piece of the file as text for a message: any bytes become one short line.
pub(super) fn shown(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    match text.get(..LONGEST) {
        Some(start) => format!("'{}…'", start.escape_ascii()),
        None => format!("'{}'", text.escape_ascii()),
    }
}

/// Reads the bytes of the file up to the end of the header.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Skips spaces and gives the next byte without taking it.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    /// Takes `sign` if it comes next, and says whether it did.
    fn takes(&mut self, sign: u8) -> bool {
        let is_next = self.peek() == Some(sign);
        self.at += usize::from(is_next);
        is_next
    }

    /// Takes `sign`; an error if something else comes next.
    fn sign(&mut self, sign: u8) -> Result<(), Fault> {
        if self.takes(sign) {
            return Ok(());
        }
        Err(self.expected(&format!("`{}`", char::from(sign))))
    }

    /// The error that `what` was expected here.
    fn expected(&mut self, what: &str) -> Fault {
        let found = match self.peek() {
            Some(byte) => format!("`{}`", byte.escape_ascii()),
            None => "the end".to_owned(),
        };
        wrong(self.at, &format!("expected {what}, found {found}"))
    }

    /// A string in either kind of quotes. Escaped characters aren't supported: no string in a header needs one.
    fn text(&mut self) -> Result<&'a [u8], Fault> {
        let quote = match self.peek() {
            Some(quote @ (b'\'' | b'"')) => quote,
            _ => return Err(self.expected("a text in quotes")),
        };
        let begin = self.at + 1;
        let rest = &self.bytes[begin..];
        let is_end = |byte: &u8| [quote, b'\\', b'\n'].contains(byte);
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        self.at = begin + length;
        if rest.get(length) != Some(&quote) {
            return Err(wrong(self.at, "a text has no end"));
        }
        self.at += 1;
        Ok(&rest[..length])
    }

    /// The type of the values.
    fn descriptor(&mut self) -> Result<&'a [u8], Fault> {
        match self.peek() {
            Some(b'[' | b'(') => Err(Fault::new(
                self.at,
                "the values are records, which aren't read",
            )),
            _ => self.text(),
        }
    }

    /// `True` or `False`.
    fn truth(&mut self) -> Result<bool, Fault> {
        self.peek();
        for (word, truth) in [("True", true), ("False", false)] {
            if self.bytes[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(truth);
            }
        }
        Err(self.expected("`True` or `False`"))
    }

    /// A tuple of sizes: `()`, `(3,)`, `(2, 3)`.
    fn shape(&mut self) -> Result<Vec<usize>, Fault> {
        self.sign(b'(')?;
        let mut sizes = Vec::new();
        while !self.takes(b')') {
            if sizes.len() == MAX_AXES {
                let message = format!("the shape has more than {MAX_AXES} axes");
                return Err(wrong(self.at, &message));
            }
            sizes.push(self.size()?);
            // A single size in parentheses without a comma is no tuple in Python.
            if sizes.len() == 1 {
                self.sign(b',')?;
            } else if !self.takes(b',') {
                self.sign(b')')?;
                break;
            }
        }
        Ok(sizes)
    }

    /// The size of an axis.
    fn size(&mut self) -> Result<usize, Fault> {
        let Some(b'0'..=b'9') = self.peek() else {
            return Err(self.expected("a size"));
        };
        let (begin, mut size) = (self.at, Some(0usize));
        while let Some(digit @ b'0'..=b'9') = self.bytes.get(self.at) {
            let digit = usize::from(digit - b'0');
            size = size.and_then(|size| size.checked_mul(10)?.checked_add(digit));
            self.at += 1;
        }
        // Python 2 wrote an `L` after long integers.
        if self.bytes.get(self.at) == Some(&b'L') {
            self.at += 1;
        }
        size.ok_or_else(|| wrong(begin, "a size overflows"))
    }

    /// Checks that only the spaces that pad the header follow the dictionary.
    fn nothing_more(&mut self) -> Result<(), Fault> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.expected("nothing")),
        }
    }
}
