//! The code of each step.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, InstBuilder, SigRef, Signature, StackSlot, StackSlotData, StackSlotKind, Value, types,
};
use cranelift_frontend::Switch;
use graph_kernels::simd::level;
use graph_kernels::{DType, ElementOp, Register, WordStep};

use super::{Translator, WORD};
use crate::access::access;
use crate::by_constant::{self, multiply};
use crate::code::call_function;
use crate::division::{divide, divides};
use crate::flow::decision_at;
use crate::functions::native;
use crate::kind::{Kind, TypedRegister};

impl Translator<'_> {
    /// The code of a step. Returns whether the code goes on behind it.
    pub(super) fn step(&mut self, at: usize) -> Option<bool> {
        let source = self.source;
        match &source.steps[at] {
            WordStep::Apply {
                op,
                dtype,
                operands,
                ..
            } => self.apply(at, *op, *dtype, operands)?,
            WordStep::MulAdd { .. } => self.mul_add(at)?,
            WordStep::Read {
                from,
                element,
                dtype,
                ..
            } => self.read(at, (*from, *element), *dtype)?,
            WordStep::Write {
                list, dtype, grows, ..
            } => self.write(at, *list, *dtype, *grows)?,
            WordStep::ReadAt { .. } | WordStep::WriteAt { .. } => return None,
            WordStep::Move { to, from } => self.moved(at, &[(*to, *from)]),
            WordStep::Swap(x, y) => self.moved(at, &[(*x, *y), (*y, *x)]),
            WordStep::Assert(condition) => {
                let holds = self.get((*condition, Kind::I8));
                let fails = self.builder.ins().icmp_imm_u(IntCC::Equal, holds, 0);
                self.fail_if(fails);
            }
            WordStep::Jump(target) => {
                match decision_at(&source.steps, at)
                    .filter(|to| !self.flow.choices.contains_key(to))
                {
                    Some(decision) => self.decide(decision)?,
                    None => {
                        let block = self.blocks[target];
                        self.builder.ins().jump(block, &[]);
                    }
                }
                return Some(false);
            }
            WordStep::Unless { .. } | WordStep::UnlessHolds { .. } => {
                self.decide(at)?;
                return Some(false);
            }
            WordStep::Switch { index, targets } => {
                let index = self.get((*index, Kind::I32));
                let (last, others) = targets.split_last()?;
                let mut switch = Switch::new();
                for (number, target) in others.iter().enumerate() {
                    switch.set_entry(number as u128, self.blocks[target]);
                }
                let last = self.blocks[last];
                switch.emit(&mut self.builder, index, last);
                return Some(false);
            }
        }
        Some(true)
    }

    /// A conditional jump, as it is at the step `at`.
    fn decide(&mut self, at: usize) -> Option<()> {
        let holds = self.condition(at)?;
        let [target] = *self.source.steps[at].targets() else {
            return None;
        };
        let [next, target] = [at + 1, target].map(|step| self.blocks[&step]);
        self.builder.ins().brif(holds, next, &[], target, &[]);
        Some(())
    }

    /// The condition of the conditional jump at a step; it jumps if this is false.
    pub(super) fn condition(&mut self, at: usize) -> Option<Value> {
        match &self.source.steps[at] {
            WordStep::Unless { condition, .. } => Some(self.get((*condition, Kind::I8))),
            WordStep::UnlessHolds {
                op,
                dtype,
                operands,
                ..
            } => {
                let kind = Kind::of(*dtype)?;
                let [a, b] = *operands;
                if let Some(divides) = [[a, b], [b, a]]
                    .into_iter()
                    .find_map(|operands| self.divisible(*op, *dtype, operands))
                {
                    return Some(divides);
                }
                let operands = operands.map(|register| self.get((register, kind)));
                native(&mut self.builder, *op, *dtype, &operands)
            }
            _ => None,
        }
    }

    fn apply(
        &mut self,
        at: usize,
        op: ElementOp,
        dtype: DType,
        operands: &[Register],
    ) -> Option<()> {
        let access = access(&self.source.steps[at], self.memory)?;
        let to = access.writes?;
        let values: Vec<Value> = access.reads.iter().map(|typed| self.get(*typed)).collect();
        let constant = |n: usize| self.integer(*operands.get(n)?, dtype);
        let factors = [(0, constant(1)), (1, constant(0))];
        let product = factors
            .iter()
            .filter(|_| op == ElementOp::Mul)
            .find_map(|(x, factor)| multiply(&mut self.builder, values[*x], (*factor)?));
        let value = if let Some(product) = product {
            product
        } else if divides(op, dtype) {
            self.quotient(op, dtype, &values, factors[0].1)?
        } else if let Some(value) = native(&mut self.builder, op, dtype, &values) {
            value
        } else {
            self.call(op, dtype, &access.reads, &values, to.1)?
        };
        self.set(to, value);
        Some(())
    }

    /// A multiply-add in the way of this thread's kernels. Code that has one refuses to run at other levels.
    fn mul_add(&mut self, at: usize) -> Option<()> {
        let access = access(&self.source.steps[at], self.memory)?;
        let [a, b, c] = [0, 1, 2].map(|n| access.reads[n]);
        let [a, b, c] = [a, b, c].map(|typed| self.get(typed));
        let ins = self.builder.ins();
        let value = if level().fuses() {
            ins.fma(a, b, c)
        } else {
            let product = ins.fmul(a, b);
            self.builder.ins().fadd(product, c)
        };
        self.set(access.writes?, value);
        Some(())
    }

    fn quotient(
        &mut self,
        op: ElementOp,
        dtype: DType,
        values: &[Value],
        constant: Option<i64>,
    ) -> Option<Value> {
        let &[a, d] = values else { return None };
        if constant.is_none_or(|number| number == 0) {
            let by_zero = self.builder.ins().icmp_imm_u(IntCC::Equal, d, 0);
            self.fail_if(by_zero);
        }
        let ty = Kind::of(dtype)?.ty();
        let value = divide(&mut self.builder, op, ty, [a, d], constant);
        if let Some(d) = constant.filter(|_| matches!(op, ElementOp::Rem | ElementOp::FloorMod)) {
            self.remainders.insert(value, (a, d));
        }
        Some(value)
    }

    /// Whether a remainder by a constant is 0, or whether it isn't, if that is cheaper than the remainder.
    fn divisible(&mut self, op: ElementOp, dtype: DType, operands: [Register; 2]) -> Option<Value> {
        let [rest, zero] = operands;
        let (x, d) = match self.integer(zero, dtype)? {
            0 => {
                let rest = self.get((rest, Kind::of(dtype)?));
                *self.remainders.get(&rest)?
            }
            _ => return None,
        };
        let divides = by_constant::divides(&mut self.builder, Kind::of(dtype)?.ty(), x, d);
        match op {
            ElementOp::Equal => divides,
            ElementOp::NotEqual => Some(self.builder.ins().bxor_imm_u(divides?, 1)),
            _ => None,
        }
    }

    /// Calls the function of the table, so that its bits are the same.
    fn call(
        &mut self,
        op: ElementOp,
        dtype: DType,
        reads: &[TypedRegister],
        values: &[Value],
        kind: Kind,
    ) -> Option<Value> {
        let function = op.word_function(dtype)?;
        let (signature, result) = self.calls();
        let mut operands = [self.builder.ins().iconst(types::I64, 0); 3];
        for ((operand, value), (_, kind)) in operands.iter_mut().zip(values).zip(reads) {
            *operand = self.word_of(*value, *kind);
        }
        let [a, b, c] = operands;
        let address = |address: usize| i64::try_from(address).ok();
        let ins = self.builder.ins();
        let function = ins.iconst(types::I64, address(function as usize)?);
        let caller = self
            .builder
            .ins()
            .iconst(types::I64, address(call_function as *const () as usize)?);
        let room = self.builder.ins().stack_addr(types::I64, result, 0);
        let arguments = [function, a, b, c, room];
        let call = self
            .builder
            .ins()
            .call_indirect(signature, caller, &arguments);
        if !op.is_total(dtype) {
            let failed = self.builder.inst_results(call)[0];
            self.fail_if(failed);
        }
        let word = self
            .builder
            .ins()
            .stack_load(types::I64, types::I64, result, 0);
        Some(self.value_of(word, kind))
    }

    /// The signature of [`call_function`], and the stack slot for its result.
    fn calls(&mut self) -> (SigRef, StackSlot) {
        if let Some(calls) = self.calls {
            return calls;
        }
        let mut signature = Signature::new(self.target.default_call_conv);
        signature.params = vec![AbiParam::new(types::I64); 5];
        signature.returns.push(AbiParam::new(types::I32));
        let signature = self.builder.import_signature(signature);
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, WORD as u32, 3);
        let slot = self.builder.create_sized_stack_slot(data);
        *self.calls.insert((signature, slot))
    }

    /// Moves what is read later, from the second register of each pair to the first.
    fn moved(&mut self, at: usize, moves: &[(Register, Register)]) {
        let lives = self.lives;
        let values: Vec<(TypedRegister, Value)> = moves
            .iter()
            .flat_map(|(to, from)| Kind::ALL.map(|kind| (*to, *from, kind)))
            .filter(|(to, _, kind)| lives[at + 1].contains((*to, *kind)))
            .map(|(to, from, kind)| ((to, kind), self.get((from, kind))))
            .collect();
        for (typed, value) in values {
            self.set(typed, value);
        }
    }
}
