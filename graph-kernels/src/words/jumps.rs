//! Fewer instructions in an iteration: each stays at its place, and does more.

use super::Register;
use super::code::{Code, Instruction};

/// Makes jumps go where they end up, makes the decision that an unconditional jump leads to in its place, and counts and asks for
/// remainders in one instruction. The registers of values that are known ahead are given.
pub(super) fn shorten(code: &mut [Instruction], constants: &[(Register, u64)]) {
    thread(code);
    count(code);
    divide(code, constants);
    // To what was made of two.
    thread(code);
}

/// A jump to a jump goes where that goes. A jump to a decision is that decision.
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

/// Where jumps from a target on lead. Those that go around forever are followed once.
fn end(code: &[Instruction], mut target: u16) -> u16 {
    for _ in 0..code.len() {
        match code.get(usize::from(target)) {
            Some(jump) if jump.code == Code::Jump => target = jump.x,
            _ => break,
        }
    }
    target
}

/// An addition to a register, and behind it a decision by the sum: one instruction. The decision stays for those who jump to it.
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

/// A remainder, and behind it a decision by whether it is 0: one instruction.
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
