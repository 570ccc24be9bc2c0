//! A file of events that is written, event by event.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use prost::Message;

use super::proto::{Event, GraphDef, SourceMetadata, Summary, event, summary};
use super::record::frame;

/// The first event after this time flushes the file, so that a training can be watched.
const UNSEEN: Duration = Duration::from_secs(2);

/// A new file of events in a folder. Its events have the time at which they are written.
#[derive(Debug)]
pub struct EventFile {
    path: PathBuf,
    file: BufWriter<File>,
    flushed: Instant,
}

impl EventFile {
    /// Makes the folder, if it isn't there, and a file of a new name in it. TensorBoard shows the files of a folder as one run.
    ///
    /// # Errors
    /// If the folder or the file can't be made.
    pub fn create(folder: &Path) -> io::Result<EventFile> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        fs::create_dir_all(folder)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let (seconds, host, process) = (now() as u64, host(), std::process::id());
        let name = format!("events.out.tfevents.{seconds:010}.{host}.{process}.{number}.v2");
        let path = folder.join(name);
        let mut new = EventFile {
            file: BufWriter::new(File::create_new(&path)?),
            path,
            flushed: Instant::now(),
        };
        new.write(Event {
            what: Some(event::What::FileVersion("brain.Event:2".to_owned())),
            source_metadata: Some(SourceMetadata {
                writer: "graph-formats".to_owned(),
            }),
            ..Event::default()
        })?;
        new.flush()?;
        Ok(new)
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a value at a step.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn write_value(&mut self, step: i64, value: summary::Value) -> io::Result<()> {
        let summary = Summary { value: vec![value] };
        self.write(Event {
            step,
            what: Some(event::What::Summary(summary)),
            ..Event::default()
        })
    }

    /// Writes the graph of the run. TensorBoard shows the last one.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn write_graph(&mut self, graph: &GraphDef) -> io::Result<()> {
        self.write(Event {
            what: Some(event::What::GraphDef(graph.encode_to_vec())),
            ..Event::default()
        })
    }

    /// Brings what was written to the disk.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.file.flush()
    }

    fn write(&mut self, event: Event) -> io::Result<()> {
        let event = Event {
            wall_time: now(),
            ..event
        };
        frame(&event.encode_to_vec(), &mut self.file)?;
        if self.flushed.elapsed() >= UNSEEN {
            self.flush()?;
        }
        Ok(())
    }
}

/// Seconds since 1970.
pub(super) fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs_f64()
}

/// The name of the machine, as part of a file's name.
fn host() -> String {
    let name = std::env::var("HOSTNAME").unwrap_or_default();
    let plain: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .take(64)
        .collect();
    match plain.is_empty() {
        true => "localhost".to_owned(),
        false => plain,
    }
}

#[cfg(test)]
mod tests {
    use graph_ir::graph::{Summary, SummaryKind};
    use graph_kernels::Array;

    use super::super::{records, summary_value};
    use super::*;

    /// The events of a file, without their times.
    fn written(folder: &Path) -> (String, Vec<Event>) {
        let mut file = EventFile::create(folder).unwrap();
        for step in 0..3 {
            let of = Summary {
                kind: SummaryKind::Scalar,
                tag: "loss".to_owned(),
            };
            let value = summary_value(&of, &Array::scalar(1.0 / (step as f32 + 1.0))).unwrap();
            file.write_value(step, value).unwrap();
        }
        file.flush().unwrap();
        let bytes = fs::read(file.path()).unwrap();
        let events = records(&bytes).unwrap().into_iter().map(|payload| {
            let event = Event::decode(payload).unwrap();
            assert!(event.wall_time > 1.7e9);
            Event {
                wall_time: 0.0,
                ..event
            }
        });
        let name = file.path().file_name().unwrap().to_string_lossy();
        (name.into_owned(), events.collect())
    }

    #[test]
    fn a_file_has_its_version_first_and_then_what_was_written() {
        let folder = std::env::temp_dir().join(format!("graph-events-{}", std::process::id()));
        let ((one, events), (two, again)) = (written(&folder), written(&folder));
        fs::remove_dir_all(&folder).unwrap();
        assert!(one.starts_with("events.out.tfevents.") && one != two);
        assert_eq!(events, again);
        assert_eq!(
            events[0].what,
            Some(event::What::FileVersion("brain.Event:2".to_owned()))
        );
        let steps: Vec<i64> = events.iter().map(|event| event.step).collect();
        assert_eq!(steps, [0, 0, 1, 2]);
    }
}
