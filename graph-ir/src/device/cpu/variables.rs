//! Variables in a run: a read shares the array, and a write changes the array in place, unless somebody else holds it.

use std::sync::Arc;

use graph_kernels::Array;
use smallvec::SmallVec;

use super::frame::Cell;
use super::kernel::{compute, compute_in_place};
use super::run::{Fault, Run};
use super::watch::Watch;
use crate::device::{Place, Storage};
use crate::error::Error;
use crate::plan::{Change, Fused, Slot, Source, Updates};

/// The operands of an update; `None` is the variable's value.
type Operands<'a> = SmallVec<[Option<&'a Array>; 8]>;

impl<W: Watch> Run<'_, W> {
    pub(super) fn read(&mut self, variable: u32, output: Slot) -> Result<(), Fault> {
        let value = self.place(variable)?.read();
        self.frame.cells[output.index()].shared = Some(value.to_host().map_err(Fault::Error)?);
        Ok(())
    }

    /// Assigns a value to a variable. If the value's slot is dead afterwards, the slot and the variable exchange their buffers.
    pub(super) fn assign(
        &mut self,
        variable: u32,
        value: Source,
        dies: bool,
        released: &[Slot],
    ) -> Result<(), Fault> {
        self.release(released);
        let place = self.place(variable)?;
        let array = self.values().get(value);
        place.check(array.dtype(), array.shape())?;
        let own = match value {
            Source::Computed(slot) => Some(slot).filter(|slot| self.cell(*slot).shared.is_none()),
            _ => None,
        };
        match own {
            Some(slot) => {
                let cell = &mut self.frame.cells[slot.index()];
                let place = position(self.host.variable(variable))?;
                place.write(|held| exchange(cell, held, dies))?;
            }
            None => {
                let array = self.share(value);
                let place = self.place(variable)?;
                place.write(|held| replace(held, array))?;
            }
        }
        if let (Source::Computed(slot), true) = (value, dies) {
            self.release(&[slot]);
        }
        Ok(())
    }

    pub fn update_variable(
        &mut self,
        variable: u32,
        change: &Change,
        inputs: &[Option<Source>],
        released: &[Slot],
    ) -> Result<(), Fault> {
        self.release(released);
        let (values, place) = (self.values(), self.place(variable)?);
        let operands = inputs.iter().map(|input| input.map(|s| values.get(s)));
        let operands: Operands<'_> = operands.collect();
        update(place, change, &operands, self.flush_denormals)
    }

    pub(super) fn update_together(&mut self, updates: &Updates) -> Result<(), Fault> {
        self.release(&updates.released);
        let (values, flush) = (self.values(), self.flush_denormals);
        let inputs = updates.inputs.iter().map(|input| values.get(*input));
        let inputs: SmallVec<[&Array; 8]> = inputs.collect();
        let places = updates
            .variables
            .iter()
            .map(|variable| self.place(*variable));
        let places: SmallVec<[&Place; 4]> = places.collect::<Result<_, _>>()?;
        Place::write_all(&places, |held| {
            together(held, |arrays| {
                updates.chain.update(arrays, &inputs)?;
                if flush {
                    arrays.iter_mut().for_each(|array| array.flush_denormals());
                }
                Ok(())
            })
        })
        .unwrap_or_else(|| Err("one variable is updated twice at once".to_owned().into()))
    }

    fn place(&self, variable: u32) -> Result<&Place, Fault> {
        position(self.host.variable(variable))
    }

    fn cell(&self, slot: Slot) -> &Cell {
        &self.frame.cells[slot.index()]
    }

    fn release(&mut self, slots: &[Slot]) {
        for slot in slots {
            self.frame.cells[slot.index()].shared = None;
        }
    }
}

/// Replaces a variable's value by the result of an op or a chain. If that fails, the variable keeps its old value.
pub(super) fn update(
    place: &Place,
    change: &Change,
    operands: &[Option<&Array>],
    flush_denormals: bool,
) -> Result<(), Fault> {
    place.write(|held| {
        let own = held.as_host_mut();
        if let Some(array) = own.filter(|a| works_in_place(change, a, operands)) {
            return in_place(change, array, operands, flush_denormals);
        }
        let mut new = Array::default();
        let old = held.to_host().map_err(Fault::Error)?;
        beside(change, &old, operands, flush_denormals, &mut new)?;
        place.check(new.dtype(), new.shape())?;
        drop(old);
        replace(held, Arc::new(new))
    })
}

/// Lets `change` change the arrays of several variables. An array that somebody else holds, or another device, is copied before. If `change`
/// fails, it has changed nothing.
fn together(
    held: &mut [&mut Storage],
    change: impl FnOnce(&mut [&mut Array]) -> Result<(), Error>,
) -> Result<(), Fault> {
    let mut copies: SmallVec<[(usize, Array); 4]> = SmallVec::new();
    for (n, held) in held.iter_mut().enumerate() {
        if held.as_host_mut().is_none() {
            copies.push((n, Array::clone(&*held.to_host().map_err(Fault::Error)?)));
        }
    }
    {
        let mut copied = copies.iter_mut().map(|(_, copy)| copy);
        let own = held.iter_mut().map(|held| held.as_host_mut());
        let arrays = own.map(|own| own.or_else(|| copied.next()));
        let arrays: Option<SmallVec<[&mut Array; 4]>> = arrays.collect();
        arrays
            .map_or(Ok(()), |mut arrays| change(&mut arrays))
            .map_err(Fault::Error)?;
    }
    let mut copies = copies.into_iter();
    copies.try_for_each(|(n, copy)| replace(held[n], Arc::new(copy)))
}

/// The place of a variable; it was checked when the run began that it exists.
fn position(place: Option<&Place>) -> Result<&Place, Fault> {
    place.ok_or_else(|| Fault::Message("the host has lost a variable".to_owned()))
}

/// Assigns a cell's own array to a variable, and gives the cell the variable's old buffer. If the cell's value isn't dead, the two share the array.
fn exchange(cell: &mut Cell, held: &mut Storage, dies: bool) -> Result<(), Fault> {
    if let (true, Some(array)) = (dies, held.as_host_mut()) {
        std::mem::swap(array, &mut cell.own);
        return Ok(());
    }
    // It isn't made an output, because then the frame would keep a handle, and the variable couldn't be changed in place.
    let new = Arc::new(std::mem::take(&mut cell.own));
    let shared = cell.shared.insert(new).clone();
    let Storage::Host(held) = held else {
        return replace(held, shared);
    };
    if let Some(array) = Arc::into_inner(std::mem::replace(held, shared)) {
        cell.own = array;
    }
    Ok(())
}

/// Replaces a variable's value by an array of the host. The value is brought to the device that held the old value.
fn replace(held: &mut Storage, array: Arc<Array>) -> Result<(), Fault> {
    let new = held.device().bring(&Storage::Host(array));
    *held = new.map_err(Fault::Error)?;
    Ok(())
}

/// True if the change can be made in place without failing half-way.
fn works_in_place(change: &Change, array: &Array, operands: &[Option<&Array>]) -> bool {
    match change {
        Change::Kernel(op, _) => {
            let alone =
                matches!(operands, [None, others @ ..] if others.iter().all(Option::is_some));
            alone && op.in_place.is_some()
        }
        Change::Fused(fused) => fused.works_in_place(array, operands),
    }
}

fn in_place(
    change: &Change,
    array: &mut Array,
    operands: &[Option<&Array>],
    flush: bool,
) -> Result<(), Fault> {
    match change {
        Change::Kernel(op, attrs) => {
            let others: SmallVec<[&Array; 4]> = operands.iter().flatten().copied().collect();
            Ok(compute_in_place(op, attrs, array, &others, flush)?)
        }
        Change::Fused(fused) => {
            let mut operands = Operands::from_slice(operands);
            chain(fused, &mut operands, flush, array)
        }
    }
}

/// The changed value, as a new array.
fn beside(
    change: &Change,
    held: &Array,
    operands: &[Option<&Array>],
    flush: bool,
    new: &mut Array,
) -> Result<(), Fault> {
    let all: SmallVec<[&Array; 8]> = operands.iter().map(|x| x.unwrap_or(held)).collect();
    match change {
        Change::Kernel(op, attrs) => Ok(compute(op, attrs, &all, None, flush, new)?),
        Change::Fused(fused) => {
            let mut all: Operands<'_> = all.into_iter().map(Some).collect();
            chain(fused, &mut all, flush, new)
        }
    }
}

fn chain(
    fused: &Fused,
    operands: &mut Operands<'_>,
    flush: bool,
    output: &mut Array,
) -> Result<(), Fault> {
    fused.run(operands, None, output).map_err(Fault::Error)?;
    if flush {
        output.flush_denormals();
    }
    Ok(())
}
