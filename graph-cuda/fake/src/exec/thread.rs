//! One thread: its registers, its frames and the loop that executes its instructions until it waits or ends.

use super::fault::Fault;
use super::local::Local;
use super::memory::Memory;
use super::order::Clock;
use super::races::{Accessor, Races};
use super::shared::Shared;
use super::transfer::{address, number, packed, total, unpack};
use super::windows::{LOCAL, SHARED, WINDOW};
use super::{Conditions, Geometry, Tally};
use crate::code::{Alu, Function, Inst, Join, Program, Reg, Space, Special, UNGUARDED};

/// What a thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Ready,
    AtBarrier { id: u64 },
    AtCollective { mask: u32 },
    Done,
}

/// A function that runs, and where its registers and memory begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
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
    pub frames: Vec<Frame>,
    pub registers: Vec<u64>,
    parameters: Vec<u8>,
    local: Local,
    carry: u64,
}

/// What the threads of a block share.
pub(crate) struct Context<'a> {
    pub program: &'a Program,
    pub geometry: Geometry,
    pub block: [u32; 3],
    pub shared: &'a mut Shared,
    pub clock: &'a mut Clock,
    pub races: Option<&'a mut Races>,
    pub memory: &'a mut Memory,
    pub conditions: &'a mut Conditions,
    pub tally: &'a mut Tally,
    /// For each warp, the lanes that exist.
    pub lanes: u32,
}

impl Context<'_> {
    /// The bytes of global memory that a thread reads.
    #[inline]
    fn read(&mut self, at: u64, bytes: usize, thread: u32) -> Result<&[u8], Fault> {
        let found = self.memory.read(at, bytes)?;
        self.tally.bytes_read += bytes as u64;
        if let Some(races) = &mut self.races {
            races.read(
                at,
                bytes,
                Accessor {
                    block: self.geometry.block_number(self.block),
                    thread,
                    clock: self.clock,
                },
            )?;
        }
        Ok(found)
    }

    #[inline]
    fn write(&mut self, at: u64, bytes: &[u8], thread: u32) -> Result<(), Fault> {
        let found = self.memory.write(at, bytes.len())?;
        self.tally.bytes_written += bytes.len() as u64;
        if let Some(races) = &mut self.races {
            races.write(
                at,
                found,
                bytes,
                Accessor {
                    block: self.geometry.block_number(self.block),
                    thread,
                    clock: self.clock,
                },
            )?;
        }
        found.copy_from_slice(bytes);
        Ok(())
    }

    /// The bytes that an atomic operation changes.
    fn atomic(&mut self, at: u64, bytes: usize, thread: u32) -> Result<&mut [u8], Fault> {
        let found = self.memory.write(at, bytes)?;
        self.tally.bytes_read += bytes as u64;
        self.tally.bytes_written += bytes as u64;
        if let Some(races) = &mut self.races {
            races.atomic(
                at,
                bytes,
                Accessor {
                    block: self.geometry.block_number(self.block),
                    thread,
                    clock: self.clock,
                },
            )?;
        }
        Ok(found)
    }

    /// All threads of the block were synchronized.
    pub(crate) fn synchronize(&mut self) {
        if self.clock.is_late() {
            self.shared.forget_times();
            if let Some(races) = &mut self.races {
                races.forget_times(self.geometry.block_number(self.block));
            }
            self.clock.restart();
        }
        self.clock.synchronize();
    }
}

impl Thread {
    pub(crate) fn new() -> Self {
        Self {
            id: 0,
            state: State::Done,
            frames: vec![],
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
        self.frames.clear();
        self.registers.clear();
        self.parameters.clear();
        self.local.resize(0);
        self.enter(function, c);
        self.parameters[..parameters.len()].copy_from_slice(parameters);
    }

    /// Adds a frame.
    fn enter(&mut self, function: usize, c: &Context<'_>) {
        let f = &c.program.functions[function];
        let local = self.local.len().next_multiple_of(16);
        let frame = Frame {
            function,
            pc: 0,
            registers: self.registers.len(),
            parameters: self.parameters.len(),
            local,
        };
        self.registers.extend_from_slice(&f.registers);
        for &(register, special) in &f.specials {
            self.registers[frame.registers + usize::from(register)] =
                self.special(special, local, c);
        }
        self.parameters
            .resize(frame.parameters + f.parameter_bytes as usize, 0xFF);
        if f.local_bytes > 0 {
            self.local.resize(local + f.local_bytes as usize);
        }
        self.frames.push(frame);
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
        let (Some(first), Some(last)) = (self.frames.first(), self.frames.last()) else {
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
        let Some(done) = self.frames.pop() else {
            return false;
        };
        let Some(caller) = self.frames.last() else {
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
        let Some(&caller) = self.frames.last() else {
            return Err(Fault::failed("no frame"));
        };
        if self.frames.len() > 1000 {
            return Err(Fault::failed("the stack overflows"));
        }
        let site = &c.program.functions[caller.function].calls[usize::from(site)];
        self.enter(site.callee, c);
        let start = self.frames.last().map_or(0, |f| f.parameters);
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
            self.run_frame(c)?;
        }
        Ok(())
    }

    /// Executes until the innermost function changes, or the thread waits or ends.
    fn run_frame(&mut self, c: &mut Context<'_>) -> Result<(), Fault> {
        let program = c.program;
        let Some(frame) = self.frames.last_mut() else {
            return Err(Fault::failed("no frame"));
        };
        let f: &Function = &program.functions[frame.function];
        let registers = &mut self.registers[frame.registers..];
        let parameters = frame.parameters;
        let mut pc = frame.pc;
        let mut executed = 0;
        // Leaves with the position of the instruction in the frame.
        macro_rules! stop_at {
            ($pc:expr) => {{
                frame.pc = $pc;
                c.tally.instructions += executed;
            }};
        }
        macro_rules! check {
            ($e:expr) => {
                match $e {
                    Ok(found) => found,
                    Err(fault) => {
                        stop_at!(pc - 1);
                        return Err(fault);
                    }
                }
            };
        }
        loop {
            let step = &f.code[pc];
            pc += 1;
            executed += 1;
            if step.guard != UNGUARDED && (registers[usize::from(step.guard)] != 0) == step.negated
            {
                continue;
            }
            let get = |r: Reg| registers[usize::from(r)];
            match step.inst {
                Inst::Alu { f, d, s } => {
                    registers[usize::from(d)] = f(get(s[0]), get(s[1]), get(s[2]), get(s[3]))
                }
                Inst::Branch { target } => pc = target as usize,
                Inst::Compare {
                    order,
                    mask,
                    join,
                    p,
                    q,
                    s,
                } => {
                    let holds = order(get(s[0]), get(s[1])) & mask != 0;
                    let with = get(s[2]) != 0;
                    registers[usize::from(p)] = u64::from(joined(join, holds, with));
                    registers[usize::from(q)] = u64::from(joined(join, !holds, with));
                }
                Inst::Load {
                    space,
                    width,
                    d,
                    at,
                } => {
                    let at = address(registers, at);
                    let n = total(width);
                    match resolve(space, at) {
                        (Space::Shared, at) => unpack(
                            registers,
                            d,
                            width,
                            check!(c.shared.read(at, n, self.id, c.clock)),
                        ),
                        (Space::Local, at) => {
                            unpack(registers, d, width, check!(self.local.read(at, n)))
                        }
                        (_, at) => unpack(registers, d, width, check!(c.read(at, n, self.id))),
                    }
                }
                Inst::Store {
                    space,
                    width,
                    s,
                    at,
                } => {
                    let at = address(registers, at);
                    let bytes = packed(registers, s, width);
                    let bytes = &bytes[..total(width)];
                    match resolve(space, at) {
                        (Space::Shared, at) => check!(c.shared.write(at, bytes, self.id, c.clock)),
                        (Space::Local, at) => {
                            check!(self.local.write(at, bytes.len())).copy_from_slice(bytes)
                        }
                        (_, at) => check!(c.write(at, bytes, self.id)),
                    }
                }
                Inst::LoadParam { width, d, offset } => {
                    let at = parameters + offset as usize;
                    unpack(registers, d, width, &self.parameters[at..at + total(width)]);
                }
                Inst::StoreParam { width, s, offset } => {
                    let at = parameters + offset as usize;
                    let bytes = packed(registers, s, width);
                    self.parameters[at..at + total(width)].copy_from_slice(&bytes[..total(width)]);
                }
                Inst::Carry {
                    f,
                    d,
                    s,
                    reads,
                    writes,
                } => {
                    let carry = if reads { self.carry } else { 0 };
                    let (sum, out) = f(get(s[0]), get(s[1]), get(s[2]), carry);
                    registers[usize::from(d)] = sum;
                    if writes {
                        self.carry = out;
                    }
                }
                Inst::Unpack { d, count, bits, a } => {
                    let a = get(a);
                    for (i, d) in d.iter().enumerate().take(usize::from(count)) {
                        registers[usize::from(*d)] = a >> (i as u32 * u32::from(bits)) & low(bits);
                    }
                }
                Inst::Atomic {
                    space,
                    bytes,
                    f,
                    d,
                    s,
                    at,
                } => {
                    let at = address(registers, at);
                    let operands = [get(s[0]), get(s[1])];
                    let n = usize::from(bytes);
                    let old = match resolve(space, at) {
                        (Space::Shared, at) => exchange(
                            check!(c.shared.atomic(at, n, self.id, c.clock)),
                            f,
                            operands,
                        ),
                        (Space::Local, at) => check!(Err(Fault::illegal(
                            at,
                            n,
                            "local memory has no atomic operations"
                        ))),
                        (_, at) => exchange(check!(c.atomic(at, n, self.id)), f, operands),
                    };
                    registers[usize::from(d)] = old;
                }
                Inst::Barrier { id } => {
                    self.state = State::AtBarrier {
                        id: get(id) & 0xffff_ffff,
                    };
                    stop_at!(pc - 1);
                    return Ok(());
                }
                Inst::Collective { mask, .. } => {
                    self.state = State::AtCollective {
                        mask: get(mask) as u32,
                    };
                    stop_at!(pc - 1);
                    return Ok(());
                }
                Inst::ActiveMask { d } => registers[usize::from(d)] = u64::from(c.lanes),
                Inst::Clock { d } => registers[usize::from(d)] = c.tally.instructions + executed,
                Inst::SetCondition { s: [handle, value] } => {
                    let (handle, value) = (get(handle), get(value) as u32);
                    match c.conditions.get_mut(&handle) {
                        Some(condition) => *condition = value,
                        None => check!(Err(Fault::failed(format!(
                            "{handle:#x} isn't a conditional handle"
                        )))),
                    }
                }
                Inst::Fence => {}
                Inst::Call { site } => {
                    stop_at!(pc);
                    return self.call(site, c);
                }
                Inst::Return => {
                    stop_at!(pc);
                    if !self.leave(c) {
                        self.state = State::Done;
                    }
                    return Ok(());
                }
                Inst::Exit => {
                    stop_at!(pc);
                    self.state = State::Done;
                    return Ok(());
                }
                Inst::Trap => check!(Err(Fault::failed("a trap"))),
            }
        }
    }
}

#[inline]
fn low(bits: u8) -> u64 {
    u64::MAX >> (64 - u32::from(bits))
}

#[inline]
fn joined(join: Join, holds: bool, with: bool) -> bool {
    match join {
        Join::None => holds,
        Join::And => holds & with,
        Join::Or => holds | with,
        Join::Xor => holds ^ with,
    }
}

/// The space of an address, and the address in it.
#[inline]
fn resolve(space: Space, at: u64) -> (Space, u64) {
    match space {
        Space::Generic if at.wrapping_sub(SHARED) < WINDOW => (Space::Shared, at - SHARED),
        Space::Generic if at.wrapping_sub(LOCAL) < WINDOW => (Space::Local, at - LOCAL),
        Space::Generic => (Space::Global, at),
        space => (space, at),
    }
}

/// Replaces a value in memory; the old one is the result.
fn exchange(bytes: &mut [u8], f: Alu, [b, c]: [u64; 2]) -> u64 {
    let old = number(bytes);
    let size = bytes.len();
    bytes.copy_from_slice(&f(old, b, c, 0).to_le_bytes()[..size]);
    old
}
