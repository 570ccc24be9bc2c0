//! The traces of one function by signature. A signature seen before is found under a lock that only writers exclude each other
//! from; a new one is reserved by the thread that traces it, and whoever needs the same one waits. Traces that nobody has used for
//! longest make room for new ones. What a signature is, and which trace serves which, the caller says: this file knows threads.

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
    /// The keys being traced now, by which thread, and the traces' numbers; a thread that needs one of them waits.
    tracing: Mutex<Vec<(K, ThreadId, u64)>>,
    traced: Condvar,
}

struct Traces<K, V> {
    /// Each trace under its own key, and under those of the calls that it served otherwise.
    by_key: FxHashMap<K, Arc<Entry<K, V>>>,
    in_order: Vec<Arc<Entry<K, V>>>,
    /// How many traces were kept so far: the time by which use is told.
    time: u64,
}

/// A trace and its key.
pub(super) struct Entry<K, V> {
    pub key: K,
    pub trace: Arc<V>,
    used: AtomicU64,
}

/// What a look for a key finds.
pub(super) enum Found<'a, K: Clone + Eq + Hash, V> {
    Trace(Arc<V>),
    Nothing(Box<Reservation<'a, K, V>>),
}

/// The right to trace a key, given up when dropped: after the trace is kept, or when tracing fails or panics.
pub(super) struct Reservation<'a, K: Clone + Eq + Hash, V> {
    cache: &'a Cache<K, V>,
    waits: &'a Waits,
    /// The number of the trace.
    trace: u64,
    /// What is traced.
    pub key: K,
    /// What was asked for.
    asked: K,
}

/// A thread needs the trace of a key to make the trace of that same key.
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
    /// The trace that serves a key, if it was made for it or has served it before.
    pub fn find(&self, key: &K) -> Option<Arc<V>> {
        let traces = self.traces.read().unwrap_or_else(PoisonError::into_inner);
        let entry = traces.by_key.get(key)?;
        // Written once between two new traces, so that readers don't fight over the line.
        if entry.used.load(Ordering::Relaxed) != traces.time {
            entry.used.store(traces.time, Ordering::Relaxed);
        }
        Some(entry.trace.clone())
    }

    /// Finds the trace for a key, or reserves the right to make it. `choose` says which of the traces there are serves the key
    /// (this is then remembered), or else which key to trace. Waits while another thread traces that, unless the wait would be mutual:
    /// two traces of one key are harmless, the first kept wins.
    pub fn find_or_reserve<'a>(
        &'a self,
        key: &K,
        waits: &'a Waits,
        choose: impl Fn(&[Arc<Entry<K, V>>]) -> Result<Arc<Entry<K, V>>, Box<K>>,
    ) -> Result<Found<'a, K, V>, Recursion> {
        let me = current();
        let mut tracing = self.tracing.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(found) = self.find(key) {
                return Ok(Found::Trace(found));
            }
            // A statement of its own: the lock is free again when the choice is remembered.
            let choice = choose(&self.read().in_order);
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
        let entries = &self.read().in_order;
        entries.iter().map(|entry| entry.trace.clone()).collect()
    }

    /// Remembers what serves a key. There are at most as many such keys as traces may be, and a few for each function.
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

/// How many keys of calls are remembered that the trace of another key serves (as many as in TensorFlow).
const REMEMBERED: usize = 1024;

impl<K: Clone + Eq + Hash, V> Reservation<'_, K, V> {
    /// Keeps a new trace, unless another thread was first, and drops the ones unused for longest if there are more than `limit`.
    /// Gives the trace to use, and whether one was dropped.
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
        traces.in_order.push(entry.clone());
        (entry.trace.clone(), dropped)
    }
}

impl<K: Clone + Eq + Hash, V> Traces<K, V> {
    /// Drops traces until there is room for one more among `limit`.
    fn make_room(&mut self, limit: usize) -> bool {
        let before = self.in_order.len();
        while !self.in_order.is_empty() && self.in_order.len() >= limit {
            let oldest = (0..self.in_order.len())
                .min_by_key(|i| self.in_order[*i].used.load(Ordering::Relaxed))
                .unwrap_or_default();
            let dropped = self.in_order.remove(oldest);
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
