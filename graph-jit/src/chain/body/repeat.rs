//! Loops within a chain. What is in registers when a loop begins, and is read in it or behind it, stays in these registers up to its end, so
//! all iterations find it there. The values that the loop carries have registers of their own, which get the next values at the jump back.
//! Where the loop is left, they have those of the last iteration, and so have all other values of the loop.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::{ARGUMENTS, Body, Operand, Refused, Result, VECTOR};
use crate::chain::assembler::COUNT;
use crate::chain::choose::Chosen;
use crate::chain::instructions::{Selected, Vectors};

/// A loop that is being written.
pub(super) struct OpenLoop {
    /// The address of its first instruction.
    head: u64,
    /// The steps of the values that it carries.
    carried: Vec<usize>,
    /// The registers whose values stay until it ends.
    pinned: Vec<usize>,
}

impl Body<'_> {
    /// Begins a loop, with the steps of the values that it carries.
    pub(super) fn begin_loop(&mut self) -> Result {
        let (chosen, mut carried, mut pinned) = (self.chosen, Vec::new(), Vec::new());
        while let Some(Some(Chosen {
            selected: Selected::Carried,
            operands,
        })) = chosen.get(self.at + 1)
        {
            self.at += 1;
            let to = self.copy(operands[0], &[])?;
            self.hold(to, self.at);
            let register = self.layout.vectors.number(to);
            self.registers.pin(register);
            pinned.push(register);
            self.registers.drop_read(operands, self.at);
            carried.push(self.at);
        }
        let has_home: Vec<bool> = (0..self.program.steps.len())
            .map(|value| self.home(value).is_some())
            .collect();
        let held = self.registers.pin_held(self.at, |value| has_home[value]);
        pinned.extend(held.registers);
        for (register, place) in held.stores {
            let (code, to) = (self.layout.vectors.store(false), self.on_stack(place));
            self.assembler.store(code, to, self.vector(register))?;
        }
        if self.is_counted() {
            let at = self.layout.times.ok_or(Refused)?;
            let from = MemoryOperand::with_base_displ(ARGUMENTS[2], (VECTOR * at) as i64);
            let load = Instruction::with2(Code::Mov_r64_rm64, COUNT, from)?;
            self.assembler.emit(load)?;
        }
        let head = self.assembler.head()?;
        self.loops.push(OpenLoop {
            head,
            carried,
            pinned,
        });
        Ok(())
    }

    /// Whether the iterations of the loop that begins are counted.
    fn is_counted(&self) -> bool {
        let mut depth = 0;
        for chosen in self.chosen[self.at + 1..].iter().flatten() {
            match chosen.selected {
                Selected::Loop => depth += 1,
                Selected::Repeat | Selected::Times if depth > 0 => depth -= 1,
                Selected::Times => return true,
                Selected::Repeat => return false,
                _ => {}
            }
        }
        false
    }

    /// Ends a loop: jumps back if a mask is true in any lane, or if there are iterations left.
    pub(super) fn end_loop(&mut self, operands: &[usize], counts: bool) -> Result {
        let (again, nexts) = match (operands, counts) {
            (nexts, true) => (None, nexts),
            ([again, nexts @ ..], false) => (Some(*again), nexts),
            _ => return Err(Refused),
        };
        let OpenLoop {
            head,
            carried,
            pinned,
        } = self.loops.pop().ok_or(Refused)?;
        for next in nexts {
            if self.home(*next).is_none() {
                self.register(*next, &[])?;
            }
        }
        let mask = again.map(|again| self.register(again, &[])).transpose()?;
        let mut moves = Vec::new();
        for (value, next) in carried.iter().zip(nexts) {
            let to = self.registers.of(*value).ok_or(Refused)?;
            let from = match (self.registers.of(*next), self.home(*next)) {
                (Some(register), _) => Operand::Register(self.vector(register)),
                (None, memory) => memory.ok_or(Refused)?,
            };
            moves.push((self.vector(to), from));
        }
        match mask {
            Some(mask) => self.test(mask)?,
            None => {
                let one_less = Instruction::with2(Code::Sub_rm64_imm8, COUNT, 1)?;
                self.assembler.emit(one_less)?;
            }
        }
        let leaves = self.assembler.jump_ahead(Code::Je_rel32_64)?;
        self.move_all(moves)?;
        let back = Instruction::with_branch(Code::Jmp_rel32_64, head)?;
        self.assembler.emit(back)?;
        self.assembler.land(leaves);
        self.registers.unpin(&pinned, self.at);
        Ok(())
    }

    /// Sets the flag of zero if a mask is false in all lanes.
    fn test(&mut self, mask: Register) -> Result {
        let assembler = &mut self.assembler;
        let operand = Operand::Register(mask);
        match self.layout.vectors {
            Vectors::Narrow => assembler.one(Code::VEX_Vptest_ymm_ymmm256, mask, operand),
            Vectors::Wide => {
                let test = Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32;
                assembler.two(test, Register::K1, mask, operand)?;
                let bits = Operand::Register(Register::K1);
                assembler.one(Code::VEX_Kortestw_kr_kr, Register::K1, bits)
            }
        }
    }

    /// Moves values to registers, as if all at once: one that is read is written behind its reading.
    fn move_all(&mut self, mut moves: Vec<(Register, Operand)>) -> Result {
        let load = self.layout.vectors.load();
        let reads = |from: &Operand, register: Register| matches!(from, Operand::Register(r) if *r == register);
        moves.retain(|(to, from)| !reads(from, *to));
        while let Some((first, _)) = moves.first() {
            let is_free = |to: Register| !moves.iter().any(|(_, from)| reads(from, to));
            if let Some(n) = moves.iter().position(|(to, _)| is_free(*to)) {
                let (to, from) = moves.swap_remove(n);
                self.assembler.one(load, to, from)?;
                continue;
            }
            // A circle: one of its values goes another way.
            let first = *first;
            let other = self.vector(self.registers.unused().ok_or(Refused)?);
            self.assembler.one(load, other, Operand::Register(first))?;
            for (_, from) in &mut moves {
                if reads(from, first) {
                    *from = Operand::Register(other);
                }
            }
        }
        Ok(())
    }
}
