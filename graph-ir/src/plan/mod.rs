//! The plan: a graph as a flat list of instructions over slots. Control flow is jumps, calls and subgraphs are
//! inlined, and values whose lives don't overlap share a slot. A plan is made from an optimized graph, and a
//! [device](crate::device) runs it.
//!
//! ```text
//! graph ─ lower ─ instructions over one register per value ─ allocate ─ registers to slots ─ moves ─ Plan
//! ```

mod allocate;
mod bound;
mod display;
mod fused;
mod instruction;
mod liveness;
mod lower;
mod moves;
mod packed;
mod release;
mod scope;
mod scratch;
mod small;
mod updates;
mod word_nodes;
mod words;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use graph_kernels::{Array, DType, Packed};

use crate::error::Location;
use crate::graph::{Graph, TensorType};
use crate::nesting::with_stack_for;
use crate::passes;

pub(crate) use bound::Bound;
pub use fused::{ChainOp, Fused, Read};
use instruction::Register;
pub use instruction::{Change, Instruction, Slot, Source, Target};
pub use scope::{Scope, ScopeKind, around};
pub use scratch::Scratch;
pub use updates::Updates;
pub use words::{WordOutput, Words, WrittenList};

/// A graph that is ready to run any number of times, from any number of threads.
#[derive(Debug)]
pub struct Plan {
    /// A number that no other plan has.
    pub id: u64,
    /// The types that the arguments must have.
    pub inputs: Vec<TensorType>,
    /// The types of the variables that the host must provide, by position.
    pub variables: Vec<TensorType>,
    /// The constants.
    pub constants: Vec<Arc<Array>>,
    /// The packed forms of the constants that products have as right operands.
    packed: Vec<Option<Arc<Packed>>>,
    /// The dtype of each slot of a frame.
    pub slots: Vec<DType>,
    /// How many bytes the slots of a frame need for values whose sizes are known at compile time.
    pub bytes: usize,
    /// How many iterations over datasets there are.
    pub iterations: usize,
    /// How many loops there are.
    pub loops: usize,
    /// For each loop, its bound form, if it has one.
    pub(crate) bound: Vec<Option<Bound>>,
    /// The loops and branches that instructions came from, inner ones first.
    pub scopes: Vec<Scope>,
    /// The instructions, in the order of execution except for jumps.
    pub instructions: Vec<Instruction>,
    /// The user's line of each instruction.
    pub locations: Vec<Location>,
    /// The results.
    pub outputs: Vec<Source>,
    /// Frames that a device keeps between runs of this plan.
    pub scratch: Arc<Scratch>,
}

/// Which optimizations planning does; by default all. Tests turn some off, and so does the search for a faulty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What is computed in word programs, not as arrays.
    pub words: InWords,
    /// Loops over small tensors are word programs, too, where loops over scalars are.
    pub small: bool,
    /// Elementwise ops run as block programs that are built with the plan; the ops of a fusion node are one block program.
    pub fused: bool,
    /// Kernels overwrite operands in place if they are dead afterwards.
    pub in_place: bool,
    /// Loops over arrays of known sizes find what their iterations need before these.
    pub bound: bool,
}

/// What a plan computes in word programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InWords {
    /// Nothing: each scalar is an array.
    Nothing,
    /// Loops over scalars and small tensors that write no lists; outside of loops, scalars that can't fail, as a program for each set of operands
    /// that several of them need.
    Loops,
    /// All sequences of nodes over scalars, and loops over small tensors.
    Scalars,
}

#[cfg(test)]
impl InWords {
    const ALL: [InWords; 3] = [InWords::Nothing, InWords::Loops, InWords::Scalars];
}

impl Default for Options {
    fn default() -> Options {
        Options {
            words: InWords::Scalars,
            small: true,
            fused: true,
            in_place: true,
            bound: true,
        }
    }
}

impl Options {
    /// Each op of the graph is one instruction, and no instruction overwrites its operands: for watching a run op by op.
    pub const BY_OPS: Options = Options {
        words: InWords::Nothing,
        small: false,
        fused: false,
        in_place: false,
        bound: false,
    };

    /// All optimizations, without those that `GRAPH_DISABLE_PASSES` names: `small_tensors` and `bound_loops`.
    pub fn from_env() -> Options {
        let passes = passes::Options::from_env();
        Options {
            small: passes.enables("small_tensors"),
            bound: passes.enables("bound_loops"),
            ..Options::default()
        }
    }
}

impl Plan {
    /// The plan of a graph that [verifies](crate::graph::verify).
    ///
    /// # Panics
    /// If the graph doesn't verify.
    pub fn new(graph: &Graph) -> Plan {
        Plan::with(graph, Options::from_env())
    }

    /// The plan of a graph with chosen optimizations. The results are bitwise the same for all options.
    ///
    /// # Panics
    /// If the graph doesn't verify.
    pub fn with(graph: &Graph, options: Options) -> Plan {
        let code = with_stack_for(graph.depth(), || lower::lower(graph, options));
        let allocation = allocate::allocate(&code);
        let moves::Flat {
            instructions,
            locations,
            scopes,
        } = moves::flatten(&code, &allocation);
        let loops = if options.bound { code.loops.len() } else { 0 };
        let outputs: Vec<Source> = code.outputs.iter().map(|s| allocation.source(*s)).collect();
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Plan {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            inputs: graph.inputs.iter().map(|v| graph.ty(*v).clone()).collect(),
            variables: graph.variables.iter().map(|v| v.ty.clone()).collect(),
            packed: packed::packed_constants(&instructions, &code.constants),
            constants: code.constants,
            slots: allocation.dtypes,
            bytes: allocation.bytes,
            iterations: code.iterations as usize,
            loops: code.loops.len(),
            bound: bound::bound(&instructions, loops, &outputs),
            outputs,
            scopes,
            instructions,
            locations,
            scratch: Arc::default(),
        }
    }

    /// The word program, if it is the only instruction and has no branch or loop around it: such a plan needs no frame.
    pub(crate) fn only_words(&self) -> Option<&Words> {
        match self.instructions.as_slice() {
            [Instruction::Words(words)]
                if self.scopes.is_empty()
                    && words.targets().is_empty()
                    && words.lists().is_empty() =>
            {
                Some(words)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod allocate_tests;
#[cfg(test)]
mod apart_tests;
#[cfg(test)]
mod bound_tests;
#[cfg(test)]
mod fused_tests;
#[cfg(test)]
mod in_place_tests;
#[cfg(test)]
mod packed_tests;
#[cfg(test)]
mod random_programs;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod update_tests;
#[cfg(test)]
mod variable_tests;
#[cfg(test)]
mod word_tests;
