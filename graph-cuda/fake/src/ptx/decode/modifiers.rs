//! The modifiers of an opcode, which a decoder takes one by one.

use crate::alu::round::Mode;
use crate::ptx::Type;

/// The parts of an opcode after its first, without those that were taken.
pub(super) struct Modifiers<'a> {
    left: Vec<&'a str>,
}

impl<'a> Modifiers<'a> {
    /// The first part of an opcode, and the others. Types come last.
    pub(super) fn split(opcode: &'a str) -> Result<(&'a str, Self), String> {
        let mut parts = opcode.split('.');
        let head = parts.next().unwrap_or("");
        let left: Vec<&str> = parts.collect();
        let from_type = left.iter().skip_while(|m| Type::of(m).is_none());
        match from_type.into_iter().find(|m| Type::of(m).is_none()) {
            Some(late) => Err(format!("`.{late}` must come before the type")),
            None => Ok((head, Self { left })),
        }
    }

    /// Whether it has this modifier, which is then taken.
    pub(super) fn take(&mut self, name: &str) -> bool {
        self.position(|m| m == name).is_some()
    }

    fn position(&mut self, is: impl Fn(&str) -> bool) -> Option<&'a str> {
        let at = self.left.iter().position(|m| is(m))?;
        Some(self.left.remove(at))
    }

    /// The first of the modifiers for which `of` has a value.
    pub(super) fn take_map<T>(&mut self, of: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (at, found) = self
            .left
            .iter()
            .enumerate()
            .find_map(|(i, m)| Some((i, of(m)?)))?;
        self.left.remove(at);
        Some(found)
    }

    /// The next type.
    pub(super) fn of(&mut self) -> Result<Type, String> {
        self.take_map(Type::of)
            .ok_or_else(|| "a type is missing".to_owned())
    }

    pub(super) fn has_float(&self) -> bool {
        self.left
            .iter()
            .any(|m| Type::of(m).is_some_and(Type::is_float))
    }

    /// The direction of rounding, if one is given.
    pub(super) fn rounding(&mut self) -> Option<Mode> {
        self.take_map(|m| match m {
            "rn" => Some(Mode::Nearest),
            "rz" => Some(Mode::Zero),
            "rm" => Some(Mode::Down),
            "rp" => Some(Mode::Up),
            _ => None,
        })
    }

    /// The direction of rounding to an integer, if one is given.
    pub(super) fn integer_rounding(&mut self) -> Option<Mode> {
        self.take_map(|m| match m {
            "rni" => Some(Mode::Nearest),
            "rzi" => Some(Mode::Zero),
            "rmi" => Some(Mode::Down),
            "rpi" => Some(Mode::Up),
            _ => None,
        })
    }

    /// An error if any is left.
    pub(super) fn finish(self) -> Result<(), String> {
        match self.left.first() {
            None => Ok(()),
            Some(m) => Err(format!("the modifier `.{m}` isn't known here")),
        }
    }
}
