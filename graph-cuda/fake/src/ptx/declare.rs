//! Declarations of variables: `.shared .align 4 .b8 name[64]`, `.param .u64 name`, tables with initializers.

use super::cursor::Cursor;
use super::literal::Literal;
use super::operand::literal;
use super::token::Token;
use super::{LoadError, Type};

/// A declared variable.
pub(crate) struct Variable {
    pub name: String,
    pub align: u32,
    pub bytes: u32,
    /// Whether it is an array without a size, as dynamic shared memory is.
    pub open: bool,
    /// The initial contents, if there are any.
    pub initial: Option<Vec<u8>>,
}

/// The variable after its state space: alignment, type, name, sizes and initializer.
pub(crate) fn variable(c: &mut Cursor<'_>) -> Result<Variable, LoadError> {
    let (of, lanes, align) = variable_type(c)?;
    let name = c.word()?;
    let (count, open) = sizes(c)?;
    let element = of.bytes() * lanes;
    let bytes = element
        .checked_mul(count)
        .ok_or_else(|| c.error("the variable is too large"))?;
    let initial = if c.skip_mark('=') {
        Some(initializer(c, of, bytes)?)
    } else {
        None
    };
    Ok(Variable {
        name,
        align: align.unwrap_or(element),
        bytes,
        open,
        initial,
    })
}

fn variable_type(c: &mut Cursor<'_>) -> Result<(Type, u32, Option<u32>), LoadError> {
    let (mut align, mut lanes) = (None, 1);
    loop {
        let word = c.word()?;
        match word.as_str() {
            ".align" => {
                let n = c.integer()?;
                if !n.is_power_of_two() || n > 128 {
                    return Err(c.error(format!("an alignment of {n}")));
                }
                align = Some(n);
            }
            ".v2" => lanes = 2,
            ".v4" => lanes = 4,
            _ => {
                let of = word
                    .strip_prefix('.')
                    .and_then(Type::of)
                    .ok_or_else(|| c.error(format!("`{word}` isn't a type")))?;
                pointer_facts(c)?;
                return Ok((of, lanes, align));
            }
        }
    }
}

/// What `.param .u64 .ptr .global .align 16` says of a pointer: nothing here depends on it.
fn pointer_facts(c: &mut Cursor<'_>) -> Result<(), LoadError> {
    if c.skip_word(".ptr") {
        let _ = [".global", ".shared", ".local", ".const"]
            .iter()
            .any(|space| c.skip_word(space));
        if c.skip_word(".align") {
            c.integer()?;
        }
    }
    Ok(())
}

/// The product of the sizes in brackets, and whether there are brackets without a size.
fn sizes(c: &mut Cursor<'_>) -> Result<(u32, bool), LoadError> {
    let (mut count, mut open) = (1u32, false);
    while c.skip_mark('[') {
        if c.skip_mark(']') {
            (count, open) = (0, true);
            continue;
        }
        let n = c.integer()?;
        count = count
            .checked_mul(n)
            .ok_or_else(|| c.error("the variable is too large"))?;
        c.mark(']')?;
    }
    Ok((count, open))
}

/// The bytes of an initializer; what it doesn't name is zero.
fn initializer(c: &mut Cursor<'_>, of: Type, bytes: u32) -> Result<Vec<u8>, LoadError> {
    let mut found = vec![];
    let mut depth = 0;
    loop {
        match c.peek() {
            Some(Token::Mark('{')) => {
                c.mark('{')?;
                depth += 1;
            }
            Some(Token::Mark('}')) if depth > 0 => {
                c.mark('}')?;
                depth -= 1;
            }
            Some(Token::Mark(',')) if depth > 0 => c.mark(',')?,
            _ => {
                let bits = element(literal(c)?, of)
                    .ok_or_else(|| c.error("the initializer has another type"))?;
                found.extend_from_slice(&bits.to_le_bytes()[..of.bytes() as usize]);
            }
        }
        if depth == 0 {
            break;
        }
    }
    if found.len() > bytes as usize {
        return Err(c.error("the initializer is longer than the variable"));
    }
    found.resize(bytes as usize, 0);
    Ok(found)
}

fn element(value: Literal, of: Type) -> Option<u64> {
    value.bits(of)
}

/// The next multiple of `align` from `at`.
pub(crate) fn aligned(at: u32, align: u32) -> u32 {
    at.next_multiple_of(align.max(1))
}
