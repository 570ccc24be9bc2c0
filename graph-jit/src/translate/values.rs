//! The values of registers: each register has a variable for each kind of value that it holds in its life, and constants are written where
//! they are read.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::Variable;
use graph_kernels::{DType, Register};

use super::Translator;
use crate::kind::{Kind, TypedRegister};

impl Translator<'_> {
    /// Leaves the code if a condition holds.
    pub(super) fn fail_if(&mut self, condition: Value) {
        let next = self.builder.create_block();
        self.builder
            .ins()
            .brif(condition, self.failed, &[], next, &[]);
        self.builder.switch_to_block(next);
    }

    pub(super) fn get(&mut self, typed: TypedRegister) -> Value {
        let (register, kind) = typed;
        match self.constants.get(&register).copied() {
            Some(word) => self.constant(word, kind),
            None => {
                let variable = self.variable(typed);
                self.builder.use_var(variable)
            }
        }
    }

    /// The value of a register that is a constant of an integer type which is divided and multiplied by.
    pub(super) fn integer(&self, register: Register, dtype: DType) -> Option<i64> {
        let word = *self.constants.get(&register)?;
        match dtype {
            DType::I32 => Some(i64::from(word as i32)),
            DType::I64 => Some(word as i64),
            _ => None,
        }
    }

    fn constant(&mut self, word: u64, kind: Kind) -> Value {
        let ins = self.builder.ins();
        match kind {
            Kind::F32 => ins.f32const(f32::from_bits(word as u32)),
            Kind::F64 => ins.f64const(f64::from_bits(word)),
            Kind::I64 => ins.iconst(types::I64, word as i64),
            Kind::I8 | Kind::I16 | Kind::I32 => {
                let bits = (1 << kind.ty().bits()) - 1;
                ins.iconst(kind.ty(), (word & bits) as i64)
            }
        }
    }

    pub(super) fn set(&mut self, typed: TypedRegister, value: Value) {
        let variable = self.variable(typed);
        self.builder.def_var(variable, value);
    }

    fn variable(&mut self, typed: TypedRegister) -> Variable {
        let builder = &mut self.builder;
        let variables = &mut self.variables;
        *variables
            .entry(typed)
            .or_insert_with(|| builder.declare_var(typed.1.ty()))
    }

    /// The value in the low bits of a word, as registers hold it.
    pub(super) fn word_of(&mut self, value: Value, kind: Kind) -> Value {
        let flags = MemFlagsData::new();
        match kind {
            Kind::I64 => value,
            Kind::F64 => self.builder.ins().bitcast(types::I64, flags, value),
            Kind::F32 => {
                let bits = self.builder.ins().bitcast(types::I32, flags, value);
                self.builder.ins().uextend(types::I64, bits)
            }
            Kind::I8 | Kind::I16 | Kind::I32 => self.builder.ins().uextend(types::I64, value),
        }
    }

    /// The value in the low bits of a word.
    pub(super) fn value_of(&mut self, word: Value, kind: Kind) -> Value {
        let flags = MemFlagsData::new();
        match kind {
            Kind::I64 => word,
            Kind::F64 => self.builder.ins().bitcast(types::F64, flags, word),
            Kind::F32 => {
                let bits = self.builder.ins().ireduce(types::I32, word);
                self.builder.ins().bitcast(types::F32, flags, bits)
            }
            Kind::I8 | Kind::I16 | Kind::I32 => self.builder.ins().ireduce(kind.ty(), word),
        }
    }
}
