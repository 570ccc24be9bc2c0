//! Variables in a run. A variable stays on its device: what a program assigns to a variable of another device is copied to it.

use graph_ir::device::{Place, Storage};
use graph_ir::plan::{Change, Slot, Source};

use super::run::{Computation, Problem, Run};
use crate::apply::take_fault;
use crate::value::{Held, Tensor, brought};

impl<'a> Run<'a> {
    pub(super) fn read(&mut self, variable: u32, output: Slot) -> Result<(), Problem> {
        if let Some(kept) = &self.kept {
            let value = kept.variables[variable as usize].clone();
            self.set(output, value);
            return Ok(());
        }
        let value = self.place(variable)?.read();
        let value = brought(self.kernels.gpu(), &value).map_err(Problem::Error)?;
        self.set(output, value);
        Ok(())
    }

    pub(super) fn assign(
        &mut self,
        variable: u32,
        value: Source,
        released: &[Slot],
    ) -> Result<(), Problem> {
        self.settle()?;
        self.release(released);
        let value = self.value(value)?;
        let place = self.place(variable)?;
        place.check(value.dtype, &value.shape)?;
        if self.kept.is_some() {
            self.keep(variable, value);
            return Ok(());
        }
        place.write(|held| replace(held, value))
    }

    /// Keeps the value of a variable until the run is launched.
    pub(super) fn keep(&mut self, variable: u32, value: Tensor) {
        if let Some(kept) = &mut self.kept {
            kept.variables[variable as usize] = value;
            kept.assigned.insert(variable);
        }
    }

    /// Replaces a variable's value by the result of a computation on it, which may fail or be any op. No other thread writes the variable meanwhile.
    pub(super) fn update(
        &mut self,
        variable: u32,
        change: &'a Change,
        inputs: &[Option<Source>],
        released: &[Slot],
    ) -> Result<(), Problem> {
        self.settle()?;
        self.release(released);
        let others: Result<Vec<Option<Tensor>>, Problem> = inputs
            .iter()
            .map(|input| input.map(|source| self.value(source)).transpose())
            .collect();
        let others = others?;
        let computation = match change {
            Change::Kernel(op, attrs) => Computation::Op(op, attrs),
            Change::Fused(fused) => Computation::Chain(fused),
        };
        let (kernels, location) = (self.kernels, self.location());
        if let Some(kept) = &self.kept {
            let old = &kept.variables[variable as usize];
            let operands = others.iter().map(|x| x.clone().unwrap_or(old.clone()));
            let operands: Vec<Tensor> = operands.collect();
            let value = computation.queue_one(kernels, &operands)?;
            self.place(variable)?.check(value.dtype, &value.shape)?;
            self.keep(variable, value);
            return Ok(());
        }
        let place = self.place(variable)?;
        place.write(|held| {
            let old = brought(kernels.gpu(), held).map_err(Problem::Error)?;
            let operands = others.iter().map(|x| x.clone().unwrap_or(old.clone()));
            let operands: Vec<Tensor> = operands.collect();
            let value = computation.queue_one(kernels, &operands)?;
            if take_fault(kernels)?
                && let Some(error) = computation.error(&operands, location)
            {
                return Err(Problem::Error(error));
            }
            place.check(value.dtype, &value.shape)?;
            replace(held, value)
        })
    }

    /// The place of a variable; it was checked when the run began that it exists.
    pub(super) fn place(&self, variable: u32) -> Result<&Place, Problem> {
        let place = self.host.variable(variable);
        place.ok_or_else(|| Problem::Message("the host has lost a variable".to_owned()))
    }
}

/// Gives a variable a value of the GPU, on the variable's own device.
fn replace(held: &mut Storage, value: Tensor) -> Result<(), Problem> {
    *held = remade(held, value)?;
    Ok(())
}

/// A value of the GPU as one of the device of a variable's value.
pub(super) fn remade(held: &Storage, value: Tensor) -> Result<Storage, Problem> {
    let device = held.device();
    match held {
        Storage::Remote(remote) if is_of(remote.memory::<Held>(), &value) => {
            Ok(Held::storage(value, device))
        }
        _ => {
            let array = value.fetch().map_err(Problem::Error)?;
            let brought = device.bring(&Storage::Host(array));
            brought.map_err(Problem::Error)
        }
    }
}

/// Whether a variable's value is on the GPU of a value.
fn is_of(held: Option<&Held>, value: &Tensor) -> bool {
    held.is_some_and(|held| std::ptr::eq(held.gpu(), value.gpu()))
}
