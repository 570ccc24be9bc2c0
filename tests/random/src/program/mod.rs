//! The form of a random program: statements over named tensors. The generator writes it, the interpreters run it, and shrinking removes
//! parts of it. All names in a program are different, and each keeps its type.

mod expr;
mod statement;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use graph_runtime::function::{Holds, Literal, Signature};
use graph_runtime::{Argument, Array};

pub use expr::{Custom, Expr};
pub use statement::{Callee, Form, Jump, Mode, Statement, Walk, Write};

use crate::state::Variable;

/// The name of a tensor or of a variable.
pub type Name = u32;

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The parameters and their values.
    pub inputs: Vec<(Name, Arc<Array>)>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The statements.
    pub body: Code,
    /// The names whose values it returns.
    pub results: Vec<Name>,
    /// Whether it was written to be differentiated: it avoids points where its functions have no derivative, as far as the generator can
    /// tell.
    pub smooth: bool,
    /// What may fail in it, if anything.
    pub fails: Option<Fails>,
}

/// What may fail in a program. It has one such place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    /// An assertion, or the update of a variable: an effect.
    Effect,
    /// An op. If nobody needs its result, it needn't run.
    Op,
}

impl Program {
    /// The same program, in which other arrays stand in for the results of what may fail: of the two given for each, the first or second.
    #[must_use]
    pub fn without_failures(&self, which: usize) -> Program {
        Program {
            body: self.body.map(&|expr| match expr {
                Expr::Failing(_, instead) => Some(Expr::Constant(instead[which].clone())),
                _ => None,
            }),
            ..self.clone()
        }
    }

    /// Whether it changes a variable of floats.
    pub fn writes_floats(&self) -> bool {
        let of_floats = self.variables.iter().any(|v| v.ty().dtype.is_float());
        let writes = |statement: &Statement| matches!(statement, Statement::Write(..));
        of_floats && self.body.any(&writes)
    }

    /// Whether it draws random numbers.
    pub fn draws(&self) -> bool {
        self.body.any(&|statement| {
            let exprs = statement.blocks().into_iter().flat_map(Code::values);
            let draws = |expr: &Expr| expr.any(&|expr| matches!(expr, Expr::Seed(_)));
            statement.exprs().into_iter().chain(exprs).any(draws)
        })
    }
}

/// A block that ends with values and has its own scope.
#[derive(Clone, Debug)]
pub struct Code(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// A unique number, which is the block's part of a signature.
    serial: u64,
    statements: Vec<Statement>,
    values: Vec<Expr>,
    assigned: Vec<Name>,
    jumps: Jumps,
}

/// The kinds of jumps in a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jumps {
    /// `break` or `continue`.
    pub of_loop: bool,
    /// `return`.
    pub of_function: bool,
}

impl Jumps {
    fn and(self, other: Jumps) -> Jumps {
        Jumps {
            of_loop: self.of_loop || other.of_loop,
            of_function: self.of_function || other.of_function,
        }
    }

    /// Whether there is any jump.
    pub fn any(self) -> bool {
        self.of_loop || self.of_function
    }
}

impl Code {
    /// Makes a block of statements and the values at its end.
    pub fn new(statements: Vec<Statement>, values: Vec<Expr>) -> Code {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut assigned = Vec::new();
        for statement in &statements {
            statement.assigned(&mut assigned);
        }
        assigned.sort_unstable();
        assigned.dedup();
        let jumps = statements.iter().map(Statement::jumps);
        Code(Arc::new(Inner {
            serial: NEXT.fetch_add(1, Ordering::Relaxed),
            jumps: jumps.fold(Jumps::default(), Jumps::and),
            statements,
            values,
            assigned,
        }))
    }

    /// The statements.
    pub fn statements(&self) -> &[Statement] {
        &self.0.statements
    }

    /// The values at the end.
    pub fn values(&self) -> &[Expr] {
        &self.0.values
    }

    /// The names that it assigns to, including names of its own.
    pub fn assigned(&self) -> &[Name] {
        &self.0.assigned
    }

    /// The jumps out of it.
    pub fn jumps(&self) -> Jumps {
        self.0.jumps
    }

    /// Whether `holds` is true for one of its statements, at any depth.
    pub fn any(&self, holds: &impl Fn(&Statement) -> bool) -> bool {
        let in_blocks = |statement: &Statement| statement.blocks().iter().any(|b| b.any(holds));
        let mut statements = self.statements().iter();
        statements.any(|statement| holds(statement) || in_blocks(statement))
    }

    /// Whether it contains a gradient.
    pub fn has_gradient(&self) -> bool {
        self.any(&|statement| matches!(statement, Statement::Gradient(..)))
    }

    /// Whether it contains a call whose values aren't saved for the gradient.
    pub fn has_recomputation(&self) -> bool {
        self.any(&|statement| matches!(statement, Statement::Call(Callee::Recompute, ..)))
    }

    /// The same block with other expressions, at any depth, where `change` gives one.
    #[must_use]
    pub fn map(&self, change: &impl Fn(&Expr) -> Option<Expr>) -> Code {
        let statements = self.statements().iter().map(|statement| {
            let blocks = statement.blocks().into_iter().map(|b| b.map(change));
            let mut changed = statement.with_blocks(blocks.collect());
            for (at, expr) in statement.exprs().into_iter().enumerate() {
                changed = changed.with_expr(at, expr.map(change));
            }
            changed
        });
        let values = self.values().iter().map(|value| value.map(change));
        Code::new(statements.collect(), values.collect())
    }
}

impl Argument for Code {
    fn trace_type(&self, signature: &mut Signature) {
        signature.literal(Literal::u64, u128::from(self.0.serial));
    }
    fn holds(_: usize) -> Holds {
        Holds::Rust
    }
}
