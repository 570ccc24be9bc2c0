//! Random programs: statements over a few registers, each a row of floats. All results stay between -1 and 1, and
//! control flow depends only on integers, so that differences approximate gradients.

use graph_runtime::TraceType;
use proptest::prelude::*;

/// The number of registers.
pub const REGISTERS: usize = 4;

/// The number of values in a register.
pub const LEN: usize = 2;

/// A sequence of statements.
pub type Block = Vec<Statement>;

#[derive(Clone, Debug, TraceType)]
pub enum Statement {
    /// Sets one register to the result of an operation on two registers.
    Set(usize, Operation, usize, usize),
    /// Runs one of two blocks.
    If(Form, Condition, Block, Block),
    /// Runs a block `n` or a constant number of times; if there is a condition, until it holds in an iteration.
    For(Form, Option<i32>, Block, Option<Condition>),
    /// Calls a function that runs a block; some of these registers, its arguments, are the same.
    Call([usize; 4], Block),
    /// Runs a block for each value of a register; the first register holds that value.
    Fold(usize, Block),
    /// Runs a block twice. The first registers at both ends become the rows of an array; then the first register is their mean.
    Array(Block),
    /// Runs a block that is computed again for the gradient.
    Recompute(Block),
}

/// How control flow is written.
#[derive(Clone, Copy, Debug, TraceType)]
pub enum Form {
    /// As Rust's, in a graph function of its own.
    Rust,
    /// By `cond` and `while_loop`, in the function that contains it.
    ByHand,
}

#[derive(Clone, Copy, Debug, TraceType)]
pub enum Operation {
    /// (a + b) / 2
    Mean,
    /// (a - b) / 2
    Difference,
    /// a b
    Product,
    /// sin(a)
    Sine,
    /// tanh(a)
    Tanh,
    /// a
    Copy,
    /// 0.5
    Constant,
    /// The mean of the values of a, times b.
    Reduced,
    /// a in reverse order.
    Reversed,
    /// The last value of a, twice.
    Taken,
    /// a with its last value overwritten by the first of b, then by the last of b.
    Overwritten,
}

/// A condition on `n` and on the number `i` of the iteration of the innermost loop.
#[derive(Clone, Copy, Debug, TraceType)]
pub enum Condition {
    /// n > k
    More(i32),
    /// i == k
    Iteration(i32),
    /// (n + i) % 2 == 0
    Even,
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    proptest::sample::select(vec![
        Mean,
        Difference,
        Product,
        Sine,
        Tanh,
        Copy,
        Constant,
        Reduced,
        Reversed,
        Taken,
        Overwritten,
    ])
}

fn condition() -> impl Strategy<Value = Condition> {
    prop_oneof![
        (0..3).prop_map(Condition::More),
        (0..3).prop_map(Condition::Iteration),
        Just(Condition::Even)
    ]
}

/// Any program.
pub fn any() -> impl Strategy<Value = Block> {
    let register = || 0..REGISTERS;
    let set = move || {
        (register(), operation(), register(), register())
            .prop_map(|(to, op, a, b)| Statement::Set(to, op, a, b))
    };
    let form = || prop_oneof![Just(Form::Rust), Just(Form::ByHand)];
    let count = || proptest::option::of(0..3i32);
    let statement = set().prop_recursive(3, 24, 4, move |inner| {
        let block = || proptest::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            4 => set(),
            3 => (form(), condition(), block(), block()).prop_map(|(form, c, yes, no)| Statement::If(form, c, yes, no)),
            4 => (form(), count(), block(), proptest::option::of(condition())).prop_map(|(form, n, body, end)| Statement::For(form, n, body, end)),
            1 => (proptest::array::uniform4(register()), block()).prop_map(|(from, body)| Statement::Call(from, body)),
            1 => (register(), block()).prop_map(|(of, body)| Statement::Fold(of, body)),
            1 => block().prop_map(Statement::Array),
            1 => block().prop_map(Statement::Recompute),
        ]
    });
    proptest::collection::vec(statement, 1..6)
}
