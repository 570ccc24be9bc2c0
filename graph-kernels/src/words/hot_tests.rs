//! When programs become code, with a [`Codegen`] whose code is the interpreter.

use std::sync::Mutex;

use smallvec::smallvec;

use super::codegen::{
    Codegen, MemoryTypes, WordCode, WordSource, compile_words_after, set_codegen,
};
use super::*;

/// Makes code of programs whose last constant is 0 or 1. The code of the former comes to its end, that of the latter never does.
#[derive(Debug)]
struct Interpreted;

/// Where code was asked for, and where it was run from.
static ASKED: Mutex<Vec<usize>> = Mutex::new(Vec::new());
static RUN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

#[derive(Debug)]
struct Code {
    program: WordProgram,
    fails: bool,
}

impl Codegen for Interpreted {
    fn words(
        &self,
        source: &WordSource,
        _: &MemoryTypes,
        entry: usize,
    ) -> Option<Box<dyn WordCode>> {
        ASKED.lock().unwrap().push(entry);
        let program = WordProgram::new(&source.steps, &source.constants)?;
        let fails = match source.constants.last()?.1 {
            0 => false,
            1 => true,
            _ => return None,
        };
        Some(Box::new(Code { program, fails }))
    }
}

impl WordCode for Code {
    fn run(&self, registers: &mut Registers, memory: &mut Memory<'_>, at: usize) -> bool {
        RUN.lock().unwrap().push(at);
        let mut copy = *registers;
        let done = self.program.interpret(&mut copy, memory, at).is_ok() && !self.fails;
        if done {
            *registers = copy;
        }
        done
    }
}

/// The sum of the numbers from 1 to r0 in r1. The last constant says what becomes of the program.
fn sum(fate: u64) -> WordProgram {
    let apply = |op, a, b, to| WordStep::Apply {
        op,
        dtype: DType::I64,
        operands: smallvec![a, b],
        to,
    };
    let steps = [
        WordStep::UnlessHolds {
            op: ElementOp::Greater,
            dtype: DType::I64,
            operands: [0, 8],
            target: 4,
        },
        apply(ElementOp::Add, 1, 0, 1),
        apply(ElementOp::Sub, 0, 9, 0),
        WordStep::Jump(0),
    ];
    let constants = [(8, 0), (9, 1), (10, fate)];
    WordProgram::with_results(&steps, &constants, &[(1, DType::I64)]).unwrap()
}

#[test]
fn a_program_becomes_code_in_the_middle_of_its_loop() {
    set_codegen(&Interpreted);
    compile_words_after(Some(12));
    let taken = |places: &Mutex<Vec<usize>>| std::mem::take(&mut *places.lock().unwrap());
    // A jump back leads to the step behind the condition, because it tests that itself. Ten numbers are nine jumps.
    for (fate, code, asked, runs) in [
        (0, true, vec![1], vec![1, 0]),
        (1, true, vec![1], vec![1, 0]),
        (2, false, vec![1], vec![]),
    ] {
        let program = sum(fate);
        let run = || {
            let mut registers = [0; REGISTERS];
            registers[0] = 10;
            program.run(&mut registers, &[]).unwrap();
            registers[1]
        };
        assert_eq!(run(), 55);
        assert!(taken(&ASKED).is_empty() && !program.has_code());
        assert_eq!([run(), run()], [55, 55]);
        assert_eq!((taken(&ASKED), taken(&RUN)), (asked, runs), "{fate}");
        assert_eq!(program.has_code(), code);
    }
    // Switched off, the code that exists rests.
    let program = sum(0);
    let mut registers = [0; REGISTERS];
    registers[0] = 100;
    program.run(&mut registers, &[]).unwrap();
    assert!(program.has_code() && !taken(&RUN).is_empty());
    compile_words_after(None);
    registers[..2].copy_from_slice(&[100, 0]);
    program.run(&mut registers, &[]).unwrap();
    assert_eq!((registers[1], taken(&RUN)), (5050, vec![]));
}
