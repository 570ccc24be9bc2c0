//! One thread: its registers, its activations and the loop that executes its instructions until it waits or ends.

use super::context::Context;
use super::fault::Fault;
use super::local::Local;
use super::machine::{Flow, Machine, joined};
use crate::code::{Inst, Reg, Special, UNGUARDED};

/// What a thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Ready,
    AtBarrier { id: u32 },
    AtCollective { mask: u32 },
    Done,
}

/// A call of a function that has not returned, and where its registers and memory begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Activation {
    pub function: usize,
    pub pc: usize,
    pub registers: usize,
    parameters: usize,
    local: usize,
}

#[derive(Debug)]
pub(crate) struct Thread {
    pub id: u32,
    pub state: State,
    pub activations: Vec<Activation>,
    pub registers: Vec<u64>,
    parameters: Vec<u8>,
    local: Local,
    carry: u64,
}

impl Thread {
    pub(crate) fn new() -> Self {
        Self {
            id: 0,
            state: State::Done,
            activations: vec![],
            registers: vec![],
            parameters: vec![],
            local: Local::default(),
            carry: 0,
        }
    }

    /// Begins a kernel.
    pub(crate) fn start(&mut self, id: u32, function: usize, parameters: &[u8], c: &Context<'_>) {
        self.id = id;
        self.state = State::Ready;
        self.activations.clear();
        self.registers.clear();
        self.parameters.clear();
        self.local.resize(0);
        self.enter(function, c);
        self.parameters[..parameters.len()].copy_from_slice(parameters);
    }

    /// Begins a call of a function.
    fn enter(&mut self, function: usize, c: &Context<'_>) {
        let f = &c.program.functions[function];
        let local = self.local.len().next_multiple_of(16);
        let activation = Activation {
            function,
            pc: 0,
            registers: self.registers.len(),
            parameters: self.parameters.len(),
            local,
        };
        self.registers.extend_from_slice(&f.registers);
        for &(register, special) in &f.specials {
            self.registers[activation.registers + usize::from(register)] =
                self.special(special, local, c);
        }
        self.parameters
            .resize(activation.parameters + f.parameter_bytes as usize, 0xFF);
        if f.local_bytes > 0 {
            self.local.resize(local + f.local_bytes as usize);
        }
        self.activations.push(activation);
    }

    fn special(&self, special: Special, local: usize, c: &Context<'_>) -> u64 {
        let lane = self.id % 32;
        match special {
            Special::Thread(axis) => u64::from(c.geometry.position(self.id)[usize::from(axis)]),
            Special::BlockSize(axis) => u64::from(c.geometry.block[usize::from(axis)]),
            Special::Block(axis) => u64::from(c.block[usize::from(axis)]),
            Special::GridSize(axis) => u64::from(c.geometry.grid[usize::from(axis)]),
            Special::Lane => u64::from(lane),
            Special::LaneMask(relation) => {
                let (less, equal) = ((1u64 << lane) - 1, 1u64 << lane);
                let greater = u64::from(u32::MAX) & !less & !equal;
                [less, equal, greater]
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| relation >> i & 1 != 0)
                    .map(|(_, m)| m)
                    .sum()
            }
            Special::Warp => u64::from(self.id / 32),
            Special::Local(offset) => local as u64 + u64::from(offset),
            Special::DynamicShared => u64::from(c.geometry.declared_shared.next_multiple_of(16)),
        }
    }

    /// Where the thread is, for messages.
    pub(crate) fn place(&self, c: &Context<'_>) -> String {
        let [bx, by, bz] = c.block;
        let [x, y, z] = c.geometry.position(self.id);
        let at = format!("block ({bx}, {by}, {bz}), thread ({x}, {y}, {z})");
        let (Some(first), Some(last)) = (self.activations.first(), self.activations.last()) else {
            return at;
        };
        let kernel = &c.program.functions[first.function].name;
        let f = &c.program.functions[last.function];
        let source = &f.source[last.pc.min(f.source.len() - 1)];
        let inside = if last.function == first.function {
            String::new()
        } else {
            format!(" in `{}`", f.name)
        };
        format!(
            "kernel `{kernel}`{inside}, line {}: `{}`, {at}",
            source.line, source.text
        )
    }

    /// Ends the innermost function and hands its results to the caller; `false` if the kernel ended.
    fn leave(&mut self, c: &Context<'_>) -> bool {
        let Some(done) = self.activations.pop() else {
            return false;
        };
        let Some(caller) = self.activations.last() else {
            return false;
        };
        let callee = &c.program.functions[done.function];
        // The caller stands after its call.
        let Inst::Call { site } = c.program.functions[caller.function].code[caller.pc - 1].inst
        else {
            return false;
        };
        let site = &c.program.functions[caller.function].calls[usize::from(site)];
        for (from, to) in callee.results.iter().zip(&site.results) {
            let from = done.parameters + from.offset as usize;
            self.parameters.copy_within(
                from..from + to.bytes as usize,
                caller.parameters + to.offset as usize,
            );
        }
        self.registers.truncate(done.registers);
        self.parameters.truncate(done.parameters);
        self.local.resize(done.local.min(self.local.len()));
        true
    }

    fn call(&mut self, site: u16, c: &Context<'_>) -> Result<(), Fault> {
        let Some(&caller) = self.activations.last() else {
            return Err(Fault::failed("no function is running"));
        };
        if self.activations.len() > 1000 {
            return Err(Fault::failed("the stack overflows"));
        }
        let site = &c.program.functions[caller.function].calls[usize::from(site)];
        self.enter(site.callee, c);
        let start = self.activations.last().map_or(0, |f| f.parameters);
        let callee = &c.program.functions[site.callee];
        for (from, to) in site.arguments.iter().zip(&callee.parameters) {
            let from = caller.parameters + from.offset as usize;
            self.parameters
                .copy_within(from..from + to.bytes as usize, start + to.offset as usize);
        }
        Ok(())
    }

    /// Executes until the thread waits or ends.
    pub(crate) fn run(&mut self, c: &mut Context<'_>) -> Result<(), Fault> {
        while self.state == State::Ready {
            match self.run_innermost(c)? {
                Flow::Wait(state) => self.state = state,
                Flow::Call(site) => self.call(site, c)?,
                Flow::Return if self.leave(c) => {}
                Flow::Return | Flow::Exit => self.state = State::Done,
                Flow::Next => {}
            }
        }
        Ok(())
    }

    /// Executes until something else than the next instruction follows. The activation then stands at an instruction that waits or failed, and
    /// else after the instruction.
    fn run_innermost(&mut self, c: &mut Context<'_>) -> Result<Flow, Fault> {
        let program = c.program;
        let Some(activation) = self.activations.last_mut() else {
            return Err(Fault::failed("no function is running"));
        };
        let code = &program.functions[activation.function].code[..];
        let registers = &mut self.registers[activation.registers..];
        let parameters = &mut self.parameters[activation.parameters..];
        let (mut pc, mut executed) = (activation.pc, 0);
        let end = loop {
            let step = &code[pc];
            pc += 1;
            executed += 1;
            let get = |r: Reg| registers[usize::from(r)];
            if step.guard != UNGUARDED && (get(step.guard) != 0) == step.negated {
                continue;
            }
            match &step.inst {
                Inst::Alu { f, d, s } => {
                    registers[usize::from(*d)] = f(get(s[0]), get(s[1]), get(s[2]), get(s[3]))
                }
                // Only with branches a thread can go on without an end.
                Inst::Branch { .. } if executed > c.limit => break Err(Fault::timeout(executed)),
                Inst::Branch { target } => pc = *target as usize,
                Inst::Compare {
                    order,
                    mask,
                    join,
                    p,
                    q,
                    s,
                } => {
                    let (holds, with) = (order(get(s[0]), get(s[1])) & mask != 0, get(s[2]) != 0);
                    registers[usize::from(*p)] = u64::from(joined(*join, holds, with));
                    registers[usize::from(*q)] = u64::from(joined(*join, !holds, with));
                }
                Inst::Clock { d } => registers[usize::from(*d)] = c.tally.instructions + executed,
                inst => {
                    let (local, carry) = (&mut self.local, &mut self.carry);
                    let mut machine = Machine {
                        id: self.id,
                        registers,
                        parameters,
                        local,
                        carry,
                    };
                    match machine.execute(inst, c) {
                        Ok(Flow::Next) => {}
                        end => break end,
                    }
                }
            }
        };
        activation.pc = pc - usize::from(matches!(end, Ok(Flow::Wait(_)) | Err(_)));
        c.tally.instructions += executed;
        end
    }
}
