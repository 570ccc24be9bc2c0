//! Statements with blocks, run by `cond`, `while_loop`, `switch_case` and the functions over rows.

use graph_runtime::prelude::*;
use graph_runtime::{fold, fold_right, map_fn, switch_case};

use super::{Context, Way, rust_forms, statements, values};
use crate::for_dtype;
use crate::program::{Code, Form, Jump, Name, Statement, Walk};
use crate::scope::Scope;
use crate::value::Value;

/// The values that a block leaves to the code after it: the names that it carries, then the number of its jump if it may jump.
pub type Left = Vec<Value>;

/// A block with its scope, ready to run.
#[derive(Clone)]
pub struct Block<'a> {
    pub context: Context,
    pub code: &'a Code,
    pub scope: Scope,
    pub carried: &'a [Name],
    /// Whether the number of a jump is among the values that it leaves.
    pub leaves: bool,
}

impl Block<'_> {
    /// Runs the block with these values for the names that it carries.
    pub fn run(&self, state: &[Value], more: impl IntoIterator<Item = (Name, Value)>) -> Left {
        let mut scope = self.scope.with(more);
        scope.set_all(self.carried, state.iter().cloned());
        let way = statements(self.context, self.code.statements(), &mut scope);
        self.left(&scope, way)
    }

    /// The values that the block leaves in this scope.
    fn left(&self, scope: &Scope, way: Option<Way>) -> Left {
        let mut left = scope.get_all(self.carried);
        if self.leaves {
            left.push(Value::of(way.unwrap_or_else(|| tensor(0))));
        }
        left
    }

    /// The carried values at the beginning of a loop. If sizes are open, they may change from one iteration to the next.
    pub fn state(&self) -> Left {
        let state = self.scope.get_all(self.carried);
        match self.context.open {
            true => state.iter().map(Value::relaxed).collect(),
            false => state,
        }
    }
}

/// The number of the jump, which is the last value that a block leaves.
pub fn way_of(left: &[Value]) -> Way {
    left.last().expect("a way out is left").typed()
}

/// Moves the values that a block left into the scope. Returns the number of its jump, if it may jump.
fn take_over(left: Left, carried: &[Name], scope: &mut Scope) -> Option<Way> {
    let way = (left.len() > carried.len()).then(|| way_of(&left));
    scope.set_all(carried, left);
    way
}

/// Runs the rest of a block unless the block jumped before.
pub fn if_next(context: Context, way: Way, rest: &[Statement], scope: &mut Scope) -> Way {
    if rest.is_empty() {
        return way;
    }
    let code = Code::new(rest.to_vec(), Vec::new());
    let carried = scope.carried([&code]);
    let block = Block {
        context,
        code: &code,
        scope: scope.clone(),
        carried: &carried,
        leaves: true,
    };
    let state = scope.get_all(&carried);
    let left = cond(
        way.equal(0),
        || block.run(&state, []),
        || block.left(&block.scope, Some(way.clone())),
    );
    take_over(left, &carried, scope).expect("a way out is left")
}

/// Runs one of two blocks.
pub fn if_else(
    context: Context,
    form: Form,
    condition: Tensor<bool>,
    branches: [&Code; 2],
    scope: &mut Scope,
) -> Option<Way> {
    let carried = scope.carried(branches);
    let leaves = branches.iter().any(|code| code.jumps().any());
    let [yes, no] = branches;
    let left = match form {
        Form::Rust => {
            let (names, values, variables) = scope.clone().into_parts();
            let (yes, no) = (yes.clone(), no.clone());
            let how = rust_forms::How {
                context,
                names,
                carried: carried.clone(),
                leaves,
            };
            let locals = rust_forms::Locals { values, variables };
            rust_forms::if_else(how, condition, yes, no, locals)
        }
        Form::ByHand => {
            let block = |code| Block {
                context,
                code,
                scope: scope.clone(),
                carried: &carried,
                leaves,
            };
            let state = scope.get_all(&carried);
            cond(
                condition,
                || block(yes).run(&state, []),
                || block(no).run(&state, []),
            )
        }
    };
    take_over(left, &carried, scope)
}

/// Runs one of several blocks.
pub fn switch(
    context: Context,
    index: Tensor<i32>,
    branches: &[Code],
    scope: &mut Scope,
) -> Option<Way> {
    let carried = scope.carried(branches);
    let leaves = branches.iter().any(|code| code.jumps().any());
    let state = scope.get_all(&carried);
    let branch = |code| {
        let block = Block {
            context,
            code,
            scope: scope.clone(),
            carried: &carried,
            leaves,
        };
        let state = state.clone();
        Box::new(move || block.run(&state, [])) as Box<dyn FnOnce() -> Left>
    };
    let left = switch_case(index, branches.iter().map(branch).collect());
    take_over(left, &carried, scope)
}

/// A loop over a block. If the block may jump, the number of its jump is carried, too.
struct Loop<'a> {
    block: Block<'a>,
}

impl<'a> Loop<'a> {
    fn new(context: Context, code: &'a Code, carried: &'a [Name], scope: &Scope) -> Loop<'a> {
        Loop {
            block: Block {
                context,
                code,
                scope: scope.clone(),
                carried,
                leaves: code.jumps().any(),
            },
        }
    }

    /// The carried values and the number of the jump before the first iteration.
    fn start(&self) -> Left {
        let mut state = self.block.state();
        if self.block.leaves {
            state.push(Value::of(tensor(0)));
        }
        state
    }

    /// Whether another iteration follows.
    fn goes_on(&self, left: &[Value], test: Tensor<bool>) -> Tensor<bool> {
        match self.block.leaves {
            true => test.logical_and(way_of(left).lt(Jump::Break.number())),
            false => test,
        }
    }

    /// Moves the values that the last iteration left into the scope. Only a `return` leaves more than the loop, so its number is returned.
    fn end(&self, mut left: Left, carried: &[Name], scope: &mut Scope) -> Option<Way> {
        let way = self.block.leaves.then(|| way_of(&left));
        left.truncate(carried.len());
        scope.set_all(carried, left);
        let returns = self.block.code.jumps().of_function;
        way.filter(|_| returns).map(|way| only_return(&way))
    }
}

/// The jump of a whole loop whose last iteration ended with the jump `way`.
fn only_return(way: &Way) -> Way {
    let number = Jump::Return.number();
    way.equal(number).select(number, 0)
}

/// Runs a block for each number below a count.
pub fn for_loop(
    context: Context,
    form: Form,
    (index, count): (Name, Tensor<i32>),
    body: &Code,
    scope: &mut Scope,
) -> Option<Way> {
    let carried = scope.carried([body]);
    let loops = Loop::new(context, body, &carried, scope);
    let left = match form {
        Form::Rust => {
            let (how, locals) = rust_forms::How::of_loop(context, scope, &carried, body);
            rust_forms::for_loop(how, index, count, body.clone(), locals)
        }
        Form::ByHand => {
            let (_, left) = graph_runtime::while_loop(
                |(i, left)| loops.goes_on(left, i.lt(&count)),
                |(i, left): (Tensor<i32>, Left)| {
                    let left = loops.block.run(&left, [(index, Value::of(i.clone()))]);
                    (i + 1, left)
                },
                (tensor(0), loops.start()),
            );
            left
        }
    };
    loops.end(left, &carried, scope)
}

/// The condition of a `while`.
pub struct Head<'a> {
    pub counter: Name,
    pub limit: i32,
    pub test: &'a Code,
}

impl Head<'_> {
    /// Whether the condition is true.
    pub fn holds(&self, context: Context, scope: &Scope) -> Tensor<bool> {
        values(context, self.test, scope).remove(0).typed()
    }
}

/// Runs a block as long as a condition is true.
pub fn while_loop(
    context: Context,
    form: Form,
    head: &Head<'_>,
    body: &Code,
    scope: &mut Scope,
) -> Option<Way> {
    let carried = scope.carried([body]);
    let loops = Loop::new(context, body, &carried, scope);
    let left = match form {
        Form::Rust => {
            let (how, locals) = rust_forms::How::of_loop(context, scope, &carried, body);
            let (test, body) = (head.test.clone(), body.clone());
            rust_forms::while_loop(how, head.counter, head.limit, test, body, locals)
        }
        Form::ByHand => {
            let (_, left) = graph_runtime::while_loop(
                |(i, left): &(Tensor<i32>, Left)| {
                    let mut inner = loops.block.scope.clone();
                    inner.declare(head.counter, Value::of(i.clone()));
                    inner.set_all(&carried, left.iter().cloned());
                    let test = head.holds(context, &inner).logical_and(i.lt(head.limit));
                    loops.goes_on(left, test)
                },
                |(i, left): (Tensor<i32>, Left)| {
                    let counter = (head.counter, Value::of(i.clone()));
                    (i + 1, loops.block.run(&left, [counter]))
                },
                (tensor(0), loops.start()),
            );
            left
        }
    };
    loops.end(left, &carried, scope)
}

/// Runs a block for each row.
pub fn rows(
    context: Context,
    walk: Walk,
    (row, rows): (Name, Value),
    body: &Code,
    scope: &mut Scope,
) -> Option<Way> {
    let carried = scope.carried([body]);
    let loops = Loop::new(context, body, &carried, scope);
    let left = for_dtype!(rows.0.dtype(), T => {
        let rows = rows.typed::<T>();
        let step = |left: Left, value: Tensor<T>| loops.block.run(&left, [(row, Value::of(value))]);
        match walk {
            Walk::Fold => fold(step, rows, loops.start()),
            Walk::FoldRight => fold_right(step, rows, loops.start()),
            Walk::For => {
                let (how, locals) = rust_forms::How::of_loop(context, scope, &carried, body);
                rust_forms::for_rows(how, row, &rows, body.clone(), locals)
            }
            Walk::Dataset => {
                let (how, locals) = rust_forms::How::of_loop(context, scope, &carried, body);
                let rows = Dataset::from_slices(rows);
                rust_forms::for_elements(how, row, rows, body.clone(), locals)
            }
        }
    });
    loops.end(left, &carried, scope)
}

/// Gathers the value of a block for each row.
pub fn map(context: Context, (row, rows): (Name, Value), body: &Code, scope: &Scope) -> Value {
    let value = |row_value: Value| values(context, body, &scope.with([(row, row_value)])).remove(0);
    for_dtype!(rows.0.dtype(), T => {
        map_values(rows.typed::<T>(), value)
    })
}

/// `map_fn` of rows of `T`. The dtype of the function's result is known only at run time.
fn map_values<T: graph_runtime::Element>(rows: Tensor<T>, f: impl Fn(Value) -> Value) -> Value {
    // The generator only writes functions whose result is a 64-bit float.
    Value::of(map_fn(
        |row: Tensor<T>| f(Value::of(row)).typed::<f64>(),
        rows,
    ))
}

/// Gathers the value of a block for each number below a count in a `TensorArray`.
pub fn gather(
    context: Context,
    (index, count): (Name, usize),
    body: &Code,
    scope: &Scope,
) -> Value {
    let (_, array) = graph_runtime::while_loop(
        |(i, _)| i.lt(count as i32),
        |(i, mut array): (Tensor<i32>, TensorArray<f64>)| {
            let inner = scope.with([(index, Value::of(i.clone()))]);
            let value = values(context, body, &inner).remove(0);
            let array = array.write(&i, value.typed::<f64>());
            (i + 1, array)
        },
        (tensor(0), TensorArray::<f64>::new(count)),
    );
    Value::of(array.stack())
}
