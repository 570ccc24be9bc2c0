//! Work split over threads, with the same bits for any number of threads: a kernel cuts its output into chunks by sizes of its own, never
//! by the number of threads, and each chunk depends only on its position. A thread takes the next chunk when it finishes one, so a thread
//! that loses its core delays only its own chunk. The threads are those of a [`team`].

mod sync;
#[allow(
    unsafe_code,
    reason = "helpers see a job that is on their caller's stack"
)]
mod team;

use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::available_parallelism;

use team::Team;

use crate::simd;

/// The threads that kernels run on: the caller's, and the team's.
struct Threads {
    count: usize,
    /// `count - 1` threads; `None` while only the caller works.
    team: Option<Arc<Team>>,
}

/// `None` until the first kernel or [`set_threads`] decides.
static THREADS: RwLock<Option<Threads>> = RwLock::new(None);

/// Work that takes fewer nanoseconds than this on one thread isn't split while the helpers sleep: waking one takes about 15 µs.
const WORTH_WAKING: usize = 50_000;

/// The same while helpers are awake: handing them work takes about 1.5 µs.
const WORTH_SPLITTING: usize = 10_000;

/// Lets kernels use `count` threads, including the caller's; 0 is taken as 1. Results don't depend on the number.
///
/// The default is the environment variable `RAYON_NUM_THREADS`, or else the number of CPUs that the process may use. If the operating
/// system refuses to start threads, kernels use only the caller's thread.
///
/// ```
/// graph_kernels::set_threads(2);
/// assert_eq!(graph_kernels::threads(), 2);
/// ```
#[doc(alias("set_num_threads"))]
pub fn set_threads(count: usize) {
    let new = Threads::start(count);
    *THREADS.write().unwrap_or_else(PoisonError::into_inner) = Some(new);
}

/// The number of threads that kernels may use: see [`set_threads`].
pub fn threads() -> usize {
    with_threads(|threads| threads.count)
}

impl Threads {
    fn start(count: usize) -> Threads {
        let team = match count {
            0 | 1 => None,
            _ => Team::start(count - 1).ok(),
        };
        Threads {
            count: if team.is_some() { count } else { 1 },
            team: team.map(Arc::new),
        }
    }

    fn default_count() -> usize {
        let wanted = std::env::var("RAYON_NUM_THREADS").ok();
        let wanted = wanted
            .and_then(|text| text.parse().ok())
            .filter(|count| *count > 0);
        wanted.unwrap_or_else(|| available_parallelism().map_or(1, NonZero::get))
    }
}

fn with_threads<R>(f: impl Fn(&Threads) -> R) -> R {
    if let Some(threads) = &*THREADS.read().unwrap_or_else(PoisonError::into_inner) {
        return f(threads);
    }
    let mut threads = THREADS.write().unwrap_or_else(PoisonError::into_inner);
    f(threads.get_or_insert_with(|| Threads::start(Threads::default_count())))
}

/// True if work that takes this long on one thread is split.
pub(crate) fn is_worth_splitting(nanoseconds: usize) -> bool {
    team_for(nanoseconds).is_some()
}

/// The helpers for work that takes this long on one thread; `None` if it isn't worth splitting.
fn team_for(nanoseconds: usize) -> Option<Arc<Team>> {
    if nanoseconds < WORTH_SPLITTING {
        return None;
    }
    with_threads(|threads| {
        let team = threads.team.as_ref()?;
        (nanoseconds >= WORTH_WAKING || team.is_awake()).then(|| team.clone())
    })
}

/// Calls `body` for every item, on several threads if the whole takes about `nanoseconds` on one and splitting is worth it. Items are
/// taken in order; which thread takes an item is undefined, so `body` must not depend on it.
pub(crate) fn for_each<I>(items: I, nanoseconds: usize, body: impl Fn(I::Item) + Sync)
where
    I: IntoIterator<IntoIter: Send, Item: Send>,
{
    // A kernel's code is long, so it is compiled once and not inlined into each of the loops below.
    let body: &(dyn Fn(I::Item) + Sync) = &body;
    let items = items.into_iter();
    let most = items.size_hint().1.unwrap_or(usize::MAX);
    let team = if most < 2 {
        None
    } else {
        team_for(nanoseconds)
    };
    let Some(team) = team else {
        return items.for_each(body);
    };
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(item) = next() {
            body(item);
        }
    };
    let level = simd::level();
    // The level is this thread's, and so supported.
    let help = || simd::with_level(level, &work).unwrap_or_default();
    team.run(most - 1, &work, &help);
}

/// [`for_each`] over the chunks of an output: `body` gets the offset of a chunk's first value, and the chunk. All chunks have `len`
/// values; the last one may have fewer.
pub(crate) fn for_each_chunk<T: Send>(
    out: &mut [T],
    len: usize,
    nanoseconds: usize,
    body: impl Fn(usize, &mut [T]) + Sync,
) {
    each_chunk(out, len.max(1), nanoseconds, &body);
}

/// Compiled once per type, not for each body.
fn each_chunk<T: Send>(
    out: &mut [T],
    len: usize,
    nanoseconds: usize,
    body: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    let chunks = out.chunks_mut(len).enumerate();
    for_each(chunks, nanoseconds, |(n, chunk)| body(n * len, chunk));
}

/// The result of `f` on `count` threads. Tests run concurrently, and the number is global, so each test waits for its turn.
#[cfg(test)]
pub(crate) fn on_threads<R>(count: usize, f: impl FnOnce() -> R) -> R {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    set_threads(count);
    f()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn every_chunk_is_visited_once_with_its_offset() {
        for count in [1, 2, 3] {
            let mut out = vec![0; 1003];
            on_threads(count, || {
                for_each_chunk(&mut out, 10, usize::MAX, |offset, chunk| {
                    for (n, o) in chunk.iter_mut().enumerate() {
                        *o += offset + n;
                    }
                });
            });
            assert_eq!(out, (0..1003).collect::<Vec<_>>());
        }
    }

    #[test]
    fn helpers_come_beside_the_caller_even_after_they_slept() {
        let team = Team::start(2).unwrap();
        for _ in 0..3 {
            // It opens only if three threads are at work at once.
            let barrier = Barrier::new(3);
            let seen = Mutex::new(HashSet::new());
            let work = || {
                barrier.wait();
                seen.lock().unwrap().insert(std::thread::current().id());
            };
            team.run(5, work, &work);
            assert_eq!(seen.lock().unwrap().len(), 3);
            while team.is_awake() {
                std::thread::yield_now();
            }
        }
    }

    #[test]
    fn a_kernel_within_a_kernel_works_alone() {
        let team = Team::start(1).unwrap();
        let (outer, inner) = (Mutex::new(0), Mutex::new(0));
        let within = || *inner.lock().unwrap() += 1;
        let work = || {
            *outer.lock().unwrap() += 1;
            team.run(1, within, &|| unreachable!("the helper is busy"));
        };
        team.run(1, work, &|| ());
        assert_eq!((*outer.lock().unwrap(), *inner.lock().unwrap()), (1, 1));
    }

    #[test]
    fn small_work_runs_on_the_callers_thread() {
        let seen = Mutex::new(HashSet::new());
        on_threads(2, || {
            for_each(0..100, WORTH_SPLITTING - 1, |_| {
                seen.lock().unwrap().insert(std::thread::current().id());
            });
        });
        assert_eq!(
            *seen.lock().unwrap(),
            HashSet::from([std::thread::current().id()])
        );
    }

    #[test]
    fn a_panic_in_a_chunk_reaches_the_caller() {
        let fails = || for_each(0..100, usize::MAX, |n| assert_ne!(n, 50, "chunk 50"));
        assert!(std::panic::catch_unwind(|| on_threads(2, fails)).is_err());
        let mut out = [0; 4];
        for_each_chunk(&mut out, 1, usize::MAX, |offset, chunk| chunk[0] = offset);
        assert_eq!(out, [0, 1, 2, 3]);
    }
}
