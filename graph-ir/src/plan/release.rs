//! A variable's array can't be changed in place while a slot shares it. So the slots that share it and whose values are dead are
//! released before the variable is written.

use rustc_hash::{FxHashMap, FxHashSet};

use super::allocate::Allocation;
use super::lower::{Code, CodeStep};
use super::{Instruction, Register, Slot, Source};

/// For each step that writes a variable, the slots that may share the variable's array and whose values are dead.
pub(super) fn released(code: &Code, allocation: &Allocation) -> FxHashMap<usize, Vec<Slot>> {
    let mut writes = Vec::new();
    for (position, step) in code.steps.iter().enumerate() {
        match step {
            CodeStep::Do(
                Instruction::Assign { variable, .. } | Instruction::Update { variable, .. },
            ) => writes.push((position, *variable)),
            CodeStep::Do(Instruction::Updates(updates)) => {
                let variables = updates.variables.iter();
                writes.extend(variables.map(|variable| (position, *variable)));
            }
            _ => {}
        }
    }
    if writes.is_empty() {
        return FxHashMap::default();
    }
    let mut users: FxHashMap<Slot, Vec<Register>> = FxHashMap::default();
    for register in code.registers() {
        users
            .entry(allocation.slot(register))
            .or_default()
            .push(register);
    }
    let mut sharing: FxHashMap<u32, Vec<Slot>> = FxHashMap::default();
    let dead = |(position, variable): (usize, u32)| {
        let slots = sharing
            .entry(variable)
            .or_insert_with(|| slots_sharing(code, allocation, variable));
        let is_dead = |slot: &&Slot| {
            let alive = |register: &Register| allocation.is_read_at_or_after(*register, position);
            !users[*slot].iter().any(alive)
        };
        (
            position,
            slots.iter().filter(is_dead).copied().collect::<Vec<Slot>>(),
        )
    };
    let mut released: FxHashMap<usize, Vec<Slot>> = FxHashMap::default();
    for (position, slots) in writes.into_iter().map(dead) {
        released.entry(position).or_default().extend(slots);
    }
    released
}

/// The slots that may share a variable's array: the outputs of its reads, and the slots to which these are moved.
fn slots_sharing(code: &Code, allocation: &Allocation, variable: u32) -> Vec<Slot> {
    let mut registers = FxHashSet::default();
    // In a loop, a move may precede the read whose value it moves, so this is repeated until nothing changes.
    loop {
        let before = registers.len();
        for step in &code.steps {
            match step {
                CodeStep::Do(Instruction::Read {
                    variable: read,
                    output,
                }) if *read == variable => drop(registers.insert(*output)),
                CodeStep::Moves(moves) => {
                    let shares = |from: &Source<Register>| {
                        from.place().is_some_and(|from| registers.contains(&from))
                    };
                    let to: Vec<Register> = moves
                        .iter()
                        .filter(|(_, from)| shares(from))
                        .map(|(to, _)| *to)
                        .collect();
                    registers.extend(to);
                }
                CodeStep::Do(_) => {}
            }
        }
        if registers.len() == before {
            break;
        }
    }
    let mut slots: Vec<Slot> = registers.into_iter().map(|r| allocation.slot(r)).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}
