//! Lowers regions of scalar nodes to word programs.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{Code, Lowering};
use crate::graph::{Graph, TensorType, ValueId};
use crate::plan::words::Given;
use crate::plan::{InWords, Instruction, Options, Register, Source, small, words};

impl Lowering {
    /// Appends a range of nodes as one word program; appends nothing and returns `None` if they don't fit into one.
    pub(super) fn region(
        &mut self,
        graph: &Graph,
        nodes: Range<usize>,
        last_uses: &[usize],
        sources: &mut [Option<Source<Register>>],
    ) -> Option<()> {
        let mut inner = self.of_words();
        let mut inputs = Vec::new();
        let mut inside: FxHashMap<ValueId, Source<Register>> = FxHashMap::default();
        for node in &graph.nodes[nodes.clone()] {
            let mut operand = |value: &ValueId| {
                *inside.entry(*value).or_insert_with(|| {
                    let source = sources[value.index()];
                    let source = source.expect("a verified graph reads only defined values");
                    inputs.push(Given {
                        source,
                        element: None,
                        ty: graph.ty(*value).clone(),
                    });
                    Source::Input(inputs.len() as u32 - 1)
                })
            };
            let operands: Vec<Source<Register>> = node.inputs.iter().map(&mut operand).collect();
            let outputs = inner.node(graph, node, &operands);
            inside.extend(node.outputs.iter().copied().zip(outputs));
        }
        let escaping = escaping(graph, nodes.clone(), last_uses);
        inner.code.outputs = escaping.iter().map(|value| inside[value]).collect();
        let compiled = words::compile(&inner.code, &inputs)?;
        let mut outputs = Vec::new();
        for value in escaping {
            sources[value.index()] = Some(match inside[&value] {
                Source::Input(input) => inputs[input as usize].source,
                Source::Constant(constant) => {
                    self.constant(&inner.code.constants[constant as usize])
                }
                Source::Computed(register) => {
                    let ty = graph.ty(value);
                    let slot = self.register(ty);
                    outputs.push((slot, register, ty.dtype));
                    Source::Computed(slot)
                }
            });
        }
        let words = Box::new(compiled.with_outputs(&outputs));
        self.emit(
            Instruction::Words(words),
            &graph.nodes[nodes.start].location,
        );
        Some(())
    }

    /// Like [`region`](Self::region), for nodes with small tensors, each element of which becomes a scalar.
    pub(super) fn small_region(
        &mut self,
        graph: &Graph,
        nodes: Range<usize>,
        last_uses: &[usize],
        sources: &mut [Option<Source<Register>>],
    ) -> Option<()> {
        let escaping = escaping(graph, nodes.clone(), last_uses);
        let fragment = small::split(graph, nodes.clone(), &escaping)?;
        let given = fragment.inputs.iter().map(|(value, element)| {
            let whole = graph.ty(*value);
            Given {
                source: sources[value.index()].expect("a verified graph reads only defined values"),
                element: *element,
                ty: match element {
                    Some(_) => TensorType::scalar(whole.dtype),
                    None => whole.clone(),
                },
            }
        });
        let given: Vec<Given> = given.collect();
        let inputs: Vec<Source<Register>> = (0..given.len() as u32).map(Source::Input).collect();
        let mut inner = self.of_words();
        inner.code.outputs = inner.graph(&fragment.graph, &inputs);
        let compiled = words::compile(&inner.code, &given)?;
        let values: Vec<(Register, TensorType)> = escaping
            .iter()
            .map(|value| (self.register(graph.ty(*value)), graph.ty(*value).clone()))
            .collect();
        let words = Box::new(compiled.with_tensors(&values)?);
        for (value, (register, _)) in escaping.iter().zip(values) {
            sources[value.index()] = Some(Source::Computed(register));
        }
        let at = &graph.nodes[nodes.start].location;
        self.emit(Instruction::Words(words), at);
        Some(())
    }

    /// Lowers code that becomes a word program.
    fn of_words(&self) -> Lowering {
        let mut inner = Lowering {
            code: Code::default(),
            options: Options {
                words: InWords::Nothing,
                fused: false,
                ..self.options
            },
            constants: FxHashMap::default(),
            // There are no variables in it, but a call may name some that the called graph doesn't use.
            places: self.places.clone(),
            known: Default::default(),
            small: Default::default(),
            too_large: usize::MAX,
            too_large_to_split: usize::MAX,
        };
        inner.code.words = true;
        inner
    }
}

/// For each value of a graph, the position of the last node that uses it; the number of nodes if it is an output.
pub(super) fn last_uses(graph: &Graph) -> Vec<usize> {
    let mut uses = vec![0; graph.values.len()];
    for (position, node) in graph.nodes.iter().enumerate() {
        node.inputs
            .iter()
            .for_each(|value| uses[value.index()] = position);
    }
    let end = graph.nodes.len();
    graph
        .outputs
        .iter()
        .for_each(|value| uses[value.index()] = end);
    uses
}

/// The values that a range of nodes defines and that are used after it.
fn escaping(graph: &Graph, nodes: Range<usize>, last_uses: &[usize]) -> Vec<ValueId> {
    let end = nodes.end;
    let defined = graph.nodes[nodes].iter().flat_map(|node| &node.outputs);
    defined
        .copied()
        .filter(|value| last_uses[value.index()] >= end)
        .collect()
}
