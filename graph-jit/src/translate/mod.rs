//! From the steps of a word program to a function of Cranelift's.
//!
//! `step` has the code of each step, `memory` that of reads and writes of arrays and lists, `values` that of registers.
//!
//! The function takes the registers, the rows of arrays, those of lists, and the step at which it begins. It loads what is read from the registers, keeps values in
//! machine registers, and stores the results at the end of the program. It returns 1 there. If a step fails, it returns 0 and has stored
//! nothing.

mod memory;
mod step;
mod values;

use std::collections::BTreeMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, Function, InstBuilder, MemFlagsData, SigRef, Signature, StackSlot,
    UserFuncName, Value, types,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use graph_kernels::Register;
use graph_kernels::codegen::{MemoryTypes, WordSource};

use crate::access::results;
use crate::flow::{Choice, Flow};
use crate::kind::TypedRegister;
use crate::live::{TypedSet, lives};
use crate::row::Row;

/// The bytes of a register.
const WORD: i32 = 8;

/// The function of a program that is entered at its beginning and at `entry`; `None` if there is none.
pub fn function(
    source: &WordSource,
    memory: &MemoryTypes,
    entry: usize,
    target: TargetFrontendConfig,
) -> Option<Function> {
    let lives = lives(source, memory)?;
    let mut signature = Signature::new(target.default_call_conv);
    signature.params = vec![AbiParam::new(types::I64); 4];
    signature.returns.push(AbiParam::new(types::I32));
    let mut function = Function::with_name_signature(UserFuncName::default(), signature);
    let mut context = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut function, &mut context);
    let mut translator = Translator::new(builder, source, memory, &lives, entry, target);
    translator.enter(entry)?;
    translator.steps()?;
    translator.leave()?;
    translator.builder.seal_all_blocks();
    translator.builder.finalize(target);
    Some(function)
}

struct Translator<'a> {
    builder: FunctionBuilder<'a>,
    source: &'a WordSource,
    memory: &'a MemoryTypes,
    /// What is read at each step or after it.
    lives: &'a [TypedSet],
    flow: Flow,
    target: TargetFrontendConfig,
    constants: BTreeMap<Register, u64>,
    variables: BTreeMap<TypedRegister, Variable>,
    /// The blocks that begin at steps.
    blocks: BTreeMap<usize, Block>,
    /// Where the code goes if a step fails.
    failed: Block,
    /// The address of the registers.
    registers: Value,
    /// The address of each array, the size of its first axis, and the number of values at each position.
    rows: Vec<[Value; 3]>,
    /// The address of the rows of the lists.
    lists: Value,
    /// The dividends and constant divisors of remainders.
    remainders: BTreeMap<Value, (Value, i64)>,
    /// What calls of functions need, once there is one.
    calls: Option<(SigRef, StackSlot)>,
    /// The signature of the call for more room in a list, once there is one.
    growing: Option<SigRef>,
}

impl<'a> Translator<'a> {
    fn new(
        mut builder: FunctionBuilder<'a>,
        source: &'a WordSource,
        memory: &'a MemoryTypes,
        lives: &'a [TypedSet],
        entry: usize,
        target: TargetFrontendConfig,
    ) -> Self {
        let flow = Flow::of(source, entry);
        let first = builder.create_block();
        builder.append_block_params_for_function_params(first);
        builder.switch_to_block(first);
        let leaders = flow.leaders.iter();
        let blocks = leaders.map(|at| (*at, builder.create_block())).collect();
        let failed = builder.create_block();
        builder.set_cold_block(failed);
        Translator {
            registers: builder.block_params(first)[0],
            lists: builder.block_params(first)[2],
            source,
            memory,
            lives,
            flow,
            target,
            constants: source.constants.iter().copied().collect(),
            variables: BTreeMap::new(),
            blocks,
            failed,
            rows: Vec::new(),
            remainders: BTreeMap::new(),
            calls: None,
            growing: None,
            builder,
        }
    }

    /// The ways into the program.
    fn enter(&mut self, entry: usize) -> Option<()> {
        let first = self.builder.current_block()?;
        let [_, rows, _, at] = *self.builder.block_params(first) else {
            return None;
        };
        for number in 0..self.memory.arrays.len() {
            let offset = Row::BYTES * i32::try_from(number).ok()?;
            let mut part = |offset| {
                let flags = MemFlagsData::trusted();
                self.builder.ins().load(types::I64, flags, rows, offset)
            };
            let row = [0, Row::LEN, Row::VALUES].map(|field| part(offset + field));
            self.rows.push(row);
        }
        let [middle, beginning] = [(); 2].map(|()| self.builder.create_block());
        let in_middle = self
            .builder
            .ins()
            .icmp_imm_u(IntCC::Equal, at, entry as i64);
        self.builder
            .ins()
            .brif(in_middle, middle, &[], beginning, &[]);
        for (block, step) in [(middle, entry), (beginning, 0)] {
            self.builder.switch_to_block(block);
            let live: Vec<TypedRegister> = self.lives[step].iter().collect();
            for typed @ (register, kind) in live {
                let flags = MemFlagsData::trusted();
                let offset = i32::from(register) * WORD;
                let registers = self.registers;
                let value = self.builder.ins().load(kind.ty(), flags, registers, offset);
                self.set(typed, value);
            }
            let step = self.blocks[&step];
            self.builder.ins().jump(step, &[]);
        }
        Some(())
    }

    /// The end of the program, and the end of code that failed.
    fn leave(&mut self) -> Option<()> {
        let end = self.blocks[&self.source.steps.len()];
        self.builder.switch_to_block(end);
        for (register, kind) in results(self.source)? {
            let value = self.get((register, kind));
            let word = self.word_of(value, kind);
            let offset = i32::from(register) * WORD;
            let registers = self.registers;
            self.builder
                .ins()
                .store(MemFlagsData::trusted(), word, registers, offset);
        }
        let done = self.builder.ins().iconst(types::I32, 1);
        self.builder.ins().return_(&[done]);
        self.builder.switch_to_block(self.failed);
        let failed = self.builder.ins().iconst(types::I32, 0);
        self.builder.ins().return_(&[failed]);
        Some(())
    }

    fn steps(&mut self) -> Option<()> {
        // False behind a jump, where no code is until the next block.
        let mut open = false;
        let mut at = 0;
        while at <= self.source.steps.len() {
            if let Some(block) = self.blocks.get(&at).copied() {
                if open {
                    self.builder.ins().jump(block, &[]);
                }
                self.builder.switch_to_block(block);
                open = true;
            }
            if at == self.source.steps.len() {
                break;
            }
            if !open {
                at += 1;
            } else if let Some(choice) = self.flow.choices.get(&at).cloned() {
                self.choose(at, &choice)?;
                at = choice.end;
            } else {
                open = self.step(at)?;
                at += 1;
            }
        }
        Some(())
    }

    /// Computes both ways of a branch, and takes the values of one.
    fn choose(&mut self, at: usize, choice: &Choice) -> Option<()> {
        let condition = self.condition(at)?;
        let live: Vec<TypedRegister> = self.lives[choice.end].iter().collect();
        let lives = self.lives;
        let before: Vec<(TypedRegister, Value)> = lives[at]
            .iter()
            .map(|typed| (typed, self.get(typed)))
            .collect();
        let mut ways = Vec::new();
        for way in [&choice.then, &choice.otherwise] {
            for (typed, value) in &before {
                self.set(*typed, *value);
            }
            for step in way.clone() {
                self.step(step)?;
            }
            let values: Vec<Value> = live.iter().map(|typed| self.get(*typed)).collect();
            ways.push(values);
        }
        for ((typed, yes), no) in live.iter().zip(&ways[0]).zip(&ways[1]) {
            let value = match yes == no {
                true => *yes,
                false => self.builder.ins().select(condition, *yes, *no),
            };
            self.set(*typed, value);
        }
        Some(())
    }
}
