//! The form of a random program: statements over named tensors. The generator writes it, the interpreters run it, and shrinking removes
//! parts of it. All names in a program are different, and each keeps its type.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use graph_runtime::function::{Holds, Literal, Signature};
use graph_runtime::ops::{Attrs, OpDef};
use graph_runtime::{Argument, Array, TraceType};

/// The name of a tensor.
pub type Name = u32;

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The parameters and their values.
    pub inputs: Vec<(Name, Arc<Array>)>,
    /// The statements.
    pub body: Code,
    /// The names whose values it returns.
    pub results: Vec<Name>,
    /// Whether it was written to be differentiated: it avoids points where its functions have no derivative, as far as the generator can
    /// tell.
    pub smooth: bool,
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

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Declares a new name.
    Let(Name, Expr),
    /// Assigns to a name.
    Assign(Name, Expr),
    /// Prints a value.
    Print(Name),
    /// Runs one of two blocks.
    If(Form, Expr, Code, Code),
    /// Runs one of several blocks, chosen by an integer.
    Switch(Expr, Vec<Code>),
    /// Runs a block for each number from 0 up to a count.
    For(Form, Name, Expr, Code),
    /// Runs a block as long as the value of another block is true, and at most the given number of times; the name is the counter.
    While(Form, Name, i32, Code, Code),
    /// Runs a block for each row of a value, in an order.
    Rows(Walk, Name, Expr, Code),
    /// Gathers the values of a block for each row of a value.
    Map(Name, Name, Expr, Code),
    /// Gathers the values of a block for each number below a count in a `TensorArray`.
    Gather(Name, Name, usize, Code),
    /// Calls a block as a function of parameters. New names get the values of the parameters at its end.
    Call(Callee, Vec<(Name, Expr)>, Code, Vec<Name>),
    /// The gradient of a block's value with respect to parameters, or its directional derivative, as new names.
    Gradient(Mode, Vec<(Name, Expr)>, Code, Vec<Name>),
    /// Jumps out of the block.
    Jump(Jump),
}

/// How control flow is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, TraceType)]
pub enum Form {
    /// As Rust's control flow, in a graph function of its own.
    Rust,
    /// By `cond` and `while_loop`, in the enclosing function.
    ByHand,
}

/// How a loop goes through rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// `for row in rows`.
    For,
    /// `fold`.
    Fold,
    /// `fold_right`.
    FoldRight,
    /// `for row in Dataset::from_slices(rows)`.
    Dataset,
}

/// The kind of function that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A graph function that takes its parameters by value.
    Owned,
    /// A graph function that takes its parameters by reference.
    Borrowed,
    /// A function that is computed again for its gradient.
    Recompute,
}

/// How a value is differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By a tape.
    Reverse,
    /// By a forward accumulator.
    Forward,
}

/// A jump out of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// To the next iteration.
    Continue,
    /// Out of the loop.
    Break,
    /// Out of the function.
    Return,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// The value of a name.
    Name(Name),
    /// A constant.
    Constant(Arc<Array>),
    /// An op of the op table.
    Apply(&'static OpDef, Box<Attrs>, Vec<Expr>),
    /// A function with a custom gradient.
    Custom(Custom, Box<Expr>),
}

/// Functions with custom gradients, which equal their usual gradients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Custom {
    /// x²
    Square,
    /// sin x
    Sine,
    /// tanh x
    Tanh,
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

    /// Whether it contains a gradient.
    pub fn has_gradient(&self) -> bool {
        let has = |statement: &Statement| {
            matches!(statement, Statement::Gradient(..))
                || statement.blocks().into_iter().any(Code::has_gradient)
        };
        self.statements().iter().any(has)
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

impl Statement {
    /// The blocks of the statement.
    pub fn blocks(&self) -> Vec<&Code> {
        match self {
            Statement::Let(..)
            | Statement::Assign(..)
            | Statement::Print(_)
            | Statement::Jump(_) => Vec::new(),
            Statement::If(_, _, yes, no) => vec![yes, no],
            Statement::Switch(_, branches) => branches.iter().collect(),
            Statement::While(_, _, _, test, body) => vec![test, body],
            Statement::For(.., body)
            | Statement::Rows(.., body)
            | Statement::Map(.., body)
            | Statement::Gather(.., body)
            | Statement::Call(_, _, body, _)
            | Statement::Gradient(_, _, body, _) => vec![body],
        }
    }

    /// The same statement with other blocks.
    #[must_use]
    pub fn with_blocks(&self, blocks: Vec<Code>) -> Statement {
        let mut statement = self.clone();
        let mut blocks = blocks.into_iter();
        statement.blocks_mut(|block| *block = blocks.next().expect("as many blocks"));
        statement
    }

    fn blocks_mut(&mut self, mut visit: impl FnMut(&mut Code)) {
        match self {
            Statement::Let(..)
            | Statement::Assign(..)
            | Statement::Print(_)
            | Statement::Jump(_) => {}
            Statement::If(_, _, yes, no) => {
                visit(yes);
                visit(no);
            }
            Statement::Switch(_, branches) => branches.iter_mut().for_each(visit),
            Statement::While(_, _, _, test, body) => {
                visit(test);
                visit(body);
            }
            Statement::For(.., body)
            | Statement::Rows(.., body)
            | Statement::Map(.., body)
            | Statement::Gather(.., body)
            | Statement::Call(_, _, body, _)
            | Statement::Gradient(_, _, body, _) => visit(body),
        }
    }

    /// The names that it declares in the enclosing block.
    pub fn declared(&self) -> Vec<Name> {
        match self {
            Statement::Let(name, _) | Statement::Map(name, ..) | Statement::Gather(name, ..) => {
                vec![*name]
            }
            Statement::Call(.., names) | Statement::Gradient(.., names) => names.clone(),
            _ => Vec::new(),
        }
    }

    /// The names that it declares in its own blocks.
    pub fn inner(&self) -> Vec<Name> {
        match self {
            Statement::For(_, name, ..)
            | Statement::While(_, name, ..)
            | Statement::Rows(_, name, ..)
            | Statement::Map(_, name, ..)
            | Statement::Gather(_, name, ..) => vec![*name],
            Statement::Call(_, given, ..) | Statement::Gradient(_, given, ..) => {
                given.iter().map(|(name, _)| *name).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement, without those in its blocks.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Statement::Let(_, expr)
            | Statement::Assign(_, expr)
            | Statement::If(_, expr, ..)
            | Statement::Switch(expr, _)
            | Statement::For(_, _, expr, _)
            | Statement::Rows(_, _, expr, _)
            | Statement::Map(_, _, expr, _) => vec![expr],
            Statement::Call(_, given, ..) | Statement::Gradient(_, given, ..) => {
                given.iter().map(|(_, expr)| expr).collect()
            }
            Statement::Print(_)
            | Statement::Jump(_)
            | Statement::While(..)
            | Statement::Gather(..) => Vec::new(),
        }
    }

    /// The same statement with one expression replaced.
    #[must_use]
    pub fn with_expr(&self, at: usize, new: Expr) -> Statement {
        let mut statement = self.clone();
        match &mut statement {
            Statement::Let(_, expr)
            | Statement::Assign(_, expr)
            | Statement::If(_, expr, ..)
            | Statement::Switch(expr, _)
            | Statement::For(_, _, expr, _)
            | Statement::Rows(_, _, expr, _)
            | Statement::Map(_, _, expr, _) => *expr = new,
            Statement::Call(_, given, ..) | Statement::Gradient(_, given, ..) => given[at].1 = new,
            Statement::Print(_)
            | Statement::Jump(_)
            | Statement::While(..)
            | Statement::Gather(..) => {}
        }
        statement
    }

    /// Adds the names that it assigns to.
    fn assigned(&self, to: &mut Vec<Name>) {
        if let Statement::Assign(name, _) = self {
            to.push(*name);
        }
        for block in self.blocks() {
            to.extend(block.assigned());
        }
    }

    /// The jumps of the statement out of the enclosing block.
    pub fn jumps(&self) -> Jumps {
        let inside = self.blocks().into_iter().map(Code::jumps);
        let inside = inside.fold(Jumps::default(), Jumps::and);
        match self {
            Statement::Jump(Jump::Return) => Jumps {
                of_function: true,
                of_loop: false,
            },
            Statement::Jump(_) => Jumps {
                of_function: false,
                of_loop: true,
            },
            Statement::For(..) | Statement::While(..) | Statement::Rows(..) => Jumps {
                of_loop: false,
                ..inside
            },
            Statement::Call(..) | Statement::Gradient(..) => Jumps::default(),
            _ => inside,
        }
    }
}

impl Expr {
    /// Applies the op of this name to operands.
    ///
    /// # Panics
    /// If there is no such op.
    pub fn apply(op: &str, operands: Vec<Expr>) -> Expr {
        Expr::with(op, Attrs::new(), operands)
    }

    /// Applies the op of this name with attributes.
    ///
    /// # Panics
    /// If there is no such op.
    pub fn with(op: &str, attrs: Attrs, operands: Vec<Expr>) -> Expr {
        let row = graph_runtime::ops::find(op).unwrap_or_else(|| panic!("no op {op}"));
        Expr::Apply(row, Box::new(attrs), operands)
    }

    /// A constant.
    pub fn constant(array: Array) -> Expr {
        Expr::Constant(Arc::new(array))
    }

    /// Visits every name in the expression.
    pub fn names(&self, visit: &mut impl FnMut(Name)) {
        match self {
            Expr::Name(name) => visit(*name),
            Expr::Constant(_) => {}
            Expr::Apply(_, _, operands) => operands.iter().for_each(|o| o.names(visit)),
            Expr::Custom(_, operand) => operand.names(visit),
        }
    }
}
