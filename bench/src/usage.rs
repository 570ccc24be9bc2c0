//! The resources that the process has used, if the system tells: CPU time, page faults, and the time spent waiting for a core.

/// The running totals at a point in time. A figure that the system doesn't tell is always 0.
#[derive(Clone, Copy, Default)]
pub struct Usage {
    /// The CPU time of all threads, in nanoseconds.
    pub cpu_ns: u64,
    /// The number of page faults that needed no disk access.
    pub faults: u64,
    /// The time in which threads were ready to run but had no core, in nanoseconds.
    pub delay_ns: u64,
}

impl Usage {
    /// What was used since an earlier point in time.
    pub fn since(self, before: Usage) -> Usage {
        Usage {
            cpu_ns: self.cpu_ns.saturating_sub(before.cpu_ns),
            faults: self.faults.saturating_sub(before.faults),
            delay_ns: self.delay_ns.saturating_sub(before.delay_ns),
        }
    }
}

/// What the process has used until now.
#[cfg(unix)]
pub fn now() -> Usage {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::time::{ClockId, clock_gettime};

    let cpu = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID);
    let faults = getrusage(UsageWho::RUSAGE_SELF).map(|usage| usage.minor_page_faults());
    Usage {
        cpu_ns: cpu.map_or(0, |t| {
            t.tv_sec() as u64 * 1_000_000_000 + t.tv_nsec() as u64
        }),
        faults: faults.unwrap_or(0) as u64,
        delay_ns: run_queue_delay().unwrap_or(0),
    }
}

/// What the process has used until now; unknown on this system.
#[cfg(not(unix))]
pub fn now() -> Usage {
    Usage::default()
}

/// The second figure of each thread's `schedstat`, on Linux.
#[cfg(unix)]
fn run_queue_delay() -> std::io::Result<u64> {
    let mut total = 0;
    for task in std::fs::read_dir("/proc/self/task")? {
        // A thread that has just ended has no file.
        let Ok(text) = std::fs::read_to_string(task?.path().join("schedstat")) else {
            continue;
        };
        let delay = text.split(' ').nth(1).and_then(|n| n.parse::<u64>().ok());
        total += delay.unwrap_or(0);
    }
    Ok(total)
}

/// The peak memory of the process in bytes, if the system tells it.
#[cfg(unix)]
pub fn peak_memory() -> Option<u64> {
    use nix::sys::resource::{UsageWho, getrusage};

    let most = getrusage(UsageWho::RUSAGE_SELF).ok()?.max_rss() as u64;
    // Apple's systems count in bytes, others in kilobytes.
    Some(if cfg!(target_vendor = "apple") {
        most
    } else {
        most * 1024
    })
}

/// The peak memory of the process; unknown on this system.
#[cfg(not(unix))]
pub fn peak_memory() -> Option<u64> {
    None
}
