//! Measures how long a call takes. A sample is the mean over enough calls to fill a few milliseconds.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::program::Program;
use crate::usage;

/// Another sample is taken if threads waited for a core for more than this share of the time of a sample.
const DELAYED: f64 = 0.02;
/// The maximum number of samples taken for each sample wanted.
const ATTEMPTS: usize = 3;

/// Samples, with figures per call. They are those in which the process waited least for a core.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Samples {
    /// Nanoseconds of wall time.
    pub ns: Vec<f64>,
    /// Nanoseconds of CPU time, the sum over all threads.
    pub cpu_ns: Vec<f64>,
    /// Minor page faults.
    pub faults: Vec<f64>,
    /// The share of the sample in which threads were ready to run but had no core.
    pub delay: Vec<f64>,
}

#[derive(Clone, Copy)]
struct Sample {
    ns: f64,
    cpu_ns: f64,
    faults: f64,
    delay: f64,
}

/// The number of calls that fill the time `least`, found after a warm-up.
pub fn calibrate(program: &mut dyn Program, least: Duration) -> u64 {
    let first = time(program, 1);
    if first < Duration::from_secs(2) {
        let calls = Duration::from_millis(50).as_nanos() / first.as_nanos().max(1);
        time(program, calls.clamp(1, 100) as u64);
    }
    let mut calls = 1;
    loop {
        // The faster of two measurements, because a disturbed one would give too few calls.
        let taken = time(program, calls);
        let taken = match taken < Duration::from_secs(1) {
            true => taken.min(time(program, calls)),
            false => taken,
        };
        if taken >= least {
            return calls;
        }
        let wanted = calls as f64 * 1.15 * least.as_secs_f64() / taken.as_secs_f64().max(1e-9);
        calls = (wanted as u64 + 1).clamp(calls + 1, (calls * 10).max(calls + 1));
    }
}

/// Takes `count` samples of `calls` calls each, or fewer if the time is up, but at least one. `hot` says that no call is made before the
/// first sample.
pub fn sample(
    program: &mut dyn Program,
    calls: u64,
    count: usize,
    most: Duration,
    hot: bool,
) -> Samples {
    if !hot {
        program.call();
    }
    let start = Instant::now();
    let mut samples: Vec<Sample> = Vec::new();
    while samples.is_empty() || (start.elapsed() < most && wants_more(&samples, count)) {
        samples.push(one_sample(program, calls));
        samples.sort_by(|a, b| a.delay.total_cmp(&b.delay));
    }
    samples.truncate(count.max(1));
    let column = |figure: fn(&Sample) -> f64| samples.iter().map(figure).collect();
    Samples {
        ns: column(|s| s.ns),
        cpu_ns: column(|s| s.cpu_ns),
        faults: column(|s| s.faults),
        delay: column(|s| s.delay),
    }
}

/// Whether more samples are needed: there are too few, or too many of them were delayed. `samples` are sorted by delay.
fn wants_more(samples: &[Sample], count: usize) -> bool {
    match samples.get(count.saturating_sub(1)) {
        None => true,
        Some(worst) => worst.delay > DELAYED && samples.len() < ATTEMPTS * count,
    }
}

fn one_sample(program: &mut dyn Program, calls: u64) -> Sample {
    let before = usage::now();
    let taken = time(program, calls).as_nanos() as f64;
    let used = usage::now().since(before);
    let calls = calls as f64;
    Sample {
        ns: taken / calls,
        cpu_ns: used.cpu_ns as f64 / calls,
        faults: used.faults as f64 / calls,
        delay: used.delay_ns as f64 / taken.max(1.0),
    }
}

fn time(program: &mut dyn Program, calls: u64) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        program.call();
    }
    start.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::npy::FileError;

    /// A program whose call takes about a tenth of a millisecond. It counts its calls.
    #[derive(Default)]
    struct Sleeps(u64);

    impl Program for Sleeps {
        fn call(&mut self) {
            self.0 += 1;
            std::thread::sleep(Duration::from_micros(100));
        }
        fn write_outputs(&mut self, _: &std::path::Path) -> Result<(), FileError> {
            Ok(())
        }
    }

    #[test]
    fn calibration_fills_the_time() {
        // A sleep is never shorter than requested, so 50 calls are always enough for 5 ms.
        let calls = calibrate(&mut Sleeps::default(), Duration::from_millis(5));
        assert!((1..=58).contains(&calls), "{calls}");
    }

    #[test]
    fn a_sample_is_the_time_per_call() {
        let mut program = Sleeps::default();
        let samples = sample(&mut program, 7, 3, Duration::from_secs(60), false);
        assert_eq!(samples.ns.len(), 3);
        assert_eq!(samples.faults.len(), 3);
        assert!(samples.ns.iter().all(|ns| *ns >= 100_000.0));
        // One call before the first sample, then at most three samples for each one wanted.
        assert_eq!((program.0 - 1) % 7, 0);
        assert!((1 + 3 * 7..=1 + 9 * 7).contains(&program.0));
    }

    #[test]
    fn one_sample_is_taken_when_there_is_no_time() {
        let mut program = Sleeps::default();
        let samples = sample(&mut program, 2, 5, Duration::ZERO, true);
        assert_eq!((samples.ns.len(), program.0), (1, 2));
    }

    #[test]
    fn delayed_samples_are_taken_again_but_not_for_ever() {
        let delayed = |delay| Sample {
            ns: 1.0,
            cpu_ns: 1.0,
            faults: 0.0,
            delay,
        };
        assert!(wants_more(&[delayed(0.0)], 2));
        assert!(!wants_more(&[delayed(0.0), delayed(0.01)], 2));
        assert!(wants_more(&[delayed(0.0), delayed(0.5)], 2));
        assert!(!wants_more(&[delayed(0.5); 6], 2));
    }
}
