//! A run of blocks on one thread: where the values of inputs are for each block, and the instructions.

use smallvec::{SmallVec, smallvec};

use super::run::Chain;
use super::source::Form;
use super::spread::spread;
use super::tail::TailCode;
use super::workspace::{Registers, Workspace};
use super::{Instruction, Program, ValueLocation, Width, Work, far, mapped, pairs};
use crate::beside::{Others, beside};
use crate::block::{Block, BlockMut, BlockRef};
use crate::codegen::ChainCode;
use crate::element::ElementError;
use crate::reduce::{reduce_rows, write_sums};

impl Chain<'_> {
    /// Calls `f` with a run for `len` elements: it has the program's registers, in which uniform inputs are filled in. The run isn't
    /// moved, because it is large.
    pub fn with_run<R>(
        &self,
        workspace: &mut Workspace,
        len: usize,
        f: impl FnOnce(&mut Run) -> R,
    ) -> R {
        let block = self.block();
        let len_of = |width| match width {
            Width::Column => self.layout.row.map_or(1, |row| block / row),
            _ => block,
        };
        let mut run = Run {
            program: self.program,
            forms: &self.layout.forms,
            values: self.values,
            row: self.layout.row,
            block,
            code: self.code,
            tail: self.tail,
            streams: false,
            sends: false,
            registers: SmallVec::new(),
            inputs: smallvec![Read::NOTHING; self.values.len()],
        };
        let registers = self.program.registers[..self.registers()].iter();
        let registers = registers.map(|(dtype, width)| (*dtype, len_of(*width)));
        workspace.add_registers(registers, &mut run.registers);
        if self.layout.uniform && self.code.is_none() {
            run.prepare(len);
        }
        f(&mut run)
    }
}

/// A run of blocks on one thread.
pub(super) struct Run<'a> {
    pub(super) program: &'a Program,
    pub(super) forms: &'a [Form],
    pub(super) values: &'a [Option<Block<'a>>],
    row: Option<usize>,
    block: usize,
    code: Option<&'a dyn ChainCode>,
    tail: Option<TailCode<'a>>,
    /// Whether code stores past the caches.
    pub(super) streams: bool,
    /// Whether the inputs of the next block are prefetched.
    pub(super) sends: bool,
    pub(super) registers: Registers<'a>,
    pub(super) inputs: SmallVec<[Read; 8]>,
}

/// How the current block of an input is read.
#[derive(Clone, Copy)]
pub(super) struct Read {
    /// The position in the input where the block begins; `None` if the block is in the input's register.
    pub(super) start: Option<usize>,
    /// The phase of the values in the register, and their number.
    filled: (usize, usize),
}

impl Read {
    /// No block was read yet.
    const NOTHING: Read = Read {
        start: None,
        filled: (0, 0),
    };
}

/// A position in the output, or a length: in elements and in rows.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub places: usize,
    pub rows: usize,
}

impl Extent {
    /// The number of values of a width.
    fn of(self, width: Width) -> usize {
        match width {
            Width::Column => self.rows,
            _ => self.places,
        }
    }
}

impl<'a> Run<'a> {
    /// Writes the values from `start` on, block by block.
    pub fn values(&mut self, start: usize, outs: &mut [BlockMut]) -> Result<(), ElementError> {
        let all = outs.first().map_or(0, BlockMut::len);
        let block = match self.code {
            Some(_) if !self.repeats() => all,
            _ => self.block,
        };
        self.sends = all > block && self.sends_ahead();
        let mut at = 0;
        while at < all {
            let len = block.min(all - at);
            if self.sends {
                self.send(start + at + len);
                let outs = outs.iter();
                outs.for_each(|out| far::read_ahead(out.as_block(), at + len, len));
            }
            match outs {
                [out] => self.block(start + at, out.range(at, len))?,
                _ => {
                    let outs = outs.iter_mut().map(|out| out.range(at, len));
                    self.blocks(start + at, &mut outs.collect::<SmallVec<[BlockMut; 4]>>())?;
                }
            }
            at += len;
        }
        Ok(())
    }

    /// Whether blocks are prefetched: some input isn't in a near cache, and there is enough work in the meantime. (A sum of two numbers,
    /// which runs at the speed of memory, took 1.6 times as long with prefetches.) This and the functions that it calls aren't inlined:
    /// that would slow down a single short block, which a loop runs in each iteration.
    #[inline(never)]
    fn sends_ahead(&self) -> bool {
        let program = self.program;
        let is_long = program.by_rows || program.results > 1 || program.cost >= far::LONG;
        let fits = self.block <= far::LONGEST;
        let mut values = self.values.iter().flatten();
        is_long && fits && values.any(|values| far::is_far(*values))
    }

    /// Prefetches the inputs of the block that begins at `start`. A tail does that itself, between its pieces.
    pub fn send(&self, start: usize) {
        if self.tail.is_none() {
            self.read_ahead(start, self.block);
        }
    }

    /// Prefetches `len` values of the inputs from `start` on, if they aren't in a near cache.
    #[inline(never)]
    pub fn read_ahead(&self, start: usize, len: usize) {
        let (start, len) = (self.extent(start), self.extent(len));
        let inputs = self.values.iter().zip(self.forms);
        for ((values, form), (_, width)) in inputs.zip(&self.program.inputs) {
            if let (Some(values), Form::Whole) = (values, form)
                && far::is_far(*values)
            {
                far::read_ahead(*values, start.of(*width), len.of(*width));
            }
        }
    }

    /// Fills the registers of uniform inputs as far as `len` elements need them.
    fn prepare(&mut self, len: usize) {
        let inputs = self.forms.iter().zip(self.values);
        for ((form, values), register) in inputs.zip(&self.program.input_registers) {
            if let (Form::Uniform, Some(value)) = (form, values) {
                let (_, width) = self.program.registers[*register];
                let len = self.extent(len.min(self.block)).of(width);
                self.registers[*register].first(len).fill(*value);
            }
        }
    }

    /// A number of elements, which are whole rows, as an extent.
    fn extent(&self, places: usize) -> Extent {
        let rows = match self.row {
            None => 1,
            Some(1) => places,
            Some(row) => places / row,
        };
        Extent { places, rows }
    }

    /// Runs the block that starts at `start` in the whole output.
    pub fn block(&mut self, start: usize, mut out: BlockMut) -> Result<(), ElementError> {
        self.blocks(start, std::slice::from_mut(&mut out))
    }

    /// Runs the block of all results that starts at `start` in them.
    fn blocks(&mut self, start: usize, outs: &mut [BlockMut]) -> Result<(), ElementError> {
        let len = outs.first().map_or(0, BlockMut::len);
        let (start, len) = (self.extent(start), self.extent(len));
        self.read_inputs(start, len, outs);
        if let Some(code) = self.code {
            if self.run_code(code, len.places, outs) {
                return Ok(());
            }
            // It is for another level, or another run. Then the interpreter does it, in blocks of its own.
            self.code = None;
            self.prepare(len.places);
            return self.values(start.places, outs);
        }
        let all = &self.program.instructions;
        let first = self.tail.map_or(all.len(), |tail| tail.tail.first);
        let mut instructions = all[..first].iter();
        instructions.try_for_each(|instruction| self.instruction(instruction, len, outs))?;
        if let (Some(tail), [out]) = (self.tail, outs)
            && !self.run_tail(tail, start, len, out)
        {
            // As above; nothing is changed yet.
            self.tail = None;
            return self.block(start.places, out.range(0, len.places));
        }
        Ok(())
    }

    /// Locates the inputs' values for a block, and writes those that can't be read from their array directly to registers.
    fn read_inputs(&mut self, start: Extent, len: Extent, outs: &[BlockMut]) {
        let program = self.program;
        let inputs = program.inputs.iter().zip(&program.input_registers);
        for (n, ((_, width), register)) in inputs.enumerate() {
            let (start, len) = (start.of(*width), len.of(*width));
            let read = &mut self.inputs[n];
            read.start = match (&self.values[n], &self.forms[n]) {
                (None, _) if program.read_last[n] && self.code.is_none() && self.tail.is_none() => {
                    self.registers[*register]
                        .first(len)
                        .copy_from(outs[program.held(n)].as_block());
                    None
                }
                (None, _) => Some(0),
                (Some(_), Form::Whole) => Some(start),
                (Some(_), Form::Uniform) => None,
                (Some(values), Form::Repeated(form)) => {
                    let direct = form.direct(start, len);
                    let phase = form.phase(start);
                    let stands = read.filled.0 == phase && len <= read.filled.1;
                    if direct.is_none() && !stands {
                        form.fill(*values, start, self.registers[*register].first(len));
                        read.filled = (phase, len);
                    }
                    direct
                }
                (Some(values), Form::Rolled(form)) => {
                    let direct = form.direct(start, len);
                    if direct.is_none() {
                        form.fill(*values, start, self.registers[*register].first(len));
                    }
                    direct
                }
            };
        }
    }

    fn instruction(
        &mut self,
        instruction: &Instruction,
        len: Extent,
        outs: &mut [BlockMut],
    ) -> Result<(), ElementError> {
        let Instruction {
            work,
            operands,
            output,
        } = instruction;
        // The register that is written is never one of those that are read.
        let written = len.of(work.writes());
        let (registers, held, mut out) = match *output {
            ValueLocation::Register(n) => {
                let (registers, out) = beside(&mut self.registers, n);
                (registers, Others::all(outs), out.first(written))
            }
            ValueLocation::Output(n) => {
                let (held, out) = beside(outs, n);
                (Others::all(&self.registers), held, out.first(written))
            }
            ValueLocation::Input(_) => return Ok(()),
        };
        let mut reads = [BlockRef::whole(&Block::Bool(&[])); 3];
        for (read, place) in reads.iter_mut().zip(operands) {
            *read = match *place {
                ValueLocation::Register(n) => BlockRef::Written(registers.at(n)),
                ValueLocation::Input(n) => match (self.inputs[n].start, &self.values[n]) {
                    (Some(start), Some(values)) => BlockRef::Read(values, start),
                    (Some(_), None) => BlockRef::Written(held.at(self.program.held(n))),
                    (None, _) => BlockRef::Written(registers.at(self.program.input_registers[n])),
                },
                ValueLocation::Output(n) => BlockRef::Written(held.at(n)),
            };
        }
        let row = self.row.unwrap_or(len.places);
        match work {
            Work::Element(function, _) => return function(&reads, &mut out),
            Work::Reduce(reducer) => reduce_rows(reducer, &reads[0], row, &mut out),
            Work::Change(function, column) => {
                let (blocks, columns) = (&reads, [*column, false]);
                function(
                    &pairs::Operands {
                        blocks,
                        columns,
                        row,
                    },
                    &mut out,
                );
            }
            Work::Pair(function, columns) => {
                let (blocks, columns) = (&reads, *columns);
                let row = if columns == [false; 2] {
                    len.places
                } else {
                    row
                };
                function(
                    &pairs::Operands {
                        blocks,
                        columns,
                        row,
                    },
                    &mut out,
                );
            }
            Work::ReduceOf(sums, reducer, column) => {
                let rows = |first| mapped::OperandRows {
                    operands: [&reads[0], &reads[1]],
                    column: *column,
                    first,
                    len: row,
                };
                write_sums(reducer, row, &mut out, |first, of| sums(&rows(first), of));
            }
            Work::Spread => spread(&reads[0], row, &mut out),
        }
        Ok(())
    }
}
