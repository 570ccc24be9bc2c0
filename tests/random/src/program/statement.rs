//! Statements of programs.

use graph_runtime::TraceType;

use super::{Code, Expr, Jumps, Name};

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// Declares a new name.
    Let(Name, Expr),
    /// Assigns to a name.
    Assign(Name, Expr),
    /// Prints a value.
    Print(Name),
    /// Changes a variable with these operands.
    Write(Write, Name, Vec<Expr>),
    /// Fails if a truth value is false, with a message that shows a value.
    Assert(Expr, Name),
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
    /// Calls a block as a function of parameters, and of parameters that are variables: the name inside and the one outside. New names get
    /// the values of the parameters at its end.
    Call(
        Callee,
        Vec<(Name, Expr)>,
        Vec<(Name, Name)>,
        Code,
        Vec<Name>,
    ),
    /// The gradient of a block's value with respect to parameters and variables, or its directional derivative, as new names.
    Gradient(Mode, Vec<(Name, Expr)>, Vec<Name>, Code, Vec<Name>),
    /// Jumps out of the block.
    Jump(Jump),
}

/// How a variable is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// To a new value.
    Assign,
    /// By adding.
    Add,
    /// By subtracting.
    Sub,
    /// At a position of the first axis, to a new row.
    Row,
    /// At several positions of the first axis, by adding rows.
    AddRows,
    /// At several positions of the first axis, to new rows.
    Rows,
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

impl Statement {
    /// The blocks of the statement.
    pub fn blocks(&self) -> Vec<&Code> {
        match self {
            Statement::Let(..)
            | Statement::Assign(..)
            | Statement::Print(_)
            | Statement::Write(..)
            | Statement::Assert(..)
            | Statement::Jump(_) => Vec::new(),
            Statement::If(_, _, yes, no) => vec![yes, no],
            Statement::Switch(_, branches) => branches.iter().collect(),
            Statement::While(_, _, _, test, body) => vec![test, body],
            Statement::For(.., body)
            | Statement::Rows(.., body)
            | Statement::Map(.., body)
            | Statement::Gather(.., body)
            | Statement::Call(_, _, _, body, _)
            | Statement::Gradient(_, _, _, body, _) => vec![body],
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
            | Statement::Write(..)
            | Statement::Assert(..)
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
            | Statement::Call(_, _, _, body, _)
            | Statement::Gradient(_, _, _, body, _) => visit(body),
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

    /// The parameters of a called function that are variables: the name inside and the one outside.
    pub fn passed(&self) -> &[(Name, Name)] {
        match self {
            Statement::Call(_, _, passed, ..) => passed,
            _ => &[],
        }
    }

    /// The expressions of the statement, without those in its blocks.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Statement::Let(_, expr)
            | Statement::Assert(expr, _)
            | Statement::Assign(_, expr)
            | Statement::If(_, expr, ..)
            | Statement::Switch(expr, _)
            | Statement::For(_, _, expr, _)
            | Statement::Rows(_, _, expr, _)
            | Statement::Map(_, _, expr, _) => vec![expr],
            Statement::Write(_, _, operands) => operands.iter().collect(),
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
            | Statement::Assert(expr, _)
            | Statement::Assign(_, expr)
            | Statement::If(_, expr, ..)
            | Statement::Switch(expr, _)
            | Statement::For(_, _, expr, _)
            | Statement::Rows(_, _, expr, _)
            | Statement::Map(_, _, expr, _) => *expr = new,
            Statement::Write(_, _, operands) => operands[at] = new,
            Statement::Call(_, given, ..) | Statement::Gradient(_, given, ..) => given[at].1 = new,
            Statement::Print(_)
            | Statement::Jump(_)
            | Statement::While(..)
            | Statement::Gather(..) => {}
        }
        statement
    }

    /// Adds the names that it assigns to.
    pub(super) fn assigned(&self, to: &mut Vec<Name>) {
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
