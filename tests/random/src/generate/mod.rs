//! Writes the program of a seed. `statements` writes statements, `operands` finds operands for ops, and `ops` is the table of how each op
//! is used; `variables` and `failures` add what has state and what fails. A program is valid by construction: it can be traced, and only what
//! is meant to fail may fail.

mod failures;
mod operands;
pub mod ops;
mod statements;
mod types;
mod variables;

use std::sync::Arc;

use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::{Array, DType};

use crate::program::{Code, Expr, Fails, Name, Program, Statement};
use crate::random::Random;
use crate::value::array_of;

/// Sizes around multiples of the lengths of vectors and blocks. Small ones are more frequent.
const SIZES: &[usize] = &[
    0, 1, 2, 2, 3, 3, 3, 4, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65,
];

/// Sizes that are rare, because they take much time.
const LARGE: &[usize] = &[1023, 1024, 1025];

/// A name in scope.
#[derive(Clone)]
struct Local {
    name: Name,
    ty: TensorType,
}

/// Writes one program.
pub struct Writer {
    random: Random,
    scope: Vec<Local>,
    /// The variables in scope.
    variables: Vec<Local>,
    /// The names before this index must keep their values in the current block.
    fixed: usize,
    names: Name,
    smooth: bool,
    /// The sizes of this program.
    sizes: [usize; 2],
    /// Whether a loop encloses the current block.
    in_loop: bool,
    /// Whether the current block may return from the function.
    may_return: bool,
    /// Whether the current block may draw and change variables: not if it runs a second time for its gradient.
    may_act: bool,
    /// What the program still lacks that may fail.
    lacks: Option<Fails>,
    /// The number of statements that may still be written.
    budget: usize,
}

/// The program of a seed. One of four programs is made to be differentiated; if `differentiates`, three of four.
pub fn program(seed: u64, differentiates: bool) -> Program {
    let mut random = Random::new(seed);
    let smooth = random.once_in(4) != differentiates;
    Writer::new(random, smooth).whole()
}

impl Writer {
    /// Chooses the sizes of a program.
    fn new(mut random: Random, smooth: bool) -> Writer {
        let large = random.once_in(300);
        let list = if large { LARGE } else { SIZES };
        let sizes = [random.one_of(list), random.one_of(SIZES)];
        let lacks = match random.below(24) {
            0 => Some(Fails::Effect),
            1 => Some(Fails::Op),
            _ => None,
        };
        Writer {
            smooth,
            sizes,
            random,
            scope: Vec::new(),
            variables: Vec::new(),
            fixed: 0,
            names: 0,
            in_loop: false,
            may_return: false,
            may_act: true,
            lacks,
            budget: 8,
        }
    }

    /// A writer that has written the parameters of a program.
    #[cfg(test)]
    fn started(seed: u64) -> Writer {
        let mut writer = Writer::new(Random::new(seed), seed.is_multiple_of(2));
        writer.inputs();
        writer
    }

    /// The parameters and their values.
    fn inputs(&mut self) -> Vec<(Name, Arc<Array>)> {
        let mut inputs = Vec::new();
        for i in 0..2 + self.random.below(3) {
            let ty = self.input_type(i);
            let array = self.array(&ty);
            inputs.push((self.declare(ty), Arc::new(array)));
        }
        inputs
    }

    fn whole(&mut self) -> Program {
        let inputs = self.inputs();
        let (variables, fails) = (self.some_variables(), self.lacks);
        self.may_return = self.random.once_in(4);
        let count = 2 + self.random.below(4);
        let mut statements = Vec::new();
        let mut results: Vec<Name> = inputs.iter().map(|(name, _)| *name).collect();
        let mut certain = true;
        while statements.len() < count {
            self.statement(statements::DEPTH, &mut statements);
            certain &= !statements
                .last()
                .is_some_and(|s: &Statement| s.jumps().any());
            if certain {
                let last = statements.last();
                results.extend(last.into_iter().flat_map(Statement::declared));
            }
        }
        Program {
            inputs,
            variables,
            body: Code::new(statements, Vec::new()),
            results,
            smooth: self.smooth,
            fails: fails.filter(|_| self.lacks.is_none()),
        }
    }

    /// The type of a parameter. The first one is a 64-bit float, for gradients.
    fn input_type(&mut self, i: usize) -> TensorType {
        let dtype = match i {
            0 => DType::F64,
            _ => self.dtype(),
        };
        TensorType::new(dtype, self.shape())
    }

    fn dtype(&mut self) -> DType {
        use DType::{Bool, F32, F64, I32, I64, U8};
        match self.smooth {
            true => self.random.one_of(&[F64, F64, F64, I32, Bool]),
            false => self
                .random
                .one_of(&[F64, F64, F32, F32, F32, I32, I32, I64, U8, Bool]),
        }
    }

    fn shape(&mut self) -> Shape {
        let [n, m] = self.sizes;
        match self.random.below(12) {
            0..3 => Shape::scalar(),
            3..7 => Shape::known(&[n]),
            7 => Shape::known(&[m]),
            8 | 9 => Shape::known(&[m, n]),
            10 => Shape::known(&[m, 1]),
            _ => Shape::known(&[2, m, 3]),
        }
    }

    /// A random array of a type with known sizes.
    fn array(&mut self, ty: &TensorType) -> Array {
        let shape = types::sizes(ty);
        let numbers: Vec<f64> = (0..shape.iter().product())
            .map(|_| self.number(ty.dtype))
            .collect();
        array_of(ty.dtype, &shape, &numbers)
    }

    fn number(&mut self, dtype: DType) -> f64 {
        match dtype {
            DType::Bool => self.random.below(2) as f64,
            DType::U8 => self.random.one_of(&[0.0, 1.0, 2.0, 3.0, 7.0, 255.0]),
            DType::F64 | DType::F32 if !self.smooth && self.random.once_in(20) => self
                .random
                .one_of(&[0.0, -0.0, 1e-40, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]),
            DType::F64 | DType::F32 => self.random.between(-1.5, 1.5),
            _ => self.random.below(9) as f64 - 3.0,
        }
    }

    /// Declares a new name of a type.
    fn declare(&mut self, ty: TensorType) -> Name {
        let name = self.names;
        self.names += 1;
        self.scope.push(Local { name, ty });
        name
    }

    /// Writes a block, whose names are out of scope afterwards. `fixed` says that it must not change the names around it.
    fn block(
        &mut self,
        depth: usize,
        fixed: bool,
        more: &[Local],
        values: impl FnOnce(&mut Writer) -> Vec<Expr>,
    ) -> Code {
        let (len, before) = (self.scope.len(), self.fixed);
        if fixed {
            self.fixed = len;
        }
        self.scope.extend_from_slice(more);
        let mut statements = Vec::new();
        let count = 1 + self.random.below(2);
        while statements.len() < count {
            self.statement(depth, &mut statements);
            if let Some(Statement::Jump(_)) = statements.last() {
                break;
            }
        }
        let values = values(self);
        self.scope.truncate(len);
        self.fixed = before;
        Code::new(statements, values)
    }
}
