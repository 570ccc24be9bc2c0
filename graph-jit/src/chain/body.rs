//! A chain's function: it loads what stays in registers, and runs the steps on one vector after another.

mod repeat;

use graph_kernels::codegen::{ChainSource, LaneOp, LaneProgram, LaneType};
use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::assembler::{ARGUMENTS, Assembler, INDEX, Operand, POINTERS, Refused, Result};
use super::choose::{Chosen, choose};
use super::instructions::{Blend, Selected, Vectors, load_halves};
use super::registers::{Registers, constants};
use super::side_by_side::SideBySide;
use super::{Layout, Source, VECTOR, Width};
use repeat::OpenLoop;

/// The bytes of half a lane of 64 bits.
const HALF: usize = 4;

/// A function's bytes, and where its first instruction is.
pub struct Function {
    pub bytes: Vec<u8>,
    pub entry: usize,
    /// Whether values had to leave their registers.
    pub spills: bool,
}

/// The function of a chain, which calculates `at_once` vectors side by side. `streams` stores past the caches, for results that begin at
/// multiples of a vector's size.
///
/// # Errors
/// If a step has no instruction, or values don't find a register.
pub fn function(
    source: &ChainSource,
    layout: &Layout,
    streams: bool,
    at_once: usize,
) -> Result<Function> {
    let is_same = |n: usize| matches!(layout.inputs[n], Source::Vector(_));
    let all = SideBySide::new(&source.program, is_same, at_once);
    let program = &all.program;
    let chosen = choose(program, layout.size, layout.vectors).ok_or(Refused)?;
    let constants = constants(program, &chosen, is_same);
    // The steps are written once without constants in registers, to learn how many registers are free.
    let mut trial = Body::new(&all, layout, &chosen, &[]);
    trial.steps()?;
    let free = layout
        .vectors
        .registers()
        .saturating_sub(trial.registers.most);
    let kept = &constants[..free.min(constants.len())];
    let pointers = layout.each + source.results.len();
    let mut body = Body::new(&all, layout, &chosen, kept);
    body.assembler.counts = layout.times.is_some();
    let room = body.assembler.prologue(pointers)?;
    body.load_kept(kept)?;
    let zero = Instruction::with2(Code::Xor_r32_rm32, Register::EAX, Register::EAX)?;
    body.assembler.emit(zero)?;
    let head = body.assembler.head()?;
    body.steps()?;
    body.results(streams, source.results.len())?;
    body.assembler.repeat(head, at_once * layout.lanes)?;
    if streams {
        body.assembler.emit(Instruction::with(Code::Sfence))?;
    }
    body.assembler.epilogue(pointers)?;
    let (bytes, entry) = body.assembler.finish(room, body.registers.places);
    Ok(Function {
        bytes,
        entry,
        spills: body.registers.places > 0,
    })
}

/// The steps of a function, one of which is written at a time.
struct Body<'a> {
    program: &'a LaneProgram,
    /// For each step, the vector that it belongs to.
    vectors: &'a [usize],
    layout: &'a Layout,
    chosen: &'a [Option<Chosen>],
    registers: Registers,
    assembler: Assembler,
    /// The vectors of numbers, for the steps that are numbers.
    numbers: Vec<Option<Operand>>,
    /// A vector of which all bits are set.
    ones: Operand,
    /// The loops that are being written.
    loops: Vec<OpenLoop>,
    /// The step that is being written.
    at: usize,
}

impl<'a> Body<'a> {
    fn new(
        all: &'a SideBySide,
        layout: &'a Layout,
        chosen: &'a [Option<Chosen>],
        kept: &[usize],
    ) -> Body<'a> {
        let program = &all.program;
        let mut assembler = Assembler::new(layout.vectors.bytes());
        let numbers = program.steps.iter().map(|step| {
            let bits = match step.ty {
                LaneType::Mask => 0u64.wrapping_sub(step.number()? & 1),
                _ => step.number()?,
            };
            Some(assembler.add_vector(&bits.to_le_bytes()[..layout.size]))
        });
        let numbers = numbers.collect();
        Body {
            program,
            vectors: &all.vectors,
            layout,
            chosen,
            registers: Registers::new(&program.results, chosen, kept, layout.vectors.registers()),
            ones: assembler.add_vector(&[0xFF]),
            assembler,
            numbers,
            loops: Vec::new(),
            at: 0,
        }
    }

    /// Loads the values that stay in registers.
    fn load_kept(&mut self, kept: &[usize]) -> Result {
        for value in kept {
            let from = self.home(*value).ok_or(Refused)?;
            let to = self.registers.of(*value).ok_or(Refused)?;
            self.assembler
                .one(self.layout.vectors.load(), self.vector(to), from)?;
        }
        Ok(())
    }

    /// Where a value is in memory, if an instruction can read it there.
    fn home(&self, value: usize) -> Option<Operand> {
        if let Some(number) = self.numbers[value] {
            return Some(number);
        }
        if let Some(place) = self.registers.place(value) {
            return Some(Operand::Memory(self.on_stack(place)));
        }
        let LaneOp::Input(n) = self.program.steps[value].op else {
            return None;
        };
        match self.layout.inputs[n] {
            Source::Pointer {
                at,
                width: Width::Whole,
            } => {
                let size = self.layout.size;
                Some(Operand::Memory(self.current(at, size, self.vectors[value])))
            }
            Source::Vector(n) => {
                let displacement = (VECTOR * n) as i64;
                let memory = MemoryOperand::with_base_displ(ARGUMENTS[2], displacement);
                Some(Operand::Memory(memory))
            }
            _ => None,
        }
    }

    /// A vector register.
    fn vector(&self, n: usize) -> Register {
        self.layout.vectors.register(n)
    }

    /// A place on the stack.
    fn on_stack(&self, place: usize) -> MemoryOperand {
        let displacement = (self.layout.vectors.bytes() * place) as i64;
        MemoryOperand::with_base_displ(Register::RSP, displacement)
    }

    /// Behind a pointer to values of a size, those of a vector of the current ones.
    fn current(&self, pointer: usize, size: usize, vector: usize) -> MemoryOperand {
        let at = (vector * self.layout.lanes * size) as i64;
        let (base, scale, bytes) = (POINTERS[pointer], size as u32, u32::from(at != 0));
        MemoryOperand::with_base_index_scale_displ_size(base, INDEX, scale, at, bytes)
    }

    /// A register that is free, and isn't one of `locked`.
    fn free(&mut self, locked: &[Register]) -> Result<Register> {
        let locked: Vec<usize> = locked
            .iter()
            .map(|r| self.layout.vectors.number(*r))
            .collect();
        let has_home = self
            .program
            .steps
            .iter()
            .enumerate()
            .map(|(n, step)| match step.op {
                LaneOp::Input(_) | LaneOp::Number(_) => self.home(n).is_some(),
                _ => false,
            });
        let has_home: Vec<bool> = has_home.collect();
        let freed = self
            .registers
            .take(self.at, &locked, |value| has_home[value]);
        let freed = freed.ok_or(Refused)?;
        let register = self.vector(freed.register);
        if let Some(place) = freed.store {
            let code = self.layout.vectors.store(false);
            self.assembler.store(code, self.on_stack(place), register)?;
        }
        Ok(register)
    }

    /// The register of a value, which is loaded if it has none. The registers in `locked` stay as they are.
    fn register(&mut self, value: usize, locked: &[Register]) -> Result<Register> {
        if let Some(register) = self.registers.of(value) {
            return Ok(self.vector(register));
        }
        let to = self.free(locked)?;
        match self.home(value) {
            Some(from) => self.assembler.one(self.layout.vectors.load(), to, from)?,
            None => self.load_extended(value, to, locked)?,
        }
        self.hold(to, value);
        Ok(to)
    }

    /// A value in a register or in memory.
    fn operand(&mut self, value: usize, locked: &[Register]) -> Result<Operand> {
        match (self.registers.of(value), self.home(value)) {
            (Some(register), _) => Ok(Operand::Register(self.vector(register))),
            (None, Some(memory)) => Ok(memory),
            (None, None) => Ok(Operand::Register(self.register(value, locked)?)),
        }
    }

    fn hold(&mut self, register: Register, value: usize) {
        let register = self.layout.vectors.number(register);
        self.registers.hold(register, value);
    }

    /// Loads values that are narrower than their lanes. Bytes that are 0 or 1 become masks.
    fn load_extended(&mut self, value: usize, to: Register, locked: &[Register]) -> Result {
        let LaneOp::Input(n) = self.program.steps[value].op else {
            return Err(Refused);
        };
        let Source::Pointer { at, width } = self.layout.inputs[n] else {
            return Err(Refused);
        };
        let (vectors, vector) = (self.layout.vectors, self.vectors[value]);
        if width == Width::Half {
            let halves = Operand::Memory(self.current(at, HALF, vector));
            return self.assembler.one(load_halves(vectors), to, halves);
        }
        let (extend, subtract) = vectors.extend(self.layout.size);
        let zero = self.free(&[locked, &[to]].concat())?;
        let bytes = self.current(at, 1, vector);
        let clear = vectors.xor();
        self.assembler
            .two(clear, zero, zero, Operand::Register(zero))?;
        self.assembler.one(extend, to, Operand::Memory(bytes))?;
        self.assembler
            .two(subtract, to, zero, Operand::Register(to))
    }

    /// Writes the steps.
    fn steps(&mut self) -> Result {
        for (at, chosen) in self.chosen.iter().enumerate() {
            let Some(Chosen { selected, operands }) = chosen else {
                continue;
            };
            self.at = at;
            match selected {
                Selected::Loop => self.begin_loop()?,
                Selected::Carried => {}
                Selected::Repeat => self.end_loop(operands, false)?,
                Selected::Times => self.end_loop(operands, true)?,
                _ => {
                    let to = self.step(*selected, operands)?;
                    self.hold(to, at);
                    self.registers.drop_read(operands, at);
                }
            }
        }
        self.at = self.program.steps.len();
        Ok(())
    }

    /// A register for the value of the current step, which may be that of an operand that isn't read any more.
    fn result(&mut self, operands: &[usize]) -> Result<Register> {
        self.registers.drop_read(operands, self.at);
        self.free(&[])
    }

    /// Writes a step, and returns the register of its value.
    fn step(&mut self, selected: Selected, v: &[usize]) -> Result<Register> {
        match selected {
            Selected::One(code) => {
                let x = self.operand(v[0], &[])?;
                let to = self.result(v)?;
                self.assembler.one(code, to, x)?;
                Ok(to)
            }
            Selected::OneBy(code, by) => {
                let x = self.operand(v[0], &[])?;
                let to = self.result(v)?;
                self.assembler.one_by(code, to, x, by)?;
                Ok(to)
            }
            Selected::Shift(code, by) => {
                let x = self.register(v[0], &[])?;
                let to = self.result(v)?;
                self.assembler.one_by(code, to, Operand::Register(x), by)?;
                Ok(to)
            }
            Selected::Two(code, commutes) => {
                let in_order = !commutes || self.registers.of(v[0]).is_some();
                let [a, b] = if in_order { [v[0], v[1]] } else { [v[1], v[0]] };
                self.two(code, a, b)
            }
            Selected::Exchanged(code) => self.two(code, v[1], v[0]),
            Selected::Inverted(code) => {
                let to = self.two(code, v[0], v[1])?;
                let ones = self.ones;
                self.assembler
                    .two(self.layout.vectors.xor(), to, to, ones)?;
                Ok(to)
            }
            Selected::TwoBy(code, by) => {
                let a = self.register(v[0], &[])?;
                let b = self.operand(v[1], &[a])?;
                let to = self.result(v)?;
                self.assembler.two_by(code, to, a, b, by)?;
                Ok(to)
            }
            Selected::Mask(code, by, to_vector) => {
                let a = self.register(v[0], &[])?;
                let b = self.operand(v[1], &[a])?;
                let to = self.result(v)?;
                self.assembler.two_by(code, Register::K1, a, b, by)?;
                self.assembler
                    .one(to_vector, to, Operand::Register(Register::K1))?;
                Ok(to)
            }
            Selected::Choice(compare, by, blend) => {
                let a = self.register(v[0], &[])?;
                let b = self.operand(v[1], &[a])?;
                self.assembler.two_by(compare, Register::K1, a, b, by)?;
                let otherwise = self.register(v[3], &[])?;
                let value = self.operand(v[2], &[otherwise])?;
                let to = self.result(v)?;
                self.assembler.masked(blend, to, otherwise, value)?;
                Ok(to)
            }
            Selected::Loop | Selected::Carried | Selected::Repeat | Selected::Times => Err(Refused),
            Selected::MulAdd(codes) => self.mul_add(codes, [v[0], v[1], v[2]]),
            Selected::Select(blend, zeroed) => self.select(blend, zeroed, [v[0], v[1], v[2]]),
        }
    }

    fn two(&mut self, code: Code, a: usize, b: usize) -> Result<Register> {
        let left = self.register(a, &[])?;
        let right = self.operand(b, &[left])?;
        let to = self.result(&[a, b])?;
        self.assembler.two(code, to, left, right)?;
        Ok(to)
    }

    /// `mask ? a : b`.
    fn select(&mut self, blend: Blend, zeroed: [Code; 2], v: [usize; 3]) -> Result<Register> {
        let [mask, a, b] = v;
        let is_zero = |n: usize| self.program.steps[n].number() == Some(0);
        if is_zero(b) {
            return self.two(zeroed[0], mask, a);
        }
        if is_zero(a) {
            return self.two(zeroed[1], mask, b);
        }
        match blend {
            Blend::Lanes(code) => {
                let chosen = self.register(mask, &[])?;
                let otherwise = self.register(b, &[chosen])?;
                let value = self.operand(a, &[chosen, otherwise])?;
                let to = self.result(&v)?;
                self.assembler.three(code, to, otherwise, value, chosen)?;
                Ok(to)
            }
            Blend::Bits(code, by) => {
                let to = self.copy(mask, &[])?;
                let value = self.register(a, &[to])?;
                let otherwise = self.operand(b, &[to, value])?;
                self.assembler.two_by(code, to, value, otherwise, by)?;
                Ok(to)
            }
        }
    }

    /// A register with a value that may be overwritten: the value's own, if it isn't read any more.
    fn copy(&mut self, value: usize, locked: &[Register]) -> Result<Register> {
        if let Some(register) = self.registers.of(value)
            && self.registers.gives_way(value, self.at)
        {
            return Ok(self.vector(register));
        }
        let from = self.operand(value, locked)?;
        let to = match from {
            Operand::Register(register) => self.free(&[locked, &[register]].concat())?,
            Operand::Memory(_) => self.free(locked)?,
        };
        self.assembler.one(self.layout.vectors.load(), to, from)?;
        Ok(to)
    }

    /// `a * b + c`, written over one of the operands: over one that isn't read any more, if there is one.
    fn mul_add(&mut self, codes: [Code; 3], v: [usize; 3]) -> Result<Register> {
        let [over_factor, over_first, over_summand] = codes;
        let [mut a, mut b, c] = v;
        let gives_way = |body: &Body, value| body.registers.gives_way(value, body.at);
        if !gives_way(self, c) && (gives_way(self, a) || gives_way(self, b)) {
            if !gives_way(self, a) {
                (a, b) = (b, a);
            }
            let to = self.register(a, &[])?;
            let is_there = |body: &Body, value| body.registers.of(value).is_some();
            let (code, second, third) = match is_there(self, b) || !is_there(self, c) {
                true => (over_first, b, c),
                false => (over_factor, c, b),
            };
            let second = self.register(second, &[to])?;
            let third = self.operand(third, &[to, second])?;
            self.assembler.two(code, to, second, third)?;
            return Ok(to);
        }
        if self.registers.of(a).is_none() {
            (a, b) = (b, a);
        }
        let first = self.register(a, &[])?;
        let second = self.operand(b, &[first])?;
        let mut locked = vec![first];
        if let Operand::Register(second) = second {
            locked.push(second);
        }
        let to = self.copy(c, &locked)?;
        self.assembler.two(over_summand, to, first, second)?;
        Ok(to)
    }

    /// Stores the results, of which each vector has some, when all have been calculated: an input may lie where a result does.
    fn results(&mut self, streams: bool, each: usize) -> Result {
        let mut registers: Vec<Register> = Vec::new();
        for value in &self.program.results {
            registers.push(self.register(*value, &registers)?);
        }
        let code = self.layout.vectors.store(streams);
        for (n, register) in registers.iter().copied().enumerate() {
            let pointer = self.layout.each + n % each;
            if self.layout.results[n % each] == Width::Half {
                let to = self.current(pointer, HALF, n / each);
                self.store_halves(to, register, &registers)?;
                continue;
            }
            let to = self.current(pointer, self.layout.size, n / each);
            self.assembler.store(code, to, register)?;
        }
        Ok(())
    }

    /// Stores the lower halves of lanes.
    fn store_halves(&mut self, to: MemoryOperand, from: Register, locked: &[Register]) -> Result {
        if self.layout.vectors == Vectors::Wide {
            let store = Code::EVEX_Vpmovqd_ymmm256_k1z_zmm;
            return self.assembler.store(store, to, from);
        }
        // The halves of each four to its lower end, then those of both to that of the vector.
        let halves = self.free(locked)?;
        let shuffle = Code::VEX_Vshufps_ymm_ymm_ymmm256_imm8;
        let assembler = &mut self.assembler;
        assembler.two_by(shuffle, halves, from, Operand::Register(from), 0x88)?;
        let gather = Code::VEX_Vpermq_ymm_ymmm256_imm8;
        assembler.one_by(gather, halves, Operand::Register(halves), 8)?;
        let lower = Register::XMM0 + self.layout.vectors.number(halves) as u32;
        assembler.store(Code::VEX_Vmovups_xmmm128_xmm, to, lower)
    }
}
