//! Lowers regions of scalar nodes to word programs.

use std::ops::Range;

use graph_kernels::{DType, Dims};
use rustc_hash::FxHashMap;

use super::{Code, CodeStep, Lowering};
use crate::error::Location;
use crate::graph::{Graph, TensorType, ValueId};
use crate::plan::small::{Escape, Fragment, Role};
use crate::plan::words::{Given, Kind};
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
        let escaping = escaping(graph, nodes.clone(), last_uses);
        self.region_of(graph, &Vec::from_iter(nodes), &escaping, sources)
    }

    /// Like [`region`](Self::region), for the nodes at some positions and those of their values that others use.
    pub(super) fn region_of(
        &mut self,
        graph: &Graph,
        nodes: &[usize],
        escaping: &[ValueId],
        sources: &mut [Option<Source<Register>>],
    ) -> Option<()> {
        let mut inner = self.of_words();
        let mut inputs = Vec::new();
        let mut inside: FxHashMap<ValueId, Source<Register>> = FxHashMap::default();
        for node in nodes.iter().map(|at| &graph.nodes[*at]) {
            let mut operand = |value: &ValueId| {
                *inside.entry(*value).or_insert_with(|| {
                    let source = sources[value.index()];
                    let source = source.expect("a verified graph reads only defined values");
                    let kind = Kind::of(graph.ty(*value));
                    let kind = kind.expect("a region has words and rows as operands");
                    inputs.push(Given { source, kind });
                    Source::Input(inputs.len() as u32 - 1)
                })
            };
            let operands: Vec<Source<Register>> = node.inputs.iter().map(&mut operand).collect();
            let outputs = inner.node(graph, node, &operands);
            inside.extend(node.outputs.iter().copied().zip(outputs));
        }
        inner.code.outputs = escaping.iter().map(|value| inside[value]).collect();
        let compiled = words::compile(&inner.code, &inputs)?;
        let mut outputs = Vec::new();
        for value in escaping {
            sources[value.index()] = Some(match inside[value] {
                Source::Input(input) => inputs[input as usize].source,
                Source::Constant(constant) => {
                    self.constant(&inner.code.constants[constant as usize])
                }
                Source::Computed(register) => {
                    let ty = graph.ty(*value);
                    let slot = self.register(ty);
                    outputs.push((slot, register, ty.dtype));
                    Source::Computed(slot)
                }
            });
        }
        let words = Box::new(compiled.with_outputs(&outputs));
        self.emit(
            Instruction::Words(words),
            &graph.nodes[*nodes.first()?].location,
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
        let given = fragment.inputs.iter().map(|(value, role)| Given {
            source: sources[value.index()].expect("a verified graph reads only defined values"),
            kind: match role {
                Role::Element(element) => Kind::Single(graph.ty(*value).dtype, Some(*element)),
                Role::Whole => Kind::Rows,
                Role::List => Kind::List,
            },
        });
        let given: Vec<Given> = given.collect();
        let has_lists = given.iter().any(|given| matches!(given.kind, Kind::List));
        if has_lists && self.options.words == InWords::Loops {
            return None;
        }
        let inputs: Vec<Source<Register>> = (0..given.len() as u32).map(Source::Input).collect();
        let mut inner = self.of_words();
        inner.code.outputs = inner.graph(&fragment.graph, &inputs);
        let compiled = words::compile(&inner.code, &given)?;
        let at = &graph.nodes[nodes.start].location;
        let lists = self.lists(graph, &fragment, &given, at);
        let mut values: Vec<(Register, TensorType)> = Vec::new();
        for (value, escape) in escaping.iter().zip(&fragment.escaping) {
            let register = match escape {
                Escape::List(number) => lists[*number],
                Escape::Elements => {
                    let ty = graph.ty(*value);
                    values.push((self.register(ty), ty.clone()));
                    values[values.len() - 1].0
                }
            };
            sources[value.index()] = Some(Source::Computed(register));
        }
        let rows = lists.iter().zip(fragment.rows);
        let lists = rows.map(|(list, row)| (*list, self.code.contents[list.index()].dtype, row));
        let lists: Vec<(Register, DType, Dims)> = lists.collect();
        let words = compiled.with_tensors(&values, lists.into_iter())?;
        self.emit(Instruction::Words(Box::new(words)), at);
        Some(())
    }

    /// Registers that hold the lists of a region, which the region changes.
    fn lists(
        &mut self,
        graph: &Graph,
        fragment: &Fragment,
        given: &[Given],
        at: &Location,
    ) -> Vec<Register> {
        let both = fragment.inputs.iter().zip(given);
        let begun = both.filter(|((_, role), _)| *role == Role::List);
        let begun: Vec<(Register, Source<Register>)> = begun
            .map(|((value, _), given)| (self.register(graph.ty(*value)), given.source))
            .collect();
        let lists = begun.iter().map(|(list, _)| *list).collect();
        if !begun.is_empty() {
            self.push(CodeStep::Moves(begun), at);
        }
        lists
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
