//! Which writer gets the summaries of a thread: the thread's own, or else the one for all threads. Runs ask through their host; programs set
//! it through [`summary`](crate::summary).

use std::cell::RefCell;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use graph_formats::events::{EventFile, session_end, summary_value};
use graph_kernels::Array;

use crate::graph::Summary;

/// A file of events that several handles and threads write.
#[derive(Debug)]
pub(crate) struct Sink {
    file: Mutex<EventFile>,
    /// Whether hyperparameters were written: then the end of the run is, too.
    pub has_session: AtomicBool,
}

impl Sink {
    pub fn new(file: EventFile) -> Sink {
        Sink {
            file: Mutex::new(file),
            has_session: AtomicBool::new(false),
        }
    }

    pub fn file(&self) -> MutexGuard<'_, EventFile> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn write(&self, summary: &Summary, value: &Array, step: i64) -> io::Result<()> {
        let value = summary_value(summary, value)?;
        self.file().write_value(step, value)
    }
}

impl Drop for Sink {
    /// An error has nobody to go to here; [`Writer::flush`](crate::summary::Writer::flush) returns it.
    fn drop(&mut self) {
        let failed = std::thread::panicking();
        let mut file = self.file();
        if self.has_session.load(Ordering::Relaxed) {
            let _ = file.write_value(0, session_end(failed));
        }
        let _ = file.flush();
    }
}

/// The writer for all threads that have none of their own.
static EVERYWHERE: RwLock<Option<Arc<Sink>>> = RwLock::new(None);
/// Whether there is one.
static IS_EVERYWHERE: AtomicBool = AtomicBool::new(false);

/// The settings of a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Here {
    /// Its own writer.
    pub sink: Option<Arc<Sink>>,
    /// Whether nothing is written, whatever writer there is.
    pub paused: bool,
}

thread_local! {
    static HERE: RefCell<Here> = RefCell::default();
}

/// Sets the writer for all threads that have none of their own.
pub(crate) fn set_everywhere(sink: Option<Arc<Sink>>) {
    IS_EVERYWHERE.store(sink.is_some(), Ordering::Relaxed);
    let mut held = EVERYWHERE.write().unwrap_or_else(PoisonError::into_inner);
    // The old one may be written to the disk when it is dropped, which needs no lock.
    let old = std::mem::replace(&mut *held, sink);
    drop(held);
    drop(old);
}

/// Replaces the settings of this thread.
pub(crate) fn replace_here(here: Here) -> Here {
    HERE.replace(here)
}

/// The settings of this thread.
pub(crate) fn here() -> Here {
    HERE.with_borrow(Here::clone)
}

/// Whether this thread writes summaries now.
pub(crate) fn writes() -> bool {
    HERE.with_borrow(|here| {
        !here.paused && (here.sink.is_some() || IS_EVERYWHERE.load(Ordering::Relaxed))
    })
}

/// Writes a summary, if this thread writes any now.
///
/// # Errors
/// If the value isn't of the kind, or the file can't be written.
pub(crate) fn write(summary: &Summary, value: &Array, step: i64) -> io::Result<()> {
    if !writes() {
        return Ok(());
    }
    let everywhere = || {
        EVERYWHERE
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    };
    match here().sink.or_else(everywhere) {
        Some(sink) => sink.write(summary, value, step),
        None => Ok(()),
    }
}
