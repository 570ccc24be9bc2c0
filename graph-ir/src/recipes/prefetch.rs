//! Computes elements ahead in another thread, while earlier elements are being used.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use graph_kernels::Array;

use super::{Cursor, Element, PassThrough, Recipe};
use crate::error::{Error, Location};
use crate::print;
use crate::print::PrintTo;
use crate::sync::{Builder, Receiver, SyncSender, sync_channel};
use crate::types::TensorType;

/// Elements of which up to this many are computed ahead.
pub struct Prefetch(pub Recipe, pub usize);

/// The maximum capacity of the channel, which is allocated in advance.
const MAX_CAPACITY: usize = 1 << 16;

impl PassThrough for Prefetch {
    fn source(&self) -> &Recipe {
        &self.0
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        let source = self.0.0.begin(operands, round)?;
        let (sender, receiver) = sync_channel(self.1.min(MAX_CAPACITY));
        let thread = Builder::new().name("prefetch".to_owned());
        thread
            .spawn(move || run(source, &sender))
            .map_err(|error| {
                Error::run(
                    format!("no thread to prefetch: {error}"),
                    Location::unknown(),
                )
            })?;
        Ok(Box::new(Ahead(Some(receiver))))
    }
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        self.0.0.count(operands)
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "prefetch({}, {})", self.0, self.1)
    }
}

/// A message of the thread: an element, the end, an error, or the payload of a panic. It also has the texts that were printed for the element;
/// the receiving thread prints them.
struct Message {
    next: Result<Result<Option<Element>, Error>, Box<dyn Any + Send>>,
    prints: Vec<(String, PrintTo)>,
}

/// Sends elements until the end, or until the receiver is dropped.
fn run(mut source: Box<dyn Cursor>, sender: &SyncSender<Message>) {
    loop {
        let (next, prints) = print::postpone(|| catch_unwind(AssertUnwindSafe(|| source.next())));
        let last = !matches!(next, Ok(Ok(Some(_))));
        if sender.send(Message { next, prints }).is_err() || last {
            return;
        }
    }
}

/// The receiving side. Dropping it ends the thread, at the latest when its next element is ready. After the end or an error, no more elements
/// are requested.
struct Ahead(Option<Receiver<Message>>);

impl Cursor for Ahead {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        let Some(receiver) = &self.0 else {
            return Ok(None);
        };
        let Ok(Message { next, prints }) = receiver.recv() else {
            self.0 = None;
            let message = "the thread that prefetches has ended before its elements";
            return Err(Error::run(message, Location::unknown()));
        };
        if !matches!(next, Ok(Ok(Some(_)))) {
            self.0 = None;
        }
        for (text, to) in prints {
            print::write(&text, &to).map_err(|error| {
                Error::run(format!("can't print: {error}"), Location::unknown())
            })?;
        }
        // A panic of the thread continues here, as it would without a thread.
        next.unwrap_or_else(|panic| resume_unwind(panic))
    }
}
