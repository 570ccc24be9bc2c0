//! The threads beside the caller's. Helpers watch for the next piece of work for a while after the last one, so that the kernels of a
//! training step find them awake. One caller at a time has the helpers; another one, or a kernel within a kernel, works alone meanwhile.
//!
//! Why not rayon's pool: on two cores, a piece of work that comes 0 to 20 µs after the last one is begun by both threads within 1.5 µs here, and
//! within 2.2 to 2.6 µs there (`in_place_scope` with one `spawn`). If it comes after 50 µs, it takes 1.5 µs here and 16 µs there, because
//! rayon's threads sleep by then. Kernels of a training step take 20 to 500 µs, and some of them run on one thread.
//!
//! A job lives on the caller's stack, and helpers see it through a pointer. What keeps it alive for them is [`State`]: a helper enters a
//! job only while it has free seats, and the caller leaves only when no seat is left and no helper is inside.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::{PoisonError, TryLockError};

use super::sync::{
    Arc, AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Builder, Condvar, JoinHandle, Mutex,
    MutexGuard, Ordering, Patience,
};

/// A number of helper threads. They end when the team is dropped.
pub struct Team {
    shared: Arc<Shared>,
    helpers: Vec<JoinHandle<()>>,
    /// Held by the caller whose job the helpers do.
    turn: Mutex<()>,
}

/// What helpers and callers share.
struct Shared {
    /// The bits of a [`State`].
    state: AtomicU64,
    /// The job. It exists while the state has free seats or helpers inside.
    job: AtomicPtr<Job<'static>>,
    /// The number of helpers that sleep, or are about to.
    asleep: AtomicUsize,
    sleep: Mutex<()>,
    wake: Condvar,
    ended: AtomicBool,
}

struct Job<'a> {
    work: &'a (dyn Fn() + Sync),
    /// What a helper panicked with.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// The number of a job, the helpers that may still enter it, and those that are inside: 32, 16 and 16 bits.
#[derive(Clone, Copy)]
struct State(u64);

const INSIDE: u64 = 0xffff;
const SEAT: u64 = 0x1_0000;
const SEATS: u64 = INSIDE * SEAT;

impl State {
    fn new(job: u32, seats: u16) -> State {
        State((u64::from(job) << 32) | (u64::from(seats) * SEAT))
    }

    fn job(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// True if a helper that has done the job `last` can enter this one.
    fn is_open(self, last: u32) -> bool {
        self.0 & SEATS != 0 && self.job() != last
    }

    fn is_empty(self) -> bool {
        self.0 & INSIDE == 0
    }
}

impl Team {
    /// Starts `count` threads.
    ///
    /// # Errors
    /// If the operating system refuses one.
    pub fn start(count: usize) -> io::Result<Team> {
        let mut team = Team {
            shared: Arc::new(Shared {
                state: AtomicU64::new(0),
                job: AtomicPtr::new(ptr::null_mut()),
                asleep: AtomicUsize::new(0),
                sleep: Mutex::new(()),
                wake: Condvar::new(),
                ended: AtomicBool::new(false),
            }),
            helpers: Vec::new(),
            turn: Mutex::new(()),
        };
        for n in 0..count.min(usize::from(u16::MAX)) {
            let shared = team.shared.clone();
            let thread = Builder::new().name(format!("graph-kernels-{n}"));
            team.helpers.push(thread.spawn(move || shared.help())?);
        }
        Ok(team)
    }

    /// True if helpers watch for work, so that it can begin at once.
    pub fn is_awake(&self) -> bool {
        self.shared.asleep.load(Ordering::Relaxed) < self.helpers.len()
    }

    /// Calls `work` on this thread, and `help` on up to `most` helpers beside it. Returns when all have returned.
    ///
    /// # Panics
    /// If one of them does.
    pub fn run(&self, most: usize, work: impl FnOnce(), help: &(dyn Fn() + Sync)) {
        let _turn = match self.turn.try_lock() {
            Ok(turn) => turn,
            Err(TryLockError::Poisoned(turn)) => turn.into_inner(),
            Err(TryLockError::WouldBlock) => return work(),
        };
        let job = Job {
            work: help,
            panic: Mutex::new(None),
        };
        let open = self.shared.open(&job, most.min(self.helpers.len()) as u16);
        work();
        drop(open);
        if let Some(payload) = lock(&job.panic).take() {
            resume_unwind(payload);
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        self.shared.wake();
        for helper in self.helpers.drain(..) {
            // A helper catches what jobs panic with.
            let _ = helper.join();
        }
    }
}

/// A job that helpers can enter. Dropping it closes the job and waits for those that are inside.
struct Open<'a>(&'a Shared);

impl Shared {
    fn open<'a>(&'a self, job: &'a Job<'_>, seats: u16) -> Open<'a> {
        // Nobody else writes the state now: it has no seats, so no helper can enter, and none is inside.
        let number = State(self.state.load(Ordering::Relaxed)).job();
        let next = State::new(number.wrapping_add(1), seats);
        self.job
            .store(ptr::from_ref(job).cast_mut().cast(), Ordering::Relaxed);
        self.state.store(next.0, Ordering::SeqCst);
        // A helper counts itself asleep before it looks at the state for the last time.
        if self.asleep.load(Ordering::SeqCst) > 0 {
            self.wake();
        }
        Open(self)
    }

    fn wake(&self) {
        let _sleep = lock(&self.sleep);
        self.wake.notify_all();
    }

    /// What a helper does until the team ends.
    fn help(&self) {
        // The number before that of the first job.
        let mut last = 0;
        while let Some(job) = self.next(last) {
            last = job;
        }
    }

    /// Does the next job after `last`, and returns its number; `None` at the end.
    fn next(&self, last: u32) -> Option<u32> {
        let mut patience = Patience::new();
        loop {
            if self.ended.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(job) = self.enter(last) {
                return Some(job);
            }
            if !patience.wait() {
                self.sleep(last);
                patience = Patience::new();
            }
        }
    }

    /// Takes a seat of the job that is open, does it and leaves it; `None` if there is no seat.
    fn enter(&self, last: u32) -> Option<u32> {
        let state = State(self.state.load(Ordering::Acquire));
        if !state.is_open(last) {
            return None;
        }
        let inside = state.0 - SEAT + 1;
        let (success, failure) = (Ordering::AcqRel, Ordering::Relaxed);
        self.state
            .compare_exchange(state.0, inside, success, failure)
            .ok()?;
        // SAFETY: the pointer was stored before the state that offered the seat, and is that of a job that lives until no helper is inside:
        // `Open` waits for that, also when the caller panics. This helper is inside until the last line.
        let job = unsafe { &*self.job.load(Ordering::Relaxed) };
        if let Err(payload) = catch_unwind(AssertUnwindSafe(job.work)) {
            lock(&job.panic).get_or_insert(payload);
        }
        self.state.fetch_sub(1, Ordering::Release);
        Some(state.job())
    }

    /// Sleeps until a job that is not `last` is open, or the team ends.
    fn sleep(&self, last: u32) {
        let mut sleep = lock(&self.sleep);
        self.asleep.fetch_add(1, Ordering::SeqCst);
        while !self.ended.load(Ordering::SeqCst)
            && !State(self.state.load(Ordering::SeqCst)).is_open(last)
        {
            sleep = self
                .wake
                .wait(sleep)
                .unwrap_or_else(PoisonError::into_inner);
        }
        self.asleep.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.state.fetch_and(!SEATS, Ordering::Relaxed);
        let mut patience = Patience::new();
        while !State(self.0.state.load(Ordering::Acquire)).is_empty() {
            patience.wait();
        }
    }
}

/// Nobody panics while holding one of these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
