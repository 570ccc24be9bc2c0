//! A program for two vectors at once, so that the CPU has instructions to do while it waits for the results of others: an exponential is a
//! dozen of them that each wait for the one before.

use graph_kernels::codegen::{LaneOp, LaneProgram, LaneStep};

/// The steps of a program for some vectors, the same step of all vectors side by side.
pub struct SideBySide {
    /// Its results are those of the first vector, then those of the next one.
    pub program: LaneProgram,
    /// Which vector a step belongs to.
    pub vectors: Vec<usize>,
}

impl SideBySide {
    /// Repeats the steps for `count` vectors. Numbers, and inputs that are the same for all elements, are shared.
    pub fn new(program: &LaneProgram, is_same: impl Fn(usize) -> bool, count: usize) -> SideBySide {
        let mut all = SideBySide {
            program: LaneProgram::default(),
            vectors: Vec::new(),
        };
        // For each step, its places for the vectors.
        let mut places: Vec<Vec<usize>> = Vec::with_capacity(program.steps.len());
        for step in &program.steps {
            let is_shared = match step.op {
                LaneOp::Number(_) => true,
                LaneOp::Input(n) => is_same(n),
                LaneOp::Loop(_) => true,
                _ => false,
            };
            if step.end_of_loop().is_some() {
                let place = all.repeat(step, &places, count);
                places.push(vec![place; count]);
                continue;
            }
            let own = if is_shared { 1 } else { count };
            let mut added: Vec<usize> = (0..own)
                .map(|vector| {
                    let operands = step.operands.iter().map(|operand| places[*operand][vector]);
                    all.push(step, operands, vector)
                })
                .collect();
            added.resize(count, added[0]);
            places.push(added);
        }
        let places = &places;
        let results = (0..count).flat_map(|vector| {
            let results = program.results.iter();
            results.map(move |result| places[*result][vector])
        });
        all.program.results = results.collect();
        all
    }

    /// Adds the end of a loop that runs again if any of the vectors wants to, and returns its place. The carried values of all vectors have
    /// their next values in the order of their steps.
    fn repeat(&mut self, step: &LaneStep, places: &[Vec<usize>], count: usize) -> usize {
        let (again, nexts) = step.end_of_loop().unwrap_or_default();
        let any = LaneStep {
            op: LaneOp::Or,
            ..step.clone()
        };
        let masks = again.iter().flat_map(|again| &places[*again][..count]);
        let again = masks
            .copied()
            .reduce(|a, b| self.push(&any, [a, b].into_iter(), 0));
        let nexts = nexts.iter().flat_map(|next| &places[*next][..count]);
        let operands = again.into_iter().chain(nexts.copied());
        self.push(step, operands, 0)
    }

    /// Adds a step with other operands, and returns its place.
    fn push(
        &mut self,
        step: &LaneStep,
        operands: impl Iterator<Item = usize>,
        vector: usize,
    ) -> usize {
        self.program.steps.push(LaneStep {
            operands: operands.collect(),
            ..step.clone()
        });
        self.vectors.push(vector);
        self.vectors.len() - 1
    }
}
