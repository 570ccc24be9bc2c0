//! One call of a program that can be recorded: it is rehearsed, recorded, or a launch of what was recorded.

use std::sync::Arc;

use graph_ir::device::{Host, Place, Storage};
use graph_ir::error::{Error, Location};
use graph_kernels::{Array, Dims};

use super::super::Compiled;
use super::super::effects::{Seen, Tells, Told};
use super::super::journal::{Journal, Read};
use super::super::run::{Kept, Run};
use super::super::seeds::{Listens, Seeds};
use super::pending::{Before, OfLaunch, Pending};
use super::take::{Buffers, Later, Launched, Lies, Output, Take, Takes};
use crate::checks::checks_each_call;
use crate::driver::{Arena, Buffer, Failed, Fault, Graph, Mark, Recording, recording, take_word};
use crate::value::{Doubt, Held, Tensor, Value, address_now, brought_after};

/// The most recordings of a program.
const MOST: usize = 8;

/// One call of a program that can be recorded.
pub(super) struct Now<'a> {
    pub program: &'a Arc<Compiled>,
    /// The inputs that the work reads.
    pub inputs: &'a [Tensor],
    /// The inputs of the call, which differ if the work reads copies of them.
    pub given: &'a [Tensor],
    pub host: &'a mut dyn Host,
    /// The seeds that were drawn.
    pub drawn: Seeds,
    /// Whether the journal of the launch was full, which is void then.
    pub is_full: bool,
    /// The launch before, if the host may not know its outcome yet. The work may read variables that it has written.
    pub last: &'a mut Option<Arc<Pending>>,
    /// The error of the launch before. If there is one, nothing of this call is done.
    pub wrong: Option<Error>,
}

impl Now<'_> {
    /// What was done; `None` if the kernels of this call must be launched one by one.
    ///
    /// # Errors
    /// If the program can't be recorded at all.
    pub fn run(&mut self, takes: &mut Takes, most: u32) -> Result<Option<Launched>, Error> {
        if self.last.as_ref().is_some_and(|last| last.is_settled()) {
            *self.last = None;
        }
        let Some(variables) = self.variables()? else {
            return Ok(None);
        };
        let lie = |values: &[Tensor]| values.iter().map(Lies::of).collect::<Result<Vec<_>, _>>();
        let (at_inputs, at_variables) = (lie(self.inputs)?, lie(&variables)?);
        let fits = |take: &&Take| {
            take.inputs == at_inputs
                && take.variables == at_variables
                && takes.is_free(&take.memory)
        };
        if let Some(take) = takes.recordings.iter().find(fits) {
            // The word and the mark are those of one launch at a time.
            let is_same = |last: &Arc<Pending>| {
                take.fault
                    .as_ref()
                    .is_some_and(|word| Arc::ptr_eq(word, &last.word))
            };
            if self.last.as_ref().is_some_and(is_same) && !self.settle() {
                return Ok(None);
            }
            let launched = self.launch(take, &variables)?;
            if self.is_full {
                takes.enlarge_journals()?;
            }
            return Ok(launched);
        }
        if takes.attempts >= most {
            return Ok(None);
        }
        let bytes = match &takes.rehearsed {
            Some((shapes, bytes)) if *shapes == self.shapes() => *bytes,
            _ => return self.rehearse(takes, variables),
        };
        takes.attempts += 1;
        if takes.recordings.len() >= MOST {
            match takes.recordings.iter().position(Take::is_free) {
                Some(oldest) => drop(takes.recordings.remove(oldest)),
                None => return Ok(None),
            }
        }
        let gpu = self.program.kernels.gpu();
        let memory = match takes.free_memory(bytes) {
            Some(memory) => memory,
            None => Arc::new(Buffer::new(gpu, bytes)?),
        };
        let journal = Journal::new(gpu, &self.program.plan, takes.room)?;
        let recorded = self.record(memory, journal, &variables, [at_inputs, at_variables]);
        let take = match recorded {
            Ok(take) => take,
            Err(_) if takes.attempts == 1 => {
                // Perhaps the arena was too small: it is full of gaps that no buffer fits into.
                takes.rehearsed = Some((self.shapes(), bytes * 2));
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let results = self.launch(&take, &variables)?;
        match self.is_full {
            true => takes.enlarge_journals()?,
            false => takes.recordings.push(take),
        }
        Ok(results)
    }

    fn shapes(&self) -> Vec<Dims> {
        self.inputs
            .iter()
            .map(|input| input.shape.clone())
            .collect()
    }

    /// The values of the program's variables, as values that only the GPU knows; `None` if a launch that has written one was wrong.
    fn variables(&mut self) -> Result<Option<Vec<Tensor>>, Error> {
        let gpu = self.program.kernels.gpu();
        let mut variables = Vec::new();
        for position in 0..self.program.plan.variables.len() as u32 {
            let value = self.place(position)?.read();
            if value.device() != self.program.device {
                return Err(refused("a variable lies elsewhere"));
            }
            match brought_after(gpu, &value, self.last_number()) {
                Ok(value) => variables.push(value.on_gpu_only()?),
                Err(error) => {
                    self.wrong = Some(error);
                    return Ok(None);
                }
            }
        }
        Ok(Some(variables))
    }

    fn last_number(&self) -> Option<u64> {
        self.last.as_ref().map(|last| last.number())
    }

    /// Waits for the outcome of the launch before.
    fn settle(&mut self) -> bool {
        match self.last.take().map_or(Ok(true), |last| last.settle()) {
            Ok(is_right) => is_right,
            Err(error) => {
                self.wrong = Some(error);
                false
            }
        }
    }

    fn place(&self, position: u32) -> Result<&Place, Error> {
        let place = self.host.variable(position);
        place.ok_or_else(|| refused("the host has lost a variable"))
    }

    /// Runs the kernels of a recording without recording them, and measures the memory that they need.
    fn rehearse(
        &mut self,
        takes: &mut Takes,
        variables: Vec<Tensor>,
    ) -> Result<Option<Launched>, Error> {
        // The work runs, and reads variables.
        if !self.settle() {
            return Ok(None);
        }
        let fault = Fault::new(self.program.kernels.gpu())?;
        let kept = Kept {
            variables: variables.clone(),
            rehearses: true,
            ..Kept::default()
        };
        let settings = Recording {
            arena: None,
            fault: fault.clone(),
        };
        let mut host = Listens {
            host: self.host,
            drawn: &mut self.drawn,
        };
        let run = Run::new(self.program, self.inputs.to_vec(), &mut host, Some(kept));
        let (result, bytes) = recording(settings, || run.run());
        let (results, kept) = result?;
        let kept = kept.unwrap_or_default();
        if fault.take()? {
            return Ok(None);
        }
        takes.rehearsed = Some((self.shapes(), bytes + bytes / 4 + (1 << 20)));
        let told = kept.told.into_iter().filter_map(|tells| match tells {
            Tells::Told(told) => Some(told),
            // A rehearsal has no journal.
            Tells::Entries(_) => None,
        });
        let told: Vec<Told> = told.collect();
        takes.room = takes.room.for_told(told.iter());
        let results = self.all_given(results)?;
        let assigned = kept.assigned.iter().map(|position| {
            let value = kept.variables[*position as usize].clone();
            Ok((*position, self.given(value)?))
        });
        let assigned = assigned.collect::<Result<Vec<(u32, Tensor)>, Error>>()?;
        let is_done = self.commit(&variables, &assigned, None, || Ok(true))?;
        Ok(is_done.then_some(Launched {
            results,
            told,
            pending: None,
        }))
    }

    fn all_given(&self, values: Vec<Tensor>) -> Result<Vec<Tensor>, Error> {
        values.into_iter().map(|value| self.given(value)).collect()
    }

    /// The value, or the input of the call if it is the copy of one: later calls overwrite copies.
    fn given(&self, value: Tensor) -> Result<Tensor, Error> {
        if std::ptr::eq(self.inputs, self.given) {
            return Ok(value);
        }
        let lies_there = |input: &Tensor| match (input.buffer(), value.buffer()) {
            (Ok(own), Ok(buffer)) => Arc::ptr_eq(own, buffer),
            _ => false,
        };
        match self.inputs.iter().position(lies_there) {
            None => Ok(value),
            Some(i) if self.inputs[i].shape == value.shape => Ok(self.given[i].clone()),
            Some(_) => Err(refused("a result is another view of an input")),
        }
    }

    /// Records the work of a run.
    fn record(
        &mut self,
        memory: Arc<Buffer>,
        journal: Option<Journal>,
        variables: &[Tensor],
        [at_inputs, at_variables]: [Vec<Lies>; 2],
    ) -> Result<Take, Error> {
        let gpu = self.program.kernels.gpu();
        let arena = Arc::new(Arena::new(memory.clone()));
        let fault = Fault::new(gpu)?;
        let kept = Kept {
            variables: variables.to_vec(),
            journal,
            ..Kept::default()
        };
        let settings = Recording {
            arena: Some(arena.clone()),
            fault: fault.clone(),
        };
        let run = Run::new(self.program, self.inputs.to_vec(), self.host, Some(kept));
        let recorded = recording(settings, || Graph::record(gpu, || run.run()));
        let (graph, (results, kept)) = recorded.0?;
        let kept = kept.unwrap_or_default();
        let mut made = Buffers::default();
        let mut output = |value: &Tensor| self.output(value, variables, &mut made);
        let outputs = results.iter().map(&mut output).collect::<Result<_, _>>()?;
        let assigned = kept.assigned.iter().map(|position| {
            let value = &kept.variables[*position as usize];
            Ok((*position, output(value)?))
        });
        let assigned = assigned.collect::<Result<_, Error>>()?;
        let told = kept.told.iter().map(|tells| match tells {
            Tells::Entries(prints) => Ok(Later::Entries(prints.clone())),
            Tells::Told(told) => {
                let values = told.values.iter().map(|value| match value {
                    Seen::Later(value) => output(value),
                    Seen::Now(_) => Err(refused("a value was fetched")),
                });
                Ok(Later::Tell(told.at, values.collect::<Result<_, _>>()?))
            }
        });
        let told = told.collect::<Result<_, Error>>()?;
        let keeps_shape = |position: &u32| {
            let [old, new] = [variables, &kept.variables].map(|all| &all[*position as usize]);
            old.dtype == new.dtype && old.shape == new.shape
        };
        let journal = kept.journal.filter(Journal::is_used);
        // A value that is printed must be right, and a loop might not end on values that a wrong launch has left.
        let can_wait = !kept.assigned.is_empty()
            && kept.assigned.iter().all(keeps_shape)
            && kept.told.is_empty()
            && journal.is_none()
            && !kept.repeats;
        let may_be_wrong = fault.launches() > 0;
        let take = Take {
            mark: match may_be_wrong && can_wait {
                true => Some(Arc::new(Mark::new(gpu)?)),
                false => None,
            },
            graph,
            inputs: at_inputs,
            variables: at_variables,
            made,
            outputs,
            assigned,
            told,
            journal,
            seeds: kept.seeds,
            fault: may_be_wrong.then(|| fault.word().clone()),
            memory,
            _arena: arena,
        };
        Ok(take)
    }

    /// What a value of a recorded run is.
    fn output(
        &self,
        value: &Tensor,
        variables: &[Tensor],
        made: &mut Buffers,
    ) -> Result<Output, Error> {
        if value.known().is_some() {
            return Ok(Output::Known(value.clone()));
        }
        let buffer = value.buffer()?;
        if buffer.is_of_arena() {
            let number = made.number(buffer);
            return Ok(Output::Made(value.dtype, value.shape.clone(), number));
        }
        let same = |other: &Tensor| {
            let own = other.buffer().is_ok_and(|own| Arc::ptr_eq(own, buffer));
            own && other.shape == value.shape
        };
        let input = self.inputs.iter().position(same).map(Output::Input);
        let variable = || variables.iter().position(same).map(Output::Variable);
        let output = input.or_else(variable);
        output.ok_or_else(|| refused("a result isn't computed"))
    }

    /// A value of a launch, as a new handle. Handles of earlier launches don't change with it.
    fn value(&self, take: &Take, output: &Output, variables: &[Tensor]) -> Tensor {
        match output {
            Output::Made(dtype, shape, number) => {
                Value::computed(*dtype, shape, take.made.0[*number].clone())
            }
            Output::Input(i) => self.given[*i].clone(),
            Output::Variable(i) => variables[*i].clone(),
            Output::Known(value) => value.clone(),
        }
    }

    /// Launches a recording.
    fn launch(&mut self, take: &Take, variables: &[Tensor]) -> Result<Option<Launched>, Error> {
        for (stream, place) in &take.seeds {
            let seed = self.host.next_seed(*stream);
            self.drawn.add(*stream, seed);
            let bytes = Array::new(&[2], seed.to_vec());
            place.buffer()?.write(bytes.bytes().unwrap_or_default())?;
        }
        let began = take
            .journal
            .as_ref()
            .map(|journal| journal.begin(&*self.host));
        let began = began.transpose()?.unwrap_or_default();
        let assigned = take.assigned.iter();
        let assigned = assigned.map(|(at, output)| (*at, self.value(take, output, variables)));
        let assigned: Vec<(u32, Tensor)> = assigned.collect();
        let mark = take.mark.as_ref().filter(|_| !checks_each_call());
        let pending = match (&take.fault, mark) {
            (Some(word), Some(mark)) => {
                let before = Before {
                    inputs: self.given.to_vec(),
                    variables: variables.to_vec(),
                    seeds: self.drawn.clone(),
                };
                Some(Pending::new(self.program, word, mark, before))
            }
            _ => None,
        };
        let (last, mut news) = (self.last.clone(), Ok(true));
        let (mut read, mut void): (Option<Read>, _) = (None, Seeds::default());
        let is_done = self.commit(variables, &assigned, pending.as_ref(), || {
            // SAFETY: the recording's arena lives as long as the recording; inputs and variables have the addresses that they had when it was made, and are
            // kept until the launch is queued. Memory is freed in the order of the stream.
            unsafe { take.graph.launch() }?;
            if pending.is_some() {
                mark.map_or(Ok(()), |mark| mark.set())?;
            }
            // The GPU has work now, so it isn't idle while the host waits for the outcome of the launch before.
            news = last.map_or(Ok(true), |last| last.settle());
            let is_right = match &take.fault {
                _ if !matches!(news, Ok(true)) => false,
                Some(word) if pending.is_none() => !take_word(word)?,
                _ => true,
            };
            let Some(journal) = take.journal.as_ref().filter(|_| is_right) else {
                return Ok(is_right);
            };
            let left = read.insert(journal.read(&began)?);
            Ok(!left.is_full && left.take_seeds(&*self.host, &mut void))
        })?;
        self.is_full = read.as_ref().is_some_and(|read| read.is_full);
        if !matches!(news, Ok(true)) {
            self.forget(take)?;
            self.wrong = news.err();
            return Ok(None);
        }
        if !is_done {
            self.drawn.extend(void);
            return Ok(None);
        }
        *self.last = pending.clone();
        let all = |outputs: &[Output]| -> Vec<Tensor> {
            let outputs = outputs.iter();
            outputs
                .map(|output| self.value(take, output, variables))
                .collect()
        };
        let results = all(&take.outputs);
        let entries = take.journal.as_ref().zip(read.as_ref());
        let entries = entries.map(|(journal, read)| journal.entries(read));
        let mut entries = entries.transpose()?.unwrap_or_default();
        let told = Later::in_order(&take.told, &mut entries, all);
        Ok(Some(Launched {
            results,
            told,
            pending,
        }))
    }

    /// Forgets a launch that has read what a wrong one left: its values are void, and so is what its kernels found wrong.
    fn forget(&mut self, take: &Take) -> Result<(), Failed> {
        self.program.kernels.gpu().wait()?;
        if let Some(word) = &take.fault {
            word.clear();
        }
        *self.last = None;
        Ok(())
    }

    /// Does some work and assigns values to variables, if the variables still have the values `before`. If it is `pending` whether the work was right, the
    /// values may be wrong. No other thread reads or writes the variables meanwhile. Returns whether it was done.
    fn commit(
        &self,
        before: &[Tensor],
        assigned: &[(u32, Tensor)],
        pending: Option<&Arc<Pending>>,
        work: impl FnOnce() -> Result<bool, Failed>,
    ) -> Result<bool, Error> {
        let positions = 0..before.len() as u32;
        let places: Result<Vec<(u32, &Place)>, Error> = positions
            .map(|position| Ok((position, self.place(position)?)))
            .collect();
        let mut places = places?;
        // All threads take locks in the same order.
        places.sort_by_key(|(_, place)| std::ptr::from_ref(*place).addr());
        let gpu = self.program.kernels.gpu();
        let mut work = Some(work);
        nested(&places, Vec::new(), &mut |mut held| {
            for (position, value) in &held {
                let address = before[*position as usize].buffer()?.address();
                if address_now(gpu, value) != Some(address) {
                    return Ok(false);
                }
            }
            let is_done = work.take().map_or(Ok(false), |work| work())?;
            if is_done {
                for (position, value) in assigned {
                    let place = held.iter_mut().find(|(at, _)| at == position);
                    if let Some((_, held)) = place {
                        let doubt = |launch: &Arc<Pending>| -> Box<dyn Doubt> {
                            let (launch, variable) = (launch.clone(), Some(*position));
                            Box::new(OfLaunch { launch, variable })
                        };
                        let (value, device) = (value.clone(), self.program.device);
                        **held = Held::doubted(value, device, pending.map(doubt));
                    }
                }
            }
            Ok(is_done)
        })
    }
}

/// Variables that are locked, with their positions.
type Locked<'a> = Vec<(u32, &'a mut Storage)>;

/// Locks places, one after the other, and calls `f` with their values.
fn nested<T>(places: &[(u32, &Place)], held: Locked<'_>, f: &mut dyn FnMut(Locked<'_>) -> T) -> T {
    match places.split_first() {
        None => f(held),
        Some(((position, place), rest)) => place.write(|value| {
            let mut held: Locked<'_> = held;
            held.push((*position, value));
            nested(rest, held, f)
        }),
    }
}

/// Why a program isn't recorded.
fn refused(reason: &str) -> Error {
    Error::run(reason, Location::unknown())
}
