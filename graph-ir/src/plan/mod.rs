//! The plan: a graph as a flat list of instructions over slots. Control flow has become jumps, calls and subgraphs
//! are gone, and values whose lives don't overlap share a slot. Between the graph, which passes shrink, and a
//! [device](crate::device), which runs the list.
//!
//! ```text
//! graph ─ lower ─ instructions over registers, one a value ─ allocate ─ registers to slots ─ moves ─ Plan
//! ```

mod allocate;
mod display;
mod fused;
mod instruction;
mod liveness;
mod lower;
mod moves;
mod release;
mod scope;
mod scratch;
mod word_nodes;
mod words;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use graph_kernels::{Array, DType};

use crate::error::Location;
use crate::graph::{Graph, TensorType};
use crate::nesting::with_stack_for;

pub use fused::Fused;
use instruction::Register;
pub use instruction::{Change, Instruction, Slot, Source, Target};
pub(crate) use scope::around;
pub use scope::{Scope, ScopeKind};
pub use scratch::Scratch;
pub use words::Words;

/// A graph made ready to run any number of times, from any number of threads.
#[derive(Debug)]
pub struct Plan {
    /// A number that no other plan has.
    pub id: u64,
    /// The types that the arguments must have.
    pub inputs: Vec<TensorType>,
    /// The types of the variables that the host must have, by position.
    pub variables: Vec<TensorType>,
    /// The arrays known ahead.
    pub constants: Vec<Arc<Array>>,
    /// The slots of a frame: the dtype of each.
    pub slots: Vec<DType>,
    /// How much memory the slots of a frame take for values whose sizes are known ahead.
    pub bytes: usize,
    /// How many iterations over datasets there are.
    pub iterations: usize,
    /// How many loops there are.
    pub loops: usize,
    /// The loops and branches that instructions came from, inner ones first.
    pub scopes: Vec<Scope>,
    /// What to do, in order but for jumps.
    pub instructions: Vec<Instruction>,
    /// The user's line of each instruction.
    pub locations: Vec<Location>,
    /// The results.
    pub outputs: Vec<Source>,
    /// What a device keeps between runs of this plan.
    pub scratch: Arc<Scratch>,
}

/// Which parts of planning are done: all by default. To leave one out is for tests, and to find one at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Scalars are computed in word programs, without arrays.
    pub words: bool,
    /// Elementwise ops run as block programs that are built ahead, those of a fusion node as one.
    pub fused: bool,
    /// Kernels update operands in place that nothing needs afterwards.
    pub in_place: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            words: true,
            fused: true,
            in_place: true,
        }
    }
}

impl Options {
    /// Each op of the graph is an instruction, which overwrites nothing that it reads: for looking on.
    pub const BY_OPS: Options = Options {
        words: false,
        fused: false,
        in_place: false,
    };
}

impl Plan {
    /// The plan of a graph that [verifies](crate::graph::verify).
    ///
    /// # Panics
    /// If the graph doesn't verify.
    pub fn new(graph: &Graph) -> Plan {
        Plan::with(graph, Options::default())
    }

    /// The plan of a graph, with parts of planning left out. Results are the same to the last bit.
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
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Plan {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            inputs: graph.inputs.iter().map(|v| graph.ty(*v).clone()).collect(),
            variables: graph.variables.iter().map(|v| v.ty.clone()).collect(),
            outputs: code.outputs.iter().map(|s| allocation.source(*s)).collect(),
            constants: code.constants,
            slots: allocation.dtypes,
            bytes: allocation.bytes,
            iterations: code.iterations as usize,
            loops: code.loops.len(),
            scopes,
            instructions,
            locations,
            scratch: Arc::default(),
        }
    }

    /// The only instruction, if it is a word program outside of any branch or loop: such a plan needs no frame.
    pub(crate) fn only_words(&self) -> Option<&Words> {
        match self.instructions.as_slice() {
            [Instruction::Words(words)] if self.scopes.is_empty() && words.targets().is_empty() => {
                Some(words)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod allocate_tests;
#[cfg(test)]
mod fused_tests;
#[cfg(test)]
mod in_place_tests;
#[cfg(test)]
mod random_programs;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod variable_tests;
#[cfg(test)]
mod word_tests;
