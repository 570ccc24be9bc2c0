//! A block: its threads run in turns until all wait, then barriers and collectives let them go on.

use super::context::Context;
use super::fault::Fault;
use super::order::Clock;
use super::races::Races;
use super::shared::Shared;
use super::thread::{State, Thread};
use super::{Launch, Manner, warp};

pub(crate) struct Block<'l, 'a> {
    launch: &'l mut Launch<'a>,
    threads: Vec<Thread>,
    shared: Shared,
    clock: Clock,
    races: Option<Races>,
}

impl<'l, 'a> Block<'l, 'a> {
    pub(crate) fn new(launch: &'l mut Launch<'a>) -> Self {
        let waits = launch.program.functions[launch.function].waits;
        // Threads that never wait run one after the other, in the same memory.
        let count = if waits { launch.geometry.threads() } else { 1 };
        let threads = (0..count).map(|_| Thread::new()).collect();
        let races = launch.manner.races.then(Races::default);
        Self {
            launch,
            threads,
            shared: Shared::default(),
            clock: Clock::default(),
            races,
        }
    }

    /// Runs the block at this position of the grid.
    pub(crate) fn run(&mut self, at: [u32; 3]) -> Result<(), Fault> {
        let Self {
            launch,
            threads,
            shared,
            clock,
            races,
        } = self;
        let geometry = launch.geometry;
        let count = geometry.threads();
        let bytes = geometry.declared_shared.next_multiple_of(16) + geometry.dynamic_shared;
        shared.start(bytes as usize);
        clock.start(count);
        let mut context = Context {
            program: launch.program,
            geometry,
            block: at,
            shared,
            clock,
            races: races.as_mut(),
            memory: launch.memory,
            conditions: launch.conditions,
            tally: launch.tally,
            lanes: u32::MAX,
            limit: launch.manner.limit,
        };
        let c = &mut context;
        if !launch.program.functions[launch.function].waits {
            let thread = &mut threads[0];
            for n in 0..count {
                let id = launch.manner.turn(n.into(), count.into()) as u32;
                thread.start(id, launch.function, launch.parameters, c);
                run_thread(thread, count, c)?;
            }
            return Ok(());
        }
        for (thread, id) in threads.iter_mut().zip(0..) {
            thread.start(id, launch.function, launch.parameters, c);
        }
        turns(threads, launch.manner, c)
    }
}

fn run_thread(thread: &mut Thread, count: u32, c: &mut Context<'_>) -> Result<(), Fault> {
    let lanes = (count - thread.id / 32 * 32).min(32);
    c.lanes = u32::MAX >> (32 - lanes);
    thread.run(c).map_err(|fault| fault.at(&thread.place(c)))
}

/// Lets all threads run, again and again, until they have ended.
fn turns(threads: &mut [Thread], manner: Manner, c: &mut Context<'_>) -> Result<(), Fault> {
    let count = threads.len() as u32;
    loop {
        for n in 0..count {
            let thread = &mut threads[manner.turn(n.into(), count.into()) as usize];
            if thread.state == State::Ready {
                run_thread(thread, count, c)?;
            }
        }
        if threads.iter().all(|t| t.state == State::Done) {
            return Ok(());
        }
        let mut moved = false;
        for (number, lanes) in threads.chunks_mut(32).enumerate() {
            moved |= warp::collectives(lanes, number, c)?;
        }
        if !moved {
            barrier(threads, c)?;
        }
    }
}

/// Lets all threads pass a barrier. All must have reached the same one.
fn barrier(threads: &mut [Thread], c: &mut Context<'_>) -> Result<(), Fault> {
    let first = threads
        .iter()
        .find(|t| matches!(t.state, State::AtBarrier { .. }))
        .or(threads.iter().find(|t| t.state != State::Done));
    let Some(first) = first else { return Ok(()) };
    let (state, at) = (first.state, position(first));
    if let Some(other) = threads
        .iter()
        .find(|t| t.state != state || position(t) != at)
    {
        let what = match (state, other.state) {
            (State::AtCollective { .. }, _) => "threads of a warp that it names don't take part",
            (_, State::Done) => "a thread has ended without the barrier",
            (_, State::AtCollective { .. }) => "a thread waits for its warp instead of the barrier",
            _ => "a thread waits at another barrier",
        };
        let place = first.place(c);
        return Err(Fault::failed(format!("{what}: {}", other.place(c))).at(&place));
    }
    if let State::AtCollective { .. } = state {
        let place = first.place(c);
        return Err(Fault::failed("threads of a warp that it names don't take part").at(&place));
    }
    c.synchronize();
    for thread in threads {
        thread.pass();
    }
    Ok(())
}

/// The function and the instruction at which a thread is.
pub(super) fn position(thread: &Thread) -> Option<(usize, usize)> {
    thread.activations.last().map(|f| (f.function, f.pc))
}

impl Thread {
    /// Goes on after the instruction at which it waits.
    pub(super) fn pass(&mut self) {
        if let Some(activation) = self.activations.last_mut() {
            activation.pc += 1;
        }
        self.state = State::Ready;
    }
}
