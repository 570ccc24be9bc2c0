//! Elements made ahead by a thread of their own, while those before are used.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use graph_kernels::Array;

use super::recipe::{Cook, Cursor, Element, Recipe};
use crate::error::{Error, Location};
use crate::graph::TensorType;

/// Up to so many elements ahead.
pub(super) struct Prefetch(pub Recipe, pub usize);

/// The channel's places are made when it is.
const MOST: usize = 1 << 16;

impl Cook for Prefetch {
    fn operands(&self) -> usize {
        self.0.operands()
    }
    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        self.0.types(operands)
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        let source = self.0.0.begin(operands, round)?;
        let (sender, receiver) = sync_channel(self.1.min(MOST));
        let thread = thread::Builder::new().name("prefetch".to_owned());
        thread
            .spawn(move || run(source, &sender))
            .map_err(|error| {
                Error::run(
                    format!("no thread to prefetch: {error}"),
                    Location::unknown(),
                )
            })?;
        Ok(Box::new(Ahead(receiver)))
    }
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        self.0.0.count(operands)
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "prefetch({}, {})", self.0, self.1)
    }
}

/// What the thread sends: an element or an error, or what it panicked with.
type Message = Result<Result<Element, Error>, Box<dyn Any + Send>>;

/// Sends elements until there are none, or nobody wants them.
fn run(mut source: Box<dyn Cursor>, sender: &SyncSender<Message>) {
    loop {
        let message = match catch_unwind(AssertUnwindSafe(|| source.next())) {
            Ok(Ok(None)) => return,
            Ok(Ok(Some(element))) => Ok(Ok(element)),
            Ok(Err(error)) => Ok(Err(error)),
            Err(panic) => Err(panic),
        };
        let last = !matches!(message, Ok(Ok(_)));
        if sender.send(message).is_err() || last {
            return;
        }
    }
}

/// Dropping it ends the thread, at the latest when its next element is ready.
struct Ahead(Receiver<Message>);

impl Cursor for Ahead {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        // Nothing comes any more once the thread has ended.
        let Ok(message) = self.0.recv() else {
            return Ok(None);
        };
        match message {
            Ok(element) => element.map(Some),
            // The thread's panic goes on here, as if there were no thread.
            Err(panic) => resume_unwind(panic),
        }
    }
}
