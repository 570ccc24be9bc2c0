//! The worker's side of the protocol: a request is one JSON object on a line, and so is its reply.
//!
//! | request | reply |
//! |---|---|
//! | `{"op":"hello","threads":1}` | `{"ok":true,"version":"…"}` |
//! | `{"op":"prepare","name":W,"dir":D}`: inputs are `D/in0.npy`, …; outputs go to `D/got0.npy`, … | `{"ok":true,"first_call_s":s}` |
//! | `{"op":"calibrate","min_ms":5}` | `{"ok":true,"inner":n}` |
//! | `{"op":"sample","count":5,"max_s":10}` | `{"ok":true,"ns":[…],"cpu_ns":[…],"faults":[…],"delay":[…]}` |
//! | `{"op":"drop"}` | `{"ok":true}` |
//!
//! A request that can't be fulfilled is answered by `{"ok":false,"error":"why"}`, with `"unsupported":true` for an unknown workload. A
//! `"peer"` in a request is ignored, because a worker is one peer.

use std::any::Any;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::npy::FileError;
use crate::program::{Build, Program};
use crate::sampling::{self, Samples};

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Request {
    Hello {
        threads: usize,
    },
    Prepare {
        name: String,
        dir: PathBuf,
    },
    Calibrate {
        min_ms: f64,
    },
    Sample {
        count: usize,
        max_s: f64,
        #[serde(default)]
        hot: bool,
    },
    Drop {},
}

#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Version { version: &'static str },
    Prepared { first_call_s: f64 },
    Calibrated { inner: u64 },
    Sampled(Samples),
    Dropped {},
}

/// Why a request can't be fulfilled.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("not a request: {0}")]
    Request(#[from] serde_json::Error),
    #[error("no workload {0}")]
    Unsupported(String),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("nothing is prepared")]
    Unprepared,
    #[error("{name} is {value}: not a time")]
    Time { name: &'static str, value: f64 },
    #[error("panic: {0}")]
    Panic(String),
}

#[derive(Serialize)]
struct Answer {
    ok: bool,
    #[serde(flatten)]
    reply: Option<Reply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unsupported: bool,
}

/// Answers requests from standard input, one per line, on standard output, until the input ends. `find` gives a workload by its name.
///
/// # Errors
/// If the input can't be read or the output can't be written.
pub fn serve(find: fn(&str) -> Option<Build>) -> io::Result<()> {
    let mut session = Session::new(find);
    let mut replies = io::stdout().lock();
    for request in io::stdin().lock().lines() {
        writeln!(replies, "{}", session.answer(&request?))?;
        replies.flush()?;
    }
    Ok(())
}

/// A session with the driver. At most one workload is prepared at a time.
pub struct Session {
    find: fn(&str) -> Option<Build>,
    prepared: Option<Box<dyn Program>>,
    /// The number of calls in a sample.
    inner: u64,
}

impl Session {
    /// A session in which nothing is prepared.
    pub fn new(find: fn(&str) -> Option<Build>) -> Session {
        Session {
            find,
            prepared: None,
            inner: 1,
        }
    }

    /// The reply to one request, without a line break.
    pub fn answer(&mut self, request: &str) -> String {
        let result = catch_unwind(AssertUnwindSafe(|| self.reply(request)))
            .unwrap_or_else(|payload| Err(Failure::Panic(message(&*payload))));
        let answer = match result {
            Ok(reply) => Answer {
                ok: true,
                reply: Some(reply),
                error: None,
                unsupported: false,
            },
            Err(failure) => Answer {
                ok: false,
                reply: None,
                unsupported: matches!(failure, Failure::Unsupported(_)),
                error: Some(failure.to_string()),
            },
        };
        serde_json::to_string(&answer).expect("an answer is JSON")
    }

    fn reply(&mut self, request: &str) -> Result<Reply, Failure> {
        Ok(match serde_json::from_str(request)? {
            Request::Hello { threads } => hello(threads),
            Request::Prepare { name, dir } => self.prepare(&name, &dir)?,
            Request::Calibrate { min_ms } => {
                let least = seconds("min_ms", min_ms / 1e3)?;
                self.inner = sampling::calibrate(self.program()?, least);
                Reply::Calibrated { inner: self.inner }
            }
            Request::Sample { count, max_s, hot } => {
                let (most, inner) = (seconds("max_s", max_s)?, self.inner);
                Reply::Sampled(sampling::sample(self.program()?, inner, count, most, hot))
            }
            Request::Drop {} => {
                self.prepared = None;
                Reply::Dropped {}
            }
        })
    }

    fn prepare(&mut self, name: &str, folder: &Path) -> Result<Reply, Failure> {
        self.prepared = None;
        self.inner = 1;
        let build = (self.find)(name).ok_or_else(|| Failure::Unsupported(name.to_owned()))?;
        let mut program = build(folder)?;
        let start = Instant::now();
        program.call();
        let first_call_s = start.elapsed().as_secs_f64();
        program.write_outputs(folder)?;
        self.prepared = Some(program);
        Ok(Reply::Prepared { first_call_s })
    }

    fn program(&mut self) -> Result<&mut dyn Program, Failure> {
        match &mut self.prepared {
            Some(program) => Ok(&mut **program),
            None => Err(Failure::Unprepared),
        }
    }
}

/// Sets the number of threads and calls a function once, so that the first call of a workload doesn't include what only the first call of
/// the process costs.
fn hello(threads: usize) -> Reply {
    graph_runtime::set_threads(threads);
    crate::workloads::warm_up();
    Reply::Version {
        version: env!("CARGO_PKG_VERSION"),
    }
}

fn seconds(name: &'static str, value: f64) -> Result<Duration, Failure> {
    Duration::try_from_secs_f64(value).map_err(|_| Failure::Time { name, value })
}

/// The message of a panic.
fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied())
        .unwrap_or("without words")
        .to_owned()
}
