//! Runs that were recorded: the second run of a program rehearses, the third is recorded as a CUDA graph, and later ones are one launch of it.
//!
//! What is recorded has fixed addresses. So a recording serves runs whose inputs and variables lie where they lay then, and while nobody holds its
//! results. A training step, for example, has two recordings: each reads the variables that the other has written. So that it doesn't need more, a
//! new recording uses the memory of earlier ones, if nobody holds their results. A program that waits for a
//! value or iterates isn't recorded.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use graph_ir::device::{Host, Place, Storage};
use graph_ir::error::{Error, Location};
use graph_kernels::{Array, DType, Dims};

use super::GpuProgram;
use super::effects::Told;
use super::run::{Kept, Run};
use super::seeds::Listens;
use crate::driver::{Arena, Buffer, Failed, Fault, Graph, Recording, recording, take_word};
use crate::value::{Held, Tensor, Value, brought};

/// The most recordings of a program.
const MOST: usize = 8;
/// A program that was recorded so often is not recorded again, because its inputs lie elsewhere each time.
const MOST_ATTEMPTS: u32 = 32;
/// Rehearsals, recordings and launches begin with this run. The first one compiles kernels.
const FIRST: u32 = 1;

/// The recordings of a program.
#[derive(Default)]
pub struct Recorded(Mutex<State>);

#[derive(Default)]
struct State {
    runs: u32,
    attempts: u32,
    /// Set when the program can't be recorded.
    is_refused: bool,
    /// The bytes that the buffers of a run need, if it was rehearsed.
    bytes: Option<usize>,
    recordings: Vec<Take>,
}

/// Where an input or a variable lies. A value that the host knows is a part of the kernels' parameters.
#[derive(Clone, PartialEq)]
enum Lies {
    At(u64),
    Known(Vec<u8>),
}

/// A recording.
struct Take {
    graph: Graph,
    inputs: Vec<Lies>,
    variables: Vec<Lies>,
    made: Buffers,
    outputs: Vec<Output>,
    /// The values that are assigned to variables.
    assigned: Vec<(u32, Output)>,
    /// What the host is told after a launch: the positions of the instructions, and their operands.
    told: Vec<(usize, Vec<Output>)>,
    seeds: Vec<(Option<i64>, Tensor)>,
    /// The word that kernels set if an operand is wrong.
    fault: Option<Arc<Buffer>>,
    /// The memory of the recorded work, which it may share with other recordings: launches run one after the other.
    memory: Arc<Buffer>,
    /// The parts of the memory that this recording uses.
    _arena: Arc<Arena>,
}

/// The memory of the values that a recording gives, each part once, so that its references tell whether somebody else holds it.
#[derive(Default)]
struct Buffers(Vec<Arc<Buffer>>);

/// A value that a recording gives.
enum Output {
    /// The work computes it; the number is that of its buffer.
    Made(DType, Dims, usize),
    /// An input.
    Input(usize),
    /// The value of a variable before the launch.
    Variable(usize),
    /// It is the same for each launch.
    Known(Tensor),
}

impl Buffers {
    /// The number of a buffer.
    fn number(&mut self, buffer: &Arc<Buffer>) -> usize {
        let known = self.0.iter().position(|other| Arc::ptr_eq(other, buffer));
        known.unwrap_or_else(|| {
            self.0.push(buffer.clone());
            self.0.len() - 1
        })
    }
}

impl Take {
    /// Whether nobody holds a value of the last launch.
    fn is_free(&self) -> bool {
        let mut buffers = self.made.0.iter();
        buffers.all(|buffer| Arc::strong_count(buffer) == 1)
    }
}

impl State {
    /// Whether nobody holds a value in some memory.
    fn is_free(&self, memory: &Arc<Buffer>) -> bool {
        let sharing = self.recordings.iter();
        let mut sharing = sharing.filter(|take| Arc::ptr_eq(&take.memory, memory));
        sharing.all(Take::is_free)
    }

    /// The memory of recordings whose values nobody holds.
    fn free_memory(&self) -> Option<Arc<Buffer>> {
        let mut memories = self.recordings.iter().map(|take| &take.memory);
        memories.find(|memory| self.is_free(memory)).cloned()
    }
}

impl Lies {
    fn of(value: &Tensor) -> Result<Lies, Failed> {
        match value.known().and_then(|array| array.bytes()) {
            Some(bytes) => Ok(Lies::Known(bytes.to_vec())),
            None => Ok(Lies::At(value.buffer()?.address())),
        }
    }
}

/// What a launch, or a rehearsal, has done.
struct Launched {
    results: Vec<Tensor>,
    /// What the host is told now.
    told: Vec<Told>,
}

/// What becomes of a run.
pub enum Outcome {
    /// It is done: its results.
    Done(Vec<Tensor>),
    /// It must be done in the ordinary way. These seeds were drawn for it already.
    Ordinary(VecDeque<[i64; 2]>),
}

impl Outcome {
    fn ordinary() -> Outcome {
        Outcome::Ordinary(VecDeque::new())
    }
}

impl Recorded {
    /// Runs the program by a recording, or records it.
    ///
    /// # Errors
    /// If the driver fails.
    pub fn launch(
        &self,
        program: &GpuProgram,
        inputs: &[Tensor],
        host: &mut dyn Host,
    ) -> Result<Outcome, Error> {
        // Another thread that runs the program meanwhile does so in the ordinary way.
        let mut state = match self.0.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(Outcome::ordinary()),
        };
        state.runs = state.runs.saturating_add(1);
        if state.is_refused || state.runs <= FIRST {
            return Ok(Outcome::ordinary());
        }
        let mut now = Now {
            program,
            inputs,
            host,
            drawn: VecDeque::new(),
        };
        match now.run(&mut state) {
            Ok(Some(Launched { results, told })) => {
                for told in told {
                    told.tell(&program.plan, now.host)?;
                }
                return Ok(Outcome::Done(results));
            }
            Ok(None) => {}
            Err(reason) => {
                log::debug!("a program isn't recorded: {reason}");
                state.is_refused = true;
                state.recordings.clear();
            }
        }
        Ok(Outcome::Ordinary(now.drawn))
    }

    /// Frees the recordings and their memory.
    pub fn clear(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.recordings.clear();
    }
}

/// One call of a program that can be recorded.
struct Now<'a> {
    program: &'a GpuProgram,
    inputs: &'a [Tensor],
    host: &'a mut dyn Host,
    /// The seeds that were drawn.
    drawn: VecDeque<[i64; 2]>,
}

impl Now<'_> {
    /// What was done; `None` if this call must run in the ordinary way.
    ///
    /// # Errors
    /// If the program can't be recorded at all.
    fn run(&mut self, state: &mut State) -> Result<Option<Launched>, Error> {
        let variables = self.variables()?;
        let lie = |values: &[Tensor]| values.iter().map(Lies::of).collect::<Result<Vec<_>, _>>();
        let (at_inputs, at_variables) = (lie(self.inputs)?, lie(&variables)?);
        let fits = |take: &&Take| {
            take.inputs == at_inputs
                && take.variables == at_variables
                && state.is_free(&take.memory)
        };
        if let Some(take) = state.recordings.iter().find(fits) {
            return self.launch(take, &variables);
        }
        let Some(bytes) = state.bytes else {
            return self.rehearse(state, variables);
        };
        state.attempts += 1;
        if state.attempts > MOST_ATTEMPTS {
            return Ok(None);
        }
        if state.recordings.len() >= MOST {
            match state.recordings.iter().position(Take::is_free) {
                Some(oldest) => drop(state.recordings.remove(oldest)),
                None => return Ok(None),
            }
        }
        let gpu = self.program.kernels.gpu();
        let memory = match state.free_memory() {
            Some(memory) => memory,
            None => Arc::new(Buffer::new(gpu, bytes)?),
        };
        let recorded = self.record(memory, &variables, at_inputs, at_variables);
        let take = match recorded {
            Ok(take) => take,
            Err(_) if state.attempts == 1 => {
                // Perhaps the arena was too small, for its free parts don't fit together.
                state.bytes = Some(bytes * 2);
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let results = self.launch(&take, &variables)?;
        state.recordings.push(take);
        Ok(results)
    }

    /// The values of the program's variables, as the GPU alone knows them.
    fn variables(&self) -> Result<Vec<Tensor>, Error> {
        let gpu = self.program.kernels.gpu();
        let positions = 0..self.program.plan.variables.len() as u32;
        positions
            .map(|position| {
                let value = self.place(position)?.read();
                if value.device() != self.program.device {
                    return Err(refused("a variable lies elsewhere"));
                }
                Ok(brought(gpu, &value)?.on_gpu_only()?)
            })
            .collect()
    }

    fn place(&self, position: u32) -> Result<&Place, Error> {
        let place = self.host.variable(position);
        place.ok_or_else(|| refused("the host has lost a variable"))
    }

    /// Runs as a recording would, and measures the memory that it takes.
    fn rehearse(
        &mut self,
        state: &mut State,
        variables: Vec<Tensor>,
    ) -> Result<Option<Launched>, Error> {
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
        state.bytes = Some(bytes + bytes / 4 + (1 << 20));
        let assigned = kept.assigned.iter().map(|position| {
            let value = kept.variables[*position as usize].clone();
            (*position, value)
        });
        let assigned: Vec<(u32, Tensor)> = assigned.collect();
        let is_done = self.commit(&variables, &assigned, || Ok(true))?;
        let told = kept.told;
        Ok(is_done.then_some(Launched { results, told }))
    }

    /// Records the work of a run.
    fn record(
        &mut self,
        memory: Arc<Buffer>,
        variables: &[Tensor],
        at_inputs: Vec<Lies>,
        at_variables: Vec<Lies>,
    ) -> Result<Take, Error> {
        let gpu = self.program.kernels.gpu();
        let arena = Arc::new(Arena::new(memory.clone()));
        let fault = Fault::new(gpu)?;
        let kept = Kept {
            variables: variables.to_vec(),
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
        let told = kept.told.iter().map(|told| {
            let values = told.values.iter().map(&mut output);
            Ok((told.at, values.collect::<Result<_, _>>()?))
        });
        let told = told.collect::<Result<_, Error>>()?;
        let take = Take {
            graph,
            inputs: at_inputs,
            variables: at_variables,
            made,
            outputs,
            assigned,
            told,
            seeds: kept.seeds,
            fault: (fault.launches() > 0).then(|| fault.word().clone()),
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

    /// A value of a launch: a new handle, which knows nothing of earlier launches.
    fn value(&self, take: &Take, output: &Output, variables: &[Tensor]) -> Tensor {
        match output {
            Output::Made(dtype, shape, number) => {
                Value::computed(*dtype, shape, take.made.0[*number].clone())
            }
            Output::Input(i) => self.inputs[*i].clone(),
            Output::Variable(i) => variables[*i].clone(),
            Output::Known(value) => value.clone(),
        }
    }

    /// Launches a recording.
    fn launch(&mut self, take: &Take, variables: &[Tensor]) -> Result<Option<Launched>, Error> {
        for (stream, place) in &take.seeds {
            let seed = self.host.next_seed(*stream);
            self.drawn.push_back(seed);
            let bytes = Array::new(&[2], seed.to_vec());
            place.buffer()?.write(bytes.bytes().unwrap_or_default())?;
        }
        let assigned = take.assigned.iter();
        let assigned = assigned.map(|(at, output)| (*at, self.value(take, output, variables)));
        let assigned: Vec<(u32, Tensor)> = assigned.collect();
        let is_done = self.commit(variables, &assigned, || {
            // SAFETY: the recording's arena lives as long as the recording; inputs and variables lie where they lay when it was made, and are
            // kept until the launch is queued. Memory is freed in the order of the stream.
            unsafe { take.graph.launch() }?;
            match &take.fault {
                Some(word) => Ok(!take_word(word)?),
                None => Ok(true),
            }
        })?;
        if !is_done {
            return Ok(None);
        }
        let all = |outputs: &[Output]| -> Vec<Tensor> {
            let outputs = outputs.iter();
            outputs
                .map(|output| self.value(take, output, variables))
                .collect()
        };
        let results = all(&take.outputs);
        let told = take.told.iter().map(|(at, outputs)| Told {
            at: *at,
            values: all(outputs),
        });
        let told = told.collect();
        Ok(Some(Launched { results, told }))
    }

    /// Does some work and assigns values to variables, if the variables still have the values `before`. No other thread reads or writes them
    /// meanwhile. Returns whether it was done.
    fn commit(
        &self,
        before: &[Tensor],
        assigned: &[(u32, Tensor)],
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
                let buffer = brought(gpu, value)?.buffer()?.address();
                if buffer != before[*position as usize].buffer()?.address() {
                    return Ok(false);
                }
            }
            let is_done = work.take().map_or(Ok(false), |work| work())?;
            if is_done {
                for (position, value) in assigned {
                    let place = held.iter_mut().find(|(at, _)| at == position);
                    if let Some((_, held)) = place {
                        **held = Held::storage(value.clone(), self.program.device);
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
