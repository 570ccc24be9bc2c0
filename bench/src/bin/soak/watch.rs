//! Watches the threads from outside: whether each makes progress, how much is done, and how much memory the process uses.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::actions::KINDS;

/// A thread that finishes nothing for this time is taken to hang.
const FOREVER: Duration = Duration::from_secs(300);
/// By how many KiB the peak of the last quarter may exceed that of the second one. The allocator keeps arenas for each thread.
const MAY_GROW: usize = 32 * 1024;
/// The time in which traces and the allocator's arenas still grow.
const WARM: Duration = Duration::from_secs(300);
/// The minimum number of memory samples.
const SAMPLES: u32 = 100;

/// How often each kind of action was done.
type Counts = [AtomicU64; KINDS.len()];

/// The state of the run as the watching thread sees it.
pub struct Watch {
    start: Instant,
    time: Duration,
    /// How often each kind must be done, and how often it was done.
    wanted: [u64; KINDS.len()],
    done: Counts,
    /// The progress of each thread.
    threads: Vec<Progress>,
    running: AtomicUsize,
    /// Samples of the time and the memory in KiB.
    memory: Mutex<Vec<(Duration, usize)>>,
    panicked: AtomicBool,
}

/// The progress of a thread.
#[derive(Default)]
struct Progress {
    /// The kind of its action, as an index of `KINDS`.
    kind: AtomicUsize,
    actions: AtomicU64,
}

impl Watch {
    pub fn new(wanted: [u64; KINDS.len()], time: Duration, threads: usize) -> Watch {
        Watch {
            start: Instant::now(),
            time,
            wanted,
            done: Counts::default(),
            threads: (0..threads).map(|_| Progress::default()).collect(),
            running: AtomicUsize::new(threads),
            memory: Mutex::default(),
            panicked: AtomicBool::new(false),
        }
    }

    /// Whether a thread should do another action.
    pub fn goes_on(&self) -> bool {
        let few = |(done, wanted): (&AtomicU64, &u64)| done.load(Ordering::Relaxed) < *wanted;
        let missing = self.done.iter().zip(&self.wanted).any(few);
        !self.panicked.load(Ordering::Relaxed) && (missing || self.start.elapsed() < self.time)
    }

    pub fn begins(&self, thread: usize, kind: usize) {
        self.threads[thread].kind.store(kind, Ordering::Relaxed);
    }

    pub fn ends(&self, thread: usize, kind: usize) {
        self.done[kind].fetch_add(1, Ordering::Relaxed);
        self.threads[thread].actions.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that a thread has ended. If it panicked, the other threads stop, too.
    pub fn is_done(&self) {
        if std::thread::panicking() {
            self.panicked.store(true, Ordering::Relaxed);
        }
        self.running.fetch_sub(1, Ordering::Relaxed);
    }

    /// Samples the memory until no thread runs. Ends the process if a thread hangs, after printing its name and its action.
    pub fn look_until_all_are_done(&self) {
        let pause = (self.time / SAMPLES).clamp(Duration::from_millis(20), Duration::from_secs(10));
        let mut last: Vec<_> = self.threads.iter().map(|_| (0, Instant::now())).collect();
        while self.running.load(Ordering::Relaxed) > 0 {
            std::thread::sleep(pause);
            self.sample();
            for (number, (seen, since)) in last.iter_mut().enumerate() {
                let actions = self.threads[number].actions.load(Ordering::Relaxed);
                if actions != *seen {
                    (*seen, *since) = (actions, Instant::now());
                }
            }
            if self.running.load(Ordering::Relaxed) == self.threads.len() {
                self.end_if_somebody_waits(&last);
            }
        }
        self.sample();
    }

    fn end_if_somebody_waits(&self, last: &[(u64, Instant)]) {
        let waiting: Vec<String> = (last.iter().enumerate())
            .filter(|(_, (_, since))| since.elapsed() > FOREVER)
            .map(|(number, (actions, _))| {
                let kind = KINDS[self.threads[number].kind.load(Ordering::Relaxed)].name;
                format!("worker {number}, at \"{kind}\" after {actions} actions")
            })
            .collect();
        if !waiting.is_empty() {
            eprintln!(
                "FAILED: no progress for {FOREVER:?}: {}",
                waiting.join("; ")
            );
            std::process::exit(1);
        }
    }

    fn sample(&self) {
        if let Some(kib) = resident() {
            let mut memory = self.memory.lock().expect("nobody panics here");
            memory.push((self.start.elapsed(), kib));
        }
    }

    /// Prints what was done. Returns by how many KiB memory grew, if that is too much.
    pub fn report(&self) -> Option<usize> {
        let seconds = self.start.elapsed().as_secs_f64();
        println!("{} threads, {seconds:.0} s", self.threads.len());
        for (kind, done) in KINDS.iter().zip(&self.done) {
            println!("{:>12} {}", done.load(Ordering::Relaxed), kind.name);
        }
        let memory = self.memory.lock().expect("nobody panics here");
        let line: Vec<String> = (0..=10)
            .filter_map(|tenth| memory.get(tenth * memory.len().saturating_sub(1) / 10))
            .map(|(time, kib)| format!("{:.0} s: {:.1}", time.as_secs_f64(), *kib as f64 / 1024.0))
            .collect();
        println!("memory in MiB at {}", line.join(", "));
        let most = |samples: &[(Duration, usize)]| samples.iter().map(|(_, kib)| *kib).max();
        let (second, last) = (memory.len() / 4, memory.len() * 3 / 4);
        let before = most(memory.get(second..second * 2)?)?;
        let after = most(memory.get(last..)?)?;
        let grown = after.saturating_sub(before);
        println!("the peaks of the second and of the last quarter: {before} and {after} KiB");
        (grown > MAY_GROW && self.start.elapsed() > 4 * WARM).then_some(grown)
    }
}

/// The memory of the process in KiB, if the system tells it.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
