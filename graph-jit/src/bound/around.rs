//! The function that goes around a bound loop, by Cranelift.
//!
//! It takes the table of the arrays' addresses, the vectors of values that are the same for all elements of a chain, the registers of word programs,
//! and where the number of iterations is written. It returns 0 at the loop's end, or a step's number plus 1 if the step can't be done.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, Function, InstBuilder, MemFlagsData, SigRef, Signature, StackSlot,
    StackSlotData, StackSlotKind, Type, UserFuncName, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use graph_kernels::codegen::{LoopChain, LoopInput, LoopSource, LoopStep};
use graph_kernels::{BoundArray, DType, Register, WrittenWords};

use super::code::{Called, call_function};
use super::{Part, Parts, array, place};
use crate::chain::call_rest;
use crate::chain::{ChainFunction, VECTOR};

/// The bytes of an address, and of a register of a word program.
const WORD: i32 = 8;

/// The function of a loop; `None` if there is none.
pub fn function(
    source: &LoopSource,
    parts: &Parts,
    target: TargetFrontendConfig,
) -> Option<Function> {
    let mut signature = Signature::new(target.default_call_conv);
    signature.params = vec![AbiParam::new(types::I64); 4];
    signature.returns.push(AbiParam::new(types::I64));
    let mut function = Function::with_name_signature(UserFuncName::default(), signature);
    let mut context = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut function, &mut context);
    let mut around = Around::new(builder, source, target)?;
    around.all(parts)?;
    around.builder.seal_all_blocks();
    around.builder.finalize(target);
    Some(function)
}

struct Around<'a> {
    builder: FunctionBuilder<'a>,
    source: &'a LoopSource,
    /// The addresses of the table of arrays, of the vectors, of the registers, and of the count of iterations.
    table: Value,
    vectors: Value,
    registers: Value,
    count: Value,
    iterations: Variable,
    /// Where the loop ends.
    end: Block,
    /// The pointers that a chain's function takes.
    pointers: StackSlot,
    /// The signatures of a chain's function, of a word program, and of what calculates a chain's last values.
    chain: SigRef,
    words: SigRef,
    rest: SigRef,
    /// The signature of what calls a kernel.
    function: SigRef,
}

impl<'a> Around<'a> {
    fn new(
        mut builder: FunctionBuilder<'a>,
        source: &'a LoopSource,
        target: TargetFrontendConfig,
    ) -> Option<Around<'a>> {
        let first = builder.create_block();
        builder.append_block_params_for_function_params(first);
        builder.switch_to_block(first);
        let [table, vectors, registers, count] = *builder.block_params(first) else {
            return None;
        };
        let mut signature = |convention, parameters: usize, returns: &[Type]| {
            let mut signature = Signature::new(convention);
            signature.params = vec![AbiParam::new(types::I64); parameters];
            signature.returns = returns.iter().map(|ty| AbiParam::new(*ty)).collect();
            builder.import_signature(signature)
        };
        let (chain, words, rest, function) = (
            signature(CallConv::SystemV, 3, &[]),
            signature(target.default_call_conv, 4, &[types::I32]),
            signature(target.default_call_conv, 4, &[]),
            signature(target.default_call_conv, 2, &[types::I32]),
        );
        // One more than a chain has: that of a kernel's result.
        let room = ((crate::chain::POINTERS + 1) * WORD as usize) as u32;
        let pointers = StackSlotData::new(StackSlotKind::ExplicitSlot, room, 3);
        let pointers = builder.create_sized_stack_slot(pointers);
        let iterations = builder.declare_var(types::I64);
        let end = builder.create_block();
        Some(Around {
            builder,
            source,
            table,
            vectors,
            registers,
            count,
            iterations,
            end,
            pointers,
            chain,
            words,
            rest,
            function,
        })
    }

    fn all(&mut self, parts: &Parts) -> Option<()> {
        for (step, part) in self.source.steps.iter().zip(&parts.steps) {
            if let (LoopStep::Chain(chain), Part::Chain(function, vector)) = (step, part) {
                self.spread_same(0, chain, (function, *vector), true)?;
            }
        }
        let head = self.builder.create_block();
        let zero = self.builder.ins().iconst(types::I64, 0);
        self.builder.def_var(self.iterations, zero);
        self.builder.ins().jump(head, &[]);
        self.builder.switch_to_block(head);
        for (n, (step, part)) in self.source.steps.iter().zip(&parts.steps).enumerate() {
            self.step(n, step, part)?;
        }
        if let Some(condition) = self.source.condition {
            self.end_unless(condition)?;
        }
        let iterations = self.builder.use_var(self.iterations);
        let more = self.builder.ins().iadd_imm_u(iterations, 1);
        self.builder.def_var(self.iterations, more);
        self.builder.ins().jump(head, &[]);
        let end = self.end;
        self.builder.switch_to_block(end);
        self.leave(0);
        Some(())
    }

    /// Ends the function.
    fn leave(&mut self, result: i64) {
        let iterations = self.builder.use_var(self.iterations);
        let (flags, count) = (MemFlagsData::trusted(), self.count);
        self.builder.ins().store(flags, iterations, count, 0);
        let result = self.builder.ins().iconst(types::I64, result);
        self.builder.ins().return_(&[result]);
    }

    /// Stops before a step if a condition holds.
    fn stop_if(&mut self, n: usize, condition: Value) {
        let [stop, next] = [(); 2].map(|()| self.builder.create_block());
        self.builder.set_cold_block(stop);
        self.builder.ins().brif(condition, stop, &[], next, &[]);
        self.builder.switch_to_block(stop);
        self.leave(n as i64 + 1);
        self.builder.switch_to_block(next);
    }

    fn end_if_false(&mut self, truth: Value) {
        let next = self.builder.create_block();
        let end = self.end;
        self.builder.ins().brif(truth, next, &[], end, &[]);
        self.builder.switch_to_block(next);
    }

    fn end_unless(&mut self, condition: BoundArray) -> Option<()> {
        let (DType::Bool, 1) = array(self.source, condition)? else {
            return None;
        };
        let address = self.address(condition);
        let truth = self.load(types::I8, address, 0);
        self.end_if_false(truth);
        Some(())
    }

    fn load(&mut self, ty: Type, address: Value, offset: usize) -> Value {
        let flags = MemFlagsData::trusted();
        self.builder.ins().load(ty, flags, address, offset as i32)
    }

    fn store(&mut self, value: Value, address: Value, offset: usize) {
        let flags = MemFlagsData::trusted();
        self.builder
            .ins()
            .store(flags, value, address, offset as i32);
    }

    /// The address of an array. It is loaded each time, because steps exchange arrays.
    fn address(&mut self, array: BoundArray) -> Value {
        let table = self.table;
        self.load(types::I64, table, WORD as usize * place(self.source, array))
    }

    fn step(&mut self, n: usize, step: &LoopStep, part: &Part) -> Option<()> {
        match (step, part) {
            (LoopStep::Chain(chain), Part::Chain(function, vector)) => {
                self.chain(n, chain, function, *vector)
            }
            (
                LoopStep::Words {
                    inputs,
                    outputs,
                    leaves_unless,
                    ..
                },
                Part::Words(code),
            ) => self.words(n, code, inputs, outputs, *leaves_unless),
            (
                LoopStep::Write {
                    list,
                    at,
                    row,
                    rows,
                    len,
                },
                Part::None,
            ) => {
                let bytes = len * self.source.changing.get(*list)?.0.bytes();
                let (list, row) = (
                    self.address(BoundArray::Changing(*list)),
                    self.address(*row),
                );
                let at = self.position(n, *at, *rows, false)?;
                let begin = self.builder.ins().imul_imm_u(at, bytes as i64);
                let to = self.builder.ins().iadd(list, begin);
                self.copy(to, row, bytes);
                Some(())
            }
            (LoopStep::Row { from, to }, Part::None) => {
                let (dtype, _) = *self.source.changing.get(*to)?;
                let bytes = from.row.as_ref()?.len * dtype.bytes();
                let (begin, _) = self.begin(n, from)?;
                let to = self.address(BoundArray::Changing(*to));
                self.copy(to, begin, bytes);
                Some(())
            }
            (LoopStep::Function { operands, to, .. }, Part::Function(called)) => {
                let begins = operands.iter().map(|(input, _)| self.begin(n, input));
                let begins: Vec<(Value, DType)> = begins.collect::<Option<_>>()?;
                let to = self.address(BoundArray::Changing(*to));
                let begins = begins.iter().map(|(begin, _)| *begin).chain([to]);
                for (k, begin) in begins.enumerate() {
                    let (slot, at) = (self.pointers, WORD * k as i32);
                    self.builder.ins().stack_store(types::I64, begin, slot, at);
                }
                let pointers = self.builder.ins().stack_addr(types::I64, self.pointers, 0);
                let called = std::ptr::from_ref::<Called>(called).addr();
                let called = self.builder.ins().iconst(types::I64, called as i64);
                let function = call_function as *const () as usize;
                let done = self.call(self.function, function, &[called, pointers])?;
                let failed = self.builder.ins().icmp_imm_u(IntCC::NotEqual, done?, 1);
                self.stop_if(n, failed);
                Some(())
            }
            (LoopStep::Leave(condition), Part::None) => self.end_unless(*condition),
            (LoopStep::Swap(a, b), Part::None) => {
                let places = [*a, *b].map(|n| {
                    let place = place(self.source, BoundArray::Changing(n));
                    WORD as usize * place
                });
                let table = self.table;
                let [a, b] = places.map(|place| self.load(types::I64, table, place));
                self.store(b, table, places[0]);
                self.store(a, table, places[1]);
                Some(())
            }
            (LoopStep::Copy { to, from }, Part::None) => {
                let (dtype, len) = *self.source.changing.get(*to)?;
                let [to, from] =
                    [BoundArray::Changing(*to), *from].map(|array| self.address(array));
                self.copy(to, from, len * dtype.bytes());
                Some(())
            }
            _ => None,
        }
    }

    /// The position in an axis that a scalar says; stops before the step if there is none.
    fn position(
        &mut self,
        n: usize,
        at: BoundArray,
        size: usize,
        from_the_end: bool,
    ) -> Option<Value> {
        let address = self.address(at);
        let mut at = match array(self.source, at)?.0 {
            DType::I32 => {
                let at = self.load(types::I32, address, 0);
                self.builder.ins().sextend(types::I64, at)
            }
            DType::I64 => self.load(types::I64, address, 0),
            _ => return None,
        };
        let size = self
            .builder
            .ins()
            .iconst(types::I64, i64::try_from(size).ok()?);
        if from_the_end {
            let b = &mut self.builder;
            let later = b.ins().iadd(at, size);
            let negative = b.ins().icmp_imm_s(IntCC::SignedLessThan, at, 0);
            at = b.ins().select(negative, later, at);
        }
        let condition = IntCC::UnsignedGreaterThanOrEqual;
        let outside = self.builder.ins().icmp(condition, at, size);
        self.stop_if(n, outside);
        Some(at)
    }

    /// Copies bytes that don't overlap.
    fn copy(&mut self, to: Value, from: Value, bytes: usize) {
        let mut at = 0;
        for ty in [types::I8X16, types::I64, types::I32, types::I16, types::I8] {
            let size = ty.bytes() as usize;
            while at + size <= bytes {
                let value = self.load(ty, from, at);
                self.store(value, to, at);
                at += size;
            }
        }
    }

    fn words(
        &mut self,
        n: usize,
        code: &crate::code::Code,
        inputs: &[(BoundArray, Option<usize>, Register)],
        outputs: &[WrittenWords],
        leaves_unless: Option<Register>,
    ) -> Option<()> {
        let registers = self.registers;
        let place = |register: Register| usize::from(register) * WORD as usize;
        for (from, element, register) in inputs {
            let dtype = array(self.source, *from)?.0;
            let address = self.address(*from);
            let integer = integer(dtype);
            let value = self.load(integer, address, element.unwrap_or(0) * dtype.bytes());
            let word = match integer {
                types::I64 => value,
                _ => self.builder.ins().uextend(types::I64, value),
            };
            self.store(word, registers, place(*register));
        }
        let zero = self.builder.ins().iconst(types::I64, 0);
        let done = self.call(self.words, code.address(), &[registers, zero, zero, zero])?;
        let failed = self.builder.ins().icmp_imm_u(IntCC::NotEqual, done?, 1);
        self.stop_if(n, failed);
        for output in outputs {
            let integer = integer(output.dtype);
            let address = self.address(BoundArray::Changing(output.to));
            for (k, register) in output.registers.iter().enumerate() {
                let value = self.load(integer, registers, place(*register));
                self.store(value, address, k * output.dtype.bytes());
            }
        }
        if let Some(register) = leaves_unless {
            let truth = self.load(types::I8, registers, place(register));
            self.end_if_false(truth);
        }
        Some(())
    }

    /// A call of a function at an address, and its result if it has one.
    fn call(
        &mut self,
        signature: SigRef,
        address: usize,
        arguments: &[Value],
    ) -> Option<Option<Value>> {
        let address = i64::try_from(address).ok()?;
        let function = self.builder.ins().iconst(types::I64, address);
        let call = self
            .builder
            .ins()
            .call_indirect(signature, function, arguments);
        Some(self.builder.inst_results(call).first().copied())
    }

    fn chain(
        &mut self,
        n: usize,
        chain: &LoopChain,
        function: &ChainFunction,
        vector: usize,
    ) -> Option<()> {
        // A row that isn't there is an error even if no step reads it.
        for (k, input) in chain.inputs.iter().enumerate() {
            let is_read = function.same().contains(&k) || function.each().contains(&k);
            if let (Some(input), false) = (input, is_read) {
                self.begin(n, input)?;
            }
        }
        self.spread_same(n, chain, (function, vector), false)?;
        let each = function.each().iter().map(|input| {
            let input = chain.inputs.get(*input)?.as_ref()?;
            Some((self.begin(n, input)?.0, input))
        });
        let each: Vec<(Value, &LoopInput)> = each.collect::<Option<_>>()?;
        let to = self.address(BoundArray::Changing(chain.to));
        let sizes = each
            .iter()
            .map(|(_, input)| array(self.source, input.array));
        let sizes = sizes.chain([array(self.source, BoundArray::Changing(chain.to))]);
        let sizes: Vec<usize> = sizes.map(|ty| Some(ty?.0.bytes())).collect::<Option<_>>()?;
        let begins: Vec<Value> = each.iter().map(|(begin, _)| *begin).chain([to]).collect();
        let vectors = self
            .builder
            .ins()
            .iadd_imm_u(self.vectors, (vector * VECTOR) as i64);
        for (entry, elements) in function.calls(chain.len) {
            for (k, (begin, size)) in begins.iter().zip(&sizes).enumerate() {
                let offset = (elements.start * size) as i64;
                let pointer = self.builder.ins().iadd_imm_u(*begin, offset);
                let slot = self.pointers;
                self.builder
                    .ins()
                    .stack_store(types::I64, pointer, slot, WORD * k as i32);
            }
            let pointers = self.builder.ins().stack_addr(types::I64, self.pointers, 0);
            let len = self.builder.ins().iconst(types::I64, elements.len() as i64);
            match entry {
                Some(entry) => self.call(self.chain, entry, &[pointers, len, vectors])?,
                None => {
                    let code = std::ptr::from_ref(function).addr();
                    let code = self.builder.ins().iconst(types::I64, code as i64);
                    let rest = call_rest as *const () as usize;
                    self.call(self.rest, rest, &[code, pointers, len, vectors])?
                }
            };
        }
        Some(())
    }

    /// The address of the first value of an input.
    fn begin(&mut self, n: usize, input: &LoopInput) -> Option<(Value, DType)> {
        let dtype = array(self.source, input.array)?.0;
        let mut address = self.address(input.array);
        if let Some(row) = &input.row {
            let mut at = self.builder.ins().iconst(types::I64, 0);
            for (position, size) in &row.positions {
                let i = self.position(n, *position, *size, row.from_the_end)?;
                let before = self.builder.ins().imul_imm_u(at, *size as i64);
                at = self.builder.ins().iadd(before, i);
            }
            let bytes = row.len.checked_mul(dtype.bytes())?;
            let offset = self.builder.ins().imul_imm_u(at, bytes as i64);
            address = self.builder.ins().iadd(address, offset);
        }
        let first = (input.first * dtype.bytes()) as i64;
        Some((self.builder.ins().iadd_imm_u(address, first), dtype))
    }

    /// Writes the vectors of inputs that have one value for all elements: of those that stay the same in all iterations, or of the others.
    fn spread_same(
        &mut self,
        n: usize,
        chain: &LoopChain,
        (function, vector): (&ChainFunction, usize),
        fixed: bool,
    ) -> Option<()> {
        for (k, input) in function.same().iter().enumerate() {
            let input = chain.inputs.get(*input)?.as_ref()?;
            let is_fixed = matches!(input.array, BoundArray::Fixed(_)) && input.row.is_none();
            if is_fixed == fixed {
                let (from, dtype) = self.begin(n, input)?;
                self.spread(from, dtype, (vector + k) * VECTOR);
            }
        }
        Some(())
    }

    /// Writes a value to all lanes of a vector; a truth value as a mask.
    fn spread(&mut self, from: Value, dtype: DType, place: usize) {
        let integer = integer(dtype);
        let mut value = self.load(integer, from, 0);
        let lanes = match dtype.bytes() {
            1 => {
                value = self.builder.ins().ineg(value);
                types::I8X16
            }
            4 => types::I32X4,
            _ => types::I64X2,
        };
        let part = self.builder.ins().splat(lanes, value);
        let vectors = self.vectors;
        for at in (0..VECTOR).step_by(16) {
            self.store(part, vectors, place + at);
        }
    }
}

/// The integer type of the bytes of a dtype.
fn integer(dtype: DType) -> Type {
    match dtype.bytes() {
        1 => types::I8,
        2 => types::I16,
        4 => types::I32,
        _ => types::I64,
    }
}
