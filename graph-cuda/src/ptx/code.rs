//! Writes one kernel: instructions with typed registers, loops, branches and barriers. Registers are of three widths; an instruction says how it
//! reads their bits.
//!
//! All parameters of a kernel are 64 bits wide: addresses, sizes, and the bits of scalars. So a launch is a list of numbers.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use super::math;

/// The lowest version and target that have the instructions in use.
const HEADER: &str = ".version 7.0\n.target sm_75\n.address_size 64\n";

/// The width of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// One bit: the result of a comparison.
    Predicate,
    /// 32 bits: numbers of up to 32 bits.
    Word,
    /// 64 bits.
    Double,
}

impl Width {
    /// The width of indices, which are wide if a tensor has 2³¹ elements or more.
    pub fn of_indices(are_wide: bool) -> Width {
        match are_wide {
            true => Width::Double,
            false => Width::Word,
        }
    }
}

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reg {
    /// Its width.
    pub width: Width,
    number: u32,
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.width {
            Width::Predicate => 'q',
            Width::Word => 'w',
            Width::Double => 'd',
        };
        write!(f, "%{name}{}", self.number)
    }
}

/// What an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// An integer.
    Int(i64),
    /// The bits of an `f32`.
    F32(u32),
    /// The bits of an `f64`.
    F64(u64),
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Reg(reg) => reg.fmt(f),
            Operand::Int(value) => value.fmt(f),
            Operand::F32(bits) => write!(f, "0f{bits:08X}"),
            Operand::F64(bits) => write!(f, "0d{bits:016X}"),
        }
    }
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Operand {
        Operand::Reg(reg)
    }
}

impl From<i64> for Operand {
    fn from(value: i64) -> Operand {
        Operand::Int(value)
    }
}

/// A place in a kernel to jump to.
#[derive(Clone, Copy, Debug)]
pub struct Label(u32);

/// A kernel that is being written.
#[derive(Default)]
pub struct Code {
    text: String,
    registers: [u32; 3],
    labels: u32,
    parameters: u32,
    /// Bytes of shared memory.
    shared: u32,
    /// The functions that are called, and not pasted.
    called: BTreeSet<&'static str>,
    /// Where a kernel whose operands can be wrong reports that they are.
    fault: Option<Reg>,
    /// Where it goes on then; if there is none, at the next instruction.
    leaves_to: Option<Label>,
    /// In a part of a kernel: the number of the block among its blocks, and how many these are.
    blocks: Option<[Reg; 2]>,
}

impl Code {
    /// An empty kernel.
    pub fn new() -> Code {
        Code::default()
    }

    /// The next parameter of the kernel.
    pub fn parameter(&mut self) -> Reg {
        let reg = self.register(Width::Double);
        let number = self.parameters;
        self.parameters += 1;
        self.line(format_args!("ld.param.u64 {reg}, [p{number}];"));
        reg
    }

    /// The next parameter, a number as wide as indices are.
    pub fn number(&mut self, index: Width) -> Reg {
        let parameter = self.parameter();
        self.widened(parameter, index)
    }

    /// The next parameter, the address of a value in the GPU's memory.
    pub fn address(&mut self) -> Reg {
        let given = self.parameter();
        self.op(Width::Double, "cvta.to.global.u64", &[given.into()])
    }

    /// The next parameter, the address of a word that is set if an operand is wrong.
    pub fn fault_parameter(&mut self) {
        self.fault = Some(self.address());
    }

    /// Makes a kernel that finds an operand wrong go on at a label.
    pub fn leave_on_fault(&mut self, to: Label) {
        self.leaves_to = Some(to);
    }

    /// Reports a wrong operand where a predicate holds. All threads that do this write the same.
    pub fn fail_if(&mut self, predicate: Reg) {
        if let Some(fault) = self.fault {
            let one = self.copy(1, Width::Word);
            self.line(format_args!("@{predicate} st.global.b32 [{fault}], {one};"));
        }
        if let Some(label) = self.leaves_to {
            self.jump_if(predicate, true, label);
        }
    }

    /// A new register without a value.
    pub fn register(&mut self, width: Width) -> Reg {
        let number = &mut self.registers[width as usize];
        *number += 1;
        Reg {
            width,
            number: *number - 1,
        }
    }

    /// An instruction whose result goes to a new register.
    pub fn op(&mut self, width: Width, name: &str, operands: &[Operand]) -> Reg {
        let to = self.register(width);
        self.set(to, name, operands);
        to
    }

    /// An instruction whose result goes to a register that has one already, such as a counter.
    pub fn set(&mut self, to: Reg, name: &str, operands: &[Operand]) {
        let _ = write!(self.text, "  {name} {to}");
        for operand in operands {
            let _ = write!(self.text, ", {operand}");
        }
        self.text.push_str(";\n");
    }

    /// A line of text.
    pub fn line(&mut self, line: impl fmt::Display) {
        let _ = writeln!(self.text, "  {line}");
    }

    /// A new label, which is placed later.
    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// Addresses a label here.
    pub fn place(&mut self, label: Label) {
        let _ = writeln!(self.text, "L{}:", label.0);
    }

    /// Jumps to a label.
    pub fn jump(&mut self, label: Label) {
        self.line(format_args!("bra L{};", label.0));
    }

    /// Jumps to a label if a predicate is `value`.
    pub fn jump_if(&mut self, predicate: Reg, value: bool, label: Label) {
        let not = if value { "" } else { "!" };
        self.line(format_args!("@{not}{predicate} bra L{};", label.0));
    }

    /// Code that runs where a predicate holds.
    pub fn when(&mut self, predicate: Reg, then: impl FnOnce(&mut Code)) {
        let end = self.label();
        self.jump_if(predicate, false, end);
        then(self);
        self.place(end);
    }

    /// A loop of which `counter` goes from its present value up to `end` in steps of `step`; all three are 32 bits wide or all 64.
    pub fn count_up(
        &mut self,
        counter: Reg,
        end: impl Into<Operand>,
        step: impl Into<Operand>,
        body: impl FnOnce(&mut Code),
    ) {
        let (head, out, of) = (self.label(), self.label(), unsigned(counter));
        self.place(head);
        let over = self.op(
            Width::Predicate,
            &format!("setp.ge.{of}"),
            &[counter.into(), end.into()],
        );
        self.jump_if(over, true, out);
        body(self);
        self.set(
            counter,
            &format!("add.{of}"),
            &[counter.into(), step.into()],
        );
        self.jump(head);
        self.place(out);
    }

    /// A special register such as `%tid.x`.
    pub fn special(&mut self, name: &str) -> Reg {
        match (name, self.blocks) {
            ("%ctaid.x", Some([block, _])) => return self.copy(block, Width::Word),
            ("%nctaid.x", Some([_, blocks])) => return self.copy(blocks, Width::Word),
            _ => {}
        }
        let to = self.register(Width::Word);
        self.line(format_args!("mov.u32 {to}, {name};"));
        to
    }

    /// Writes a kernel as a part of this one, to which some of the blocks belong: the number of the block among them, and how many there are. No block
    /// belongs to two parts, so parts share their memory.
    pub fn part(&mut self, blocks: [Reg; 2], write: impl FnOnce(&mut Code)) {
        let outer = (self.blocks.replace(blocks), self.fault, self.leaves_to);
        let shared = std::mem::take(&mut self.shared);
        write(self);
        (self.blocks, self.fault, self.leaves_to) = outer;
        self.shared = self.shared.max(shared);
    }

    /// The same number in a register of this width.
    pub fn widened(&mut self, reg: Reg, width: Width) -> Reg {
        match (reg.width, width) {
            (Width::Word, Width::Double) => self.op(width, "cvt.u64.u32", &[reg.into()]),
            (Width::Double, Width::Word) => self.op(width, "cvt.u32.u64", &[reg.into()]),
            _ => reg,
        }
    }

    /// A copy in a new register, which may be changed.
    pub fn copy(&mut self, value: impl Into<Operand>, width: Width) -> Reg {
        self.op(width, move_of(width), &[value.into()])
    }

    /// Gives a register another value.
    pub fn assign(&mut self, to: Reg, value: impl Into<Operand>) {
        self.set(to, move_of(to.width), &[value.into()]);
    }

    /// `a + b` of unsigned numbers of the first one's width.
    pub fn add(&mut self, a: Reg, b: impl Into<Operand>) -> Reg {
        self.op(
            a.width,
            &format!("add.{}", unsigned(a)),
            &[a.into(), b.into()],
        )
    }

    /// `a - b` of unsigned numbers of the first one's width.
    pub fn sub(&mut self, a: Reg, b: impl Into<Operand>) -> Reg {
        self.op(
            a.width,
            &format!("sub.{}", unsigned(a)),
            &[a.into(), b.into()],
        )
    }

    /// The low half of `a * b`.
    pub fn mul(&mut self, a: Reg, b: impl Into<Operand>) -> Reg {
        self.op(
            a.width,
            &format!("mul.lo.{}", unsigned(a)),
            &[a.into(), b.into()],
        )
    }

    /// `a * b + c`, its low half.
    pub fn mul_add(&mut self, a: Reg, b: impl Into<Operand>, c: impl Into<Operand>) -> Reg {
        let name = format!("mad.lo.{}", unsigned(a));
        self.op(a.width, &name, &[a.into(), b.into(), c.into()])
    }

    /// `a / b` of unsigned numbers.
    pub fn div(&mut self, a: Reg, b: impl Into<Operand>) -> Reg {
        self.op(
            a.width,
            &format!("div.{}", unsigned(a)),
            &[a.into(), b.into()],
        )
    }

    /// A comparison of unsigned numbers, such as `lt`.
    pub fn compare(&mut self, how: &str, a: Reg, b: impl Into<Operand>) -> Reg {
        let name = format!("setp.{how}.{}", unsigned(a));
        self.op(Width::Predicate, &name, &[a.into(), b.into()])
    }

    /// Calls a function of `math.cu`. Its body is pasted where that is possible, because the driver's compiler doesn't inline calls.
    pub fn call(&mut self, name: &'static str, operands: &[Reg], width: Width) -> Reg {
        let to = self.register(width);
        match math::pasted(name, operands, to, self.labels) {
            Some(body) => {
                self.labels += 1;
                self.text.push_str(&body);
            }
            None => {
                self.called.insert(name);
                self.text.push_str(&math::call(name, operands, to));
            }
        }
        to
    }

    /// Reserves shared memory, and returns its offset from the beginning of the kernel's shared memory.
    pub fn shared(&mut self, bytes: u32) -> u32 {
        let offset = self.shared.next_multiple_of(16);
        self.shared = offset + bytes;
        offset
    }

    /// The address in shared memory of an offset.
    pub fn shared_address(&mut self, offset: u32) -> Reg {
        let base = self.register(Width::Word);
        self.line(format_args!("mov.u32 {base}, shared;"));
        self.add(base, i64::from(offset))
    }

    /// All threads of the block wait for each other.
    pub fn barrier(&mut self) {
        self.line("bar.sync 0;");
    }

    /// The kernel's text, for blocks of this many threads.
    pub fn finish(mut self, name: &str, threads: u32) -> String {
        self.line("ret;");
        let mut text = HEADER.to_owned();
        text.push_str(&math::definitions(&self.called));
        let parameters = (0..self.parameters).map(|i| format!(".param .u64 p{i}"));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            text,
            ".visible .entry {name}({parameters})\n.maxntid {threads}\n{{"
        );
        for (width, kind) in [("pred", 'q'), ("b32", 'w'), ("b64", 'd')]
            .iter()
            .zip(self.registers)
            .filter(|(_, count)| *count > 0)
        {
            let (width, letter) = width;
            let _ = writeln!(text, "  .reg .{width} %{letter}<{kind}>;");
        }
        if self.shared > 0 {
            let _ = writeln!(text, "  .shared .align 16 .b8 shared[{}];", self.shared);
        }
        text.push_str(&self.text);
        text.push_str("}\n");
        text
    }
}

/// The unsigned type of a register's width.
fn unsigned(reg: Reg) -> &'static str {
    match reg.width {
        Width::Double => "u64",
        _ => "u32",
    }
}

fn move_of(width: Width) -> &'static str {
    match width {
        Width::Predicate => "mov.pred",
        Width::Word => "mov.b32",
        Width::Double => "mov.b64",
    }
}
