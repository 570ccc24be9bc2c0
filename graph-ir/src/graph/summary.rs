//! Summaries: values that a run hands to a writer, which keeps them by tag and step so that a tool can show them over time. The ops with the
//! names of [`SummaryKind::op_name`] use them. Without a writer the program runs without these ops.

use std::io;

use graph_kernels::DType;

use crate::types::TensorType;

/// What a summary op records of its first input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How the value is kept.
    pub kind: SummaryKind,
    /// The name under which it is shown. Slashes group names.
    pub tag: String,
}

impl Summary {
    /// The message of a failed write.
    pub fn failed(&self, error: &io::Error) -> String {
        format!("can't write the summary `{}`: {error}", self.tag)
    }
}

/// How the value of a summary is kept and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SummaryKind {
    /// One number.
    Scalar,
    /// How the elements of a tensor are distributed.
    Histogram,
    /// Images, of shape `[n, height, width, channels]`.
    Image,
    /// Text: a scalar or list of strings.
    Text,
}

impl SummaryKind {
    /// All kinds.
    pub const ALL: [SummaryKind; 4] = [
        SummaryKind::Scalar,
        SummaryKind::Histogram,
        SummaryKind::Image,
        SummaryKind::Text,
    ];

    /// The name of the op in graph text and in messages.
    pub fn op_name(self) -> &'static str {
        match self {
            SummaryKind::Scalar => "summary_scalar",
            SummaryKind::Histogram => "summary_histogram",
            SummaryKind::Image => "summary_image",
            SummaryKind::Text => "summary_text",
        }
    }

    /// The kind whose op has this name.
    pub fn of_op(name: &str) -> Option<SummaryKind> {
        SummaryKind::ALL
            .into_iter()
            .find(|kind| kind.op_name() == name)
    }

    /// Checks whether values of this type can be recorded. What isn't known of the shape is checked by the writer.
    ///
    /// # Errors
    /// A message that says what belongs there.
    pub fn check(self, ty: &TensorType) -> Result<(), String> {
        let (dtype, rank) = (ty.dtype, ty.shape.rank());
        let (fits, expected) = match self {
            SummaryKind::Scalar => (
                dtype != DType::Str && rank.is_none_or(|rank| rank == 0),
                "a number or truth value without axes",
            ),
            SummaryKind::Histogram => (dtype != DType::Str, "numbers or truth values"),
            SummaryKind::Image => (
                (dtype.is_float() || dtype == DType::U8) && rank.is_none_or(|rank| rank == 4),
                "floats or bytes of shape [n, height, width, channels]",
            ),
            SummaryKind::Text => (dtype == DType::Str, "strings"),
        };
        match fits {
            true => Ok(()),
            false => Err(format!("{} takes {expected}, not {ty}", self.op_name())),
        }
    }
}
