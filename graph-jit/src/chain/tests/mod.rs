//! Random programs of lanes, held against their evaluation: by the code for AVX2 where the CPU has it, and by the code for AVX-512 on an
//! [emulator], so that it is tested on every machine.

mod emulator;
mod loops;

use graph_kernels::DType;
use graph_kernels::codegen::{
    ChainInput, ChainSource, Comparison, LaneOp, LaneProgram, LaneStep, LaneType, Rounding,
};
use graph_kernels::simd::{Level, with_level};

use super::instructions::Vectors;
use super::{Layout, body, compile};
use crate::tests::chains::Random;
use emulator::Machine;

/// A program of random steps. Floats and integers are kept apart, because the bits of a NaN are nobody's.
struct Writer {
    random: Random,
    program: LaneProgram,
    float: LaneType,
    integer: LaneType,
    /// The steps that aren't read any more.
    hidden: Vec<usize>,
}

impl Writer {
    fn push(&mut self, op: LaneOp, ty: LaneType, operands: &[usize]) -> usize {
        self.program.steps.push(LaneStep {
            op,
            ty,
            operands: operands.iter().copied().collect(),
        });
        self.program.steps.len() - 1
    }

    /// A step whose value has a type.
    fn pick(&mut self, ty: LaneType) -> usize {
        let steps = self.program.steps.iter().enumerate();
        let fits: Vec<usize> = steps
            .filter(|(n, step)| step.output() == ty && !self.hidden.contains(n))
            .filter(|(_, step)| !matches!(step.op, LaneOp::Loop(_) | LaneOp::Repeat(_)))
            .map(|(n, _)| n)
            .collect();
        fits[self.random.below(fits.len())]
    }

    fn number(&mut self, ty: LaneType) -> usize {
        let value = self.random.below(64) as f64 - 30.5;
        let bits = match ty {
            LaneType::F32 => u64::from((value as f32).to_bits()),
            LaneType::F64 => value.to_bits(),
            LaneType::Mask => self.random.next() & 1,
            _ => self.random.next() & 0xFFFF,
        };
        self.push(LaneOp::Number(bits), ty, &[])
    }

    /// A step with a float.
    fn float(&mut self) -> usize {
        let ty = self.float;
        let (a, b, c) = (self.pick(ty), self.pick(ty), self.pick(ty));
        let sign = if ty == LaneType::F32 {
            1 << 31
        } else {
            1 << 63
        };
        match self.random.below(12) {
            0 => self.push(LaneOp::Add, ty, &[a, b]),
            1 => self.push(LaneOp::Sub, ty, &[a, b]),
            2 => self.push(LaneOp::Mul, ty, &[a, b]),
            3 => self.push(LaneOp::Div, ty, &[a, b]),
            4 => self.push(LaneOp::Sqrt, ty, &[a]),
            5 => {
                let all = [
                    Rounding::Nearest,
                    Rounding::Down,
                    Rounding::Up,
                    Rounding::TowardsZero,
                ];
                let to = all[self.random.below(4)];
                self.push(LaneOp::Round(to), ty, &[a])
            }
            6 => {
                let rest = self.push(LaneOp::Number(sign - 1), ty, &[]);
                let magnitude = self.push(LaneOp::And, ty, &[a, rest]);
                let sign = self.push(LaneOp::Number(sign), ty, &[]);
                let op = [LaneOp::Or, LaneOp::Xor][self.random.below(2)];
                self.push(op, ty, &[sign, magnitude])
            }
            7 => {
                let mask = self.pick(LaneType::Mask);
                let zero = self.push(LaneOp::Number(0), ty, &[]);
                let all = [[a, b], [a, zero], [zero, b]];
                let [a, b] = all[self.random.below(3)];
                self.push(LaneOp::Select, ty, &[mask, a, b])
            }
            8 => {
                // A limit.
                let less = self.push(LaneOp::Compare(Comparison::Less), ty, &[a, b]);
                let [a, b] = [[a, b], [b, a]][self.random.below(2)];
                self.push(LaneOp::Select, ty, &[less, a, b])
            }
            9 if ty == LaneType::F32 => {
                let x = self.pick(LaneType::I32);
                self.push(LaneOp::ToFloat, ty, &[x])
            }
            _ => self.push(LaneOp::MulAdd, ty, &[a, b, c]),
        }
    }

    /// A step with an integer.
    fn integer(&mut self) -> usize {
        let ty = self.integer;
        let (a, b) = (self.pick(ty), self.pick(ty));
        let by = 1 + self.random.below(20) as u8;
        match self.random.below(10) {
            0 => self.push(LaneOp::Sub, ty, &[a, b]),
            1 => self.push(LaneOp::And, ty, &[a, b]),
            2 => self.push(LaneOp::Or, ty, &[a, b]),
            3 => self.push(LaneOp::Xor, ty, &[a, b]),
            4 => self.push(LaneOp::ShiftLeft(by), ty, &[a]),
            5 => self.push(LaneOp::ShiftRight(by), ty, &[a]),
            6 if ty == LaneType::I32 => self.push(LaneOp::Mul, ty, &[a, b]),
            7 if ty == LaneType::I32 => self.push(LaneOp::ShiftRightSigned(by), ty, &[a]),
            8 if ty == LaneType::I32 => {
                let small = self.push(LaneOp::ShiftRight(10), ty, &[a]);
                let float = self.push(LaneOp::ToFloat, LaneType::F32, &[small]);
                self.push(LaneOp::ToInteger, ty, &[float])
            }
            _ => self.push(LaneOp::Add, ty, &[a, b]),
        }
    }

    /// A step with a mask.
    fn mask(&mut self) -> usize {
        let how = [Comparison::Less, Comparison::LessEqual, Comparison::Equal];
        let how = how[self.random.below(3)];
        let mut ty = self.float;
        if self.integer == LaneType::I32 && self.random.below(2) == 0 {
            ty = self.integer;
        }
        let compared = [self.pick(ty), self.pick(ty)];
        let masks = [self.pick(LaneType::Mask), self.pick(LaneType::Mask)];
        match self.random.below(6) {
            0 => self.push(LaneOp::And, LaneType::Mask, &masks),
            1 => self.push(LaneOp::Or, LaneType::Mask, &masks),
            2 => self.push(LaneOp::Xor, LaneType::Mask, &masks),
            _ => self.push(LaneOp::Compare(how), ty, &compared),
        }
    }
}

/// A random chain over floats of a size, with inputs of all kinds and one or two results.
fn source(seed: u64, size: usize) -> ChainSource {
    let (float, integer) = match size {
        4 => (LaneType::F32, LaneType::I32),
        _ => (LaneType::F64, LaneType::I64),
    };
    let mut writer = Writer {
        random: Random::new(seed),
        program: LaneProgram::default(),
        float,
        integer,
        hidden: Vec::new(),
    };
    let dtype = if size == 4 { DType::F32 } else { DType::F64 };
    let dtypes = [dtype, dtype, dtype, DType::Bool, DType::Bool];
    let types = [float, float, float, LaneType::Mask, LaneType::Mask];
    let inputs = [
        ChainInput::Each,
        ChainInput::Same,
        ChainInput::Result(0),
        ChainInput::Each,
        ChainInput::Same,
    ];
    for (n, ty) in types.into_iter().enumerate() {
        writer.push(LaneOp::Input(n), ty, &[]);
    }
    for ty in [float, integer, integer, LaneType::Mask] {
        writer.number(ty);
    }
    for _ in 0..5 + writer.random.below(120) {
        match writer.random.below(8) {
            0 => writer.number(float),
            1 => writer.mask(),
            2 | 3 => writer.integer(),
            _ => writer.float(),
        };
    }
    let mut sum = writer.pick(float);
    for n in 0..writer.program.steps.len() {
        if writer.program.steps[n].output() == float {
            sum = writer.push(LaneOp::Add, float, &[sum, n]);
        }
    }
    let other = writer.float();
    writer.program.results = vec![sum, other];
    ChainSource {
        program: writer.program,
        inputs: inputs.into_iter().collect(),
        dtypes: dtypes.into_iter().collect(),
        results: [dtype; 2].into_iter().collect(),
    }
}

/// A number of a size as its bytes, of which all NaNs are the same.
fn canonical(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(word);
    let dtype = if bytes.len() == 4 {
        DType::F32
    } else {
        DType::F64
    };
    crate::tests::comparable(dtype, bits)
}

/// The bytes of the inputs of a chain, for some places, and the results by evaluation.
fn case(source: &ChainSource, size: usize, len: usize, seed: u64) -> (Vec<Vec<u8>>, [Vec<u64>; 2]) {
    let mut random = Random::new(seed);
    let kinds = source.inputs.iter().zip(&source.dtypes);
    let words: Vec<Vec<u64>> = kinds
        .map(|(input, dtype)| {
            let count = if *input == ChainInput::Same { 1 } else { len };
            (0..count).map(|_| random.word(*dtype)).collect()
        })
        .collect();
    let mut results = [Vec::new(), Vec::new()];
    for place in 0..len {
        let at = words.iter().map(|words| words[place.min(words.len() - 1)]);
        let values = source.program.evaluate(&at.collect::<Vec<u64>>()).unwrap();
        for (result, value) in results.iter_mut().zip(values) {
            result.push(canonical(&value.to_le_bytes()[..size]));
        }
    }
    let bytes = words.iter().zip(&source.dtypes).map(|(words, dtype)| {
        let bytes = words.iter().map(|word| word.to_le_bytes());
        bytes
            .flat_map(|word| word[..dtype.bytes()].to_vec())
            .collect()
    });
    (bytes.collect(), results)
}

#[test]
fn code_gives_what_the_steps_give_on_this_cpu() {
    for level in [Level::Avx2, Level::Avx512] {
        // Levels that the CPU doesn't have are left out.
        with_level(level, || compare_random_chains(level));
    }
}

fn compare_random_chains(level: Level) {
    for seed in 0..400 {
        let (size, len) = ([4, 8][seed as usize % 2], 1 + seed as usize % 41);
        let source = source(seed, size);
        let (inputs, expected) = case(&source, size, len, seed + 5000);
        let code = compile(&source).unwrap_or_else(|| panic!("no code for {seed}"));
        let mut results = [inputs[2].clone(), vec![0; len * size]];
        let slices: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
        let [first, second] = &mut results;
        assert!(code.run(len, &slices, &mut [first, second], false));
        let given = results.map(|bytes| bytes.chunks(size).map(canonical).collect::<Vec<u64>>());
        assert_eq!(given, expected, "{seed} {level:?}");
    }
}

#[test]
fn code_for_avx512_on_an_emulator_gives_what_the_steps_give() {
    for seed in 0..400 {
        let size = [4, 8][seed as usize % 2];
        let source = source(seed, size);
        let layout = Layout::new(&source, Vectors::Wide).unwrap();
        let at_once = 1 + seed as usize % 2;
        let len = layout.lanes * at_once * (1 + seed as usize % 3);
        let (inputs, expected) = case(&source, size, len, seed + 5000);
        let function = body::function(&source, &layout, seed % 4 == 3, at_once);
        let function = function.unwrap_or_else(|_| panic!("no code for {seed}"));
        // In the order of the pointers: inputs with values of their own, then the results.
        let arrays = [
            inputs[0].clone(),
            inputs[3].clone(),
            inputs[2].clone(),
            vec![0; len * size],
        ];
        let truth = vec![0u8.wrapping_sub(inputs[4][0]); size];
        let same = [inputs[1].clone(), truth];
        let [.., first, second] = Machine::run(&function, arrays, &same, len);
        let given =
            [first, second].map(|bytes| bytes.chunks(size).map(canonical).collect::<Vec<u64>>());
        assert_eq!(given, expected, "{seed}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let fits = |change: fn(&mut ChainSource)| {
        let mut source = source(1, 4);
        change(&mut source);
        Layout::new(&source, Vectors::Narrow).is_some()
    };
    assert!(fits(|_| {}));
    assert!(!fits(|source| source.inputs[2] = ChainInput::Result(2)));
    assert!(!fits(|source| source.dtypes[0] = DType::I16));
    assert!(!fits(|source| source.results[1] = DType::F64));
    assert!(!fits(|source| source.dtypes.truncate(4)));
    assert!(!fits(
        |source| source.results = [DType::F32; 10].into_iter().collect()
    ));
}
