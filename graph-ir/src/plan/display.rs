//! The listing of a plan, for people: `in0` is an input, `c0` a constant, `s0` a slot.

use std::fmt;

use super::{Change, Instruction, Plan, Slot, Source};
use crate::graph::TensorType;

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Input(i) => write!(f, "in{i}"),
            Source::Constant(i) => write!(f, "c{i}"),
            Source::Computed(slot) => slot.fmt(f),
        }
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Instruction::Kernel {
                op,
                attrs,
                inputs,
                output,
                in_place,
            } => {
                let how = if *in_place { " in place" } else { "" };
                write!(f, "{output} = {}({}){how}", op.name, List(inputs))?;
                attrs
                    .iter()
                    .try_for_each(|(name, value)| write!(f, " {name}={value:?}"))
            }
            Instruction::Fused {
                fused,
                inputs,
                output,
                ..
            } => {
                write!(f, "{output} = {fused}({})", List(inputs))
            }
            Instruction::Words(words) => {
                let (to, from): (Vec<Slot>, Vec<Source>) =
                    (words.written().collect(), words.sources().collect());
                let (to, from, len) = (List(&to), List(&from), words.len());
                match words.targets() {
                    [target] => write!(f, "unless words({from}) of {len} steps goto {target}"),
                    _ => write!(f, "{to} = words({from}) of {len} steps"),
                }
            }
            Instruction::Copy { to, from } => write!(f, "{to} = {from}"),
            Instruction::Swap(a, b) => write!(f, "swap {a}, {b}"),
            Instruction::Repeat {
                head,
                condition: Some(condition),
                ..
            } => write!(f, "if {condition} goto {head}"),
            Instruction::Jump(target) | Instruction::Repeat { head: target, .. } => {
                write!(f, "goto {target}")
            }
            Instruction::JumpIfFalse { condition, target } => {
                write!(f, "unless {condition} goto {target}")
            }
            Instruction::JumpTable { index, targets } => write!(f, "goto {targets:?} by {index}"),
            Instruction::Print { print, inputs } => {
                write!(f, "print {:?} with {}", print.message.texts, List(inputs))
            }
            Instruction::Summary {
                summary,
                value,
                step,
            } => {
                let (name, tag) = (summary.kind.op_name(), &summary.tag);
                write!(f, "{name} {tag:?}, {value} at step {step}")
            }
            Instruction::NextSeed { stream, output } => {
                write!(f, "{output} = next_seed {stream:?}")
            }
            Instruction::Begin {
                recipe,
                inputs,
                output,
                ..
            } => {
                write!(f, "{output} = begin_iteration {recipe} ({})", List(inputs))
            }
            Instruction::HasElement { iteration, output } => {
                write!(f, "{output} = has_element {iteration}")
            }
            Instruction::TakeElement { iteration, outputs } => {
                let slots: Vec<Slot> = outputs.iter().map(|(slot, _)| *slot).collect();
                write!(f, "{} = take_element {iteration}", List(&slots))
            }
            Instruction::Read { variable, output } => write!(f, "{output} = read v{variable}"),
            Instruction::Assign {
                variable, value, ..
            } => write!(f, "v{variable} = {value}"),
            Instruction::Update {
                variable,
                change,
                inputs,
                ..
            } => {
                let own = format!("v{variable}");
                let name = |input: &Option<Source>| input.map_or(own.clone(), |s| s.to_string());
                let inputs: Vec<String> = inputs.iter().map(name).collect();
                write!(f, "v{variable} = {change}({})", inputs.join(", "))
            }
            Instruction::Updates(updates) => updates.fmt(f),
            Instruction::Assert {
                condition,
                message,
                inputs,
            } => {
                write!(f, "assert {condition}, {:?}", message.texts)?;
                match inputs.as_slice() {
                    [] => Ok(()),
                    inputs => write!(f, " with {}", List(inputs)),
                }
            }
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Kernel(op, _) => f.write_str(op.name),
            Change::Fused(fused) => fused.fmt(f),
        }
    }
}

impl Instruction {
    /// A short name of what the instruction does: the name of its op, or of the ops of its chain.
    pub fn name(&self) -> String {
        match self {
            Instruction::Kernel { op, .. } => op.name.to_owned(),
            Instruction::Fused { fused, .. } => fused.to_string(),
            Instruction::Words(_) => "words".to_owned(),
            Instruction::Copy { .. } => "copy".to_owned(),
            Instruction::Swap(..) => "swap".to_owned(),
            Instruction::Print { .. } => "print".to_owned(),
            Instruction::Summary { summary, .. } => summary.kind.op_name().to_owned(),
            Instruction::NextSeed { .. } => "next_seed".to_owned(),
            Instruction::Begin { .. } => "begin_iteration".to_owned(),
            Instruction::HasElement { .. } => "has_element".to_owned(),
            Instruction::TakeElement { .. } => "take_element".to_owned(),
            Instruction::Assert { .. } => "assert".to_owned(),
            Instruction::Read { .. } => "read".to_owned(),
            Instruction::Assign { .. } => "assign".to_owned(),
            Instruction::Update { change, .. } => format!("update by {change}"),
            Instruction::Updates(updates) => format!("update by {}", updates.chain),
            Instruction::Jump(_)
            | Instruction::Repeat { .. }
            | Instruction::JumpIfFalse { .. }
            | Instruction::JumpTable { .. } => "goto".to_owned(),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "plan ({}) with {} slots",
            List(&self.inputs),
            self.slots.len()
        )?;
        for (i, constant) in self.constants.iter().enumerate() {
            write!(f, "  c{i}: {}", TensorType::of_array(constant))?;
            if constant.rank() == 0 {
                write!(f, " = {}", crate::graph::values_text(constant))?;
            }
            writeln!(f)?;
        }
        for (i, instruction) in self.instructions.iter().enumerate() {
            writeln!(f, "{i:4}  {instruction}")?;
        }
        writeln!(
            f,
            "{:4}  return {}",
            self.instructions.len(),
            List(&self.outputs)
        )
    }
}

struct List<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}
