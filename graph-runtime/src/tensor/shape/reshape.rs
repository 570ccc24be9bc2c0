//! Reshaping to a static shape. The numbers of elements are products of sizes, which Rust's traits can't compare. So they are compared when
//! the call is compiled, and the error names both shapes.

use graph_kernels::Element;

use super::ShapeSpec;
use crate::tensor::Tensor;

impl<T: Element, S: ShapeSpec> Tensor<T, S> {
    /// The same values in row-major order, with the static shape `S2`. At most one size may be unknown; it follows from the others.
    ///
    /// Does not compile if both types know the number of elements and they differ.
    ///
    /// # Errors
    /// If the shapes have different numbers of elements.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x: Tensor<i32, S2<2, 3>> = Tensor::of([[1, 2, 3], [4, 5, 6]]);
    /// let y: Tensor<i32, S1<6>> = x.reshape_to();
    /// let z = y.reshape_to::<shape![_, 2]>();
    /// assert_eq!(z.shape().to_string(), "[3,2]");
    /// ```
    #[track_caller]
    pub fn reshape_to<S2: ShapeSpec>(&self) -> Tensor<T, S2> {
        const { Reshape::<S, S2>::CHECKED };
        let sizes: Vec<isize> = S2::SIZES
            .expect("`Dyn` does not compile here")
            .iter()
            .map(|size| size.map_or(-1, |n| n as isize))
            .collect();
        Tensor::from_any(self.reshape(sizes.as_slice()).into_any())
    }
}

/// A reshape from one shape to another.
struct Reshape<S, S2>(std::marker::PhantomData<(S, S2)>);

impl<S: ShapeSpec, S2: ShapeSpec> Reshape<S, S2> {
    const MESSAGE: Text = Text::new()
        .text("a tensor of shape ")
        .shape(S::SIZES)
        .text(" can't be reshaped to ")
        .shape(S2::SIZES);

    const CHECKED: () = {
        let Some(target) = S2::SIZES else {
            panic!("the shape to reshape to is a type that names its sizes, not `Dyn`");
        };
        let (size, unknown) = product(target);
        assert!(
            unknown <= 1,
            "at most one size of the shape to reshape to may be unknown"
        );
        if let Some(sizes) = S::SIZES
            && let (own, 0) = product(sizes)
        {
            let fits = if unknown == 0 {
                own == size
            } else {
                size > 0 && own % size == 0
            };
            assert!(fits, "{}", Self::MESSAGE.as_str());
        }
    };
}

/// The product of the known sizes, and the number of unknown ones.
const fn product(sizes: &[Option<usize>]) -> (usize, usize) {
    let (mut product, mut unknown, mut i) = (1, 0, 0);
    while i < sizes.len() {
        match sizes[i] {
            Some(size) => product *= size,
            None => unknown += 1,
        }
        i += 1;
    }
    (product, unknown)
}

/// An error message that is built at compile time.
struct Text {
    bytes: [u8; 512],
    len: usize,
}

impl Text {
    const fn new() -> Text {
        Text {
            bytes: [0; 512],
            len: 0,
        }
    }

    const fn text(mut self, text: &str) -> Text {
        let mut i = 0;
        while i < text.len() && self.len < self.bytes.len() {
            self.bytes[self.len] = text.as_bytes()[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    const fn number(mut self, n: usize) -> Text {
        if n >= 10 {
            self = self.number(n / 10);
        }
        self.bytes[self.len] = b'0' + (n % 10) as u8;
        self.len += 1;
        self
    }

    const fn shape(mut self, sizes: Option<&[Option<usize>]>) -> Text {
        let Some(sizes) = sizes else {
            return self.text("[*]");
        };
        self = self.text("[");
        let mut i = 0;
        while i < sizes.len() {
            if i > 0 {
                self = self.text(", ");
            }
            self = match sizes[i] {
                Some(n) => self.number(n),
                None => self.text("_"),
            };
            i += 1;
        }
        self.text("]")
    }

    const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}
