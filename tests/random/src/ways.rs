//! The ways in which a program is run. All must return the same to the last bit, print the same, leave the same in variables, and fail in the
//! same way. Each seed chooses some of the expensive ways for its program, so that many seeds cover all of them.

use std::sync::Arc;

use graph_kernels::codegen::{JUMPS, compile_words_after};
use graph_kernels::simd::{Level, with_level};
use graph_runtime::device::{self, Device, Program as _, Storage};
use graph_runtime::function::{Sequence, Signature};
use graph_runtime::graph::{Graph, TensorType};
use graph_runtime::passes::{Options, PASSES, optimize_with};
use graph_runtime::plan::{self, Plan};
use graph_runtime::prelude::*;
use graph_runtime::{Argument, Array, ConcreteFunction, collect_prints, debug, set_threads};

use graph_tests_device::{gpu, vault};

use crate::exact::{Failure, Floats, Outcome, Ran, caught, nearly_same};
use crate::expected::{Expected, disagreement};
use crate::host::Table;
use crate::interpret::{self, Context};
use crate::program::{Name, Program};
use crate::state::{self, Handle};
use crate::value::Value;

/// A program as an argument, which is part of the signature of a trace.
#[derive(Clone, Copy)]
pub struct Traced<'a>(pub &'a Program);

impl Argument for Traced<'_> {
    fn trace_type(&self, signature: &mut Signature) {
        signature.sequence(Sequence::Tuple, 4);
        let variables = self.0.variables.iter().filter(|v| v.is_argument);
        let variables: Vec<Handle> = variables.map(|v| v.handle.clone()).collect();
        variables.trace_type(signature);
        let names = self.0.inputs.iter().map(|(name, _)| *name);
        names.collect::<Vec<Name>>().trace_type(signature);
        self.0.body.trace_type(signature);
        self.0.results.trace_type(signature);
    }
}

/// Runs a program as a graph function.
#[graph_fn]
pub fn traced(context: Context, program: Traced<'_>, inputs: Vec<Value>) -> Vec<Value> {
    interpret::program(context, program.0, inputs)
}

/// Two ways that disagree.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The kind of the finding.
    pub kind: String,
    /// The outcomes of the two ways.
    pub details: String,
}

/// The ways that are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// A number that chooses some of the passes.
    pub number: u64,
    /// The instruction set that kernels use, if it isn't the best one.
    pub level: Option<Level>,
    /// What is compared besides a traced and an eager run.
    pub about: About,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Runs without passes, op by op, without one pass, and as machine code.
    Passes,
    /// A trace for open sizes.
    Sizes,
    /// Gradients.
    Gradients,
    /// Numbers of threads.
    Threads,
    /// Another device than the CPU, which computes as the CPU does.
    Device,
    /// A GPU, on an emulated driver.
    Gpu,
    /// All of these.
    Everything,
}

impl About {
    /// Whether `part` is included in this.
    fn includes(self, part: About) -> bool {
        self == About::Everything || self == part
    }
}

impl Choice {
    /// The choice of a seed: one comparison in turn, and every eighth time another instruction set.
    pub fn of_seed(seed: u64) -> Choice {
        let levels: Vec<Level> = Level::supported().collect();
        let level = levels[(seed / 8) as usize % levels.len()];
        let about = match seed % 64 {
            63 => About::Threads,
            n if n % 16 == 5 => About::Device,
            n if n % 16 == 13 => About::Gpu,
            n if n % 3 == 0 => About::Passes,
            n if n % 3 == 1 => About::Gradients,
            _ => About::Sizes,
        };
        Choice {
            number: seed,
            level: seed.is_multiple_of(8).then_some(level),
            about,
        }
    }

    /// The choice of all comparisons.
    pub fn everything(seed: u64) -> Choice {
        Choice {
            about: About::Everything,
            ..Choice::of_seed(seed)
        }
    }

    /// Whether this comparison is chosen.
    pub fn is_about(&self, part: About) -> bool {
        self.about.includes(part)
    }

    /// Runs a closure with the chosen instruction set.
    pub fn at_level<R>(&self, mut f: impl FnMut() -> R) -> R {
        match self.level {
            Some(level) => with_level(level, &mut f).expect("the level is supported"),
            None => f(),
        }
    }

    /// The pass that is left out.
    pub fn pass(&self) -> &'static str {
        PASSES[self.number as usize / 3 % PASSES.len()].name
    }
}

/// Sets the state of the program anew and returns its arguments.
pub fn given(program: &Program) -> Vec<Value> {
    state::set_anew(program);
    let inputs = program.inputs.iter();
    inputs.map(|(_, array)| Value::constant(array)).collect()
}

/// The outcome of running a closure.
pub fn ran(program: &Program, f: impl FnOnce() -> Vec<Value>) -> Ran {
    let results = || caught(|| Ok(f().iter().map(|v| Array::clone(&v.0.array())).collect()));
    let (results, lines) = collect_prints(results);
    let variables = state::values(program);
    match results {
        Ok(results) => Ok(Outcome {
            results,
            lines,
            variables,
        }),
        Err(message) => Err(Failure {
            message,
            lines,
            variables,
        }),
    }
}

/// The outcome of the program in eager code.
pub fn eagerly(program: &Program) -> Ran {
    let _scope = debug::EAGER.scope(true);
    let inputs = given(program);
    ran(program, || {
        interpret::program(Context { open: false }, program, inputs)
    })
}

/// The outcome of the program as a graph function.
fn as_a_graph(program: &Program, context: Context) -> Ran {
    let inputs = given(program);
    ran(program, || traced(context, Traced(program), inputs))
}

/// Compares all ways with the eager one. Returns what a traced run does.
///
/// # Errors
/// The first way that does something else.
pub fn compare(program: &Program, choice: &Choice) -> Result<Expected, Disagreement> {
    let expected = Expected::of(program)?;
    let context = Context { open: false };
    let concrete = concrete("traced", context, program, given(program))?;
    let traced = as_a_graph(program, context);
    let expected = agrees(program, &expected, "traced", traced)?;
    let graph = concrete.graph();
    if choice.is_about(About::Passes) {
        of_graph(program, graph, "", choice.pass(), &expected)?;
        as_machine_code(program, graph, &expected)?;
    }
    if choice.is_about(About::Threads) {
        with_threads(program, graph, &expected)?;
    }
    if choice.is_about(About::Device) {
        on_another_device(program, context, &expected)?;
    }
    if choice.is_about(About::Gpu) {
        on_a_gpu(program, context, &expected)?;
    }
    if choice.is_about(About::Sizes) {
        with_open_sizes(program, choice, &expected)?;
    }
    Ok(expected)
}

/// The graph of a traced program.
///
/// # Errors
/// If it can't be traced.
pub fn graph(program: &Program) -> Result<Graph, Disagreement> {
    let context = Context { open: false };
    let concrete = concrete("traced", context, program, given(program))?;
    Ok(concrete.graph().clone())
}

/// The concrete function for values or types.
fn concrete(
    way: &str,
    context: Context,
    program: &Program,
    inputs: Vec<Value>,
) -> Result<Arc<ConcreteFunction>, Disagreement> {
    let trace = || traced::concrete(context, Traced(program), inputs).map_err(|e| e.to_string());
    caught(trace).map_err(|error| disagreement(way, "", &Err(Failure::at_once(error))))
}

/// Runs a traced graph without any passes, op by op, and without one of the passes.
///
/// # Errors
/// The first way with another outcome.
pub fn of_graph(
    program: &Program,
    graph: &Graph,
    traced: &str,
    pass: &str,
    expected: &Expected,
) -> Result<(), Disagreement> {
    let check = |way: &str, plan: &dyn Fn() -> Plan| {
        let plan = caught(|| Ok(plan())).map_err(Failure::at_once);
        let ran = plan.and_then(|plan| run_plan(program, graph, &plan));
        expected.check(&format!("{way}{traced}"), &ran)
    };
    check("without passes", &|| Plan::new(graph))?;
    check("op by op", &|| Plan::with(graph, plan::Options::BY_OPS))?;
    let way = format!("without the pass {pass}");
    check(&way, &|| optimized(graph, &Options::without(&[pass])))
}

fn optimized(graph: &Graph, options: &Options) -> Plan {
    let mut graph = graph.clone();
    optimize_with(&mut graph, options);
    Plan::new(&graph)
}

/// Runs with loops over scalars that become machine code at their first jump back, and once more from their beginnings.
fn as_machine_code(
    program: &Program,
    graph: &Graph,
    expected: &Expected,
) -> Result<(), Disagreement> {
    let plan = optimized(graph, &Options::default());
    graph_jit::register();
    compile_words_after(Some(0));
    let runs = [(); 2].map(|()| run_plan(program, graph, &plan));
    compile_words_after(Some(JUMPS));
    expected.check("becoming machine code", &runs[0])?;
    expected.check("as machine code", &runs[1])
}

fn with_threads(program: &Program, graph: &Graph, expected: &Expected) -> Result<(), Disagreement> {
    let plan = optimized(graph, &Options::default());
    let before = graph_runtime::threads();
    for count in [1, 2, 5] {
        set_threads(count);
        let ran = run_plan(program, graph, &plan);
        set_threads(before);
        expected.check(&format!("with {count} threads"), &ran)?;
    }
    Ok(())
}

/// Runs the program on another device, eagerly and traced.
fn on_another_device(
    program: &Program,
    context: Context,
    expected: &Expected,
) -> Result<(), Disagreement> {
    let [eager, traced] = on(vault(), program, || {
        [eagerly(program), as_a_graph(program, context)]
    });
    // What is expected may be the outcome of a trace, whose gradients are added in another order than those of eager code.
    agrees(program, expected, "eagerly on another device", eager)?;
    expected.check("traced on another device", &traced)
}

/// Runs the program on a GPU, eagerly and traced. From its second run on a trace is recorded, and then launched as a whole.
fn on_a_gpu(program: &Program, context: Context, expected: &Expected) -> Result<(), Disagreement> {
    let (eager, traced) = on(gpu(), program, || {
        let eager = eagerly(program);
        (eager, [(); 4].map(|()| as_a_graph(program, context)))
    });
    expected.check_up_to(Floats::Near, "eagerly on a GPU", &eager)?;
    let ways = ["traced", "rehearsed", "recorded", "launched again"];
    let mut runs = ways.iter().zip(&traced);
    runs.try_for_each(|(way, ran)| {
        expected.check_up_to(Floats::Near, &format!("{way} on a GPU"), ran)
    })
}

/// Runs a closure while a device is the default one and has the variables of a program.
fn on<R>(device: Device, program: &Program, f: impl FnOnce() -> R) -> R {
    let _scope = device::scope(device);
    state::move_to(program, device);
    let result = f();
    state::move_to(program, Device::cpu());
    result
}

/// Placeholders for the arguments of a program, with open sizes.
pub fn placeholders(program: &Program) -> Vec<Value> {
    let types = program
        .inputs
        .iter()
        .map(|(_, array)| TensorType::of_array(array));
    types.map(|ty| Value::placeholder(&ty)).collect()
}

/// Traces with open sizes and runs twice: the second run uses a plan for the given sizes.
fn with_open_sizes(
    program: &Program,
    choice: &Choice,
    expected: &Expected,
) -> Result<(), Disagreement> {
    let open = placeholders(program);
    let context = Context { open: true };
    let concrete = concrete("traced with open sizes", context, program, open)?;
    let call = || as_a_graph(program, context);
    let expected = &agrees(program, expected, "with open sizes", call())?;
    expected.check("with a plan for sizes", &call())?;
    if choice.number.is_multiple_of(4) || choice.about == About::Everything {
        let graph = concrete.graph();
        of_graph(program, graph, " with open sizes", choice.pass(), expected)?;
    }
    Ok(())
}

fn run_plan(program: &Program, graph: &Graph, plan: &Plan) -> Ran {
    let mut host = Table::new(program, graph);
    let results = caught(|| {
        let inputs = given(program);
        let inputs: Vec<Storage> = inputs.iter().map(|v| v.0.array().clone().into()).collect();
        let results = plan.run(&inputs.iter().collect::<Vec<_>>(), &mut host);
        let results = results.map_err(|error| error.to_string())?;
        let arrays = results.iter().map(|x| Array::clone(&x.to_host().unwrap()));
        Ok(arrays.collect())
    });
    host.outcome(program, results)
}

/// Compares the outcome of another trace, which may differ in gradients.
fn agrees(
    program: &Program,
    expected: &Expected,
    way: &str,
    ran: Ran,
) -> Result<Expected, Disagreement> {
    let is_near = |outcome: &Outcome, other: &Outcome| {
        program.body.has_gradient() && nearly_same(outcome, other)
    };
    match (ran, expected) {
        (Ok(outcome), Expected::Outcome(other)) if is_near(&outcome, other) => {
            Ok(Expected::Outcome(outcome))
        }
        (Ok(outcome), Expected::Recomputed(other)) if is_near(&outcome, other) => {
            Ok(Expected::Recomputed(outcome))
        }
        (ran, _) => expected.check(way, &ran).map(|()| expected.clone()),
    }
}
