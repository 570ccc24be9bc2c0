//! Tensors of strings: substrings, joining, splitting, and conversion between numbers and strings. (`+` joins elementwise, `equal`
//! compares.)

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
    #[doc(alias("upper"))]
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
    #[doc(alias("lower"))]
    #[track_caller]
    pub fn to_lowercase(&self) -> Tensor<String, S> {
        self.unary(&ops::STRING_LOWER, Attrs::default())
    }

    /// Each string without ASCII white space at its beginning and end; keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([" a b\n", "\tx"]).strip().to_vec(), ["a b", "x"]);
    /// ```
    #[doc(alias("trim"))]
    #[track_caller]
    pub fn strip(&self) -> Tensor<String, S> {
        self.unary(&ops::STRING_STRIP, Attrs::default())
    }

    /// The substring of each string that begins at character `position` and has at most `length` characters. A negative position counts
    /// from the end. Both are numbers or tensors, either scalars or of the strings' shape. Keeps the shape of the strings.
    ///
    /// # Errors
    /// When run: `pos 6 out of range for string b'hello' at index 0`. If the shapes don't match.
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

    /// Joins all strings, in row-major order, into one string with a separator between them.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([["a", "b"], ["c", "d"]]).reduce_join(",").item(), "a,b,c,d");
    /// ```
    #[track_caller]
    pub fn reduce_join(&self, separator: &str) -> Tensor<String> {
        self.flatten().reduce_join_axis(0, separator)
    }

    /// Joins the strings along one axis, with a separator between them. The axis is removed.
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

    /// Splits one string at a separator: `[n]`. An empty separator splits it into words at white space.
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

    /// Parses each string as a number; keeps the shape. (`cast` does the same.)
    ///
    /// # Errors
    /// When run: `StringToNumberOp could not correctly convert string: abc`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor(["1.5", " -inf"]).to_number::<f32>().to_vec(), [1.5, f32::NEG_INFINITY]);
    /// ```
    #[doc(alias("string_to_number"))]
    #[track_caller]
    pub fn to_number<T: Number>(&self) -> Tensor<T, S> {
        self.cast()
    }
}

/// How [`Tensor::as_string_with`] writes numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberFormat {
    /// The number of digits after the point (for [`shortest`](Self::shortest): of all digits); 6 if it is `None`. Only for floats.
    pub precision: Option<usize>,
    /// Writes `1.500000e+00` instead of `1.500000`. Only for floats.
    pub scientific: bool,
    /// Writes `1.5` instead of `1.500000`. Only for floats.
    pub shortest: bool,
    /// The minimum number of characters.
    pub width: usize,
    /// How short texts are filled up to the width: `None` puts spaces in front, `'0'` zeros, `'-'` spaces behind. `' '` and `'+'` are
    /// written in place of the sign of a positive number.
    pub fill: Option<char>,
}

impl<T: Element, S> Tensor<T, S> {
    /// Formats each number as C's `%f` or `%d` does, truth values as `true` and `false`; strings stay unchanged. Keeps the shape. (`cast`
    /// gives the shortest text that parses to the same number.)
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.5, -2.0]).as_string().to_vec(), ["1.500000", "-2.000000"]);
    /// ```
    #[track_caller]
    pub fn as_string(&self) -> Tensor<String, S> {
        self.as_string_with(NumberFormat::default())
    }

    /// Formats each element as `format` says; keeps the shape.
    ///
    /// # Errors
    /// If the format has options that the element type doesn't allow.
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

/// Joins strings elementwise, with a separator between them. All operands have the same shape or are scalars.
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
