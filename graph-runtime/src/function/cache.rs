//! The traces of one function, by signature. A known signature is found under a lock that readers share. A new one is reserved by
//! the thread that traces it, and other threads that need it wait. The traces unused for longest are dropped to make room for new
//! ones. The caller defines what a signature is, which of them are of one family, and which trace of the family serves it; this file only
//! handles the threads.

use std::hash::Hash;
use std::sync::Arc;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

use super::waits::Waits;
use crate::sync::{Condvar, Mutex, RwLock, ThreadId, current};

/// The traces `V` by their keys.
pub(super) struct Cache<K, V> {
    traces: RwLock<Traces<K, V>>,
    /// The keys that are being traced, each with its thread and the trace's number. A thread that needs one of them waits.
    tracing: Mutex<Vec<(K, ThreadId, u64)>>,
    traced: Condvar,
}

struct Traces<K, V> {
    /// Each trace under its own key, and under the other keys that it has served.
    by_key: FxHashMap<K, Arc<Entry<K, V>>>,
    /// The traces, oldest first, each with its family.
    in_order: Vec<(u64, Arc<Entry<K, V>>)>,
    /// How many traces were kept so far. It is the clock that dates the last use of each trace.
    time: u64,
}

/// A trace and its key.
pub(super) struct Entry<K, V> {
    pub key: K,
    pub trace: Arc<V>,
    used: AtomicU64,
}

/// The result of looking up a key.
pub(super) enum Found<'a, K: Clone + Eq + Hash, V> {
    Trace(Arc<V>),
    Nothing(Box<Reservation<'a, K, V>>),
}

/// The right to trace a key. It is given up on drop: after the trace is kept, or when tracing fails or panics.
pub(super) struct Reservation<'a, K: Clone + Eq + Hash, V> {
    cache: &'a Cache<K, V>,
    waits: &'a Waits,
    /// The number of the trace.
    trace: u64,
    /// The key to trace.
    pub key: K,
    /// The key of the call, which the traced key covers.
    asked: K,
    /// The family of both keys.
    family: u64,
}

/// The error that tracing a key needs, on the same thread, the trace of that key.
#[derive(Debug)]
pub(super) struct Recursion;

impl<K: Clone + Eq + Hash, V> Default for Cache<K, V> {
    fn default() -> Self {
        let traces = Traces {
            by_key: FxHashMap::default(),
            in_order: Vec::new(),
            time: 0,
        };
        Cache {
            traces: RwLock::new(traces),
            tracing: Mutex::new(Vec::new()),
            traced: Condvar::new(),
        }
    }
}

impl<K: Clone + Eq + Hash, V> Cache<K, V> {
    /// The trace that serves a key, if it was made for the key or has served it before.
    pub fn find(&self, key: &K) -> Option<Arc<V>> {
        let traces = self.traces.read().unwrap_or_else(PoisonError::into_inner);
        let entry = traces.by_key.get(key)?;
        // Written at most once between two new traces, so that readers don't contend for the cache line.
        if entry.used.load(Ordering::Relaxed) != traces.time {
            entry.used.store(traces.time, Ordering::Relaxed);
        }
        Some(entry.trace.clone())
    }

    /// Finds the trace for a key, or reserves the right to make it. `choose` gets the existing traces of the key's family, and returns the
    /// one that serves the key (which is then remembered), or the key to trace. Waits while another thread traces that key, unless the two threads would wait for
    /// each other. In that case both trace it, which is harmless: the trace that is kept first is used.
    pub fn find_or_reserve<'a>(
        &'a self,
        (key, family): (&K, u64),
        waits: &'a Waits,
        choose: impl Fn(&[Arc<Entry<K, V>>]) -> Result<Arc<Entry<K, V>>, Box<K>>,
    ) -> Result<Found<'a, K, V>, Recursion> {
        let me = current();
        let mut tracing = self.tracing.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(found) = self.find(key) {
                return Ok(Found::Trace(found));
            }
            // A statement of its own, so that the lock is released before the choice is stored.
            let choice = choose(&self.read().of_family(family));
            let wanted = match choice {
                Ok(entry) => return Ok(Found::Trace(self.remember(key, entry))),
                Err(wanted) => wanted,
            };
            if tracing.iter().any(|(k, by, _)| *k == *wanted && *by == me) {
                return Err(Recursion);
            }
            let other = tracing.iter().find(|(k, ..)| *k == *wanted);
            let waiting = other.and_then(|(_, by, trace)| waits.begin(*by, *trace));
            let Some(waiting) = waiting else {
                let trace = waits.number();
                tracing.push(((*wanted).clone(), me, trace));
                return Ok(Found::Nothing(Box::new(Reservation {
                    cache: self,
                    waits,
                    trace,
                    key: *wanted,
                    asked: key.clone(),
                    family,
                })));
            };
            tracing = self
                .traced
                .wait(tracing)
                .unwrap_or_else(PoisonError::into_inner);
            drop(waiting);
        }
    }

    /// The traces, oldest first.
    pub fn in_order(&self) -> Vec<Arc<V>> {
        let traces = self.read();
        let entries = traces.in_order.iter();
        entries.map(|(_, entry)| entry.trace.clone()).collect()
    }

    /// Stores which trace serves a key. The number of keys is limited to the number of traces plus [`REMEMBERED`].
    fn remember(&self, key: &K, entry: Arc<Entry<K, V>>) -> Arc<V> {
        let mut traces = self.traces.write().unwrap_or_else(PoisonError::into_inner);
        if traces.by_key.len() >= traces.in_order.len() + REMEMBERED {
            traces.by_key.retain(|key, entry| entry.key == *key);
        }
        entry.used.store(traces.time, Ordering::Relaxed);
        traces.by_key.insert(key.clone(), entry.clone());
        entry.trace.clone()
    }

    fn read(&self) -> impl std::ops::Deref<Target = Traces<K, V>> + '_ {
        self.traces.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many keys are remembered that a trace of another key serves (TensorFlow's limit).
const REMEMBERED: usize = 1024;

impl<K: Clone + Eq + Hash, V> Reservation<'_, K, V> {
    /// Keeps a new trace, unless another thread has kept one for the key before. If there are more than `limit` traces, drops those
    /// unused for longest. Returns the trace to use, and whether one was dropped.
    pub fn keep(self, trace: V, limit: usize) -> (Arc<V>, bool) {
        let mut traces = self
            .cache
            .traces
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(first) = traces.by_key.get(&self.key).cloned() {
            return (first.trace.clone(), false);
        }
        traces.time += 1;
        let entry = Arc::new(Entry {
            key: self.key.clone(),
            trace: Arc::new(trace),
            used: AtomicU64::new(traces.time),
        });
        let dropped = traces.make_room(limit);
        for key in [&self.key, &self.asked] {
            traces.by_key.insert(key.clone(), entry.clone());
        }
        traces.in_order.push((self.family, entry.clone()));
        (entry.trace.clone(), dropped)
    }
}

impl<K: Clone + Eq + Hash, V> Traces<K, V> {
    /// The traces of a family, oldest first. The others aren't touched: there may be a thousand.
    fn of_family(&self, family: u64) -> Vec<Arc<Entry<K, V>>> {
        let of_it = self.in_order.iter().filter(|(of, _)| *of == family);
        of_it.map(|(_, entry)| entry.clone()).collect()
    }

    /// Drops traces until one more fits within `limit`.
    fn make_room(&mut self, limit: usize) -> bool {
        let before = self.in_order.len();
        while !self.in_order.is_empty() && self.in_order.len() >= limit {
            let oldest = (0..self.in_order.len())
                .min_by_key(|i| self.in_order[*i].1.used.load(Ordering::Relaxed))
                .unwrap_or_default();
            let (_, dropped) = self.in_order.remove(oldest);
            self.by_key.retain(|_, entry| !Arc::ptr_eq(entry, &dropped));
        }
        self.in_order.len() < before
    }
}

impl<K: Clone + Eq + Hash, V> Drop for Reservation<'_, K, V> {
    fn drop(&mut self) {
        let mut tracing = self
            .cache
            .tracing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        tracing.retain(|(.., trace)| *trace != self.trace);
        self.waits.end(self.trace);
        self.cache.traced.notify_all();
    }
}
