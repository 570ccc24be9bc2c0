//! What a program means, in plain Rust over lists of numbers, without the library: for the ops that `elementwise` and `arrays` know. It
//! says nothing of others, nor of gradients.
//!
//! Where an op may round in another way, each of some runs moves its result a little. What all runs give the same is known to the last bit,
//! also among floats; of the rest, how far they are apart says how far the library may be from them. A program that goes another way in one
//! of the runs stands at an edge, and nothing is said.

mod arrays;
mod elementwise;

use std::collections::BTreeMap;

use graph_runtime::{Array, DType};

use crate::exact::Outcome;
use crate::program::{Code, Custom, Expr, Jump, Name, Program, Statement, Walk};
use crate::random::Random;
use crate::value::numbers;
use crate::ways::Disagreement;

/// How many runs move their results.
const RUNS: u64 = 3;

/// How many times as far as the runs are apart a result may be from the first of them.
const SLACK: f64 = 64.0;

/// An array of numbers. Integers of 64 bits beyond what a float holds don't come up, but by wrapping: see [`Plain::ints`].
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

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// An integer scalar.
    fn int(&self) -> Option<i64> {
        match &self.data {
            Data::Ints(values) => values.first().copied(),
            Data::Floats(_) => None,
        }
    }

    /// The numbers at some places, under a shape.
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

    /// A row.
    fn row(&self, i: usize) -> Plain {
        let shape = &self.shape[1..];
        let size: usize = shape.iter().product();
        self.taken(shape, i * size..(i + 1) * size)
    }
}

/// Which way a block is left.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Next,
    Jump(Jump),
}

/// One run.
struct Run {
    names: BTreeMap<Name, Plain>,
    noise: Noise,
}

/// Moves what may be rounded in another way.
pub struct Noise(Option<Random>);

impl Noise {
    /// A number that is known but for some rounding, of its own size or of something larger that it was made of.
    pub fn rounded(&mut self, dtype: DType, value: f64, size: f64) -> f64 {
        let Some(random) = &mut self.0 else {
            return value;
        };
        let unit = match dtype {
            DType::F32 => f64::from(f32::EPSILON),
            _ => f64::EPSILON,
        };
        let sign = random.one_of(&[-1.0, 1.0]);
        // Far enough that rounding doesn't take it back.
        let by = sign * random.between(2.0, 4.0) * unit * size;
        if by.is_finite() { value + by } else { value }
    }
}

/// What a program returns in one run; `None` if it has something that isn't known here.
fn run(program: &Program, noise: Noise) -> Option<Vec<Plain>> {
    let inputs = program.inputs.iter();
    let mut run = Run {
        names: inputs
            .map(|(name, array)| (*name, Plain::of_array(array)))
            .collect(),
        noise,
    };
    run.block(&program.body)?;
    let results = program.results.iter();
    Some(results.map(|name| run.names[name].clone()).collect())
}

/// Compares what a program gave with what it means; false if nothing can be said.
///
/// # Errors
/// If it gave something else.
pub fn compare(program: &Program, outcome: &Outcome) -> Result<bool, Disagreement> {
    let runs = (0..=RUNS).map(|i| run(program, Noise((i > 0).then(|| Random::new(i)))));
    let Some(runs) = runs.collect::<Option<Vec<Vec<Plain>>>>() else {
        return Ok(false);
    };
    let mut says_all = true;
    for (at, result) in outcome.results.iter().enumerate() {
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

/// Whether a result is what runs gave; `None` if they don't say.
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
            // One is a number and the other isn't: an edge.
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
            Statement::Print(_) => {}
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
            Statement::While(_, counter, limit, test, body) => {
                return self.while_loop(*counter, *limit, test, body);
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
            Statement::Call(_, parameters, body, names) => {
                self.given(parameters)?;
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

    /// Gives parameters their values, which are found before any of them has one.
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

    fn while_loop(&mut self, counter: Name, limit: i32, test: &Code, body: &Code) -> Option<Flow> {
        for i in 0..i64::from(limit) {
            self.set_int(counter, i);
            if self.value(test)?.int()? == 0 {
                break;
            }
            // What the test gives other values is its own.
            self.set_int(counter, i);
            match self.block(body)? {
                Flow::Jump(Jump::Break) => break,
                Flow::Jump(Jump::Return) => return Some(Flow::Jump(Jump::Return)),
                _ => {}
            }
        }
        Some(Flow::Next)
    }

    fn eval(&mut self, expr: &Expr) -> Option<Plain> {
        match expr {
            Expr::Name(name) => self.names.get(name).cloned(),
            Expr::Constant(array) => Some(Plain::of_array(array)),
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
