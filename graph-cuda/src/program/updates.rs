//! Updates of variables that stand side by side in a run: all of them are one kernel, if their chains are elementwise. The new values are new arrays, so
//! whoever has read a variable keeps the old one.

use std::sync::Arc;

use graph_ir::device::{Place, Storage};
use graph_ir::plan::{Change, Fused, Instruction, Source};
use graph_kernels::{DType, Dims};

use super::chain;
use super::run::{Problem, Run};
use super::variables::remade;
use crate::driver::Buffer;
use crate::kernels::{Kernels, Piece, Step, can_fail};
use crate::value::{Tensor, Value, brought};

/// New values of a few variables of one shape, which are computed together.
struct Update<'a> {
    fused: &'a Fused,
    variables: Vec<u32>,
    operands: Vec<Given>,
    steps: Vec<Step>,
    /// The steps that are the new values, with their dtypes.
    results: Vec<(usize, DType)>,
}

/// An operand of an update.
enum Given {
    /// The old value of a variable.
    Variable(u32),
    Value(Tensor),
}

impl<'a> Run<'a> {
    /// Does the updates that begin at the present instruction, and returns where the run goes on.
    pub(super) fn updates(&mut self) -> Result<u32, Problem> {
        self.settle()?;
        let (plan, start) = (self.plan(), self.at());
        let mut updates: Vec<Update<'a>> = Vec::new();
        let mut end = start;
        while let Some(instruction) = plan.instructions.get(end) {
            let is_apart = end > start && self.is_target(end);
            let next = if is_apart {
                None
            } else {
                self.next_update(instruction)?
            };
            let Some(next) = next else { break };
            let is_known = |v: &u32| updates.iter().any(|update| update.variables.contains(v));
            if next.variables.iter().any(is_known) {
                break;
            }
            updates.push(next);
            end += 1;
        }
        match (&plan.instructions[start], updates.is_empty()) {
            (_, false) => self.update_all(&updates)?,
            (
                Instruction::Update {
                    variable,
                    change,
                    inputs,
                    released,
                },
                _,
            ) => {
                self.update(*variable, change, inputs, released)?;
                end += 1;
            }
            _ => return Err("an update that isn't elementwise".to_owned().into()),
        }
        Ok(end as u32)
    }

    /// What an instruction updates; `None` if it isn't an update by elementwise functions that are defined for all values.
    fn next_update(&mut self, instruction: &'a Instruction) -> Result<Option<Update<'a>>, Problem> {
        let (fused, variables, inputs, released): (&'a Fused, _, Vec<Option<Source>>, _) =
            match instruction {
                Instruction::Update {
                    variable,
                    change,
                    inputs,
                    released,
                } => match &**change {
                    Change::Fused(fused) => (fused, vec![*variable], inputs.clone(), released),
                    Change::Kernel(..) => return Ok(None),
                },
                Instruction::Updates(updates) => {
                    let own = updates.variables.iter().map(|_| None);
                    let others = updates.inputs.iter().map(|source| Some(*source));
                    let (fused, variables) = (&*updates.chain, updates.variables.clone());
                    (
                        fused,
                        variables,
                        own.chain(others).collect(),
                        &updates.released,
                    )
                }
                _ => return Ok(None),
            };
        if fused.product().is_some() || !fused.reads().is_empty() {
            return Ok(None);
        }
        let mut own = variables.iter().copied();
        let mut operands = Vec::new();
        for input in inputs {
            operands.push(match (input, own.next()) {
                (Some(source), _) => Given::Value(self.value(source)?),
                (None, Some(variable)) => Given::Variable(variable),
                // A single variable may be any operand.
                (None, None) => Given::Variable(variables[0]),
            });
        }
        let types = &self.plan().variables;
        let dtypes = operands.iter().map(|operand| match operand {
            Given::Variable(variable) => types[*variable as usize].dtype,
            Given::Value(value) => value.dtype,
        });
        let dtypes: Vec<DType> = dtypes.collect();
        let Some((steps, dtypes)) = chain::supported(fused.parts(), &dtypes) else {
            return Ok(None);
        };
        if can_fail(&steps, &[]) {
            return Ok(None);
        }
        self.release(released);
        let result = |part: &usize| {
            let step = operands.len() + part;
            (step, dtypes[step])
        };
        Ok(Some(Update {
            results: fused.results().iter().map(result).collect(),
            fused,
            variables,
            operands,
            steps,
        }))
    }

    /// Gives the variables of some updates their new values. No other thread writes them meanwhile.
    fn update_all(&mut self, updates: &[Update<'_>]) -> Result<(), Problem> {
        let variables = updates.iter().flat_map(|update| &update.variables);
        let variables: Vec<u32> = variables.copied().collect();
        let places = variables.iter().map(|variable| self.place(*variable));
        let places: Vec<&Place> = places.collect::<Result<_, _>>()?;
        let check = |values: &[Tensor]| {
            let mut pairs = places.iter().zip(values);
            pairs.try_for_each(|(place, value)| place.check(value.dtype, &value.shape))
        };
        let kernels = self.kernels;
        if let Some(kept) = &self.kept {
            let old = |variable: u32| kept.variables[variable as usize].clone();
            let new = new_values(kernels, updates, old)?;
            check(&new)?;
            for (variable, value) in variables.into_iter().zip(new) {
                self.keep(variable, value);
            }
            return Ok(());
        }
        let done = Place::write_all(&places, |held| {
            let old = held.iter().map(|held| brought(kernels.gpu(), held));
            let old: Vec<Tensor> = old.collect::<Result<_, _>>().map_err(Problem::Error)?;
            let old = |variable| {
                let place = variables.iter().position(|known| *known == variable);
                old[place.unwrap_or(0)].clone()
            };
            let new = new_values(kernels, updates, old)?;
            check(&new)?;
            let new = held.iter().zip(new).map(|(held, new)| remade(held, new));
            let new: Vec<Storage> = new.collect::<Result<_, _>>()?;
            for (held, new) in held.iter_mut().zip(new) {
                **held = new;
            }
            Ok(())
        });
        done.unwrap_or_else(|| Err("one variable is updated twice at once".to_owned().into()))
    }
}

/// Queues the new values of the variables of all updates, in order.
fn new_values(
    kernels: &Kernels,
    updates: &[Update<'_>],
    old: impl Fn(u32) -> Tensor,
) -> Result<Vec<Tensor>, Problem> {
    let operands = |update: &Update<'_>| -> Vec<Tensor> {
        let operands = update.operands.iter();
        let operands = operands.map(|operand| match operand {
            Given::Variable(variable) => old(*variable),
            Given::Value(value) => value.clone(),
        });
        operands.collect()
    };
    let operands: Vec<Vec<Tensor>> = updates.iter().map(operands).collect();
    let shapes: Vec<Dims> = updates
        .iter()
        .map(|update| old(update.variables[0]).shape.clone())
        .collect();
    let mut rooms: Vec<Vec<Arc<Buffer>>> = Vec::new();
    for (update, shape) in updates.iter().zip(&shapes) {
        let rooms_of = update
            .results
            .iter()
            .map(|(_, dtype)| kernels.room(*dtype, shape));
        rooms.push(rooms_of.collect::<Result<_, _>>()?);
    }
    let (mut pieces, mut new) = (Vec::new(), Vec::new());
    for (i, (update, shape)) in updates.iter().zip(&shapes).enumerate() {
        let piece = piece(update, shape, &operands[i], &rooms[i])?;
        match piece {
            Some(piece) => {
                pieces.push(piece);
                let results = update.results.iter().zip(&rooms[i]);
                new.extend(
                    results.map(|((_, dtype), room)| Value::computed(*dtype, shape, room.clone())),
                );
            }
            None => {
                let values = chain::one_by_one(kernels, update.fused, &operands[i])?;
                let results = update.fused.results().iter();
                new.extend(results.map(|part| values[*part].clone()));
            }
        }
    }
    kernels.update(&pieces)?;
    Ok(new)
}

/// An update as a piece of a kernel; `None` if an operand doesn't lie as the variables do.
fn piece<'a>(
    update: &Update<'_>,
    shape: &'a [usize],
    operands: &'a [Tensor],
    rooms: &'a [Arc<Buffer>],
) -> Result<Option<Piece<'a>>, Problem> {
    let has_room = |operand: &Tensor| operand.count() == 1 || operand.shape[..] == *shape;
    if !operands.iter().all(has_room) {
        return Ok(None);
    }
    let inputs = operands.iter().map(|operand| operand.input(shape));
    let piece = Piece {
        shape,
        steps: update.steps.clone(),
        results: update.results.clone(),
        inputs: inputs.collect::<Result<_, _>>()?,
        outputs: rooms.iter().map(|room| &**room).collect(),
    };
    Ok(piece.is_simple().then_some(piece))
}
