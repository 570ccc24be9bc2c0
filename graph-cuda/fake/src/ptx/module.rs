//! The outermost level of a text: versions, tables, shared variables and functions.

use super::cursor::Cursor;
use super::declare::{aligned, variable};
use super::function::{Header, header};
use super::names::Name;
use super::token::Token;
use super::{Body, LoadError};
use crate::code::{Program, Table};
use std::collections::HashMap;

/// The function that kernels call to set the condition of a graph node. The driver provides it.
pub(crate) const SET_CONDITIONAL: &str = "cudaGraphSetConditional";

/// A text as decoded functions.
pub(crate) fn parse(text: &str) -> Result<Program, LoadError> {
    let mut reader = Reader {
        c: Cursor::new(text)?,
        program: Program::default(),
        symbols: Symbols::default(),
    };
    while !reader.c.is_done() {
        reader.item()?;
    }
    reader.finish()
}

/// The names that functions see: the module's variables and functions.
#[derive(Default)]
pub(crate) struct Symbols {
    pub variables: HashMap<String, Name>,
    pub functions: Vec<Header>,
    /// For each of `functions`, its number in the program, once it has a body.
    pub bodies: Vec<Option<usize>>,
    pub shared_bytes: u32,
}

struct Reader<'a> {
    c: Cursor<'a>,
    program: Program,
    symbols: Symbols,
}

impl Reader<'_> {
    fn item(&mut self) -> Result<(), LoadError> {
        let mut external = false;
        loop {
            let word = self.c.word()?;
            match word.as_str() {
                ".version" | ".address_size" | ".target" => self.fact(&word)?,
                ".file" | ".loc" => self.c.skip_line(),
                ".visible" | ".weak" | ".common" => continue,
                ".extern" => {
                    external = true;
                    continue;
                }
                ".global" | ".const" => self.table(word == ".const")?,
                ".shared" => self.shared(external)?,
                ".entry" | ".func" => self.function(word == ".entry", external)?,
                ".pragma" => {
                    self.c.next()?;
                    self.c.mark(';')?;
                }
                _ => return Err(self.c.error(format!("`{word}` isn't known here"))),
            }
            return Ok(());
        }
    }

    /// What the text says of itself before its first function.
    fn fact(&mut self, word: &str) -> Result<(), LoadError> {
        let value = match self.c.next()? {
            Token::Number(n) | Token::Word(n) => n,
            _ => return Err(self.c.error(format!("`{word}` needs a value"))),
        };
        let digits = |text: &str| {
            text.trim_end_matches('a')
                .trim_end_matches('f')
                .parse::<u32>()
                .ok()
        };
        let known = match word {
            ".version" => value
                .split_once('.')
                .and_then(|(major, minor)| Some(digits(major)? * 10 + digits(minor)?))
                .map(|v| self.program.version = v),
            ".target" => value
                .strip_prefix("sm_")
                .and_then(digits)
                .map(|t| self.program.target = t),
            _ => (value == "64").then_some(()),
        };
        known.ok_or_else(|| self.c.error(format!("`{word} {value}` isn't known")))
    }

    fn table(&mut self, constant: bool) -> Result<(), LoadError> {
        let v = variable(&mut self.c)?;
        self.c.mark(';')?;
        if v.open {
            return Err(self.c.error("a table needs a size"));
        }
        let bytes = v.initial.unwrap_or_else(|| vec![0; v.bytes as usize]);
        let number = self.program.tables.len();
        self.declare(&v.name, Name::Table(number))?;
        self.program.tables.push(Table {
            name: v.name,
            bytes,
            constant,
        });
        Ok(())
    }

    fn shared(&mut self, external: bool) -> Result<(), LoadError> {
        let v = variable(&mut self.c)?;
        self.c.mark(';')?;
        if v.open {
            if !external {
                return Err(self
                    .c
                    .error("shared memory without a size must be external"));
            }
            return self.declare(&v.name, Name::DynamicShared);
        }
        if self
            .program
            .functions
            .iter()
            .any(|f| f.shared_bytes > self.symbols.shared_bytes)
        {
            return Err(self.c.error(
                "shared variables of the module must stand before functions that have their own",
            ));
        }
        let offset = aligned(self.symbols.shared_bytes, v.align);
        self.symbols.shared_bytes = offset + v.bytes;
        self.declare(&v.name, Name::Shared { offset })
    }

    fn declare(&mut self, name: &str, what: Name) -> Result<(), LoadError> {
        match self.symbols.variables.insert(name.to_owned(), what) {
            None => Ok(()),
            Some(_) => Err(self.c.error(format!("`{name}` is declared twice"))),
        }
    }

    fn function(&mut self, entry: bool, external: bool) -> Result<(), LoadError> {
        let header = header(&mut self.c, entry)?;
        let number = self.announce(header)?;
        if self.c.skip_mark(';') {
            return Ok(());
        }
        if external {
            return Err(self.c.error("an external function has no body"));
        }
        if self.symbols.bodies[number].is_some() {
            return Err(self.c.error(format!(
                "`{}` is defined twice",
                self.symbols.functions[number].name
            )));
        }
        self.c.mark('{')?;
        let body = Body::new(&self.symbols, number);
        let function = body.read(&mut self.c)?;
        self.symbols.bodies[number] = Some(self.program.functions.len());
        self.program.functions.push(function);
        Ok(())
    }

    /// The number of a function that may have been declared before.
    fn announce(&mut self, header: Header) -> Result<usize, LoadError> {
        if let Some(known) = self
            .symbols
            .functions
            .iter()
            .position(|f| f.name == header.name)
        {
            if !self.symbols.functions[known].same_types(&header) {
                return Err(self.c.error(format!(
                    "`{}` was declared with other parameters",
                    header.name
                )));
            }
            self.symbols.functions[known] = header;
            return Ok(known);
        }
        self.symbols.functions.push(header);
        self.symbols.bodies.push(None);
        Ok(self.symbols.functions.len() - 1)
    }

    /// Replaces the numbers of called functions in the symbol table by those in the program.
    fn finish(mut self) -> Result<Program, LoadError> {
        if self.program.version == 0 || self.program.target == 0 {
            return Err(LoadError {
                line: 1,
                message: "`.version` or `.target` is missing".to_owned(),
            });
        }
        for function in &mut self.program.functions {
            for site in &mut function.calls {
                let Some(body) = self.symbols.bodies[site.callee] else {
                    let name = &self.symbols.functions[site.callee].name;
                    return Err(LoadError {
                        line: 0,
                        message: format!("`{name}` is called but has no body"),
                    });
                };
                site.callee = body;
            }
        }
        spread_waiting(&mut self.program);
        Ok(self.program)
    }
}

/// Marks the functions that call one that waits.
fn spread_waiting(program: &mut Program) {
    loop {
        let waits: Vec<bool> = program.functions.iter().map(|f| f.waits).collect();
        let mut changed = false;
        for f in &mut program.functions {
            if !f.waits && f.calls.iter().any(|site| waits[site.callee]) {
                f.waits = true;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// Whether a word is a directive.
pub(crate) fn is_directive(token: Option<&Token>) -> bool {
    matches!(token, Some(Token::Word(w)) if w.starts_with('.'))
}
