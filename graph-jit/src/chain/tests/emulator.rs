//! The instructions of AVX-512 that chains use, as Intel's manual describes them, over a memory of its own. What the code reads or writes
//! outside of its arrays, its stack and its numbers ends the test.

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

use super::super::body::Function;

/// The bytes of a vector.
const VECTOR: usize = 64;

type Vector = [u8; VECTOR];

/// Bytes between two parts of memory that nobody may touch.
const GAP: usize = 256;

/// A CPU with its memory, in which the code begins at 0.
pub struct Machine {
    memory: Vec<u8>,
    /// Parts of the memory that may be read, and whether they may be written.
    parts: Vec<(std::ops::Range<usize>, bool)>,
    general: [u64; 16],
    vectors: [Vector; 32],
    /// The mask register k1.
    mask: u64,
    /// Whether the last comparison found less.
    below: bool,
}

impl Machine {
    /// Runs a function over arrays, and returns what they hold then. `same` are the values that are the same in all lanes.
    pub fn run<const N: usize>(
        function: &Function,
        arrays: [Vec<u8>; N],
        same: &[Vec<u8>],
        len: usize,
    ) -> [Vec<u8>; N] {
        let mut machine = Machine {
            memory: Vec::new(),
            parts: Vec::new(),
            general: [0x1234_5678_9ABC; 16],
            vectors: [[0xEE; VECTOR]; 32],
            mask: 0,
            below: false,
        };
        machine.add(&function.bytes, false);
        let places = arrays.each_ref().map(|array| machine.add(array, true));
        let pointers: Vec<u8> = places
            .iter()
            .flat_map(|place| (*place as u64).to_le_bytes())
            .collect();
        let pointers = machine.add(&pointers, false);
        let vectors: Vec<u8> = same
            .iter()
            .flat_map(|lane| lane.iter().copied().cycle().take(VECTOR))
            .collect();
        let vectors = machine.add(&vectors, false);
        let stack = machine.add(&[0; 16 * 1024], true) + 16 * 1024 - 8;
        let saved = machine.general;
        for (register, value) in [
            (Register::RDI, pointers),
            (Register::RSI, len),
            (Register::RDX, vectors),
            (Register::RSP, stack),
        ] {
            *machine.register(register) = value as u64;
        }
        machine.execute(function.entry);
        assert_eq!(*machine.register(Register::RSP), stack as u64);
        for register in [
            Register::RBX,
            Register::RBP,
            Register::R12,
            Register::R13,
            Register::R14,
            Register::R15,
        ] {
            assert_eq!(
                *machine.register(register),
                saved[number(register)],
                "{register:?}"
            );
        }
        let mut place = places.iter();
        arrays.map(|array| {
            let at = *place.next().unwrap();
            machine.memory[at..at + array.len()].to_vec()
        })
    }

    /// Adds a part of memory, and returns where it begins.
    fn add(&mut self, bytes: &[u8], writes: bool) -> usize {
        let at = self.memory.len().next_multiple_of(VECTOR);
        self.memory.resize(at, 0);
        self.memory.extend(bytes);
        self.parts.push((at..self.memory.len(), writes));
        self.memory.resize(self.memory.len() + GAP, 0);
        at
    }

    fn register(&mut self, register: Register) -> &mut u64 {
        &mut self.general[number(register)]
    }

    fn check(&self, at: usize, len: usize, writes: bool) {
        let mut parts = self.parts.iter();
        let is_in = |part: &std::ops::Range<usize>| part.start <= at && at + len <= part.end;
        assert!(
            parts.any(|(part, may)| is_in(part) && (*may || !writes)),
            "{len} bytes at {at:#x}"
        );
    }

    fn load<const N: usize>(&self, at: usize) -> [u8; N] {
        self.check(at, N, false);
        self.memory[at..at + N].try_into().unwrap()
    }

    fn store(&mut self, at: usize, bytes: &[u8]) {
        self.check(at, bytes.len(), true);
        self.memory[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// The address of the operand in memory.
    fn address(&mut self, instruction: &Instruction) -> usize {
        let displacement = instruction.memory_displacement64();
        if instruction.is_ip_rel_memory_operand() {
            return displacement as usize;
        }
        let base = *self.register(instruction.memory_base());
        let index = match instruction.memory_index() {
            Register::None => 0,
            register => *self.register(register) * u64::from(instruction.memory_index_scale()),
        };
        base.wrapping_add(index).wrapping_add(displacement) as usize
    }

    /// An operand that is a vector.
    fn vector(&mut self, instruction: &Instruction, n: u32) -> Vector {
        match instruction.op_kind(n) {
            OpKind::Register => self.vectors[number(instruction.op_register(n))],
            _ => {
                let at = self.address(instruction);
                self.load(at)
            }
        }
    }

    /// An operand that is a word.
    fn word(&mut self, instruction: &Instruction, n: u32) -> u64 {
        match instruction.op_kind(n) {
            OpKind::Register => *self.register(instruction.op_register(n)),
            OpKind::Memory => {
                let at = self.address(instruction);
                u64::from_le_bytes(self.load(at))
            }
            _ => instruction.immediate(n),
        }
    }

    fn execute(&mut self, entry: usize) {
        let mut at = entry as u64;
        loop {
            let code = &self.memory[at as usize..];
            let instruction = Decoder::with_ip(64, code, at, DecoderOptions::NONE).decode();
            at = instruction.next_ip();
            match instruction.mnemonic() {
                Mnemonic::Ret => return,
                Mnemonic::Jb => {
                    if self.below {
                        at = instruction.near_branch_target();
                    }
                }
                mnemonic if self.scalar(mnemonic, &instruction) => {}
                mnemonic => self.vectorial(mnemonic, &instruction),
            }
        }
    }

    /// Executes an instruction over words, if it is one.
    fn scalar(&mut self, mnemonic: Mnemonic, instruction: &Instruction) -> bool {
        let first = instruction.op_register(0);
        let value = match mnemonic {
            Mnemonic::Nop | Mnemonic::Sfence | Mnemonic::Vzeroupper => return true,
            Mnemonic::Push => {
                let value = *self.register(first);
                *self.register(Register::RSP) -= 8;
                let at = *self.register(Register::RSP) as usize;
                self.store(at, &value.to_le_bytes());
                return true;
            }
            Mnemonic::Pop => {
                let at = *self.register(Register::RSP) as usize;
                let value = u64::from_le_bytes(self.load(at));
                *self.register(Register::RSP) += 8;
                value
            }
            Mnemonic::Cmp => {
                self.below = self.word(instruction, 0) < self.word(instruction, 1);
                return true;
            }
            Mnemonic::Mov => self.word(instruction, 1),
            Mnemonic::Add => self
                .word(instruction, 0)
                .wrapping_add(self.word(instruction, 1)),
            Mnemonic::Sub => self
                .word(instruction, 0)
                .wrapping_sub(self.word(instruction, 1)),
            Mnemonic::And => self.word(instruction, 0) & self.word(instruction, 1),
            Mnemonic::Xor => self.word(instruction, 0) ^ self.word(instruction, 1),
            _ => return false,
        };
        *self.register(first) = value;
        true
    }

    /// Executes an instruction over vectors.
    fn vectorial(&mut self, mnemonic: Mnemonic, instruction: &Instruction) {
        if instruction.op_kind(0) == OpKind::Memory {
            assert!(matches!(mnemonic, Mnemonic::Vmovups | Mnemonic::Vmovntps));
            let at = self.address(instruction);
            assert!(mnemonic == Mnemonic::Vmovups || at.is_multiple_of(VECTOR));
            let value = self.vector(instruction, 1);
            return self.store(at, &value);
        }
        let to = number(instruction.op_register(0));
        if let Mnemonic::Vpmovzxbd | Mnemonic::Vpmovzxbq = mnemonic {
            let at = self.address(instruction);
            let size = if mnemonic == Mnemonic::Vpmovzxbd {
                4
            } else {
                8
            };
            let mut value = [0; VECTOR];
            self.check(at, VECTOR / size, false);
            for (lane, byte) in value.chunks_mut(size).zip(&self.memory[at..]) {
                lane[0] = *byte;
            }
            self.vectors[to] = value;
            return;
        }
        if let Mnemonic::Vpmovm2d | Mnemonic::Vpmovm2q = mnemonic {
            let size = if mnemonic == Mnemonic::Vpmovm2d { 4 } else { 8 };
            for (n, lane) in self.vectors[to].chunks_mut(size).enumerate() {
                lane.fill(if self.mask >> n & 1 == 1 { 0xFF } else { 0 });
            }
            return;
        }
        let by = match instruction.op_kind(instruction.op_count() - 1) {
            OpKind::Immediate8 => instruction.immediate8(),
            _ => 0,
        };
        let count = instruction.op_count()
            - u32::from(
                by != 0 || instruction.op_kind(instruction.op_count() - 1) == OpKind::Immediate8,
            );
        let old = self.vectors[to];
        let operands: Vec<Vector> = (1..count).map(|n| self.vector(instruction, n)).collect();
        let (a, b) = (operands[0], *operands.last().unwrap());
        if let Some(mask) = compared(mnemonic, by, &a, &b) {
            assert_eq!(instruction.op_register(0), Register::K1);
            self.mask = mask;
            return;
        }
        if let Mnemonic::Vpblendmd | Mnemonic::Vpblendmq = mnemonic {
            assert_eq!(instruction.op_mask(), Register::K1);
            let size = if mnemonic == Mnemonic::Vpblendmd {
                4
            } else {
                8
            };
            let lanes = self.vectors[to].chunks_mut(size).enumerate();
            for ((n, lane), (a, b)) in lanes.zip(a.chunks(size).zip(b.chunks(size))) {
                lane.copy_from_slice(if self.mask >> n & 1 == 1 { b } else { a });
            }
            return;
        }
        assert_eq!(instruction.op_mask(), Register::None);
        let value = calculated(mnemonic, by, &old, &a, &b);
        self.vectors[to] = value.unwrap_or_else(|| panic!("{mnemonic:?} isn't known"));
    }
}

/// The number of a register among those of its kind.
fn number(register: Register) -> usize {
    let kinds = [Register::K0, Register::ZMM0, Register::RAX, Register::EAX];
    let first = kinds.into_iter().find(|first| register >= *first);
    register as usize - first.unwrap_or(Register::None) as usize
}

macro_rules! lanes {
    ($type:ident, $($x:ident),*; $value:expr) => {{
        let mut value = [0; VECTOR];
        for n in 0..VECTOR / size_of::<$type>() {
            let range = n * size_of::<$type>()..(n + 1) * size_of::<$type>();
            $( let $x = $type::from_le_bytes($x[range.clone()].try_into().unwrap()); )*
            value[range].copy_from_slice(&$type::to_le_bytes($value));
        }
        value
    }};
}

/// The mask of a comparison with a predicate.
fn compared(mnemonic: Mnemonic, by: u8, a: &Vector, b: &Vector) -> Option<u64> {
    fn mask<const N: usize>(
        a: &Vector,
        b: &Vector,
        holds: impl Fn([u8; N], [u8; N]) -> bool,
    ) -> u64 {
        let pairs = a
            .as_chunks::<N>()
            .0
            .iter()
            .zip(b.as_chunks::<N>().0)
            .enumerate();
        pairs.map(|(n, (a, b))| u64::from(holds(*a, *b)) << n).sum()
    }
    fn holds<T: PartialOrd>(by: u8, a: T, b: T) -> bool {
        match by {
            0 => a == b,
            1 | 0x11 => a < b,
            2 | 0x12 => a <= b,
            _ => panic!("predicate {by}"),
        }
    }
    Some(match mnemonic {
        Mnemonic::Vcmpps => mask(a, b, |a, b| {
            holds(by, f32::from_le_bytes(a), f32::from_le_bytes(b))
        }),
        Mnemonic::Vcmppd => mask(a, b, |a, b| {
            holds(by, f64::from_le_bytes(a), f64::from_le_bytes(b))
        }),
        Mnemonic::Vpcmpd => mask(a, b, |a, b| {
            holds(by, i32::from_le_bytes(a), i32::from_le_bytes(b))
        }),
        _ => return None,
    })
}

/// The value of an instruction, where `old` is that of the register it is written to.
fn calculated(mnemonic: Mnemonic, by: u8, old: &Vector, a: &Vector, b: &Vector) -> Option<Vector> {
    let rounded = |x: f64| match by {
        8 => x.round_ties_even(),
        9 => x.floor(),
        10 => x.ceil(),
        _ => x.trunc(),
    };
    Some(match mnemonic {
        Mnemonic::Vmovups => *a,
        Mnemonic::Vaddps => lanes!(f32, a, b; a + b),
        Mnemonic::Vaddpd => lanes!(f64, a, b; a + b),
        Mnemonic::Vsubps => lanes!(f32, a, b; a - b),
        Mnemonic::Vsubpd => lanes!(f64, a, b; a - b),
        Mnemonic::Vmulps => lanes!(f32, a, b; a * b),
        Mnemonic::Vmulpd => lanes!(f64, a, b; a * b),
        Mnemonic::Vdivps => lanes!(f32, a, b; a / b),
        Mnemonic::Vdivpd => lanes!(f64, a, b; a / b),
        Mnemonic::Vminps => lanes!(f32, a, b; if a < b { a } else { b }),
        Mnemonic::Vminpd => lanes!(f64, a, b; if a < b { a } else { b }),
        Mnemonic::Vmaxps => lanes!(f32, a, b; if a > b { a } else { b }),
        Mnemonic::Vmaxpd => lanes!(f64, a, b; if a > b { a } else { b }),
        Mnemonic::Vfmadd132ps => lanes!(f32, old, a, b; old.mul_add(b, a)),
        Mnemonic::Vfmadd213ps => lanes!(f32, old, a, b; a.mul_add(old, b)),
        Mnemonic::Vfmadd231ps => lanes!(f32, old, a, b; a.mul_add(b, old)),
        Mnemonic::Vfmadd132pd => lanes!(f64, old, a, b; old.mul_add(b, a)),
        Mnemonic::Vfmadd213pd => lanes!(f64, old, a, b; a.mul_add(old, b)),
        Mnemonic::Vfmadd231pd => lanes!(f64, old, a, b; a.mul_add(b, old)),
        Mnemonic::Vsqrtps => lanes!(f32, a; a.sqrt()),
        Mnemonic::Vsqrtpd => lanes!(f64, a; a.sqrt()),
        Mnemonic::Vrndscaleps => lanes!(f32, a; rounded(f64::from(a)) as f32),
        Mnemonic::Vrndscalepd => lanes!(f64, a; rounded(a)),
        Mnemonic::Vandps | Mnemonic::Vpandd => lanes!(u32, a, b; a & b),
        Mnemonic::Vandnps => lanes!(u32, a, b; !a & b),
        Mnemonic::Vorps | Mnemonic::Vpord => lanes!(u32, a, b; a | b),
        Mnemonic::Vxorps | Mnemonic::Vpxord => lanes!(u32, a, b; a ^ b),
        Mnemonic::Vpaddd => lanes!(i32, a, b; a.wrapping_add(b)),
        Mnemonic::Vpaddq => lanes!(i64, a, b; a.wrapping_add(b)),
        Mnemonic::Vpsubd => lanes!(i32, a, b; a.wrapping_sub(b)),
        Mnemonic::Vpsubq => lanes!(i64, a, b; a.wrapping_sub(b)),
        Mnemonic::Vpmulld => lanes!(i32, a, b; a.wrapping_mul(b)),
        Mnemonic::Vpslld => lanes!(u32, a; a << by),
        Mnemonic::Vpsllq => lanes!(u64, a; a << by),
        Mnemonic::Vpsrld => lanes!(u32, a; a >> by),
        Mnemonic::Vpsrlq => lanes!(u64, a; a >> by),
        Mnemonic::Vpsrad => lanes!(i32, a; a >> by),
        // Each bit of the constant is the result for one combination of three bits.
        Mnemonic::Vpternlogd => lanes!(u32, old, a, b; (0..32).map(|n| {
            let combination = (old >> n & 1) << 2 | (a >> n & 1) << 1 | (b >> n & 1);
            (u32::from(by) >> combination & 1) << n
        }).sum()),
        Mnemonic::Vcvtdq2ps => lanes!(u32, a; (a as i32 as f32).to_bits()),
        Mnemonic::Vcvttps2dq => lanes!(u32, a; f32::from_bits(a) as i32 as u32),
        _ => return None,
    })
}
