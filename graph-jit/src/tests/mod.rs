//! Machine code held against the interpreter.

#[cfg(target_arch = "x86_64")]
mod chain_cost;
#[cfg(target_arch = "x86_64")]
pub mod chains;
mod cost;
#[cfg(target_arch = "x86_64")]
mod element_loops;
mod functions;
mod hot;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod lists;
#[cfg(target_arch = "x86_64")]
mod loops;
mod machines;
mod programs;
mod random;
#[cfg(target_arch = "x86_64")]
mod random_chains;
#[cfg(target_arch = "x86_64")]
mod rows;

use graph_kernels::codegen::{Codegen, MemoryTypes, WordSource};
use graph_kernels::{Array, DType, Memory, REGISTERS, Register, Registers, WordProgram, WordStep};

use crate::Cranelift;

/// The dtypes that have words.
const DTYPES: [DType; 13] = [
    DType::F32,
    DType::F64,
    DType::F16,
    DType::BF16,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::Bool,
];

/// Words that are special to a dtype: small numbers, limits, and of floats zeros, infinities, denormals and NaN.
fn words(dtype: DType) -> Vec<u64> {
    let floats = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        2.5,
        3.5,
        1e-40,
        -1e30,
        2_147_483_648.0,
        9.3e18,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let integers = [
        0,
        1,
        2,
        3,
        7,
        8,
        31,
        100,
        -1,
        -2,
        -8,
        127,
        -128,
        i64::from(i32::MAX),
        i64::from(i32::MIN),
        i64::MAX,
        i64::MIN,
    ];
    let half = |v: f64| graph_kernels::f16::from_f64(v).to_bits();
    let brain = |v: f64| graph_kernels::bf16::from_f64(v).to_bits();
    match dtype {
        DType::F32 => floats.map(|v| u64::from((v as f32).to_bits())).to_vec(),
        DType::F64 => floats.map(f64::to_bits).to_vec(),
        DType::F16 => floats.map(|v| u64::from(half(v))).to_vec(),
        DType::BF16 => floats.map(|v| u64::from(brain(v))).to_vec(),
        DType::Bool => vec![0, 1],
        integer => {
            let mask = u64::MAX >> (64 - 8 * integer.bytes());
            integers.map(|v| v as u64 & mask).to_vec()
        }
    }
}

/// A word for comparison: all NaNs are one.
pub fn comparable(dtype: DType, word: u64) -> u64 {
    let nan = match dtype {
        DType::F32 => f32::from_bits(word as u32).is_nan(),
        DType::F64 => f64::from_bits(word).is_nan(),
        DType::F16 => word & 0x7fff > 0x7c00,
        DType::BF16 => word & 0x7fff > 0x7f80,
        _ => false,
    };
    if nan { u64::MAX } else { word }
}

fn results(source: &WordSource, registers: &Registers) -> Vec<u64> {
    let results = source.results.iter();
    results
        .map(|(register, dtype)| comparable(*dtype, registers[usize::from(*register)]))
        .collect()
}

fn source(steps: &[WordStep], results: &[(Register, DType)]) -> WordSource {
    WordSource {
        steps: steps.to_vec(),
        constants: Vec::new(),
        results: results.to_vec(),
    }
}

/// Runs a program by the interpreter and as code, from its beginning, and compares. Returns whether the run came to the end.
fn compare(source: &WordSource, registers: &Registers, arrays: &[&Array], case: &str) -> bool {
    let codegen = Cranelift::new().expect("Cranelift knows the machine of the tests");
    let types = MemoryTypes::of(&Memory::of(arrays));
    let code = codegen
        .words(source, &types, 0)
        .unwrap_or_else(|| panic!("no code for {case}"));
    compare_code(source, &*code, registers, arrays, case)
}

/// Like [`compare`], with code that exists.
fn compare_code(
    source: &WordSource,
    code: &dyn graph_kernels::codegen::WordCode,
    registers: &Registers,
    arrays: &[&Array],
    case: &str,
) -> bool {
    let program = WordProgram::new(&source.steps, &source.constants).unwrap();
    let (mut interpreted, mut ran) = (*registers, *registers);
    let done = program.run(&mut interpreted, arrays).is_ok();
    assert_eq!(
        code.run(&mut ran, &mut Memory::of(arrays), 0),
        done,
        "{case}"
    );
    if done {
        assert_eq!(
            results(source, &ran),
            results(source, &interpreted),
            "{case}"
        );
    } else {
        assert_eq!(&ran, registers, "{case}");
    }
    done
}

const ZEROS: Registers = [0; REGISTERS];
