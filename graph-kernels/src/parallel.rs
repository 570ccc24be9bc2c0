//! Work split over threads, with the same bits for any number of threads: a kernel cuts its output into chunks by sizes of its own, never
//! by the number of threads, and each chunk depends only on its position. A thread takes the next chunk when it finishes one, so a thread
//! that loses its core delays only its own chunk.

use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::simd;

/// The threads that kernels run on: the caller's, and the pool's.
struct Threads {
    count: usize,
    /// `count - 1` threads; `None` while only the caller works.
    pool: Option<Arc<ThreadPool>>,
}

/// `None` until the first kernel or [`set_threads`] decides.
static THREADS: RwLock<Option<Threads>> = RwLock::new(None);

/// Work that takes fewer nanoseconds than this on one thread isn't split: waking another thread takes about 5 µs, and waiting for its end
/// takes as long again.
const WORTH_SPLITTING: usize = 50_000;

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
        let alone = Threads {
            count: 1,
            pool: None,
        };
        if count <= 1 {
            return alone;
        }
        let pool = ThreadPoolBuilder::new()
            .num_threads(count - 1)
            .thread_name(|n| format!("graph-kernels-{n}"));
        match pool.build() {
            Ok(pool) => Threads {
                count,
                pool: Some(Arc::new(pool)),
            },
            Err(_) => alone,
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
    nanoseconds >= WORTH_SPLITTING && threads() > 1
}

/// Calls `body` for every item, on several threads if the whole takes about `nanoseconds` on one and splitting is worth it. Items are
/// taken in order; which thread takes an item is undefined, so `body` must not depend on it.
pub(crate) fn for_each<I>(items: I, nanoseconds: usize, body: impl Fn(I::Item) + Sync)
where
    I: IntoIterator<IntoIter: Send, Item: Send>,
{
    // A kernel's code is long, so it is compiled once and not inlined into each of the loops below and into rayon's.
    let body: &(dyn Fn(I::Item) + Sync) = &body;
    let items = items.into_iter();
    let most = items.size_hint().1.unwrap_or(usize::MAX);
    let pool = if nanoseconds < WORTH_SPLITTING || most < 2 {
        None
    } else {
        with_threads(|threads| threads.pool.clone())
    };
    let Some(pool) = pool else {
        return items.for_each(body);
    };
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(item) = next() {
            body(item);
        }
    };
    with_helpers(&pool, most - 1, &work);
}

/// Does the work on this thread and on up to `most` others.
fn with_helpers(pool: &ThreadPool, most: usize, work: &(dyn Fn() + Sync)) {
    let level = simd::level();
    // The level is this thread's, and so supported.
    let help = || simd::with_level(level, work).unwrap_or_default();
    pool.in_place_scope(|scope| {
        (0..pool.current_num_threads().min(most)).for_each(|_| scope.spawn(|_| help()));
        work();
    });
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
    fn large_work_runs_on_two_threads_and_small_work_on_the_callers() {
        let seen = Mutex::new(HashSet::new());
        let note = || {
            let mut seen = seen.lock().unwrap();
            seen.insert(std::thread::current().id());
        };
        on_threads(2, || for_each(0..2, 0, |_| note()));
        assert_eq!(seen.lock().unwrap().len(), 1);
        // The barrier opens only if both items are being worked on at once.
        let barrier = Barrier::new(2);
        let meet = |_| {
            barrier.wait();
            note();
        };
        on_threads(2, || for_each(0..2, usize::MAX, meet));
        assert_eq!(seen.lock().unwrap().len(), 2);
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
