//! Computes the results of a program in plain Rust over lists of numbers, without the library. It covers the ops in `elementwise` and
//! `arrays`, but no other ops and no gradients.
//!
//! The program runs several times. Where an op may round differently, each run perturbs the result a little. A value that is the same in
//! all runs is exact, even a float. For other values, the difference between the runs says how much the library may deviate. If the runs
//! differ in control flow or between finite and infinite values, the program is at a discontinuity and isn't compared.

mod arrays;
mod elementwise;
mod variables;

use std::collections::BTreeMap;

use graph_runtime::{Array, DType};

use crate::exact::Outcome;
use crate::program::{Code, Custom, Expr, Form, Jump, Name, Program, Statement, Walk};
use crate::random::Random;
use crate::value::numbers;
use crate::ways::Disagreement;
use variables::Variables;

/// The number of runs with perturbed results.
const RUNS: u64 = 3;

/// The maximum deviation from the first run, as a multiple of the difference between the runs.
const SLACK: f64 = 64.0;

/// An array of numbers. Integers of 64 bits that no float can hold occur only by wrapping: see [`Plain::ints`].
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    pub dtype: DType,
    pub shape: Vec<usize>,
    pub data: Data,
}

/// The numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Of floats.
    Floats(Vec<f64>),
    /// Of integers and truth values.
    Ints(Vec<i64>),
}

impl Plain {
    /// Floats, rounded to the dtype.
    pub fn floats(dtype: DType, shape: &[usize], values: Vec<f64>) -> Plain {
        let round = |v: f64| {
            if dtype == DType::F32 {
                f64::from(v as f32)
            } else {
                v
            }
        };
        Plain {
            dtype,
            shape: shape.to_vec(),
            data: Data::Floats(values.into_iter().map(round).collect()),
        }
    }

    /// Integers, wrapped to the dtype.
    pub fn ints(dtype: DType, shape: &[usize], values: Vec<i64>) -> Plain {
        let wrap = |v: i64| match dtype {
            DType::I32 => i64::from(v as i32),
            DType::U8 => i64::from(v as u8),
            DType::Bool => i64::from(v != 0),
            _ => v,
        };
        Plain {
            dtype,
            shape: shape.to_vec(),
            data: Data::Ints(values.into_iter().map(wrap).collect()),
        }
    }

    /// The numbers of an array.
    pub fn of_array(array: &Array) -> Plain {
        let (dtype, shape) = (array.dtype(), array.shape());
        if dtype.is_float() {
            return Plain::floats(dtype, shape, numbers(array));
        }
        let values = match array.values::<i64>() {
            Some(values) => values.to_vec(),
            None => numbers(array).into_iter().map(|v| v as i64).collect(),
        };
        Plain::ints(dtype, shape, values)
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// The value of an integer scalar.
    fn int(&self) -> Option<i64> {
        match &self.data {
            Data::Ints(values) => values.first().copied(),
            Data::Floats(_) => None,
        }
    }

    /// The values at some indices, with a shape.
    pub fn taken(&self, shape: &[usize], places: impl Iterator<Item = usize>) -> Plain {
        let data = match &self.data {
            Data::Floats(values) => Data::Floats(places.map(|i| values[i]).collect()),
            Data::Ints(values) => Data::Ints(places.map(|i| values[i]).collect()),
        };
        Plain {
            dtype: self.dtype,
            shape: shape.to_vec(),
            data,
        }
    }

    /// Row `i`.
    fn row(&self, i: usize) -> Plain {
        let shape = &self.shape[1..];
        let size: usize = shape.iter().product();
        self.taken(shape, i * size..(i + 1) * size)
    }
}

/// How a block ends.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Next,
    Jump(Jump),
}

const CONTINUE: Flow = Flow::Jump(Jump::Continue);

/// The state of one run.
struct Run {
    names: BTreeMap<Name, Plain>,
    variables: Variables,
    noise: Noise,
}

/// Perturbs results that may be rounded differently.
pub struct Noise(Option<Random>);

impl Noise {
    /// Perturbs a value by a rounding error in proportion to `size`: the value itself, or a larger number from which it was computed.
    pub fn rounded(&mut self, dtype: DType, value: f64, size: f64) -> f64 {
        let Some(random) = &mut self.0 else {
            return value;
        };
        let unit = match dtype {
            DType::F32 => f64::from(f32::EPSILON),
            _ => f64::EPSILON,
        };
        let sign = random.one_of(&[-1.0, 1.0]);
        // The perturbation is large enough that rounding doesn't undo it.
        let by = sign * random.between(2.0, 4.0) * unit * size;
        if by.is_finite() { value + by } else { value }
    }
}

/// The results of a program in one run, and the values of its variables; `None` if it has something that isn't implemented here.
fn run(program: &Program, noise: Noise) -> Option<Vec<Plain>> {
    let inputs = program.inputs.iter();
    let mut run = Run {
        names: inputs
            .map(|(name, array)| (*name, Plain::of_array(array)))
            .collect(),
        variables: Variables::new(program),
        noise,
    };
    run.block(&program.body)?;
    let results = program.results.iter().map(|name| run.names[name].clone());
    Some(results.chain(run.variables.values).collect())
}

/// Compares the outcome of a program with this reference; false if it can't be compared.
///
/// # Errors
/// If the results differ.
pub fn compare(program: &Program, outcome: &Outcome) -> Result<bool, Disagreement> {
    let runs = (0..=RUNS).map(|i| run(program, Noise((i > 0).then(|| Random::new(i)))));
    let Some(runs) = runs.collect::<Option<Vec<Vec<Plain>>>>() else {
        return Ok(false);
    };
    let mut says_all = true;
    for (at, result) in outcome.results.iter().chain(&outcome.variables).enumerate() {
        let of_runs: Vec<&Plain> = runs.iter().map(|run| &run[at]).collect();
        match agrees(&Plain::of_array(result), &of_runs) {
            Some(true) => {}
            Some(false) => return Err(disagreement(at, of_runs[0], result)),
            None => says_all = false,
        }
    }
    Ok(says_all)
}

fn disagreement(at: usize, expected: &Plain, result: &Array) -> Disagreement {
    Disagreement {
        kind: "plain Rust gives something else".to_owned(),
        details: format!(
            "result {at} is {}\nplain Rust: {expected:?}",
            crate::exact::shown_array(result)
        ),
    }
}

/// Whether a result agrees with the runs; `None` if the runs disagree.
fn agrees(result: &Plain, runs: &[&Plain]) -> Option<bool> {
    let first = runs[0];
    if result.dtype != first.dtype || result.shape != first.shape {
        return Some(false);
    }
    match (&result.data, &first.data) {
        (Data::Ints(result), Data::Ints(expected)) => {
            let same = runs.iter().all(|run| run.data == first.data);
            same.then(|| result == expected)
        }
        (Data::Floats(result), Data::Floats(expected)) => {
            let others: Vec<&Vec<f64>> = runs.iter().filter_map(|run| run.data.floats()).collect();
            floats_agree(result, expected, &others)
        }
        _ => Some(false),
    }
}

impl Data {
    fn floats(&self) -> Option<&Vec<f64>> {
        match self {
            Data::Floats(values) => Some(values),
            Data::Ints(_) => None,
        }
    }
}

fn floats_agree(result: &[f64], expected: &[f64], runs: &[&Vec<f64>]) -> Option<bool> {
    let alike = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
    let mut apart = 0.0f64;
    for run in runs {
        for (a, b) in run.iter().zip(expected) {
            // One is finite or NaN where the other isn't: a discontinuity.
            if !alike(*a, *b) && !(a - b).is_finite() {
                return None;
            }
            if !alike(*a, *b) {
                apart = apart.max((a - b).abs());
            }
        }
    }
    let mut pairs = result.iter().zip(expected);
    Some(pairs.all(|(a, b)| alike(*a, *b) || (a - b).abs() <= SLACK * apart))
}

impl Run {
    fn block(&mut self, code: &Code) -> Option<Flow> {
        for statement in code.statements() {
            let flow = self.step(statement)?;
            if flow != Flow::Next {
                return Some(flow);
            }
        }
        Some(Flow::Next)
    }

    /// The value of a block.
    fn value(&mut self, code: &Code) -> Option<Plain> {
        self.block(code)?;
        self.eval(code.values().first()?)
    }

    fn step(&mut self, statement: &Statement) -> Option<Flow> {
        match statement {
            Statement::Let(name, value) | Statement::Assign(name, value) => {
                let value = self.eval(value)?;
                self.names.insert(*name, value);
            }
            // The program is one that doesn't fail.
            Statement::Print(_) | Statement::Assert(..) => {}
            Statement::Write(write, name, operands) => {
                let operands = operands.iter().map(|o| self.eval(o));
                let operands = operands.collect::<Option<Vec<Plain>>>()?;
                self.variables
                    .write(*write, *name, &operands, &mut self.noise)?;
            }
            Statement::Jump(jump) => return Some(Flow::Jump(*jump)),
            Statement::If(_, condition, yes, no) => {
                let holds = self.eval(condition)?.int()? != 0;
                return self.block(if holds { yes } else { no });
            }
            Statement::Switch(index, branches) => {
                let last = branches.len() - 1;
                let index = self.eval(index)?.int()?;
                let index = usize::try_from(index).map_or(last, |i| i.min(last));
                return self.block(&branches[index]);
            }
            Statement::For(_, index, count, body) => {
                let count = self.eval(count)?.int()?;
                return self.repeat(0..count, body, |run, i| run.set_int(*index, i));
            }
            Statement::While(form, counter, limit, test, body) => {
                return self.while_loop(*form, (*counter, *limit), test, body);
            }
            Statement::Rows(walk, row, rows, body) => {
                let rows = self.eval(rows)?;
                let count = rows.shape[0];
                let place = |i: i64| match walk {
                    Walk::FoldRight => count - 1 - i as usize,
                    _ => i as usize,
                };
                let set = |run: &mut Run, i| {
                    run.names.insert(*row, rows.row(place(i)));
                };
                return self.repeat(0..count as i64, body, set);
            }
            Statement::Map(name, row, rows, body) => {
                let rows = self.eval(rows)?;
                let each = (0..rows.shape[0]).map(|i| {
                    self.names.insert(*row, rows.row(i));
                    self.value(body)
                });
                let values = each.collect::<Option<Vec<Plain>>>()?;
                self.names.insert(*name, arrays::stacked(&values, 0)?);
            }
            Statement::Gather(name, index, count, body) => {
                let each = (0..*count).map(|i| {
                    self.set_int(*index, i as i64);
                    self.value(body)
                });
                let values = each.collect::<Option<Vec<Plain>>>()?;
                self.names.insert(*name, arrays::stacked(&values, 0)?);
            }
            Statement::Call(_, parameters, passed, body, names) => {
                self.given(parameters)?;
                self.variables.pass(passed);
                self.block(body)?;
                for ((parameter, _), name) in parameters.iter().zip(names) {
                    let value = self.names[parameter].clone();
                    self.names.insert(*name, value);
                }
            }
            Statement::Gradient(..) => return None,
        }
        Some(Flow::Next)
    }

    /// Sets parameters to their arguments. All arguments are evaluated before any parameter is set.
    fn given(&mut self, parameters: &[(Name, Expr)]) -> Option<()> {
        let values = parameters.iter().map(|(_, value)| self.eval(value));
        let values = values.collect::<Option<Vec<Plain>>>()?;
        let names = parameters.iter().map(|(name, _)| *name);
        self.names.extend(names.zip(values));
        Some(())
    }

    fn set_int(&mut self, name: Name, value: i64) {
        let value = Plain::ints(DType::I32, &[], vec![value]);
        self.names.insert(name, value);
    }

    fn repeat(
        &mut self,
        numbers: std::ops::Range<i64>,
        body: &Code,
        mut begin: impl FnMut(&mut Run, i64),
    ) -> Option<Flow> {
        for i in numbers {
            begin(self, i);
            match self.block(body)? {
                Flow::Jump(Jump::Break) => break,
                Flow::Jump(Jump::Return) => return Some(Flow::Jump(Jump::Return)),
                _ => {}
            }
        }
        Some(Flow::Next)
    }

    /// Rust's `while` doesn't evaluate its condition after the last iteration that may be, or after a `break`. A loop by hand does; only
    /// the effects of the condition show it.
    fn while_loop(
        &mut self,
        form: Form,
        (counter, limit): (Name, i32),
        test: &Code,
        body: &Code,
    ) -> Option<Flow> {
        let mut flow = Flow::Next;
        for i in 0.. {
            let ends = i >= i64::from(limit) || (flow != Flow::Next && flow != CONTINUE);
            if ends && form == Form::Rust {
                break;
            }
            self.set_int(counter, i);
            if self.value(test)?.int()? == 0 || ends {
                break;
            }
            // Assignments in the condition don't affect the counter.
            self.set_int(counter, i);
            flow = self.block(body)?;
        }
        let returns = flow == Flow::Jump(Jump::Return);
        Some(if returns { flow } else { Flow::Next })
    }

    fn eval(&mut self, expr: &Expr) -> Option<Plain> {
        match expr {
            Expr::Name(name) => self.names.get(name).cloned(),
            Expr::Constant(array) => Some(Plain::of_array(array)),
            Expr::Read(name) => Some(self.variables.read(*name).clone()),
            Expr::Seed(_) => None,
            Expr::Failing(op, _) => self.eval(op),
            Expr::Custom(custom, operand) => {
                let operand = self.eval(operand)?;
                let op = match custom {
                    Custom::Square => "square",
                    Custom::Sine => "sin",
                    Custom::Tanh => "tanh",
                };
                elementwise::apply(op, &[operand], &mut self.noise)
            }
            Expr::Apply(op, attrs, operands) => {
                let operands = operands.iter().map(|o| self.eval(o));
                let operands = operands.collect::<Option<Vec<Plain>>>()?;
                let noise = &mut self.noise;
                elementwise::apply(op.name, &operands, noise)
                    .or_else(|| arrays::apply(op.name, attrs, &operands, noise))
            }
        }
    }
}
