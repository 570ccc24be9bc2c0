//! Random graphs with every op of the table. Operands and attributes are tried until the op's own type rule and kernel
//! accept them, so a new op is covered as soon as it has a row. Some graphs end in a choice or a loop, some in a node
//! that fails.

mod guess;
mod random;

use std::sync::Arc;

use graph_ir::error::Location;
use graph_ir::graph::{Graph, Op, Shape, TensorType, ValueId};
use graph_ir::ops::{self, OpDef};
use graph_kernels::{Array, DType, KernelError};

use guess::attributes;
pub use random::Random;

/// A graph and its inputs.
pub struct Program {
    /// The graph.
    pub graph: Graph,
    /// As many arrays as the graph has inputs.
    pub inputs: Vec<Array>,
}

/// The maximum number of elements of a value. Graphs with larger values aren't made.
const MAX_VALUES: usize = 300;

/// A graph of about this many nodes.
pub fn program(random: &mut Random, nodes: usize) -> Program {
    let mut generator = Generator::new(random);
    let table: Vec<&'static OpDef> = ops::all().collect();
    for _ in 0..nodes {
        let op = table[generator.random.below(table.len())];
        generator.add(op, 20);
    }
    match generator.random.below(4) {
        0 => generator.choice(),
        1 => generator.repetition(),
        _ => {}
    }
    generator.finish()
}

/// A graph that ends in a node of this op, or `None` if all tries fail.
pub fn program_with(random: &mut Random, op: &'static OpDef, tries: usize) -> Option<Program> {
    let mut generator = Generator::new(random);
    generator.add(op, tries)?;
    Some(generator.finish())
}

/// One use of an op on arrays, and what its kernel gives.
#[derive(Debug)]
pub struct Use {
    /// The op.
    pub op: &'static OpDef,
    /// Attributes that its type rule accepts.
    pub attrs: ops::Attrs,
    /// Operands that its type rule accepts.
    pub operands: Vec<Array>,
    /// The result, of at most a few hundred elements.
    pub result: Result<Array, KernelError>,
}

/// A use of an op, or `None` if this try fails.
pub fn use_of(random: &mut Random, op: &'static OpDef) -> Option<Use> {
    let attempt = Generator::new(random).attempt(op)?;
    let operands = attempt.operands.into_iter();
    // There are no values yet that an operand could be.
    let operands = operands.filter_map(|operand| match operand {
        Operand::New(array) => Some(array),
        Operand::Value(_) => None,
    });
    Some(Use {
        op,
        attrs: attempt.attrs,
        operands: operands.collect(),
        result: attempt.result,
    })
}

/// A graph whose only result is that of a failing node, or `None` if all tries fail.
pub fn failing_program(random: &mut Random, nodes: usize) -> Option<Program> {
    let mut generator = Generator::new(random);
    let table: Vec<&'static OpDef> = ops::all().collect();
    for _ in 0..nodes {
        let op = table[generator.random.below(table.len())];
        generator.add(op, 20);
    }
    for _ in 0..200 {
        let op = table[generator.random.below(table.len())];
        if let Some(value) = generator.add_failing(op) {
            // Passes might remove a node that uses the result, so there is none.
            let result = generator.graph.add_node(
                Op::Primitive(&ops::SHAPE_OF, ops::Attrs::new()),
                vec![value],
                vec![TensorType::new(DType::I32, Shape::unknown())],
                Location::unknown(),
            );
            let user = generator.random.below(2) == 0;
            generator.graph.outputs = if user { result } else { vec![value] };
            let Generator { graph, inputs, .. } = generator;
            return Some(Program { graph, inputs });
        }
    }
    None
}

struct Generator<'r> {
    random: &'r mut Random,
    graph: Graph,
    /// The array of each value; for values in loops, that of the first iteration.
    arrays: Vec<Array>,
    inputs: Vec<Array>,
    /// True for a subgraph: no inputs are added to it, and the shapes of its results must not depend on values.
    inside: bool,
}

/// An operand, which may still have to be added to the graph.
enum Operand {
    Value(ValueId),
    New(Array),
}

/// What one try to find operands and attributes gives.
struct Attempt {
    attrs: ops::Attrs,
    operands: Vec<Operand>,
    result: Result<Array, KernelError>,
}

impl<'r> Generator<'r> {
    fn new(random: &'r mut Random) -> Generator<'r> {
        Generator {
            random,
            graph: Graph::default(),
            arrays: Vec::new(),
            inputs: Vec::new(),
            inside: false,
        }
    }

    /// A subgraph with these inputs.
    fn inside(random: &'r mut Random, types: &[TensorType], arrays: &[Array]) -> Generator<'r> {
        let mut graph = Graph::default();
        for ty in types {
            graph.add_input(ty.clone(), None);
        }
        Generator {
            graph,
            arrays: arrays.to_vec(),
            inside: true,
            ..Generator::new(random)
        }
    }

    /// Operands and attributes that the type rule of an op accepts, and what the kernel makes of them; `None` if this try finds none.
    fn attempt(&mut self, op: &'static OpDef) -> Option<Attempt> {
        let operands = self.operands();
        let arrays: Vec<&Array> = operands.iter().map(|o| self.array(o)).collect();
        let types: Vec<TensorType> = arrays.iter().map(|a| TensorType::of_array(a)).collect();
        let (attrs, ty) = attributes(self.random, op, &types)?;
        if !self.is_small(&ty, &operands) {
            return None;
        }
        let arrays: Vec<&Array> = operands.iter().map(|o| self.array(o)).collect();
        let mut out = Array::default();
        let result = (op.kernel)(&arrays, &attrs, &mut out).map(|()| out);
        let is_small = |array: &Array| array.len() <= MAX_VALUES;
        if !result.as_ref().map_or(true, is_small) {
            return None;
        }
        Some(Attempt {
            attrs,
            operands,
            result,
        })
    }

    /// Adds a node of the op, if operands and attributes are found that the op accepts.
    fn add(&mut self, op: &'static OpDef, tries: usize) -> Option<ValueId> {
        for _ in 0..tries {
            let Some(attempt) = self.attempt(op) else {
                continue;
            };
            let Ok(result) = attempt.result else {
                continue;
            };
            if let Some(value) = self.write(op, attempt.attrs, attempt.operands) {
                self.arrays.push(result);
                return Some(value);
            }
        }
        None
    }

    /// Adds a node with valid types whose kernel fails.
    fn add_failing(&mut self, op: &'static OpDef) -> Option<ValueId> {
        let attempt = self.attempt(op)?;
        let error = attempt.result.err()?;
        // Tracing can't build a graph whose attributes are of the wrong kind.
        if error.to_string().contains("must be given as") {
            return None;
        }
        self.write(op, attempt.attrs, attempt.operands)
    }

    /// Adds the node. In the graph its operands have less precise types, which the type rule may reject.
    fn write(
        &mut self,
        op: &'static OpDef,
        attrs: ops::Attrs,
        operands: Vec<Operand>,
    ) -> Option<ValueId> {
        let inputs: Vec<ValueId> = operands.into_iter().map(|o| self.value(o)).collect();
        let types: Vec<TensorType> = inputs.iter().map(|v| self.graph.ty(*v).clone()).collect();
        let ty = (op.infer)(&types, &attrs).ok()?;
        let op = Op::Primitive(op, attrs);
        Some(
            self.graph
                .add_node(op, inputs, vec![ty], Location::unknown())[0],
        )
    }

    /// A few operands, mostly of one dtype.
    fn operands(&mut self) -> Vec<Operand> {
        let count = [1, 2, 2, 3, 1, 0, 4][self.random.below(7)];
        let dtype = self.random.dtype();
        let scalars = self.random.below(3) == 0;
        (0..count)
            .map(|i| {
                if scalars && i > 0 && self.random.below(3) > 0 {
                    let dtype = self.random.one_of(&[dtype, DType::I32, DType::I64]);
                    return Operand::New(self.random.array_of(dtype, &[]));
                }
                let dtype = match self.random.below(5) {
                    0 => self.random.dtype(),
                    1 => DType::I32,
                    _ => dtype,
                };
                self.operand(dtype)
            })
            .collect()
    }

    fn operand(&mut self, dtype: DType) -> Operand {
        let fitting: Vec<usize> = (0..self.arrays.len())
            .filter(|i| self.arrays[*i].dtype() == dtype)
            .collect();
        if fitting.is_empty() || self.random.below(3) == 0 {
            return Operand::New(self.random.array(dtype));
        }
        Operand::Value(ValueId(fitting[self.random.below(fitting.len())] as u32))
    }

    fn array<'a>(&'a self, operand: &'a Operand) -> &'a Array {
        match operand {
            Operand::Value(value) => &self.arrays[value.index()],
            Operand::New(array) => array,
        }
    }

    /// The value of an operand; a new operand becomes an input or a constant.
    fn value(&mut self, operand: Operand) -> ValueId {
        let array = match operand {
            Operand::Value(value) => return value,
            Operand::New(array) => array,
        };
        if self.inside || self.random.below(2) == 0 {
            return self.constant(array);
        }
        let ty = self.random.relaxed(&TensorType::of_array(&array));
        self.arrays.push(array.clone());
        self.inputs.push(array);
        self.graph.add_input(ty, None)
    }

    fn constant(&mut self, array: Array) -> ValueId {
        self.arrays.push(array.clone());
        constant(&mut self.graph, array)
    }

    /// A new input with the type of a scalar, or a constant.
    fn scalar(&mut self, array: Array) -> ValueId {
        let ty = TensorType::of_array(&array);
        if self.random.below(3) == 0 {
            return self.constant(array);
        }
        self.arrays.push(array.clone());
        self.inputs.push(array);
        self.graph.add_input(ty, None)
    }

    /// False if the result may be too large, as far as can be told before it is computed.
    fn is_small(&self, ty: &TensorType, operands: &[Operand]) -> bool {
        match ty.shape.size() {
            Some(size) => size <= MAX_VALUES,
            None => !self.inside && operands.iter().all(|o| guess::is_tame(self.array(o))),
        }
    }

    /// Ends the graph with a `cond` of two random branches.
    fn choice(&mut self) {
        let (types, arrays) = self.everything();
        let holds = self.random.below(2) == 0;
        let predicate = self.scalar(Array::scalar(holds));
        let then = self.branch(&types, &arrays);
        let dtype = then.graph.ty(then.result).dtype;
        let mut other = self.branch(&types, &arrays);
        other.result = other.of_dtype(self.random, dtype);
        let Some(ty) = then
            .graph
            .ty(then.result)
            .join(other.graph.ty(other.result))
        else {
            return;
        };
        let op = Op::Cond {
            then_branch: then.closed().into(),
            else_branch: other.closed().into(),
        };
        let mut inputs = vec![predicate];
        inputs.extend((0..types.len() as u32).map(ValueId));
        self.graph
            .add_node(op, inputs, vec![ty], Location::unknown());
    }

    /// Ends the graph with a loop of a few iterations over a random value.
    fn repetition(&mut self) {
        let (types, arrays) = self.everything();
        if types.is_empty() {
            return;
        }
        let start = self.random.below(types.len());
        let state = TensorType::new(types[start].dtype, Shape::unknown());
        let iterations = self.random.below(3) as i32;
        let count = self.scalar(Array::scalar(iterations));
        let int = TensorType::scalar(DType::I32);
        let types = [vec![int.clone(), state.clone()], types].concat();
        let first = [Array::scalar(0), arrays[start].clone()];
        let arrays = [first.to_vec(), arrays].concat();

        let mut body = self.branch(&types, &arrays);
        body.result = body.of_dtype(self.random, state.dtype);
        let next = step(&mut body.graph, &ops::SUB, 1, &int);
        body.graph.outputs = vec![next, body.result];
        let mut cond = Graph::default();
        for ty in &types {
            cond.add_input(ty.clone(), None);
        }
        let goes_on = step(
            &mut cond,
            &ops::GREATER,
            0,
            &TensorType::scalar(DType::Bool),
        );
        cond.outputs = vec![goes_on];

        let (cond, body) = (cond.into(), body.graph.into());
        let mut inputs = vec![count, ValueId(start as u32)];
        inputs.extend((0..types.len() as u32 - 2).map(ValueId));
        let types = vec![int, state];
        self.graph.add_node(
            Op::WhileLoop { cond, body },
            inputs,
            types,
            Location::unknown(),
        );
    }

    /// The types and arrays of all values so far.
    fn everything(&self) -> (Vec<TensorType>, Vec<Array>) {
        let types = self.graph.values.iter().map(|v| v.ty.clone());
        (types.collect(), self.arrays.clone())
    }

    fn branch(&mut self, types: &[TensorType], arrays: &[Array]) -> Branch {
        let mut inside = Generator::inside(self.random, types, arrays);
        let table: Vec<&'static OpDef> = ops::all().collect();
        let mut result = None;
        for _ in 0..4 {
            let op = table[inside.random.below(table.len())];
            result = inside.add(op, 20).or(result);
        }
        let result = result.unwrap_or_else(|| inside.value(Operand::New(Array::scalar(true))));
        Branch {
            graph: inside.graph,
            result,
        }
    }

    fn finish(mut self) -> Program {
        let values = self.graph.values.len();
        let last = values.saturating_sub(1);
        self.graph.outputs = vec![ValueId(last as u32)];
        if values > 0 {
            let other = self.random.below(values);
            self.graph.outputs.push(ValueId(other as u32));
        } else {
            self.graph.outputs.clear();
        }
        Program {
            graph: self.graph,
            inputs: self.inputs,
        }
    }
}

/// A subgraph with one result.
struct Branch {
    graph: Graph,
    result: ValueId,
}

impl Branch {
    /// A value of a dtype, preferably the result.
    fn of_dtype(&mut self, random: &mut Random, dtype: DType) -> ValueId {
        let values = (0..self.graph.values.len() as u32).rev().map(ValueId);
        let found = std::iter::once(self.result)
            .chain(values)
            .find(|v| self.graph.ty(*v).dtype == dtype);
        found.unwrap_or_else(|| constant(&mut self.graph, random.array(dtype)))
    }

    fn closed(mut self) -> Graph {
        self.graph.outputs = vec![self.result];
        self.graph
    }
}

fn constant(graph: &mut Graph, array: Array) -> ValueId {
    let ty = TensorType::of_array(&array);
    let op = Op::Constant(Arc::new(array));
    graph.add_node(op, vec![], vec![ty], Location::unknown())[0]
}

/// Adds an op whose operands are the first input, a scalar, and a number.
fn step(graph: &mut Graph, op: &'static OpDef, number: i32, ty: &TensorType) -> ValueId {
    let inputs = vec![graph.inputs[0], constant(graph, Array::scalar(number))];
    let op = Op::Primitive(op, ops::Attrs::new());
    graph.add_node(op, inputs, vec![ty.clone()], Location::unknown())[0]
}
