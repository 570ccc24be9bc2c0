//! Lowering: nested graphs become one list of instructions. Each value has its own [`Register`]; the results of
//! branches and the state of loops are set by [`CodeStep::Moves`].

mod apart;
mod flow;
mod fusion;
mod iteration;
mod region;
mod updates;
mod variable;

use std::ops::Range;
use std::sync::Arc;

use graph_kernels::{Array, DType};
use rustc_hash::FxHashMap;

use super::fused::Chain;
use super::scope::Scope;
use super::small;
use super::word_nodes::{Known, apart, each_loop, is_loop, regions};
use super::{InWords, Instruction, Options, Register, Source, Target};
use crate::error::Location;
use crate::graph::{Graph, Node, Op, TensorType, ValueId, steps};

/// A step of lowered code.
pub(super) enum CodeStep {
    /// An instruction over registers. Its jump targets are positions in [`Code::steps`].
    Do(Instruction<Register>),
    /// Parallel moves: all sources are read before any register is written.
    Moves(Vec<(Register, Source<Register>)>),
}

/// A lowered graph.
#[derive(Default)]
pub(super) struct Code {
    pub steps: Vec<CodeStep>,
    /// The user's line of each step.
    pub locations: Vec<Location>,
    /// What each register holds.
    pub contents: Vec<Contents>,
    /// For each register, the position of the first step that sets it. No earlier step reads or writes the register.
    pub defined: Vec<usize>,
    /// The loops; inner loops are listed before the loops around them.
    pub loops: Vec<Loop>,
    /// The loops and branches that the steps came from, inner ones first.
    pub scopes: Vec<Scope>,
    /// How many iterations over datasets there are.
    pub iterations: u32,
    pub constants: Vec<Arc<Array>>,
    pub outputs: Vec<Source<Register>>,
    /// True if the values are words, not arrays: then a step reads all operands before it writes.
    pub words: bool,
    /// True if kernels may update their operands in place.
    pub in_place: bool,
}

impl Code {
    /// All registers.
    pub fn registers(&self) -> impl Iterator<Item = Register> + use<> {
        (0..self.contents.len() as u32).map(Register)
    }
}

/// What is known of the values in a register.
#[derive(Clone, Copy)]
pub(super) struct Contents {
    pub dtype: DType,
    /// The number of bytes of the values; 0 if it isn't known at compile time.
    pub bytes: usize,
}

/// A loop of the steps.
pub(super) struct Loop {
    /// Its first position.
    pub head: usize,
    /// The position of the jump back to the head.
    pub back: usize,
    /// The registers that are set by the moves before the loop and by those before the jump back.
    pub state: Vec<Register>,
}

/// Lowers a verified graph.
pub(super) fn lower(graph: &Graph, options: Options) -> Code {
    let mut lowering = Lowering {
        code: Code::default(),
        options,
        constants: FxHashMap::default(),
        places: (0..graph.variables.len() as u32).collect(),
        known: Known::default(),
        small: small::Known::default(),
        too_large: usize::MAX,
        too_large_to_split: usize::MAX,
    };
    lowering.code.in_place = options.in_place;
    let inputs: Vec<Source<Register>> = (0..graph.inputs.len())
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
    /// The index of each constant, by address: copies of a graph share their arrays.
    constants: FxHashMap<*const Array, u32>,
    /// For each variable of the graph that is being lowered, its position in the plan's table.
    places: Vec<u32>,
    known: Known,
    small: small::Known,
    /// The number of nodes of the surrounding region that doesn't fit into a word program.
    too_large: usize,
    /// The same for regions of small tensors.
    too_large_to_split: usize,
}

impl Lowering {
    /// Appends a graph with the given sources as inputs, and returns the sources of its outputs.
    fn graph(&mut self, graph: &Graph, inputs: &[Source<Register>]) -> Vec<Source<Register>> {
        let mut sources = vec![None; graph.values.len()];
        for (value, source) in graph.inputs.iter().zip(inputs) {
            sources[value.index()] = Some(*source);
        }
        let (regions, small) = self.regions(graph);
        let updates = |node: &Node| matches!(node.op, Op::UpdateVariable { .. });
        let updates = graph.nodes.iter().any(updates);
        let last_uses = if regions.is_empty() && small.is_empty() && !updates {
            Vec::new()
        } else {
            region::last_uses(graph)
        };
        let computed = match self.options.words {
            InWords::Loops if !regions.is_empty() => apart::computed(graph),
            _ => Default::default(),
        };
        let mut regions = regions.into_iter().peekable();
        let mut small = small.into_iter().peekable();
        let mut next = 0;
        let around = (self.too_large, self.too_large_to_split);
        // The ends of regions that don't fit into a word program.
        let (mut end, mut small_end) = (0, 0);
        while next < graph.nodes.len() {
            if next == end {
                self.too_large = around.0;
            }
            if next == small_end {
                self.too_large_to_split = around.1;
            }
            if let Some(region) = small.next_if(|region| region.start == next) {
                let size = Graph::size_of(&graph.nodes[region.clone()]);
                let done = may_fit(size, self.too_large_to_split)
                    .then(|| self.small_region(graph, region.clone(), &last_uses, &mut sources));
                if done.flatten().is_some() {
                    next = region.end;
                    while regions.next_if(|inside| inside.start < next).is_some() {}
                    continue;
                }
                if done.is_some() {
                    self.too_large_to_split = size;
                }
                small_end = region.end;
            }
            if let Some(region) = regions.next_if(|region| region.start == next) {
                if self.options.words == InWords::Loops && !is_loop(&graph.nodes[next]) {
                    next = region.end;
                    self.apart(graph, region, &last_uses, &computed, &mut sources);
                    continue;
                }
                let size = Graph::size_of(&graph.nodes[region.clone()]);
                let done = may_fit(size, self.too_large)
                    .then(|| self.region(graph, region.clone(), &last_uses, &mut sources));
                if done.flatten().is_some() {
                    next = region.end;
                    continue;
                }
                if done.is_some() {
                    self.too_large = size;
                }
                end = region.end;
            }
            if let Some(end) = self.updates(graph, next, &last_uses, &mut sources) {
                next = end;
                continue;
            }
            let node = &graph.nodes[next];
            let outputs = self.node(graph, node, &read(&sources, &node.inputs));
            for (value, source) in node.outputs.iter().zip(outputs) {
                sources[value.index()] = Some(source);
            }
            next += 1;
        }
        (self.too_large, self.too_large_to_split) = around;
        read(&sources, &graph.outputs)
    }

    /// The sequences of nodes that may become word programs: of scalars, and of small tensors.
    fn regions(&mut self, graph: &Graph) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
        if self.options.words == InWords::Nothing {
            return (Vec::new(), Vec::new());
        }
        let scalars = regions(graph, &mut self.known);
        let small = match self.options.small {
            true => small::regions(graph, &mut self.known, &mut self.small),
            false => Vec::new(),
        };
        match self.options.words {
            InWords::Loops => (apart(graph, scalars), each_loop(graph, small)),
            _ => (scalars, small),
        }
    }

    fn node(
        &mut self,
        graph: &Graph,
        node: &Node,
        inputs: &[Source<Register>],
    ) -> Vec<Source<Register>> {
        steps::count(1);
        let at = &node.location;
        match &node.op {
            Op::Constant(array) => return vec![self.constant(array)],
            Op::Primitive(op, attrs) => {
                let fused = self.options.fused && graph.ty(node.outputs[0]).shape.rank() != Some(0);
                let operands = |graph: &Graph| {
                    let chain = Chain::of(graph, &[node], None)?;
                    let place = |value| node.inputs.iter().position(|v| v == value);
                    let inputs = chain.inputs.iter().map(|v| Some(inputs[place(v)?]));
                    let inputs = inputs.collect::<Option<Vec<Source<Register>>>>()?;
                    Some((chain, inputs))
                };
                if let Some((chain, inputs)) = fused.then(|| operands(graph)).flatten() {
                    return vec![self.chain(graph, node, chain, inputs)];
                }
                let output = self.register(graph.ty(node.outputs[0]));
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
                return vec![Source::Computed(output)];
            }
            Op::Print(print) => {
                let (print, inputs) = (print.clone(), inputs.to_vec());
                self.emit(Instruction::Print { print, inputs }, at);
                return Vec::new();
            }
            Op::Summary(summary) => {
                let summary = Instruction::Summary {
                    summary: Box::new(summary.clone()),
                    value: inputs[0],
                    step: inputs[1],
                };
                self.emit(summary, at);
                return Vec::new();
            }
            Op::Assert(message) => {
                let assertion = Instruction::Assert {
                    condition: inputs[0],
                    message: message.clone(),
                    inputs: inputs[1..].to_vec(),
                };
                self.emit(assertion, at);
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
                let output = self.register(graph.ty(node.outputs[0]));
                let stream = *stream;
                self.emit(Instruction::NextSeed { stream, output }, at);
                return vec![Source::Computed(output)];
            }
            Op::Iteration(step) => {
                let types = node.outputs.iter().map(|v| graph.ty(*v));
                return self.iteration(step, inputs, types, at);
            }
            Op::ReadVariable(id) => {
                let output = self.read_variable(*id, graph.ty(node.outputs[0]), at);
                return vec![Source::Computed(output)];
            }
            Op::AssignVariable(id) => {
                self.assign_variable(*id, inputs[0], at);
                return Vec::new();
            }
            Op::UpdateVariable { variable, body } => {
                self.update_variable(*variable, body, inputs, at);
                return Vec::new();
            }
            Op::Call {
                graph, variables, ..
            } => return self.call(graph, variables, inputs),
            Op::Cond { .. } | Op::SwitchCase { .. } | Op::WhileLoop { .. } => {}
        }
        let types = node.outputs.iter().map(|v| graph.ty(*v));
        let outputs: Vec<Register> = types.map(|ty| self.register(ty)).collect();
        match &node.op {
            Op::WhileLoop { cond, body } => self.while_loop(cond, body, inputs, &outputs, at),
            op => self.branches(op, inputs, &outputs, at),
        }
        outputs.into_iter().map(Source::Computed).collect()
    }

    fn moves(&mut self, to: &[Register], from: &[Source<Register>], at: &Location) {
        let moves: Vec<(Register, Source<Register>)> =
            to.iter().copied().zip(from.iter().copied()).collect();
        if !moves.is_empty() {
            self.push(CodeStep::Moves(moves), at);
        }
    }

    fn constant(&mut self, array: &Arc<Array>) -> Source<Register> {
        let next = self.code.constants.len() as u32;
        let index = *self.constants.entry(Arc::as_ptr(array)).or_insert(next);
        if index == next {
            self.code.constants.push(array.clone());
        }
        Source::Constant(index)
    }

    fn register(&mut self, ty: &TensorType) -> Register {
        let size = ty.shape.size().unwrap_or(0);
        self.code.contents.push(Contents {
            dtype: ty.dtype,
            bytes: size.saturating_mul(ty.dtype.bytes()),
        });
        self.code.defined.push(self.code.steps.len());
        Register(self.code.contents.len() as u32 - 1)
    }

    fn here(&self) -> Target {
        self.code.steps.len() as Target
    }

    fn emit(&mut self, instruction: Instruction<Register>, at: &Location) -> usize {
        self.push(CodeStep::Do(instruction), at)
    }

    fn push(&mut self, step: CodeStep, at: &Location) -> usize {
        self.code.steps.push(step);
        self.code.locations.push(at.clone());
        self.code.steps.len() - 1
    }

    /// Sets the targets of a jump that was emitted before its targets were known.
    fn aim(&mut self, jump: usize, targets: &[Target]) {
        if let CodeStep::Do(instruction) = &mut self.code.steps[jump] {
            instruction.targets_mut().copy_from_slice(targets);
        }
    }
}

/// Whether to try a region of `size` nodes that is inside a region of `around` nodes that doesn't fit. A region that is nearly as large isn't
/// tried; otherwise each level of a deep nest would try everything inside it.
fn may_fit(size: usize, around: usize) -> bool {
    const SMALL: usize = 64;
    size <= SMALL || size <= around / 4 * 3
}

fn read(sources: &[Option<Source<Register>>], values: &[ValueId]) -> Vec<Source<Register>> {
    values
        .iter()
        .map(|v| sources[v.index()].expect("a verified graph reads only defined values"))
        .collect()
}
