//! Plans for sizes: each size gets one plan, whoever makes it; nobody waits for it, and the plans of one layout share their frames.

#[path = "../../../graph-ir/src/executable/recurrence.rs"]
mod recurrence;
#[path = "../../../graph-ir/src/executable/sizes.rs"]
mod sizes;

use std::sync::Arc as StdArc;
use std::sync::atomic::Ordering;

use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::{Array, DType};
use loom::sync::Arc;
use loom::thread;

use crate::graph::Graph;
use crate::passes::OPTIMIZED;
use crate::plan::Plan;
use sizes::SizedPlans;

/// What plans are made of.
pub struct Executable {
    graph: Graph,
    plan: Plan,
    sized: SizedPlans,
}

impl Executable {
    /// A graph of one vector.
    fn of_a_vector() -> Arc<Executable> {
        let mut graph = Graph::default();
        let input = graph.add_input(TensorType::new(DType::F32, Shape::of([None])), None);
        graph.outputs = vec![input];
        Arc::new(Executable {
            sized: SizedPlans::of(&graph).unwrap(),
            graph,
            plan: Plan::default(),
        })
    }

    pub fn traced(&self) -> &Graph {
        &self.graph
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    fn find(&self, len: usize) -> Option<StdArc<Plan>> {
        let array = StdArc::new(Array::zeros(DType::F32, &[len]));
        self.sized.find_or_make(self, &[&array])
    }
}

/// Runs in all orders; `OPTIMIZED` is the process's, so one test has it.
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
        let plans = executable.sized.plans();
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
        // A thread that found another making a plan goes on without, and makes it at a later call.
        for len in [3, 4] {
            assert!((0..3).any(|_| executable.find(len).is_some()));
        }
        let plans = executable.sized.plans();
        assert_eq!(plans.len(), 2);
        assert!(StdArc::ptr_eq(&plans[0].scratch, &plans[1].scratch));
    });
}
