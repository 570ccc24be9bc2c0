//! The bytes of a function: its numbers, its instructions, and the frame around the loop.

use iced_x86::{Code, Encoder, IcedError, Instruction, MemoryOperand, Register};
use smallvec::SmallVec;

/// The arguments: where the pointers are, the number of values, and the vectors that are the same in all of the loop.
pub const ARGUMENTS: [Register; 3] = [Register::RDI, Register::RSI, Register::RDX];

/// The position of the current vector, in values.
pub const INDEX: Register = Register::RAX;

/// The registers of pointers. The last one holds the first argument until all others are loaded.
pub const POINTERS: [Register; super::POINTERS] = [
    Register::RCX,
    Register::R8,
    Register::R9,
    Register::R10,
    Register::R11,
    Register::RBX,
    Register::R12,
    Register::R13,
    Register::R14,
    Register::R15,
    Register::RDI,
];

/// What counts the iterations of a loop, in a function with fewer pointers.
pub const COUNT: Register = Register::R15;

/// Those of them that a function must restore before it returns.
const SAVED: [Register; 5] = [
    Register::RBX,
    Register::R12,
    Register::R13,
    Register::R14,
    Register::R15,
];

/// There is no code for the chain.
#[derive(Debug)]
pub struct Refused;

impl From<IcedError> for Refused {
    fn from(_: IcedError) -> Refused {
        Refused
    }
}

pub type Result<T = ()> = std::result::Result<T, Refused>;

/// Where an operand is.
#[derive(Clone, Copy)]
pub enum Operand {
    Register(Register),
    Memory(MemoryOperand),
}

/// Writes instructions behind a pool of vectors.
pub struct Assembler {
    encoder: Encoder,
    /// The length of the code.
    len: usize,
    pool: Vec<u8>,
    /// The bytes of a vector.
    vector: usize,
    /// Jumps ahead, by the positions behind them, and where they lead.
    jumps: Vec<(usize, usize)>,
    /// Whether the function counts iterations.
    pub counts: bool,
    /// Whether the pool is complete. It must be before the first instruction, because instructions contain their distance from it.
    begun: bool,
}

impl Assembler {
    pub fn new(vector: usize) -> Assembler {
        Assembler {
            encoder: Encoder::new(64),
            len: 0,
            pool: Vec::new(),
            vector,
            jumps: Vec::new(),
            counts: false,
            begun: false,
        }
    }

    /// Adds a vector with the same bytes in all lanes to the pool, before the first instruction.
    pub fn add_vector(&mut self, lane: &[u8]) -> Operand {
        debug_assert!(!self.begun);
        let at = self.pool.len();
        self.pool.extend(lane.iter().cycle().take(self.vector));
        Operand::Memory(MemoryOperand::with_base_displ(Register::RIP, at as i64))
    }

    /// The address of the next instruction, where the pool begins at 0.
    pub fn here(&self) -> u64 {
        (self.pool.len() + self.len) as u64
    }

    pub fn emit(&mut self, instruction: Instruction) -> Result {
        self.begun = true;
        self.len += self.encoder.encode(&instruction, self.here())?;
        Ok(())
    }

    /// `to = f(x)`.
    pub fn one(&mut self, code: Code, to: Register, x: Operand) -> Result {
        self.emit(match x {
            Operand::Register(x) => Instruction::with2(code, to, x)?,
            Operand::Memory(x) => Instruction::with2(code, to, x)?,
        })
    }

    /// `to = f(x)` with a constant.
    pub fn one_by(&mut self, code: Code, to: Register, x: Operand, by: u32) -> Result {
        self.emit(match x {
            Operand::Register(x) => Instruction::with3(code, to, x, by)?,
            Operand::Memory(x) => Instruction::with3(code, to, x, by)?,
        })
    }

    /// `to = f(a, b)`.
    pub fn two(&mut self, code: Code, to: Register, a: Register, b: Operand) -> Result {
        self.emit(match b {
            Operand::Register(b) => Instruction::with3(code, to, a, b)?,
            Operand::Memory(b) => Instruction::with3(code, to, a, b)?,
        })
    }

    /// `to = f(a, b)` with a constant.
    pub fn two_by(&mut self, code: Code, to: Register, a: Register, b: Operand, by: u32) -> Result {
        self.emit(match b {
            Operand::Register(b) => Instruction::with4(code, to, a, b, by)?,
            Operand::Memory(b) => Instruction::with4(code, to, a, b, by)?,
        })
    }

    /// `to = f(a, b)` by the mask register.
    pub fn masked(&mut self, code: Code, to: Register, a: Register, b: Operand) -> Result {
        let mut instruction = match b {
            Operand::Register(b) => Instruction::with3(code, to, a, b)?,
            Operand::Memory(b) => Instruction::with3(code, to, a, b)?,
        };
        instruction.set_op_mask(Register::K1);
        self.emit(instruction)
    }

    /// `to = f(a, b, c)`.
    pub fn three(
        &mut self,
        code: Code,
        to: Register,
        a: Register,
        b: Operand,
        c: Register,
    ) -> Result {
        self.emit(match b {
            Operand::Register(b) => Instruction::with4(code, to, a, b, c)?,
            Operand::Memory(b) => Instruction::with4(code, to, a, b, c)?,
        })
    }

    /// Stores a register.
    pub fn store(&mut self, code: Code, to: MemoryOperand, from: Register) -> Result {
        self.emit(Instruction::with2(code, to, from)?)
    }

    /// Saves registers, makes room on the stack, and loads pointers. Returns where the size of the room is written.
    pub fn prologue(&mut self, pointers: usize) -> Result<usize> {
        self.emit(Instruction::with1(Code::Push_r64, Register::RBP)?)?;
        let (frame, stack) = (Register::RBP, Register::RSP);
        self.emit(Instruction::with2(Code::Mov_r64_rm64, frame, stack)?)?;
        for register in self.saved(pointers) {
            self.emit(Instruction::with1(Code::Push_r64, register)?)?;
        }
        self.emit(Instruction::with2(Code::Sub_rm64_imm32, stack, 0)?)?;
        let room = self.len;
        self.emit(Instruction::with2(
            Code::And_rm64_imm8,
            stack,
            -(self.vector as i32),
        )?)?;
        for (n, register) in POINTERS.into_iter().enumerate().take(pointers) {
            let from = MemoryOperand::with_base_displ(ARGUMENTS[0], 8 * n as i64);
            self.emit(Instruction::with2(Code::Mov_r64_rm64, register, from)?)?;
        }
        Ok(room)
    }

    /// The beginning of a loop, at a multiple of a vector's size.
    pub fn head(&mut self) -> Result<u64> {
        while !self.here().is_multiple_of(self.vector as u64) {
            self.emit(Instruction::with(Code::Nopd))?;
        }
        Ok(self.here())
    }

    /// A jump whose target is set later. Returns its place.
    pub fn jump_ahead(&mut self, code: Code) -> Result<usize> {
        self.emit(Instruction::with_branch(code, self.here())?)?;
        Ok(self.len)
    }

    /// A jump leads to the next instruction.
    pub fn land(&mut self, jump: usize) {
        self.jumps.push((jump, self.len));
    }

    /// The end of a loop that began at an address.
    pub fn repeat(&mut self, head: u64, lanes: usize) -> Result {
        self.emit(Instruction::with2(
            Code::Add_rm64_imm8,
            INDEX,
            lanes as i32,
        )?)?;
        self.emit(Instruction::with2(Code::Cmp_r64_rm64, INDEX, ARGUMENTS[1])?)?;
        self.emit(Instruction::with_branch(Code::Jb_rel32_64, head)?)
    }

    pub fn epilogue(&mut self, pointers: usize) -> Result {
        self.emit(Instruction::with(Code::VEX_Vzeroupper))?;
        let (frame, stack) = (Register::RBP, Register::RSP);
        for (n, register) in self.saved(pointers).into_iter().enumerate() {
            let from = MemoryOperand::with_base_displ(frame, -8 * (n as i64 + 1));
            self.emit(Instruction::with2(Code::Mov_r64_rm64, register, from)?)?;
        }
        self.emit(Instruction::with2(Code::Mov_r64_rm64, stack, frame)?)?;
        self.emit(Instruction::with1(Code::Pop_r64, frame)?)?;
        self.emit(Instruction::with(Code::Retnq))
    }

    /// The bytes, where the code has room for some vectors on the stack, and the position of the first instruction.
    pub fn finish(mut self, room: usize, vectors: usize) -> (Vec<u8>, usize) {
        let mut code = self.encoder.take_buffer();
        let bytes = (vectors * self.vector) as u32;
        code[room - 4..room].copy_from_slice(&bytes.to_le_bytes());
        for (jump, to) in self.jumps {
            let distance = (to - jump) as u32;
            code[jump - 4..jump].copy_from_slice(&distance.to_le_bytes());
        }
        let entry = self.pool.len();
        (([self.pool, code]).concat(), entry)
    }

    /// The registers that a function with some pointers must restore.
    fn saved(&self, pointers: usize) -> SmallVec<[Register; 5]> {
        let used = &POINTERS[..pointers];
        let is_used =
            |register: &Register| used.contains(register) || (self.counts && *register == COUNT);
        SAVED.into_iter().filter(is_used).collect()
    }
}
