//! Executes single instructions of the innermost function.

use super::context::{Context, resolve};
use super::fault::Fault;
use super::local::Local;
use super::thread::State;
use super::transfer::{address, number, packed, total, unpack};
use crate::code::{Access, Address, Inst, Join, Reg, Space};

/// What follows an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flow {
    Next,
    /// The thread waits, at this instruction.
    Wait(State),
    Call(u16),
    Return,
    Exit,
}

/// The innermost function of a thread.
pub(super) struct Machine<'a> {
    pub id: u32,
    pub registers: &'a mut [u64],
    pub parameters: &'a mut [u8],
    pub local: &'a mut Local,
    pub carry: &'a mut u64,
}

impl Machine<'_> {
    #[inline]
    fn get(&self, r: Reg) -> u64 {
        self.registers[usize::from(r)]
    }

    #[inline]
    fn set(&mut self, r: Reg, value: u64) {
        self.registers[usize::from(r)] = value;
    }

    /// Executes an instruction that isn't a computation, a comparison or a branch.
    #[inline]
    pub(super) fn execute(&mut self, inst: &Inst, c: &mut Context<'_>) -> Result<Flow, Fault> {
        match *inst {
            Inst::Load(access) => self.load(access, c)?,
            Inst::Store(access) => self.store(access, c)?,
            Inst::LoadParam { width, d, offset } => {
                let at = offset as usize;
                unpack(
                    self.registers,
                    d,
                    width,
                    &self.parameters[at..at + total(width)],
                );
            }
            Inst::StoreParam { width, s, offset } => {
                let (at, bytes) = (offset as usize, packed(self.registers, s, width));
                self.parameters[at..at + total(width)].copy_from_slice(&bytes[..total(width)]);
            }
            Inst::Atomic {
                space,
                bytes,
                f,
                d,
                s,
                at,
            } => {
                let old = self.exchange(
                    space,
                    usize::from(bytes),
                    at,
                    |old, s| f(old, s[0], s[1], 0),
                    s,
                    c,
                )?;
                self.set(d, old);
            }
            Inst::Barrier { id } => {
                return Ok(Flow::Wait(State::AtBarrier {
                    id: self.get(id) as u32,
                }));
            }
            Inst::Collective { mask, .. } => {
                return Ok(Flow::Wait(State::AtCollective {
                    mask: self.get(mask) as u32,
                }));
            }
            Inst::Call { site } => return Ok(Flow::Call(site)),
            Inst::Return => return Ok(Flow::Return),
            Inst::Exit => return Ok(Flow::Exit),
            Inst::Trap => return Err(Fault::failed("a trap")),
            _ => self.execute_rare(inst, c)?,
        }
        Ok(Flow::Next)
    }

    fn execute_rare(&mut self, inst: &Inst, c: &mut Context<'_>) -> Result<(), Fault> {
        match *inst {
            Inst::Carry {
                f,
                d,
                s,
                reads,
                writes,
            } => {
                let carry = if reads { *self.carry } else { 0 };
                let (sum, out) = f(self.get(s[0]), self.get(s[1]), self.get(s[2]), carry);
                self.set(d, sum);
                if writes {
                    *self.carry = out;
                }
            }
            Inst::Unpack { d, count, bits, a } => {
                let (a, bits) = (self.get(a), u32::from(bits));
                for (d, i) in d.into_iter().zip(0..u32::from(count)) {
                    self.set(d, a >> (i * bits) & (u64::MAX >> (64 - bits)));
                }
            }
            Inst::ActiveMask { d } => self.set(d, u64::from(c.lanes)),
            Inst::SetCondition { s: [handle, value] } => {
                let handle = self.get(handle);
                let condition = c.conditions.get_mut(&handle);
                *condition.ok_or_else(|| {
                    Fault::failed(format!("{handle:#x} isn't a conditional handle"))
                })? = self.get(value) as u32;
            }
            _ => {}
        }
        Ok(())
    }

    #[inline]
    fn load(
        &mut self,
        Access {
            space,
            width,
            registers,
            at,
        }: Access,
        c: &mut Context<'_>,
    ) -> Result<(), Fault> {
        let (n, at) = (total(width), address(self.registers, at));
        let bytes = match resolve(space, at) {
            (Space::Shared, at) => c.shared.read(at, n, self.id, c.clock)?,
            (Space::Local, at) => self.local.read(at, n)?,
            (_, at) => c.read(at, n, self.id)?,
        };
        unpack(self.registers, registers, width, bytes);
        Ok(())
    }

    #[inline]
    fn store(
        &mut self,
        Access {
            space,
            width,
            registers,
            at,
        }: Access,
        c: &mut Context<'_>,
    ) -> Result<(), Fault> {
        let at = address(self.registers, at);
        let bytes = packed(self.registers, registers, width);
        let bytes = &bytes[..total(width)];
        match resolve(space, at) {
            (Space::Shared, at) => c.shared.write(at, bytes, self.id, c.clock),
            (Space::Local, at) => self
                .local
                .write(at, bytes.len())
                .map(|to| to.copy_from_slice(bytes)),
            (_, at) => c.write(at, bytes, self.id),
        }
    }

    /// Replaces a value in memory by a function of it and of two registers; the old one is the result.
    fn exchange(
        &mut self,
        space: Space,
        n: usize,
        at: Address,
        f: impl Fn(u64, [u64; 2]) -> u64,
        s: [Reg; 2],
        c: &mut Context<'_>,
    ) -> Result<u64, Fault> {
        let operands = s.map(|r| self.get(r));
        let bytes = match resolve(space, address(self.registers, at)) {
            (Space::Shared, at) => c.shared.atomic(at, n, self.id, c.clock)?,
            (Space::Local, at) => {
                return Err(Fault::illegal(
                    at,
                    n,
                    "local memory has no atomic operations",
                ));
            }
            (_, at) => c.atomic(at, n, self.id)?,
        };
        let old = number(bytes);
        bytes.copy_from_slice(&f(old, operands).to_le_bytes()[..n]);
        Ok(old)
    }
}

#[inline]
pub(super) fn joined(join: Join, holds: bool, with: bool) -> bool {
    match join {
        Join::None => holds,
        Join::And => holds & with,
        Join::Or => holds | with,
        Join::Xor => holds ^ with,
    }
}
