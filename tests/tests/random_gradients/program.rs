//! What a random program is: statements over a few registers, each a row of floats. All that they compute stays between -1 and 1, and
//! which way they go depends on integers only, so that differences say what gradients are.

use graph_runtime::TraceType;
use proptest::prelude::*;

/// How many registers a program has.
pub const REGISTERS: usize = 4;

/// How many values a register has.
pub const LEN: usize = 2;

/// Statements one after the other.
pub type Block = Vec<Statement>;

#[derive(Clone, Debug, TraceType)]
pub enum Statement {
    /// One register becomes what an operation makes of two.
    Set(usize, Operation, usize, usize),
    /// One of two blocks.
    If(Form, Condition, Block, Block),
    /// A block as often as `n` says, or as a constant; until a condition holds in an iteration, if there is one.
    For(Form, Option<i32>, Block, Option<Condition>),
    /// A block of a function that is called with these registers, of which some are the same.
    Call([usize; 4], Block),
    /// A block for each value of a register, which the first register holds then.
    Fold(usize, Block),
    /// A block twice; the first register that each leaves becomes a row of an array, whose mean the first register holds then.
    Array(Block),
    /// A block that the way back computes anew.
    Recompute(Block),
}

/// How control flow is written.
#[derive(Clone, Copy, Debug, TraceType)]
pub enum Form {
    /// As Rust's, in a graph function of its own.
    Rust,
    /// By `cond` and `while_loop`, in the function where it stands.
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
    /// The mean of a's values, times b.
    Reduced,
    /// a from the end to the beginning.
    Reversed,
    /// The last value of a, twice.
    Taken,
    /// a, with its last value overwritten by the first of b, then by the last.
    Overwritten,
}

/// On `n`, and on the number of the iteration of the innermost loop.
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
