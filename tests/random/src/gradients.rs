//! Gradients of a program: tapes and forward mode, inside of a graph function, around it and without one, must agree with each other and
//! with finite differences. They are taken with respect to inputs and to variables.

use std::sync::Arc;

use graph_runtime::autodiff::{jvp, value_and_grad};
use graph_runtime::prelude::*;
use graph_runtime::{Array, DType, Variable, debug};

use crate::exact::{Failure, Ran, caught, shown};
use crate::expected::Expected;
use crate::interpret::{self, Context};
use crate::program::Program;
use crate::value::{Value, numbers};
use crate::ways::{About, Choice, Disagreement, Traced, given, of_graph, placeholders, ran};

/// The steps of finite differences. If both give the same slope, it is taken as the derivative.
const STEPS: [f64; 2] = [1e-4, 2.5e-5];

/// If the slopes on both sides differ by more than this, there is no derivative.
const KINK: f64 = 1e-2;

/// The maximum difference between two gradients that are computed in different orders.
const NEAR: f64 = 1e-7;

/// The maximum difference between a gradient and finite differences.
const NEAR_DIFFERENCES: f64 = 2e-5;

/// Gradients larger than this aren't compared.
const LARGE: f64 = 1e5;

/// All sizes of inputs are known while tracing.
const KNOWN: Context = Context { open: false };

/// No size of an input is known while tracing.
const OPEN: Context = Context { open: true };

/// The function that is differentiated: the weighted sum of all floats that the program returns.
fn loss(context: Context, program: &Program, inputs: Vec<Value>) -> Tensor<f64> {
    let results = interpret::program(context, program, inputs);
    let mut sum = tensor(0.0);
    for (k, result) in results.iter().enumerate() {
        let result = match result.0.dtype() {
            DType::F64 => result.typed::<f64>(),
            DType::F32 => result.typed::<f32>().cast(),
            _ => continue,
        };
        sum += (result.clone() * weights(k, &result)).sum();
    }
    sum
}

/// The weights of a result's values. There are only a few different ones.
fn weights(k: usize, result: &Tensor<f64>) -> Tensor<f64> {
    let Some(shape) = result.shape().to_known() else {
        return open_weights(k, result);
    };
    let values = (0..shape.iter().product()).map(|i: usize| weight(k + 3 * i));
    Value::constant(&Array::new(&shape, values.collect::<Vec<f64>>())).typed()
}

/// The same weights for a result whose sizes are known only when it runs.
fn open_weights(k: usize, result: &Tensor<f64>) -> Tensor<f64> {
    let places = range(0, result.size(), 1) * 3 + k as i32;
    let values = (places * 7 % 11).cast::<f64>() / 8.0 + 0.5;
    values.reshape(result.shape_tensor())
}

/// One of a few numbers around 1.
fn weight(i: usize) -> f64 {
    0.5 + (i * 7 % 11) as f64 / 8.0
}

/// What gradients are taken with respect to: inputs and variables, as many as [`sources_of`] a program counts.
type Sources = (Vec<Tensor<f64>>, Vec<Variable<f64>>);

/// The positions of the inputs, and of the variables, with respect to which gradients are taken.
fn sources_of(program: &Program) -> [Vec<usize>; 2] {
    fn floats<'a>(arrays: impl Iterator<Item = &'a Arc<Array>>) -> Vec<usize> {
        let floats = arrays.enumerate().filter(|(_, a)| a.dtype() == DType::F64);
        floats.map(|(at, _)| at).collect()
    }
    let inputs = program.inputs.iter().map(|(_, array)| array);
    let variables = program.variables.iter().map(|variable| &variable.start);
    [floats(inputs), floats(variables)]
}

/// The inputs and variables with respect to which gradients are taken.
fn picked(program: &Program, inputs: &[Value]) -> Sources {
    let [at, variables] = sources_of(program);
    let variables = variables
        .into_iter()
        .filter_map(|at| program.variables[at].handle.typed());
    (
        at.iter().map(|at| inputs[*at].typed()).collect(),
        variables.collect(),
    )
}

/// All inputs, of which those with respect to which gradients are taken are replaced by `xs`.
fn placed(program: &Program, inputs: &[Value], xs: &[Tensor<f64>]) -> Vec<Value> {
    let mut inputs = inputs.to_vec();
    let [at, _] = sources_of(program);
    for (at, x) in at.into_iter().zip(xs) {
        inputs[at] = Value::of(x.clone());
    }
    inputs
}

/// The direction in which the source `k` is changed.
fn direction(k: usize, source: &Array) -> Array {
    let values = (0..source.len()).map(|i| 1.0 - weight(5 * k + i)).collect();
    Array::new(source.shape(), values)
}

/// The directions in which the sources are changed: those of inputs and those of variables.
fn directions(program: &Program) -> [Vec<Tensor<f64>>; 2] {
    let [inputs, variables] = sources_of(program);
    let inputs: Vec<&Array> = inputs.iter().map(|at| &*program.inputs[*at].1).collect();
    let variables = variables.iter().map(|at| &*program.variables[*at].start);
    let all = inputs.iter().copied().chain(variables).enumerate();
    let mut all = all.map(|(k, source)| Value::constant(&direction(k, source)).typed());
    [all.by_ref().take(inputs.len()).collect(), all.collect()]
}

#[graph_fn]
fn traced_loss(context: Context, program: Traced<'_>, inputs: Vec<Value>) -> Tensor<f64> {
    loss(context, program.0, inputs)
}

/// A function of the sources alone; the other inputs and variables stay the same.
fn of_sources<'a>(
    context: Context,
    program: &'a Program,
    inputs: &'a [Value],
    traced: bool,
) -> impl Fn(&Sources) -> Tensor<f64> + 'a {
    move |(xs, _)| {
        let inputs = placed(program, inputs, xs);
        match traced {
            true => traced_loss(context, Traced(program), inputs),
            false => loss(context, program, inputs),
        }
    }
}

fn reverse(context: Context, program: &Program, inputs: &[Value], traced: bool) -> Vec<Value> {
    let sources = picked(program, inputs);
    let (_, gradients) = value_and_grad(of_sources(context, program, inputs, traced))(&sources);
    listed(gradients)
}

/// The gradients with respect to inputs and variables in one list.
fn listed((inputs, variables): (Vec<Tensor<f64>>, Vec<Tensor<f64>>)) -> Vec<Value> {
    inputs.into_iter().chain(variables).map(Value::of).collect()
}

fn forward(program: &Program, inputs: &[Value], traced: bool) -> Vec<Value> {
    let sources = picked(program, inputs);
    let f = of_sources(KNOWN, program, inputs, traced);
    vec![Value::of(jvp(f, &sources, &directions(program)).1)]
}

/// The gradient by a tape inside of a graph function.
#[graph_fn]
fn reverse_inside(context: Context, program: Traced<'_>, inputs: Vec<Value>) -> Vec<Value> {
    reverse(context, program.0, &inputs, false)
}

/// The directional derivative by forward mode inside of a graph function.
#[graph_fn]
fn forward_inside(context: Context, program: Traced<'_>, inputs: Vec<Value>) -> Vec<Value> {
    let _ = context;
    forward(program.0, &inputs, false)
}

/// The gradient of the directional derivative with respect to each source.
#[graph_fn]
fn second_inside(context: Context, program: Traced<'_>, inputs: Vec<Value>) -> Vec<Value> {
    let program = program.0;
    let directions = directions(program).concat();
    let along = |(xs, _): &Sources| {
        let inputs = placed(program, &inputs, xs);
        let gradients = reverse(context, program, &inputs, false);
        let mut sum = tensor(0.0);
        for (gradient, direction) in gradients.iter().zip(&directions) {
            sum += (gradient.typed::<f64>() * direction).sum();
        }
        sum
    };
    let (_, second) = value_and_grad(along)(&picked(program, &inputs));
    listed(second)
}

/// How far gradients could be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// All ways and finite differences agree.
    WithDifferences,
    /// All ways agree; finite differences gave no result.
    WithEachOther,
    /// They weren't compared: the gradients are too large or not finite, or the program isn't smooth.
    Nothing,
}

/// Compares the gradients of a program.
///
/// # Errors
/// The first way whose gradient differs.
pub fn compare(program: &Program, choice: &Choice) -> Result<Compared, Disagreement> {
    let traced = Traced(program);
    let inputs = given(program);
    let inside = ran(program, || reverse_inside(KNOWN, traced, inputs));
    let outcome = match &inside {
        Ok(outcome) => outcome,
        Err(failure) if is_not_finite(failure) => return Ok(Compared::Nothing),
        Err(_) => return Err(fails("a tape inside", &inside)),
    };
    if choice.number.is_multiple_of(4) || choice.about == About::Everything {
        let concrete = reverse_inside::concrete(KNOWN, traced, given(program));
        let concrete =
            concrete.map_err(|error| fails("a tape inside", &Err(Failure::at_once(error))))?;
        let graph = concrete.graph();
        let expected = Expected::Outcome(outcome.clone());
        of_graph(program, graph, " for a gradient", choice.pass(), &expected)?;
    }
    let gradient: Vec<f64> = outcome.results.iter().flat_map(numbers).collect();
    let loss = caught(|| Ok(traced_loss(KNOWN, traced, given(program)).item()));
    let loss =
        loss.map_err(|error| fails("the sum of the results", &Err(Failure::at_once(error))))?;
    if !gradient.iter().chain([&loss]).all(says_something) {
        return Ok(Compared::Nothing);
    }
    let along = along(program, &gradient);
    for way in ways(choice) {
        let (actual, is_forward) = way.run(program);
        let expected = if is_forward { &[along][..] } else { &gradient };
        // Programs that aren't smooth have values at poles and kinks, or of such different magnitudes that the order of additions matters.
        match program.smooth {
            true => near(way.name(), &actual, expected, NEAR)?,
            false if actual.is_err() => return Err(fails(way.name(), &actual)),
            false => {}
        }
    }
    if !program.smooth {
        return Ok(Compared::Nothing);
    }
    // A gradient with respect to a variable is that of its reads: none flows through an assignment to it.
    if program.writes_floats() {
        return Ok(Compared::WithEachOther);
    }
    with_differences(program, choice, &gradient)
}

/// Whether `check_numerics` found that a gradient isn't finite.
fn is_not_finite(failure: &Failure) -> bool {
    failure.reason().contains("detected in gradient")
}

/// A way to compute a gradient.
#[derive(Clone, Copy)]
enum Way {
    ReverseAround,
    ReverseEagerly,
    ReverseOpen,
    ForwardInside,
    ForwardAround,
    ForwardEagerly,
}

/// Two of the ways, chosen in turn.
fn ways(choice: &Choice) -> [Way; 2] {
    let forward = [Way::ForwardInside, Way::ForwardAround, Way::ForwardEagerly];
    let reverse = [Way::ReverseAround, Way::ReverseEagerly, Way::ReverseOpen];
    let number = choice.number as usize;
    [reverse[number / 3 % 3], forward[number / 9 % 3]]
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::ReverseAround => "a tape around",
            Way::ReverseEagerly => "a tape without a graph",
            Way::ReverseOpen => "a tape inside with open sizes",
            Way::ForwardInside => "forward mode inside",
            Way::ForwardAround => "forward mode around",
            Way::ForwardEagerly => "forward mode without a graph",
        }
    }

    /// The outcome of the way, and whether it is a directional derivative.
    fn run(self, program: &Program) -> (Ran, bool) {
        let inputs = given(program);
        let eagerly = |f: &dyn Fn() -> Vec<Value>| {
            let _scope = debug::EAGER.scope(true);
            ran(program, f)
        };
        match self {
            Way::ReverseAround => (
                ran(program, || reverse(KNOWN, program, &inputs, true)),
                false,
            ),
            Way::ReverseEagerly => (eagerly(&|| reverse(KNOWN, program, &inputs, false)), false),
            Way::ReverseOpen => (with_open_sizes(program), false),
            Way::ForwardInside => (
                ran(program, || forward_inside(KNOWN, Traced(program), inputs)),
                true,
            ),
            Way::ForwardAround => (ran(program, || forward(program, &inputs, true)), true),
            Way::ForwardEagerly => (eagerly(&|| forward(program, &inputs, false)), true),
        }
    }
}

/// The gradient by a tape in a graph function that is traced for open sizes.
fn with_open_sizes(program: &Program) -> Ran {
    let open = || {
        let concrete = reverse_inside::concrete(OPEN, Traced(program), placeholders(program));
        concrete.map_err(|error| error.to_string())
    };
    caught(open).map_err(Failure::at_once)?;
    let inputs = given(program);
    ran(program, || reverse_inside(OPEN, Traced(program), inputs))
}

/// The directional derivative that follows from a gradient.
fn along(program: &Program, gradient: &[f64]) -> f64 {
    let directions = directions(program).concat();
    let directions = directions.iter().flat_map(Tensor::to_vec);
    directions.zip(gradient).map(|(d, g)| d * g).sum()
}

fn with_differences(
    program: &Program,
    choice: &Choice,
    gradient: &[f64],
) -> Result<Compared, Disagreement> {
    let value = |by: f64| {
        let moved = moved(program, by);
        traced_loss(KNOWN, Traced(&moved), given(&moved)).item()
    };
    let Some(slope) = slope(value) else {
        return Ok(Compared::WithEachOther);
    };
    let expected = along(program, gradient);
    near_number("differences", expected, slope, gradient)?;
    if choice.number % 4 == 1 {
        second_order(program)?;
    }
    Ok(Compared::WithDifferences)
}

/// Compares the second derivative with finite differences of the gradient.
fn second_order(program: &Program) -> Result<(), Disagreement> {
    let inputs = given(program);
    let second = ran(program, || second_inside(KNOWN, Traced(program), inputs));
    let Ok(outcome) = &second else {
        return Err(fails("a tape around a tape", &second));
    };
    let second: Vec<f64> = outcome.results.iter().flat_map(numbers).collect();
    if !second.iter().all(says_something) {
        return Ok(());
    }
    let value = |by: f64| {
        let moved = moved(program, by);
        let gradient = reverse_inside(KNOWN, Traced(&moved), given(&moved));
        let gradient = gradient.iter().flat_map(|g| numbers(&g.0.array()));
        along(program, &gradient.collect::<Vec<f64>>())
    };
    match slope(value) {
        None => Ok(()),
        Some(slope) => near_number(
            "the second gradient",
            along(program, &second),
            slope,
            &second,
        ),
    }
}

/// The program with sources that are moved along the directions.
fn moved(program: &Program, by: f64) -> Program {
    let mut program = program.clone();
    let inputs = program.inputs.iter_mut().map(|(_, array)| array);
    let starts = program
        .variables
        .iter_mut()
        .map(|variable| &mut variable.start);
    let sources = inputs
        .chain(starts)
        .filter(|source| source.dtype() == DType::F64);
    for (k, source) in sources.enumerate() {
        let values = numbers(source)
            .into_iter()
            .zip(numbers(&direction(k, source)));
        let values = values.map(|(x, d)| x + d * by).collect();
        *source = Arc::new(Array::new(source.shape(), values));
    }
    program
}

/// Whether a gradient can be compared: it isn't too large and is finite.
fn says_something(gradient: &f64) -> bool {
    gradient.abs() < LARGE
}

/// The derivative of a function at 0; `None` if it has a kink there or the finite differences aren't precise enough.
fn slope(f: impl Fn(f64) -> f64) -> Option<f64> {
    let here = f(0.0);
    let [coarse, fine] = STEPS.map(|step| {
        let (before, behind) = (f(-step), f(step));
        let sides = [(here - before) / step, (behind - here) / step];
        ((behind - before) / (2.0 * step), sides)
    });
    let scale = coarse.0.abs().max(1.0);
    let agree = (coarse.0 - fine.0).abs() <= NEAR_DIFFERENCES / 4.0 * scale;
    let is_smooth = (fine.1[0] - fine.1[1]).abs() <= KINK * scale;
    (agree && is_smooth && here.abs() < LARGE).then_some(fine.0)
}

fn near(way: &str, actual: &Ran, expected: &[f64], distance: f64) -> Result<(), Disagreement> {
    let Ok(outcome) = actual else {
        return Err(fails(way, actual));
    };
    let values: Vec<f64> = outcome.results.iter().flat_map(numbers).collect();
    let scale = expected.iter().fold(1.0, |m: f64, v| m.max(v.abs()));
    let mut pairs = values.iter().zip(expected);
    let is_near = pairs.all(|(a, e)| (a - e).abs() <= distance * scale);
    match is_near && values.len() == expected.len() {
        true => Ok(()),
        false => Err(Disagreement {
            kind: format!("{way} gives another gradient"),
            details: format!("a tape inside: {expected:?}\n{way}: {}", shown(actual)),
        }),
    }
}

fn near_number(way: &str, actual: f64, slope: f64, gradient: &[f64]) -> Result<(), Disagreement> {
    let scale = gradient.iter().map(|g| g.abs()).fold(1.0, f64::max);
    match (actual - slope).abs() <= NEAR_DIFFERENCES * scale.max(slope.abs()) {
        true => Ok(()),
        false => Err(Disagreement {
            kind: format!("the gradient is not that of {way}"),
            details: format!("along the directions {actual}, by differences {slope}"),
        }),
    }
}

fn fails(way: &str, ran: &Ran) -> Disagreement {
    Disagreement {
        kind: format!("{way} fails"),
        details: shown(ran),
    }
}

/// Whether there is anything to differentiate.
pub fn has_any(program: &Program) -> bool {
    sources_of(program)
        .iter()
        .any(|sources| !sources.is_empty())
}
