//! Debugging: switches that show what a graph does while it runs: [`run_functions_eagerly`], [`enable_check_numerics`],
//! [`debug_values`] and [`profile`]. A call checks once whether any of them is on; if so, its plan runs under a watcher.
//!
//! [The guide](crate::guide::debugging) has a table of what shows what.
//!
//! For inspecting values, another plan runs: that of the graph as traced, op by op, without unused nodes. So each op appears under
//! its own name, and the results are bit for bit the same.

mod numerics;
mod profile;
mod summary;
mod switch;
mod transfers;

use graph_kernels::Array;
use smallvec::SmallVec;

use crate::device::{self, Device, Done, Host, Outputs, Storage, Watch};
use crate::error::{Location, Result};
use crate::executable::Executable;
use crate::ops::{Attrs, OpDef};
use crate::plan::{Change, Instruction, Plan, Source};

pub use profile::{FunctionProfile, Profile, Row, profile};
pub use switch::{Scope, Switch};
pub use transfers::TransferRow;

use profile::Recorder;
use switch::any_is_on;

/// Graph functions run their bodies as plain Rust ([`run_functions_eagerly`]).
pub static EAGER: Switch = Switch::new(0);

/// Infinities and NaNs are errors ([`enable_check_numerics`]).
pub static CHECK_NUMERICS: Switch = Switch::new(1);

/// Results of ops are logged ([`debug_values`]).
pub static LOG_VALUES: Switch = Switch::new(2);

/// Runs are recorded ([`profile`]).
static PROFILING: Switch = Switch::new(3);

/// Makes every graph function run its body as plain Rust on concrete tensors, op by op, instead of tracing it:
/// for debugging with `println!` and breakpoints. Holds for all threads until switched off;
/// [`EAGER`] switches it for one thread, or for a scope.
///
/// ```
/// use graph_runtime::{debug, prelude::*};
///
/// #[graph_fn]
/// fn double(x: Tensor<i32>) -> Tensor<i32> {
///     println!("{x}"); // the value, since functions run eagerly
///     x + x
/// }
///
/// let _scope = debug::EAGER.scope(true);
/// assert_eq!(double(tensor(4)).item(), 8);
/// assert_eq!(double::function().trace_count(), 0);
/// ```
#[doc(alias("disable_jit"))]
pub fn run_functions_eagerly(eagerly: bool) {
    EAGER.set(eagerly);
}

/// Whether graph functions run eagerly now, on this thread.
pub fn functions_run_eagerly() -> bool {
    EAGER.is_on()
}

/// Makes every op that gives an infinity or a NaN fail, in graphs and eagerly: the error names the op, your line, what was
/// found and the ranges of the operands. Holds for all threads until [`disable_check_numerics`];
/// [`CHECK_NUMERICS`] switches it for one thread, or for a scope. Graphs needn't be traced again.
///
/// ```
/// use graph_runtime::{Error, debug, prelude::*};
///
/// #[graph_fn]
/// fn entropy(p: Tensor<f32>) -> Result<Tensor<f32>, Error> {
///     Ok(-(&p * p.log()).sum())
/// }
///
/// assert!(entropy(tensor([0.5, 0.5, 0.0])).unwrap().item().is_nan());
/// let _scope = debug::CHECK_NUMERICS.scope(true);
/// let error = entropy(tensor([0.5, 0.5, 0.0])).unwrap_err();
/// assert!(error.message().starts_with("!!! Detected Infinity or NaN in output 0 of graph op \"log\""));
/// ```
#[doc(alias("debug_nans", "detect_anomaly"))]
pub fn enable_check_numerics() {
    CHECK_NUMERICS.set(true);
}

/// Undoes [`enable_check_numerics`].
pub fn disable_check_numerics() {
    CHECK_NUMERICS.set(false);
}

/// Makes every op log its result, in graphs and eagerly, at level `info` of the `log` crate: name, line, dtype, shape, least and
/// greatest value, mean, and the number of NaNs. What eager ops copy between devices is logged, too. Holds for all threads until switched off; [`LOG_VALUES`] switches it for one
/// thread, or for a scope.
///
/// ```
/// use graph_runtime::{debug, prelude::*};
///
/// #[graph_fn]
/// fn next(n: Tensor<i32>) -> Tensor<i32> {
///     3 * n + 1
/// }
///
/// debug::debug_values(true);
/// next(tensor([1, 2])); // next: mul at src/main.rs:5:5: int32[2], min 3, max 6, mean 4.5
///                       // next: add at src/main.rs:5:5: int32[2], min 4, max 7, mean 5.5
/// # debug::debug_values(false);
/// ```
pub fn debug_values(on: bool) {
    LOG_VALUES.set(on);
}

/// True if runs of graphs must be watched.
fn watches_runs() -> bool {
    any_is_on([&CHECK_NUMERICS, &LOG_VALUES, &PROFILING])
}

/// True if values must be inspected, op by op.
pub(crate) fn watches_values() -> bool {
    any_is_on([&CHECK_NUMERICS, &LOG_VALUES])
}

/// An op that has run.
pub(crate) struct Executed<'a> {
    pub op: &'static OpDef,
    pub attrs: &'a Attrs,
    pub operands: &'a [&'a Array],
    pub output: &'a Array,
    pub location: &'a Location,
    /// The name of the graph function; `None` if the op ran eagerly.
    pub graph: Option<&'a str>,
}

impl Executed<'_> {
    /// Inspects the result, as far as that is switched on.
    ///
    /// # Errors
    /// If numerics are checked and the result has an infinite or NaN value.
    pub fn look(&self) -> Result<()> {
        if LOG_VALUES.is_on() {
            let (name, colon) = self.graph.map_or(("", ""), |name| (name, ": "));
            let values = summary::line(self.output);
            log::info!(
                "{name}{colon}{} at {}: {values}",
                self.op.name,
                self.location
            );
        }
        if CHECK_NUMERICS.is_on() {
            numerics::check(self)?;
        }
        Ok(())
    }
}

/// Runs a graph with the debugging that is switched on, and writes the outputs to an empty list.
#[inline]
pub(crate) fn run_into(
    name: &str,
    executable: &Executable,
    on: Device,
    inputs: &[&Storage],
    host: &mut dyn Host,
    outputs: &mut Outputs,
) -> Result<()> {
    let executable = executable.for_host(host);
    match watches_runs() {
        true => run_watched(name, executable, on, inputs, host, outputs),
        false => executable.run_into(on, inputs, host, outputs),
    }
}

#[cold]
fn run_watched(
    name: &str,
    executable: &Executable,
    on: Device,
    inputs: &[&Storage],
    host: &mut dyn Host,
    outputs: &mut Outputs,
) -> Result<()> {
    if watches_values() {
        // The CPU runs it op by op. What is copied for that isn't what the program copies.
        return device::without_transfers(|| {
            for output in run_plan(name, executable.by_ops(), true, inputs, host)? {
                outputs.push(on.bring(&output)?);
            }
            Ok(())
        });
    }
    executable.run_by(on, inputs, |program| {
        *outputs = match program.as_plan() {
            Some(plan) => run_plan(name, plan, false, inputs, host)?,
            None => program.run(inputs, host)?,
        };
        Ok(())
    })
}

fn run_plan(
    name: &str,
    plan: &Plan,
    values: bool,
    inputs: &[&Storage],
    host: &mut dyn Host,
) -> Result<Outputs> {
    let mut watcher = Watcher {
        name,
        values,
        recorder: PROFILING.is_on().then(Recorder::new),
    };
    let result = plan.run_watched(inputs, host, &mut watcher);
    if let Some(recorder) = watcher.recorder {
        recorder.finish(name, plan);
    }
    result
}

type Operands<'a> = SmallVec<[&'a Array; 4]>;

struct Watcher<'a> {
    name: &'a str,
    values: bool,
    recorder: Option<Recorder>,
}

impl Watch for Watcher<'_> {
    fn before(&mut self, _: usize) {
        if let Some(recorder) = &mut self.recorder {
            recorder.before();
        }
    }

    fn after(&mut self, done: &Done<'_>) -> Result<()> {
        if let Some(recorder) = &mut self.recorder {
            recorder.after(done);
        }
        if self.values { self.look(done) } else { Ok(()) }
    }
}

impl Watcher<'_> {
    /// Inspects the result of an instruction.
    fn look(&self, done: &Done<'_>) -> Result<()> {
        let look = |op, attrs, operands: &[&Array], output: &Array| {
            let executed = Executed {
                op,
                attrs,
                operands,
                output,
                location: done.location,
                graph: Some(self.name),
            };
            executed.look()
        };
        match done.instruction {
            Instruction::Kernel {
                op,
                attrs,
                inputs,
                output,
                ..
            } => {
                let operands: Operands<'_> = inputs.iter().map(|s| done.array(*s)).collect();
                look(op, attrs, &operands, done.array(Source::Computed(*output)))
            }
            // The variable's previous value, which is an operand too, no longer exists.
            Instruction::Update {
                variable,
                change,
                inputs,
                ..
            } => match (&**change, done.variable(*variable)) {
                (Change::Kernel(op, attrs), Some(held)) => {
                    let known = inputs.iter().flatten();
                    let operands: Operands<'_> = known.map(|s| done.array(*s)).collect();
                    look(op, attrs, &operands, &*held.to_host()?)
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }
}
