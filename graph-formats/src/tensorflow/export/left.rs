//! The ops that TensorFlow can't say, and why.

/// Ops of the table without a counterpart in TensorFlow, each with the reason.
pub(super) const LEFT: &[(&str, &str)] = &[
    (
        "take_along_axis",
        "no op of TensorFlow takes an index for each lane whose other axes broadcast",
    ),
    (
        "add_along_axis",
        "no op of TensorFlow takes an index for each lane whose other axes broadcast",
    ),
];
