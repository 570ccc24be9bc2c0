//! The header of a function: its name, results, parameters and limits.

use super::LoadError;
use super::cursor::Cursor;
use super::declare::{aligned, variable};
use crate::code::Slice;

/// A function without its body.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub name: String,
    pub entry: bool,
    pub results: Vec<(String, Slice)>,
    pub parameters: Vec<(String, Slice)>,
    pub bytes: u32,
    pub most_threads: Option<u32>,
    pub only_block: Option<[u32; 3]>,
}

impl Header {
    pub(crate) fn same_types(&self, other: &Self) -> bool {
        let sizes = |list: &[(String, Slice)]| list.iter().map(|(_, s)| *s).collect::<Vec<_>>();
        self.entry == other.entry
            && sizes(&self.results) == sizes(&other.results)
            && sizes(&self.parameters) == sizes(&other.parameters)
    }
}

/// The header after `.entry` or `.func`.
pub(crate) fn header(c: &mut Cursor<'_>, entry: bool) -> Result<Header, LoadError> {
    let mut bytes = 0;
    let results = if !entry {
        parameters(c, &mut bytes)?
    } else {
        vec![]
    };
    let name = c.word()?;
    let parameters = parameters(c, &mut bytes)?;
    let mut header = Header {
        name,
        entry,
        results,
        parameters,
        bytes,
        most_threads: None,
        only_block: None,
    };
    limits(c, &mut header)?;
    Ok(header)
}

/// The parameters in parentheses, if there are any.
fn parameters(c: &mut Cursor<'_>, bytes: &mut u32) -> Result<Vec<(String, Slice)>, LoadError> {
    let mut found = vec![];
    if !c.skip_mark('(') {
        return Ok(found);
    }
    while !c.skip_mark(')') {
        if !found.is_empty() {
            c.mark(',')?;
        }
        if !c.skip_word(".param") {
            return Err(c.unexpected("`.param`"));
        }
        let v = variable(c)?;
        let offset = aligned(*bytes, v.align);
        *bytes = offset + v.bytes;
        found.push((
            v.name,
            Slice {
                offset,
                bytes: v.bytes,
            },
        ));
    }
    Ok(found)
}

/// What a header says of the blocks it may be launched with.
fn limits(c: &mut Cursor<'_>, header: &mut Header) -> Result<(), LoadError> {
    loop {
        if c.skip_word(".maxntid") {
            header.most_threads = Some(triple(c)?.iter().product());
        } else if c.skip_word(".reqntid") {
            header.only_block = Some(triple(c)?);
        } else if c.skip_word(".minnctapersm")
            || c.skip_word(".maxnctapersm")
            || c.skip_word(".maxnreg")
        {
            c.integer()?;
        } else if !c.skip_word(".noreturn") {
            return Ok(());
        }
    }
}

fn triple(c: &mut Cursor<'_>) -> Result<[u32; 3], LoadError> {
    let mut sizes = [c.integer()?, 1, 1];
    for size in &mut sizes[1..] {
        if c.skip_mark(',') {
            *size = c.integer()?;
        }
    }
    Ok(sizes)
}
