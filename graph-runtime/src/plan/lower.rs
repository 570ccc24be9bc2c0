//! Lowering: nested graphs become one list of instructions. Each value is a register of its own here (a [`Slot`]
//! whose number is a register's); what several branches or iterations define is set by [`Step::Moves`].

use std::ops::Range;
use std::sync::Arc;

use graph_kernels::{Array, DType};
use rustc_hash::{FxHashMap, FxHashSet};

use super::fused::{Chain, element};
use super::word_nodes::regions;
use super::{Instruction, Options, Slot, Source, Target, words};
use crate::error::Location;
use crate::graph::{Graph, Node, Op, ValueId};

/// An instruction over registers, or registers that are set at once.
pub(super) enum Step {
    /// Its jump targets are positions in [`Code::steps`].
    Do(Instruction),
    /// All sources are read before any register is written.
    Moves(Vec<(Slot, Source)>),
}

/// A lowered graph.
#[derive(Default)]
pub(super) struct Code {
    pub steps: Vec<Step>,
    /// The user's line of each step.
    pub locations: Vec<Location>,
    /// The dtype of each register.
    pub registers: Vec<DType>,
    /// For each register the position of the steps that set it: no step before it touches the register.
    pub defined: Vec<usize>,
    /// Inner loops stand before those around them.
    pub loops: Vec<Loop>,
    pub constants: Vec<Arc<Array>>,
    pub outputs: Vec<Source>,
    /// True if the values are words, not arrays: everything is read before anything is written.
    pub words: bool,
    /// True if kernels may update their operands.
    pub in_place: bool,
}

/// A loop of the steps.
pub(super) struct Loop {
    /// Its first position.
    pub head: usize,
    /// The position of the jump back to the head.
    pub back: usize,
    /// The registers that the moves before the loop and those before the jump set.
    pub state: Vec<Slot>,
}

/// Lowers a verified graph.
pub(super) fn lower(graph: &Graph, options: Options) -> Code {
    let mut lowering = Lowering {
        code: Code::default(),
        options,
        constants: FxHashMap::default(),
    };
    lowering.code.in_place = options.in_place;
    let inputs: Vec<Source> = (0..graph.inputs.len())
        .map(|i| Source::Input(i as u32))
        .collect();
    let outputs = lowering.graph(graph, &inputs);
    Code {
        outputs,
        ..lowering.code
    }
}

struct Lowering {
    code: Code,
    options: Options,
    /// Where a constant is: graphs that were copied share their arrays.
    constants: FxHashMap<*const Array, u32>,
}

impl Lowering {
    /// Appends a graph whose inputs are at the given sources, and gives those of its outputs.
    fn graph(&mut self, graph: &Graph, inputs: &[Source]) -> Vec<Source> {
        let mut sources = vec![None; graph.values.len()];
        for (value, source) in graph.inputs.iter().zip(inputs) {
            sources[value.index()] = Some(*source);
        }
        let regions = if !self.options.words {
            Vec::new()
        } else {
            regions(graph)
        };
        let mut regions = regions.into_iter().peekable();
        let mut next = 0;
        while next < graph.nodes.len() {
            if let Some(region) = regions.next_if(|region| region.start == next)
                && self.region(graph, region.clone(), &mut sources).is_some()
            {
                next = region.end;
                continue;
            }
            let node = &graph.nodes[next];
            let outputs = self.node(graph, node, &read(&sources, &node.inputs));
            for (value, source) in node.outputs.iter().zip(outputs) {
                sources[value.index()] = Some(source);
            }
            next += 1;
        }
        read(&sources, &graph.outputs)
    }

    /// Appends some nodes of a graph as one word program, if they fit into one.
    fn region(
        &mut self,
        graph: &Graph,
        nodes: Range<usize>,
        sources: &mut [Option<Source>],
    ) -> Option<()> {
        let mut inner = Lowering {
            code: Code::default(),
            options: Options {
                words: false,
                fused: false,
                ..self.options
            },
            constants: FxHashMap::default(),
        };
        inner.code.words = true;
        let mut inputs = Vec::new();
        let mut inside: FxHashMap<ValueId, Source> = FxHashMap::default();
        for node in &graph.nodes[nodes.clone()] {
            let mut operand = |value: &ValueId| {
                *inside.entry(*value).or_insert_with(|| {
                    let source = sources[value.index()];
                    let source = source.expect("a verified graph reads only defined values");
                    inputs.push((source, graph.ty(*value).clone()));
                    Source::Input(inputs.len() as u32 - 1)
                })
            };
            let operands: Vec<Source> = node.inputs.iter().map(&mut operand).collect();
            let outputs = inner.node(graph, node, &operands);
            inside.extend(node.outputs.iter().copied().zip(outputs));
        }
        let escaping = escaping(graph, nodes.clone());
        inner.code.outputs = escaping.iter().map(|value| inside[value]).collect();
        let compiled = words::compile(&inner.code, &inputs)?;
        let mut outputs = Vec::new();
        for value in escaping {
            sources[value.index()] = Some(match inside[&value] {
                Source::Input(input) => inputs[input as usize].0,
                Source::Constant(constant) => {
                    self.constant(&inner.code.constants[constant as usize])
                }
                Source::Slot(register) => {
                    let dtype = graph.ty(value).dtype;
                    let slot = self.register(dtype);
                    outputs.push((slot, register, dtype));
                    Source::Slot(slot)
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

    fn node(&mut self, graph: &Graph, node: &Node, inputs: &[Source]) -> Vec<Source> {
        let at = &node.location;
        match &node.op {
            Op::Constant(array) => return vec![self.constant(array)],
            Op::Primitive(op, attrs) => {
                let fused = self.options.fused && graph.ty(node.outputs[0]).shape.rank() != Some(0);
                let operands = |graph: &Graph| {
                    let chain = Chain::of(graph, &[node])?;
                    let place = |value| node.inputs.iter().position(|v| v == value);
                    let inputs = chain.inputs.iter().map(|v| Some(inputs[place(v)?]));
                    let inputs = inputs.collect::<Option<Vec<Source>>>()?;
                    Some((chain, inputs))
                };
                if let Some((chain, inputs)) = fused.then(|| operands(graph)).flatten() {
                    return vec![self.chain(graph, node, chain, inputs)];
                }
                let output = self.register(graph.ty(node.outputs[0]).dtype);
                let (attrs, inputs) = (Box::new(attrs.clone()), inputs.to_vec());
                let in_place = false;
                self.emit(
                    Instruction::Kernel {
                        op,
                        attrs,
                        inputs,
                        output,
                        in_place,
                    },
                    at,
                );
                return vec![Source::Slot(output)];
            }
            Op::Print(texts) => {
                let (texts, inputs) = (texts.clone(), inputs.to_vec());
                self.emit(Instruction::Print { texts, inputs }, at);
                return Vec::new();
            }
            Op::Assert(message) => {
                let (condition, message) = (inputs[0], message.clone());
                self.emit(Instruction::Assert { condition, message }, at);
                return Vec::new();
            }
            Op::Fusion { body } => {
                let fused = self.options.fused.then(|| self.fusion(body, inputs));
                return match fused.flatten() {
                    Some(output) => vec![output],
                    None => self.graph(body, inputs),
                };
            }
            Op::NextSeed(stream) => {
                let output = self.register(DType::I64);
                let stream = *stream;
                self.emit(Instruction::NextSeed { stream, output }, at);
                return vec![Source::Slot(output)];
            }
            Op::Call { graph, .. } => return self.graph(graph, inputs),
            Op::Cond { .. } | Op::SwitchCase { .. } | Op::WhileLoop { .. } => {}
        }
        let dtypes = node.outputs.iter().map(|v| graph.ty(*v).dtype);
        let outputs: Vec<Slot> = dtypes.map(|dtype| self.register(dtype)).collect();
        match &node.op {
            Op::WhileLoop { cond, body } => self.while_loop(cond, body, inputs, &outputs, at),
            op => self.branches(op, inputs, &outputs, at),
        }
        outputs.into_iter().map(Source::Slot).collect()
    }

    /// Appends a chain whose last node is given, and gives its result.
    fn chain(&mut self, graph: &Graph, last: &Node, chain: Chain, inputs: Vec<Source>) -> Source {
        let result = graph.ty(last.outputs[0]);
        let output = self.register(result.dtype);
        let fits = |value: &ValueId| chain.fused.may_overwrite(graph.ty(*value), result);
        let overwritable = chain.inputs.iter().map(fits).collect();
        let fused = Arc::new(chain.fused);
        self.emit(
            Instruction::Fused {
                fused,
                inputs,
                overwritable,
                output,
            },
            &last.location,
        );
        Source::Slot(output)
    }

    /// Appends the body of a fusion: its chain as one instruction, a product before it and a reduction behind it as others.
    /// Appends nothing and gives `None` if the chain makes no program.
    fn fusion(&mut self, body: &Graph, inputs: &[Source]) -> Option<Source> {
        let is_element = |node: &&Node| element(body, node).is_some();
        let nodes: Vec<&Node> = body.nodes.iter().filter(is_element).collect();
        let (last, chain) = (*nodes.last()?, Chain::of(body, &nodes)?);
        // Only its last value is there for what follows.
        let hidden: FxHashSet<ValueId> = nodes[..nodes.len() - 1]
            .iter()
            .map(|n| n.outputs[0])
            .collect();
        let others = body.nodes.iter().filter(|node| !is_element(node));
        if others
            .flat_map(|node| &node.inputs)
            .any(|v| hidden.contains(v))
        {
            return None;
        }
        let mut sources = vec![None; body.values.len()];
        for (value, source) in body.inputs.iter().zip(inputs) {
            sources[value.index()] = Some(*source);
        }
        let mut chain = Some(chain);
        for node in &body.nodes {
            let output = match &node.op {
                _ if !is_element(&node) => self.node(body, node, &read(&sources, &node.inputs))[0],
                _ if !std::ptr::eq(node, last) => continue,
                _ => {
                    let chain = chain.take()?;
                    let operands = read(&sources, &chain.inputs);
                    self.chain(body, last, chain, operands)
                }
            };
            sources[node.outputs[0].index()] = Some(output);
        }
        sources[body.outputs[0].index()]
    }

    fn branches(&mut self, op: &Op, inputs: &[Source], outputs: &[Slot], at: &Location) {
        let branches = op.subgraphs();
        let choice = match op {
            Op::Cond { .. } => Instruction::JumpIfFalse {
                condition: inputs[0],
                target: 0,
            },
            _ => Instruction::JumpTable {
                index: inputs[0],
                targets: vec![0; branches.len()],
            },
        };
        let choice = self.emit(choice, at);
        let mut starts = Vec::new();
        let mut ends = Vec::new();
        let last = branches.len() - 1;
        for (i, branch) in branches.into_iter().enumerate() {
            starts.push(self.here());
            let results = self.graph(branch, &inputs[1..]);
            self.moves(outputs, &results, at);
            if i < last {
                ends.push(self.emit(Instruction::Jump(0), at));
            }
        }
        // A condition that holds goes on right behind its jump.
        let elsewhere = if matches!(op, Op::Cond { .. }) {
            &starts[1..]
        } else {
            &starts
        };
        self.aim(choice, elsewhere);
        let end = self.here();
        for jump in ends {
            self.aim(jump, &[end]);
        }
    }

    fn while_loop(
        &mut self,
        cond: &Graph,
        body: &Graph,
        inputs: &[Source],
        state: &[Slot],
        at: &Location,
    ) {
        self.moves(state, &inputs[..state.len()], at);
        let mut operands: Vec<Source> = state.iter().copied().map(Source::Slot).collect();
        operands.extend(&inputs[state.len()..]);

        let head = self.here();
        let condition = self.graph(cond, &operands)[0];
        let exit = self.emit(
            Instruction::JumpIfFalse {
                condition,
                target: 0,
            },
            at,
        );
        let next = self.graph(body, &operands);
        self.moves(state, &next, at);
        let back = self.emit(Instruction::Jump(head), at);
        self.code.loops.push(Loop {
            head: head as usize,
            back,
            state: state.to_vec(),
        });
        let end = self.here();
        self.aim(exit, &[end]);
    }

    fn moves(&mut self, to: &[Slot], from: &[Source], at: &Location) {
        let moves: Vec<(Slot, Source)> = to.iter().copied().zip(from.iter().copied()).collect();
        if !moves.is_empty() {
            self.push(Step::Moves(moves), at);
        }
    }

    fn constant(&mut self, array: &Arc<Array>) -> Source {
        let next = self.code.constants.len() as u32;
        let index = *self.constants.entry(Arc::as_ptr(array)).or_insert(next);
        if index == next {
            self.code.constants.push(array.clone());
        }
        Source::Constant(index)
    }

    fn register(&mut self, dtype: DType) -> Slot {
        self.code.registers.push(dtype);
        self.code.defined.push(self.code.steps.len());
        Slot(self.code.registers.len() as u32 - 1)
    }

    fn here(&self) -> Target {
        self.code.steps.len() as Target
    }

    fn emit(&mut self, instruction: Instruction, at: &Location) -> usize {
        self.push(Step::Do(instruction), at)
    }

    fn push(&mut self, step: Step, at: &Location) -> usize {
        self.code.steps.push(step);
        self.code.locations.push(at.clone());
        self.code.steps.len() - 1
    }

    /// Sets the targets of a jump that was emitted before they were known.
    fn aim(&mut self, jump: usize, targets: &[Target]) {
        if let Step::Do(instruction) = &mut self.code.steps[jump] {
            instruction.targets_mut().copy_from_slice(targets);
        }
    }
}

fn read(sources: &[Option<Source>], values: &[ValueId]) -> Vec<Source> {
    values
        .iter()
        .map(|v| sources[v.index()].expect("a verified graph reads only defined values"))
        .collect()
}

/// The values that some nodes of a graph define and that are used behind them.
fn escaping(graph: &Graph, nodes: Range<usize>) -> Vec<ValueId> {
    let behind = graph.nodes[nodes.end..]
        .iter()
        .flat_map(|node| &node.inputs);
    let used: FxHashSet<ValueId> = behind.chain(&graph.outputs).copied().collect();
    let defined = graph.nodes[nodes].iter().flat_map(|node| &node.outputs);
    defined
        .copied()
        .filter(|value| used.contains(value))
        .collect()
}
