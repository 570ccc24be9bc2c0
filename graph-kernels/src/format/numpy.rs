//! NumPy's style: columns padded to one width, all floats with the digits that the longest needs, `...` in large arrays.

use super::floats;
use super::layout::Layout;
use super::{Spec, integer};
use crate::{Array, Buffer};

/// Arrays with more values than this are abbreviated.
const THRESHOLD: usize = 1000;

/// The text of an array as NumPy's `str` gives it: `[[1 2]\n [3 4]]`, `[1.  2.5]`, `[ True False]`; a scalar as its value.
/// Arrays of more than 1000 values show three at each edge of an axis. If there are format options, they decide the text of each value, and
/// columns aren't padded to one width.
///
/// ```
/// use graph_kernels::{Array, format::{Spec, numpy}};
/// assert_eq!(numpy(&Array::new(&[2], vec![1.0, 2.5]), &Spec::default()), "[1.  2.5]");
/// ```
pub fn numpy(array: &Array, spec: &Spec) -> String {
    if array.is_empty() {
        return "[]".to_owned();
    }
    if array.rank() == 0 {
        return spec.text(array.buffer(), 0, scalar);
    }
    let edge = (array.len() > THRESHOLD).then_some(3);
    let layout = Layout {
        shape: array.shape(),
        edge,
        width: 75,
    };
    let texts = match spec.is_default() {
        true => columns(array.buffer(), &layout.positions()),
        false => each(array.buffer(), &layout.positions(), spec),
    };
    layout.render(&mut texts.into_iter())
}

/// The texts of the values at the positions under format options.
fn each(buffer: &Buffer, positions: &[usize], spec: &Spec) -> Vec<String> {
    let own = |buffer: &Buffer, at: usize| match buffer {
        Buffer::Str(v) => quoted(&v[at]),
        other => scalar(other, at),
    };
    let texts = positions.iter().map(|at| spec.text(buffer, *at, own));
    texts.collect()
}

/// The text of a value outside an array.
fn scalar(buffer: &Buffer, at: usize) -> String {
    match buffer {
        Buffer::F32(v) => floats::scalar(v[at]),
        Buffer::F64(v) => floats::scalar(v[at]),
        Buffer::F16(v) => floats::scalar(v[at]),
        Buffer::BF16(v) => floats::scalar(v[at]),
        Buffer::Bool(v) => truth(v[at]).to_owned(),
        Buffer::Str(v) => v[at].clone(),
        integers => integer(integers, at),
    }
}

/// The texts of the values at the positions, padded to one width.
fn columns(buffer: &Buffer, positions: &[usize]) -> Vec<String> {
    fn pick<'a, T>(values: &'a [T], positions: &'a [usize]) -> impl Iterator<Item = &'a T> {
        positions.iter().map(|at| &values[*at])
    }
    match buffer {
        Buffer::F32(v) => floats::column(&pick(v, positions).copied().collect::<Vec<_>>()),
        Buffer::F64(v) => floats::column(&pick(v, positions).copied().collect::<Vec<_>>()),
        Buffer::F16(v) => floats::column(&pick(v, positions).copied().collect::<Vec<_>>()),
        Buffer::BF16(v) => floats::column(&pick(v, positions).copied().collect::<Vec<_>>()),
        Buffer::Bool(v) => pick(v, positions)
            .map(|v| format!("{:>5}", truth(*v)))
            .collect(),
        Buffer::Str(v) => left_aligned(pick(v, positions).map(|v| quoted(v)).collect()),
        integers => right_aligned(positions.iter().map(|at| integer(integers, *at)).collect()),
    }
}

fn truth(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

/// A string in single quotes, or in double quotes if it contains a single one, as Python writes it.
fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

fn width(texts: &[String]) -> usize {
    texts
        .iter()
        .map(|text| text.chars().count())
        .max()
        .unwrap_or(0)
}

fn right_aligned(texts: Vec<String>) -> Vec<String> {
    let width = width(&texts);
    texts.iter().map(|text| format!("{text:>width$}")).collect()
}

fn left_aligned(texts: Vec<String>) -> Vec<String> {
    let width = width(&texts);
    texts.iter().map(|text| format!("{text:<width$}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bf16, f16};

    fn plain(array: &Array) -> String {
        numpy(array, &Spec::default())
    }

    #[test]
    fn arrays_look_like_numpys() {
        assert_eq!(
            plain(&Array::new(&[2, 2], vec![1, 2, 3, 4])),
            "[[1 2]\n [3 4]]"
        );
        assert_eq!(plain(&Array::new(&[3], vec![1, -20, 3])), "[  1 -20   3]");
        assert_eq!(
            plain(&Array::new(&[2, 1, 2], vec![1, 2, 3, 4])),
            "[[[1 2]]\n\n [[3 4]]]"
        );
        assert_eq!(plain(&Array::new(&[2], vec![true, false])), "[ True False]");
        assert_eq!(
            plain(&Array::new(&[2], vec!["a".to_owned(), "it's".to_owned()])),
            "['a'    \"it's\"]"
        );
        assert_eq!(plain(&Array::new(&[0, 3], Vec::<f32>::new())), "[]");
    }

    #[test]
    fn floats_are_padded_to_one_width() {
        assert_eq!(plain(&Array::new(&[2], vec![1.0, 2.5])), "[1.  2.5]");
        assert_eq!(
            plain(&Array::new(&[2], vec![-1.0f32, 10.25])),
            "[-1.   10.25]"
        );
        assert_eq!(
            plain(&Array::new(&[2], vec![1.0 / 3.0, 1.0])),
            "[0.33333333 1.        ]"
        );
        assert_eq!(
            plain(&Array::new(&[3], vec![f64::NAN, f64::NEG_INFINITY, 1.0])),
            "[ nan -inf   1.]"
        );
        assert_eq!(plain(&Array::new(&[2], vec![1e8, 1.0])), "[1.e+08 1.e+00]");
        assert_eq!(
            plain(&Array::new(&[2], vec![1e-5, 1.5])),
            "[1.0e-05 1.5e+00]"
        );
        assert_eq!(
            plain(&Array::new(&[2], vec![10.0f32, 0.01])),
            "[10.    0.01]"
        );
    }

    #[test]
    fn half_floats_have_few_digits() {
        let half = |values: &[f32]| {
            let values: Vec<f16> = values.iter().map(|v| f16::from_f32(*v)).collect();
            plain(&Array::new(&[values.len()], values))
        };
        assert_eq!(half(&[0.1, 1.5, -2.0]), "[ 0.1  1.5 -2. ]");
        assert_eq!(half(&[0.1, 65504.0, 1.5]), "[1.00e-01 6.55e+04 1.50e+00]");
        assert_eq!(half(&[6e-8, 1.0]), "[6.e-08 1.e+00]");
        assert_eq!(plain(&Array::scalar(f16::from_f32(1.0 / 3.0))), "0.3333");
        assert_eq!(plain(&Array::scalar(bf16::from_f32(1.5))), "1.5");
        assert_eq!(plain(&Array::scalar(f16::NAN)), "nan");
    }

    #[test]
    fn scalars_stand_alone() {
        assert_eq!(plain(&Array::scalar(2.0)), "2.0");
        assert_eq!(plain(&Array::scalar(1f32 / 3.0)), "0.33333334");
        assert_eq!(plain(&Array::scalar(1.5e16)), "1.5e+16");
        assert_eq!(plain(&Array::scalar(0.00001)), "1e-05");
        assert_eq!(plain(&Array::scalar(f32::NAN)), "nan");
        assert_eq!(plain(&Array::scalar(true)), "True");
        assert_eq!(plain(&Array::scalar("hi".to_owned())), "hi");
    }

    #[test]
    fn long_arrays_are_abbreviated_and_long_lines_broken() {
        let long: Vec<i32> = (0..1001).collect();
        assert_eq!(
            plain(&Array::new(&[1001], long)),
            "[   0    1    2 ...  998  999 1000]"
        );
        let line: Vec<i32> = (10..40).collect();
        let expected = "[10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33\n 34 35 36 37 38 39]";
        assert_eq!(plain(&Array::new(&[30], line)), expected);
    }
}
