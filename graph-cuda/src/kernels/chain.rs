//! A chain: elementwise functions that compute an element of a result from elements of operands. Kernels that visit elements in different orders
//! (`map`, `reduce`) contain one.

use graph_kernels::{DType, ElementOp};

use super::view::{PerAxis, View, join_axes};
use crate::driver::Buffer;
use crate::ptx::{self, Code, Reg, Width};

/// How a kernel finds the element of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// It is a parameter of the kernel.
    Value,
    /// At the index of the result's element.
    Same,
    /// The operand has one element.
    First,
    /// By steps along the axes.
    Strided,
    /// It is no element: the value is the index itself that the steps lead to.
    Position,
}

/// One value of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// An element of an operand.
    Operand(usize),
    /// A constant, as the bits of the element in memory.
    Constant(DType, u64),
    /// A function of earlier values. The dtype is that of its operands.
    Element(ElementOp, DType, Vec<usize>),
}

/// What a chain computes. The last step is the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    /// The dtype of each operand, and how its elements are found.
    pub operands: Vec<(DType, Access)>,
    /// The values.
    pub steps: Vec<Step>,
    /// The dtype of the result.
    pub dtype: DType,
    /// Whether the kernel looks for wrong operands, such as divisors of 0.
    pub checks: bool,
}

/// An operand of a chain in a launch.
#[derive(Clone)]
pub enum Input<'a> {
    /// A number, as the bits of an element in memory.
    Value(DType, u64),
    /// A tensor, whose elements are found by a view over the axes of the result.
    Tensor(DType, &'a Buffer, View),
    /// The position that a view leads to, an `int64`.
    Position(View),
}

impl Input<'_> {
    fn dtype(&self) -> DType {
        match self {
            Input::Value(dtype, _) | Input::Tensor(dtype, ..) => *dtype,
            Input::Position(_) => DType::I64,
        }
    }

    fn view(&self) -> Option<&View> {
        match self {
            Input::Value(..) => None,
            Input::Tensor(_, _, view) | Input::Position(view) => Some(view),
        }
    }

    /// The same operand by another view.
    pub fn by(&self, view: &View) -> Input<'_> {
        match self {
            Input::Value(dtype, bits) => Input::Value(*dtype, *bits),
            Input::Tensor(dtype, buffer, _) => Input::Tensor(*dtype, buffer, view.clone()),
            Input::Position(_) => Input::Position(view.clone()),
        }
    }

    /// The parameter that stands for the operand.
    pub fn parameter(&self) -> u64 {
        match self {
            Input::Value(_, bits) => *bits,
            Input::Tensor(_, buffer, _) => buffer.address(),
            Input::Position(_) => 0,
        }
    }
}

/// The axes of a launch after joining, and how each operand is found along them.
pub struct Walk {
    /// The sizes of the axes.
    pub dims: PerAxis<usize>,
    /// The views of the operands; those of numbers are empty.
    pub views: Vec<View>,
    /// How each operand is found.
    pub accesses: Vec<Access>,
    /// Whether indices need 64 bits.
    pub wide: bool,
}

impl Walk {
    /// The walk over the axes of a result. The axes from `second` on are joined among themselves.
    pub fn new(dims: &[usize], second: usize, inputs: &[Input<'_>]) -> Walk {
        let none = View {
            offset: 0,
            strides: PerAxis::from_elem(0, dims.len()),
        };
        let all = |input: &Input<'_>| input.view().cloned().unwrap_or(none.clone());
        let views: Vec<View> = inputs.iter().map(all).collect();
        let part = |from: usize, to: usize| {
            let cut = |view: &View| View {
                offset: view.offset,
                strides: view.strides[from..to].into(),
            };
            let mut views: Vec<View> = views.iter().map(cut).collect();
            (join_axes(&dims[from..to], &mut views), views)
        };
        let (mut joined, mut first) = part(0, second);
        let (more, rest) = part(second, dims.len());
        joined.extend(more);
        for (view, other) in first.iter_mut().zip(rest) {
            view.strides.extend(other.strides);
        }
        let whole = View::of(&joined);
        let access = |(input, view): (&Input<'_>, &View)| match input {
            Input::Value(..) => Access::Value,
            Input::Position(_) => Access::Position,
            Input::Tensor(..) if view.is_one_element() && view.offset == 0 => Access::First,
            Input::Tensor(..) if *view == whole => Access::Same,
            Input::Tensor(..) => Access::Strided,
        };
        let accesses = inputs.iter().zip(&first).map(access).collect();
        let wide = is_wide(&joined, &first);
        Walk {
            dims: joined,
            views: first,
            accesses,
            wide,
        }
    }

    /// The operands as a chain describes them.
    pub fn operands(&self, inputs: &[Input<'_>]) -> Vec<(DType, Access)> {
        let accesses = self.accesses.iter().copied();
        inputs.iter().map(Input::dtype).zip(accesses).collect()
    }

    /// The offsets and steps of the operands that are found by steps, in the order in which [`Addresses::parameters`] reads them.
    pub fn steps(&self) -> impl Iterator<Item = u64> {
        let strided = self.accesses.iter().zip(&self.views);
        let strided = strided.filter(|(access, _)| is_strided(**access));
        strided.flat_map(|(_, view)| {
            let steps = view.strides.iter().copied();
            std::iter::once(view.offset).chain(steps).map(|x| x as u64)
        })
    }

    /// Whether elements of different rows are neighbours, and those of a row aren't. The first `kept` axes count rows.
    pub fn goes_across(&self, kept: usize) -> bool {
        let step = |strides: &[i64]| strides.last().map_or(0, |stride| stride.abs());
        let mut views = self.views.iter();
        views.any(|view| {
            let (outer, inner) = view.strides.split_at(kept);
            step(outer) == 1 && step(inner) > 1
        })
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.dims.iter().product()
    }
}

/// Whether an index of an element can be 2³¹ or more.
pub fn is_wide(dims: &[usize], views: &[View]) -> bool {
    const MOST: usize = 1 << 31;
    let reach = |view: &View| {
        let last = dims.iter().zip(&view.strides);
        let steps = last.map(|(size, stride)| size.saturating_mul(stride.unsigned_abs() as usize));
        steps.fold(view.offset.unsigned_abs() as usize, usize::saturating_add)
    };
    let count = dims.iter().fold(1, |a: usize, b| a.saturating_mul(*b));
    count >= MOST || views.iter().any(|view| reach(view) >= MOST)
}

fn is_strided(access: Access) -> bool {
    matches!(access, Access::Strided | Access::Position)
}

/// The operands of a kernel: registers with their addresses or values, and with the steps along the axes.
pub struct Addresses {
    operands: Vec<(DType, Access)>,
    bases: Vec<Reg>,
    /// Offset and steps, for operands that are found by steps.
    steps: Vec<Option<(Reg, Vec<Reg>)>>,
}

impl Addresses {
    /// Reads the parameters of operands: first the addresses and numbers, then the steps.
    pub fn parameters(
        code: &mut Code,
        operands: &[(DType, Access)],
        rank: usize,
        index: Width,
    ) -> Addresses {
        let base = |code: &mut Code, (dtype, access): (DType, Access)| match access {
            Access::Value => code.scalar_parameter(dtype),
            _ => code.address(),
        };
        let bases = operands.iter().map(|operand| base(code, *operand));
        let bases = bases.collect();
        let steps = operands
            .iter()
            .map(|(_, access)| {
                is_strided(*access).then(|| {
                    let offset = code.number(index);
                    (offset, (0..rank).map(|_| code.number(index)).collect())
                })
            })
            .collect();
        Addresses {
            operands: operands.to_vec(),
            bases,
            steps,
        }
    }

    /// Operands that aren't found by steps, whose addresses and numbers are in registers.
    pub fn of(operands: &[(DType, Access)], bases: &[Reg]) -> Addresses {
        Addresses {
            operands: operands.to_vec(),
            bases: bases.to_vec(),
            steps: vec![None; operands.len()],
        }
    }

    /// Whether an operand is found by steps.
    pub fn need_coordinates(&self) -> bool {
        self.steps.iter().any(Option::is_some)
    }

    /// The index of an operand's element at some coordinates; `axes` is the position of the first of these axes. `before` is the sum so far.
    pub fn along(
        &self,
        code: &mut Code,
        operand: usize,
        axes: usize,
        coordinates: &[Reg],
        before: Option<Reg>,
    ) -> Option<Reg> {
        let (offset, strides) = self.steps[operand].as_ref()?;
        let start = before.unwrap_or(*offset);
        let pairs = coordinates.iter().zip(&strides[axes..]);
        Some(pairs.fold(start, |sum, (coordinate, stride)| {
            code.mul_add(*coordinate, *stride, sum)
        }))
    }

    /// The element of an operand: `same` is the index of the result's element, `own` the index that the steps lead to.
    pub fn load(&self, code: &mut Code, operand: usize, same: Reg, own: Option<Reg>) -> Reg {
        let (dtype, access) = self.operands[operand];
        let base = self.bases[operand];
        match (access, own) {
            (Access::Value, _) => base,
            (Access::Position, Some(own)) => code.widened(own, Width::Double),
            (Access::Strided, Some(own)) => code.load(dtype, base, own),
            (Access::First, _) => code.load_at("global", dtype, base),
            _ => code.load(dtype, base, same),
        }
    }

    /// The elements of an operand at neighbouring indices, of which `first` is a multiple of their number.
    pub fn load_many(&self, code: &mut Code, operand: usize, first: Reg, count: usize) -> Vec<Reg> {
        let (dtype, access) = self.operands[operand];
        if access != Access::Same {
            let value = self.load(code, operand, first, None);
            return vec![value; count];
        }
        self.neighbours(code, dtype, operand, first, count)
    }

    /// The elements of an operand from an index of its own on, which is a multiple of their number.
    pub fn neighbours(
        &self,
        code: &mut Code,
        dtype: DType,
        operand: usize,
        first: Reg,
        count: usize,
    ) -> Vec<Reg> {
        let address = code.element_address(self.bases[operand], first, dtype);
        many(code, address, dtype, count)
    }
}

/// Loads neighbouring elements, at most 16 bytes at a time.
fn many(code: &mut Code, address: Reg, dtype: DType, count: usize) -> Vec<Reg> {
    if count == 1 {
        return vec![code.load_at("global", dtype, address)];
    }
    let at_once = at_once(dtype, count);
    let mut values = Vec::new();
    for part in 0..count / at_once {
        let bytes = (part * at_once * dtype.bytes()) as i64;
        let address = code.add(address, bytes);
        values.extend(code.load_many(dtype, address, at_once));
    }
    values
}

/// How many of `count` elements a load or store takes.
pub fn at_once(dtype: DType, count: usize) -> usize {
    count.min(16 / dtype.bytes())
}

/// Stores neighbouring elements from an index on, which is a multiple of their number, at most 16 bytes at a time.
pub fn store_neighbours(code: &mut Code, dtype: DType, base: Reg, first: Reg, values: &[Reg]) {
    let address = code.element_address(base, first, dtype);
    let at_once = at_once(dtype, values.len());
    for (part, values) in values.chunks(at_once).enumerate() {
        let address = code.add(address, (part * at_once * dtype.bytes()) as i64);
        match values {
            [value] => code.store_at("global", dtype, address, *value),
            _ => code.store_many(dtype, address, values),
        }
    }
}

/// Writes the steps of a chain; `operands` are the elements. Returns the result, or `None` if the GPU lacks a function.
pub fn compute(code: &mut Code, chain: &Chain, operands: &[Reg]) -> Option<Reg> {
    values(code, &chain.steps, operands)?.last().copied()
}

/// Writes steps; `operands` are the elements. Returns the values of all steps, or `None` if the GPU lacks a function.
pub fn values(code: &mut Code, steps: &[Step], operands: &[Reg]) -> Option<Vec<Reg>> {
    let mut values: Vec<Reg> = Vec::new();
    for step in steps {
        let value = match step {
            Step::Operand(operand) => operands[*operand],
            Step::Constant(dtype, bits) => ptx::constant(code, *dtype, *bits),
            Step::Element(op, dtype, inputs) => {
                let inputs: Vec<Reg> = inputs.iter().map(|input| values[*input]).collect();
                ptx::element(code, *op, *dtype, &inputs)?
            }
        };
        values.push(value);
    }
    Some(values)
}

impl Chain {
    /// Whether a GPU has all functions of the chain for operands of these dtypes.
    pub fn is_supported_for(&self, operands: &[DType]) -> bool {
        let mut code = Code::new();
        let held = |dtype: &DType| ptx::is_held(*dtype);
        if !operands.iter().all(held) || !held(&self.dtype) {
            return false;
        }
        let registers = operands.iter().map(|dtype| ptx::width(*dtype));
        let registers: Vec<Reg> = registers.map(|width| code.register(width)).collect();
        compute(&mut code, self, &registers).is_some()
    }
}

/// Whether a value of an operand can be wrong, as a divisor of 0 is. Numbers that are known are looked at now.
pub fn can_fail(steps: &[Step], inputs: &[Input<'_>]) -> bool {
    let known = |step: &Step| match step {
        Step::Constant(dtype, bits) => Some((*dtype, *bits)),
        Step::Operand(i) => match inputs.get(*i) {
            Some(Input::Value(dtype, bits)) => Some((*dtype, *bits)),
            _ => None,
        },
        Step::Element(..) => None,
    };
    steps.iter().any(|step| match step {
        Step::Element(op, dtype, operands) if ptx::can_fail(*op, *dtype) => {
            let second = operands.last().and_then(|operand| known(&steps[*operand]));
            !second.is_some_and(|(dtype, bits)| is_right(*op, dtype, bits))
        }
        _ => false,
    })
}

/// Whether a function that [can fail](ptx::can_fail) doesn't if its second operand is this number.
pub fn is_right(op: ElementOp, dtype: DType, bits: u64) -> bool {
    let is_negative = !dtype.is_unsigned() && bits >> (dtype.bytes() * 8 - 1) & 1 == 1;
    match op {
        ElementOp::Pow => !is_negative,
        _ => bits != 0,
    }
}

/// The coordinates of an index along axes of these sizes, the last axis first decoded.
pub fn coordinates(code: &mut Code, index: Reg, dims: &[Reg]) -> Vec<Reg> {
    let mut rest = index;
    let mut coordinates = vec![index; dims.len()];
    for axis in (1..dims.len()).rev() {
        let quotient = code.div(rest, dims[axis]);
        let whole = code.mul(quotient, dims[axis]);
        coordinates[axis] = code.sub(rest, whole);
        rest = quotient;
    }
    if let Some(first) = coordinates.first_mut() {
        *first = rest;
    }
    coordinates
}
