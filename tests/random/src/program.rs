//! What a random program is: statements over named tensors. The generator writes it, the interpreters run it, shrinking takes parts
//! away from it. All names of a program are different, and each keeps its type.

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
    /// The parameters with what is given for them.
    pub inputs: Vec<(Name, Arc<Array>)>,
    /// What it does.
    pub body: Code,
    /// What it returns.
    pub results: Vec<Name>,
    /// Whether it was written to be differentiated: its functions stay away from where they have no derivative, as far as one can tell.
    pub smooth: bool,
}

/// A block with values at its end, in the scope of its own names.
#[derive(Clone, Debug)]
pub struct Code(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// A number that no other code has: a trace is made for it.
    serial: u64,
    statements: Vec<Statement>,
    values: Vec<Expr>,
    assigned: Vec<Name>,
    jumps: Jumps,
}

/// The ways out of a block other than its end.
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

    /// Whether there is any.
    pub fn any(self) -> bool {
        self.of_loop || self.of_function
    }
}

/// One step of a program.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A new name.
    Let(Name, Expr),
    /// Another value for a name.
    Assign(Name, Expr),
    /// Prints a value.
    Print(Name),
    /// One of two blocks.
    If(Form, Expr, Code, Code),
    /// One of several blocks, by an integer.
    Switch(Expr, Vec<Code>),
    /// A block for each number from 0 up to a count.
    For(Form, Name, Expr, Code),
    /// A block as long as the value of another one holds, and at most so often; the name counts.
    While(Form, Name, i32, Code, Code),
    /// A block for each row of a value, in an order.
    Rows(Walk, Name, Expr, Code),
    /// The values of a block for each row of another one, gathered.
    Map(Name, Name, Expr, Code),
    /// The values of a block for each number below a count, gathered in a `TensorArray`.
    Gather(Name, Name, usize, Code),
    /// A block as a function of parameters, which gives what they are in the end to new names.
    Call(Callee, Vec<(Name, Expr)>, Code, Vec<Name>),
    /// The gradient of a block's value with respect to parameters, or how it changes with them, for new names.
    Gradient(Mode, Vec<(Name, Expr)>, Code, Vec<Name>),
    /// A way out of the block.
    Jump(Jump),
}

/// How control flow is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, TraceType)]
pub enum Form {
    /// As Rust's, in a graph function of its own.
    Rust,
    /// By `cond` and `while_loop`, in the function where it stands.
    ByHand,
}

/// How rows are gone through.
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

/// What kind of function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A graph function that owns its parameters.
    Owned,
    /// A graph function that borrows them.
    Borrowed,
    /// A function whose gradient computes it again.
    Recompute,
}

/// How something is differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By a tape.
    Reverse,
    /// By a forward accumulator.
    Forward,
}

/// A way out of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// To the next iteration.
    Continue,
    /// Out of the loop.
    Break,
    /// Out of the function.
    Return,
}

/// A value.
#[derive(Clone, Debug)]
pub enum Expr {
    /// What a name holds.
    Name(Name),
    /// A constant.
    Constant(Arc<Array>),
    /// An op of the table.
    Apply(&'static OpDef, Box<Attrs>, Vec<Expr>),
    /// A function with a gradient by hand.
    Custom(Custom, Box<Expr>),
}

/// Functions that have their gradients by hand, which are those that they have anyway.
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
    /// Statements with values behind them.
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

    /// What it does.
    pub fn statements(&self) -> &[Statement] {
        &self.0.statements
    }

    /// What it gives in the end.
    pub fn values(&self) -> &[Expr] {
        &self.0.values
    }

    /// The names, also of its own, that it gives other values.
    pub fn assigned(&self) -> &[Name] {
        &self.0.assigned
    }

    /// The ways out of it other than its end.
    pub fn jumps(&self) -> Jumps {
        self.0.jumps
    }

    /// Whether there is a gradient in it.
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
    /// The blocks in it.
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

    /// The same with other blocks.
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

    /// The names that it makes in the block where it stands.
    pub fn declared(&self) -> Vec<Name> {
        match self {
            Statement::Let(name, _) | Statement::Map(name, ..) | Statement::Gather(name, ..) => {
                vec![*name]
            }
            Statement::Call(.., names) | Statement::Gradient(.., names) => names.clone(),
            _ => Vec::new(),
        }
    }

    /// The names that it makes in its blocks.
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

    /// The expressions in it, but for those in its blocks.
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

    /// The same with another expression in the place of one of them.
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

    /// Adds the names that it gives other values.
    fn assigned(&self, to: &mut Vec<Name>) {
        if let Statement::Assign(name, _) = self {
            to.push(*name);
        }
        for block in self.blocks() {
            to.extend(block.assigned());
        }
    }

    /// The ways out of the block around that it has.
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
    /// The op of a name on operands.
    ///
    /// # Panics
    /// If there is no such op.
    pub fn apply(op: &str, operands: Vec<Expr>) -> Expr {
        Expr::with(op, Attrs::new(), operands)
    }

    /// The op of a name with attributes.
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

    /// Sees every name in it.
    pub fn names(&self, visit: &mut impl FnMut(Name)) {
        match self {
            Expr::Name(name) => visit(*name),
            Expr::Constant(_) => {}
            Expr::Apply(_, _, operands) => operands.iter().for_each(|o| o.names(visit)),
            Expr::Custom(_, operand) => operand.names(visit),
        }
    }
}
