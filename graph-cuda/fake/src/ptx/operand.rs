//! The operands of an instruction, as they are written.

use super::LoadError;
use super::cursor::Cursor;
use super::literal::Literal;
use super::token::Token;

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    /// A register, a special register, a variable, a label or a function.
    Name(String),
    Literal(Literal),
    /// `[base + offset]`
    Address(AddressBase, i64),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `(a, b)`
    List(Vec<Operand>),
    /// `p|q`: the two destinations of one instruction.
    Pair(String, String),
    /// `!p`
    Not(String),
}

/// What an address begins with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AddressBase {
    Name(String),
    Number(u64),
}

/// The operands up to the `;`, which is skipped.
pub(crate) fn operands(c: &mut Cursor<'_>) -> Result<Vec<Operand>, LoadError> {
    let mut found = vec![];
    while !c.skip_mark(';') {
        if !found.is_empty() {
            c.mark(',')?;
        }
        found.push(operand(c)?);
    }
    Ok(found)
}

fn operand(c: &mut Cursor<'_>) -> Result<Operand, LoadError> {
    match c.peek() {
        Some(Token::Mark('[')) => address(c),
        Some(Token::Mark('{')) => listed(c, '{', '}').map(Operand::Vector),
        Some(Token::Mark('(')) => listed(c, '(', ')').map(Operand::List),
        Some(Token::Mark('!')) => {
            c.mark('!')?;
            Ok(Operand::Not(c.word()?))
        }
        Some(Token::Word(_)) => {
            let name = c.word()?;
            if c.skip_mark('|') {
                Ok(Operand::Pair(name, c.word()?))
            } else {
                Ok(Operand::Name(name))
            }
        }
        _ => literal(c).map(Operand::Literal),
    }
}

fn listed(c: &mut Cursor<'_>, open: char, close: char) -> Result<Vec<Operand>, LoadError> {
    c.mark(open)?;
    let mut found = vec![];
    while !c.skip_mark(close) {
        if !found.is_empty() {
            c.mark(',')?;
        }
        found.push(operand(c)?);
    }
    Ok(found)
}

/// A literal with its sign.
pub(crate) fn literal(c: &mut Cursor<'_>) -> Result<Literal, LoadError> {
    let negative = c.skip_mark('-');
    let found = match c.peek() {
        Some(Token::Number(n)) => Literal::of(n),
        _ => None,
    };
    let found = found.ok_or_else(|| c.unexpected("an operand"))?;
    c.next()?;
    Ok(if negative { found.negated() } else { found })
}

fn address(c: &mut Cursor<'_>) -> Result<Operand, LoadError> {
    c.mark('[')?;
    let base = match c.peek() {
        Some(Token::Word(_)) => AddressBase::Name(c.word()?),
        _ => AddressBase::Number(offset(c)? as u64),
    };
    let signed = matches!(base, AddressBase::Name(_)) && c.skip_mark('+');
    let total = if signed { offset(c)? } else { 0 };
    c.mark(']')?;
    Ok(Operand::Address(base, total))
}

fn offset(c: &mut Cursor<'_>) -> Result<i64, LoadError> {
    match literal(c)? {
        Literal::Integer(v) => Ok(v as i64),
        _ => Err(c.error("an offset must be an integer")),
    }
}
