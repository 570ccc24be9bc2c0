//! Statistics of an array's values: range, mean, and the number of NaNs.

use std::fmt;

use graph_kernels::{Array, Buffer};

use crate::graph::TensorType;

/// Statistics of an array's values; booleans count as 1 and 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Summary {
    /// How many values are neither infinite nor NaN.
    pub finite: usize,
    /// The smallest and the greatest value that isn't NaN.
    pub range: Option<[f64; 2]>,
    /// The sum of all values.
    sum: f64,
    pub nan: usize,
    pub negative_infinite: usize,
    pub positive_infinite: usize,
}

impl Summary {
    /// The statistics of an array; `None` for strings.
    pub fn of(array: &Array) -> Option<Summary> {
        Some(match array.buffer() {
            Buffer::F32(v) => Summary::over(v.iter().map(|x| f64::from(*x))),
            Buffer::F64(v) => Summary::over(v.iter().copied()),
            Buffer::F16(v) => Summary::over(v.iter().map(|x| x.to_f64())),
            Buffer::BF16(v) => Summary::over(v.iter().map(|x| x.to_f64())),
            Buffer::I32(v) => Summary::over(v.iter().map(|x| f64::from(*x))),
            Buffer::I64(v) => Summary::over(v.iter().map(|x| *x as f64)),
            Buffer::U8(v) => Summary::over(v.iter().map(|x| f64::from(*x))),
            Buffer::I8(v) => Summary::over(v.iter().map(|x| f64::from(x.cast_signed()))),
            Buffer::I16(v) => Summary::over(v.iter().map(|x| f64::from(x.cast_signed()))),
            Buffer::U16(v) => Summary::over(v.iter().map(|x| f64::from(*x))),
            Buffer::U32(v) => Summary::over(v.iter().map(|x| f64::from(x.cast_unsigned()))),
            Buffer::U64(v) => Summary::over(v.iter().map(|x| x.cast_unsigned() as f64)),
            Buffer::Bool(v) => Summary::over(v.iter().map(|x| f64::from(u8::from(*x)))),
            Buffer::Str(_) => return None,
        })
    }

    fn over(values: impl Iterator<Item = f64>) -> Summary {
        let empty = Summary {
            finite: 0,
            range: None,
            sum: 0.0,
            nan: 0,
            negative_infinite: 0,
            positive_infinite: 0,
        };
        values.fold(empty, Summary::and)
    }

    fn and(mut self, value: f64) -> Summary {
        self.sum += value;
        if value.is_nan() {
            self.nan += 1;
            return self;
        }
        let [min, max] = self.range.unwrap_or([value; 2]);
        self.range = Some([min.min(value), max.max(value)]);
        match value {
            f64::INFINITY => self.positive_infinite += 1,
            f64::NEG_INFINITY => self.negative_infinite += 1,
            _ => self.finite += 1,
        }
        self
    }

    /// How many values there are.
    pub fn count(&self) -> usize {
        self.finite + self.negative_infinite + self.positive_infinite + self.nan
    }

    /// The mean of all values, if there are any.
    pub fn mean(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.sum / self.count() as f64)
    }

    /// True if every value is a finite number.
    pub fn is_finite(&self) -> bool {
        self.finite == self.count()
    }
}

impl fmt::Display for Summary {
    /// `min -1, max 3, mean 1.5`, and the number of NaNs if there are any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.range, self.mean()) {
            (Some([min, max]), Some(mean)) => write!(f, "min {min}, max {max}, mean {mean}")?,
            (None, Some(_)) => f.write_str("no number")?,
            _ => f.write_str("no values")?,
        }
        match self.nan {
            0 => Ok(()),
            n => write!(f, ", {n} NaN"),
        }
    }
}

/// An array in one line: its type and its statistics.
pub(super) fn line(array: &Array) -> String {
    let ty = TensorType::of_array(array);
    match Summary::of(array) {
        Some(summary) => format!("{ty}, {summary}"),
        None => ty.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_leave_out_what_is_no_number() {
        let array = Array::new(&[5], vec![1.0f32, f32::NAN, -2.0, f32::INFINITY, f32::NAN]);
        let summary = Summary::of(&array).unwrap();
        assert_eq!(summary.range, Some([-2.0, f64::INFINITY]));
        assert_eq!((summary.finite, summary.nan), (2, 2));
        assert_eq!(
            (summary.negative_infinite, summary.positive_infinite),
            (0, 1)
        );
        assert!(!summary.is_finite());
    }

    #[test]
    fn an_array_in_a_line() {
        assert_eq!(
            line(&Array::new(&[3], vec![1, 2, 6])),
            "int32[3], min 1, max 6, mean 3"
        );
        assert_eq!(
            line(&Array::new(&[2], vec![f64::NAN, 1.5])),
            "float64[2], min 1.5, max 1.5, mean NaN, 1 NaN"
        );
        assert_eq!(
            line(&Array::new(&[1], vec![f32::NAN])),
            "float32[1], no number, 1 NaN"
        );
        assert_eq!(
            line(&Array::new(&[0], Vec::<f32>::new())),
            "float32[0], no values"
        );
        assert_eq!(line(&Array::scalar("a".to_owned())), "string[]");
        assert_eq!(
            line(&Array::new(&[4], vec![true, false, true, true])),
            "bool[4], min 0, max 1, mean 0.75"
        );
    }
}
