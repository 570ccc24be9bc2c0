//! What a suite finds.

use std::collections::BTreeMap;
use std::fmt;

/// What was compared, and what differs.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many comparisons were made.
    pub comparisons: usize,
    /// The comparisons that failed: what was done, what the CPU gives, and what the device gives.
    pub differences: Vec<String>,
    /// The ops that the device left to the CPU for some operands, each with its reason. `a graph` stands for whole graphs.
    pub left_to_cpu: BTreeMap<String, String>,
}

impl Report {
    /// Counts a comparison of something, with what differs.
    pub(crate) fn add(&mut self, what: &dyn fmt::Display, found: Result<(), String>) {
        self.comparisons += 1;
        if let Err(difference) = found {
            self.differences.push(format!("{what}: {difference}"));
        }
    }

    /// Notes that the device leaves something to the CPU.
    pub(crate) fn left(&mut self, what: &str, reason: String) {
        self.left_to_cpu.insert(what.to_owned(), reason);
    }
}

/// The differences, and what is left to the CPU.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report {
            comparisons,
            differences,
            left_to_cpu,
        } = self;
        writeln!(
            f,
            "{} of {comparisons} comparisons failed",
            differences.len()
        )?;
        for difference in differences {
            writeln!(f, "- {difference}")?;
        }
        if !left_to_cpu.is_empty() {
            writeln!(f, "left to the CPU:")?;
        }
        for (what, reason) in left_to_cpu {
            writeln!(f, "- {what}: {reason}")?;
        }
        Ok(())
    }
}
