//! Plans for sizes: each size gets one plan, whichever thread makes it; nobody waits for it; plans of the same layout share their frames.

#[path = "../../../graph-ir/src/executable/recurrence.rs"]
mod recurrence;
#[path = "../../../graph-ir/src/executable/sizes.rs"]
mod sizes;

use std::sync::Arc as StdArc;
use std::sync::atomic::Ordering;

use graph_runtime::device::{Host, Outputs, Program, Storage};
use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::{Array, DType, Error};
use loom::sync::Arc;
use loom::thread;

use crate::graph::Graph;
use crate::passes::OPTIMIZED;
use programs::Programs;
use sizes::SizedPrograms;

mod programs {
    use super::{Maker, Program, StdArc};

    /// The part of a device's programs that the plans for sizes use.
    pub struct Programs {
        pub device: Maker,
    }

    impl Programs {
        pub fn made_for_all_sizes(&self) -> Option<StdArc<dyn Program>> {
            None
        }

        pub fn clear_for_all_sizes(&self) {}
    }
}

/// A device whose programs are never run.
pub struct Maker;

impl Maker {
    fn compile(&self, _: &Graph, siblings: &[StdArc<dyn Program>]) -> StdArc<dyn Program> {
        StdArc::new(Made {
            siblings: siblings.len(),
        })
    }
}

struct Made {
    siblings: usize,
}

impl Program for Made {
    fn run_into(&self, _: &[&Storage], _: &mut dyn Host, _: &mut Outputs) -> Result<(), Error> {
        unreachable!("nobody runs it")
    }
}

/// The fields of an executable that the plans for sizes use.
struct Executable {
    graph: Graph,
    programs: Programs,
    sized: SizedPrograms,
}

impl Executable {
    /// An executable whose graph has one vector as its input.
    fn of_a_vector() -> Arc<Executable> {
        let mut graph = Graph::default();
        let input = graph.add_input(TensorType::new(DType::F32, Shape::of([None])), None);
        graph.outputs = vec![input];
        Arc::new(Executable {
            sized: SizedPrograms::of(&graph).unwrap(),
            graph,
            programs: Programs { device: Maker },
        })
    }

    fn find(&self, len: usize) -> Option<StdArc<dyn Program>> {
        let input = Storage::from(Array::zeros(DType::F32, &[len]));
        self.sized
            .find_or_make(&self.programs, &self.graph, &[&input])
    }
}

/// How many other programs existed when this one was made.
fn siblings(program: &dyn Program) -> usize {
    let program: &dyn std::any::Any = program;
    program.downcast_ref::<Made>().unwrap().siblings
}

/// There is only one test, because `OPTIMIZED` belongs to the process.
#[test]
fn sizes_that_come_again_get_one_plan() {
    loom::model(|| {
        OPTIMIZED.store(0, Ordering::Relaxed);
        let executable = Executable::of_a_vector();
        assert!(executable.find(3).is_none(), "sizes that came once");
        let other = executable.clone();
        let thread = thread::spawn(move || other.find(3));
        let mine = executable.find(3);
        let theirs = thread.join().unwrap();
        let plans = executable.sized.programs();
        assert_eq!((plans.len(), OPTIMIZED.load(Ordering::Relaxed)), (1, 1));
        let found = [mine, theirs, executable.find(3)];
        assert!(
            found
                .iter()
                .flatten()
                .all(|plan| StdArc::ptr_eq(plan, &plans[0]))
        );
        assert!(found[2].is_some());
    });
    loom::model(|| {
        let executable = Executable::of_a_vector();
        assert!(executable.find(3).is_none() && executable.find(4).is_none());
        let other = executable.clone();
        let thread = thread::spawn(move || other.find(4));
        executable.find(3);
        thread.join().unwrap();
        // A thread that finds another one making a plan continues without, and makes its plan at a later call.
        for len in [3, 4] {
            assert!((0..3).any(|_| executable.find(len).is_some()));
        }
        let plans = executable.sized.programs();
        assert_eq!(plans.len(), 2);
        assert_eq!([0, 1].map(|i| siblings(&*plans[i])), [0, 1]);
    });
}
