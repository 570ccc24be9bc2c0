//! Tensors of strings: their parts, joining and splitting, and numbers as strings. (`+` joins pairwise, `equal` compares.)

use graph_kernels::Element;

use super::{AsOperand, IndexElement, Number, Tensor, apply_all, axis_attr};
use crate::ops::{self, Attr, Attrs};

impl<S> Tensor<String, S> {
    /// The number of bytes of each string; keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor(["a", "bcd"]).string_length().to_vec(), [1, 3]);
    /// ```
    #[track_caller]
    pub fn string_length(&self) -> Tensor<i32, S> {
        self.unary(&ops::STRING_LENGTH, Attrs::default())
    }

    /// The number of Unicode characters of each string; keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor(["äb"]);
    /// assert_eq!((x.char_count().to_vec(), x.string_length().to_vec()), (vec![2], vec![3]));
    /// ```
    #[track_caller]
    pub fn char_count(&self) -> Tensor<i32, S> {
        self.unary(&ops::STRING_CHARS, Attrs::default())
    }

    /// Each string in upper case, by Unicode's rules; keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor(["aé", "ß"]).to_uppercase().to_vec(), ["AÉ", "SS"]);
    /// ```
    #[track_caller]
    pub fn to_uppercase(&self) -> Tensor<String, S> {
        self.unary(&ops::STRING_UPPER, Attrs::default())
    }

    /// Each string in lower case, by Unicode's rules; keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor(["AÉ"]).to_lowercase().to_vec(), ["aé"]);
    /// ```
    #[track_caller]
    pub fn to_lowercase(&self) -> Tensor<String, S> {
        self.unary(&ops::STRING_LOWER, Attrs::default())
    }

    /// Each string without the ASCII white space at its ends; keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([" a b\n", "\tx"]).strip().to_vec(), ["a b", "x"]);
    /// ```
    #[track_caller]
    pub fn strip(&self) -> Tensor<String, S> {
        self.unary(&ops::STRING_STRIP, Attrs::default())
    }

    /// The characters of each string from `position` on, at most `length`; a negative position counts from the end. Both are numbers or
    /// tensors, scalar or of the strings' shape, which the result keeps.
    ///
    /// # Errors
    /// `pos 6 out of range for string b'hello' at index 0`, when run; if the shapes don't fit.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor(["hello", "häuser"]);
    /// assert_eq!(x.substr(1, 3).to_vec(), ["ell", "äus"]);
    /// assert_eq!(x.substr(-2, 1).to_vec(), ["l", "e"]);
    /// ```
    #[track_caller]
    pub fn substr<I: IndexElement>(
        &self,
        position: impl AsOperand<I>,
        length: impl AsOperand<I>,
    ) -> Tensor<String, S> {
        let (position, length) = (position.into_operand(), length.into_operand());
        let operands = [self.as_any(), &position, &length];
        let apply = super::AnyTensor::apply;
        Tensor::from_any(apply(&ops::STRING_SUBSTR, Attrs::default(), &operands))
    }

    /// All strings, row-major, joined into one with a separator between.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([["a", "b"], ["c", "d"]]).reduce_join(",").item(), "a,b,c,d");
    /// ```
    #[track_caller]
    pub fn reduce_join(&self, separator: &str) -> Tensor<String> {
        self.flatten().reduce_join_axis(0, separator)
    }

    /// The strings along one axis joined with a separator between; the axis is removed.
    ///
    /// # Errors
    /// If there is no such axis.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([["a", "b"], ["c", "d"]]);
    /// assert_eq!(x.reduce_join_axis(0, "-").to_vec(), ["a-c", "b-d"]);
    /// ```
    #[track_caller]
    pub fn reduce_join_axis(&self, axis: isize, separator: &str) -> Tensor<String> {
        let separator = Attr::Text(separator.to_owned());
        let attrs = axis_attr(axis).with("separator", separator);
        self.unary(&ops::STRING_REDUCE_JOIN, attrs)
    }

    /// The parts of one string between separators, of shape `[n]`; an empty separator gives its words.
    ///
    /// # Errors
    /// If the tensor isn't a scalar.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x: Tensor<String> = tensor("a,b,,c");
    /// assert_eq!(x.split_string(",").to_vec(), ["a", "b", "", "c"]);
    /// ```
    #[track_caller]
    pub fn split_string(&self, separator: &str) -> Tensor<String> {
        let attrs = Attrs::new().with("separator", Attr::Text(separator.to_owned()));
        self.unary(&ops::STRING_SPLIT, attrs)
    }

    /// Each string as a number; keeps the shape. (`cast` does the same.)
    ///
    /// # Errors
    /// `StringToNumberOp could not correctly convert string: abc`, when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor(["1.5", " -inf"]).to_number::<f32>().to_vec(), [1.5, f32::NEG_INFINITY]);
    /// ```
    #[track_caller]
    pub fn to_number<T: Number>(&self) -> Tensor<T, S> {
        self.cast()
    }
}

/// How [`Tensor::as_string_with`] writes numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberFormat {
    /// Digits behind the point (in all, for [`shortest`](Self::shortest)), 6 if it isn't given. Only for floats.
    pub precision: Option<usize>,
    /// `1.500000e+00` instead of `1.500000`. Only for floats.
    pub scientific: bool,
    /// `1.5` instead of `1.500000`. Only for floats.
    pub shortest: bool,
    /// At least so many characters.
    pub width: usize,
    /// What makes up the width: spaces in front if it isn't given; `'0'`: zeros; `'-'`: spaces behind; `' '`, `'+'`: what stands
    /// for a plus.
    pub fill: Option<char>,
}

impl<T: Element, S> Tensor<T, S> {
    /// Each number as C's `%f` or `%d` writes it, truth values as `true` and `false`, strings as they are; keeps the shape. (`cast` gives the shortest text that
    /// reads back as the number.)
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.5, -2.0]).as_string().to_vec(), ["1.500000", "-2.000000"]);
    /// ```
    #[track_caller]
    pub fn as_string(&self) -> Tensor<String, S> {
        self.as_string_with(NumberFormat::default())
    }

    /// Each number or string written in a format; keeps the shape.
    ///
    /// # Errors
    /// If the format doesn't go with the numbers.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let format = NumberFormat { precision: Some(2), width: 6, ..Default::default() };
    /// assert_eq!(tensor([1.5]).as_string_with(format).to_vec(), ["  1.50"]);
    /// ```
    #[track_caller]
    pub fn as_string_with(&self, format: NumberFormat) -> Tensor<String, S> {
        let size = |n: usize| Attr::Int(i64::try_from(n).unwrap_or(i64::MAX));
        let fill = format.fill.map_or(String::new(), String::from);
        let attrs = Attrs::new()
            .with("precision", format.precision.map_or(Attr::Int(-1), size))
            .with("scientific", Attr::Bool(format.scientific))
            .with("shortest", Attr::Bool(format.shortest))
            .with("width", size(format.width))
            .with("fill", Attr::Text(fill));
        self.unary(&ops::AS_STRING, attrs)
    }
}

/// Joins strings elementwise with a separator between them. The parts have one shape, or are scalars.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let name: Tensor<String> = tensor(["x", "y"]);
/// let part: Tensor<String> = tensor("weight");
/// assert_eq!(string_join([&name, &part], "/").to_vec(), ["x/weight", "y/weight"]);
/// ```
#[track_caller]
pub fn string_join(
    parts: impl IntoIterator<Item: AsOperand<String>>,
    separator: &str,
) -> Tensor<String> {
    let attrs = Attrs::new().with("separator", Attr::Text(separator.to_string()));
    apply_all(&ops::STRING_JOIN, attrs, parts)
}
