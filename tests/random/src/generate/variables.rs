//! Variables: those of a program, those that calls pass, and what changes them.

use graph_runtime::DType;
use graph_runtime::graph::{Shape, TensorType};

use super::operands::Typed;
use super::{Local, Writer, types};
use crate::program::{Expr, Name, Statement, Write};
use crate::state::Variable;

impl Writer {
    /// The variables of a program. One of three programs has some.
    pub(super) fn some_variables(&mut self) -> Vec<Variable> {
        if !self.random.once_in(3) {
            return Vec::new();
        }
        let count = 1 + self.random.below(3);
        (0..count).map(|_| self.variable()).collect()
    }

    fn variable(&mut self) -> Variable {
        use DType::{F32, F64, I32, I64};
        let dtype = match self.smooth {
            true => self.random.one_of(&[F64, F64, I32]),
            false => self.random.one_of(&[F64, F32, I32, I64]),
        };
        let ty = TensorType::new(dtype, self.shape());
        let start = self.array(&ty);
        let local = self.local(ty);
        let name = local.name;
        self.variables.push(local);
        Variable::new(name, start, self.random.once_in(2))
    }

    /// The value of a random variable whose type satisfies `holds`.
    pub(super) fn read(&mut self, holds: impl Fn(&TensorType) -> bool) -> Option<Typed> {
        let fitting = self.variables.iter().filter(|local| holds(&local.ty));
        let fitting: Vec<Local> = fitting.cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let Local { name, ty } = fitting[self.random.below(fitting.len())].clone();
        Some((Expr::Read(name), ty))
    }

    /// A change of a variable, if there is one that may be changed.
    pub(super) fn write(&mut self) -> Option<Statement> {
        if !self.may_act {
            return None;
        }
        let (Expr::Read(name), ty) = self.read(|_| true)? else {
            return None;
        };
        let sizes = types::sizes(&ty);
        let all = [
            Write::Assign,
            Write::Add,
            Write::Sub,
            Write::Row,
            Write::AddRows,
            Write::Rows,
        ];
        // The last three need a row.
        let has_rows = sizes.first().is_some_and(|n| *n > 0);
        let write = self.random.one_of(if has_rows { &all } else { &all[..3] });
        let operands = match write {
            Write::Assign => vec![self.value_like(&Expr::Read(name), &ty)],
            Write::Add | Write::Sub => vec![self.beside(&ty)],
            Write::Row => {
                let row = TensorType::new(ty.dtype, Shape::known(&sizes[1..]));
                vec![self.position(sizes[0]), self.of_type(&row)]
            }
            Write::AddRows | Write::Rows => {
                let count = self.random.below(4);
                let positions = self.positions(sizes[0], DType::I32, &[count, 1]);
                let rows = [&[count], &sizes[1..]].concat();
                let rows = TensorType::new(ty.dtype, Shape::known(&rows));
                vec![positions, self.of_type(&rows)]
            }
        };
        Some(Statement::Write(write, name, operands))
    }

    /// Some of the variables of a dtype, with their types: a gradient is taken with respect to them.
    pub(super) fn sources(&mut self, dtype: DType) -> Vec<(Name, TensorType)> {
        let mut sources = Vec::new();
        for Local { name, ty } in self.variables.clone() {
            if ty.dtype == dtype && self.random.once_in(2) {
                sources.push((name, ty));
            }
        }
        sources
    }

    /// The variables that a call passes, some of them twice. In the called function, they have new names; it captures others.
    pub(super) fn passed(&mut self) -> Vec<(Name, Name)> {
        let mut passed = Vec::new();
        for Local { name, ty } in self.variables.clone() {
            for _ in 0..self.random.below(3) {
                let inside = self.local(ty.clone());
                passed.push((inside.name, name));
                self.variables.push(inside);
            }
        }
        passed
    }
}
