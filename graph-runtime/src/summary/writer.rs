//! `Writer`: a file of events, and the choice of the writer that gets the summaries of graphs.

use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use graph_formats::events::{EventFile, HParam, experiment, graph_def, session_start};

use super::SummaryValue;
use crate::error::Location;
use crate::function::ConcreteFunction;
use crate::graph::{Summary, SummaryKind};
use crate::summaries::{self, Here, Sink};
use crate::trace;

/// Writes summaries to a new file in a folder. Clones write the same file; it is closed when the last one is dropped.
///
/// ```
/// use graph_runtime::{prelude::*, summary::Writer};
///
/// # fn main() -> std::io::Result<()> {
/// # let folder = std::env::temp_dir().join(format!("graph-writer-{}", std::process::id()));
/// let writer = Writer::new(folder.join("adam"))?;
/// writer.hparams(&[("rate", 0.01.into()), ("rule", "adam".into())], &["accuracy"])?;
/// for step in 0..3 {
///     writer.scalar("accuracy", 0.9 + 0.01 * step as f64, step)?;
/// }
/// writer.histogram("weights", random::with_seed(1).normal::<f32>(&[100]), 2)?;
/// writer.image("noise", random::with_seed(2).uniform::<f32>(&[1, 8, 8, 1]), 2)?;
/// writer.text("notes", "*learns* fast", 2)?;
/// writer.flush()?;
/// # std::fs::remove_dir_all(folder)
/// # }
/// ```
#[doc(alias("SummaryWriter", "create_file_writer"))]
#[derive(Clone, Debug)]
pub struct Writer(Arc<Sink>);

/// One method for each kind of summary.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $kind:ident;)*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// If the value isn't of the kind, is only known when a graph runs, or if the file can't be written.
        #[track_caller]
        pub fn $name(&self, tag: &str, value: impl SummaryValue, step: i64) -> io::Result<()> {
            self.write(SummaryKind::$kind, tag, &value, step)
        }
    )* };
}

impl Writer {
    /// Makes the folder, if it isn't there, and a new file in it. TensorBoard shows the files of one folder as one run, under the folder's name.
    ///
    /// # Errors
    /// If the folder or the file can't be made.
    pub fn new(folder: impl AsRef<Path>) -> io::Result<Writer> {
        let file = EventFile::create(folder.as_ref())?;
        Ok(Writer(Arc::new(Sink::new(file))))
    }

    /// Where the file is.
    pub fn path(&self) -> PathBuf {
        self.0.file().path().to_owned()
    }

    kinds! {
        /// Writes a number.
        scalar Scalar;
        /// Writes how the elements of a tensor are distributed. Infinities and NaNs aren't counted.
        histogram Histogram;
        /// Writes images, of shape `[n, height, width, channels]`; see [`summary_image!`](crate::summary_image).
        image Image;
        /// Writes text, which may be Markdown.
        text Text;
    }

    #[track_caller]
    fn write(
        &self,
        kind: SummaryKind,
        tag: &str,
        value: &dyn SummaryValue,
        step: i64,
    ) -> io::Result<()> {
        let value = value.tensor().read(&Location::caller());
        let value =
            trace::value_or_error(&value, &Location::caller()).and_then(|value| value.to_host());
        let summary = Summary {
            kind,
            tag: tag.to_owned(),
        };
        self.0
            .write(&summary, &*value.map_err(io::Error::other)?, step)
    }

    /// Writes the graph of a function, as it was traced, for the tab "Graphs". Branches and bodies of loops are boxes that expand in place.
    ///
    /// # Errors
    /// If the file can't be written.
    ///
    /// ```
    /// # use graph_runtime::{prelude::*, summary::Writer};
    /// #[graph_fn]
    /// fn collatz(mut n: Tensor<i64>) -> Tensor<i64> {
    ///     let mut steps = tensor(0);
    ///     while n != 1 {
    ///         n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
    ///         steps += 1;
    ///     }
    ///     steps
    /// }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = std::env::temp_dir().join(format!("graph-graph-{}", std::process::id()));
    /// let writer = Writer::new(&folder)?;
    /// writer.graph(&*collatz::concrete(TensorSpec::new(&[]))?)?;
    /// # Ok(std::fs::remove_dir_all(folder)?)
    /// # }
    /// ```
    pub fn graph(&self, function: &ConcreteFunction) -> io::Result<()> {
        self.0.file().write_graph(&graph_def(function.graph()))
    }

    /// Writes the hyperparameters of this run for the tab "HParams", and which scalars, by their tags, the tab compares. The run ends for it
    /// when the last clone of the writer is dropped; if that is by a panic, it failed.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn hparams(&self, parameters: &[(&str, HParam)], metrics: &[&str]) -> io::Result<()> {
        let mut file = self.0.file();
        file.write_value(0, experiment(parameters, metrics))?;
        file.write_value(0, session_start(parameters))?;
        self.0.has_session.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Brings everything to the disk that was written. (What is older than two seconds is also brought there with the next summary.)
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn flush(&self) -> io::Result<()> {
        self.0.file().flush()
    }

    /// Lets the summaries of graph functions that this thread calls go to this writer, until the scope is dropped. In TensorFlow this is
    /// `with writer.as_default():`.
    pub fn as_default(&self) -> Scope {
        let here = summaries::here();
        Scope::of(Here {
            sink: Some(self.0.clone()),
            ..here
        })
    }

    /// Lets the summaries of all threads that have no writer of their own go to this writer, until [`clear_default`].
    pub fn set_default(&self) {
        summaries::set_everywhere(Some(self.0.clone()));
    }
}

/// Undoes [`Writer::set_default`].
pub fn clear_default() {
    summaries::set_everywhere(None);
}

/// Lets this thread write no summaries while the condition is false, until the scope is dropped: for summaries at some steps only. At the
/// other steps they cost nothing. In TensorFlow this is `with tf.summary.record_if(condition):`.
///
/// ```
/// # use graph_runtime::{prelude::*, summary, summary_scalar};
/// # fn train(step: i64) { summary_scalar!("step", step, step); }
/// for step in 0..1000 {
///     let _scope = summary::record_if(step % 100 == 0);
///     train(step);
/// }
/// ```
pub fn record_if(condition: bool) -> Scope {
    let here = summaries::here();
    Scope::of(Here {
        paused: !condition,
        ..here
    })
}

/// Puts back, when it is dropped, what was set before in this thread.
#[derive(Debug)]
#[must_use = "it ends when the scope is dropped: `let _scope = …;`"]
pub struct Scope {
    before: Here,
    /// A scope ends in the thread that began it.
    thread: PhantomData<*const ()>,
}

impl Scope {
    fn of(here: Here) -> Scope {
        Scope {
            before: summaries::replace_here(here),
            thread: PhantomData,
        }
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        // What was set in the scope may be the last handle of a writer, which is closed now.
        drop(summaries::replace_here(std::mem::take(&mut self.before)));
    }
}
