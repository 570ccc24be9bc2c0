//! Fewer instructions per iteration: each stays at its index, and some do the work of two.

use super::Register;
use super::code::{Code, Instruction};

/// Makes jumps go to their final targets, replaces an unconditional jump by the conditional jump at its target, and merges additions and
/// remainders with the conditional jumps behind them. `constants` are the registers of constants.
pub(super) fn shorten(code: &mut [Instruction], constants: &[(Register, u64)]) {
    thread(code);
    count(code);
    divide(code, constants);
    // Jumps may now lead to merged instructions, so copy these, too.
    thread(code);
}

/// A jump to an unconditional jump goes to that jump's target. An unconditional jump to a conditional one becomes a copy of it.
fn thread(code: &mut [Instruction]) {
    for at in 0..code.len() {
        let instruction = code[at];
        if instruction.code == Code::Jump {
            let x = end(code, instruction.x);
            code[at] = match code.get(usize::from(x)) {
                Some(decision) if decision.code.decides() => *decision,
                _ => Instruction { x, ..instruction },
            };
        } else if instruction.code.decides() {
            let [x, y] = [instruction.x, instruction.y].map(|target| end(code, target));
            code[at] = Instruction {
                x,
                y,
                ..instruction
            };
        }
    }
}

/// The final target of a chain of jumps. An endless cycle of jumps is followed only once.
fn end(code: &[Instruction], mut target: u16) -> u16 {
    for _ in 0..code.len() {
        match code.get(usize::from(target)) {
            Some(jump) if jump.code == Code::Jump => target = jump.x,
            _ => break,
        }
    }
    target
}

/// Merges an addition to a register and the conditional jump on its sum. The conditional jump itself stays, as a target of other jumps.
fn count(code: &mut [Instruction]) {
    for at in 1..code.len() {
        let [add, then] = [code[at - 1], code[at]];
        if let Some(count) = add.code.count(then.code)
            && then.a == add.to
            && add.a == add.to
        {
            code[at - 1] = Instruction {
                code: count,
                to: then.b,
                a: add.a,
                b: add.b,
                x: then.x,
                y: then.y,
            };
        }
    }
}

/// Merges a remainder and the conditional jump on whether it is 0.
fn divide(code: &mut [Instruction], constants: &[(Register, u64)]) {
    let is_zero = |register: u8| constants.contains(&(register, 0));
    for at in 1..code.len() {
        let [rest, then] = [code[at - 1], code[at]];
        let compares = [(then.a, then.b), (then.b, then.a)]
            .iter()
            .any(|(a, b)| *a == rest.to && is_zero(*b));
        if let Some((code_of_both, is_turned)) = rest.code.remainder(then.code)
            && let Ok(by) = u8::try_from(rest.x)
            && compares
        {
            let (x, y) = match is_turned {
                true => (then.y, then.x),
                false => (then.x, then.y),
            };
            code[at - 1] = Instruction {
                code: code_of_both,
                b: by,
                x,
                y,
                ..rest
            };
        }
    }
}
