//! Random programs of lanes with loops, some of them one in the other, held against their evaluation: by the code for each level of the CPU.
//! Some are of `float64` with `int32` beside them.

use super::*;

/// How a program's numbers are: floats and integers of 4 bytes or of 8, or floats of 8 with integers of 4.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sizes {
    Four,
    Eight,
    Both,
}

impl Sizes {
    fn types(self) -> (LaneType, LaneType, DType) {
        match self {
            Sizes::Four => (LaneType::F32, LaneType::I32, DType::F32),
            Sizes::Eight => (LaneType::F64, LaneType::I64, DType::F64),
            Sizes::Both => (LaneType::F64, LaneType::I32, DType::F64),
        }
    }
}

impl Writer {
    /// A step that all sizes have.
    fn any(&mut self, sizes: Sizes) {
        let ty = self.integer;
        let (a, b) = (self.pick(ty), self.pick(ty));
        let by = 1 + self.random.below(20) as u8;
        match self.random.below(12) {
            0 if sizes != Sizes::Eight => {
                let how = [Comparison::Less, Comparison::LessEqual, Comparison::Equal];
                let how = how[self.random.below(3)];
                self.push(LaneOp::Compare(how), ty, &[a, b])
            }
            0 => self.push(LaneOp::Compare(Comparison::Less), ty, &[a, b]),
            1 => self.push(LaneOp::ShiftRight(by), ty, &[a]),
            2 => self.push(LaneOp::ShiftLeft(by), ty, &[a]),
            3 => self.push(LaneOp::Xor, ty, &[a, b]),
            4 => {
                let mask = self.pick(LaneType::Mask);
                self.push(LaneOp::Select, ty, &[mask, a, b])
            }
            5 => self.push(LaneOp::Sub, ty, &[a, b]),
            6 | 7 => self.mask(),
            _ => self.float(),
        };
    }

    /// A loop of a few iterations, of each lane as many as one of its numbers says. Lanes that are done keep their values.
    fn repeat(&mut self, sizes: Sizes, depth: usize) {
        let (integer, mask) = (self.integer, LaneType::Mask);
        let begin = self.program.steps.len();
        let zero = self.push(LaneOp::Number(0), integer, &[]);
        let one = self.push(LaneOp::Number(1), integer, &[]);
        let most = self.random.next() & 7;
        let some = self.push(LaneOp::Number(most), integer, &[]);
        let number = self.pick(integer);
        let limit = self.push(LaneOp::And, integer, &[number, some]);
        let running = self.pick(mask);
        let firsts: Vec<usize> = (0..self.random.below(4))
            .map(|_| [self.pick(self.float), self.pick(integer)][self.random.below(2)])
            .collect();
        self.push(LaneOp::Loop(begin), mask, &[]);
        let mut carried = vec![];
        for (n, first) in [running, zero].iter().chain(&firsts).enumerate() {
            let ty = self.program.steps[*first].output();
            carried.push(self.push(LaneOp::Carried(100 * begin + n), ty, &[*first]));
        }
        for _ in 0..1 + self.random.below(12) {
            match self.random.below(12) {
                0 if depth > 0 => self.repeat(sizes, depth - 1),
                _ => self.any(sizes),
            }
        }
        let count = self.push(LaneOp::Add, integer, &[carried[1], one]);
        let less = self.push(LaneOp::Compare(Comparison::Less), integer, &[count, limit]);
        let again = self.push(LaneOp::And, mask, &[carried[0], less]);
        let mut operands = vec![again, again, count];
        for value in carried.iter().skip(2) {
            let ty = self.program.steps[*value].output();
            // Another one that is carried, now and then: they go round.
            let next = match self.random.below(3) {
                0 => carried[2 + self.random.below(carried.len() - 2)],
                _ => self.pick(ty),
            };
            let fits = self.program.steps[next].output() == ty;
            let next = if fits { next } else { *value };
            operands.push(self.push(LaneOp::Select, ty, &[carried[0], next, *value]));
        }
        // Other values of the loop depend on how often the other lanes of the vector run it.
        let inside = begin..self.program.steps.len();
        let hides = |n: &usize| !operands[3..].contains(n);
        self.hidden.extend(inside.filter(hides));
        self.push(LaneOp::Repeat(begin), mask, &operands);
    }
}

fn source(seed: u64, sizes: Sizes) -> ChainSource {
    let (float, integer, dtype) = sizes.types();
    let mut writer = Writer {
        random: Random::new(seed),
        program: LaneProgram::default(),
        float,
        integer,
        hidden: Vec::new(),
    };
    let whole = if sizes == Sizes::Eight {
        dtype
    } else {
        DType::I32
    };
    let whole_type = if sizes == Sizes::Eight {
        float
    } else {
        integer
    };
    let dtypes = [dtype, whole, dtype, DType::Bool, whole];
    let types = [float, whole_type, float, LaneType::Mask, whole_type];
    let inputs = [
        ChainInput::Each,
        ChainInput::Each,
        ChainInput::Same,
        ChainInput::Each,
        ChainInput::Same,
    ];
    for (n, ty) in types.into_iter().enumerate() {
        writer.push(LaneOp::Input(n), ty, &[]);
    }
    for ty in [float, integer, integer, LaneType::Mask] {
        writer.number(ty);
    }
    for _ in 0..1 + writer.random.below(3) {
        (0..writer.random.below(6)).for_each(|_| writer.any(sizes));
        writer.repeat(sizes, 2);
    }
    let others = [writer.pick(float), writer.float(), writer.pick(whole_type)];
    writer.program.results = others.to_vec();
    ChainSource {
        program: writer.program,
        inputs: inputs.into_iter().collect(),
        dtypes: dtypes.into_iter().collect(),
        results: [dtype, dtype, whole].into_iter().collect(),
    }
}

#[test]
fn random_loops_give_what_the_steps_give() {
    for level in [Level::Avx2, Level::Avx512] {
        // Levels that the CPU doesn't have are left out.
        with_level(level, || compare_random_loops(level));
    }
}

fn compare_random_loops(level: Level) {
    let mut refused = 0;
    for seed in 0..600 {
        let sizes = [Sizes::Four, Sizes::Eight, Sizes::Both][seed as usize % 3];
        let source = source(seed, sizes);
        let len = 1 + seed as usize % 41;
        let mut random = Random::new(seed + 5000);
        let kinds = source.inputs.iter().zip(&source.dtypes);
        let words: Vec<Vec<u64>> = kinds
            .map(|(input, dtype)| {
                let count = if *input == ChainInput::Same { 1 } else { len };
                (0..count).map(|_| random.word(*dtype)).collect()
            })
            .collect();
        let mut expected = vec![Vec::new(); 3];
        for place in 0..len {
            let at = words.iter().map(|words| words[place.min(words.len() - 1)]);
            let values = source.program.evaluate(&at.collect::<Vec<u64>>()).unwrap();
            for ((result, value), dtype) in expected.iter_mut().zip(values).zip(&source.results) {
                result.push(canonical_of(*dtype, value));
            }
        }
        let bytes: Vec<Vec<u8>> = words
            .iter()
            .zip(&source.dtypes)
            .map(|(words, dtype)| {
                let bytes = words.iter().map(|word| word.to_le_bytes());
                bytes
                    .flat_map(|word| word[..dtype.bytes()].to_vec())
                    .collect()
            })
            .collect();
        // Loops within loops may carry more values than there are registers.
        let Some(code) = compile(&source) else {
            refused += 1;
            continue;
        };
        let mut results: Vec<Vec<u8>> = source
            .results
            .iter()
            .map(|dtype| vec![0; len * dtype.bytes()])
            .collect();
        let slices: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
        let mut outs: Vec<&mut [u8]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        assert!(code.run(len, &slices, &mut outs, false));
        for ((bytes, dtype), expected) in results.iter().zip(&source.results).zip(&expected) {
            let values = bytes.chunks(dtype.bytes()).map(|bytes| {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                canonical_of(*dtype, u64::from_le_bytes(word))
            });
            let values: Vec<u64> = values.collect();
            assert_eq!(&values, expected, "{seed} {sizes:?} {level:?} {source:#?}");
        }
    }
    assert!(refused < 180, "{refused} at {level:?}");
}

fn canonical_of(dtype: DType, word: u64) -> u64 {
    let bits = if dtype.bytes() == 4 {
        word & u64::from(u32::MAX)
    } else {
        word
    };
    crate::tests::comparable(dtype, bits)
}
