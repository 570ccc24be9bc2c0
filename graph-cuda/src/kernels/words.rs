//! Word programs: loops over scalars and small tensors, as kernels of one thread, which keeps all values in registers.
//!
//! A register of a word program may hold values of several dtypes, one after the other, and a step that moves a value doesn't say of which dtype it
//! is. So the kernel has a register for each dtype that one holds, and a move moves all of them; the driver's compiler drops those that nobody reads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use graph_kernels::codegen::WordSource;
use graph_kernels::{DType, Register, Rows, ValueType, WordStep};

use super::chain::is_right;
use super::{Description, Kernels};
use crate::driver::{Buffer, Failed, Fault, Launch};
use crate::ptx::{self, Code, Label, Operand, Reg, Width};

/// A kernel of a word program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WordKernel {
    source: Arc<WordSource>,
    /// The registers that are loaded before the first step, and from where.
    loaded: Vec<(Register, DType, Origin)>,
    /// The dtypes of the arrays that steps read.
    arrays: Vec<DType>,
    /// The values that are stored behind the last step, as the registers of their elements.
    outputs: Vec<(DType, Vec<Register>)>,
}

/// Where a register is loaded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Origin {
    /// A parameter of the kernel is the value.
    Parameter,
    /// A parameter is the address of a tensor; the value is its element of this number.
    Element(usize),
}

/// A value that is loaded into a register before the first step.
pub enum Given<'a> {
    /// A number, as the bits of an element in memory.
    Value(u64),
    /// An element of a tensor.
    Element(&'a Buffer, usize),
}

/// An array from which steps read elements.
pub struct WordArray<'a> {
    /// Its elements.
    pub buffer: &'a Buffer,
    /// Their dtype.
    pub dtype: DType,
    /// The size of its first axis.
    pub len: usize,
    /// The number of elements at each position of that axis.
    pub each: usize,
}

/// A register of a word program while it holds values of a dtype.
type TypedRegister = (Register, DType);

impl WordKernel {
    /// The kernel of a program with these inputs and outputs.
    pub fn new(
        source: &Arc<WordSource>,
        loaded: &[(Register, DType, Given<'_>)],
        arrays: &[WordArray<'_>],
        outputs: Vec<(DType, Vec<Register>)>,
    ) -> WordKernel {
        let from = |loaded: &Given<'_>| match loaded {
            Given::Value(_) => Origin::Parameter,
            Given::Element(_, number) => Origin::Element(*number),
        };
        let loaded = loaded.iter();
        WordKernel {
            source: source.clone(),
            loaded: loaded.map(|(r, dtype, x)| (*r, *dtype, from(x))).collect(),
            arrays: arrays.iter().map(|array| array.dtype).collect(),
            outputs,
        }
    }

    /// The registers of the program, with each dtype of which they hold values; `None` if a function isn't defined for its dtype.
    fn typed_registers(&self) -> Option<BTreeSet<TypedRegister>> {
        let loaded = self
            .loaded
            .iter()
            .map(|(register, dtype, _)| (*register, *dtype));
        let mut typed: BTreeSet<TypedRegister> = loaded.collect();
        for (dtype, registers) in &self.outputs {
            typed.extend(registers.iter().map(|register| (*register, *dtype)));
        }
        for step in &self.source.steps {
            let access = step.access()?;
            let accessed = access.reads.iter().chain(&access.writes);
            typed.extend(accessed.filter_map(|(register, ty)| Some((*register, self.dtype(*ty)?))));
        }
        loop {
            let before = typed.len();
            for (to, from) in self.source.steps.iter().flat_map(WordStep::moves) {
                let dtypes = dtypes_in(&typed, to);
                typed.extend(dtypes.into_iter().map(|dtype| (from, dtype)));
            }
            if typed.len() == before {
                return Some(typed);
            }
        }
    }

    /// The dtype of a value that a step reads or writes, if the step or an array tells it.
    fn dtype(&self, ty: ValueType) -> Option<DType> {
        ty.dtype(|rows| match rows {
            Rows::Array(number) | Rows::Fixed(number) => {
                self.arrays.get(usize::from(number)).copied()
            }
            Rows::List(_) => None,
        })
    }

    /// Whether a GPU has all functions of the program. The kernel is written once to find out.
    fn is_supported(&self) -> bool {
        let typed = self.typed_registers();
        typed.is_some_and(|typed| Writer::new(&mut Code::new(), self, &typed).all().is_some())
    }

    /// Whether a step can find that it can't go on.
    fn checks(&self) -> bool {
        self.source.steps.iter().any(|step| match step {
            WordStep::Read { .. } | WordStep::Assert(_) => true,
            WordStep::Apply {
                op,
                dtype,
                operands,
                ..
            } => {
                let second = operands
                    .last()
                    .and_then(|register| self.constant(*register));
                let is_right = second.is_some_and(|bits| is_right(*op, *dtype, bits));
                ptx::can_fail(*op, *dtype) && !is_right
            }
            _ => false,
        })
    }

    /// The constant in a register, if there is one.
    fn constant(&self, register: Register) -> Option<u64> {
        let mut constants = self.source.constants.iter();
        let constant = constants.find(|(of, _)| *of == register);
        constant.map(|(_, word)| *word)
    }
}

/// The dtypes of the values that a register holds.
fn dtypes_in(typed: &BTreeSet<TypedRegister>, register: Register) -> Vec<DType> {
    let typed = typed.iter().filter(|(of, _)| *of == register);
    typed.map(|(_, dtype)| *dtype).collect()
}

/// An array in the kernel: its address, the size of its first axis, and the number of elements at each position.
struct Array {
    dtype: DType,
    base: Reg,
    len: Reg,
    each: Reg,
}

/// Writes a kernel.
struct Writer<'a> {
    code: &'a mut Code,
    kernel: &'a WordKernel,
    /// The kernel's register for each register and dtype of the program.
    registers: BTreeMap<TypedRegister, Reg>,
    arrays: Vec<Array>,
    /// A label for each step, and one for the end.
    labels: Vec<Label>,
    /// Behind the stores of the results.
    failed: Label,
}

impl<'a> Writer<'a> {
    fn new(
        code: &'a mut Code,
        kernel: &'a WordKernel,
        typed: &BTreeSet<TypedRegister>,
    ) -> Writer<'a> {
        let labels = kernel.source.steps.iter().map(|_| code.label()).collect();
        let mut writer = Writer {
            kernel,
            registers: BTreeMap::new(),
            arrays: Vec::new(),
            labels,
            failed: code.label(),
            code,
        };
        writer.labels.push(writer.code.label());
        for (register, dtype) in typed {
            writer.set(*register, *dtype, None);
        }
        writer
    }

    /// The kernel's register for a register that holds values of a dtype.
    fn at(&mut self, register: Register, dtype: DType) -> Reg {
        let code = &mut *self.code;
        let new = || code.register(ptx::width(dtype));
        *self.registers.entry((register, dtype)).or_insert_with(new)
    }

    /// Gives a register a value of a dtype; without one, that of the constant in it, or 0.
    fn set(&mut self, register: Register, dtype: DType, value: Option<Reg>) {
        let value = value.unwrap_or_else(|| {
            let constant = self.kernel.constant(register);
            ptx::constant(self.code, dtype, constant.unwrap_or(0))
        });
        let to = self.at(register, dtype);
        self.code.assign(to, value);
    }

    /// Writes everything; `None` if a GPU lacks a function.
    fn all(&mut self) -> Option<()> {
        let kernel = self.kernel;
        if kernel.checks() {
            self.code.fault_parameter();
        }
        self.code.leave_on_fault(self.failed);
        for (register, dtype, from) in &kernel.loaded {
            let value = match from {
                Origin::Parameter => self.code.scalar_parameter(*dtype),
                Origin::Element(number) => {
                    let base = self.code.address();
                    let address = self.code.add(base, (number * dtype.bytes()) as i64);
                    self.code.load_at("global", *dtype, address)
                }
            };
            self.set(*register, *dtype, Some(value));
        }
        for dtype in &kernel.arrays {
            let array = Array {
                dtype: *dtype,
                base: self.code.address(),
                len: self.code.parameter(),
                each: self.code.parameter(),
            };
            self.arrays.push(array);
        }
        for (at, step) in kernel.source.steps.iter().enumerate() {
            self.code.place(self.labels[at]);
            self.step(step)?;
        }
        self.code.place(self.labels[kernel.source.steps.len()]);
        for (dtype, registers) in &kernel.outputs {
            let base = self.code.address();
            for (number, register) in registers.iter().enumerate() {
                let address = self.code.add(base, (number * dtype.bytes()) as i64);
                let value = self.at(*register, *dtype);
                self.code.store_at("global", *dtype, address, value);
            }
        }
        self.code.place(self.failed);
        Some(())
    }

    fn step(&mut self, step: &WordStep) -> Option<()> {
        let moves = step.moves();
        if !moves.is_empty() {
            self.move_all(&moves);
            return Some(());
        }
        let access = step.access()?;
        let mut operands = Vec::new();
        for (register, ty) in &access.reads {
            let dtype = self.kernel.dtype(*ty)?;
            operands.push(self.at(*register, dtype));
        }
        let value = match step {
            WordStep::Apply { op, dtype, .. } => ptx::element(self.code, *op, *dtype, &operands)?,
            WordStep::MulAdd { dtype, .. } => {
                let name = format!("fma.rn.{dtype}").replace("float", "f");
                let operands: Vec<Operand> = operands.into_iter().map(Operand::from).collect();
                self.code.op(ptx::width(*dtype), &name, &operands)
            }
            WordStep::Read {
                from,
                element,
                dtype,
                ..
            } => self.read(*from, *element, (operands[0], *dtype))?,
            _ => return self.jump(step, &operands),
        };
        let (to, ty) = access.writes[0];
        let dtype = self.kernel.dtype(ty)?;
        self.set(to, dtype, Some(value));
        Some(())
    }

    /// A step that writes no register; `None` if it writes a list.
    fn jump(&mut self, step: &WordStep, operands: &[Reg]) -> Option<()> {
        match step {
            WordStep::Jump(target) => self.code.jump(self.labels[*target]),
            WordStep::Unless { target, .. } => {
                self.code.jump_if(operands[0], false, self.labels[*target]);
            }
            WordStep::UnlessHolds {
                op, dtype, target, ..
            } => {
                let holds = ptx::element(self.code, *op, *dtype, operands)?;
                self.code.jump_if(holds, false, self.labels[*target]);
            }
            WordStep::Switch { targets, .. } => self.switch(operands[0], targets)?,
            WordStep::Assert(_) => {
                let fails = self
                    .code
                    .op(Width::Predicate, "not.pred", &[operands[0].into()]);
                self.code.fail_if(fails);
            }
            _ => return None,
        }
        Some(())
    }

    /// Reads all values before it writes one.
    fn move_all(&mut self, moves: &[(Register, Register)]) {
        let typed: BTreeSet<TypedRegister> = self.registers.keys().copied().collect();
        let mut values = Vec::new();
        for (to, from) in moves {
            for dtype in dtypes_in(&typed, *to) {
                let value = self.at(*from, dtype);
                values.push((*to, dtype, self.code.copy(value, ptx::width(dtype))));
            }
        }
        for (to, dtype, value) in values {
            self.set(to, dtype, Some(value));
        }
    }

    /// An element of an array, at a position that may count from the end in some arrays.
    fn read(&mut self, from: Rows, element: u16, (index, of): (Reg, DType)) -> Option<Reg> {
        let (array, from_end) = match from {
            Rows::Array(number) => (usize::from(number), true),
            Rows::Fixed(number) => (usize::from(number), false),
            Rows::List(_) => return None,
        };
        let Array {
            dtype,
            base,
            len,
            each,
        } = *self.arrays.get(array)?;
        let code = &mut *self.code;
        let wide = Width::Double;
        let index = match ptx::width(of) {
            Width::Double => index,
            _ => code.op(wide, "cvt.s64.s32", &[index.into()]),
        };
        let mut position = index;
        if from_end {
            let below = [index.into(), Operand::Int(0)];
            let below = code.op(Width::Predicate, "setp.lt.s64", &below);
            let other = code.add(index, len);
            let chosen = [other.into(), index.into(), below.into()];
            position = code.op(wide, "selp.b64", &chosen);
        }
        // As unsigned numbers, so that negative ones are too large.
        let outside = code.compare("ge", position, len);
        code.fail_if(outside);
        let first = code.mul(position, each);
        let at = code.add(first, i64::from(element));
        Some(code.load(dtype, base, at))
    }

    /// Jumps to the target of an index; to the last one if the index is out of range.
    fn switch(&mut self, index: Reg, targets: &[usize]) -> Option<()> {
        let (last, others) = targets.split_last()?;
        for (number, target) in (0..).zip(others) {
            let is_it = self.code.compare("eq", index, number);
            self.code.jump_if(is_it, true, self.labels[*target]);
        }
        self.code.jump(self.labels[*last]);
        Some(())
    }
}

impl Description for WordKernel {
    fn threads(&self) -> u32 {
        1
    }

    fn write(&self, code: &mut Code) {
        // Only kernels that are supported are written here.
        if let Some(typed) = self.typed_registers() {
            let _ = Writer::new(code, self, &typed).all();
        }
    }
}

impl Kernels {
    /// Whether a GPU has all functions of a word program.
    pub fn can_run(&self, kernel: &WordKernel) -> bool {
        self.loaded_kernel(kernel).is_some() || kernel.is_supported()
    }

    /// Runs a word program that a GPU [can run](Self::can_run). `loaded`, `arrays` and `outputs` are those that the kernel was made with.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn words(
        &self,
        kernel: &WordKernel,
        loaded: &[(Register, DType, Given<'_>)],
        arrays: &[WordArray<'_>],
        outputs: &[&Buffer],
    ) -> Result<(), Failed> {
        let mut parameters = Vec::new();
        if kernel.checks() {
            parameters.push(Fault::of_thread(self.gpu())?.parameter());
        }
        parameters.extend(loaded.iter().map(|(.., from)| match from {
            Given::Value(bits) => *bits,
            Given::Element(buffer, _) => buffer.address(),
        }));
        for array in arrays {
            parameters.extend([array.buffer.address(), array.len as u64, array.each as u64]);
        }
        parameters.extend(outputs.iter().map(|buffer| buffer.address()));
        let launch = Launch {
            blocks: (1, 1),
            parameters: &parameters,
        };
        // SAFETY: the parameters are in the order in which `Writer::all` reads them. The elements that are loaded and stored exist, and positions
        // in arrays are checked.
        unsafe { self.launch(kernel, &launch) }
    }
}

#[cfg(test)]
mod sample;
