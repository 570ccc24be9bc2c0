//! Statements with blocks, by `cond`, `while_loop`, `switch_case` and the functions over rows.

use graph_runtime::prelude::*;
use graph_runtime::{fold, fold_right, map_fn, switch_case};

use super::{Context, Way, rust_forms, statements, values};
use crate::for_dtype;
use crate::program::{Code, Form, Jump, Name, Statement, Walk};
use crate::scope::Scope;
use crate::value::Value;

/// What a block leaves to those around it: what it carries, and the way out behind that if there is a choice.
pub type Left = Vec<Value>;

/// A block in its scope, ready to run.
#[derive(Clone)]
pub struct Part<'a> {
    pub context: Context,
    pub code: &'a Code,
    pub scope: Scope,
    pub carried: &'a [Name],
    /// Whether a way out is left, too.
    pub leaves: bool,
}

impl Part<'_> {
    /// Runs the block where the names that it carries hold these values.
    pub fn run(&self, state: &[Value], more: impl IntoIterator<Item = (Name, Value)>) -> Left {
        let mut scope = self.scope.with(more);
        scope.set_all(self.carried, state.iter().cloned());
        let way = statements(self.context, self.code.statements(), &mut scope);
        self.left(&scope, way)
    }

    /// What is left if nothing is run.
    fn left(&self, scope: &Scope, way: Option<Way>) -> Left {
        let mut left = scope.get_all(self.carried);
        if self.leaves {
            left.push(Value::of(way.unwrap_or_else(|| tensor(0))));
        }
        left
    }

    /// What is carried into a loop, in which sizes may change as far as tracing knows.
    pub fn state(&self) -> Left {
        let state = self.scope.get_all(self.carried);
        match self.context.open {
            true => state.iter().map(Value::relaxed).collect(),
            false => state,
        }
    }
}

/// The way out at the end of what a block left.
pub fn way_of(left: &[Value]) -> Way {
    left.last().expect("a way out is left").typed()
}

/// Takes what a block left over into the scope; gives the way out, if there is a choice.
fn take_over(left: Left, carried: &[Name], scope: &mut Scope) -> Option<Way> {
    let way = (left.len() > carried.len()).then(|| way_of(&left));
    scope.set_all(carried, left);
    way
}

/// Runs the rest of a block if it wasn't left before.
pub fn if_next(context: Context, way: Way, rest: &[Statement], scope: &mut Scope) -> Way {
    if rest.is_empty() {
        return way;
    }
    let code = Code::new(rest.to_vec(), Vec::new());
    let carried = scope.carried([&code]);
    let part = Part {
        context,
        code: &code,
        scope: scope.clone(),
        carried: &carried,
        leaves: true,
    };
    let state = scope.get_all(&carried);
    let left = cond(
        way.equal(0),
        || part.run(&state, []),
        || part.left(&part.scope, Some(way.clone())),
    );
    take_over(left, &carried, scope).expect("a way out is left")
}

/// One of two blocks.
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
            let (names, values) = scope.clone().into_parts();
            let (yes, no) = (yes.clone(), no.clone());
            let how = rust_forms::How {
                context,
                names,
                carried: carried.clone(),
                leaves,
            };
            rust_forms::if_else(how, condition, yes, no, values)
        }
        Form::ByHand => {
            let part = |code| Part {
                context,
                code,
                scope: scope.clone(),
                carried: &carried,
                leaves,
            };
            let state = scope.get_all(&carried);
            cond(
                condition,
                || part(yes).run(&state, []),
                || part(no).run(&state, []),
            )
        }
    };
    take_over(left, &carried, scope)
}

/// One of several blocks.
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
        let part = Part {
            context,
            code,
            scope: scope.clone(),
            carried: &carried,
            leaves,
        };
        let state = state.clone();
        Box::new(move || part.run(&state, [])) as Box<dyn FnOnce() -> Left>
    };
    let left = switch_case(index, branches.iter().map(branch).collect());
    take_over(left, &carried, scope)
}

/// How a loop over a block runs: with a way out if the block has one.
struct Loop<'a> {
    part: Part<'a>,
}

impl<'a> Loop<'a> {
    fn new(context: Context, code: &'a Code, carried: &'a [Name], scope: &Scope) -> Loop<'a> {
        Loop {
            part: Part {
                context,
                code,
                scope: scope.clone(),
                carried,
                leaves: code.jumps().any(),
            },
        }
    }

    /// What is carried, and the way out.
    fn start(&self) -> Left {
        let mut state = self.part.state();
        if self.part.leaves {
            state.push(Value::of(tensor(0)));
        }
        state
    }

    /// Whether another iteration may follow.
    fn goes_on(&self, left: &[Value], test: Tensor<bool>) -> Tensor<bool> {
        match self.part.leaves {
            true => test.logical_and(way_of(left).lt(Jump::Break.number())),
            false => test,
        }
    }

    /// Takes over what the last iteration left. Only a `return` goes further than the loop.
    fn end(&self, mut left: Left, carried: &[Name], scope: &mut Scope) -> Option<Way> {
        let way = self.part.leaves.then(|| way_of(&left));
        left.truncate(carried.len());
        scope.set_all(carried, left);
        let returns = self.part.code.jumps().of_function;
        way.filter(|_| returns).map(|way| only_return(&way))
    }
}

/// The way out of a loop whose last iteration was left in a way.
fn only_return(way: &Way) -> Way {
    let number = Jump::Return.number();
    way.equal(number).select(number, 0)
}

/// A block for each number below a count.
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
            let (how, values) = rust_forms::How::of_loop(context, scope, &carried, body);
            rust_forms::for_loop(how, index, count, body.clone(), values)
        }
        Form::ByHand => {
            let (_, left) = graph_runtime::while_loop(
                |(i, left)| loops.goes_on(left, i.lt(&count)),
                |(i, left): (Tensor<i32>, Left)| {
                    let left = loops.part.run(&left, [(index, Value::of(i.clone()))]);
                    (i + 1, left)
                },
                (tensor(0), loops.start()),
            );
            left
        }
    };
    loops.end(left, &carried, scope)
}

/// The head of a `while`.
pub struct Head<'a> {
    pub counter: Name,
    pub limit: i32,
    pub test: &'a Code,
}

impl Head<'_> {
    /// Whether the test holds.
    pub fn holds(&self, context: Context, scope: &Scope) -> Tensor<bool> {
        values(context, self.test, scope).remove(0).typed()
    }
}

/// A block as long as a test holds.
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
            let (how, values) = rust_forms::How::of_loop(context, scope, &carried, body);
            let (test, body) = (head.test.clone(), body.clone());
            rust_forms::while_loop(how, head.counter, head.limit, test, body, values)
        }
        Form::ByHand => {
            let (_, left) = graph_runtime::while_loop(
                |(i, left): &(Tensor<i32>, Left)| {
                    let mut inner = loops.part.scope.clone();
                    inner.declare(head.counter, Value::of(i.clone()));
                    inner.set_all(&carried, left.iter().cloned());
                    let test = head.holds(context, &inner).logical_and(i.lt(head.limit));
                    loops.goes_on(left, test)
                },
                |(i, left): (Tensor<i32>, Left)| {
                    let counter = (head.counter, Value::of(i.clone()));
                    (i + 1, loops.part.run(&left, [counter]))
                },
                (tensor(0), loops.start()),
            );
            left
        }
    };
    loops.end(left, &carried, scope)
}

/// A block for each row.
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
        let step = |left: Left, value: Tensor<T>| loops.part.run(&left, [(row, Value::of(value))]);
        match walk {
            Walk::Fold => fold(step, rows, loops.start()),
            Walk::FoldRight => fold_right(step, rows, loops.start()),
            Walk::For => {
                let (how, values) = rust_forms::How::of_loop(context, scope, &carried, body);
                rust_forms::for_rows(how, row, &rows, body.clone(), values)
            }
            Walk::Dataset => {
                let (how, values) = rust_forms::How::of_loop(context, scope, &carried, body);
                let rows = Dataset::from_slices(rows);
                rust_forms::for_elements(how, row, rows, body.clone(), values)
            }
        }
    });
    loops.end(left, &carried, scope)
}

/// The value of a block for each row.
pub fn map(context: Context, (row, rows): (Name, Value), body: &Code, scope: &Scope) -> Value {
    let value = |row_value: Value| values(context, body, &scope.with([(row, row_value)])).remove(0);
    for_dtype!(rows.0.dtype(), T => {
        map_values(rows.typed::<T>(), value)
    })
}

/// `map_fn` with a function whose result's dtype is known when it runs.
fn map_values<T: graph_runtime::Element>(rows: Tensor<T>, f: impl Fn(Value) -> Value) -> Value {
    // The generator has it that a row's value is a float of 64 bits.
    Value::of(map_fn(
        |row: Tensor<T>| f(Value::of(row)).typed::<f64>(),
        rows,
    ))
}

/// The value of a block for each number below a count, in a `TensorArray`.
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
