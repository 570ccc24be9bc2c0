//! The body of a function: declarations, labels and instructions, and what decoders ask of it.

use super::cursor::Cursor;
use super::declare::{Variable, aligned, variable};
use super::decode;
use super::module::{SET_CONDITIONAL, Symbols, is_directive};
use super::names::{Name, Names};
use super::operand::{Operand, operands};
use super::resolve::is_special;
use super::token::Token;
use super::{LoadError, Type};
use crate::code::{CallSite, Function, Guarded, Inst, Reg, Slice, Source, Special, UNGUARDED};
use std::collections::HashMap;

/// What a register contains before it is written.
const POISON: u64 = u64::MAX;

/// A function while its body is read.
pub(crate) struct Body<'a> {
    pub(super) symbols: &'a Symbols,
    pub(super) names: Names,
    pub(super) function: Function,
    pub(super) constants: HashMap<u64, Reg>,
    pub(super) specials: HashMap<Special, Reg>,
    pub(super) tables: HashMap<usize, Reg>,
    sink: Option<Reg>,
    /// Branches: the step, the block in which it stands, and the label.
    branches: Vec<(usize, usize, String)>,
    guard: (Reg, bool),
    source: Source,
}

impl<'a> Body<'a> {
    pub(super) fn new(symbols: &'a Symbols, number: usize) -> Self {
        let header = &symbols.functions[number];
        let slices = |list: &[(String, Slice)]| list.iter().map(|(_, s)| *s).collect();
        let function = Function {
            name: header.name.clone(),
            entry: header.entry,
            results: slices(&header.results),
            parameters: slices(&header.parameters),
            parameter_bytes: header.bytes,
            shared_bytes: symbols.shared_bytes,
            most_threads: header.most_threads,
            only_block: header.only_block,
            ..Function::default()
        };
        let mut names = Names::new();
        for (name, slice) in header.results.iter().chain(&header.parameters) {
            names.declare(name, Name::Parameter(*slice));
        }
        Self {
            symbols,
            names,
            function,
            constants: HashMap::new(),
            specials: HashMap::new(),
            tables: HashMap::new(),
            sink: None,
            branches: vec![],
            guard: (UNGUARDED, false),
            source: Source {
                line: 0,
                text: String::new(),
            },
        }
    }

    /// Reads the body after its `{`.
    pub(super) fn read(mut self, c: &mut Cursor<'_>) -> Result<Function, LoadError> {
        loop {
            match c.peek() {
                Some(Token::Mark('{')) => {
                    c.mark('{')?;
                    self.names.enter();
                }
                Some(Token::Mark('}')) => {
                    c.mark('}')?;
                    if !self.names.leave() {
                        break;
                    }
                }
                token if is_directive(token) => self.directive(c)?,
                Some(Token::Word(_)) if c.peek_second() == Some(&Token::Mark(':')) => {
                    self.label(c)?
                }
                _ => self.instruction(c)?,
            }
        }
        self.finish(c)
    }

    fn finish(mut self, c: &Cursor<'_>) -> Result<Function, LoadError> {
        self.source = Source {
            line: c.line(),
            text: "the end of the function".to_owned(),
        };
        self.guard = (UNGUARDED, false);
        self.push(Inst::Return);
        for (step, block, label) in std::mem::take(&mut self.branches) {
            let line = self.function.source[step].line;
            let target = self.names.target(block, &label);
            let target = target.ok_or_else(|| LoadError {
                line,
                message: format!("there is no label `{label}` here"),
            })?;
            self.function.code[step].inst = Inst::Branch { target };
        }
        Ok(self.function)
    }

    fn label(&mut self, c: &mut Cursor<'_>) -> Result<(), LoadError> {
        let name = c.word()?;
        c.mark(':')?;
        let at = self.function.code.len() as u32;
        if self.names.label(&name, at) {
            Ok(())
        } else {
            Err(c.error(format!("the label `{name}` is set twice")))
        }
    }

    fn directive(&mut self, c: &mut Cursor<'_>) -> Result<(), LoadError> {
        let word = c.word()?;
        match word.as_str() {
            ".reg" => self.registers(c),
            ".local" | ".shared" | ".param" => {
                let v = variable(c)?;
                c.mark(';')?;
                self.variable(&word, &v).map_err(|m| c.error(m))
            }
            ".pragma" => {
                c.next()?;
                c.mark(';')
            }
            ".loc" => {
                c.skip_line();
                Ok(())
            }
            _ => Err(c.error(format!("`{word}` isn't known here"))),
        }
    }

    fn registers(&mut self, c: &mut Cursor<'_>) -> Result<(), LoadError> {
        let word = c.word()?;
        let of = word
            .strip_prefix('.')
            .and_then(Type::of)
            .ok_or_else(|| c.error(format!("`{word}` isn't a type")))?;
        loop {
            let name = c.word()?;
            if is_special(&name) {
                return Err(c.error(format!("`{name}` is the name of a special register")));
            }
            if c.skip_mark('<') {
                let count = c.integer()?;
                c.mark('>')?;
                let first = self.new_registers(count).map_err(|m| c.error(m))?;
                self.names.declare_range(&name, count, first, of);
            } else {
                let register = self.new_registers(1).map_err(|m| c.error(m))?;
                if !self.names.declare(&name, Name::Register(register, of)) {
                    return Err(c.error(format!("`{name}` is declared twice")));
                }
            }
            if c.skip_mark(';') {
                return Ok(());
            }
            c.mark(',')?;
        }
    }

    /// The first of `count` new registers.
    pub(super) fn new_registers(&mut self, count: u32) -> Result<Reg, String> {
        let first = self.function.registers.len();
        if first + count as usize >= usize::from(UNGUARDED) {
            return Err("the function has too many registers".to_owned());
        }
        self.function
            .registers
            .resize(first + count as usize, POISON);
        Ok(first as Reg)
    }

    fn variable(&mut self, space: &str, v: &Variable) -> Result<(), String> {
        if v.open || v.initial.is_some() {
            return Err(format!(
                "`{}` can't be declared like this in a function",
                v.name
            ));
        }
        let f = &mut self.function;
        let end = match space {
            ".local" => &mut f.local_bytes,
            ".param" => &mut f.parameter_bytes,
            _ if f.entry => &mut f.shared_bytes,
            _ => return Err(
                "shared variables of a function that isn't a kernel must be declared outside of it"
                    .to_owned(),
            ),
        };
        let offset = aligned(*end, v.align);
        *end = offset + v.bytes;
        let name = match space {
            ".local" => Name::Local { offset },
            ".param" => Name::Parameter(Slice {
                offset,
                bytes: v.bytes,
            }),
            _ => Name::Shared { offset },
        };
        if self.names.declare(&v.name, name) {
            Ok(())
        } else {
            Err(format!("`{}` is declared twice", v.name))
        }
    }

    fn instruction(&mut self, c: &mut Cursor<'_>) -> Result<(), LoadError> {
        self.source = Source {
            line: c.line(),
            text: c.statement_text(),
        };
        let line = self.source.line;
        let text = self.source.text.clone();
        let located = |m: String| LoadError {
            line,
            message: format!("{m}, in `{text}`"),
        };
        self.guard = (UNGUARDED, false);
        if c.skip_mark('@') {
            let negated = c.skip_mark('!');
            let name = c.word()?;
            let register = self
                .source(&Operand::Name(name), Type::PRED)
                .map_err(located)?;
            self.guard = (register, negated);
        }
        let opcode = c.word()?;
        let operands = operands(c).map_err(|e| located(e.message))?;
        let inst = decode::instruction(self, &opcode, &operands).map_err(located)?;
        self.push(inst);
        Ok(())
    }

    /// Adds a step with the guard of the instruction that is read. Decoders use it for what comes before their instruction.
    pub(crate) fn push(&mut self, inst: Inst) {
        if matches!(inst, Inst::Barrier { .. } | Inst::Collective { .. }) {
            self.function.waits = true;
        }
        let (guard, negated) = self.guard;
        self.function.code.push(Guarded {
            guard,
            negated,
            inst,
        });
        self.function.source.push(self.source.clone());
    }

    /// A branch, whose target is found at the end of the body.
    pub(crate) fn branch(&mut self, label: &str) -> Inst {
        self.branches.push((
            self.function.code.len(),
            self.names.open_block(),
            label.to_owned(),
        ));
        Inst::Branch { target: u32::MAX }
    }

    /// A register that nobody reads.
    pub(crate) fn sink(&mut self) -> Result<Reg, String> {
        if let Some(sink) = self.sink {
            return Ok(sink);
        }
        let sink = self.new_registers(1)?;
        self.sink = Some(sink);
        Ok(sink)
    }

    /// A new register for a value between two steps.
    pub(crate) fn temporary(&mut self) -> Result<Reg, String> {
        self.new_registers(1)
    }

    /// A call of a function with these results and arguments.
    pub(crate) fn call(
        &mut self,
        name: &str,
        results: &[Operand],
        arguments: &[Operand],
    ) -> Result<Inst, String> {
        let number = self.symbols.functions.iter().position(|f| f.name == name);
        let number = number.ok_or_else(|| format!("there is no function `{name}`"))?;
        let slices = |list: &[Operand]| {
            list.iter()
                .map(|o| self.parameter(o))
                .collect::<Result<Vec<_>, _>>()
        };
        let site = CallSite {
            callee: number,
            results: slices(results)?,
            arguments: slices(arguments)?,
        };
        let header = &self.symbols.functions[number];
        if header.entry {
            return Err(format!("`{name}` is a kernel"));
        }
        let sizes = |list: &[Slice]| list.iter().map(|s| s.bytes).collect::<Vec<_>>();
        let declared =
            |list: &[(String, Slice)]| list.iter().map(|(_, s)| s.bytes).collect::<Vec<_>>();
        if sizes(&site.results) != declared(&header.results)
            || sizes(&site.arguments) != declared(&header.parameters)
        {
            return Err(format!("`{name}` has other parameters or results"));
        }
        if name == SET_CONDITIONAL && self.symbols.bodies[number].is_none() {
            return self.set_condition(&site.arguments);
        }
        self.function.calls.push(site);
        Ok(Inst::Call {
            site: (self.function.calls.len() - 1) as u16,
        })
    }

    fn set_condition(&mut self, arguments: &[Slice]) -> Result<Inst, String> {
        let mut s = [0; 2];
        if arguments.len() != s.len() {
            return Err("it takes a handle and a value".to_owned());
        }
        for (register, slice) in s.iter_mut().zip(arguments) {
            *register = self.temporary()?;
            let width = crate::code::Width {
                bytes: slice.bytes as u8,
                count: 1,
                signed: false,
            };
            self.push(Inst::LoadParam {
                width,
                d: [*register; 4],
                offset: slice.offset,
            });
        }
        Ok(Inst::SetCondition { s })
    }

    fn parameter(&self, operand: &Operand) -> Result<Slice, String> {
        match operand {
            Operand::Name(name) => match self.names.find(name) {
                Some(Name::Parameter(slice)) => Ok(slice),
                _ => Err(format!("`{name}` isn't a parameter")),
            },
            other => Err(format!("{other:?} can't be passed")),
        }
    }
}
